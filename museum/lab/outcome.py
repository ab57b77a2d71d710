"""What a finished run is: a value. Crash, timeout, stop and out of memory are statuses here, not exceptions."""

from collections import deque
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import msgspec

from museum.lab.protocol import ArraySeen, Frame, MeshSeen, RaisedError, Versions


class RunStatus(StrEnum):
    """How a run ended."""

    OK = "ok"
    FAILED = "failed"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    STOPPED = "stopped"
    OUT_OF_MEMORY = "out of memory"
    TOO_MUCH_OUTPUT = "too much output"
    TOO_MANY_PROCESSES = "too many processes"
    NOT_STARTED = "not started"


ENDED_BY_KEEPER = {
    "time": RunStatus.TIMED_OUT,
    "stopped": RunStatus.STOPPED,
    "abandoned": RunStatus.STOPPED,
    "memory": RunStatus.OUT_OF_MEMORY,
    "processes": RunStatus.TOO_MANY_PROCESSES,
    "output": RunStatus.TOO_MUCH_OUTPUT,
}


LIMITS_MET = frozenset(ENDED_BY_KEEPER.values()) - {RunStatus.STOPPED}


@dataclass(frozen=True, slots=True)
class Output:
    """What came from one stream: all of it, or its head and tail when there was too much.

    Attributes:
        head: The first bytes.
        dropped: How many bytes are missing between head and tail.
        tail: The last bytes; empty when nothing was dropped.
    """

    head: bytes = b""
    dropped: int = 0
    tail: bytes = b""

    @property
    def size(self) -> int:
        """Bytes that the stream carried."""
        return len(self.head) + self.dropped + len(self.tail)

    @property
    def text(self) -> str:
        """The stream as text, undecodable bytes replaced, with a line where bytes were dropped."""
        if not self.dropped:
            return self.head.decode("utf-8", "replace")
        gap = f"\n… {self.dropped:,} bytes dropped …\n"
        return self.head.decode("utf-8", "replace") + gap + self.tail.decode("utf-8", "replace")


class OutputKeeper:
    """Takes a stream in blocks and keeps its head and tail, in constant memory."""

    def __init__(self, most: int = 1 << 20) -> None:
        """Keep up to `most` bytes, half of them from the start."""
        self._room = most // 2
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._in_tail = 0
        self._dropped = 0

    @property
    def size(self) -> int:
        """Bytes taken so far."""
        return len(self._head) + self._dropped + self._in_tail

    def take(self, block: bytes) -> None:
        """Add what was read next."""
        free = self._room - len(self._head)
        self._head += block[:free] if free > 0 else b""
        rest = block[max(free, 0) :]
        if not rest:
            return
        self._tail.append(rest)
        self._in_tail += len(rest)
        while self._in_tail - len(self._tail[0]) >= self._room:
            gone = self._tail.popleft()
            self._in_tail -= len(gone)
            self._dropped += len(gone)

    def output(self) -> Output:
        """What was kept."""
        tail = b"".join(self._tail)
        if not self._dropped:
            return Output(bytes(self._head) + tail)
        return Output(bytes(self._head), self._dropped, tail)


@dataclass(frozen=True, slots=True)
class RaisedException:
    """The exception that ended the script.

    Attributes:
        error: Module-qualified class, without ``builtins.``.
        message: `str` of the exception.
        frames: Outermost first.
        notes: Texts of `add_note`.
        blamed_line: Line of the script to look at, from 1; 0 when there is none.
    """

    error: str
    message: str
    frames: tuple[Frame, ...]
    notes: tuple[str, ...] = ()
    blamed_line: int = 0

    @classmethod
    def of(cls, raised: RaisedError) -> "RaisedException":
        """From the gate's message."""
        return cls(raised.error, raised.message, raised.frames, raised.notes, raised.blamed)

    def __str__(self) -> str:
        return f"{self.error}: {self.message}" if self.message else self.error


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """One finished run.

    Attributes:
        status: How it ended.
        exit_code: As `subprocess` gives it, negative for a signal; None when the run never started.
        exception: What ended the script, when Python could tell.
        stdout: What the script printed.
        stderr: The same on the other stream, with the traceback.
        meshes: Meshes in the script's variables when its last line was done.
        arrays: Arrays there.
        versions: JAX as the run saw it; None when it imported none.
        environment: Name of the environment.
        target: As written, ``cpu:8``.
        timings: Seconds since the request: "ready", "running", "finished" (the last line was done), "ended".
        detail: One line when the status needs words: which limit, why it did not start.
        left: Processes of the run that were still alive at its end, and were killed.
        peak_memory: Most resident memory seen, in bytes.
    """

    status: RunStatus
    exit_code: int | None
    environment: str
    target: str
    exception: RaisedException | None = None
    stdout: Output = field(default_factory=Output)
    stderr: Output = field(default_factory=Output)
    meshes: tuple[MeshSeen, ...] = ()
    arrays: tuple[ArraySeen, ...] = ()
    versions: Versions | None = None
    timings: dict[str, float] = field(default_factory=dict, compare=False)
    detail: str = ""
    left: int = 0
    peak_memory: int = field(default=0, compare=False)

    @property
    def failed(self) -> bool:
        """Whether the script did anything but run to a good end."""
        return self.status is not RunStatus.OK

    def as_json(self) -> dict[str, Any]:
        """The object that `run --json` prints."""
        raised = self.exception
        exception = raised and {
            "class": raised.error,
            "message": raised.message,
            "frames": [msgspec.structs.asdict(frame) for frame in raised.frames],
            "notes": list(raised.notes),
            "line": raised.blamed_line,
        }
        return {
            "status": str(self.status),
            "detail": self.detail,
            "exit_code": self.exit_code,
            "exception": exception,
            "stdout": self.stdout.text,
            "stderr": self.stderr.text,
            "meshes": [msgspec.structs.asdict(mesh) for mesh in self.meshes],
            "arrays": [msgspec.structs.asdict(array) for array in self.arrays],
            "jax": self.versions.jax if self.versions else None,
            "environment": self.environment,
            "target": self.target,
            "timings": self.timings,
        }

    def __str__(self) -> str:
        if self.exception is not None:
            return str(self.exception)
        if self.status is RunStatus.FAILED:
            return f"exit status {self.exit_code}"
        return f"{self.status}: {self.detail}" if self.detail else str(self.status)

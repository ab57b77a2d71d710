"""The messages between the museum, the keeper and the gate: one JSON object a line, told apart by ``kind``.

The two children are standard-library scripts that build the same objects by hand; a test decodes what they really
send. Orders to the gate are not JSON, see `gate_orders`.
"""

import json
from collections.abc import Iterable, Mapping
from typing import TypeVar

import msgspec

VERSION = 1
T = TypeVar("T")


class ProtocolError(Exception):
    """A line that is no message of ours: an unknown kind, a missing field, or not JSON."""


class _Message(msgspec.Struct, frozen=True, tag_field="kind"):
    """Base of all messages."""


class Started(_Message, frozen=True, tag="started"):
    """Keeper: the run's process exists."""

    pid: int


class NotStarted(_Message, frozen=True, tag="not started"):
    """Keeper: the run's process could not be made; `reason` is the system's own text."""

    reason: str


class Ended(_Message, frozen=True, tag="ended"):
    """Keeper: nothing of the run is alive.

    Attributes:
        code: Exit status, negative for a signal; None when it could not be collected.
        reason: Why the keeper ended it: "" (it ended by itself), "stopped", "time", "memory", "processes", "output".
        left: Processes that were still alive beside the run, and were killed.
        peak: Most resident memory seen at a look, in bytes.
    """

    code: int | None
    reason: str
    left: int
    peak: int


class Hello(_Message, frozen=True, tag="hello"):
    """Gate: the first word."""

    protocol: int
    python: str


class Stage(_Message, frozen=True, tag="stage"):
    """Gate: a stage begins, at `at` seconds of the machine's monotonic clock."""

    stage: str
    at: float


class Frame(msgspec.Struct, frozen=True):
    """One frame of a traceback, outermost first; `own` is True in the visitor's script."""

    file: str
    line: int
    function: str
    own: bool


class RaisedError(_Message, frozen=True, tag="exception", rename={"error": "class"}):
    """Gate: the uncaught exception.

    Attributes:
        error: Module-qualified class, without ``builtins.``.
        message: Its text.
        frames: Of its traceback, outermost first.
        notes: Texts of `add_note`.
        blamed: Line of the visitor's script to look at, from 1: the innermost frame there, or the operation that JAX
            names when it fails later than where that was written; 0 when there is none.
    """

    error: str
    message: str
    frames: tuple[Frame, ...]
    notes: tuple[str, ...] = ()
    blamed: int = 0


class Versions(_Message, frozen=True, tag="versions"):
    """Gate: what the run imported, and the devices that its backend had (0 when none was started)."""

    jax: str
    jaxlib: str
    devices: int
    platform: str


class MeshSeen(_Message, frozen=True, tag="mesh"):
    """Gate: a mesh in the visitor's variables.

    Attributes:
        name: Expression that leads to it.
        axes: Name, size and type ("auto", "explicit", "manual") of each axis.
        device_ids: Ids in mesh order; empty for an abstract mesh.
    """

    name: str
    axes: tuple[tuple[str, int, str], ...]
    device_ids: tuple[int, ...]


class ArraySeen(_Message, frozen=True, tag="array"):
    """Gate: an array in the visitor's variables.

    Attributes:
        name: Expression that leads to it.
        shape: Global shape.
        dtype: As JAX prints it.
        state: "live", "deleted" (donated), "traced" or "abstract".
        spec: One entry a named dimension: None, axis names, or "unconstrained"; None without a named sharding.
        memory_kind: As JAX names it.
        shards: By device id, the half-open range of each dimension.
        mesh: Axes of its sharding's mesh.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    state: str
    spec: tuple[tuple[str, ...] | str | None, ...] | None
    memory_kind: str | None
    shards: dict[int, tuple[tuple[int, int], ...]]
    mesh: tuple[tuple[str, int, str], ...] | None = None


class Reported(_Message, frozen=True, tag="reported"):
    """Gate: nothing more will come; the process ends when `threads` other threads have ended."""

    threads: int


class ReportFailed(_Message, frozen=True, tag="report failed"):
    """Gate: the report broke off; the run itself is not affected."""

    reason: str


Answer = Started | NotStarted | Ended
Report = Hello | Stage | RaisedError | Versions | MeshSeen | ArraySeen | Reported | ReportFailed


class Start(_Message, frozen=True, tag="start"):
    """To the keeper: start the run.

    Attributes:
        command: Program and arguments.
        variables: The whole environment.
        directory: Working directory.
        standard: Descriptors for stdin, stdout and stderr.
        keep: Further descriptors for the run.
        remove: A directory to delete once the run has ended, or "".
    """

    command: tuple[str, ...]
    variables: dict[str, str]
    directory: str
    standard: tuple[int, int, int]
    keep: tuple[int, ...]
    remove: str


class Opened(_Message, frozen=True, tag="opened"):
    """To the keeper: the gate is open, time counts from now.

    Attributes:
        limits: "seconds" from now on, "memory" in bytes and "processes" of the whole tree.
    """

    limits: dict[str, float]


class Stop(_Message, frozen=True, tag="stop"):
    """To the keeper: end the run, for `reason`."""

    reason: str


_answers = msgspec.json.Decoder(Answer)
_reports = msgspec.json.Decoder(Report)


def encode(message: Start | Opened | Stop) -> bytes:
    """One line for the keeper."""
    # Not msgspec's own JSON: a variable or a path that is not UTF-8 is a text with surrogates, which it refuses.
    return json.dumps(msgspec.to_builtins(message)).encode() + b"\n"


def decode_answer(line: bytes) -> Answer:
    """One line of the keeper's.

    Raises:
        ProtocolError: It is none.
    """
    return _decode(_answers, line)


def decode_report(line: bytes) -> Report:
    """One line of the gate's.

    Raises:
        ProtocolError: It is none.
    """
    return _decode(_reports, line)


def _decode(decoder: "msgspec.json.Decoder[T]", line: bytes) -> T:
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ProtocolError(f"not a message: {line[:80]!r} ({error})") from error


def gate_orders(changed: Mapping[str, str | None], arguments: Iterable[str], join: str = "") -> bytes:
    """The words that open the gate, divided by NUL: the gate may load no JSON parser before the snippet does.

    Args:
        changed: Variables to set, or with None to unset, relative to those that the process was started with.
        arguments: Words for the script's `sys.argv[1:]`.
        join: Coordinator address, process count and process number for `jax.distributed`, or "".
    """
    words = [f"unset {name}" if value is None else f"set {name}={value}" for name, value in changed.items()]
    words += [f"argument {argument}" for argument in arguments]
    words += [f"join {join}"] if join else []
    return b"".join(word.encode("utf-8", "surrogateescape") + b"\0" for word in [*words, "go"])

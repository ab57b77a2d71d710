"""Runs one script in a fresh process and returns what happened as a value."""

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from museum.lab import protocol
from museum.lab.environments import Environment
from museum.lab.outcome import ENDED_BY_KEEPER, OutputKeeper, RaisedException, RunOutcome, RunStatus
from museum.lab.process import GatedProcess, finish
from museum.lab.target import Target, TargetKind


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may use; crossing one ends it with a status of its own.

    Attributes:
        seconds: From the opening of the gate.
        memory: Resident bytes of the whole process tree.
        processes: Processes of the tree.
        output: Bytes on stdout and stderr together.
        kept: Bytes of each stream that are kept, head and tail.
    """

    seconds: float = 120.0
    memory: int = 8 << 30
    processes: int = 256
    output: int = 1 << 30
    kept: int = 1 << 20

    def words(self, reason: str) -> str:
        """The limit that `reason` names, in words."""
        return {
            "time": f"more than {self.seconds:g} s",
            "memory": f"more than {self.memory / 2**30:.1f} GiB",
            "processes": f"more than {self.processes} processes",
            "output": f"more than {self.output / 2**20:.0f} MiB of output",
        }.get(reason, "")


@dataclass(frozen=True, slots=True)
class RunRequest:
    """One script to run.

    Attributes:
        script: A file to run where it lies, or the text of one, which runs in a directory of its own.
        environment: The Python to run it with.
        target: Where.
        name: File name for a text, shown in tracebacks.
        arguments: `sys.argv[1:]`.
        variables: The visitor's own environment variables.
        limits: What it may use.
    """

    script: Path | str
    environment: Environment
    target: Target
    name: str = "snippet.py"
    arguments: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Progress:
    """What a run tells while it is going.

    Attributes:
        stage: "starting", "importing", "ready", "running", "finished" (the last line is done) or "ended".
        stream: "stdout" or "stderr" when `block` carries output, else "".
        block: What was read.
    """

    stage: str
    stream: str = ""
    block: bytes = b""


def why_not_here(environment: Environment, target: Target) -> str:
    """Why a target cannot be had in an environment, as one clause; "" when it can."""
    if not environment.jax:
        return f"environment {environment.name} has no JAX"
    if target.kind is TargetKind.TPU_COMPILE and not environment.libtpu:
        command = f"xla-museum env add {environment.jax} --tpu"
        return f"target tpu-compile needs libtpu, which environment {environment.name} lacks; make one with: {command}"
    if target.kind is TargetKind.TPU_COMPILE and sys.platform != "linux":
        return "target tpu-compile needs libtpu, which exists for Linux on x86_64 only"
    if target.kind in (TargetKind.PROCESSES, TargetKind.LOCAL):
        return f"target {target} is not supported yet"
    return ""


async def run(request: RunRequest, on_progress: Callable[[Progress], None] | None = None) -> RunOutcome:
    """Run a script to its end, whatever that is.

    Cancelling the task ends the run; nothing of it is alive when the cancellation comes through.

    Args:
        request: What to run.
        on_progress: Hears of stages and output, on the event loop's thread.
    """
    follower = Follower(request, on_progress or (lambda _: None))
    reason = why_not_here(request.environment, request.target)
    if reason:
        return follower.not_started(reason)
    try:
        process = await _start(request)
    except OSError as failure:
        return follower.not_started(f"no process is to be had: {failure.strerror or failure}")
    follower.process = process
    try:
        process.open(follower, {}, request.arguments)
        ended = await process.ended()
    finally:
        await finish(process.close())
    return follower.conclude(ended)


async def _start(request: RunRequest) -> GatedProcess:
    limits = {name: getattr(request.limits, name) for name in ("seconds", "memory", "processes")}
    variables = request.target.environment(os.environ, request.variables)
    python = request.environment.python
    if isinstance(request.script, Path):
        # As in a shell: the path as given, the directory of the caller.
        return await GatedProcess.start(python, request.script, Path.cwd(), variables, limits)
    directory = Path(tempfile.mkdtemp(prefix="xla-museum-"))
    try:
        # What an editor holds that is no UTF-8 is written as it is, and CPython says what is wrong with it.
        (directory / request.name).write_text(request.script, "utf-8", "surrogatepass", newline="")
        return await GatedProcess.start(python, Path(request.name), directory, variables, limits, remove=str(directory))
    except BaseException:
        shutil.rmtree(directory, ignore_errors=True)  # no keeper was told to
        raise


class Follower:
    """Hears one run and draws the conclusion."""

    def __init__(self, request: RunRequest, tell: Callable[[Progress], None]) -> None:
        """Nothing heard yet."""
        self.process: GatedProcess | None = None
        self._request = request
        self._tell = tell
        self._begun = time.monotonic()
        self._stage = "starting"
        self._timings: dict[str, float] = {}
        self._streams = {name: OutputKeeper(request.limits.kept) for name in ("stdout", "stderr")}
        self._exception: RaisedException | None = None
        self._versions: protocol.Versions | None = None
        self._meshes: list[protocol.MeshSeen] = []
        self._arrays: list[protocol.ArraySeen] = []
        self._doubt = ""
        tell(Progress(self._stage))

    def hear_output(self, stream: str, block: bytes) -> None:
        """Keep it, hand it on, and end a run that writes without bound."""
        self._streams[stream].take(block)
        self._tell(Progress(self._stage, stream, block))
        written = sum(kept.size for kept in self._streams.values())
        if written > self._request.limits.output and self.process is not None:
            self.process.stop("output")

    def hear_report(self, report: protocol.Report) -> None:
        """Keep what the gate says."""
        if isinstance(report, protocol.Stage):
            self._enter(report.stage, report.at)
        elif isinstance(report, protocol.RaisedError):
            self._exception = RaisedException.of(report)
        elif isinstance(report, protocol.Versions):
            self._versions = report
        elif isinstance(report, protocol.MeshSeen):
            self._meshes.append(report)
        elif isinstance(report, protocol.ArraySeen):
            self._arrays.append(report)
        elif isinstance(report, protocol.ReportFailed):
            self._doubt = f"the report of meshes and arrays broke off: {report.reason}"

    def hear_nonsense(self, reason: str) -> None:
        """Something else wrote to the gate's descriptor: the run counts, its report does not."""
        self._doubt = f"the snippet wrote to the lab's own descriptor: {reason}"

    def _enter(self, stage: str, at: float) -> None:
        self._stage = stage
        self._timings[stage] = round(max(at - self._begun, 0.0), 4)
        self._tell(Progress(stage))

    def not_started(self, reason: str) -> RunOutcome:
        """The outcome of a run that could not begin."""
        environment, target = self._request.environment.name, str(self._request.target)
        return RunOutcome(RunStatus.NOT_STARTED, None, environment, target, detail=reason)

    def conclude(self, ended: protocol.Ended | protocol.NotStarted) -> RunOutcome:
        """The outcome, from what was heard and how the keeper says it ended."""
        self._enter("ended", time.monotonic())
        if isinstance(ended, protocol.NotStarted):
            return self.not_started(f"cannot run {self._request.environment.python}: {ended.reason}")
        status, detail = self._status(ended)
        return RunOutcome(
            status=status,
            exit_code=ended.code,
            environment=self._request.environment.name,
            target=str(self._request.target),
            exception=self._exception if status is RunStatus.FAILED else None,
            stdout=self._streams["stdout"].output(),
            stderr=self._streams["stderr"].output(),
            meshes=tuple(self._meshes),
            arrays=tuple(self._arrays),
            versions=self._versions,
            timings=self._timings,
            detail="; ".join(filter(None, (detail, self._doubt))),
            left=ended.left,
            peak_memory=ended.peak,
        )

    def _status(self, ended: protocol.Ended) -> tuple[RunStatus, str]:
        if ended.reason in ENDED_BY_KEEPER:
            return ENDED_BY_KEEPER[ended.reason], self._request.limits.words(ended.reason)
        if ended.code is None:
            return RunStatus.CRASHED, "the keeper of the run was killed, and the run with it"
        if ended.code < 0:
            return RunStatus.CRASHED, f"killed by {_signal_name(-ended.code)}"
        return (RunStatus.OK if ended.code == 0 else RunStatus.FAILED), ""


def _signal_name(number: int) -> str:
    import signal

    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"

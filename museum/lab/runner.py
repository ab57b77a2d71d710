"""Runs one script in a fresh process and returns what happened as a value."""

import asyncio
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from museum.lab import cache, protocol
from museum.lab.environments import Environment
from museum.lab.normalise import before_traceback
from museum.lab.outcome import ENDED_BY_KEEPER, OutputKeeper, RaisedException, RunOutcome, RunStatus
from museum.lab.process import GatedProcess, finish
from museum.lab.spares import Fit, Spare, SpareStore, start_spare
from museum.lab.target import Target, TargetKind
from museum.lab.warmth import Warmth, warmth_for

CACHE_IS_DAMAGED = "Error reading persistent compilation cache entry"  # as JAX warns; it does not replace the entry


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

    @property
    def of_the_tree(self) -> dict[str, float]:
        """Those that the keeper watches."""
        return {"seconds": self.seconds, "memory": self.memory, "processes": self.processes}

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
        script: A file to run where it lies, or the text of one, which runs as `SCRIPT` in a directory of its own.
        environment: The Python to run it with.
        target: Where.
        arguments: `sys.argv[1:]`.
        variables: The visitor's own environment variables.
        limits: What it may use.
    """

    script: Path | str
    environment: Environment
    target: Target
    arguments: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Progress:
    """What a run tells while it is going.

    Attributes:
        stage: "waiting" (for the accelerator), "starting", "importing", "ready", "running", "finished" (the last line
            is done) or "ended".
        stream: "stdout" or "stderr" when `block` carries output, else "".
        block: What was read.
        outcome: With "finished", what the run came to as far as its last line tells; only a teardown that prints,
            fails or hangs can make the final outcome another one.
    """

    stage: str
    stream: str = ""
    block: bytes = b""
    outcome: RunOutcome | None = None


def why_not_here(environment: Environment, target: Target) -> str:
    """Why a target cannot be had in an environment, as one clause; "" when it can, as far as can be told at once."""
    if not environment.jax:
        return f"environment {environment.name} has no JAX"
    if target.kind is not TargetKind.TPU_COMPILE:
        return ""
    if sys.platform != "linux":
        return "target tpu-compile needs libtpu, which exists for Linux on x86_64 only"
    if not environment.libtpu:
        command = f"xla-museum env add {environment.jax} --tpu"
        return f"target tpu-compile needs libtpu, which environment {environment.name} lacks; make one with: {command}"
    return ""


async def run(
    request: RunRequest,
    on_progress: Callable[[Progress], None] | None = None,
    spares: SpareStore | None = None,
) -> RunOutcome:
    """Run a script in one process to its end, whatever that is.

    Cancelling the task ends the run; nothing of it is alive when the cancellation comes through.

    Args:
        request: What to run; its target must be one that one process can be.
        on_progress: Hears of stages and output, on the event loop's thread.
        spares: Where a warm process may be taken from.
    """
    follower = Follower(request, on_progress or (lambda _: None))
    reason = why_not_here(request.environment, request.target)
    if reason:
        return follower.not_started(reason)
    begun = cache.now()
    try:
        spare = await _obtain(request, spares)
    except OSError as failure:
        return follower.not_started(f"no process is to be had: {failure.strerror or failure}")
    outcome = None
    try:
        outcome = await follow(follower, spare)
    finally:
        if spare.fit.warmth is Warmth.BACKEND and not _left_good_programs(outcome):
            since = 0.0 if outcome is not None and CACHE_IS_DAMAGED in outcome.stderr.text else begun
            await finish(asyncio.to_thread(cache.drop_since, request.environment.jax, since))
    died_at_the_gate = outcome.status is RunStatus.CRASHED and "running" not in outcome.timings
    if died_at_the_gate and spare.fit.warmth is not Warmth.PLAIN:
        return await run(request, on_progress)  # somebody killed the spare while it waited
    return outcome


async def follow(follower: "Follower", spare: Spare, join: str = "") -> RunOutcome:
    """Open a process's gate for the follower's script and stay until nothing of it is alive."""
    request, process = follower.request, spare.process
    follower.process = process
    changes = spare.changes_to(request.target.environment(os.environ, request.variables))
    try:
        process.open(follower, request.limits.of_the_tree, changes, request.arguments, join)
        ended = await process.ended()
    finally:
        await finish(process.close())
    return follower.conclude(ended)


def _left_good_programs(outcome: RunOutcome | None) -> bool:
    """Whether what the run compiled may be taken from the cache: it ended by itself, and its compilers were silent.

    Args:
        outcome: None for a run that was cancelled.
    """
    if outcome is None or outcome.status not in (RunStatus.OK, RunStatus.FAILED):
        return False
    return not before_traceback(outcome.stderr.text).strip()


async def _obtain(request: RunRequest, spares: SpareStore | None) -> Spare:
    """A process at the gate with the script in place: a spare that fits, else one that is started now."""
    variables = request.target.environment(os.environ, request.variables)
    if isinstance(request.script, Path):
        # As in a shell: the path as given, the directory of the caller.
        place = Path.cwd()
        process = await GatedProcess.start(request.environment.python, request.script, place, variables)
        fit = Fit(request.environment.name, request.target, Warmth.PLAIN)
        return Spare(fit, process, place, variables)
    warmth = warmth_for(request.script, request.variables)
    spare = await spares.take(request.environment, request.target, warmth) if spares is not None else None
    if spare is None:
        fit = Fit(request.environment.name, request.target, Warmth.PLAIN)
        spare = await start_spare(fit, request.environment, variables)
    try:
        spare.place_script(request.script)
    except BaseException:
        await finish(spare.process.close())
        raise
    return spare


class Follower:
    """Hears one run and draws the conclusion."""

    def __init__(self, request: RunRequest, tell: Callable[[Progress], None]) -> None:
        """Nothing heard yet."""
        self.process: GatedProcess | None = None
        self.request = request
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
        if written > self.request.limits.output and self.process is not None:
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
        elif isinstance(report, protocol.Reported) and not report.threads and self._foresees_exit_code():
            code = 1 if self._exception else 0
            self._tell(Progress("finished", outcome=self._outcome(protocol.Ended(code, "", 0, 0))))

    def _foresees_exit_code(self) -> bool:
        """Whether the script's last line tells how the process will exit: not where it may have asked for a code."""
        script = self.request.script
        return self._exception is not None or (isinstance(script, str) and "exit" not in script)

    def hear_nonsense(self, reason: str) -> None:
        """Something else wrote to the gate's descriptor: the run counts, its report does not."""
        self._doubt = f"the snippet wrote to the lab's own descriptor: {reason}"

    def _enter(self, stage: str, at: float) -> None:
        self._stage = stage
        self._timings[stage] = round(max(at - self._begun, 0.0), 4)
        self._tell(Progress(stage))

    def not_started(self, reason: str) -> RunOutcome:
        """The outcome of a run that could not begin."""
        environment, target = self.request.environment.name, str(self.request.target)
        return RunOutcome(RunStatus.NOT_STARTED, None, environment, target, detail=reason)

    def conclude(self, ended: protocol.Ended | protocol.NotStarted) -> RunOutcome:
        """The outcome, from what was heard and how the keeper says it ended."""
        self._enter("ended", time.monotonic())
        if isinstance(ended, protocol.NotStarted):
            return self.not_started(f"cannot run {self.request.environment.python}: {ended.reason}")
        return self._outcome(ended)

    def _outcome(self, ended: protocol.Ended) -> RunOutcome:
        status, detail = self._status(ended)
        return RunOutcome(
            status=status,
            exit_code=ended.code,
            environment=self.request.environment.name,
            target=str(self.request.target),
            exception=self._exception if status is RunStatus.FAILED else None,
            stdout=self._streams["stdout"].output(),
            stderr=self._streams["stderr"].output(),
            meshes=tuple(self._meshes),
            arrays=tuple(self._arrays),
            versions=self._versions,
            timings=dict(self._timings),
            detail="; ".join(filter(None, (detail, self._doubt))),
            left=ended.left,
            peak_memory=ended.peak,
        )

    def _status(self, ended: protocol.Ended) -> tuple[RunStatus, str]:
        if ended.reason in ENDED_BY_KEEPER:
            return ENDED_BY_KEEPER[ended.reason], self.request.limits.words(ended.reason)
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

"""Several processes of one script, joined by `jax.distributed` over loopback, as one run."""

import asyncio
import os
import socket
from collections.abc import Callable
from dataclasses import replace

from museum.lab import protocol
from museum.lab.outcome import LIMITS_MET, RunOutcome, RunStatus
from museum.lab.process import LineSplitter, finish
from museum.lab.runner import Follower, Progress, RunRequest, follow
from museum.lab.spares import Fit, Spare, start_spare
from museum.lab.target import Target
from museum.lab.warmth import Warmth

GRACE = 3.0  # seconds that the others have to say what they think once one process has failed


async def run_joined(request: RunRequest, on_progress: Callable[[Progress], None] | None) -> RunOutcome:
    """Run a script in `request.target.processes` processes that see each other's devices.

    A script that mentions `distributed` joins by itself: `jax.distributed.initialize()` without arguments finds its
    coordinator, count and number in the variables, as under Open MPI. Any other script is joined before it begins.

    Returns:
        One outcome: its output line by line with the number of the process in front, the meshes and arrays of
        process 0, the status of the first process that failed.
    """
    return await JoinedRun(request, on_progress or (lambda _: None)).outcome()


class JoinedRun:
    """The processes of one run."""

    def __init__(self, request: RunRequest, tell: Callable[[Progress], None]) -> None:
        """Nothing is started yet."""
        self._whole = Follower(request, tell)  # hears everything, labelled
        count = request.target.processes
        limits = replace(request.limits, memory=request.limits.memory // count)
        self._single = replace(request, target=Target.cpu(request.target.devices), limits=limits)
        self._text = request.script if isinstance(request.script, str) else request.script.read_text("utf-8", "replace")
        self._joins_itself = "distributed" in self._text
        self._address = f"127.0.0.1:{_free_port()}"
        self._count = count

    async def outcome(self) -> RunOutcome:
        """Start them all, follow them, and say how it ended."""
        members = [_Member(number, self._variables(number), self._single, self._whole) for number in range(self._count)]
        spares: list[Spare] = []
        try:
            for member in members:
                spares.append(await self._start(member))  # noqa: PERF401 - those that were started must be known
        except BaseException as failure:
            await finish(_close(spares))
            if not isinstance(failure, OSError):
                raise
            return self._whole.not_started(f"no process is to be had: {failure.strerror or failure}")
        tasks = [
            asyncio.ensure_future(follow(member, spare, self._join(member.number)))
            for member, spare in zip(members, spares, strict=True)
        ]
        try:
            first_failed = await self._first_failure(members, tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for member in members:
            member.flush()
        return self._conclude(members, first_failed)

    def _join(self, number: int) -> str:
        return "" if self._joins_itself else f"{self._address} {self._count} {number}"

    def _variables(self, number: int) -> dict[str, str]:
        joined = {"JAX_CPU_COLLECTIVES_IMPLEMENTATION": "gloo"}
        if self._joins_itself:
            joined |= {
                "JAX_COORDINATOR_ADDRESS": self._address,
                "OMPI_MCA_orte_hnp_uri": f"1.0;tcp://{self._address}",
                "OMPI_COMM_WORLD_SIZE": str(self._count),
                "OMPI_COMM_WORLD_RANK": str(number),
                "OMPI_COMM_WORLD_LOCAL_RANK": "0",
            }
        return joined | dict(self._single.variables)

    async def _start(self, member: "_Member") -> Spare:
        warmth = Warmth.PLAIN if self._joins_itself else Warmth.JAX
        fit = Fit(self._single.environment.name, self._single.target, warmth)
        variables = self._single.target.environment(os.environ, member.request.variables)
        spare = await start_spare(fit, self._single.environment, variables)
        spare.place_script(self._text)
        return spare

    async def _first_failure(self, members: "list[_Member]", tasks: "list[asyncio.Task[RunOutcome]]") -> int | None:
        """Wait for the end; once one has failed, give the others a moment and end them.

        One that raised does not end by itself: on its way out `jax.distributed` waits for all the others, for minutes.
        """
        waiting = set(tasks)
        words = [asyncio.ensure_future(member.failure.wait()) for member in members]
        try:
            while waiting:
                listened = [*waiting, *(word for word in words if not word.done())]
                await asyncio.wait(listened, return_when=asyncio.FIRST_COMPLETED)
                waiting = {task for task in waiting if not task.done()}
                failed = [member.number for member in members if member.has_failed]
                if failed:
                    if waiting:
                        await asyncio.wait(waiting, timeout=GRACE)
                    # Whoever loses a member that a limit ended fails of that, and may be heard first.
                    limited = [member.number for member in members if member.met_a_limit and not member.only_waited]
                    if limited:
                        return limited[0]
                    late = [member.number for member in members if member.has_failed and not member.only_waited]
                    return late[0] if members[failed[0]].only_waited and late else failed[0]
        finally:
            for word in words:
                word.cancel()
        return None

    def _conclude(self, members: "list[_Member]", failed: int | None) -> RunOutcome:
        whole = self._whole.conclude(protocol.Ended(0, "", 0, 0))
        seen = members[0].last or whole
        whole = replace(whole, meshes=seen.meshes, arrays=seen.arrays, versions=seen.versions)
        if failed is None:
            return whole
        first = members[failed].at_the_end
        if first is None:
            return replace(whole, status=RunStatus.STOPPED, exit_code=None)
        ended_here = [str(member.number) for member in members if member.at_the_end is None]
        words = f"process {failed} failed first"
        if first.exception is None:
            words += f": {first.detail or first}"
        if ended_here:
            words += f"; ended from here: process {', '.join(ended_here)}"
        return replace(whole, status=first.status, exit_code=first.exit_code, exception=first.exception, detail=words)


class _Member(Follower):
    """One of the processes: what it prints goes on with its number in front of each line."""

    def __init__(self, number: int, variables: dict[str, str], request: RunRequest, whole: Follower) -> None:
        super().__init__(replace(request, variables=variables), self._hear_progress)
        self.number = number
        self.last: RunOutcome | None = None
        self.failure = asyncio.Event()
        self._foreseen: RunOutcome | None = None
        self._whole = whole
        label = f"[{number}] ".encode()
        self._lines = {
            stream: LineSplitter(lambda line, stream=stream: whole.hear_output(stream, label + line + b"\n"))  # type: ignore[misc]
            for stream in ("stdout", "stderr")
        }

    @property
    def at_the_end(self) -> RunOutcome | None:
        """How it ended, or is about to."""
        return self.last or self._foreseen

    @property
    def has_failed(self) -> bool:
        """Whether it failed, as far as is known."""
        return self.at_the_end is not None and self.at_the_end.failed

    @property
    def met_a_limit(self) -> bool:
        """Whether it was ended for what it used."""
        return self.last is not None and self.last.status in LIMITS_MET

    @property
    def only_waited(self) -> bool:
        """Whether its script was done, and what failed was its wait for the others."""
        return self._foreseen is not None and not self._foreseen.failed

    def _hear_progress(self, progress: Progress) -> None:
        if progress.outcome is not None:
            self._foreseen = progress.outcome
        if progress.outcome is not None and progress.outcome.failed:
            self.failure.set()

    def hear_output(self, stream: str, block: bytes) -> None:
        """Hand on whole lines."""
        super().hear_output(stream, block)
        self._lines[stream](block)

    def hear_report(self, report: protocol.Report) -> None:
        """Process 0 speaks for all as far as stages go."""
        super().hear_report(report)
        if isinstance(report, protocol.Stage) and self.number == 0:
            self._whole.hear_report(report)

    def conclude(self, ended: protocol.Ended | protocol.NotStarted) -> RunOutcome:
        """Remember how it ended."""
        self.last = super().conclude(ended)
        return self.last

    def flush(self) -> None:
        """Hand on a last line without an end."""
        for stream in self._lines.values():
            stream.flush()


async def _close(spares: list[Spare]) -> None:
    await asyncio.gather(*(spare.process.close() for spare in spares))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

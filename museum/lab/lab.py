"""The lab as the window and the commands use it: every target, spares, one accelerator run at a time."""

import asyncio
from collections.abc import Callable, Iterable, Sequence

from museum.lab import cache
from museum.lab.accelerators import AcceleratorTurn, accelerators, why_none
from museum.lab.environments import Environment, discover
from museum.lab.nursery import Nurseries
from museum.lab.outcome import RunOutcome, RunStatus
from museum.lab.processes import run_joined
from museum.lab.runner import Progress, RunRequest, run, why_not_here
from museum.lab.spares import Spares
from museum.lab.target import Target, TargetKind
from museum.lab.warmth import warmth_for


class Lab:
    """Runs scripts, warm where that makes no difference.

    Args:
        spares: How many processes may wait at the gate; each holds 100 to 220 MiB.
        use_cache: Whether warm runs use JAX's compilation cache.
        nurseries: For many scripts in a row: how many processes may fork those that run, instead of spares.
    """

    def __init__(self, spares: int = 2, *, use_cache: bool = True, nurseries: int = 0) -> None:
        self._spares = Spares(spares, use_cache=use_cache)
        self._nurseries = Nurseries(nurseries) if nurseries else None
        self._turn = AcceleratorTurn()
        self._cache_bytes = cache.MOST_BYTES

    def use_cache(self, use: bool) -> None:
        """Whether warm runs from now on use the compilation cache."""
        self._spares.use_cache(use)

    def keep_spares(self, most: int, idle: float) -> None:
        """How many processes may wait at the gate from now on, and for how many seconds."""
        self._spares.keep(most, idle)

    def bound_cache(self, most: int) -> None:
        """How many bytes the compilation cache may hold when the lab is closed."""
        self._cache_bytes = most

    async def environments(self) -> Sequence[Environment]:
        """What is at hand, the museum's own first."""
        return await discover()

    def prepare(self, environment: Environment, target: Target, scripts: Iterable[str]) -> None:
        """Have spares ready for the scripts that may be run next."""
        self._spares.prepare(environment, target, [warmth_for(script, {}) for script in scripts])

    async def settled(self) -> None:
        """Wait until the spares are ready."""
        await self._spares.settled()

    async def run(self, request: RunRequest, on_progress: Callable[[Progress], None] | None = None) -> RunOutcome:
        """Run a script to its end, whatever that is.

        Cancelling the task ends the run; nothing of it is alive when the cancellation comes through.

        Args:
            request: What to run.
            on_progress: Hears of stages and output, on the event loop's thread.
        """
        reason = why_not_here(request.environment, request.target)
        if reason:
            return _not_started(request, reason)
        if request.target.kind is TargetKind.PROCESSES:
            return await run_joined(request, on_progress)
        if request.target.kind is TargetKind.LOCAL:
            return await self._run_local(request, on_progress)
        return await run(request, on_progress, self._nurseries or self._spares)

    async def _run_local(self, request: RunRequest, on_progress: Callable[[Progress], None] | None) -> RunOutcome:
        found = await accelerators(request.environment)
        if not found:
            return _not_started(request, why_none(request.environment))
        say_waiting = (lambda: on_progress(Progress("waiting"))) if on_progress else (lambda: None)
        async with self._turn.taken(say_waiting):
            return await run(request, on_progress)

    async def close(self) -> None:
        """Let the spares go and wait until nothing is alive; keep the compilation cache within its bounds."""
        if self._nurseries is not None:
            await self._nurseries.close()
        await self._spares.close()
        await asyncio.to_thread(cache.prune, self._cache_bytes)


def _not_started(request: RunRequest, reason: str) -> RunOutcome:
    environment, target = request.environment.name, str(request.target)
    return RunOutcome(RunStatus.NOT_STARTED, None, environment, target, detail=reason)

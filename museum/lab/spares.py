"""Spare processes: started ahead, warm, waiting at the gate for a script that may start that warm.

One spare serves one run. The next ones are made after a result, not at the request, so that they do not compete with
the run. Spares are few, leave when they are idle for long or memory is short, and never outlive the museum.
"""

import asyncio
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from museum.lab import cache
from museum.lab.environments import Environment
from museum.lab.process import GatedProcess, finish
from museum.lab.target import Target, TargetKind
from museum.lab.warmth import Warmth

SCRIPT = "snippet.py"
IDLE = 600.0  # seconds that a spare waits before it is let go
LEAST_FREE = 1 << 30  # bytes of memory that must stay available with the spares in place


@dataclass(frozen=True, slots=True)
class Fit:
    """What a spare is good for."""

    environment: str
    target: Target
    warmth: Warmth


@dataclass(slots=True)
class Spare:
    """A process at the gate.

    Attributes:
        fit: What it is good for.
        process: The process.
        directory: Its working directory, where the script is written.
        variables: The environment that its script would see.
    """

    fit: Fit
    process: GatedProcess
    directory: Path
    variables: Mapping[str, str]
    leaving: asyncio.TimerHandle | None = None

    def place_script(self, text: str) -> None:
        """Write the script where the process will look for it, verbatim.

        What an editor holds that is no UTF-8 is written as it is, and CPython says what is wrong with it. Where the
        interpreter could not be started, the keeper has taken the directory away already, and says why.
        """
        with suppress(FileNotFoundError):
            (self.directory / SCRIPT).write_text(text, "utf-8", "surrogatepass", newline="")

    def changes_to(self, wanted: Mapping[str, str]) -> dict[str, str | None]:
        """What the gate must set, or with None unset, so that the script sees the variables that are wanted."""
        gone: dict[str, str | None] = {name: None for name in self.variables if name not in wanted}
        return gone | {name: value for name, value in wanted.items() if self.variables.get(name) != value}


class SpareStore(Protocol):
    """Where a runner may get a warm process from."""

    async def take(self, environment: Environment, target: Target, warmth: Warmth) -> Spare | None:
        """One that is no warmer than `warmth`; None when there is none."""


class Spares:
    """Keeps up to `most` spares for the environment and target in use.

    Args:
        most: 0 keeps none.
        use_cache: Whether warm processes use the compilation cache.
    """

    def __init__(self, most: int = 2, *, use_cache: bool = True) -> None:
        self._most, self._idle, self._use_cache = most, IDLE, use_cache
        self._spares: list[Spare] = []
        self._making: dict[Fit, asyncio.Task[None]] = {}
        self._ending: set[asyncio.Task[None]] = set()

    def use_cache(self, use: bool) -> None:
        """Use the compilation cache from now on, or not; spares that were made otherwise are let go."""
        if use != self._use_cache:
            self._use_cache = use
            for spare in [spare for spare in self._spares if spare.fit.warmth is Warmth.BACKEND]:
                self._let_go(spare)

    def keep(self, most: int, idle: float) -> None:
        """Keep another number from now on, each for so many seconds; those that are too many are let go.

        Args:
            most: 0 keeps none.
            idle: Seconds that one waits before it is let go; those that wait already begin anew.
        """
        self._most, self._idle = most, idle
        for spare in self._spares[most:]:
            self._let_go(spare)
        for spare in self._spares:
            if spare.leaving is not None:
                spare.leaving.cancel()
            spare.leaving = asyncio.get_running_loop().call_later(idle, self._let_go, spare)

    def __len__(self) -> int:
        return len(self._spares)

    async def take(self, environment: Environment, target: Target, warmth: Warmth) -> Spare | None:
        """The warmest spare that fits and is not too warm; None when there is none.

        One that is being made is waited for: it is ahead of one that would be started now.
        """
        for fit in self._fits(environment, target, warmth):
            if fit in self._making:
                await asyncio.wait([self._making[fit]])
            spare = next((one for one in self._spares if one.fit == fit and one.process.is_waiting), None)
            if spare is not None:
                self._spares.remove(spare)
                if spare.leaving is not None:
                    spare.leaving.cancel()
                return spare
        return None

    def _fits(self, environment: Environment, target: Target, warmth: Warmth) -> list[Fit]:
        """The spares that would do, the best first."""
        return [_fit(environment, target, one) for one in (Warmth.BACKEND, Warmth.JAX) if one <= warmth]

    def prepare(self, environment: Environment, target: Target, warmths: Iterable[Warmth]) -> None:
        """Make spares for what is likely to run next; those for anything else are let go."""
        wanted = []
        if target.kind in (TargetKind.CPU, TargetKind.TPU_COMPILE) and environment.jax:
            fits = [_fit(environment, target, warmth) for warmth in warmths if warmth is not Warmth.PLAIN]
            wanted = list(dict.fromkeys(fits))[: self._most]
        for spare in [spare for spare in self._spares if spare.fit not in wanted or not spare.process.is_waiting]:
            self._let_go(spare)
        for fit in [fit for fit in self._making if fit not in wanted]:
            self._making.pop(fit).cancel()
        for fit in wanted:
            if fit not in self._making and all(spare.fit != fit for spare in self._spares):
                self._making[fit] = asyncio.ensure_future(self._make(fit, environment))

    async def settled(self) -> None:
        """Wait until every spare that is being made waits at the gate."""
        while self._making:
            await asyncio.wait(list(self._making.values()))

    async def _make(self, fit: Fit, environment: Environment) -> None:
        try:
            if not memory_allows():
                return
            cached = fit.warmth is Warmth.BACKEND and self._use_cache
            hidden = cache.variables(environment.jax) if cached else {}
            spare = await start_spare(fit, environment, fit.target.environment(os.environ), hidden)
            spare.leaving = asyncio.get_running_loop().call_later(self._idle, self._let_go, spare)
            self._spares.append(spare)
            await spare.process.waiting()
        except OSError:
            return  # no process or no room: runs start cold, and say what is wrong
        finally:
            if self._making.get(fit) is asyncio.current_task():
                del self._making[fit]

    def _let_go(self, spare: Spare) -> None:
        if spare.leaving is not None:
            spare.leaving.cancel()
        if spare in self._spares:
            self._spares.remove(spare)
        ending = asyncio.ensure_future(spare.process.close())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    async def close(self) -> None:
        """Let all go and wait until none is alive."""
        making = list(self._making.values())
        for task in making:
            task.cancel()
        await asyncio.gather(*making, return_exceptions=True)
        for spare in list(self._spares):
            self._let_go(spare)
        await finish(_all_of(self._ending))


async def _all_of(tasks: Iterable[asyncio.Task[None]]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)


def _fit(environment: Environment, target: Target, warmth: Warmth) -> Fit:
    """One that has only imported JAX may still become any target; a backend has its devices."""
    if warmth is Warmth.BACKEND and target.kind is TargetKind.CPU:
        return Fit(environment.name, target, warmth)
    return Fit(environment.name, Target.cpu(1), Warmth.JAX)


async def start_spare(
    fit: Fit, environment: Environment, variables: Mapping[str, str], hidden: Mapping[str, str] = MappingProxyType({})
) -> Spare:
    """Start a process in a directory of its own, which goes when the process ends; it warms up by itself.

    Raises:
        OSError: No process or no directory is to be had.
    """
    directory = Path(tempfile.mkdtemp(prefix="xla-museum-"))
    try:
        process = await GatedProcess.start(
            environment.python,
            Path(SCRIPT),
            directory,
            variables,
            warmth=fit.warmth,
            hidden=hidden,
            remove=str(directory),
        )
    except BaseException:
        shutil.rmtree(directory, ignore_errors=True)  # no keeper was told to
        raise
    return Spare(fit, process, directory, variables)


def memory_allows() -> bool:
    """Whether there is room for one more process that waits."""
    import psutil

    return bool(psutil.virtual_memory().available > LEAST_FREE)

"""Nurseries: processes with JAX imported that run no script themselves but fork those that do.

A fork costs a few milliseconds where an import of JAX costs half a second of a core, so that many scripts in a row,
as `verify` has them, run several times faster. Only a process without a backend can be forked, which has no thread but
one; where a script wants to start plainer it gets no child of a nursery but a process of its own.

Each child has its own keeper and is, to whoever runs a script, a spare like any other. A nursery bears one at a time:
all run as the same path, for CPython fixed the name of the script when the nursery started.
"""

import asyncio
import os
import shutil
import socket
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from museum.lab.environments import Environment
from museum.lab.process import GatedProcess, LineSplitter, PipeReader, close_all, family_of_pipes, finish
from museum.lab.spares import SCRIPT, Fit, Spare, memory_allows
from museum.lab.target import Target, TargetKind
from museum.lab.warmth import Warmth


class ForkedKeeper:
    """A keeper that a nursery forked: it is known by its two pipes alone."""

    def __init__(self, orders: int, answers: int) -> None:
        """The museum's ends, which are this object's to close."""
        self._orders = orders
        self._last = b""
        self._lines = LineSplitter(self._take)
        self._reader = PipeReader(answers, self._lines)

    def _take(self, line: bytes) -> None:
        self._last = line

    @property
    def is_alive(self) -> bool:
        """As in `museum.lab.process.Keeper`."""
        return not self._reader.ended.done()

    def tell(self, order: bytes) -> None:
        """Likewise; the orders of one run are far shorter than a pipe is wide."""
        try:
            if self._orders >= 0:
                os.write(self._orders, order)
        except OSError:
            pass  # it is gone

    async def last_answer(self) -> bytes:
        """Likewise."""
        await self.wait()
        return self._last

    def hang_up(self) -> None:
        """Likewise."""
        if self._orders >= 0:
            os.close(self._orders)
            self._orders = -1

    async def wait(self) -> None:
        """Likewise."""
        await asyncio.wait([self._reader.ended])


class NurseryChild(GatedProcess):
    """A process that a nursery bore; the nursery may bear the next one when it is closed."""

    def __init__(self, leave: Callable[[], None]) -> None:
        """`leave` is called once, when nothing of it is alive."""
        super().__init__()
        self._leave = leave
        self._left = False

    async def close(self) -> None:
        """As in `GatedProcess`."""
        await super().close()
        if not self._left:
            self._left = True
            self._leave()


class Nursery:
    """One such process, for one environment; use `start`."""

    def __init__(self, environment: Environment, directory: Path, variables: Mapping[str, str]) -> None:
        self.environment = environment
        self.busy = False
        self._directory = directory
        self._variables = variables
        self._process: GatedProcess

    @classmethod
    async def start(cls, environment: Environment) -> "Nursery":
        """Start one and wait until JAX is imported.

        Raises:
            OSError: No process or no directory is to be had.
        """
        variables = Target.cpu(1).environment(os.environ)
        self = cls(environment, Path(tempfile.mkdtemp(prefix="xla-museum-")), variables)
        try:
            self._process = await GatedProcess.start(
                environment.python,
                Path(SCRIPT),
                self._directory,
                variables,
                remove=str(self._directory),
                nursery=True,
            )
        except BaseException:
            shutil.rmtree(self._directory, ignore_errors=True)  # no keeper was told to
            raise
        try:
            await self._process.waiting()
        except BaseException:
            await finish(self._process.close())
            raise
        return self

    @property
    def is_alive(self) -> bool:
        """Whether it can bear."""
        return self._process.is_waiting

    async def bear(self) -> Spare:
        """A new process at the gate; the one before must be closed.

        Raises:
            OSError: The nursery is gone, or no descriptor is to be had.
        """
        await asyncio.to_thread(_empty, self._directory)
        inner, outer = family_of_pipes()
        orders_in, orders_out = os.pipe()
        answers_in, answers_out = os.pipe()
        family = [orders_in, answers_out, *(inner[name] for name in ("stdin", "stdout", "stderr", "report", "orders"))]
        try:
            with socket.socket(fileno=os.dup(self._process.orders)) as line:
                socket.send_fds(line, [b"+"], family)
        except OSError:
            close_all([*outer.values(), orders_out, answers_in])
            raise
        finally:
            close_all(family)
        self.busy = True
        child = NurseryChild(self._leave)
        child.take_over(ForkedKeeper(orders_out, answers_in), outer)
        fit = Fit(self.environment.name, Target.cpu(1), Warmth.JAX)
        return Spare(fit, child, self._directory, self._variables)

    def _leave(self) -> None:
        self.busy = False

    async def close(self) -> None:
        """End it, and what it bore."""
        await self._process.close()


class Nurseries:
    """Up to `most` nurseries, those that were used last; to the runner they are a store of spares."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._nurseries: list[Nursery] = []
        self._turn = asyncio.Lock()

    async def take(self, environment: Environment, target: Target, warmth: Warmth) -> Spare | None:
        """A process with JAX imported; None when the script must start plainer, or all nurseries are at work."""
        if warmth < Warmth.JAX or target.kind not in (TargetKind.CPU, TargetKind.TPU_COMPILE):
            return None
        async with self._turn:
            nursery = await self._free(environment)
            try:
                return await nursery.bear() if nursery else None
            except OSError:
                return None  # it is gone, or there is no room: the run starts plain, and says what is wrong

    async def _free(self, environment: Environment) -> Nursery | None:
        idle = [nursery for nursery in self._nurseries if not nursery.busy]
        for nursery in [nursery for nursery in idle if not nursery.is_alive]:
            await self._let_go(nursery)
            idle.remove(nursery)
        mine = next((nursery for nursery in idle if nursery.environment.python == environment.python), None)
        if mine is not None:
            self._nurseries.remove(mine)
            self._nurseries.append(mine)
            return mine
        if len(self._nurseries) >= self._most:
            if not idle:
                return None
            await self._let_go(idle[0])
        if not memory_allows():
            return None
        self._nurseries.append(await Nursery.start(environment))
        return self._nurseries[-1]

    async def _let_go(self, nursery: Nursery) -> None:
        self._nurseries.remove(nursery)
        await finish(nursery.close())

    async def close(self) -> None:
        """End them all."""
        for nursery in list(self._nurseries):
            await self._let_go(nursery)


def _empty(directory: Path) -> None:
    """Take away what the run before left behind."""
    for path in directory.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)

"""A real ``python snippet.py`` that waits at the gate, with its keeper and its pipes."""

import asyncio
import os
import socket
import sys
from collections.abc import Callable, Coroutine, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from museum.lab import protocol
from museum.lab.warmth import Warmth

HERE = Path(__file__).parent
KEEPER = HERE / "keeper.py"
GATE = HERE / "gate"
GATE_VARIABLE = "XLA_MUSEUM_GATE"
BLOCK = 65536
LAST_WORDS = 1.0  # seconds that the pipes may still need once nothing of the run is alive


class Listener(Protocol):
    """Who hears what a process says."""

    def hear_output(self, stream: str, block: bytes) -> None:
        """A block from "stdout" or "stderr"."""

    def hear_report(self, report: protocol.Report) -> None:
        """A message of the gate's."""

    def hear_nonsense(self, reason: str) -> None:
        """A line on the private descriptor that the gate did not write."""


class PipeReader:
    """Hands on what arrives on a descriptor, block by block, as the event loop finds time."""

    def __init__(self, descriptor: int, take: Callable[[bytes], None]) -> None:
        """Start reading; the descriptor is closed at its end, or by `close`."""
        self._descriptor = descriptor
        self._take = take
        self._loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[None] = self._loop.create_future()
        os.set_blocking(descriptor, False)
        self._loop.add_reader(descriptor, self._read)

    def _read(self) -> None:
        try:
            block = os.read(self._descriptor, BLOCK)
        except BlockingIOError:
            return
        except OSError:
            block = b""
        if block:
            self._take(block)
        else:
            self.close()

    def close(self) -> None:
        """Stop reading; a no-op the second time."""
        if not self.ended.done():
            self._loop.remove_reader(self._descriptor)
            os.close(self._descriptor)
            self.ended.set_result(None)


class LineSplitter:
    """Turns blocks into whole lines; a line that grows past all bounds is cut, so that memory stays bounded."""

    MOST = 16 << 20

    def __init__(self, take: Callable[[bytes], None]) -> None:
        """Call `take` with each line, without its end."""
        self._take = take
        self._rest = b""

    def flush(self) -> None:
        """Hand on a last line that has no end."""
        if self._rest:
            self._take(self._rest)
            self._rest = b""

    def __call__(self, block: bytes) -> None:
        """Add a block."""
        *lines, self._rest = (self._rest + block).split(b"\n")
        for line in lines:
            self._take(line)
        if len(self._rest) > self.MOST:
            self._take(self._rest)
            self._rest = b""


class Keeper(Protocol):
    """The museum's end of a keeper: orders go in, answers come out, and it is gone when they end."""

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended yet, as far as is known."""

    def tell(self, order: bytes) -> None:
        """Send a line; one that comes too late is lost."""

    async def last_answer(self) -> bytes:
        """Read answers to their end; the last one, or nothing."""

    def hang_up(self) -> None:
        """End its orders, whereupon it ends the run."""

    async def wait(self) -> None:
        """Wait until it is gone."""


class SpawnedKeeper:
    """A keeper that is a child of the museum."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        """Started with pipes for its orders and answers."""
        assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 - for the type checker
        self.pid = process.pid
        self._process = process
        self._orders = process.stdin
        self._answers = process.stdout

    @property
    def is_alive(self) -> bool:
        """As in `Keeper`."""
        return self._process.returncode is None

    def tell(self, order: bytes) -> None:
        """As in `Keeper`."""
        if not self._orders.is_closing():
            self._orders.write(order)

    async def last_answer(self) -> bytes:
        """As in `Keeper`."""
        last = b""
        async for line in self._answers:
            last = line
        return last

    def hang_up(self) -> None:
        """As in `Keeper`."""
        self._orders.close()

    async def wait(self) -> None:
        """As in `Keeper`."""
        await self._process.wait()


class GatedProcess:
    """One process, used for one run."""

    def __init__(self) -> None:
        """Use `start`, or `take_over` for one that was started otherwise."""
        self.listener: Listener | None = None
        self._keeper: Keeper
        self._orders: int
        self._readers: list[PipeReader] = []
        self._early: list[Callable[[Listener], None]] = []
        self._at_gate = asyncio.Event()

    @classmethod
    async def start(
        cls,
        python: Path,
        script: Path,
        directory: Path,
        variables: Mapping[str, str],
        *,
        warmth: Warmth = Warmth.PLAIN,
        hidden: Mapping[str, str] = MappingProxyType({}),
        remove: str = "",
        nursery: bool = False,
    ) -> "GatedProcess":
        """Start the process; it runs up to the gate by itself.

        Args:
            python: The interpreter.
            script: What it will run; need not exist before the gate opens.
            directory: Working directory.
            variables: Whole environment of the process.
            warmth: What the process does while it waits.
            hidden: Variables that JAX reads when it is imported and the script never sees; only with a warm start.
            remove: A directory that is deleted at the end, whatever happens to the museum.
            nursery: Whether it forks processes at the gate instead of going on itself (see `museum.lab.nursery`);
                its orders are then a socket.

        Raises:
            OSError: No process or no pipe is to be had.
        """
        self = cls()
        inner, outer = family_of_pipes(nursery=nursery)
        try:
            keeper = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", str(KEEPER)),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                pass_fds=tuple(inner.values()),
                start_new_session=True,
            )
        except BaseException:
            close_all(outer.values())
            raise
        finally:
            close_all(inner.values())
        self.take_over(SpawnedKeeper(keeper), outer)
        self._tell_keeper(
            protocol.Start(
                (str(python), str(script)),
                _with_gate(
                    variables,
                    hidden,
                    (inner["report"], inner["orders"]),
                    "nursery" if nursery else warmth.name.lower(),
                ),
                str(directory),
                (inner["stdin"], inner["stdout"], inner["stderr"]),
                (inner["orders"], inner["report"]),
                remove,
            )
        )
        return self

    def take_over(self, keeper: Keeper, ends: Mapping[str, int]) -> None:
        """Read and write a process that its keeper has started or is starting.

        Args:
            keeper: Its keeper.
            ends: The museum's ends, as `family_of_pipes` makes them; they are this object's to close from now on.
        """
        self._keeper = keeper
        self._orders = ends["orders"]
        self._readers = [
            PipeReader(ends["stdout"], lambda block: self._hear(lambda who: who.hear_output("stdout", block))),
            PipeReader(ends["stderr"], lambda block: self._hear(lambda who: who.hear_output("stderr", block))),
            PipeReader(ends["report"], LineSplitter(self._hear_line)),
        ]
        self._readers[-1].ended.add_done_callback(lambda _: self._at_gate.set())

    @property
    def orders(self) -> int:
        """The descriptor that the gate reads its orders from, at the museum's end; -1 once the gate is open."""
        return self._orders

    @property
    def is_waiting(self) -> bool:
        """Whether it is alive and the gate is still shut."""
        return self._orders >= 0 and self._keeper.is_alive

    async def waiting(self) -> None:
        """Wait until the process stands at the gate, as warm as it will be, or has ended."""
        await self._at_gate.wait()

    def open(
        self,
        listener: Listener,
        limits: Mapping[str, float],
        changed: Mapping[str, str | None],
        arguments: Iterable[str],
        join: str = "",
    ) -> None:
        """Open the gate: the script runs now, and `listener` hears all that it has said and will say.

        Args:
            listener: Who hears it.
            limits: As in `museum.lab.protocol.Opened`.
            changed: Variables to set, or with None to unset.
            arguments: For the script's `sys.argv[1:]`.
            join: As in `museum.lab.protocol.gate_orders`.
        """
        self.listener = listener
        for say in self._early:
            say(listener)
        self._early.clear()
        orders = protocol.gate_orders(changed, arguments, join)
        if self._orders >= 0:
            self._tell_keeper(protocol.Opened(dict(limits)))
            try:
                while orders:  # a pipe holds 64 KiB and the gate is reading
                    orders = orders[os.write(self._orders, orders) :]
            except OSError:
                pass  # it ended at the gate; the keeper says how
            os.close(self._orders)
            self._orders = -1

    def stop(self, reason: str) -> None:
        """End the run and everything below it."""
        self._tell_keeper(protocol.Stop(reason))

    async def ended(self) -> protocol.Ended | protocol.NotStarted:
        """Wait until nothing of the run is alive and its last output has been heard."""
        line = await self._keeper.last_answer()
        await self._keeper.wait()
        await asyncio.wait([reader.ended for reader in self._readers], timeout=LAST_WORDS)
        last = protocol.decode_answer(line) if line else None
        if last is None or isinstance(last, protocol.Started):
            return protocol.Ended(None, "keeper", 0, 0)  # somebody killed the keeper; the guard took the run along
        return last

    async def close(self) -> None:
        """Let go of everything; ends the run if it has not ended."""
        self._keeper.hang_up()
        await self._keeper.wait()
        for reader in self._readers:
            reader.close()
        if self._orders >= 0:
            os.close(self._orders)
            self._orders = -1

    def _tell_keeper(self, message: protocol.Start | protocol.Opened | protocol.Stop) -> None:
        self._keeper.tell(protocol.encode(message))

    def _hear(self, say: Callable[[Listener], None]) -> None:
        if self.listener is None:
            self._early.append(say)
        else:
            say(self.listener)

    def _hear_line(self, line: bytes) -> None:
        try:
            report = protocol.decode_report(line)
        except protocol.ProtocolError as error:
            reason = str(error)
            self._hear(lambda who: who.hear_nonsense(reason))
        else:
            if isinstance(report, protocol.Stage) and report.stage == "ready":
                self._at_gate.set()
            self._hear(lambda who: who.hear_report(report))


def _with_gate(
    variables: Mapping[str, str], hidden: Mapping[str, str], descriptors: tuple[int, int], warmth: str
) -> dict[str, str]:
    """The variables with the start-up hook in front of PYTHONPATH and what the hook must know."""
    had = variables.get("PYTHONPATH")
    path = str(GATE) if not had else os.pathsep.join((str(GATE), had))
    settings = [
        *map(str, descriptors),
        warmth,
        ",".join(hidden),
        str(GATE),
        "-" if had is None else "=" + had,
    ]
    return {**variables, **hidden, "PYTHONPATH": path, GATE_VARIABLE: os.pathsep.join(settings)}


def family_of_pipes(*, nursery: bool = False) -> tuple[dict[str, int], dict[str, int]]:
    """The run's ends and the museum's ends of everything that connects them.

    Args:
        nursery: Whether the orders are a socket, over which descriptors can be sent.

    Raises:
        OSError: No descriptor is to be had.
    """
    inner = {"stdin": os.open(os.devnull, os.O_RDONLY)}
    outer: dict[str, int] = {}
    try:
        for name in ("stdout", "stderr", "report"):
            outer[name], inner[name] = os.pipe()
        if nursery:
            inner["orders"], outer["orders"] = (end.detach() for end in socket.socketpair())
        else:
            inner["orders"], outer["orders"] = os.pipe()
    except OSError:
        close_all([*inner.values(), *outer.values()])
        raise
    return inner, outer


def close_all(descriptors: Iterable[int]) -> None:
    """Close descriptors that nobody else owns."""
    for descriptor in descriptors:
        os.close(descriptor)


async def finish(work: Coroutine[Any, Any, object]) -> None:
    """Await `work` to its end even while the surrounding task is being cancelled, once or more often."""
    task = asyncio.ensure_future(work)
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            continue

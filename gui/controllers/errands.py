"""Small works that the visitor asks for: each a task beside the loop, what goes wrong told in one line."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from museum.errors import MuseumError

Work = Callable[[], Coroutine[Any, Any, None]]


class Errands:
    """Tasks that nobody waits for, until the window closes.

    Args:
        say: Tells what could not be done.
    """

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Work) -> "asyncio.Task[None]":
        """Begin; whatever goes wrong is said."""
        task = asyncio.ensure_future(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _guarded(self, work: Work) -> None:
        try:
            await work()
        except MuseumError as error:
            self._say(str(error))
        except Exception as error:  # noqa: BLE001 - nobody waits for an errand, so it must not break off in silence
            self._say(f"this broke: {type(error).__name__}: {error}")
            told = {"message": "an errand broke", "exception": error, "task": asyncio.current_task()}
            asyncio.get_running_loop().call_exception_handler(told)

    async def settled(self) -> None:
        """Wait until all that was begun is done, also what these begin meanwhile."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def close(self) -> None:
        """End all, and wait until nothing of it is alive."""
        for task in self._tasks:
            task.cancel()
        await self.settled()

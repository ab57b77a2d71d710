"""Fulfils the wishes of find bars that they must not fulfil themselves."""

import asyncio
from functools import partial

from gui.widgets.find_bar import FindBar
from museum.finding import Finder, Wish


class FindController:
    """Connects find bars with the finder; a new wish ends the search for the one before.

    Args:
        finder: Looks.
    """

    def __init__(self, finder: Finder | None = None) -> None:
        self._finder = finder or Finder()
        self._tasks: set[asyncio.Task[None]] = set()

    def attach(self, bar: FindBar) -> None:
        """Answer this bar."""
        bar.wanted.connect(partial(self._on_bar_wanted, bar))

    async def close(self) -> None:
        """End the child and wait until nothing is alive."""
        self._cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._finder.close()

    def _cancel(self) -> None:
        for task in self._tasks:
            task.cancel()

    def _on_bar_wanted(self, bar: FindBar, wish: Wish) -> None:
        self._cancel()
        task = asyncio.ensure_future(self._fulfil(bar, wish))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _fulfil(self, bar: FindBar, wish: Wish) -> None:
        found = await self._finder.fulfil(wish)
        try:
            bar.answer(wish, found)
        except RuntimeError:
            return  # the bar was closed meanwhile

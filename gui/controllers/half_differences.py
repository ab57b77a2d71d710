"""Finds the lines in which two halves differ: of short ones at once, of long ones in a thread once nobody types."""

import asyncio
from collections.abc import Callable

from museum.differences import changed_lines

SHORT = 3_000  # characters of both together, which take less than a millisecond or two
SETTLE = 0.15  # seconds without a key


class HalfDifferences:
    """Compares two texts, the last ones that it was given.

    Args:
        show: Gets the lines of each text that the other does not have.
    """

    def __init__(self, show: Callable[[frozenset[int], frozenset[int]], object]) -> None:
        self._show = show
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    def compare(self, a: str, b: str) -> None:
        """Compare these; what was asked before is given up."""
        self.cancel()
        if len(a) + len(b) <= SHORT:
            self._show(*changed_lines(a, b))
        else:
            self._timer = asyncio.get_event_loop().call_later(SETTLE, self._begin, a, b)

    def cancel(self) -> None:
        """Show nothing any more of what was asked."""
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            self._task.cancel()
        self._timer = self._task = None

    def _begin(self, a: str, b: str) -> None:
        self._timer = None
        self._task = asyncio.ensure_future(self._compare(a, b))

    async def _compare(self, a: str, b: str) -> None:
        self._show(*await asyncio.to_thread(changed_lines, a, b))

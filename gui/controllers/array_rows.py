"""The studio's table of arrays: what each costs and what is wrong with it, without holding up the picture."""

import asyncio
from collections.abc import Callable, Sequence

from gui.widgets.array_editor import ArrayRow
from museum.mesh.document import StudioDocument, memory
from museum.mesh.layout import ShardLayout

AT_ONCE = 8_192  # devices times arrays whose problems are looked for before the picture is on the screen


class ArrayRows:
    """On large meshes the problems of arrays that are not drawn come a moment later.

    Args:
        present: Gives the document at hand.
        found: Called when some of them turned up.
    """

    def __init__(self, present: Callable[[], StudioDocument], found: Callable[[], None]) -> None:
        self._present, self._found = present, found
        self._problems: dict[str, str] = {}
        self._looking: asyncio.Task[None] | None = None

    def forget(self) -> None:
        """The document is another one."""
        self._problems = {}

    def of(self, document: StudioDocument, name: str, layout: ShardLayout | None) -> tuple[ArrayRow, ...]:
        """A row for each array.

        Args:
            document: The one at hand.
            name: Of the array that is drawn.
            layout: Its layout.
        """
        sizes = memory(document).by_array
        at_once = document.mesh.size * len(document.arrays) <= AT_ONCE
        rows, left = [], []
        for array in document.arrays:
            if array.name == name and layout is not None:
                problem = _first_problem(layout)
            elif array.name in self._problems:
                problem = self._problems[array.name]
            elif at_once:
                problem = _first_problem(document.layout(array.name))
            else:
                problem = ""
                left.append(array.name)
            self._problems[array.name] = problem
            rows.append(ArrayRow(array, sizes[array.name], problem))
        if left:
            self._look_at(left)
        return tuple(rows)

    def _look_at(self, names: Sequence[str]) -> None:
        if self._looking is not None:
            self._looking.cancel()
        self._looking = asyncio.ensure_future(self._find_problems(self._present(), names))

    async def _find_problems(self, document: StudioDocument, names: Sequence[str]) -> None:
        """One array at a time, so that the window can do something else in between."""
        found = {}
        for name in names:
            await asyncio.sleep(0)
            found[name] = _first_problem(document.layout(name))
        if document is self._present() and any(found.values()):
            self._problems |= found
            self._looking = None
            self._found()

    async def close(self) -> None:
        """Stop looking."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)


def _first_problem(layout: ShardLayout) -> str:
    return layout.problems[0].text if layout.problems else ""

"""Which way each mesh axis runs in a picture, and where each of its indices lies, in cell widths."""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, Self

from museum.errors import MuseumError

Place = Literal["columns", "rows", "outer"]

CELL_GAP = 0.1  # in cell widths
LEVEL_GAP = 0.6  # what each level of grids of grids adds to it
_HEADING = 0.26  # of a block's height, for the words above it
_ALLEY = 0.12  # of a block's width, between blocks
_VIEW = 1.15  # width by height that a picture has at its best: about a pane's
_MOST_WEIGHED = 4  # axes that are tried in every place; those further out take turns


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Which mesh axes run along the rows and which along the columns, each from the outermost to the innermost.

    The innermost two make the grid of devices, those further out on either side grids of grids. Outer axes number
    blocks that hold all of that: one after the other in reading order, in as many lines as suit the picture.
    """

    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    outer: tuple[str, ...] = ()

    @classmethod
    def alternating(cls, names: Sequence[str]) -> Self:
        """The last axis along the columns, the one before along the rows, the others on alternately."""
        inwards = names[::-1]
        return cls(tuple(inwards[1::2])[::-1], tuple(inwards[0::2])[::-1])

    @classmethod
    def default(cls, sizes: Mapping[str, int]) -> Self:
        """What comes nearest to the shape of a view, and to the last axis on columns, the one before on rows.

        Args:
            sizes: Axis names and sizes in mesh order.
        """
        places = _best(tuple(sizes.values()))
        along = {place: tuple(n for n, its in zip(sizes, places, strict=True) if its == place) for place in _PLACES}
        return cls(along["rows"], along["columns"], along["outer"])

    @property
    def names(self) -> tuple[str, ...]:
        """All of its axes."""
        return (*self.rows, *self.columns, *self.outer)

    def fitted(self, sizes: Mapping[str, int]) -> "Arrangement":
        """The same for a mesh with these axes: others are dropped, new ones go to the outside."""
        known = self._only([name for name in self.names if name in sizes])
        if not known.names:
            return Arrangement.default(sizes)
        new = tuple(name for name in sizes if name not in known.names)
        return Arrangement(known.rows, known.columns, (*new, *known.outer))

    def _only(self, kept: Sequence[str]) -> "Arrangement":
        groups = (self.rows, self.columns, self.outer)
        return Arrangement(*(tuple(name for name in names if name in kept) for names in groups))

    def put(self, axis: str, place: Place) -> "Arrangement":
        """Move an axis: onto the rows or columns of the grid, changing places with the one there, or to the outside.

        Raises:
            MuseumError: It is not in the arrangement.
        """
        if axis not in self.names:
            raise MuseumError(f"axis {axis!r} is not in the picture: its axes are {self}")
        others = self._only([name for name in self.names if name != axis])
        if place == "outer":
            return Arrangement(others.rows, others.columns, (axis, *others.outer))
        there = (self.rows if place == "rows" else self.columns)[-1:]
        if not there:
            on = {"rows": others.rows, "columns": others.columns} | {place: (axis,)}
            return Arrangement(on["rows"], on["columns"], others.outer)
        change = {axis: there[0], there[0]: axis}
        groups = (self.rows, self.columns, self.outer)
        return Arrangement(*(tuple(change.get(name, name) for name in names) for names in groups))

    def renamed(self, old: str, new: str) -> "Arrangement":
        """The same with another name for an axis."""
        groups = (self.rows, self.columns, self.outer)
        return Arrangement(*(tuple(new if name == old else name for name in names) for names in groups))

    def __str__(self) -> str:
        words = f"rows {', '.join(self.rows) or 'none'}; columns {', '.join(self.columns) or 'none'}"
        return f"{words}; blocks {', '.join(self.outer)}" if self.outer else words


_PLACES: tuple[Place, ...] = ("columns", "rows", "outer")


class Course(NamedTuple):
    """Where the indices of one axis lie, from that of index 0.

    Attributes:
        x: To the right, for each index.
        y: Downwards, for each index.
        wide: What lies at each index is so wide.
        high: And so high.
        heading: Above each, so much is free for words.
        level: 0 inside a grid, 1 between grids, 2 between grids of grids.
    """

    x: Sequence[float]
    y: Sequence[float]
    wide: float
    high: float
    heading: float
    level: int


class Ground(NamedTuple):
    """Where everything of a mesh lies: its axes' courses, and the extent of the whole."""

    courses: dict[str, Course]
    width: float
    height: float


def ground(arrangement: Arrangement, sizes: Mapping[str, int]) -> Ground:
    """Lay an arrangement out.

    Args:
        arrangement: Of all the axes.
        sizes: Axis names and sizes.
    """
    courses: dict[str, Course] = {}
    extents = []
    for names in (arrangement.columns, arrangement.rows):
        extent = 1.0
        for level, name in enumerate(reversed(names)):
            gap = CELL_GAP + level * LEVEL_GAP
            steps, still = _steps(sizes[name], extent + gap), (0.0,) * sizes[name]
            across = names is arrangement.columns
            courses[name] = Course(
                steps if across else still, still if across else steps, extent, extent, 0.0, level
            )  # a course along one side is as wide and as high as what it repeats on that side
            extent = sizes[name] * (extent + gap) - gap
        extents.append(extent)
    wide, high = extents
    first = max(len(arrangement.columns), len(arrangement.rows))
    for level, name in enumerate(reversed(arrangement.outer), first):
        size, least = sizes[name], CELL_GAP + max(level, 1) * LEVEL_GAP
        gap, heading = max(least, _ALLEY * wide), max(least, _HEADING * high)
        count = _lines_of(size, wide + gap, high + heading)
        xs = [number % count * (wide + gap) for number in range(size)]
        ys = [heading + number // count * (high + heading) for number in range(size)]
        courses[name] = Course(xs, ys, wide, high, heading, max(level, 1))
        wide, high = count * (wide + gap) - gap, -(-size // count) * (high + heading)
    return Ground(courses, wide, high)


def _steps(size: int, pitch: float) -> tuple[float, ...]:
    return tuple(number * pitch for number in range(size))


@lru_cache(maxsize=1024)
def _lines_of(size: int, wide: float, high: float) -> int:
    """How many blocks to put into a line so that all of them look like a view; full lines are better than ragged."""
    ideal = math.sqrt(size * _VIEW * high / wide)
    near = {max(1, min(size, number)) for number in (math.floor(ideal), math.ceil(ideal))}
    even = {
        part for number in range(1, math.isqrt(size) + 1) if size % number == 0 for part in (number, size // number)
    }

    def ugliness(count: int) -> float:
        lines = -(-size // count)
        return _off(count * wide / (lines * high)) + (0.5 if size % count else 0.0)

    return min(sorted(near | even), key=ugliness)


def _off(aspect: float) -> float:
    """How far a picture is from the shape of a view, in doublings."""
    return abs(math.log2(aspect / _VIEW))


@lru_cache(maxsize=256)
def _best(sizes: tuple[int, ...]) -> tuple[Place, ...]:
    """A place for each axis, from the slowest to the fastest."""
    usual: tuple[Place, ...] = tuple("columns" if number % 2 == 0 else "rows" for number in reversed(range(len(sizes))))
    free = min(len(sizes), _MOST_WEIGHED)
    fixed = usual[: len(sizes) - free]
    tried = ((*fixed, *rest) for rest in itertools.product(_PLACES, repeat=free))
    return min(tried, key=lambda places: _ugliness(places, usual, sizes))


def _ugliness(places: Sequence[Place], usual: Sequence[Place], sizes: Sequence[int]) -> float:
    """How hard a picture is to read: its shape, and what is not as one expects it."""
    names = [str(number) for number in range(len(sizes))]
    along = {place: tuple(n for n, its in zip(names, places, strict=True) if its == place) for place in _PLACES}
    laid = ground(Arrangement(along["rows"], along["columns"], along["outer"]), dict(zip(names, sizes, strict=True)))
    ugliness = _off(laid.width / laid.height)
    for number, (place, expected) in enumerate(zip(places, usual, strict=True)):
        inner = number >= len(sizes) - 2
        if place == "outer":
            ugliness += 2.8 if inner else 1.0
        elif laid.courses[names[number]].level:
            ugliness += 0.35
        if place != expected:
            ugliness += 1.0 if inner else 0.01
    return ugliness

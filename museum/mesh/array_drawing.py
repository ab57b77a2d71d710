"""An array as numbers: where each slice goes in a picture, and what has no home, before anything knows how to paint."""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

from museum.errors import MuseumError
from museum.mesh.arrangement import Place
from museum.mesh.labels import TextSize, has_room
from museum.mesh.layout import Homeless, ProblemKind, ShardLayout, SliceGroup, Slices
from museum.mesh.shades import Column, Held, Shade, columns_of, held_by, in_words
from museum.mesh.spec import UNCONSTRAINED


class Box(NamedTuple):
    """One slice, in fractions of the drawn array.

    Attributes:
        text: ``0:2, 8:16``, "" for a scalar.
        colour: Index in `ShardLayout.groups`.
        shade: Its colour role.
    """

    x: float
    y: float
    w: float
    h: float
    device_ids: tuple[int, ...]
    text: str
    colour: int
    shade: Shade


@dataclass(frozen=True, slots=True)
class Strip:
    """A part of the array that no device holds, in fractions of the drawn array, with its words."""

    x: float
    y: float
    w: float
    h: float
    text: str


@dataclass(frozen=True, slots=True)
class Edge:
    """One array dimension beside the picture: which way it runs, what cuts it, what is wrong with that.

    Attributes:
        dimension: Its number; one beyond the rank for entries that the spec has too many.
        direction: ``columns``, ``rows``, or ``outer`` for those that are stacked or sliced.
        text: ``dim 0 (16) / data=4``.
        problems: In words; empty for a dimension that is well.
    """

    dimension: int
    direction: Place
    text: str
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class ArrayDrawing:
    """The array cut into its slices.

    Boxes and strips never overlap and, for a layout of all devices, cover the array.

    Attributes:
        boxes: One for each distinct slice that has elements, in reading order.
        homeless: What no device can hold.
        caption: What the picture shows, in words.
        rows: Elements from top to bottom, dimensions that are stacked included.
        columns: Elements from left to right.
        edges: Each dimension, and what is wrong with it.
        summary: All of it in a line, for when boxes are too small for labels.
    """

    boxes: tuple[Box, ...]
    homeless: tuple[Strip, ...]
    caption: str
    rows: int
    columns: int
    edges: tuple[Edge, ...] = ()
    summary: str = ""

    def labels_at(self, width: float, height: float, text: TextSize | None = None) -> tuple[tuple[str, ...], ...]:
        """For each box the lines that it carries: all boxes say as much as each of them has room for.

        Args:
            width: Of the whole picture, in the painter's units.
            height: Likewise.
            text: What text takes in those units.
        """
        return self.labels_of(self.boxes, width, height, text or TextSize())

    def labels_of(
        self, boxes: Sequence[Box], width: float, height: float, text: TextSize
    ) -> tuple[tuple[str, ...], ...]:
        """As `labels_at`, for some of the boxes."""
        wide, high = self._smallest[0] * width, self._smallest[1] * height
        if not boxes or not has_room(wide, high, 1, 1, text):
            return ((),) * len(boxes)
        fits = (has_room(wide, high, letters, lines, text) for letters, lines in self._needs)
        kind = next((number for number, it_does in enumerate(fits) if it_does), None)
        return ((),) * len(boxes) if kind is None else tuple(_box_labels(box)[kind] for box in boxes)

    @cached_property
    def _smallest(self) -> tuple[float, float]:
        """Width and height that every box has."""
        return min((box.w for box in self.boxes), default=0.0), min((box.h for box in self.boxes), default=0.0)

    @cached_property
    def _needs(self) -> list[tuple[int, int]]:
        """For each kind of label, letters and lines of the largest."""
        kinds = zip(*map(_box_labels, self.boxes), strict=True)
        return [(max(len(line) for lines in kind for line in lines), max(map(len, kind))) for kind in kinds]


def _box_labels(box: Box) -> tuple[tuple[str, ...], ...]:
    """All kinds, the most telling first; as many for each box of an array."""
    ids = _some(box.device_ids)
    holders = f"device {ids}" if len(box.device_ids) == 1 else f"devices {ids}"
    if not box.text:
        return (holders,), (ids,)
    *first, last = box.text.split(", ")
    by_dimension = (*(f"{line}," for line in first), last)
    return (
        (box.text, holders),
        (*by_dimension, holders),
        (box.text, ids),
        (*by_dimension, ids),
        (box.text,),
        (holders,),
        (ids,),
    )


def _some(ids: Sequence[int]) -> str:
    return ", ".join(map(str, ids)) if len(ids) <= 8 else f"{ids[0]}, {ids[1]} … {ids[-1]} ({len(ids)})"


def draw_array(layout: ShardLayout, at: Sequence[int] | None = None) -> ArrayDrawing:
    """Place the slices in the array.

    The last dimension runs to the right, the one before downwards; rank 1 is one row and rank 0 one box. Dimensions
    further out are stacked: each of their parts is a band that holds all of the dimensions inside it, so that every
    slice stays one box, whose area is its share of the elements.

    Args:
        layout: Who holds what.
        at: Instead of stacking them, one index for each dimension but the last two: only that slice of the array is
            drawn.

    Raises:
        MuseumError: `at` does not fit the shape.
    """
    shape, outer = layout.shape, max(len(layout.shape) - 2, 0)
    if at is not None:
        _check_slice(at, shape[:outer])
    shown = shape if at is None else shape[outer:]
    held = drawn = held_by(layout)
    if at is not None:
        chosen = [_holds(group, at) for group in held.groups]
        groups = list(itertools.compress(held.groups, chosen))
        drawn = Held(list(itertools.compress(held.numbers, chosen)), groups, columns_of(groups))
    columns, count = drawn.columns, len(drawn.groups)
    places = _places(columns[len(shape) - len(shown) :] or [()] * len(shown), shown, count)
    holders = [group.device_ids for group in drawn.groups]
    texts = map(", ".join, drawn.lines)
    # In the order of the fields.
    rows = zip(*places, holders, texts, drawn.numbers, drawn.shades, strict=True)
    boxes = tuple(map(_AS_BOX, rows))
    strips = () if 0 in shape else tuple(_strips(layout) if at is None else _strips_at(layout, at))
    return ArrayDrawing(
        boxes,
        strips,
        _caption(shape) if at is None else _caption_at(shape, at),
        math.prod(shown[:-1]),
        shape[-1] if shape else 1,
        tuple(_edges(layout)),
        in_words(layout, held.groups),
    )


_AS_BOX = partial(tuple.__new__, Box)  # at a third of what its own constructor costs


def _places(columns: Sequence[Column], shape: Sequence[int], count: int) -> tuple[list[float], ...]:
    """Boxes (x, y, w, h) of slices that have elements: bands within bands downwards, the last dimension across."""
    x, w, y, h = [0.0] * count, [1.0] * count, [0.0] * count, [1.0] * count
    if shape:
        size = shape[-1]
        x = [start / size for start, _ in columns[-1]]
        w = [(stop - start) / size for start, stop in columns[-1]]
    for column, size in zip(columns[:-1], shape[:-1], strict=True):
        y = [above + high * start / size for above, high, (start, _) in zip(y, h, column, strict=True)]
        h = [high * (stop - start) / size for high, (start, stop) in zip(h, column, strict=True)]
    return x, y, w, h


def _check_slice(at: Sequence[int], outer: Sequence[int]) -> None:
    if len(at) != len(outer):
        raise MuseumError(f"the slice {tuple(at)} needs {len(outer)} indices, one for each dimension but the last two")
    for dimension, (index, size) in enumerate(zip(at, outer, strict=True)):
        if not 0 <= index < max(size, 1):
            raise MuseumError(f"index {index} is not in dimension {dimension} of size {size}")


def _holds(group: SliceGroup, at: Sequence[int]) -> bool:
    return all(start <= index < stop for (start, stop), index in zip(group.slices, at, strict=False))


def _strips_at(layout: ShardLayout, at: Sequence[int]) -> Iterator[Strip]:
    """What has no home in one slice of the array: all of it when the slice itself has none."""
    rank = len(layout.shape)
    for left_over in layout.homeless:
        if left_over.dimension < len(at) and left_over.start <= at[left_over.dimension]:
            yield Strip(0.0, 0.0, 1.0, 1.0, _homeless_text(left_over, rank))
            return
    shown = layout.shape[len(at) :]
    housed = [(0, size) for size in shown]
    inner = [left_over for left_over in layout.homeless if left_over.dimension >= len(at)]
    for left_over in inner:
        housed[left_over.dimension - len(at)] = (0, left_over.start)
    for left_over in inner:
        number = left_over.dimension - len(at)
        after = [(0, size) for size in shown[number + 1 :]]
        slices = (*housed[:number], (left_over.start, left_over.stop), *after)
        if all(start < stop for start, stop in slices):
            yield _strip(slices, shown, _homeless_text(left_over, rank))


def _edges(layout: ShardLayout) -> Iterator[Edge]:
    rank, spec, sizes = len(layout.shape), layout.spec, layout.mesh.axis_sizes
    by_dimension: dict[int | None, list[str]] = {}
    for problem in layout.problems:
        by_dimension.setdefault(problem.dimension, []).append(problem.text)
    for dimension, size in enumerate(layout.shape):
        direction: Place = "columns" if dimension == rank - 1 else "rows" if dimension == rank - 2 else "outer"
        by = ""
        if spec is not None and dimension < len(spec.entries):
            if spec.entries[dimension] is UNCONSTRAINED:
                by = " / left to the compiler"
            elif axes := spec.axes_at(dimension):
                by = " / " + " x ".join(f"{axis}={sizes.get(axis, '?')}" for axis in axes)
        yield Edge(dimension, direction, f"dim {dimension} ({size}){by}", tuple(by_dimension.get(dimension, ())))
    for dimension in range(rank, len(spec.entries) if spec else 0):
        named = " x ".join(spec.axes_at(dimension)) if spec else ""
        words = [problem.text for problem in layout.problems if problem.kind is ProblemKind.SPEC_TOO_LONG]
        text = f"no dim {dimension} / {named}" if named else f"no dim {dimension}"
        yield Edge(dimension, "outer", text, (*words, *by_dimension.get(dimension, ())))


def _caption_at(shape: tuple[int, ...], at: Sequence[int]) -> str:
    if not at:
        return _caption(shape)
    where = ", ".join(map(str, at))
    return f"slice [{where}, :, :]: {_caption(shape, bands=False)}"


def _strip(slices: Slices, shape: Sequence[int], text: str) -> Strip:
    x, y, w, h = _places([[bounds] for bounds in slices], shape, 1)
    return Strip(x[0], y[0], w[0], h[0], text)


def _strips(layout: ShardLayout) -> Iterator[Strip]:
    """Each leftover once for every band that it lies in, and only beside rows that do have a home."""
    if not layout.homeless:
        return
    rank = len(layout.shape)
    whole: list[tuple[int, int]] = [(0, size) for size in layout.shape]
    housed = list(whole)
    for left_over in layout.homeless:
        housed[left_over.dimension] = (0, left_over.start)
    parts = [
        sorted({(start, stop) for start, stop in (group.slices[number] for group in layout.groups) if start < stop})
        for number in range(rank)
    ]
    for left_over in layout.homeless:
        dimension = left_over.dimension
        # The dimensions that make the bands around this leftover; the innermost two don't band each other.
        bands = range(min(dimension, max(rank - 2, 0)))
        for outer in itertools.product(*(parts[band] for band in bands)):
            between = [housed[number] for number in range(len(bands), dimension)]
            slices = (*outer, *between, (left_over.start, left_over.stop), *whole[dimension + 1 :])
            if all(start < stop for start, stop in slices):
                yield _strip(slices, layout.shape, _homeless_text(left_over, rank))


def _homeless_text(left_over: Homeless, rank: int) -> str:
    dimension, start, stop = left_over
    if rank == 1:
        one, many = "element", "elements"
    elif rank == 2:
        one, many = (("row", "rows"), ("column", "columns"))[dimension]
    else:
        one = many = f"dimension {dimension} at"
    if stop - start == 1:
        return f"{one} {start}: no home"
    if stop - start <= 3:
        return f"{many} {', '.join(map(str, range(start, stop)))}: no home"
    return f"{many} {start} to {stop - 1}: no home"


def _caption(shape: tuple[int, ...], *, bands: bool = True) -> str:
    if not shape:
        return "a scalar"
    if 0 in shape:
        return f"shape {shape} has no elements"
    named = [f"dimension {number} ({size})" for number, size in enumerate(shape)]
    if len(shape) == 1:
        return f"{named[0]} to the right"
    picture = f"{named[-2]} downwards, {named[-1]} to the right"
    if len(shape) == 2 or not bands:
        return picture
    return f"{picture}, in bands of {', then '.join(named[:-2])}"

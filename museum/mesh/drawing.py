"""Layouts as numbers: where each device and each slice goes in a picture, before anything knows how to paint.

Colours are roles: a slice's place among the layout's groups (`NOTHING` for none), and its `Shade`. The painter decides
what they look like. Which labels fit at a painter's scale is decided here too, so that nothing ever overlaps.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Self

from museum.errors import MuseumError
from museum.mesh.layout import Homeless, ProblemKind, ShardLayout, SliceGroup, Slices
from museum.mesh.mesh import Mesh
from museum.mesh.spec import UNCONSTRAINED

NOTHING = -1
"""Colour and replica number of a device that holds no part of the array."""
HUES, TONES = 8, 3

_CELL_GAP = 0.1  # in cell widths
_LEVEL_GAP = 0.6  # what each level of grids of grids adds to it
_LABEL_MARGIN = 4.0  # what stays free beside a label inside its box, both sides together, in the painter's units

Direction = Literal["columns", "rows"]
Place = Literal["columns", "rows", "outer"]


class Shade(NamedTuple):
    """The colour role of a slice: one of `HUES` hues in one of `TONES` tones.

    Slices beside or above each other in the array have different tones, which greyscale and every eye tell apart.
    """

    hue: int
    tone: int


class TextSize(NamedTuple):
    """What text takes, in the painter's units: one character's width (fonts of equal width are meant), one line."""

    character: float = 6.7
    line: float = 14.0

    def width(self, text: str) -> float:
        """Width of the longest line."""
        return max(map(len, text.split("\n"))) * self.character


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Which mesh axes run along the rows and which along the columns, each from the outermost to the innermost.

    The innermost two make the grid of devices, those further out grids of grids.
    """

    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    @classmethod
    def default(cls, names: Sequence[str]) -> Self:
        """The last axis along the columns, the one before along the rows, the others on alternately."""
        inwards = names[::-1]
        return cls(tuple(inwards[1::2])[::-1], tuple(inwards[0::2])[::-1])

    def fitted(self, names: Sequence[str]) -> "Arrangement":
        """The same for a mesh with these axes: others are dropped, new ones go to the outside."""
        rows = tuple(name for name in self.rows if name in names)
        columns = tuple(name for name in self.columns if name in names)
        if not rows and not columns:
            return Arrangement.default(names)
        for name in reversed(names):
            if name not in rows and name not in columns:
                rows, columns = ((name, *rows), columns) if len(rows) < len(columns) else (rows, (name, *columns))
        return Arrangement(rows, columns)

    def put(self, axis: str, place: Place) -> "Arrangement":
        """Move an axis: onto the rows or columns of the grid, changing places with the one there, or to the outside.

        Raises:
            MuseumError: It is not in the arrangement.
        """
        if axis not in (*self.rows, *self.columns):
            raise MuseumError(f"axis {axis!r} is not in the picture: its axes are {self}")
        if place == "outer":
            rows = tuple(name for name in self.rows if name != axis)
            columns = tuple(name for name in self.columns if name != axis)
            return (
                Arrangement((axis, *rows), columns) if len(rows) < len(columns) else Arrangement(rows, (axis, *columns))
            )
        there = (self.rows if place == "rows" else self.columns)[-1:]
        if not there:
            rows, columns = (tuple(name for name in names if name != axis) for names in (self.rows, self.columns))
            return Arrangement((axis,), columns) if place == "rows" else Arrangement(rows, (axis,))
        change = {axis: there[0], there[0]: axis}
        return Arrangement(*(tuple(change.get(name, name) for name in names) for names in (self.rows, self.columns)))

    def __str__(self) -> str:
        return f"rows {', '.join(self.rows) or 'none'}; columns {', '.join(self.columns) or 'none'}"


class Cell(NamedTuple):
    """One device, in cell widths from the top left corner.

    Attributes:
        colour: Index of the device's slice in `ShardLayout.groups`, or `NOTHING`.
        replica: Number of its copy, or `NOTHING`.
        position: Its place in `Mesh.device_ids`.
        host: Its process index.
        shade: Colour role of its slice; None when it holds nothing.
        lines: Its slice, a line for each dimension: ``0:2``.
        missing: Whether the machine lacks it.
    """

    device_id: int
    x: float
    y: float
    w: float
    h: float
    label: str
    colour: int
    replica: int
    position: int
    host: int
    shade: Shade | None
    lines: tuple[str, ...]
    missing: bool


@dataclass(frozen=True, slots=True)
class AxisCaption:
    """Which way a mesh axis runs in the picture.

    Attributes:
        direction: ``columns`` for left to right, ``rows`` for top to bottom.
        level: 0 inside a grid, 1 between grids, 2 between grids of grids.
    """

    name: str
    size: int
    direction: Direction
    level: int

    @property
    def text(self) -> str:
        """``data=4``."""
        return f"{self.name}={self.size}"

    @property
    def where(self) -> Place:
        """``rows``, ``columns`` or ``outer``."""
        return "outer" if self.level else self.direction


class Tick(NamedTuple):
    """An index along a mesh axis: `start` and `extent` in cell widths, from left to right or from top to bottom."""

    axis: str
    number: int
    direction: Direction
    level: int
    start: float
    extent: float


@dataclass(frozen=True, slots=True)
class AbsentAxis:
    """An axis that the spec asks for and the mesh has not, to be drawn beside the axes that it has."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class MeshLabels:
    """What there is room for at a scale; what is left out is in `summary`, "" when every device can carry its id."""

    ids: bool
    slices: bool
    ticks: frozenset[str]
    summary: str


@dataclass(frozen=True, slots=True)
class MeshDrawing:
    """The mesh with its devices, `width` by `height` cells.

    Attributes:
        cells: In mesh order.
        captions: In axis order.
        ticks: Of each axis in axis order, in every grid that it runs through.
        absent: Axes that the spec names in vain.
        problem: Why the mesh cannot be, in words; "" when it can. Its `Cell.missing` are where.
        summary: All of it in a line or two, for when it is too small for labels.
    """

    cells: tuple[Cell, ...]
    captions: tuple[AxisCaption, ...]
    width: float
    height: float
    ticks: tuple[Tick, ...] = ()
    absent: tuple[AbsentAxis, ...] = ()
    problem: str = ""
    summary: str = ""

    def labels_at(self, scale: float, text: TextSize | None = None) -> MeshLabels:
        """Which labels fit without touching each other.

        Args:
            scale: Painter's units for one cell width.
            text: What text takes in those units.
        """
        text = text or TextSize()
        room = scale - _LABEL_MARGIN
        widest = max((len(cell.label) for cell in self.cells), default=0)
        ids = widest * text.character <= room and text.line <= room
        samples = {cell.lines for cell in self.cells} if ids else {()}
        longest = max((len(line) for lines in samples for line in lines), default=0)
        tallest = max(map(len, samples), default=0) + 1
        slices = ids and tallest > 1 and longest * text.character <= room and tallest * text.line <= room
        ticks = set()
        for caption in self.captions:
            extent = min((tick.extent for tick in self.ticks if tick.axis == caption.name), default=0.0) * scale
            if caption.size > 1 and extent >= max(len(str(caption.size - 1)) * text.character + 2, text.line):
                ticks.add(caption.name)
        return MeshLabels(ids, slices, frozenset(ticks), "" if ids else self.summary)


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


@dataclass(frozen=True, slots=True)
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
        """For each box the lines that fit into it, none where nothing does.

        Args:
            width: Of the whole picture, in the painter's units.
            height: Likewise.
            text: What text takes in those units.
        """
        text = text or TextSize()
        return tuple(fitting(_box_labels(box), box.w * width, box.h * height, text) for box in self.boxes)


def fitting(candidates: Iterable[tuple[str, ...]], width: float, height: float, text: TextSize) -> tuple[str, ...]:
    """The first of several labels whose lines fit into a box; none when none does."""
    wide, high = width - _LABEL_MARGIN, height - _LABEL_MARGIN / 2
    if text.character > wide or text.line > high:
        return ()
    for lines in candidates:
        if len(lines) * text.line <= high and all(len(line) * text.character <= wide for line in lines):
            return lines
    return ()


def _box_labels(box: Box) -> Iterator[tuple[str, ...]]:
    ids = _some(box.device_ids)
    holders = f"device {ids}" if len(box.device_ids) == 1 else f"devices {ids}"
    if box.text:
        yield box.text, holders
        by_dimension = [*(f"{line}," for line in box.text.split(", ")[:-1]), box.text.rpartition(", ")[2]]
        yield (*by_dimension, holders)
        yield box.text, ids
        yield (*by_dimension, ids)
        yield (box.text,)
    yield (holders,)
    yield (ids,)


def _some(ids: Sequence[int]) -> str:
    return ", ".join(map(str, ids)) if len(ids) <= 8 else f"{ids[0]}, {ids[1]} … {ids[-1]} ({len(ids)})"


def draw_mesh(subject: ShardLayout | Mesh, arrangement: Arrangement | None = None) -> MeshDrawing:
    """Place the devices in the mesh's own grid.

    Args:
        subject: A layout, or a mesh without an array.
        arrangement: Which axes run along rows and columns; by default the last along the columns, the one before along
            the rows, those further out alternately, as grids of grids with wider gaps.
    """
    layout = None if isinstance(subject, Mesh) else subject
    mesh = subject if isinstance(subject, Mesh) else subject.mesh
    arrangement = (arrangement or Arrangement()).fitted(mesh.axis_names)
    pitches: dict[str, float] = {}
    extents = [_measure(mesh, names, pitches) for names in (arrangement.columns, arrangement.rows)]
    x, y = (_offsets(mesh, names, pitches) for names in (arrangement.columns, arrangement.rows))
    held = ([], (), []) if layout is None else _held(layout)
    colours, replicas, shades, lines = _holdings(mesh, layout, held)
    first_missing = mesh.size if layout is None or layout.devices is None else layout.devices
    numbers, ones = range(mesh.size), [1.0] * mesh.size
    missing = [number >= first_missing for number in numbers]
    ids = mesh.device_ids
    # In the order of the fields.
    rows = zip(
        ids,
        x,
        y,
        ones,
        ones,
        map(str, ids),
        colours,
        replicas,
        numbers,
        mesh.hosts,
        shades,
        lines,
        missing,
        strict=True,
    )
    cells = tuple(map(Cell._make, rows))
    captions = tuple(_caption_of(mesh, name, arrangement) for name in mesh.axis_names)
    return MeshDrawing(
        cells,
        captions,
        extents[0],
        extents[1],
        tuple(_ticks(captions, arrangement, pitches)),
        () if layout is None else tuple(_absent(layout)),
        "" if layout is None else next((str(p) for p in layout.problems if p.kind is ProblemKind.MESH_TOO_BIG), ""),
        _mesh_summary(mesh, layout, held[1]),
    )


_Holdings = tuple[Sequence[int], Sequence[int], Sequence[Shade | None], Sequence[tuple[str, ...]]]


def _holdings(mesh: Mesh, layout: ShardLayout | None, held: "_Held") -> _Holdings:
    """Colour, replica, shade and lines of every device in mesh order."""
    if layout is None:
        return [NOTHING] * mesh.size, [NOTHING] * mesh.size, [None] * mesh.size, [()] * mesh.size
    numbers, groups, columns = held
    place_of = {device_id: place for place, group in enumerate(groups) for device_id in group.device_ids}
    places = [place_of.get(device_id, -1) for device_id in mesh.device_ids]
    # What is at the end, where -1 leads, is for devices that hold nothing.
    numbers = [*numbers, NOTHING]
    shades = [*_shades(columns, len(groups)), None]
    lines = [*_lines(columns, len(groups)), ()]
    replicas = layout.replicas
    return (
        [numbers[place] for place in places],
        [replicas[device_id] if device_id in place_of else NOTHING for device_id in mesh.device_ids],
        [shades[place] for place in places],
        [lines[place] for place in places],
    )


# What follows goes dimension by dimension through all slices at once, because a mesh has thousands of them.

_Column = Sequence[tuple[int, int]]
"""The [start, stop) of every slice in one dimension."""


_Held = tuple[list[int], Sequence[SliceGroup], list[_Column]]
"""The slices that have elements: their numbers among all of them, they themselves, and their columns."""


def _held(layout: ShardLayout) -> _Held:
    columns = _columns(layout.groups)
    if not any(start == stop for column in columns for start, stop in set(column)):
        return list(range(len(layout.groups))), layout.groups, columns
    numbered = [(number, group) for number, group in enumerate(layout.groups) if not group.is_empty]
    groups = [group for _, group in numbered]
    return [number for number, _ in numbered], groups, _columns(groups)


def _columns(groups: Sequence[SliceGroup]) -> list[_Column]:
    return list(zip(*[group.slices for group in groups], strict=True))


def _shades(columns: Sequence[_Column], count: int) -> list[Shade]:
    """The shade of each slice, by its place in the folded picture: tones differ to the right and downwards."""
    rows = [0] * count
    numbers = [0] * count
    for place, column in enumerate(columns):
        parts = {bounds: number for number, bounds in enumerate(sorted(set(column)))}
        numbers = [parts[bounds] for bounds in column]
        if place < len(columns) - 1:
            rows = [row * len(parts) + number for row, number in zip(rows, numbers, strict=True)]
    return [
        _SHADES[(3 * row + number) % HUES][(2 * row + number) % TONES]
        for row, number in zip(rows, numbers, strict=True)
    ]


_SHADES = [[Shade(hue, tone) for tone in range(TONES)] for hue in range(HUES)]


def _lines(columns: Sequence[_Column], count: int) -> list[tuple[str, ...]]:
    """``0:2`` for each dimension of each slice."""
    texts = []
    for column in columns:
        known = {bounds: f"{bounds[0]}:{bounds[1]}" for bounds in set(column)}
        texts.append([known[bounds] for bounds in column])
    return list(zip(*texts, strict=True)) if texts else [()] * count


def _places(columns: Sequence[_Column], shape: Sequence[int], count: int) -> tuple[list[float], ...]:
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


def _measure(mesh: Mesh, names: Sequence[str], pitches: dict[str, float]) -> float:
    """Fill in the distance between neighbours along each axis; the whole extent in that direction."""
    extent, sizes = 1.0, mesh.axis_sizes
    for level, name in enumerate(reversed(names)):
        gap = _CELL_GAP + level * _LEVEL_GAP
        pitches[name] = extent + gap
        extent = pitches[name] * sizes[name] - gap
    return extent


def _offsets(mesh: Mesh, names: Sequence[str], pitches: dict[str, float]) -> list[float]:
    """How far each place lies from the left or the top."""
    offsets = [0.0] * mesh.size
    for name in names:
        number, pitch = mesh.axis_names.index(name), pitches[name]
        steps = [index * pitch for index in range(mesh.axes[number].size)]
        offsets = [before + steps[index] for before, index in zip(offsets, mesh.indices_along(number), strict=True)]
    return offsets


def _caption_of(mesh: Mesh, name: str, arrangement: Arrangement) -> AxisCaption:
    direction: Direction = "rows" if name in arrangement.rows else "columns"
    names = arrangement.rows if direction == "rows" else arrangement.columns
    return AxisCaption(name, mesh.axis_sizes[name], direction, len(names) - 1 - names.index(name))


def _ticks(captions: Sequence[AxisCaption], arrangement: Arrangement, pitches: dict[str, float]) -> Iterator[Tick]:
    sizes = {caption.name: caption.size for caption in captions}
    for caption in captions:
        names = arrangement.rows if caption.direction == "rows" else arrangement.columns
        outer = names[: names.index(caption.name)]
        extent = pitches[caption.name] - (_CELL_GAP + caption.level * _LEVEL_GAP)
        starts = [0.0]
        for name in outer:
            starts = [start + step * pitches[name] for start in starts for step in range(sizes[name])]
        for start in starts:
            for index in range(caption.size):
                place = start + index * pitches[caption.name]
                yield Tick(caption.name, index, caption.direction, caption.level, place, extent)


def _absent(layout: ShardLayout) -> Iterator[AbsentAxis]:
    seen = set()
    for problem in layout.problems:
        if problem.kind is ProblemKind.UNKNOWN_AXIS and problem.axis not in seen:
            seen.add(problem.axis)
            wants = "unreduced" if problem.dimension is None else f"dimension {problem.dimension}"
            yield AbsentAxis(problem.axis, f"{problem.axis}: not in the mesh, wanted by {wants}")


def _mesh_summary(mesh: Mesh, layout: ShardLayout | None, held: Sequence[SliceGroup]) -> str:
    hosts = len(set(mesh.hosts))
    size = " x ".join(f"{axis.size:,}" for axis in mesh.axes)
    words = f"{mesh.size:,} {'device' if mesh.size == 1 else 'devices'}{f', {size}' if len(mesh.axes) > 1 else ''}"
    words += f" on {hosts:,} hosts" if hosts > 1 else ""
    return words if layout is None else f"{words}: {_holders_summary(layout, held)}"


def _holders_summary(layout: ShardLayout, held: Sequence[SliceGroup]) -> str:
    if not held:
        return "none holds any element"
    shape = "x".join(map(str, layout.shard_shape)) or "a scalar"
    due = f", as summands over {' and '.join(layout.summands)}" if layout.summands else ""
    if len(held) == 1:
        return f"{'each' if len(held[0].device_ids) > 1 else 'one'} holds all of it ({shape}){due}"
    each = f"{layout.copies:,} copies of each" if layout.copies > 1 else "each on one device"
    return f"{len(held):,} different slices of {shape}{due or f', {each}'}"


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
    held = colours, groups, columns = _held(layout)
    if at is not None:
        chosen = [_holds(group, at) for group in groups]
        colours, groups = list(itertools.compress(colours, chosen)), list(itertools.compress(groups, chosen))
        columns = _columns(groups)
    count = len(groups)
    places = _places(columns[len(shape) - len(shown) :] or [()] * len(shown), shown, count)
    holders = [group.device_ids for group in groups]
    texts = map(", ".join, _lines(columns, count))
    # In the order of the fields.
    rows = zip(*places, holders, texts, colours, _shades(columns, count), strict=True)
    boxes = tuple(map(Box._make, rows))
    strips = () if 0 in shape else tuple(_strips(layout) if at is None else _strips_at(layout, at))
    return ArrayDrawing(
        boxes,
        strips,
        _caption(shape) if at is None else _caption_at(shape, at),
        math.prod(shown[:-1]),
        shape[-1] if shape else 1,
        tuple(_edges(layout)),
        _holders_summary(layout, held[1]),
    )


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

"""A mesh as numbers: where each device goes in a picture, before anything knows how to paint.

Colours are roles: a slice's place among the layout's groups (`NOTHING` for none), and its `Shade`. The painter decides
what they look like. Which labels fit at a painter's scale is decided here too, so that nothing ever overlaps.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Literal, NamedTuple

from museum.mesh.arrangement import Arrangement, Course, Place, ground
from museum.mesh.hosts import HostPatch, host_patches
from museum.mesh.labels import LABEL_MARGIN, TextSize
from museum.mesh.layout import ProblemKind, ShardLayout, SliceGroup
from museum.mesh.mesh import Mesh
from museum.mesh.shades import Held, Shade, held_by, in_words

NOTHING = -1
"""Colour and replica number of a device that holds no part of the array."""

Direction = Literal["columns", "rows"]


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
        direction: ``columns`` for left to right, ``rows`` for top to bottom, ``outer`` for blocks in reading order.
        level: 0 inside a grid, 1 between grids, 2 between grids of grids.
    """

    name: str
    size: int
    direction: Place
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


class Heading(NamedTuple):
    """Room for words above a block of an outer axis, in cell widths."""

    axis: str
    number: int
    x: float
    y: float
    w: float
    h: float

    @property
    def texts(self) -> tuple[str, str]:
        """``data=3``, and what to say where that is too long."""
        return f"{self.axis}={self.number}", str(self.number)


@dataclass(frozen=True, slots=True)
class AbsentAxis:
    """An axis that the spec asks for and the mesh has not, to be drawn beside the axes that it has."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class MeshLabels:
    """What there is room for at a scale.

    Attributes:
        ids: Whether every device can carry its id.
        slices: And its slice below that.
        ticks: The axes whose indices fit beside the picture.
        headings: The outer axes whose indices fit above their blocks, with which of `Heading.texts`.
        hosts: Where a host's name goes: into a ``corner`` of its patch, into its ``middle`` where devices have no
            labels, or, short, ``beside`` the id of its first device (`MeshDrawing.tags`).
        summary: Stands for what is left out; "" when every device can carry its id.
    """

    ids: bool
    slices: bool
    ticks: frozenset[str]
    headings: dict[str, int]
    hosts: Literal["", "corner", "middle", "beside"]
    summary: str


@dataclass(frozen=True)
class MeshDrawing:
    """The mesh with its devices, `width` by `height` cells.

    Attributes:
        cells: In mesh order.
        captions: In axis order.
        ticks: Of each axis in axis order, in every grid that it runs through.
        headings: Of each outer axis, for every block.
        absent: Axes that the spec names in vain.
        problem: Why the mesh cannot be, in words; "" when it can. Its `Cell.missing` are where.
        summary: All of it in a line or two, for when it is too small for labels.
    """

    cells: tuple[Cell, ...]
    captions: tuple[AxisCaption, ...]
    width: float
    height: float
    ticks: tuple[Tick, ...] = ()
    headings: tuple[Heading, ...] = ()
    absent: tuple[AbsentAxis, ...] = ()
    problem: str = ""
    summary: str = ""

    @cached_property
    def patches(self) -> tuple[HostPatch, ...]:
        """The devices of each host, when there are several hosts."""
        return host_patches(
            [cell.host for cell in self.cells], [cell.x for cell in self.cells], [cell.y for cell in self.cells]
        )

    @cached_property
    def tags(self) -> dict[tuple[float, float], str]:
        """By place of the first device of each patch, what goes beside its id: `` h3``."""
        return {(patch.x, patch.y): f" h{patch.host}" for patch in self.patches}

    @cached_property
    def _longest(self) -> tuple[int, int, int]:
        """Letters of the longest id and of the longest line of a slice, and the most lines."""
        samples = {cell.lines for cell in self.cells}
        return (
            max((len(cell.label) for cell in self.cells), default=0),
            max((len(line) for lines in samples for line in lines), default=0),
            max(map(len, samples), default=0),
        )

    def labels_at(self, scale: float, text: TextSize | None = None) -> MeshLabels:
        """Which labels fit without touching each other.

        Args:
            scale: Painter's units for one cell width.
            text: What text takes in those units.
        """
        text = text or TextSize()
        room = scale - LABEL_MARGIN
        ids = slices = False
        tallest = 0
        if text.character <= room and text.line <= room:
            widest, longest, tallest = self._longest
            ids = widest * text.character <= room
            slices = ids and tallest > 0 and longest * text.character <= room and (tallest + 1) * text.line <= room
        ticks = set()
        for caption in self.captions:
            extent = min((tick.extent for tick in self.ticks if tick.axis == caption.name), default=0.0) * scale
            if caption.size > 1 and extent >= max(len(str(caption.size - 1)) * text.character + 2, text.line):
                ticks.add(caption.name)
        headings = {c.name: which for c in self.captions if (which := self._heading(c, scale, text)) is not None}
        hosts = self._hosts(scale, text, lines=(1 + tallest if slices else 1) if ids else 0)
        return MeshLabels(ids, slices, frozenset(ticks), headings, hosts, "" if ids else self.summary)

    def _heading(self, caption: AxisCaption, scale: float, text: TextSize) -> int | None:
        """Which of its texts fit above the blocks of an axis."""
        heading = next((one for one in reversed(self.headings) if one.axis == caption.name), None)
        if heading is None or caption.size < 2 or heading.h * scale < text.line:
            return None
        wide = (len(one) * text.character <= heading.w * scale for one in heading.texts)
        return next((number for number, fits in enumerate(wide) if fits), None)

    def _hosts(self, scale: float, text: TextSize, *, lines: int) -> Literal["", "corner", "middle", "beside"]:
        """Where the name of a host finds room, with so many lines around the middle of each device."""
        if not self.patches:
            return ""
        wide = max(len(patch.text) for patch in self.patches) * text.character + LABEL_MARGIN
        narrowest = min(patch.w for patch in self.patches) * scale
        if not lines:
            high = min(patch.h for patch in self.patches) * scale
            return "middle" if wide <= narrowest and text.line + LABEL_MARGIN <= high else ""
        if wide <= narrowest and (lines + 2) * text.line <= scale:
            return "corner"
        beside = (self._longest[0] + max(map(len, self.tags.values()))) * text.character + LABEL_MARGIN
        return "beside" if beside <= scale else ""


def draw_mesh(subject: ShardLayout | Mesh, arrangement: Arrangement | None = None) -> MeshDrawing:
    """Place the devices in the mesh's own grid.

    Args:
        subject: A layout, or a mesh without an array.
        arrangement: Which axes run along rows and columns and which make blocks; by default as `Arrangement.default`.
    """
    layout = None if isinstance(subject, Mesh) else subject
    mesh = subject if isinstance(subject, Mesh) else subject.mesh
    sizes = mesh.axis_sizes
    arrangement = (arrangement or Arrangement()).fitted(sizes)
    courses, width, height = ground(arrangement, sizes)
    held = None if layout is None else held_by(layout)
    cells = _cells(mesh, layout, held, courses)
    captions = tuple(_caption_of(name, size, arrangement, courses) for name, size in sizes.items())
    return MeshDrawing(
        cells,
        captions,
        width,
        height,
        tuple(tick for caption in captions for tick in _ticks(caption, arrangement, courses)),
        tuple(heading for name in arrangement.outer for heading in _headings(name, arrangement, courses)),
        () if layout is None else tuple(_absent(layout)),
        "" if layout is None else next((str(p) for p in layout.problems if p.kind is ProblemKind.MESH_TOO_BIG), ""),
        _summary(mesh, layout, held.groups if held else ()),
    )


_AS_CELL = partial(tuple.__new__, Cell)  # at a third of what its own constructor costs


def _cells(mesh: Mesh, layout: ShardLayout | None, held: Held | None, courses: dict[str, Course]) -> tuple[Cell, ...]:
    """By columns in the order of the fields, because there are thousands."""
    size, ids = mesh.size, mesh.device_ids
    x = mesh.totals({name: course.x for name, course in courses.items() if any(course.x)}, 0.0)
    y = mesh.totals({name: course.y for name, course in courses.items() if any(course.y)}, 0.0)
    ones = [1.0] * size
    colours, replicas, shades, lines = _holdings(mesh, layout, held)
    first_missing = size if layout is None or layout.devices is None else layout.devices
    missing = [False] * min(size, first_missing) + [True] * (size - first_missing)
    rows = zip(
        ids,
        x,
        y,
        ones,
        ones,
        map(str, ids),
        colours,
        replicas,
        range(size),
        mesh.hosts,
        shades,
        lines,
        missing,
        strict=True,
    )
    return tuple(map(_AS_CELL, rows))


_Holdings = tuple[Sequence[int], Sequence[int], Sequence[Shade | None], Sequence[tuple[str, ...]]]


def _holdings(mesh: Mesh, layout: ShardLayout | None, held: Held | None) -> _Holdings:
    """Colour, replica, shade and lines of every device in mesh order."""
    if layout is None or held is None:
        return [NOTHING] * mesh.size, [NOTHING] * mesh.size, [None] * mesh.size, [()] * mesh.size
    place_of = {device_id: place for place, group in enumerate(held.groups) for device_id in group.device_ids}
    places = [place_of.get(device_id, -1) for device_id in mesh.device_ids]
    # What is at the end, where -1 leads, is for devices that hold nothing.
    numbers = [*held.numbers, NOTHING]
    shades = [*held.shades, None]
    lines = [*held.lines, ()]
    replicas = layout.replicas
    return (
        [numbers[place] for place in places],
        [replicas[device_id] if device_id in place_of else NOTHING for device_id in mesh.device_ids],
        [shades[place] for place in places],
        [lines[place] for place in places],
    )


def _caption_of(name: str, size: int, arrangement: Arrangement, courses: dict[str, Course]) -> AxisCaption:
    direction: Place = "rows" if name in arrangement.rows else "columns" if name in arrangement.columns else "outer"
    return AxisCaption(name, size, direction, courses[name].level)


def _ticks(caption: AxisCaption, arrangement: Arrangement, courses: dict[str, Course]) -> Iterator[Tick]:
    """The indices of an axis along its side of the picture, wherever it runs along it."""
    if caption.direction == "outer":
        return
    across = caption.direction == "columns"
    names = arrangement.columns if across else arrangement.rows
    starts = {0.0: None}
    for name in (*arrangement.outer, *names[: names.index(caption.name)]):
        steps = courses[name].x if across else courses[name].y
        starts = dict.fromkeys(start + step for start in starts for step in steps)
    course = courses[caption.name]
    steps, extent = (course.x, course.wide) if across else (course.y, course.high)
    for start in sorted(starts):
        for index, step in enumerate(steps):
            yield Tick(caption.name, index, caption.direction, caption.level, start + step, extent)


def _headings(name: str, arrangement: Arrangement, courses: dict[str, Course]) -> Iterator[Heading]:
    corners = [(0.0, 0.0)]
    for outer in arrangement.outer[: arrangement.outer.index(name)]:
        around = courses[outer]
        corners = [(x + dx, y + dy) for x, y in corners for dx, dy in zip(around.x, around.y, strict=True)]
    course = courses[name]
    for x, y in corners:
        for index, (dx, dy) in enumerate(zip(course.x, course.y, strict=True)):
            yield Heading(name, index, x + dx, y + dy - course.heading, course.wide, course.heading)


def _absent(layout: ShardLayout) -> Iterator[AbsentAxis]:
    seen = set()
    for problem in layout.problems:
        if problem.kind is ProblemKind.UNKNOWN_AXIS and problem.axis not in seen:
            seen.add(problem.axis)
            wants = "unreduced" if problem.dimension is None else f"dimension {problem.dimension}"
            yield AbsentAxis(problem.axis, f"{problem.axis}: not in the mesh, wanted by {wants}")


def _summary(mesh: Mesh, layout: ShardLayout | None, held: Sequence[SliceGroup]) -> str:
    hosts = len(set(mesh.hosts))
    size = " x ".join(f"{axis.size:,}" for axis in mesh.axes)
    words = f"{mesh.size:,} {'device' if mesh.size == 1 else 'devices'}{f', {size}' if len(mesh.axes) > 1 else ''}"
    words += f" on {hosts:,} hosts" if hosts > 1 else ""
    return words if layout is None else f"{words}: {in_words(layout, held)}"

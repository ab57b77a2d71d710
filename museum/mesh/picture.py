"""Layouts composed into one picture: rectangles, words and lines at places in pixels, in colour roles.

What paints it (SVG, the window, a PNG) adds colours and nothing else. Every word has its own room: nothing touches.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from museum.mesh.drawing import (
    Arrangement,
    ArrayDrawing,
    AxisCaption,
    Box,
    Cell,
    Edge,
    MeshDrawing,
    MeshLabels,
    Shade,
    Strip,
    TextSize,
    Tick,
    draw_array,
    draw_mesh,
    fitting,
)
from museum.mesh.dtypes import in_words
from museum.mesh.layout import ShardLayout

Pattern = Literal["", "copy", "summand", "homeless", "missing"]
Role = Literal["ink", "faint", "bad"]
Anchor = Literal["start", "middle", "end"]

TEXT = TextSize(6.05, 14.0)
"""What a character and a line take at `FONT_SIZE`, in a font of equal widths."""
FONT_SIZE = 10.0
_MARGIN = 16.0
_GAP = 28.0  # between the mesh and the array
_LARGEST_CELL, _SMALLEST_CELL = 76.0, 1.5


@dataclass(frozen=True, slots=True)
class Tile:
    """A rectangle: a device, a slice, or what has no home. Without a shade it is empty."""

    x: float
    y: float
    w: float
    h: float
    shade: Shade | None
    pattern: Pattern = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text; `x`, `y` is its anchor on the middle of the line. Turned words run upwards."""

    x: float
    y: float
    text: str
    role: Role = "ink"
    anchor: Anchor = "start"
    turned: bool = False
    bold: bool = False
    plate: bool = False

    @property
    def room(self) -> tuple[float, float, float, float]:
        """The rectangle (x, y, w, h) that it takes."""
        wide, high = TEXT.width(self.text), TEXT.line - 1
        before = {"start": 0.0, "middle": wide / 2, "end": wide}[self.anchor]
        if self.turned:
            return self.x - high / 2, self.y - (wide - before), high, wide
        return self.x - before, self.y - high / 2, wide, high


@dataclass(frozen=True, slots=True)
class Span:
    """A thin line with ends, from one place to another: how far an axis or an index reaches."""

    x1: float
    y1: float
    x2: float
    y2: float
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything to paint, later things above earlier ones.

    Attributes:
        title: What it shows, in a line.
        description: All of it in words, for those who don't see it.
    """

    width: float
    height: float
    tiles: tuple[Tile, ...]
    words: tuple[Words, ...]
    spans: tuple[Span, ...]
    title: str
    description: str


@dataclass(slots=True)
class _Sheet:
    tiles: list[Tile] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    right: float = 0.0

    def say(self, words: Words) -> None:
        self.words.append(words)
        x, _, w, _ = words.room
        self.right = max(self.right, x + w)

    def right_below(self, y: float) -> float:
        """The right edge of everything that was put from `y` on."""
        rooms = [words.room for words in self.words]
        edges = [x + w for x, top, w, high in rooms if top + high > y]
        return max([*edges, *(tile.x + tile.w for tile in self.tiles if tile.y + tile.h > y)], default=0.0)


@dataclass(frozen=True, slots=True)
class Shown:
    """One array to draw.

    Attributes:
        name: "" when it has none.
        at: A slice of the outer dimensions; None to stack them.
    """

    layout: ShardLayout
    name: str = ""
    dtype: str = ""
    at: tuple[int, ...] | None = None

    @property
    def heading(self) -> str:
        """``x: float32[16,16] on P('data', 'model')``."""
        name = f"{self.name}: " if self.name else ""
        spec = f" on {self.layout.spec}" if self.layout.spec is not None else ""
        return f"{name}{self.dtype}[{','.join(map(str, self.layout.shape))}]{spec}"

    @property
    def facts(self) -> str:
        """What every device holds of it, in a line."""
        if 0 in self.layout.shard_shape:
            return "each device: nothing"
        shape = "x".join(map(str, self.layout.shard_shape)) or "a scalar"
        size = f", {in_words(self.layout.bytes_per_device(self.dtype))}" if self.dtype else ""
        copies = f", {self.layout.copies} copies" if self.layout.copies > 1 else ""
        due = f", a summand: the sum over {' and '.join(self.layout.summands)} is due" if self.layout.summands else ""
        return f"each device: {shape}{size}{copies}{due}"


def compose(shown: Sequence[Shown], arrangement: Arrangement | None = None, width: float = 960.0) -> Picture:
    """Each array with its mesh beside it, one below the other, and the problems of each under it.

    Args:
        shown: At least one; all on one mesh.
        arrangement: Of the mesh.
        width: To fit into, in pixels; the picture may be narrower, and wider where a word needs it.
    """
    sheet = _Sheet()
    mesh = shown[0].layout.mesh
    title = f"mesh {', '.join(map(str, mesh.axes)) or 'of one device'}"
    y = _MARGIN + TEXT.line / 2
    sheet.say(Words(_MARGIN, y, title, bold=True))
    y += TEXT.line
    described = [title]
    for one in shown:
        y = _compose_one(sheet, one, arrangement, width, y)
        described += [one.heading, one.facts, *(f"problem: {problem}" for problem in one.layout.problems)]
    return Picture(
        max(sheet.right, max((tile.x + tile.w for tile in sheet.tiles), default=0.0)) + _MARGIN,
        y + _MARGIN - TEXT.line / 2,
        tuple(sheet.tiles),
        tuple(sheet.words),
        tuple(sheet.spans),
        f"{title}: {'; '.join(one.heading for one in shown)}",
        ". ".join(described),
    )


def _compose_one(sheet: _Sheet, one: Shown, arrangement: Arrangement | None, width: float, y: float) -> float:
    """One array from `y` on; where the next one may begin."""
    layout = one.layout
    y += TEXT.line / 2
    sheet.say(Words(_MARGIN, y, one.heading, bold=True))
    sheet.say(Words(_MARGIN, y + TEXT.line, one.facts, "faint"))
    y += 2 * TEXT.line
    mesh = draw_mesh(layout, arrangement)
    array = draw_array(layout, one.at)
    room = width - 2 * _MARGIN
    beside = mesh.width <= 2.2 * mesh.height or mesh.width <= 8
    mesh_room = (room - _GAP) / 2 if beside else room
    right, bottom = _compose_mesh(sheet, layout, mesh, _MARGIN, y, mesh_room)
    left, top = (max(right + _GAP, _MARGIN), y) if beside else (_MARGIN, bottom + TEXT.line / 2)
    shared: Pattern = "summand" if layout.summands else "copy"
    bottom = max(bottom, _compose_array(sheet, array, shared, left, top, (room - _GAP) / 2))
    bottom += 6
    for problem in layout.problems:
        bottom += TEXT.line
        sheet.say(Words(_MARGIN, bottom - TEXT.line / 2, f"✗ {problem.text}", "bad"))
    return bottom + TEXT.line


# -- the mesh ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Grid:
    """A mesh at its place: cells begin at `x0`, `y0`, one is `scale` wide."""

    mesh: MeshDrawing
    labels: MeshLabels
    scale: float
    x0: float
    y0: float = 0.0

    @property
    def height(self) -> float:
        return self.mesh.height * self.scale

    def ticks(self, caption: AxisCaption) -> list[Tick]:
        """The indices of one axis, none where they don't fit."""
        return [tick for tick in self.mesh.ticks if tick.axis == caption.name and tick.axis in self.labels.ticks]


def _compose_mesh(
    sheet: _Sheet, layout: ShardLayout, mesh: MeshDrawing, left: float, top: float, room: float
) -> tuple[float, float]:
    """The mesh in a width of `room`; its right and bottom edges."""
    begin = top
    down = _by_level(mesh.captions, "rows")
    inset = sum(map(_room_beside, down))
    scale = max(_SMALLEST_CELL, min(_LARGEST_CELL, (room - inset) / mesh.width))
    top = _say_absent(sheet, mesh, left, top + TEXT.line / 2)
    grid = _Grid(mesh, mesh.labels_at(scale, TEXT), scale, left + inset)
    grid = replace(grid, y0=_say_columns(sheet, grid, top) - TEXT.line / 2 + 2)
    beneath = _say_rows(sheet, grid, down, left)
    _put_cells(sheet, grid, summands=bool(layout.summands))
    bottom = grid.y0 + grid.height + 4
    for line in (*beneath, *filter(None, (grid.labels.summary,))):
        for part in _wrapped(line, max(room, 40 * TEXT.character)):
            sheet.say(Words(left, bottom + TEXT.line / 2, part, "faint"))
            bottom += TEXT.line
    return max(left + room if beneath or grid.labels.summary else 0.0, sheet.right_below(begin)), bottom


def _say_absent(sheet: _Sheet, mesh: MeshDrawing, left: float, top: float) -> float:
    """Axes that are not there, in their place beside those that are."""
    for absent in mesh.absent:
        text = f"✗ {absent.text}"
        sheet.say(Words(left, top, text, "bad"))
        edge = top + TEXT.line / 2
        sheet.spans.append(Span(left, edge, left + TEXT.width(text), edge, dashed=True))
        top += TEXT.line + 4
    return top


def _say_columns(sheet: _Sheet, grid: _Grid, top: float) -> float:
    """Names and indices of the axes that run to the right; where the cells' first line would stand."""
    for caption in _by_level(grid.mesh.captions, "columns"):
        sheet.say(Words(grid.x0, top, f"{caption.text} →", "faint"))
        top += TEXT.line
        ticks = grid.ticks(caption)
        for tick in ticks:
            start, extent = grid.x0 + tick.start * grid.scale, tick.extent * grid.scale
            sheet.say(Words(start + extent / 2, top, str(tick.number), "faint", "middle"))
            if tick.level:
                sheet.spans.append(Span(start, top + TEXT.line / 2, start + extent, top + TEXT.line / 2))
        top += TEXT.line + 3 if ticks else 0.0
    return top


def _say_rows(sheet: _Sheet, grid: _Grid, down: Sequence[AxisCaption], left: float) -> list[str]:
    """Names and indices of the axes that run downwards; the names that find no room there."""
    beneath = []
    x = left
    for caption in down:
        text = f"← {caption.text}"
        if TEXT.width(text) <= grid.height:
            sheet.say(Words(x + TEXT.line / 2, grid.y0 + grid.height, text, "faint", turned=True))
        else:
            beneath.append(f"↓ {caption.text}")
        x += _room_beside(caption)
        edge = x - 2
        for tick in grid.ticks(caption):
            start, extent = grid.y0 + tick.start * grid.scale, tick.extent * grid.scale
            sheet.say(Words(edge - 2, start + extent / 2, str(tick.number), "faint", "end"))
            if tick.level:
                sheet.spans.append(Span(edge, start, edge, start + extent))
    return beneath


def _room_beside(caption: AxisCaption) -> float:
    """What the name and the indices of an axis take to the left of the mesh."""
    return TEXT.line + TEXT.width(str(caption.size - 1)) + 8


def _put_cells(sheet: _Sheet, grid: _Grid, *, summands: bool) -> None:
    scale, labels = grid.scale, grid.labels
    for cell in grid.mesh.cells:
        x, y = grid.x0 + cell.x * scale, grid.y0 + cell.y * scale
        title = _cell_title(cell, summands=summands)
        middle = (x + scale / 2, y + scale / 2)
        if cell.missing:
            sheet.tiles.append(Tile(x, y, scale, scale, None, "missing", title))
            _say_lines(sheet, (cell.label,) if labels.ids else (), *middle, plate=True)
            continue
        pattern: Pattern = "summand" if summands and cell.shade else "copy" if cell.replica > 0 else ""
        sheet.tiles.append(Tile(x, y, scale, scale, cell.shade, pattern, title))
        lines = (cell.label, *cell.lines) if labels.slices else (cell.label,) if labels.ids else ()
        _say_lines(sheet, lines, *middle, bold_first=labels.slices)


def _cell_title(cell: Cell, *, summands: bool) -> str:
    holds = f"holds [{', '.join(cell.lines)}]" if cell.shade is not None else "holds nothing"
    copy = ", a summand" if summands else f", copy {cell.replica}" if cell.replica > 0 else ""
    lacking = ", which the machine lacks" if cell.missing else ""
    return f"device {cell.label}, host {cell.host}{lacking}: {holds}{copy}"


def _by_level(captions: Iterable[AxisCaption], direction: str) -> list[AxisCaption]:
    """Those of one direction, the outermost first."""
    return sorted((c for c in captions if c.direction == direction), key=lambda caption: -caption.level)


def _say_lines(
    sheet: _Sheet, lines: Sequence[str], x: float, y: float, *, bold_first: bool = False, plate: bool = False
) -> None:
    first = y - (len(lines) - 1) * TEXT.line / 2
    for number, line in enumerate(lines):
        bold = bold_first and number == 0
        sheet.say(Words(x, first + number * TEXT.line, line, "ink", "middle", bold=bold, plate=plate))


def _wrapped(text: str, room: float) -> Iterator[str]:
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and TEXT.width(longer) > room:
            yield line
            line = word
        else:
            line = longer
    yield line


# -- the array --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Frame:
    """An array at its place."""

    array: ArrayDrawing
    x: float
    y: float
    w: float
    h: float

    def rectangle(self, part: Box | Strip) -> tuple[float, float, float, float]:
        """A part of it in pixels."""
        return self.x + part.x * self.w, self.y + part.y * self.h, part.w * self.w, part.h * self.h


def _compose_array(sheet: _Sheet, array: ArrayDrawing, shared: Pattern, left: float, top: float, room: float) -> float:
    """The array in a width of `room`, what several devices share in the pattern `shared`; its bottom edge."""
    turned = [edge for edge in array.edges if edge.direction == "rows"]
    inset = TEXT.line + 4 if turned else 0.0
    wide, high = _array_size(array, room - inset)
    aside = [edge for edge in turned if TEXT.width(_turned_text(edge)) <= high]
    top += TEXT.line / 2
    for edge in array.edges:
        if edge not in aside:
            sheet.say(Words(left, top, _edge_text(array, edge), _edge_role(edge)))
            top += TEXT.line
    frame = _Frame(array, left + inset, top - TEXT.line / 2 + 2, wide, high)
    for edge in aside:
        place = (left + TEXT.line / 2, frame.y + high)
        sheet.say(Words(*place, _turned_text(edge), _edge_role(edge), turned=True))
    complete = _put_boxes(sheet, frame, shared)
    unsaid = _put_strips(sheet, frame)
    if not array.boxes and not array.homeless:
        sheet.tiles.append(Tile(frame.x, frame.y, wide, high, None, "", array.caption))
        unsaid.append((array.caption, "faint"))
    elif not complete:
        unsaid.append((array.summary, "faint"))
    bottom = frame.y + high + 4
    for line, role in unsaid:
        for part in _wrapped(line, room):
            sheet.say(Words(left, bottom + TEXT.line / 2, part, role))
            bottom += TEXT.line
    return bottom


def _put_boxes(sheet: _Sheet, frame: _Frame, shared: Pattern) -> bool:
    """The slices; whether each could carry a label."""
    labels = frame.array.labels_at(frame.w, frame.h, TEXT)
    for box, lines in zip(frame.array.boxes, labels, strict=True):
        x, y, w, h = frame.rectangle(box)
        ids = ", ".join(map(str, box.device_ids[:12])) + (" …" if len(box.device_ids) > 12 else "")
        several = len(box.device_ids) > 1
        title = f"[{box.text}] on {'devices' if several else 'device'} {ids}"
        sheet.tiles.append(Tile(x, y, w, h, box.shade, shared if several else "", title))
        _say_lines(sheet, lines, x + w / 2, y + h / 2)
    return all(labels)


def _put_strips(sheet: _Sheet, frame: _Frame) -> list[tuple[str, Role]]:
    """What has no home; the words that find no room in it."""
    unsaid: list[tuple[str, Role]] = []
    for strip in frame.array.homeless:
        x, y, w, h = frame.rectangle(strip)
        sheet.tiles.append(Tile(x, y, w, h, None, "homeless", strip.text))
        words = Words(x + w / 2, y + h / 2, strip.text, "bad", "middle", plate=True)
        if fitting([(strip.text,)], w, h, TEXT):
            sheet.say(words)
        elif fitting([(strip.text,)], h, w, TEXT):
            sheet.say(replace(words, turned=True))
        elif (f"✗ {strip.text}", "bad") not in unsaid:
            unsaid.append((f"✗ {strip.text}", "bad"))
    return unsaid


def _edge_role(edge: Edge) -> Role:
    return "bad" if edge.problems else "faint"


def _turned_text(edge: Edge) -> str:
    return f"← {edge.text}{' ✗' if edge.problems else ''}"


def _edge_text(array: ArrayDrawing, edge: Edge) -> str:
    mark = "✗ " if edge.problems else ""
    where = {"columns": " →", "rows": " ↓"}.get(edge.direction) or f", {_outer_words(array, edge.dimension)}"
    return f"{mark}{edge.text}{where}"


def _outer_words(array: ArrayDrawing, dimension: int) -> str:
    if dimension >= sum(not edge.text.startswith("no dim") for edge in array.edges):
        return "which the array has not"
    if not array.caption.startswith("slice ["):
        return "in bands"
    index = array.caption.partition("[")[2].partition("]")[0].split(", ")[dimension]
    return f"at {index}"


def _array_size(array: ArrayDrawing, room: float) -> tuple[float, float]:
    """About the array's own proportions, within reason, and room for every band's words where that can be."""
    columns = len({(round(box.x, 9), round(box.w, 9)) for box in array.boxes}) or 1
    wide = min(room, max(columns * 74.0, 240.0))
    lowest = min([*(box.h / 2.4 for box in array.boxes), *(strip.h / 1.5 for strip in array.homeless)], default=1.0)
    shape = array.rows / max(array.columns, 1) if array.rows > 1 else 0.0
    high = min(max(wide * shape, TEXT.line / lowest, 46.0), 460.0)
    return wide, high

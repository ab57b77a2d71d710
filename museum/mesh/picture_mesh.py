"""The mesh of a picture: devices in their grid, its axes beside it, hosts around them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from museum.mesh.arrangement import CELL_GAP
from museum.mesh.layout import ShardLayout
from museum.mesh.mesh_drawing import AxisCaption, Cell, MeshDrawing, MeshLabels, Tick
from museum.mesh.sheet import TEXT, Outline, Pattern, Sheet, Span, Tile, Words, say_lines, wrapped

_LARGEST_CELL, _SMALLEST_CELL = 76.0, 1.5
SMALLEST_OUTLINED = 4.0
"""Cells smaller than this in the painter's units have no outlines of hosts around them: those would cover them."""


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


def put_mesh(
    sheet: Sheet, layout: ShardLayout, mesh: MeshDrawing, left: float, top: float, room: float
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
    _say_headings(sheet, grid)
    _put_hosts(sheet, grid)
    bottom = grid.y0 + grid.height + 4
    framed = "h0 is host 0, and so on" if grid.labels.hosts == "beside" else ""
    for line in (*beneath, *filter(None, (grid.labels.summary, framed))):
        for part in wrapped(line, max(room, 40 * TEXT.character)):
            sheet.say(Words(left, bottom + TEXT.line / 2, part, "faint"))
            bottom += TEXT.line
    return max(left + room if beneath or framed or grid.labels.summary else 0.0, sheet.right_below(begin)), bottom


def _say_absent(sheet: Sheet, mesh: MeshDrawing, left: float, top: float) -> float:
    """Axes that are not there, in their place beside those that are."""
    for absent in mesh.absent:
        text = f"✗ {absent.text}"
        sheet.say(Words(left, top, text, "bad"))
        edge = top + TEXT.line / 2
        sheet.spans.append(Span(left, edge, left + TEXT.width(text), edge, dashed=True))
        top += TEXT.line + 4
    return top


def _say_columns(sheet: Sheet, grid: _Grid, top: float) -> float:
    """Names and indices of the axes that run to the right or make blocks; where the cells' first line would stand."""
    for caption in _by_level(grid.mesh.captions, "outer"):
        sheet.say(Words(grid.x0, top, f"{caption.text} in blocks", "faint"))
        top += TEXT.line
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


def _say_rows(sheet: Sheet, grid: _Grid, down: Sequence[AxisCaption], left: float) -> list[str]:
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


def _put_cells(sheet: Sheet, grid: _Grid, *, summands: bool) -> None:
    scale, labels, tags = grid.scale, grid.labels, grid.mesh.tags
    for cell in grid.mesh.cells:
        x, y = grid.x0 + cell.x * scale, grid.y0 + cell.y * scale
        title = _cell_title(cell, summands=summands)
        middle = (x + scale / 2, y + scale / 2)
        if cell.missing:
            sheet.tiles.append(Tile(x, y, scale, scale, None, "missing", title))
            say_lines(sheet, (cell.label,) if labels.ids else (), *middle, plate=True)
            continue
        pattern: Pattern = "summand" if summands and cell.shade else "copy" if cell.replica > 0 else ""
        sheet.tiles.append(Tile(x, y, scale, scale, cell.shade, pattern, title))
        label = cell.label + (tags.get((cell.x, cell.y), "") if labels.hosts == "beside" else "")
        lines = (label, *cell.lines) if labels.slices else (label,) if labels.ids else ()
        say_lines(sheet, lines, *middle, bold_first=labels.slices)


def _say_headings(sheet: Sheet, grid: _Grid) -> None:
    """The index of each block, above it."""
    for heading in grid.mesh.headings:
        which = grid.labels.headings.get(heading.axis)
        if which is not None:
            x, y = grid.x0 + heading.x * grid.scale, grid.y0 + (heading.y + heading.h) * grid.scale
            sheet.say(Words(x, y - TEXT.line / 2, heading.texts[which], "faint"))


def _put_hosts(sheet: Sheet, grid: _Grid) -> None:
    """A frame around the devices of each host, half-way to the next ones, with its name where that finds room."""
    scale, edge = grid.scale, grid.scale * CELL_GAP / 2
    for patch in grid.mesh.patches if scale >= SMALLEST_OUTLINED else ():
        x, y, w, h = grid.x0 + patch.x * scale, grid.y0 + patch.y * scale, patch.w * scale, patch.h * scale
        sheet.outlines.append(Outline(x - edge, y - edge, w + 2 * edge, h + 2 * edge, patch.text))
        if grid.labels.hosts == "corner":
            sheet.say(Words(x + 2, y + 1 + TEXT.line / 2, patch.text, "faint"))
        elif grid.labels.hosts == "middle":
            sheet.say(Words(x + w / 2, y + h / 2, patch.text, "ink", "middle", plate=True))


def _cell_title(cell: Cell, *, summands: bool) -> str:
    holds = f"holds [{', '.join(cell.lines)}]" if cell.shade is not None else "holds nothing"
    copy = ", a summand" if summands else f", copy {cell.replica}" if cell.replica > 0 else ""
    lacking = ", which the machine lacks" if cell.missing else ""
    return f"device {cell.label}, host {cell.host}{lacking}: {holds}{copy}"


def _by_level(captions: Iterable[AxisCaption], direction: str) -> list[AxisCaption]:
    """Those of one direction, the outermost first."""
    return sorted((c for c in captions if c.direction == direction), key=lambda caption: -caption.level)

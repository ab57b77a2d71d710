"""The studio's mesh, to zoom and to pan: devices in the mesh's grid, axes beside them, hosts around them.

Only what is in sight is painted; labels come where there is room for all of them, and a summary stands in for them
where there is none.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from operator import itemgetter
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from gui.theme import Theme
from gui.widgets.canvas import SMALLEST_EDGED, Canvas
from gui.widgets.mesh_view import Lit
from gui.widgets.pen import Pen, pixels_along
from museum.mesh.arrangement import CELL_GAP
from museum.mesh.mesh_drawing import AxisCaption, Cell, MeshDrawing, MeshLabels
from museum.mesh.picture_mesh import SMALLEST_OUTLINED
from museum.mesh.shades import Shade

LARGEST_CELL = 76.0  # pixels of a device where all of them are in sight
LARGEST_ZOOMED = 190.0  # pixels of a device at the most


Span = tuple[int, int]
_Place = tuple[float, float]


class _Looks(NamedTuple):
    """Places of devices in cell widths, by shade; copies beside that, what the machine lacks; all columns and rows."""

    tiles: dict[Shade | None, list[_Place]]
    copies: list[_Place]
    missing: list[_Place]
    xs: set[float]
    ys: set[float]


class MeshCanvas(Canvas):
    """Devices in the mesh's own grid, with its axes beside them.

    Args:
        theme: Colours and sizes.
    """

    def __init__(self, theme: Theme) -> None:
        self._drawing: MeshDrawing | None = None
        self._by_id: dict[int, Cell] | None = None
        self._looks: _Looks | None = None
        self._gutters: tuple[Pen, tuple[float, float, float]] | None = None
        self._summands = False
        super().__init__(theme, "Mesh")

    def set_drawing(self, drawing: MeshDrawing | None, *, summands: bool = False) -> None:
        """Show another mesh; zoom and place stay when it is of the same size."""
        before = self._drawing
        self._drawing, self._summands = drawing, summands
        self._by_id = self._looks = self._gutters = None
        self.setAccessibleDescription(drawing.summary if drawing else "")
        if before is None or drawing is None or (before.width, before.height) != (drawing.width, drawing.height):
            self.fit()
        else:
            self._bound()

    @property
    def _cells(self) -> dict[int, Cell]:
        """By device id; made when first asked for, because an edit asks for none."""
        if self._by_id is None:
            self._by_id = {cell.device_id: cell for cell in self._drawing.cells} if self._drawing else {}
        return self._by_id

    @property
    def is_empty(self) -> bool:
        """Whether there is no mesh."""
        return self._drawing is None

    def _captions(self, direction: str) -> list[AxisCaption]:
        """Of one direction, the outermost first."""
        captions = self._drawing.captions if self._drawing else ()
        return sorted((c for c in captions if c.direction == direction), key=lambda caption: -caption.level)

    def gutters(self) -> tuple[float, float, float]:
        """Names and indices of the axes, those that are not there, and a line of summary."""
        if self._gutters is None or self._gutters[0] is not self.pen:  # asked for at each label of a paint
            self._gutters = (self.pen, self._measured())
        return self._gutters[1]

    def _measured(self) -> tuple[float, float, float]:
        line, character = self.pen.size.line, self.pen.size.character
        left = sum(line + 6 + len(str(c.size - 1)) * character for c in self._captions("rows")) + 8
        absent = len(self._drawing.absent) if self._drawing else 0
        blocks = len(self._captions("outer"))
        top = (2 * len(self._captions("columns")) + absent + blocks) * line + 10
        return left, top, 2 * line + 8

    def extent(self) -> QSizeF:
        """All cells at the scale at which they fit."""
        scale = self._fitting_scale()
        return QSizeF(self._drawing.width * scale, self._drawing.height * scale) if self._drawing else QSizeF(1, 1)

    def _fitting_scale(self) -> float:
        if self._drawing is None:
            return 1.0
        area = self.area()
        wide, high = area.width() - 8, area.height() - 4
        return max(0.2, min(LARGEST_CELL, wide / self._drawing.width, high / self._drawing.height))

    def most_zoom(self) -> float:
        """Until a device is large."""
        return max(1.0, LARGEST_ZOOMED / self._fitting_scale())

    @property
    def scale(self) -> float:
        """Pixels of a cell."""
        return self._fitting_scale() * self._zoom

    def _rect(self, x: float, y: float, w: float = 1.0, h: float = 1.0) -> QRect:
        """On whole pixels, as cells are painted."""
        corner, scale = self.content().topLeft(), self.scale
        left, top = round(corner.x() + x * scale), round(corner.y() + y * scale)
        right, bottom = round(corner.x() + (x + w) * scale), round(corner.y() + (y + h) * scale)
        return QRect(left, top, max(right - left, 1), max(bottom - top, 1))

    def at(self, place: QPointF) -> Lit:
        """The device under a place."""
        if self._drawing is None or not self.area().contains(place):
            return Lit()
        corner, scale = self.content().topLeft(), self.scale
        x, y = (place.x() - corner.x()) / scale, (place.y() - corner.y()) / scale
        for cell in self._drawing.cells:
            if cell.x <= x < cell.x + cell.w and cell.y <= y < cell.y + cell.h:
                return Lit(frozenset([cell.device_id]), cell.device_id)
        return Lit()

    def steps(self) -> Sequence[Lit]:
        """Each device in mesh order."""
        return [Lit(frozenset([device_id]), device_id) for device_id in self._cells]

    def _places(self, devices: Iterable[int]) -> Iterable[tuple[int, QRectF]]:
        for device_id in devices:
            cell = self._cells.get(device_id)
            if cell is not None:
                yield device_id, QRectF(self._rect(cell.x, cell.y)).adjusted(0.5, 0.5, -0.5, -0.5)

    def lit_places(self) -> Iterable[tuple[QRectF, bool]]:
        """The lit devices, the one in question last."""
        for device_id, rect in self._places(sorted(self.lit.devices, key=lambda one: one == self.lit.chosen)):
            yield rect, device_id == self.lit.chosen

    def marked_places(self) -> Iterable[QRectF]:
        """The marked devices."""
        return (rect for _, rect in self._places(self.marked))

    def _spans(self, *, edged: bool = False) -> tuple[dict[float, Span], dict[float, Span]]:
        """The pixels of the columns and of the rows of devices that can be seen; a pixel less for an edge."""
        looks, area, corner, scale = self._by_look(), self.area(), self.content().topLeft(), self.scale
        xs, ys = zip(looks.xs, repeat(1.0)), zip(looks.ys, repeat(1.0))
        across = pixels_along(xs, corner.x(), scale, (area.left(), area.right()), less=edged)
        down = pixels_along(ys, corner.y(), scale, (area.top(), area.bottom()), less=edged)
        return {x: span for (x, _), span in across.items()}, {y: span for (y, _), span in down.items()}

    def _by_look(self) -> "_Looks":
        """The places of all devices by what they look like; made once for each drawing."""
        if self._looks is None:
            tiles: dict[Shade | None, list[_Place]] = defaultdict(list)
            cells = self._drawing.cells if self._drawing else ()
            self._looks = _Looks(tiles, [], [], set(map(itemgetter(1), cells)), set(map(itemgetter(2), cells)))
            for cell in cells:
                place = (cell.x, cell.y)
                if cell.missing:
                    self._looks.missing.append(place)
                    continue
                tiles[cell.shade].append(place)
                if cell.replica > 0 or (self._summands and cell.shade):
                    self._looks.copies.append(place)
        return self._looks

    def paint_all(self, painter: QPainter) -> None:
        """Cells, labels, axes, a summary where labels find no room."""
        drawing = self._drawing
        assert drawing is not None  # noqa: S101 - the caller looked
        painter.setFont(self.pen.font)
        labels = drawing.labels_at(self.scale, self.pen.size)
        self._paint_axes(painter, drawing, labels.ticks)
        painter.save()
        painter.setClipRect(self.area())
        self._paint_cells(painter)
        self._paint_headings(painter, drawing, labels)
        if labels.ids:
            tags = drawing.tags if labels.hosts == "beside" else {}
            self._paint_labels(painter, drawing.cells, tags, slices=labels.slices)
        painter.setClipRect(self.area().adjusted(-3, -3, 3, 3))  # the frames of hosts stand around the outermost cells
        self._paint_hosts(painter, drawing, labels)
        painter.restore()
        words = f"✗ {drawing.problem}" if drawing.problem else labels.summary
        if not words and drawing.patches and labels.hosts in ("", "beside"):
            words = "Frames are hosts" + (", h0 host 0." if labels.hosts else ": zoom in for their names.")
        self.paint_summary(painter, words, "bad" if drawing.problem else "faint")

    def _paint_cells(self, painter: QPainter) -> None:
        looks = self._by_look()
        edged = self.scale >= SMALLEST_EDGED
        spans = self._spans(edged=edged)
        for shade, places in looks.tiles.items():
            self.paint_tiles(painter, shade, _rects(places, *spans), edged=edged)
        self.paint_pattern(painter, "summand" if self._summands else "copy", _rects(looks.copies, *spans))
        for rect in _rects(looks.missing, *self._spans()) if looks.missing else ():
            self.paint_bad(painter, rect, "missing")

    def _paint_headings(self, painter: QPainter, drawing: MeshDrawing, labels: MeshLabels) -> None:
        """The index of each block, above it; it stays in sight as long as some of its room is."""
        painter.setPen(self.theme.colour("faint"))
        area, line, corner, scale = self.area(), self.pen.size.line, self.content().topLeft(), self.scale
        for heading in drawing.headings:
            which = labels.headings.get(heading.axis)
            if which is None:
                continue
            x, y = corner.x() + heading.x * scale, corner.y() + heading.y * scale
            room = QRectF(x, y, heading.w * scale, heading.h * scale)
            text = heading.texts[which]
            left = max(room.left(), area.left())
            if left + self.pen.size.width(text) <= min(room.right() + 1, area.right()):
                self.pen.say(painter, left, room.bottom() - line / 2, text)

    def _paint_hosts(self, painter: QPainter, drawing: MeshDrawing, labels: MeshLabels) -> None:
        """A frame around the devices of each host, with its name where that finds room."""
        scale, area, line, corner = self.scale, self.area(), self.pen.size.line, self.content().topLeft()
        if scale < SMALLEST_OUTLINED:
            return
        edge = max(scale * CELL_GAP / 2, 0.5)
        ink = self.theme.colour("ink")
        for patch in drawing.patches:
            rect = QRectF(corner.x() + patch.x * scale, corner.y() + patch.y * scale, patch.w * scale, patch.h * scale)
            around = rect.adjusted(-edge, -edge, edge - 1, edge - 1)
            if not around.intersects(area):
                continue
            painter.setPen(QPen(ink, 1.6))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(around)
            if labels.hosts == "corner":
                painter.setPen(ink)
                self.pen.say(painter, rect.left() + 2, rect.top() + 1 + line / 2, patch.text)
            elif labels.hosts == "middle":
                self.paint_plate(painter, rect.center(), patch.text, colour="ink")

    def _paint_labels(
        self, painter: QPainter, cells: Sequence[Cell], tags: Mapping[_Place, str], *, slices: bool
    ) -> None:
        line = self.pen.size.line
        columns, rows = self._spans()
        seen = [
            (cell, QRect(column[0], row[0], column[1], row[1]))
            for cell in cells
            if (column := columns.get(cell[1])) and (row := rows.get(cell[2]))
        ]
        bold = QFont(self.pen.font)
        bold.setBold(True)
        painter.setPen(QColor(self.palette_of_shards.ink))
        for cell, rect in seen:
            if not slices or not cell.lines:
                label = cell.label + tags.get((cell.x, cell.y), "")
                self.pen.say_centred(painter, QRectF(rect).center(), (label,))
            elif not cell.missing:
                self.pen.say_centred(painter, QRectF(rect).center() + QPointF(0, line / 2), cell.lines)
        if not slices:
            return
        painter.setFont(bold)
        for cell, rect in seen:
            above = len(cell.lines) * line / 2 if not cell.missing else 0.0
            if cell.lines:
                label = cell.label + tags.get((cell.x, cell.y), "")
                self.pen.say_centred(painter, QRectF(rect).center() - QPointF(0, above), (label,))
        painter.setFont(self.pen.font)

    def _paint_axes(self, painter: QPainter, drawing: MeshDrawing, ticked: frozenset[str]) -> None:
        area, content, line, scale = self.area(), self.content(), self.pen.size.line, self.scale
        y = 4 + line / 2
        painter.setPen(self.theme.colour("bad"))
        for absent in drawing.absent:
            self.pen.say(painter, area.left(), y, f"✗ {absent.text}")
            y += line
        painter.setPen(self.theme.colour("faint"))
        for caption in self._captions("outer"):
            self.pen.say(painter, area.left(), y, f"{caption.text} in blocks")
            y += line
        rows = self._captions("rows")
        aside = [c for c in rows if self.pen.size.width(f"← {c.text}") <= area.height()]
        below = "  ".join(f"{c.text} ↓" for c in rows if c not in aside)
        for caption in self._captions("columns"):
            self.pen.say(painter, area.left(), y, f"{caption.text} →{f'   {below}' if below else ''}")
            below = ""
            y += line
            for tick in drawing.ticks if caption.name in ticked else ():
                if tick.axis == caption.name:
                    start = content.left() + tick.start * scale
                    stop = start + tick.extent * scale
                    seen = max(start, area.left()), min(stop, area.right())
                    self._paint_tick(painter, str(tick.number), seen, y, level=tick.level)
            y += line
        x = 4.0
        for caption in rows:
            if caption in aside:
                painter.save()
                text = f"← {caption.text}"
                bottom = min(area.top() + content.height(), area.bottom())
                bottom = max(bottom, area.top() + self.pen.size.width(text))
                painter.translate(x + line / 2, bottom)
                painter.rotate(-90)
                self.pen.say(painter, 0, 0, text)
                painter.restore()
            x += line + 6 + len(str(caption.size - 1)) * self.pen.size.character
            for tick in drawing.ticks if caption.name in ticked else ():
                if tick.axis == caption.name:
                    start = content.top() + tick.start * scale
                    seen = max(start, area.top()), min(start + tick.extent * scale, area.bottom())
                    self._paint_row_tick(painter, str(tick.number), seen, x)

    def _paint_tick(
        self, painter: QPainter, text: str, span: tuple[float, float], middle: float, *, level: int
    ) -> None:
        start, stop = span
        wide = self.pen.size.width(text)
        if stop - start < wide:  # out of sight, or too little of it is in sight
            return
        self.pen.say(painter, (start + stop - wide) / 2, middle, text)
        if level:
            painter.drawLine(
                QPointF(start, middle + self.pen.size.line / 2), QPointF(stop, middle + self.pen.size.line / 2)
            )

    def _paint_row_tick(self, painter: QPainter, text: str, span: tuple[float, float], right: float) -> None:
        start, stop = span
        if stop - start >= self.pen.size.line:
            self.pen.say(painter, right - self.pen.size.width(text) - 3, (start + stop) / 2, text)


def _rects(places: Iterable[_Place], columns: Mapping[float, Span], rows: Mapping[float, Span]) -> list[QRect]:
    """Those that can be seen."""
    return [
        QRect(column[0], row[0], column[1], row[1])
        for x, y in places
        if (column := columns.get(x)) and (row := rows.get(y))
    ]

"""The studio's two pictures, to zoom and to pan: devices in the mesh's grid, and the array cut into its slices.

Only what is in sight is painted; labels come where there is room for all of them, and a summary stands in for them
where there is none.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter

from gui.theme import Theme
from gui.widgets.canvas import SMALLEST_EDGED, Canvas
from gui.widgets.mesh_view import Lit
from museum.mesh.drawing import ArrayDrawing, AxisCaption, Box, Cell, MeshDrawing, Shade, Strip, fitting

LARGEST_CELL = 76.0  # pixels of a device where all of them are in sight
LARGEST_ZOOMED = 190.0  # pixels of a device at the most
FINEST = 0.75  # pixels of a slice that can still be seen
MOST_EDGES = 6  # lines above the array


class MeshCanvas(Canvas):
    """Devices in the mesh's own grid, with its axes beside them.

    Args:
        theme: Colours and sizes.
    """

    def __init__(self, theme: Theme) -> None:
        self._drawing: MeshDrawing | None = None
        self._by_id: dict[int, Cell] = {}
        self._summands = False
        super().__init__(theme, "Mesh")

    def set_drawing(self, drawing: MeshDrawing | None, *, summands: bool = False) -> None:
        """Show another mesh; zoom and place stay when it is of the same size."""
        before = self._drawing
        self._drawing, self._summands = drawing, summands
        self._by_id = {cell.device_id: cell for cell in drawing.cells} if drawing else {}
        self.setAccessibleDescription(drawing.summary if drawing else "")
        if before is None or drawing is None or (before.width, before.height) != (drawing.width, drawing.height):
            self.fit()
        else:
            self._bound()

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
        line, character = self.pen.size.line, self.pen.size.character
        left = sum(line + 6 + len(str(c.size - 1)) * character for c in self._captions("rows")) + 8
        absent = len(self._drawing.absent) if self._drawing else 0
        top = (2 * len(self._captions("columns")) + absent) * line + 10
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

    def _rect(self, cell: Cell) -> QRect:
        return _pixels(self.content().topLeft(), [cell], self.scale, self.scale)[0]

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
        return [Lit(frozenset([device_id]), device_id) for device_id in self._by_id]

    def lit_places(self) -> Iterable[tuple[QRectF, bool]]:
        """The lit devices, the one in question last."""
        ids = [device_id for device_id in self.lit.devices if device_id in self._by_id]
        for device_id in sorted(ids, key=lambda one: one == self.lit.chosen):
            yield (
                QRectF(self._rect(self._by_id[device_id])).adjusted(0.5, 0.5, -0.5, -0.5),
                device_id == self.lit.chosen,
            )

    def _visible(self) -> list[Cell]:
        assert self._drawing is not None  # noqa: S101 - callers looked
        area, corner, scale = self.area(), self.content().topLeft(), self.scale
        left, top = (area.left() - corner.x()) / scale - 1, (area.top() - corner.y()) / scale - 1
        right, bottom = (area.right() - corner.x()) / scale, (area.bottom() - corner.y()) / scale
        return [cell for cell in self._drawing.cells if left < cell.x < right and top < cell.y < bottom]

    def paint_all(self, painter: QPainter) -> None:
        """Cells, labels, axes, a summary where labels find no room."""
        drawing = self._drawing
        assert drawing is not None  # noqa: S101 - the caller looked
        painter.setFont(self.pen.font)
        labels = drawing.labels_at(self.scale, self.pen.size)
        self._paint_axes(painter, drawing, labels.ticks)
        cells = self._visible()
        corner, scale = self.content().topLeft(), self.scale
        painter.save()
        painter.setClipRect(self.area())
        tiles: dict[Shade | None, list[QRect]] = defaultdict(list)
        copies: list[QRect] = []
        missing: list[QRect] = []
        rects = _pixels(corner, cells, scale, scale)
        for cell, rect in zip(cells, rects, strict=True):
            if cell.missing:
                missing.append(rect)
                continue
            tiles[cell.shade].append(rect)
            if cell.replica > 0 or (self._summands and cell.shade):
                copies.append(rect)
        self.paint_tiles(painter, tiles)
        self.paint_pattern(painter, "summand" if self._summands else "copy", copies)
        for rect in missing:
            self.paint_bad(painter, rect, "missing")
        if labels.ids:
            self._paint_labels(painter, cells, rects, slices=labels.slices)
        painter.restore()
        words = f"✗ {drawing.problem}" if drawing.problem else labels.summary
        self.paint_summary(painter, words, "bad" if drawing.problem else "faint")

    def _paint_labels(self, painter: QPainter, cells: list[Cell], rects: list[QRect], *, slices: bool) -> None:
        ink, line = QColor(self.palette_of_shards.ink), self.pen.size.line
        bold = QFont(self.pen.font)
        bold.setBold(True)
        painter.setPen(ink)
        if not slices:
            for cell, rect in zip(cells, rects, strict=True):
                self.pen.say_centred(painter, QRectF(rect).center(), (cell.label,))
            return
        for cell, rect in zip(cells, rects, strict=True):
            if not cell.lines:
                self.pen.say_centred(painter, QRectF(rect).center(), (cell.label,))
            elif not cell.missing:
                self.pen.say_centred(painter, QRectF(rect).center() + QPointF(0, line / 2), cell.lines)
        painter.setFont(bold)
        for cell, rect in zip(cells, rects, strict=True):
            above = len(cell.lines) * line / 2 if not cell.missing else 0.0
            if cell.lines:
                self.pen.say_centred(painter, QRectF(rect).center() - QPointF(0, above), (cell.label,))

    def _paint_axes(self, painter: QPainter, drawing: MeshDrawing, ticked: frozenset[str]) -> None:
        area, content, line = self.area(), self.content(), self.pen.size.line
        y = 4 + line / 2
        painter.setPen(self.theme.colour("bad"))
        for absent in drawing.absent:
            self.pen.say(painter, area.left(), y, f"✗ {absent.text}")
            y += line
        rule = self.theme.colour("faint")
        painter.setPen(rule)
        rows = self._captions("rows")
        aside = [c for c in rows if self.pen.size.width(f"← {c.text}") <= area.height()]
        below = "  ".join(f"{c.text} ↓" for c in rows if c not in aside)
        for caption in self._captions("columns"):
            self.pen.say(painter, area.left(), y, f"{caption.text} →{f'   {below}' if below else ''}")
            below = ""
            y += line
            for tick in drawing.ticks if caption.name in ticked else ():
                if tick.axis == caption.name:
                    start = content.left() + tick.start * self.scale
                    stop = start + tick.extent * self.scale
                    self._paint_tick(painter, str(tick.number), (start, stop), y, level=tick.level)
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
                    start = content.top() + tick.start * self.scale
                    self._paint_row_tick(painter, str(tick.number), (start, start + tick.extent * self.scale), x)

    def _paint_tick(
        self, painter: QPainter, text: str, span: tuple[float, float], middle: float, *, level: int
    ) -> None:
        area = self.area()
        start, stop = max(span[0], area.left()), min(span[1], area.right())
        wide = self.pen.size.width(text)
        if stop - start < wide:  # out of sight, or too little of it is in sight
            return
        self.pen.say(painter, (start + stop - wide) / 2, middle, text)
        if level:
            painter.drawLine(
                QPointF(start, middle + self.pen.size.line / 2), QPointF(stop, middle + self.pen.size.line / 2)
            )

    def _paint_row_tick(self, painter: QPainter, text: str, span: tuple[float, float], right: float) -> None:
        area = self.area()
        start, stop = max(span[0], area.top()), min(span[1], area.bottom())
        if stop - start >= self.pen.size.line:
            self.pen.say(painter, right - self.pen.size.width(text) - 3, (start + stop) / 2, text)


class ArrayCanvas(Canvas):
    """An array cut along its spec; what has no home is hatched, with its words.

    Args:
        theme: Colours and sizes.
    """

    def __init__(self, theme: Theme) -> None:
        self._drawing: ArrayDrawing | None = None
        self._by_id: dict[int, Box] = {}
        self._columns, self._lowest = 1, 1.0
        self._summands = False
        super().__init__(theme, "Array")

    def set_drawing(self, drawing: ArrayDrawing | None, *, summands: bool = False) -> None:
        """Show another array; zoom and place stay when it is of the same shape."""
        before = self._drawing
        self._drawing, self._summands = drawing, summands
        boxes, strips = (drawing.boxes, drawing.homeless) if drawing else ((), ())
        self._columns = len({(round(box.x, 9), round(box.w, 9)) for box in boxes}) or 1
        self._lowest = min([*(box.h / 2.4 for box in boxes), *(strip.h / 1.5 for strip in strips)], default=1.0)
        self._by_id = {device: box for box in drawing.boxes for device in box.device_ids} if drawing else {}
        self.setAccessibleDescription(f"{drawing.caption}. {drawing.summary}" if drawing else "")
        same = before and drawing and (before.rows, before.columns) == (drawing.rows, drawing.columns)
        if same:
            self._bound()
        else:
            self.fit()

    @property
    def is_empty(self) -> bool:
        """Whether there is no array."""
        return self._drawing is None

    def gutters(self) -> tuple[float, float, float]:
        """A line for each dimension above, a line of summary below."""
        lines = len(self._edge_lines())
        return 8.0, lines * self.pen.size.line + 10, 2 * self.pen.size.line + 8

    def _edge_lines(self) -> list[tuple[str, bool]]:
        """Words on each dimension, and whether something is wrong with it."""
        lines = []
        for edge in self._drawing.edges if self._drawing else ():
            where = {"columns": " →", "rows": " ↓"}.get(edge.direction, "")
            lines.append((f"{'✗ ' if edge.problems else ''}{edge.text}{where}", bool(edge.problems)))
        if len(lines) > MOST_EDGES:
            rest = lines[: len(lines) - MOST_EDGES + 1]
            lines = [("; ".join(text for text, _ in rest), any(bad for _, bad in rest)), *lines[len(rest) :]]
        return lines

    def extent(self) -> QSizeF:
        """About the array's own proportions, and room for every band's words where that can be."""
        drawing, area = self._drawing, self.area()
        if drawing is None:
            return QSizeF(1, 1)
        wide = min(area.width() - 8, max(self._columns * 150.0, 380.0))
        shape = drawing.rows / max(drawing.columns, 1) if drawing.rows > 1 else 0.0
        high = min(max(wide * shape, self.pen.size.line / self._lowest, 3.2 * self.pen.size.line), area.height() - 4)
        return QSizeF(max(wide, 1.0), max(high, 1.0))

    def most_zoom(self) -> float:
        """Until the smallest box can carry its words."""
        drawing, size = self._drawing, self.extent()
        if drawing is None or not drawing.boxes:
            return 4.0
        least = min(drawing.boxes, key=lambda box: box.w * box.h)
        wide = self.pen.size.width(least.text) * 1.5 + 60
        needed = max(wide / (least.w * size.width()), 4 * self.pen.size.line / (least.h * size.height()))
        return max(4.0, min(needed, 1_000.0))

    def _rect(self, piece: Box | Strip) -> QRect:
        content = self.content()
        return _pixels(content.topLeft(), [piece], content.width(), content.height())[0]

    def at(self, place: QPointF) -> Lit:
        """The devices that hold what lies under a place."""
        if self._drawing is None or not self.area().contains(place):
            return Lit()
        content = self.content()
        x, y = (place.x() - content.x()) / content.width(), (place.y() - content.y()) / content.height()
        for box in self._drawing.boxes:
            if box.x <= x < box.x + box.w and box.y <= y < box.y + box.h:
                return Lit(frozenset(box.device_ids), box.device_ids[0])
        return Lit()

    def steps(self) -> Sequence[Lit]:
        """Each slice in reading order."""
        boxes = self._drawing.boxes if self._drawing else ()
        return [Lit(frozenset(box.device_ids), box.device_ids[0]) for box in boxes]

    def lit_places(self) -> Iterable[tuple[QRectF, bool]]:
        """The boxes of lit devices."""
        chosen = self._by_id.get(self.lit.chosen) if self.lit.chosen is not None else None
        boxes = {id(box): box for device in self.lit.devices if (box := self._by_id.get(device))}
        for box in boxes.values():
            yield QRectF(self._rect(box)).adjusted(1, 1, -1, -1), box is chosen

    def _visible(self) -> list[Box]:
        assert self._drawing is not None  # noqa: S101 - callers looked
        area, content = self.area(), self.content()
        wide, high = content.width(), content.height()
        left, top = (area.left() - content.left()) / wide, (area.top() - content.top()) / high
        right, bottom = (area.right() - content.left()) / wide, (area.bottom() - content.top()) / high
        return [
            box
            for box in self._drawing.boxes
            if box.x < right and box.x + box.w > left and box.y < bottom and box.y + box.h > top
        ]

    def paint_all(self, painter: QPainter) -> None:
        """Boxes with their ranges and devices, strips with their words, what cuts each dimension."""
        drawing = self._drawing
        assert drawing is not None  # noqa: S101 - the caller looked
        painter.setFont(self.pen.font)
        self._paint_edges(painter)
        painter.save()
        painter.setClipRect(self.area())
        boxes, content = self._visible(), self.content()
        corner, wide, high = content.topLeft(), content.width(), content.height()
        rects = _pixels(corner, boxes, wide, high)
        tiles: dict[Shade | None, list[QRect]] = defaultdict(list)
        shared: list[QRect] = []
        thin = [box for box in boxes if box.w * wide < FINEST or box.h * high < FINEST]
        if thin and len(thin) == len(boxes):
            self._paint_too_fine(painter, content.intersected(self.area()))
            boxes, rects = [], []
        for box, rect in zip(boxes, rects, strict=True):
            gap = int(min(rect.width(), rect.height()) >= 3 * SMALLEST_EDGED)
            inner = rect.adjusted(gap, gap, -gap, -gap)
            tiles[box.shade].append(inner)
            if len(box.device_ids) > 1:
                shared.append(inner)
        self.paint_tiles(painter, tiles)
        self.paint_pattern(painter, "summand" if self._summands else "copy", shared)
        room = max((rect.height() for rect in rects), default=0) >= self.pen.size.line
        labels = (
            replace(drawing, boxes=tuple(boxes)).labels_at(wide, high, self.pen.size) if room else ((),) * len(boxes)
        )
        painter.setPen(QColor(self.palette_of_shards.ink))
        for rect, lines in zip(rects, labels, strict=True):
            if lines:
                self.pen.say_centred(painter, QRectF(rect).center(), lines)
        unsaid = self._paint_strips(painter)
        painter.restore()
        self._paint_below(painter, unsaid, complete=bool(boxes) and all(labels))

    def _paint_too_fine(self, painter: QPainter, rect: QRectF) -> None:
        """Slices thinner than a pixel would paint over each other: none of them would be seen as it is."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(self.theme.colour("faint"), Qt.BrushStyle.HorPattern))
        painter.drawRect(rect)
        painter.setBrush(self.theme.colour("paper"))
        words = "too fine to tell apart: zoom in"
        wide, high = self.pen.size.width(words) + 12, self.pen.size.line + 4
        painter.drawRect(QRectF(rect.center().x() - wide / 2, rect.center().y() - high / 2, wide, high))
        painter.setPen(self.theme.colour("faint"))
        self.pen.say_centred(painter, rect.center(), (words,))

    def _paint_strips(self, painter: QPainter) -> list[str]:
        """What has no home; the words that find no room."""
        unsaid = []
        assert self._drawing is not None  # noqa: S101 - the caller looked
        for strip in self._drawing.homeless:
            rect = self._rect(strip)
            self.paint_bad(painter, rect.adjusted(1, 1, -1, -1), "homeless")
            seen = QRectF(rect).intersected(self.area())
            if fitting([(strip.text,)], seen.width(), seen.height() + 2, self.pen.size):
                self.paint_plate(painter, seen.center(), strip.text)
            elif fitting([(strip.text,)], seen.height(), seen.width() + 2, self.pen.size):
                self.paint_plate(painter, seen.center(), strip.text, turned=True)
            elif strip.text not in unsaid:
                unsaid.append(strip.text)
        return unsaid

    def _paint_edges(self, painter: QPainter) -> None:
        y = 4 + self.pen.size.line / 2
        metrics = QFontMetricsF(self.pen.font)
        for text, bad in self._edge_lines():
            painter.setPen(self.theme.colour("bad" if bad else "faint"))
            self.pen.say(painter, 8, y, metrics.elidedText(text, Qt.TextElideMode.ElideRight, self.width() - 16))
            y += self.pen.size.line

    def _paint_below(self, painter: QPainter, unsaid: list[str], *, complete: bool) -> None:
        drawing = self._drawing
        assert drawing is not None  # noqa: S101 - the caller looked
        if unsaid:
            more = f" and {len(unsaid) - 2} more" if len(unsaid) > 2 else ""
            self.paint_summary(painter, f"✗ {'; '.join(unsaid[:2])}{more}", "bad")
        elif not drawing.boxes and not drawing.homeless:
            self.paint_summary(painter, drawing.caption)
        else:
            self.paint_summary(painter, drawing.caption if complete else drawing.summary)


def _pixels(corner: QPointF, pieces: Sequence[Cell | Box | Strip], across: float, down: float) -> list[QRect]:
    """Rectangles on whole pixels, each at least one in size; a plain loop, because there are thousands."""
    rects, x0, y0 = [], corner.x(), corner.y()
    for piece in pieces:
        left, top = round(x0 + piece.x * across), round(y0 + piece.y * down)
        wide = round(x0 + (piece.x + piece.w) * across) - left
        high = round(y0 + (piece.y + piece.h) * down) - top
        rects.append(QRect(left, top, max(wide, 1), max(high, 1)))
    return rects

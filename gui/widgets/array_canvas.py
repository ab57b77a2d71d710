"""The studio's array, to zoom and to pan: cut into its slices, what has no home hatched.

Only what is in sight is painted; labels come where they fit, and a summary stands in for those that don't.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from operator import itemgetter

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter

from gui.theme import Theme
from gui.widgets.canvas import SMALLEST_EDGED, Canvas
from gui.widgets.mesh_view import Lit
from gui.widgets.pen import pixels_along
from museum.mesh.array_drawing import ArrayDrawing, Box, Strip
from museum.mesh.labels import fitting
from museum.mesh.shades import Shade

FINEST = 0.75  # pixels of a slice that can still be seen
MOST_EDGES = 6  # lines above the array


class ArrayCanvas(Canvas):
    """An array cut along its spec; what has no home is hatched, with its words.

    Args:
        theme: Colours and sizes.
    """

    def __init__(self, theme: Theme) -> None:
        self._drawing: ArrayDrawing | None = None
        self._by_id: dict[int, Box] | None = None
        self._tops: list[float] = []  # of the boxes, which are in reading order
        self._columns, self._lowest = 1, 1.0
        self._widest, self._highest = 1.0, 1.0
        self._summands = False
        super().__init__(theme, "Array")

    def set_drawing(self, drawing: ArrayDrawing | None, *, summands: bool = False) -> None:
        """Show another array; zoom and place stay when it is of the same shape."""
        before = self._drawing
        self._drawing, self._summands = drawing, summands
        boxes, strips = (drawing.boxes, drawing.homeless) if drawing else ((), ())
        self._tops = list(map(itemgetter(1), boxes))
        wide, high = set(map(itemgetter(0, 2), boxes)), set(map(itemgetter(3), boxes))
        self._columns = len({(round(x, 9), round(w, 9)) for x, w in wide}) or 1
        self._widest, self._highest = max((w for _, w in wide), default=1.0), max(high, default=1.0)
        self._lowest = min([*(h / 2.4 for h in high), *(strip.h / 1.5 for strip in strips)], default=1.0)
        self._by_id = None
        self.setAccessibleDescription(f"{drawing.caption}. {drawing.summary}" if drawing else "")
        same = before and drawing and (before.rows, before.columns) == (drawing.rows, drawing.columns)
        if same:
            self._bound()
        else:
            self.fit()

    @property
    def _boxes(self) -> dict[int, Box]:
        """By device id; made when first asked for, because an edit asks for none."""
        if self._by_id is None:
            boxes = self._drawing.boxes if self._drawing else ()
            self._by_id = {device: box for box in boxes for device in box.device_ids}
        return self._by_id

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
        wide, high, unseen = content.width(), content.height(), (-1e9, 1e9)
        ((left, across),) = pixels_along({(piece.x, piece.w)}, content.x(), wide, unseen).values()
        ((top, down),) = pixels_along({(piece.y, piece.h)}, content.y(), high, unseen).values()
        return QRect(left, top, across, down)

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

    def _places(self, devices: Iterable[int]) -> Iterable[tuple[Box, QRectF]]:
        for box in {id(box): box for device in devices if (box := self._boxes.get(device))}.values():
            yield box, QRectF(self._rect(box)).adjusted(1, 1, -1, -1)

    def lit_places(self) -> Iterable[tuple[QRectF, bool]]:
        """The boxes of lit devices."""
        chosen = self._boxes.get(self.lit.chosen) if self.lit.chosen is not None else None
        for box, rect in self._places(self.lit.devices):
            yield rect, box is chosen

    def marked_places(self) -> Iterable[QRectF]:
        """The boxes of marked devices."""
        return (rect for _, rect in self._places(self.marked))

    def _in_sight(self, content: QRectF) -> list[tuple[Box, QRect]]:
        """The boxes that can be seen, each with its pixels; none where all of them are too thin."""
        assert self._drawing is not None  # noqa: S101 - callers looked
        area, wide, high = self.area(), content.width(), content.height()
        if self._widest * wide < FINEST or self._highest * high < FINEST:
            return []
        first = bisect_right(self._tops, (area.top() - content.top()) / high - self._highest)
        last = bisect_left(self._tops, (area.bottom() - content.top()) / high)
        boxes = self._drawing.boxes[first:last]
        across = pixels_along(set(map(itemgetter(0, 2), boxes)), content.x(), wide, (area.left(), area.right()))
        down = pixels_along(set(map(itemgetter(1, 3), boxes)), content.y(), high, (area.top(), area.bottom()))
        seen = []
        for box in boxes:
            column = across.get((box[0], box[2]))
            row = down.get((box[1], box[3]))
            if column is not None and row is not None:
                seen.append((box, QRect(column[0], row[0], column[1], row[1])))
        return seen

    def paint_all(self, painter: QPainter) -> None:
        """Boxes with their ranges and devices, strips with their words, what cuts each dimension."""
        drawing = self._drawing
        assert drawing is not None  # noqa: S101 - the caller looked
        painter.setFont(self.pen.font)
        self._paint_edges(painter)
        painter.save()
        painter.setClipRect(self.area())
        content = self.content()
        seen = self._in_sight(content)
        if drawing.boxes and not seen:
            self._paint_too_fine(painter, content.intersected(self.area()))
        self._paint_boxes(painter, seen)
        complete = self._paint_labels(painter, seen, content.size())
        unsaid = self._paint_strips(painter)
        painter.restore()
        self._paint_below(painter, unsaid, complete=complete)

    def _paint_boxes(self, painter: QPainter, seen: Sequence[tuple[Box, QRect]]) -> None:
        tiles: dict[tuple[Shade, bool], list[QRect]] = defaultdict(list)
        shared: list[QRect] = []
        for box, rect in seen:
            least = min(rect.width(), rect.height())
            if least >= SMALLEST_EDGED:
                gap = int(least >= 3 * SMALLEST_EDGED)
                rect.adjust(gap, gap, -gap - 1, -gap - 1)
            tiles[box.shade, least >= SMALLEST_EDGED].append(rect)
            if len(box.device_ids) > 1:
                shared.append(rect)
        for (shade, edged), rects in tiles.items():
            self.paint_tiles(painter, shade, rects, edged=edged)
        self.paint_pattern(painter, "summand" if self._summands else "copy", shared)

    def _paint_labels(self, painter: QPainter, seen: Sequence[tuple[Box, QRect]], size: QSizeF) -> bool:
        """Whether every box could carry some."""
        if max((rect.height() for _, rect in seen), default=0) < self.pen.size.line:
            return False
        assert self._drawing is not None  # noqa: S101 - the caller looked
        boxes = [box for box, _ in seen]
        labels = self._drawing.labels_of(boxes, size.width(), size.height(), self.pen.size)
        painter.setPen(QColor(self.palette_of_shards.ink))
        for (_, rect), lines in zip(seen, labels, strict=True):
            if lines:
                self.pen.say_centred(painter, QRectF(rect).center(), lines)
        return all(labels)

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

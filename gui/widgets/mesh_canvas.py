"""The studio's two pictures, to zoom and to pan: devices in the mesh's grid, and the array cut into its slices.

Only what is in sight is painted; labels come where there is room for all of them, and a summary stands in for them
where there is none.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.theme import Theme
from gui.widgets.mesh_view import Lit
from gui.widgets.picture_painter import pattern_brush
from museum.mesh.drawing import ArrayDrawing, AxisCaption, Box, Cell, MeshDrawing, Shade, Strip, TextSize, fitting
from museum.mesh.svg import DARK, LIGHT, Palette

LARGEST_CELL = 76.0  # pixels of a device where all of them are in sight
LARGEST_ZOOMED = 190.0  # pixels of a device at the most
SMALLEST_EDGED = 5  # tiles smaller than this have no edge of their own
STEP = 1.25  # of zoom, by one notch or one key
PAN = 60  # pixels by one key
MOST_EDGES = 6  # lines above the array
DRAG_FROM = 4  # pixels that the mouse goes before a press is no click any more


@dataclass(frozen=True, slots=True)
class _Pen:
    """What text takes, and where its baseline is."""

    font: QFont
    size: TextSize
    ascent: float

    @classmethod
    def of(cls, font: QFont) -> "_Pen":
        metrics = QFontMetricsF(font)
        return cls(font, TextSize(metrics.horizontalAdvance("0"), metrics.height()), metrics.ascent())

    def say(self, painter: QPainter, left: float, middle: float, text: str) -> None:
        """One line from `left` on, around `middle`."""
        painter.drawText(QPointF(left, middle - self.size.line / 2 + self.ascent), text)

    def say_centred(self, painter: QPainter, centre: QPointF, lines: Sequence[str]) -> None:
        """Some lines around a point."""
        top = centre.y() - len(lines) * self.size.line / 2
        for number, line in enumerate(lines):
            left = centre.x() - len(line) * self.size.character / 2
            painter.drawText(QPointF(left, top + number * self.size.line + self.ascent), line)


class Canvas(QWidget):
    """What both pictures share: zoom and pan, what is lit, pointing with mouse and keys.

    Args:
        theme: Colours and sizes.
        name: Accessible name.

    Signals:
        pointed: The mouse or the keys point at something else; carries a `Lit`.
        chosen: A click or Return fixed it; carries a `Lit`, an empty one for nothing.
        zoomed: Zoom changed; carries whether all of it is in sight.
    """

    pointed = Signal(object)
    chosen = Signal(object)
    zoomed = Signal(bool)

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.lit = Lit()
        self._name = name
        self._zoom = 1.0
        self._pan = QPointF()
        self._layer: QPixmap | None = None
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._is_dragged = False
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.set_theme(theme)

    # -- for subclasses ------------------------------------------------------------------------------------------------

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        return True

    def gutters(self) -> tuple[float, float, float]:
        """What stays fixed at the left, at the top and at the bottom, in pixels."""
        return 0.0, 0.0, 0.0

    def extent(self) -> QSizeF:
        """Of everything, in pixels, when all of it is in sight."""
        return QSizeF(1, 1)

    def most_zoom(self) -> float:
        """How far one can go in."""
        return 1.0

    def paint_all(self, _painter: QPainter) -> None:
        """Everything but what is lit."""

    def lit_places(self) -> Iterable[tuple[QRectF, bool]]:
        """Where something is lit, and whether it is the one that the words are about."""
        return ()

    def at(self, _place: QPointF) -> Lit:
        """What lies at a place of the widget."""
        return Lit()

    def steps(self) -> Sequence[Lit]:
        """What the arrow keys walk through."""
        return ()

    # -- setters -------------------------------------------------------------------------------------------------------

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        self.theme = theme
        self.palette_of_shards: Palette = DARK if theme.dark else LIGHT
        shades = self.palette_of_shards.shades
        self._fills = {Shade(hue, tone): QColor(shades[tone][hue]) for tone in range(3) for hue in range(8)}
        code = theme.code_font()
        code.setPointSizeF(theme.sizes.small)
        self.pen = _Pen.of(code)
        self.renew()

    def set_lit(self, lit: Lit) -> None:
        """Light up these devices."""
        if lit != self.lit:
            self.lit = lit
            self.update()

    def renew(self) -> None:
        """Paint all of it again."""
        self._layer = None
        self.update()

    def sizeHint(self) -> QSize:
        """Room for a small mesh."""
        return QSize(420, 380)

    def minimumSizeHint(self) -> QSize:
        """Below this nothing can be told."""
        return QSize(140, 110)

    # -- zoom and pan --------------------------------------------------------------------------------------------------

    @property
    def zoom(self) -> float:
        """1 when all of it is in sight."""
        return self._zoom

    def area(self) -> QRectF:
        """Where the picture itself lies, without the gutters."""
        left, top, bottom = self.gutters()
        return QRectF(left, top, max(self.width() - left - 1, 1), max(self.height() - top - bottom, 1))

    def content(self) -> QRectF:
        """Where all of the picture would lie; may go far beyond `area`."""
        area, size = self.area(), self.extent() * self._zoom
        return QRectF(area.topLeft() + self._pan, size)

    def zoom_by(self, factor: float, about: QPointF | None = None) -> None:
        """Nearer or farther, with the place `about` staying where it is; the middle when left out."""
        about = about or self.area().center()
        before, content = self._zoom, self.content()
        self._zoom = max(1.0, min(self._zoom * factor, self.most_zoom()))
        share = QPointF(
            (about.x() - content.x()) / max(content.width(), 1), (about.y() - content.y()) / max(content.height(), 1)
        )
        size = self.extent() * self._zoom
        corner = QPointF(about.x() - share.x() * size.width(), about.y() - share.y() * size.height())
        self._pan = corner - self.area().topLeft()
        self._bound()
        if self._zoom != before:
            self.zoomed.emit(self._zoom == 1.0)

    def fit(self) -> None:
        """All of it in sight."""
        self._zoom, self._pan = 1.0, QPointF()
        self.renew()
        self.zoomed.emit(True)

    def pan_by(self, x: float, y: float) -> None:
        """Move the picture."""
        self._pan += QPointF(x, y)
        self._bound()

    def _bound(self) -> None:
        """Keep the picture within reach, and paint it there."""
        area, size = self.area(), self.extent() * self._zoom
        self._pan = QPointF(
            max(min(0.0, area.width() - size.width()), min(self._pan.x(), 0.0)),
            max(min(0.0, area.height() - size.height()), min(self._pan.y(), 0.0)),
        )
        self.renew()

    def reveal(self, rect: QRectF) -> None:
        """Pan so far that a part of the picture is in sight."""
        area = self.area()
        x = max(area.left() - rect.left(), 0.0) or min(area.right() - rect.right(), 0.0)
        y = max(area.top() - rect.top(), 0.0) or min(area.bottom() - rect.bottom(), 0.0)
        if x or y:
            self.pan_by(x, y)

    # -- Qt overrides --------------------------------------------------------------------------------------------------

    def resizeEvent(self, _event: QEvent) -> None:
        """Keep the zoom, and everything within reach."""
        self._bound()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom about the pointer; with Shift, move sideways."""
        delta = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.pan_by(delta.y() or delta.x(), 0.0)
        elif delta.y():
            self.zoom_by(STEP ** (delta.y() / 120), event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a drag."""
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._pressed = self._last = event.position()
            self._is_dragged = False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the picture, or point at what is under the mouse."""
        place = event.position()
        if self._pressed is None or not event.buttons():
            self.pointed.emit(self.at(place))
            return
        if (place - self._pressed).manhattanLength() >= DRAG_FROM and not self._is_dragged:
            self._is_dragged = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        if self._is_dragged:
            self.pan_by(place.x() - self._last.x(), place.y() - self._last.y())
            self._last = place

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A press that went nowhere chooses what is there."""
        if self._pressed is not None and not self._is_dragged:
            self.chosen.emit(self.at(event.position()))
        self._pressed = None
        self._is_dragged = False
        self.unsetCursor()

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        """All of it in sight again."""
        self.fit()

    def leaveEvent(self, _event: QEvent) -> None:
        """Point at nothing."""
        self.pointed.emit(Lit())

    def focusInEvent(self, _event: QEvent) -> None:
        """Show that the keys go here."""
        self.update()

    def focusOutEvent(self, _event: QEvent) -> None:
        """And that they don't."""
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows walk, with Ctrl they pan; plus, minus and 0 zoom; Return fixes, Esc lets go."""
        key, control = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        x, y = _ARROWS.get(key, (0, 0))
        if x or y:
            if control:
                self.pan_by(-x * PAN, -y * PAN)
            else:
                self._walk(x + y)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal) and not control:
            self.zoom_by(STEP)
        elif key == Qt.Key.Key_Minus and not control:
            self.zoom_by(1 / STEP)
        elif key == Qt.Key.Key_0 and not control:
            self.fit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit(self.lit)
        elif key == Qt.Key.Key_Escape and self.lit != Lit():
            self.chosen.emit(Lit())
        else:
            super().keyPressEvent(event)

    def _walk(self, move: int) -> None:
        steps = self.steps()
        if not steps:
            return
        place = next((number for number, step in enumerate(steps) if step.chosen == self.lit.chosen), None)
        place = (0 if move > 0 else -1) if place is None else place + move
        self.pointed.emit(steps[place % len(steps)])
        for rect, is_chosen in self.lit_places():
            if is_chosen:
                self.reveal(rect)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The picture, kept from the last time where nothing changed, and what is lit on top."""
        if self._layer is None:
            ratio = self.devicePixelRatioF()
            self._layer = QPixmap(self.size() * ratio)
            self._layer.setDevicePixelRatio(ratio)
            self._layer.fill(self.theme.colour("paper"))
            below = QPainter(self._layer)
            if not self.is_empty:
                self.paint_all(below)
            below.end()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._layer)
        if not self.is_empty and self.lit.devices:
            painter.save()
            painter.setClipRect(self.area().adjusted(-2, -2, 2, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for rect, is_chosen in self.lit_places():
                painter.setPen(QPen(self.theme.colour("ink"), 3.0 if is_chosen else 1.5))
                painter.drawRect(rect)
            painter.restore()
        painter.setPen(QPen(self.theme.colour("accent" if self.hasFocus() else "rule"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    # -- painting ------------------------------------------------------------------------------------------------------

    def paint_tiles(self, painter: QPainter, tiles: dict[Shade | None, list[QRect]]) -> None:
        """Many tiles, a colour at a time."""
        edge = QColor(self.palette_of_shards.rule)
        edge.setAlpha(150)
        for shade, rects in tiles.items():
            painter.setBrush(self._fills[shade] if shade else QColor(self.palette_of_shards.empty))
            large = min(rects[0].width(), rects[0].height()) >= SMALLEST_EDGED
            painter.setPen(QPen(edge, 1) if large else Qt.PenStyle.NoPen)
            painter.drawRects([rect.adjusted(0, 0, -1, -1) for rect in rects] if large else rects)

    def paint_pattern(self, painter: QPainter, pattern: str, rects: list[QRect]) -> None:
        """Hatch many tiles."""
        if not rects:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(pattern_brush(pattern, self.palette_of_shards))
        painter.drawRects(rects)

    def paint_bad(self, painter: QPainter, rect: QRect, pattern: str) -> None:
        """Hatch what has no home or is not there."""
        painter.setPen(QPen(QColor(self.palette_of_shards.bad), 1, Qt.PenStyle.DashLine))
        painter.setBrush(QColor(self.palette_of_shards.paper))
        painter.drawRect(rect.adjusted(0, 0, -1, -1))
        self.paint_pattern(painter, pattern, [rect.adjusted(1, 1, -1, -1)])

    def paint_plate(self, painter: QPainter, centre: QPointF, text: str, *, turned: bool = False) -> None:
        """Words about something bad, on a plate."""
        wide, high = self.pen.size.width(text) + 8, self.pen.size.line + 2
        painter.save()
        painter.translate(centre)
        if turned:
            painter.rotate(-90)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.colour("paper"))
        painter.drawRoundedRect(QRectF(-wide / 2, -high / 2, wide, high), 3, 3)
        painter.setPen(self.theme.colour("bad"))
        self.pen.say_centred(painter, QPointF(0, 0), (text,))
        painter.restore()

    def paint_summary(self, painter: QPainter, words: str, colour: str = "faint") -> None:
        """One line below the picture, cut with an ellipsis."""
        if not words:
            return
        painter.setPen(self.theme.colour(colour))
        metrics = QFontMetricsF(self.pen.font)
        text = metrics.elidedText(words, Qt.TextElideMode.ElideRight, self.width() - 16)
        self.pen.say(painter, 8, self.height() - 4 - self.pen.size.line / 2, text)


_ARROWS = {
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Up: (0, -1),
}


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
        return left, top, line + 8

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
        return _pixels(self.content().topLeft(), cell.x, cell.y, cell.w, cell.h, self.scale, self.scale)

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
            yield QRectF(self._rect(self._by_id[device_id])).adjusted(0.5, 0.5, -0.5, -0.5), device_id == self.lit.chosen

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
        rects = [_pixels(corner, cell.x, cell.y, cell.w, cell.h, scale, scale) for cell in cells]
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
            painter.drawLine(QPointF(start, middle + self.pen.size.line / 2), QPointF(stop, middle + self.pen.size.line / 2))

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
        self._summands = False
        super().__init__(theme, "Array")

    def set_drawing(self, drawing: ArrayDrawing | None, *, summands: bool = False) -> None:
        """Show another array; zoom and place stay when it is of the same shape."""
        before = self._drawing
        self._drawing, self._summands = drawing, summands
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
        columns = len({(round(box.x, 9), round(box.w, 9)) for box in drawing.boxes}) or 1
        wide = min(area.width() - 8, max(columns * 110.0, 260.0))
        lowest = min([*(box.h / 2.4 for box in drawing.boxes), *(strip.h / 1.5 for strip in drawing.homeless)], default=1)
        shape = drawing.rows / max(drawing.columns, 1) if drawing.rows > 1 else 0.0
        high = min(max(wide * shape, self.pen.size.line / lowest, 3.2 * self.pen.size.line), area.height() - 4)
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
        return _pixels(
            content.topLeft(), piece.x, piece.y, piece.w, piece.h, content.width(), content.height()
        )

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
        rects = [_pixels(corner, box.x, box.y, box.w, box.h, wide, high) for box in boxes]
        tiles: dict[Shade | None, list[QRect]] = defaultdict(list)
        shared: list[QRect] = []
        for box, rect in zip(boxes, rects, strict=True):
            gap = int(min(rect.width(), rect.height()) >= 3 * SMALLEST_EDGED)
            inner = rect.adjusted(gap, gap, -gap, -gap)
            tiles[box.shade].append(inner)
            if len(box.device_ids) > 1:
                shared.append(inner)
        self.paint_tiles(painter, tiles)
        self.paint_pattern(painter, "summand" if self._summands else "copy", shared)
        labels = replace(drawing, boxes=tuple(boxes)).labels_at(wide, high, self.pen.size)
        painter.setPen(QColor(self.palette_of_shards.ink))
        for rect, lines in zip(rects, labels, strict=True):
            if lines:
                self.pen.say_centred(painter, QRectF(rect).center(), lines)
        unsaid = self._paint_strips(painter)
        painter.restore()
        self._paint_below(painter, all(labels), unsaid)

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

    def _paint_below(self, painter: QPainter, complete: bool, unsaid: list[str]) -> None:  # noqa: FBT001
        drawing = self._drawing
        assert drawing is not None  # noqa: S101 - the caller looked
        if unsaid:
            more = f" and {len(unsaid) - 2} more" if len(unsaid) > 2 else ""
            self.paint_summary(painter, f"✗ {'; '.join(unsaid[:2])}{more}", "bad")
        elif not drawing.boxes and not drawing.homeless:
            self.paint_summary(painter, drawing.caption)
        else:
            self.paint_summary(painter, drawing.caption if complete else drawing.summary)


def _pixels(corner: QPointF, x: float, y: float, w: float, h: float, across: float, down: float) -> QRect:
    """A rectangle on whole pixels, at least one in size."""
    left, top = round(corner.x() + x * across), round(corner.y() + y * down)
    right, bottom = round(corner.x() + (x + w) * across), round(corner.y() + (y + h) * down)
    return QRect(QPoint(left, top), QSize(max(right - left, 1), max(bottom - top, 1)))



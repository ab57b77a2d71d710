"""A picture to zoom and to pan, by wheel, mouse and keys; what it shows is for others to say."""

import textwrap
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
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
from gui.widgets.pen import Pen
from gui.widgets.picture_painter import pattern_brush
from museum.mesh.shades import Shade
from museum.mesh.svg import DARK, LIGHT, Palette

SMALLEST_EDGED = 5  # tiles smaller than this have no edge of their own
STEP = 1.25  # of zoom, by one notch or one key
PAN = 60  # pixels by one key
DRAG_FROM = 4  # pixels that the mouse goes before a press is no click any more


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
        self.marked: frozenset[int] = frozenset()
        self._name = name
        self._zoom = 1.0
        self._pan = QPointF()
        self._layer: QPixmap | None = None
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._is_dragged = False
        self.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # so that nothing is painted under it
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

    def marked_places(self) -> Iterable[QRectF]:
        """Where something is marked."""
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
        self.pen = Pen.of(code)
        self.renew()

    def set_lit(self, lit: Lit) -> None:
        """Light up these devices."""
        if lit != self.lit:
            self.lit = lit
            self.update()

    def set_marked(self, devices: frozenset[int]) -> None:
        """Mark what JAX says otherwise about these devices."""
        if devices != self.marked:
            self.marked = devices
            self.renew()

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
                self._paint_marks(below)
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

    def paint_tiles(self, painter: QPainter, shade: Shade | None, rects: list[QRect], *, edged: bool) -> None:
        """Tiles of one colour; those that have an edge are a pixel larger than told, on both sides."""
        if not rects:
            return
        edge = QColor(self.palette_of_shards.rule)
        edge.setAlpha(150)
        painter.setBrush(self._fills[shade] if shade else QColor(self.palette_of_shards.empty))
        painter.setPen(QPen(edge, 1) if edged else Qt.PenStyle.NoPen)
        painter.drawRects(rects)

    def _paint_marks(self, painter: QPainter) -> None:
        """A frame and a sign where JAX says otherwise."""
        painter.setClipRect(self.area().adjusted(-2, -2, 2, 2))
        bad, paper, size = self.theme.colour("bad"), self.theme.colour("paper"), self.pen.size
        for rect in self.marked_places():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(bad, 2.4))
            painter.drawRect(rect)
            sign = QRectF(rect.right() - size.character - 5, rect.top() + 2, size.character + 4, size.line - 2)
            if rect.width() >= 3 * sign.width() and rect.height() >= 3 * sign.height():
                painter.fillRect(sign, bad)
                painter.setPen(paper)
                self.pen.say_centred(painter, sign.center(), ("≠",))

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

    def paint_plate(
        self, painter: QPainter, centre: QPointF, text: str, *, turned: bool = False, colour: str = "bad"
    ) -> None:
        """Words on a plate, about something bad unless the colour says otherwise."""
        wide, high = self.pen.size.width(text) + 8, self.pen.size.line + 2
        painter.save()
        painter.translate(centre)
        if turned:
            painter.rotate(-90)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.colour("paper"))
        painter.drawRoundedRect(QRectF(-wide / 2, -high / 2, wide, high), 3, 3)
        painter.setPen(self.theme.colour(colour))
        self.pen.say_centred(painter, QPointF(0, 0), (text,))
        painter.restore()

    def paint_summary(self, painter: QPainter, words: str, colour: str = "faint") -> None:
        """At most two lines below the picture, cut with an ellipsis."""
        painter.setPen(self.theme.colour(colour))
        metrics, room = QFontMetricsF(self.pen.font), self.width() - 16
        lines = textwrap.wrap(words, max(int(room / self.pen.size.character), 8))
        lines = (
            [lines[0], metrics.elidedText(" ".join(lines[1:]), Qt.TextElideMode.ElideRight, room)]
            if lines[1:]
            else lines
        )
        for number, line in enumerate(lines):
            up = (len(lines) - number - 0.5) * self.pen.size.line
            self.pen.say(painter, 8, self.height() - 4 - up, line)


_ARROWS = {
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Up: (0, -1),
}

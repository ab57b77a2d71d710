"""The mesh as a grid of devices and the array as a sheet cut into shards, each lighting up the other."""

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.theme import Theme
from museum.mesh.array_drawing import ArrayDrawing, Box, draw_array
from museum.mesh.layout import ShardLayout
from museum.mesh.mesh import Mesh
from museum.mesh.mesh_drawing import NOTHING, Cell, MeshDrawing, draw_mesh

LARGEST_CELL = 52.0
SMALLEST_LABEL = 11.0  # cells smaller than this many pixels carry no label


@dataclass(frozen=True, slots=True)
class Lit:
    """Devices that are pointed at; `chosen` is the one that the words are about."""

    devices: frozenset[int] = frozenset()
    chosen: int | None = None


class _Sheet(QWidget):
    """What both pictures share: a theme, what is lit, and pointing with mouse and keyboard."""

    pointed = Signal(object)

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.theme = theme
        self.lit = Lit()
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_lit(self, lit: Lit) -> None:
        """Light up these devices."""
        if lit != self.lit:
            self.lit = lit
            self.update()

    def at(self, _place: QPointF) -> Lit:
        """What lies at a place of the picture."""
        return Lit()

    def steps(self) -> list[Lit]:
        """What the arrow keys walk through."""
        return []

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point at what is under the mouse."""
        self.pointed.emit(self.at(event.position()))

    def leaveEvent(self, _event: QEvent) -> None:
        """Point at nothing."""
        self.pointed.emit(Lit())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys go from one to the next."""
        move = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}.get(
            Qt.Key(event.key())
        )
        steps = self.steps()
        if move is None or not steps:
            super().keyPressEvent(event)
            return
        place = steps.index(self.lit) if self.lit in steps else (-1 if move > 0 else 0)
        self.pointed.emit(steps[(place + move) % len(steps)])


class MeshSheet(_Sheet):
    """Devices in the mesh's own grid.

    Args:
        theme: Colours and sizes.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "Mesh")
        self._drawing: MeshDrawing | None = None

    def set_drawing(self, drawing: MeshDrawing | None) -> None:
        """Show another mesh."""
        self._drawing = drawing
        self.setVisible(drawing is not None)
        self.updateGeometry()
        self.update()

    def _scale(self, width: float) -> tuple[float, float, float]:
        """Pixels a cell, and the left and top margins that the captions need."""
        drawing = self._drawing
        assert drawing is not None  # noqa: S101 - callers looked
        line = QFontMetricsF(self._caption_font()).height()
        rows = any(caption.direction == "rows" for caption in drawing.captions)
        left = line + 4 if rows else 0.0
        return min(LARGEST_CELL, (width - left - 1) / drawing.width), left, line + 4

    def _caption_font(self) -> QFont:
        return self.theme.font("small")

    def sizeHint(self) -> QSize:
        """As tall as the mesh at this width."""
        if self._drawing is None:
            return QSize(200, 0)
        scale, _, top = self._scale(max(self.width(), 120))
        return QSize(240, round(top + scale * self._drawing.height + 2))

    def minimumSizeHint(self) -> QSize:
        """Never cut."""
        return QSize(120, self.sizeHint().height())

    def resizeEvent(self, _event: QEvent) -> None:
        """The height follows the width."""
        self.updateGeometry()

    def _rect(self, cell: Cell, scale: float, left: float, top: float) -> QRectF:
        return QRectF(left + cell.x * scale, top + cell.y * scale, cell.w * scale, cell.h * scale)

    def at(self, place: QPointF) -> Lit:
        """The device under a place."""
        if self._drawing:
            scale = self._scale(self.width())
            for cell in self._drawing.cells:
                if self._rect(cell, *scale).contains(place):
                    return Lit(frozenset([cell.device_id]), cell.device_id)
        return Lit()

    def steps(self) -> list[Lit]:
        """Each device in mesh order."""
        cells = self._drawing.cells if self._drawing else ()
        return [Lit(frozenset([cell.device_id]), cell.device_id) for cell in cells]

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Cells, labels, axis captions."""
        if self._drawing is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scale, left, top = self._scale(self.width())
        self._paint_captions(painter, scale, left, top)
        font = self.theme.font("small")
        painter.setFont(font)
        for cell in self._drawing.cells:
            rect = self._rect(cell, scale, left, top).adjusted(0.5, 0.5, -0.5, -0.5)
            fill = self.theme.colour("paper") if cell.colour == NOTHING else self.theme.shard_colour(cell.colour)
            _paint_tile(painter, self.theme, rect, fill, lit=cell.device_id in self.lit.devices, copy=cell.replica > 0)
            if scale >= SMALLEST_LABEL:
                painter.setPen(self.theme.label_colour(fill))
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, cell.label)
        if self.hasFocus():
            painter.setPen(QPen(self.theme.colour("accent"), 1, Qt.PenStyle.DotLine))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _paint_captions(self, painter: QPainter, scale: float, left: float, top: float) -> None:
        assert self._drawing is not None  # noqa: S101 - the caller looked
        painter.setFont(self._caption_font())
        painter.setPen(self.theme.colour("faint"))
        captions = self._drawing.captions
        across = "   ".join(one.text for one in captions if one.direction == "columns")
        down = "   ".join(one.text for one in captions if one.direction == "rows")
        width, height = self._drawing.width * scale, self._drawing.height * scale
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip
        blocks = "   ".join(f"{one.text} in blocks" for one in captions if one.direction == "outer")
        if across or blocks:
            text = "   ".join(filter(None, (blocks, f"{across} →" if across else "")))
            wide = max(width, painter.fontMetrics().horizontalAdvance(text) + 2)  # wider than a narrow mesh
            painter.drawText(QRectF(left, 0, wide, top - 4), flags, text)
        if down:
            painter.save()
            painter.translate(0, top + height)
            painter.rotate(-90)
            painter.drawText(QRectF(0, 0, height, left - 4), flags, f"← {down}")
            painter.restore()


class ArraySheet(_Sheet):
    """An array cut along its spec; what has no home is hatched, with its words.

    Args:
        theme: Colours and sizes.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "Array")
        self._drawing: ArrayDrawing | None = None

    def set_drawing(self, drawing: ArrayDrawing | None) -> None:
        """Show another array."""
        self._drawing = drawing
        self.setVisible(drawing is not None)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """About as tall for its width as the array, within reason."""
        if self._drawing is None:
            return QSize(200, 0)
        width = max(self.width(), 120)
        line = QFontMetricsF(self.theme.font("small")).height()
        bands = len({(box.y, box.h) for box in self._drawing.boxes}) + 0.8 * len(self._drawing.homeless)
        tall = width * self._drawing.rows / max(self._drawing.columns, 1)
        return QSize(240, round(min(max(tall, bands * line * 1.5, line * 2), width * 1.3, 420)) + 2)

    def minimumSizeHint(self) -> QSize:
        """Never cut."""
        return QSize(120, self.sizeHint().height())

    def resizeEvent(self, _event: QEvent) -> None:
        """The height follows the width."""
        self.updateGeometry()

    def _rect(self, box: Box) -> QRectF:
        width, height = self.width() - 1.0, self.height() - 1.0
        return QRectF(box.x * width, box.y * height, box.w * width, box.h * height)

    def at(self, place: QPointF) -> Lit:
        """The devices that hold what lies under a place."""
        for box in self._drawing.boxes if self._drawing else ():
            if self._rect(box).contains(place):
                return Lit(frozenset(box.device_ids), box.device_ids[0])
        return Lit()

    def steps(self) -> list[Lit]:
        """Each shard in reading order."""
        boxes = self._drawing.boxes if self._drawing else ()
        return [Lit(frozenset(box.device_ids), box.device_ids[0]) for box in boxes]

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Boxes with their ranges and devices, strips with their words."""
        if self._drawing is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.theme.font("small"))
        for box in self._drawing.boxes:
            rect = self._rect(box).adjusted(1, 1, -1, -1)
            lit = bool(self.lit.devices & frozenset(box.device_ids))
            _paint_tile(painter, self.theme, rect, self.theme.shard_colour(box.colour), lit=lit, copy=False)
            self._paint_label(painter, rect, box)
        width, height = self.width() - 1.0, self.height() - 1.0
        for strip in self._drawing.homeless:
            rect = QRectF(strip.x * width, strip.y * height, strip.w * width, strip.h * height).adjusted(1, 1, -1, -1)
            painter.setPen(QPen(self.theme.colour("bad"), 1.2, Qt.PenStyle.DashLine))
            painter.setBrush(QBrush(self.theme.colour("bad"), Qt.BrushStyle.BDiagPattern))
            painter.drawRect(rect)
            _paint_words(painter, self.theme, rect, strip.text)
        if self.hasFocus():
            painter.setPen(QPen(self.theme.colour("accent"), 1, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _paint_label(self, painter: QPainter, rect: QRectF, box: Box) -> None:
        metrics = QFontMetricsF(painter.font())
        holders = ", ".join(map(str, box.device_ids))
        several = len(box.device_ids) > 1
        for text in (f"{box.text}\n{'devices' if several else 'device'} {holders}", box.text, holders):
            lines = text.split("\n")
            wide = max(metrics.horizontalAdvance(line) for line in lines)
            if wide < rect.width() - 4 and len(lines) * metrics.height() < rect.height():
                painter.setPen(self.theme.label_colour(self.theme.shard_colour(box.colour)))
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
                return


def _paint_tile(painter: QPainter, theme: Theme, rect: QRectF, fill: QColor, *, lit: bool, copy: bool) -> None:
    painter.setPen(QPen(theme.colour("ink" if lit else "rule"), 2.0 if lit else 1.0))
    painter.setBrush(fill)
    painter.drawRoundedRect(rect, 2, 2)
    if copy:  # a further copy of a shard that another device holds too
        hatch = theme.colour("ink")
        hatch.setAlpha(46)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(hatch, Qt.BrushStyle.FDiagPattern))
        painter.drawRoundedRect(rect, 2, 2)


def _paint_words(painter: QPainter, theme: Theme, rect: QRectF, text: str) -> None:
    metrics = QFontMetricsF(painter.font())
    if rect.height() > rect.width() * 2 and metrics.horizontalAdvance(text) > rect.width():
        painter.save()
        painter.translate(rect.center())
        painter.rotate(-90)
        rect = QRectF(-rect.height() / 2, -rect.width() / 2, rect.height(), rect.width())
        _paint_words(painter, theme, rect, text)
        painter.restore()
        return
    wide, high = metrics.horizontalAdvance(text) + 10, metrics.height() + 2
    plate = QRectF(rect.center().x() - wide / 2, rect.center().y() - high / 2, wide, high)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour("paper"))
    painter.drawRoundedRect(plate, 3, 3)
    painter.setPen(theme.colour("bad"))
    painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)


def drawings(subject: ShardLayout | Mesh | None) -> tuple[MeshDrawing | None, ArrayDrawing | None]:
    """Both pictures of a layout; a bare mesh has no array."""
    if subject is None:
        return None, None
    return draw_mesh(subject), draw_array(subject) if isinstance(subject, ShardLayout) else None

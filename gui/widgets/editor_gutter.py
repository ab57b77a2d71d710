"""The strip left of the code: numbers, signs, the bar of changed lines."""

from collections.abc import Callable, Iterator
from typing import Protocol, cast

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.widgets.editor_colours import EditorColours
from gui.widgets.editor_lines import LineMarks, Row


class Lines(Protocol):
    """What the gutter must know of its editor."""

    colours: EditorColours
    marks: LineMarks
    current_line: int
    first_line: int

    def font(self) -> QFont:
        """That of the code."""

    def rows(self, top: float, bottom: float) -> Iterator[Row]:
        """The lines between two heights."""

    def tint(self, line: int) -> QColor | None:
        """What is behind a line."""


class Gutter(QWidget):
    """Paints what belongs to the lines beside it.

    Args:
        parent: The editor's widget.
        lines: The same, as the gutter sees it.
        show_tip: Shows what is said of the line under the mouse.
    """

    def __init__(self, parent: QWidget, lines: Lines, show_tip: Callable[[QHelpEvent], None]) -> None:
        super().__init__(parent)
        self._lines = lines
        self._show_tip = show_tip

    def width_for(self, last_line: int) -> int:
        """Pixels that it needs: from the left, room for a sign, the numbers, the bar of changed lines."""
        metrics = QFontMetricsF(self._lines.font())
        digits = max(2, len(str(last_line)))
        return round(metrics.height() + metrics.horizontalAdvance("9") * (digits + 1.5))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the lines that show."""
        lines, colours, marks = self._lines, self._lines.colours, self._lines.marks
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(lines.font())
        area = event.rect()
        painter.fillRect(area, colours.background)
        metrics = QFontMetricsF(lines.font())
        digit = metrics.horizontalAdvance("9")
        right, rise = self.width() - digit, metrics.ascent() - metrics.height() / 2
        for row in lines.rows(area.top(), area.bottom()):
            tint = lines.tint(row.line)
            if tint is not None:
                painter.fillRect(QRectF(0, row.top, self.width(), row.height), tint)
            if row.line in marks.changed:
                bar = QRectF(self.width() - digit / 2, row.top, digit / 3, row.height)
                painter.fillRect(bar, colours.changed_mark)
            if row.line == marks.blamed:
                self._paint_sign(painter, row, colours.blamed_mark, is_error=True)
            elif row.line in marks.notes:
                self._paint_sign(painter, row, colours.note_mark, is_error=False)
            painter.setPen(colours.text if row.line == lines.current_line else colours.gutter_text)
            number = str(row.line + lines.first_line - 1)
            # At a point: to have Qt align it takes twice as long, and the digits of a code font are equally wide.
            painter.drawText(QPointF(right - digit * len(number), row.top + row.height / 2 + rise), number)

    def _paint_sign(self, painter: QPainter, row: Row, colour: QColor, *, is_error: bool) -> None:
        """A disc with ! or i in it, drawn rather than written: not every font has such signs."""
        size = row.height * 0.76
        middle = QPointF(row.height * 0.55, row.top + row.height / 2)
        stroke = size * 0.15
        way = 1 if is_error else -1  # an i is a ! upside down
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(middle, size / 2, size / 2)
        painter.setBrush(self._lines.colours.background)
        top = middle.y() - size * (0.3 if is_error else 0.06)
        painter.drawRect(QRectF(middle.x() - stroke / 2, top, stroke, size * 0.36))
        painter.drawEllipse(QPointF(middle.x(), middle.y() + way * size * 0.24), stroke * 0.6, stroke * 0.6)

    def event(self, event: QEvent) -> bool:
        """Tell what is said of the line under the mouse."""
        if event.type() == QEvent.Type.ToolTip:
            self._show_tip(cast("QHelpEvent", event))
            return True
        return super().event(event)

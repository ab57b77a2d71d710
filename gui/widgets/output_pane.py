"""Verbatim output of any length: lays out only what is seen."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QFontMetrics, QTextOption, QWheelEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

TALLEST = 16  # lines


class OutputPane(QPlainTextEdit):
    """As tall as its lines, up to `TALLEST`, then it scrolls.

    Args:
        name: Accessible name.
        parent: The widget that it is a part of.
        fills: Whether it takes all the room there is instead.
    """

    def __init__(self, name: str, parent: QWidget | None = None, *, fills: bool = False) -> None:
        super().__init__(parent)
        self._fills = fills
        self.setAccessibleName(name)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        upright = QSizePolicy.Policy.Expanding if fills else QSizePolicy.Policy.Fixed
        self.setSizePolicy(QSizePolicy.Policy.Ignored, upright)
        self.document().setDocumentMargin(8)

    def show_text(self, text: str, font: QFont) -> None:
        """Show another text from its beginning."""
        self.setFont(font)
        if text != self.toPlainText():
            self.setPlainText(text)
        if not self._fills:
            self.setFixedHeight(self.sizeHint().height())

    def sizeHint(self) -> QSize:
        """Room for the lines, wrapped ones estimated."""
        metrics = QFontMetrics(self.font())
        columns = max(1, (self.width() - 24) // max(1, metrics.averageCharWidth()))
        lines, block = 0, self.document().firstBlock()
        while block.isValid() and lines < TALLEST:
            lines += 1 + block.length() // columns
            block = block.next()
        return QSize(200, min(lines, TALLEST) * metrics.lineSpacing() + 20)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The page scrolls, unless there is something to scroll here."""
        bar = self.verticalScrollBar()
        if bar.minimum() != bar.maximum():
            super().wheelEvent(event)
        else:
            event.ignore()

"""Verbatim output of any length: lays out only what is seen."""

import re
from itertools import islice

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import QFont, QFontMetrics, QTextCursor, QTextOption, QWheelEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

TALLEST = 16  # lines

# What one turn of the event loop takes in; 10,000 lines at once would hold it for two frames.
_MOST_LINES, _MOST_CHARACTERS = 1_000, 40_000
_LINE_END = re.compile("\r\n?|[\n\u2028\u2029]")


class OutputPane(QPlainTextEdit):
    """As tall as its lines, up to `TALLEST`, then it scrolls.

    A long text comes by slices, one a turn of the event loop, the first one at once.

    Args:
        name: Accessible name.
        parent: The widget that it is a part of.
        fills: Whether it takes all the room there is instead.

    Signals:
        completed: All of the text is there.
    """

    completed = Signal()

    def __init__(self, name: str, parent: QWidget | None = None, *, fills: bool = False) -> None:
        super().__init__(parent)
        self._fills = fills
        self._text, self._end = "", 0  # what is to be shown, and how much of it is
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)
        self.setAccessibleName(name)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        upright = QSizePolicy.Policy.Expanding if fills else QSizePolicy.Policy.Fixed
        self.setSizePolicy(QSizePolicy.Policy.Ignored, upright)
        self.document().setDocumentMargin(8)

    def show_text(self, text: str, font: QFont) -> None:
        """Show another text from its beginning; one that goes on where the last one ended leaves the place as it is."""
        self.setFont(font)
        there = self._text[: self._end]
        goes_on = bool(there) and text.startswith(there) and not there.endswith("\r")
        self._text = text
        if goes_on:
            self._add_slice()
        else:
            self._end = _slice_end(text, 0)
            self.setPlainText(text[: self._end])
        self._timer.start()
        if not self._fills:
            self.setFixedHeight(self.sizeHint().height())

    def _add_slice(self) -> None:
        start, self._end = self._end, _slice_end(self._text, self._end)
        if start < self._end:
            cursor = QTextCursor(self.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(self._text[start : self._end])

    def _go_on(self) -> None:
        self._add_slice()
        if self._end == len(self._text):
            self._timer.stop()
            self.completed.emit()

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


def _slice_end(text: str, start: int) -> int:
    """Where the slice ends that begins at `start`."""
    ends = (found.end() for found in _LINE_END.finditer(text, start, start + _MOST_CHARACTERS))
    end = next(islice(ends, _MOST_LINES - 1, None), min(start + _MOST_CHARACTERS, len(text)))
    return end + 1 if text[end - 1 : end + 1] == "\r\n" else end

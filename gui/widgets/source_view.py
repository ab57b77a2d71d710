"""A few lines of a file, in the colours and with the marks of the editor, to be read only."""

from math import ceil

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.theme import Theme
from gui.widgets.editor_lines import blocks_from
from gui.widgets.marked_editor import MarkedEditor


class SourceView(MarkedEditor):
    """As high as its lines.

    Args:
        name: Accessible name.
        theme: Colours and sizes.
        parent: The widget that it is a part of.
    """

    def __init__(self, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme.editor_colours("failing"), theme.syntax_colours(), parent)
        self.setAccessibleName(name)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        self.set_colours(theme.editor_colours("failing"), theme.syntax_colours())
        self.setFont(theme.code_font())

    def show_lines(self, start: int, text: str, marked: int, why: str) -> None:
        """Show lines of a file.

        Args:
            start: Number of the first in its file.
            text: The lines.
            marked: Number, in its file, of the one to mark.
            why: What is said of it.
        """
        self.set_first_line(start)
        self.setPlainText(text)
        self.set_blamed_line(marked - start + 1, why)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Room for the lines, and for the bar below them where they are long."""
        bar = self.horizontalScrollBar()
        below = bar.sizeHint().height() if bar.maximum() > bar.minimum() else 0
        lines = sum(self.blockBoundingRect(block).height() for block in blocks_from(self.document().firstBlock()))
        margins = 2 * (self.document().documentMargin() + self.frameWidth())
        # One pixel more, or Qt thinks that the last line does not fit.
        return QSize(200, ceil(lines + margins) + below + 1)

    def minimumSizeHint(self) -> QSize:
        """As `sizeHint`, for its height."""
        return QSize(0, self.sizeHint().height())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The page scrolls, but for sideways."""
        if event.angleDelta().x():
            super().wheelEvent(event)
        else:
            event.ignore()

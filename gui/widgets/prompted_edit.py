"""A field of several lines that says what belongs into it, as long as nothing stands there."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QPlainTextEdit, QWidget


class PromptedEdit(QPlainTextEdit):
    """Writes its prompt in the font of its text, which Qt's placeholder does not follow under a style sheet.

    Args:
        prompt: What belongs here.
        parent: The widget that it is a part of.
    """

    def __init__(self, prompt: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._prompt = prompt
        self.setAccessibleDescription(prompt)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the prompt where the first line would stand."""
        super().paintEvent(event)
        if not self.document().isEmpty():
            return
        painter = QPainter(self.viewport())
        painter.setFont(self.font())
        painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
        margin = round(self.document().documentMargin())
        room = self.viewport().rect().adjusted(margin, margin, -margin, -margin)
        painter.drawText(room, Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap, self._prompt)

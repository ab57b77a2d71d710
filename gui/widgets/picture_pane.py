"""A picture of the studio with its title, its zoom and the fields that it is typed in."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from gui.widgets.canvas import Canvas
from gui.widgets.labels import RoleLabel, button
from gui.widgets.wrap_layout import WrapLayout


class PicturePane(QWidget):
    """Title and zoom above, fields below them, then the picture.

    Args:
        canvas: The picture.
        title: What it is called.
        facts: Beside the title; None for nothing.
        fields: From left to right, each with its share of the width.
    """

    def __init__(
        self, canvas: Canvas, title: RoleLabel, facts: RoleLabel | None, fields: Sequence[tuple[QWidget, int]]
    ) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 6, 10, 8)
        layout.setSpacing(5)
        head = QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(title)
        if facts is not None:
            head.addSpacing(8)
            facts.setWordWrap(False)
            facts.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            head.addWidget(facts, 1)
        else:
            head.addStretch(1)
        name = canvas.accessibleName().lower()
        for text, act, words in (
            ("-", lambda: canvas.zoom_by(0.8), "Zoom out of"),
            ("+", lambda: canvas.zoom_by(1.25), "Zoom into"),
            ("Fit", canvas.fit, "Show all of"),
        ):
            zoom = button(text, act, name=f"{words} the {name}", tip=f"{words} the {name} (-, +, 0)")
            zoom.setProperty("role", "small")
            head.addWidget(zoom)
        layout.addLayout(head)
        row = WrapLayout(4)
        for field, share in fields:
            policy = field.sizePolicy()
            policy.setHorizontalStretch(share)
            field.setSizePolicy(policy)
            row.addWidget(field)
        layout.addLayout(row)
        layout.addWidget(canvas, 1)


class Field(QLineEdit):
    """A line that leaves undo and redo to the page, where each step is one of the document."""

    def sizeHint(self) -> QSize:
        """Room for a short shape; what is left over makes it wider."""
        hint = super().sizeHint()
        return QSize(12 * self.fontMetrics().averageCharWidth() + 16, hint.height())

    def event(self, event: QEvent) -> bool:
        """Let the page's shortcuts have their keys."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            standard = QKeySequence.StandardKey
            if event.matches(standard.Undo) or event.matches(standard.Redo):
                event.ignore()
                return False
        return super().event(event)

    def mark(self, *, bad: bool) -> None:
        """Show that what stands here cannot be read, or can."""
        if bool(self.property("bad")) != bad:
            self.setProperty("bad", bad)
            self.style().unpolish(self)
            self.style().polish(self)

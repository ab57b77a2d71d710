"""Small labels and buttons with a role, dressed by the style sheet."""

import html
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget


class RoleLabel(QLabel):
    """A line of text whose role ("title", "faint", "good", …) gives its look; the role can change.

    Args:
        role: A role of the style sheet.
        text: What it says.
        parent: The widget that it is a part of.
    """

    def __init__(self, role: str, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(role not in ("overline", "faint-line"))
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setProperty("role", role)
        self.setMinimumWidth(1)  # a long word must not widen the page

    def set_role(self, role: str) -> None:
        """Look like something else from now on."""
        if role != self.property("role"):
            self.setProperty("role", role)
            self.style().unpolish(self)
            self.style().polish(self)

    def say(self, text: str, role: str | None = None) -> None:
        """Say something; say nothing and take no room with an empty text."""
        if role is not None:
            self.set_role(role)
        self.setText(text)
        self.setVisible(bool(text))


class PathLabel(RoleLabel):
    """One line whose middle is left out where it is too long; all of it is in the tool tip."""

    def __init__(self) -> None:
        super().__init__("faint-line")
        self._whole = ""
        self.setWordWrap(False)

    def say_path(self, text: str) -> None:
        """Say something else."""
        self._whole = text
        self.setToolTip(text)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say as much as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.setText(self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideMiddle, self.width()))


def plain_tip(text: str) -> str:
    """A tool tip that says a text as it stands: Qt takes one that looks like markup for markup, images and all."""
    if not GuiQt.mightBeRichText(text):
        return text
    return f'<p style="white-space: pre-wrap">{html.escape(text)}</p>'


def button(text: str, pressed: Callable[[], object], *, role: str = "", tip: str = "", name: str = "") -> QPushButton:
    """A push button.

    Args:
        text: A verb.
        pressed: Called on each press.
        role: "main", "quiet", "tab" or "" for the ordinary look.
        tip: Tool tip, with the shortcut if there is one.
        name: Accessible name where the text alone does not say enough.
    """
    made = QPushButton(text)
    made.setProperty("role", role)
    made.setToolTip(tip)
    made.setAccessibleName(name or text)
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    made.clicked.connect(lambda _checked: pressed())
    return made

"""Small labels and buttons with a role, dressed by the style sheet."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QComboBox, QLabel, QMenu, QPushButton, QWidget


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
    """One line of which a part is left out where it is too long; all of it is in the tool tip.

    Args:
        mode: Which part.
        role: A role of the style sheet.
    """

    def __init__(self, mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle, role: str = "faint-line") -> None:
        super().__init__(role)
        self._whole, self._mode = "", mode
        self.setWordWrap(False)

    def say_path(self, text: str) -> None:
        """Say something else."""
        if text == self._whole:
            return
        self._whole = text
        self.setToolTip(text)
        self.updateGeometry()
        if (parent := self.parentWidget()) and (layout := parent.layout()):
            layout.activate()  # else there is room for what was said before
        self._fit()

    def sizeHint(self) -> QSize:
        """Room for all of it."""
        return QSize(self.fontMetrics().horizontalAdvance(self._whole) + 2, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say as much as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.setText(self.fontMetrics().elidedText(self._whole, self._mode, self.width()))


def plain_tip(text: str) -> str:
    """A tool tip that says a text as it stands: Qt takes one that looks like markup for markup, images and all."""
    if not GuiQt.mightBeRichText(text):
        return text
    import html  # few texts need it

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


def allow(part: QWidget, on: bool, *, tip: str, why: str) -> None:
    """Let a control be pressed, or say in its tool tip why it cannot be.

    Args:
        part: The control.
        on: Whether it can be pressed.
        tip: What it does.
        why: What must be done before.
    """
    part.setEnabled(on)
    part.setToolTip(tip if on else why)


def name_choices(box: QComboBox, name: str) -> None:
    """Name a box of choices; on Linux a screen reader hears what is chosen for its name, and the name as what it is."""
    box.setAccessibleName(name)
    box.setAccessibleDescription(name)


def menu_button(
    text: str, name: str, entries: Mapping[str, Callable[[], object]], *, role: str = "menu"
) -> QPushButton:
    """A button that opens a menu.

    Args:
        text: A verb.
        name: Accessible name, which says of what.
        entries: Words of each entry with what it does.
        role: "menu", or "quiet-menu" for one without a frame.
    """
    made = QPushButton(f"{text} ▾")
    made.setAccessibleName(name)
    made.setToolTip(name)
    made.setProperty("role", role)
    menu = QMenu(made)
    for words, act in entries.items():
        menu.addAction(words).triggered.connect(lambda _checked=False, act=act: act())
    made.setMenu(menu)
    return made

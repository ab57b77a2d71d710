"""A row that is pressed as a whole: a title and a line below it, as wide as the page, wrapped where it is narrow."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QEnterEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from gui.theme import Theme
from gui.widgets.labels import RoleLabel


class RowButton(QAbstractButton):
    """Opens what it names, on a click, Return or Space.

    Args:
        title: What it opens.
        below: What is said of it.
        pressed: Called on each press.
        theme: Colours and sizes.
        tip: Tool tip.
        flush: Whether its words begin where those above it do.
        parent: The widget that it is a part of.
    """

    def __init__(
        self,
        title: str,
        below: str,
        pressed: Callable[[], object],
        theme: Theme,
        *,
        tip: str = "",
        flush: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_under_mouse = False
        self.setText(title)
        self.setToolTip(tip)
        self.setAccessibleName(title)
        self.setAccessibleDescription(below)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.clicked.connect(lambda _checked: pressed())
        self._lines = layout = QVBoxLayout(self)
        space = theme.sizes.space
        layout.setContentsMargins(0 if flush else space, space // 2 + 1, space, space // 2 + 1)
        layout.setSpacing(1)
        for role, text in (("link", title), ("faint", below)):
            if text:
                label = RoleLabel(role, text)
                label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
                label.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
                layout.addWidget(label)

    def sizeHint(self) -> QSize:
        """As wide as there is room; the layout asks for the height that goes with it."""
        return QSize(200, self._lines.minimumSize().height())

    def minimumSizeHint(self) -> QSize:
        """Long words wrap."""
        return QSize(1, self._lines.minimumSize().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return opens as well."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        """The row under the mouse is tinted."""
        super().enterEvent(event)
        self._is_under_mouse = True
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """And no longer."""
        super().leaveEvent(event)
        self._is_under_mouse = False
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A tint under the mouse, a frame with the focus; the words are labels."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if self._is_under_mouse or self.isDown():
            painter.setBrush(self._theme.colour("hover"))
        if self.hasFocus():
            painter.setPen(QPen(self._theme.colour("accent"), 1))
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 4, 4)

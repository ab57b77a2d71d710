"""The star beside a title: a favourite, or not."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

KEYS = "Ctrl+D"


class StarButton(QPushButton):
    """A filled star or an empty one.

    Args:
        parent: The widget that it is a part of.

    Signals:
        switched: The visitor wants it on, or off.
    """

    switched = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "star")
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self.switched)
        self.set_on(on=False)

    def set_on(self, *, on: bool) -> None:
        """Fill it, or not."""
        self.setChecked(on)
        words = "Remove from the favourites" if on else "Add to the favourites"
        self.setText("★" if on else "☆")
        self.setAccessibleName(words)
        self.setToolTip(f"{words} ({KEYS})")

"""Widgets one after the other, like words: those that find no room begin another line."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """A layout whose height follows from its width.

    Args:
        space: Pixels between two widgets and between two lines.
        parent: The widget that it lays out.
    """

    def __init__(self, space: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setSpacing(space)
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        """As Qt asks for."""
        self._items.append(item)

    def count(self) -> int:
        """As Qt asks for."""
        return len(self._items)

    def itemAt(self, number: int) -> QLayoutItem | None:
        """As Qt asks for."""
        return self._items[number] if 0 <= number < len(self._items) else None

    def takeAt(self, number: int) -> QLayoutItem | None:
        """As Qt asks for."""
        return self._items.pop(number) if 0 <= number < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """None: it takes what it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """It does."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Of all lines at this width."""
        return self._lay_out(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        """Put every widget in its place."""
        super().setGeometry(rect)
        self._lay_out(rect, move=True)

    def sizeHint(self) -> QSize:
        """As narrow as it may be; the height follows."""
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        """Room for the highest widget; a wide one is cut before it widens what it stands in."""
        return QSize(1, max((item.minimumSize().height() for item in self._items), default=0))

    def _lay_out(self, rect: QRect, *, move: bool) -> int:
        """Go through all lines; returns their height together."""
        left, top, line = rect.left(), rect.top(), 0
        for item in self._items:
            if item.isEmpty():  # hidden
                continue
            size = item.sizeHint()
            width = min(size.width(), rect.width())
            if line and left + width > rect.right() + 1:
                left, top, line = rect.left(), top + line + self.spacing(), 0
            if move:
                item.setGeometry(QRect(QPoint(left, top), QSize(width, size.height())))
            left += width + self.spacing()
            line = max(line, size.height())
        return top + line - rect.top()

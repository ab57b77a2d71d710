"""A row that goes on in the next line where the window is too narrow for it, as words do."""

from collections.abc import Iterable

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QSpacerItem, QWidget


class WrapLayout(QLayout):
    """Items from the left; what a line has left over goes to those that expand, and to gaps.

    Args:
        space: Pixels between two items, and between two lines.
        parent: The widget that it lays out.
        yields: Whether an item is cut before it widens what it stands in.
    """

    def __init__(self, space: int, parent: QWidget | None = None, *, yields: bool = False) -> None:
        super().__init__(parent)
        self._yields = yields
        self._items: list[QLayoutItem] = []
        self._space = space
        self.setContentsMargins(0, 0, 0, 0)

    def add_gap(self) -> None:
        """What follows stands at the right end, as far as all of it is in one line."""
        self.addItem(QSpacerItem(0, 0, QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum))

    # Qt's own

    def addItem(self, item: QLayoutItem) -> None:
        """One more at the right end."""
        self._items.append(item)

    def count(self) -> int:
        """How many there are."""
        return len(self._items)

    def itemAt(self, number: int) -> QLayoutItem | None:
        """One of them."""
        return self._items[number] if 0 <= number < len(self._items) else None

    def takeAt(self, number: int) -> QLayoutItem | None:
        """Let one go."""
        return self._items.pop(number) if 0 <= number < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """To the right."""
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        """The narrower, the higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Of all lines."""
        lines = self._lines(width)
        return sum(map(_height, lines)) + max(len(lines) - 1, 0) * self._space

    def sizeHint(self) -> QSize:
        """All in one line; one that yields asks for no width."""
        if self._yields:
            return self.minimumSize()
        items = self._shown()
        return QSize(sum(map(_width, items)) + max(len(items) - 1, 0) * self._space, _height(items))

    def minimumSize(self) -> QSize:
        """The widest of them alone."""
        widths = [] if self._yields else [item.minimumSize().width() for item in self._shown()]
        return QSize(max(widths, default=int(self._yields)), _height(self._shown()))

    def setGeometry(self, room: QRect) -> None:
        """Place them."""
        super().setGeometry(room)
        top = room.top()
        for line in self._lines(room.width()):
            height = _height(line)
            self._place(line, QRect(room.left(), top, room.width(), height))
            top += height + self._space

    def _place(self, line: list[QLayoutItem], room: QRect) -> None:
        spare = room.width() - sum(map(_width, line)) - (len(line) - 1) * self._space
        shares = [_share(item) for item in line]
        left = room.left()
        for item, share in zip(line, shares, strict=True):
            width = min(_width(item), room.width())
            if share and spare > 0:
                width += spare * share // sum(shares)
            height = min(item.sizeHint().height(), room.height())
            item.setGeometry(QRect(QPoint(left, room.top() + (room.height() - height) // 2), QSize(width, height)))
            left += width + self._space

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if item.widget() is None or not item.isEmpty()]

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        taken = 0
        for item in self._shown():
            needed = _width(item) + self._space
            if not lines or taken + needed > width + self._space:
                lines.append([])
                taken = 0
            lines[-1].append(item)
            taken += needed
        return lines


def _width(item: QLayoutItem) -> int:
    return max(item.sizeHint().width(), item.minimumSize().width())


def _share(item: QLayoutItem) -> int:
    """Of what is left over."""
    if not item.expandingDirections() & Qt.Orientation.Horizontal or item.maximumSize().width() <= _width(item):
        return 0
    widget = item.widget()
    return max(widget.sizePolicy().horizontalStretch(), 1) if widget is not None else 1


def _height(items: Iterable[QLayoutItem]) -> int:
    return max((item.sizeHint().height() for item in items), default=0)

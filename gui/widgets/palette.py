"""The palette: everything the museum can do and show, found by a few letters."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from gui.models.roles import ASIDE_ROLE
from gui.theme import Theme
from museum.typos import Dictionary

MOST = 60  # entries listed at once


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to do or to go to.

    Attributes:
        key: For the program.
        text: What the visitor reads and types.
        aside: Beside it: a shortcut, or where it hangs.
    """

    key: str
    text: str
    aside: str = ""


class Entries:
    """All entries, to be asked at every key.

    Args:
        entries: The most wanted first.
    """

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self._texts = [f"{entry.text} {entry.key}".lower() for entry in entries]

    def matching(self, typed: str) -> list[Entry]:
        """Entries that hold every word typed, those that begin with one first.

        Where there is none: those with the letters in order in their text, else those with words that are a slip away.
        """
        words = typed.lower().split()
        found = [
            (-sum(any(part.startswith(word) for part in text.split()) for word in words), place)
            for place, text in enumerate(self._texts)
            if all(word in text for word in words)
        ]
        if not found and words:
            letters = "".join(words)
            texts = ((place, entry.text.lower()) for place, entry in enumerate(self._entries))
            found = [(0, place) for place, text in texts if _in_order(letters, text)]
        if not found and words:
            found = self._nearly(words)
        return [self._entries[place] for _, place in sorted(found)]

    def _nearly(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """Slips and place of the entries whose words are near to every one typed."""
        known, dictionary = self._words
        costs: dict[int, int] | None = None
        for word in words:
            near = {place: 0 for place, text in enumerate(self._texts) if word in text}
            for number, slips in dictionary.near(word):
                for place in known[number][1]:
                    near[place] = min(near.get(place, slips), slips)
            shared = near.keys() if costs is None else near.keys() & costs.keys()
            costs = {place: near[place] + (costs or {}).get(place, 0) for place in shared}
        return [(cost, place) for place, cost in (costs or {}).items()]

    @cached_property
    def _words(self) -> tuple[list[tuple[str, list[int]]], Dictionary]:
        """Each word with the places of its entries; made when a slip is first met."""
        places: dict[str, list[int]] = {}
        for place, entry in enumerate(self._entries):
            for word in set(entry.text.lower().split()):
                places.setdefault(word, []).append(place)
        return list(places.items()), Dictionary(list(places))


def _in_order(letters: str, text: str) -> bool:
    rest = iter(text)
    return all(letter in rest for letter in letters)


class _EntryPainter(QStyledItemDelegate):
    """An entry as its text, with what stands beside it at the right edge."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """By hand, as the rows of the list are."""
        theme, space = self._theme, self._theme.sizes.space
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        aside, small = index.data(ASIDE_ROLE), theme.font("small")
        width = QFontMetrics(small).horizontalAdvance(aside) + space if aside else 0
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.colour("accent_wash"))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.colour("accent"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.colour("hover"))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(theme.colour("ink"))
        painter.setFont(theme.font())
        room = rect.adjusted(space + 3, 0, -space - width, 0)
        text = QFontMetrics(theme.font()).elidedText(index.data(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, middle | Qt.AlignmentFlag.AlignLeft, text)
        painter.setPen(theme.colour("faint"))
        painter.setFont(small)
        painter.drawText(rect.adjusted(0, 0, -space, 0), middle | Qt.AlignmentFlag.AlignRight, aside)
        painter.restore()

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        """One line each."""
        return QSize(1, QFontMetrics(self._theme.font()).height() + self._theme.sizes.space)


class Palette(QDialog):
    """A field and a list below it; Return does what is chosen.

    Args:
        entries: All there is, the most wanted first.
        theme: Colours and sizes.
        parent: The window.

    Signals:
        chosen: Carries the key of an entry.
    """

    chosen = Signal(str)

    def __init__(self, entries: Sequence[Entry], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries = Entries(entries)
        self.setWindowTitle("Find an action or an exhibit")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        space = theme.sizes.space
        room = parent.size() - QSize(space * 4, space * 4) if parent else QSize(space * 82, space * 56)
        self.resize(QSize(space * 82, space * 56).boundedTo(room))
        self._field = QLineEdit()
        self._field.setAccessibleName("Find an action or an exhibit")
        self._field.setPlaceholderText("An action, an exhibit, a wing")
        self._field.textChanged.connect(self._list)
        self._field.returnPressed.connect(self._choose)
        self._field.installEventFilter(self)
        self._shown = QListWidget()
        self._shown.setObjectName("palette")
        self._shown.setAccessibleName("What was found")
        self._shown.setUniformItemSizes(True)
        self._shown.setMouseTracking(True)
        self._shown.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._shown.setItemDelegate(_EntryPainter(theme, self._shown))
        self._shown.itemActivated.connect(lambda _item: self._choose())
        self._shown.itemClicked.connect(lambda _item: self._choose())
        self._empty = QLabel("Nothing of that name. Try fewer letters, or search the exhibits with Ctrl+K.")
        self._empty.setProperty("role", "faint")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space, space, space, space)
        layout.setSpacing(space)
        for part in (self._field, self._shown, self._empty):
            layout.addWidget(part)
        self._list("")

    def _list(self, typed: str) -> None:
        self._shown.clear()
        for entry in self._entries.matching(typed)[:MOST]:
            item = QListWidgetItem(entry.text)
            item.setData(Qt.ItemDataRole.UserRole, entry.key)
            item.setData(ASIDE_ROLE, entry.aside)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, " ".join(filter(None, (entry.text, entry.aside))))
            self._shown.addItem(item)
        self._shown.setCurrentRow(0)
        self._empty.setVisible(self._shown.count() == 0)

    def _choose(self) -> None:
        item = self._shown.currentItem()
        if item is not None:
            key = item.data(Qt.ItemDataRole.UserRole)
            self.accept()
            self.chosen.emit(key)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows move in the list while the visitor types."""
        if watched is self._field and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}.get(
                Qt.Key(event.key())
            )
            if step:
                row = self._shown.currentRow() + step
                self._shown.setCurrentRow(max(0, min(row, self._shown.count() - 1)))
                return True
        return super().eventFilter(watched, event)

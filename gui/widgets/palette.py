"""The palette: everything the museum can do and show, found by a few letters."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from gui.theme import Theme
from gui.widgets.screen import resize_within_screen

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


def matching(entries: Iterable[Entry], typed: str) -> list[Entry]:
    """Entries that hold every word typed, those that begin with one first; else those with the letters in order."""
    words = typed.lower().split()
    found: list[tuple[int, int, Entry]] = []
    for place, entry in enumerate(entries):
        text = f"{entry.text} {entry.key}".lower()
        if all(word in text for word in words):
            begins = sum(any(part.startswith(word) for part in text.split()) for word in words)
            found.append((-begins, place, entry))
    if not found and words:
        letters = "".join(words)
        found = [(0, place, entry) for place, entry in enumerate(entries) if _in_order(letters, entry.text.lower())]
    return [entry for _, _, entry in sorted(found, key=lambda one: one[:2])]


def _in_order(letters: str, text: str) -> bool:
    rest = iter(text)
    return all(letter in rest for letter in letters)


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
        self._entries = entries
        self.setWindowTitle("Find an action or an exhibit")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        resize_within_screen(self, theme.sizes.space * 78, theme.sizes.space * 55)
        self._field = QLineEdit()
        self._field.setAccessibleName("Find an action or an exhibit")
        self._field.setPlaceholderText("An action, an exhibit, a wing")
        self._field.textChanged.connect(self._list)
        self._field.returnPressed.connect(self._choose)
        self._field.installEventFilter(self)
        self._shown = QListWidget()
        self._shown.setAccessibleName("What was found")
        self._shown.setUniformItemSizes(True)
        self._shown.itemActivated.connect(lambda _item: self._choose())
        self._shown.itemClicked.connect(lambda _item: self._choose())
        self._empty = QLabel("Nothing of that name.")
        self._empty.setProperty("role", "faint")
        layout = QVBoxLayout(self)
        space = theme.sizes.space
        layout.setContentsMargins(space, space, space, space)
        layout.setSpacing(space)
        for part in (self._field, self._shown, self._empty):
            layout.addWidget(part)
        self._list("")

    def _list(self, typed: str) -> None:
        self._shown.clear()
        for entry in matching(self._entries, typed)[:MOST]:
            item = QListWidgetItem(f"{entry.text}    {entry.aside}" if entry.aside else entry.text)
            item.setData(Qt.ItemDataRole.UserRole, entry.key)
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

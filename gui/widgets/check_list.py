"""A short list of which some are chosen, each with a tick."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from gui.widgets.run_bar import Choice

MOST_ROWS = 9  # seen at once


class CheckList(QListWidget):
    """Entries to tick; Space ticks the one with the focus.

    Args:
        name: Accessible name.
        parent: The widget that it is a part of.

    Signals:
        changed: Others are ticked now.
    """

    changed = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.itemChanged.connect(lambda _item: self.changed.emit())

    def show_choices(self, choices: Sequence[Choice], ticked: Iterable[str]) -> None:
        """Offer these, and tick some."""
        wanted = set(ticked)
        self.blockSignals(True)
        self.clear()
        for choice in choices:
            self._add(choice, on=choice.key in wanted)
        self.setCurrentRow(0)
        self.blockSignals(False)
        self.updateGeometry()

    def tick(self, choice: Choice) -> None:
        """Tick an entry; one that is not there is added."""
        for number in range(self.count()):
            if self.item(number).data(Qt.ItemDataRole.UserRole) == choice.key:
                self.item(number).setCheckState(Qt.CheckState.Checked)
                return
        self._add(choice, on=True)
        self.updateGeometry()
        self.changed.emit()

    @property
    def ticked(self) -> tuple[str, ...]:
        """Keys of what is ticked, from the top."""
        items = [self.item(number) for number in range(self.count())]
        return tuple(
            item.data(Qt.ItemDataRole.UserRole) for item in items if item.checkState() is Qt.CheckState.Checked
        )

    def _add(self, choice: Choice, *, on: bool) -> None:
        item = QListWidgetItem(choice.text)
        item.setData(Qt.ItemDataRole.UserRole, choice.key)
        item.setToolTip(choice.tip or choice.text)
        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
        self.addItem(item)

    def sizeHint(self) -> QSize:
        """As many rows as there are, up to `MOST_ROWS`."""
        rows = min(max(self.count(), 2), MOST_ROWS)
        height = self.sizeHintForRow(0) if self.count() else self.fontMetrics().lineSpacing()
        width = max(self.sizeHintForColumn(0), 0) + 2 * self.frameWidth() + 16
        return QSize(max(width, 140), rows * height + 2 * self.frameWidth() + 2)

    def minimumSizeHint(self) -> QSize:
        """A few rows at least."""
        return QSize(120, min(self.sizeHint().height(), 3 * self.fontMetrics().lineSpacing() + 12))

"""The visitor's runs in a dialog: found by words, opened again, compared, pinned, forgotten."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from gui.theme import Theme
from gui.widgets.labels import RoleLabel, allow, button
from gui.widgets.reading import Reading, ReadingView
from gui.widgets.row_table import RowTable
from gui.widgets.screen import resize_within_screen

COLUMNS = ("", "When", "What", "JAX", "Target", "How it ended")
LEAST_TABLE = 20  # units of space that the list is high at least
SETTLE = 120  # milliseconds without a key before the list follows what is typed


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One run in words.

    Attributes:
        number: Of the run.
        cells: In the order of `COLUMNS`; the first one marks a pinned run.
        role: Of its ending: "good", "bad" or "plain".
        pinned: Whether it is kept whatever the history's size.
    """

    number: int
    cells: tuple[str, ...]
    role: str
    pinned: bool


class HistoryDialog(QDialog):
    """Lists runs and asks for what is to become of them.

    Args:
        theme: Colours and sizes.
        parent: The window.

    Signals:
        query_changed: Other runs are wanted: words, and whether only those that failed.
        chosen: Runs were selected; carries their numbers, in the order of the list.
        open_requested: Bring this run's code back to where it ran.
        pin_requested: Keep this run, or no longer.
        delete_requested: Forget these runs.
        clear_requested: Forget all that are not pinned.
    """

    query_changed = Signal(str, bool)
    chosen = Signal(list)
    open_requested = Signal(int)
    pin_requested = Signal(int, bool)
    delete_requested = Signal(list)
    clear_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: Sequence[HistoryRow] = ()
        self.setWindowTitle("History")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        resize_within_screen(self, theme.sizes.space * 122, theme.sizes.space * 85)
        self._query = QLineEdit()
        self._query.setAccessibleName("Search the runs")
        self._query.setPlaceholderText("Search code, messages, exhibits, versions")
        self._query.setClearButtonEnabled(True)
        self._failed = QCheckBox("only what failed")
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE)
        self._settle.timeout.connect(self._ask)
        self._query.textChanged.connect(lambda _text: self._settle.start())
        self._failed.toggled.connect(self._ask)
        self._table = RowTable("Runs", COLUMNS)
        self._table.setWordWrap(False)
        self._table.itemSelectionChanged.connect(self._follow_selection)
        self._table.cellActivated.connect(lambda _row, _column: self._ask_to_open())
        self._state = RoleLabel("faint")
        self._view = ReadingView(theme)
        self._open = button("Open", self._ask_to_open, role="main")
        self._pin = button("Pin", self._ask_to_pin)
        self._delete = button("Delete", lambda: self.delete_requested.emit(self._selected()))
        self._clear = button("Clear…", self._ask_to_clear)
        self._sure = button("Forget all but the pinned", self._clear_now, role="main")
        self._sure.hide()
        layout = QVBoxLayout(self)
        space = theme.sizes.space
        layout.setContentsMargins(space * 2, space * 2, space * 2, space * 2)
        layout.setSpacing(space)
        top = QHBoxLayout()
        top.addWidget(self._query, 1)
        top.addWidget(self._failed)
        layout.addLayout(top)
        panes = QSplitter(Qt.Orientation.Vertical)
        self._table.setMinimumHeight(theme.sizes.space * LEAST_TABLE)
        self._room = QScrollArea()
        self._room.setWidget(self._view)
        self._room.setWidgetResizable(True)
        self._room.setFrameShape(QScrollArea.Shape.NoFrame)
        self._room.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._room.setAccessibleName("What the run did")
        self._room.hide()
        panes.addWidget(self._table)
        panes.addWidget(self._room)
        panes.setStretchFactor(0, 1)
        panes.setChildrenCollapsible(False)
        layout.addWidget(panes, 1)
        layout.addWidget(self._state)
        below = QHBoxLayout()
        for part in (self._open, self._pin, self._delete, self._clear, self._sure):
            below.addWidget(part)
        below.addStretch(1)
        below.addWidget(button("Close", self.close))
        layout.addLayout(below)
        self._follow_selection()

    def show_rows(self, rows: Sequence[HistoryRow], count: int) -> None:
        """List these.

        Args:
            rows: Those that were asked for.
            count: How many runs there are in all.
        """
        kept = set(self._selected())
        self._rows = rows
        self._table.blockSignals(True)
        self._table.clearSelection()
        self._table.setRowCount(len(rows))
        for number, row in enumerate(rows):
            self._table.fill_row(number, row.cells)
        if rows and not self._table.property("fitted"):
            self._table.fit_columns()
            self._table.setProperty("fitted", True)
        self._table.blockSignals(False)
        for number, row in enumerate(rows):
            if row.number in kept:
                self._table.selectRow(number)
        runs = f"{count:,} run{'' if count == 1 else 's'}"
        if not count:
            self._state.say("No run yet. What you run in the museum is kept here.")
        elif not rows:
            self._state.say("Nothing found. Other words, or fewer?")
        else:
            self._state.say(f"{len(rows)} of {runs}" if len(rows) < count else runs)
        self._follow_selection()

    def show_reading(self, reading: Reading | None) -> None:
        """Show what the chosen run did, or nothing."""
        self._room.setVisible(reading is not None)
        if reading is not None:
            self._view.show_reading(reading)

    def say(self, text: str, role: str = "faint") -> None:
        """One line on what went wrong, or was done."""
        self._state.say(text, role)

    def _selected(self) -> list[int]:
        rows = sorted({index.row() for index in self._table.selectedIndexes()})
        return [self._rows[row].number for row in rows if row < len(self._rows)]

    def _follow_selection(self) -> None:
        selected = self._selected()
        rows = {row.number: row for row in self._rows}
        is_one, one = len(selected) == 1, "Choose one run first"
        allow(self._open, is_one, tip="Bring this code back to where it ran", why=one)
        allow(self._pin, is_one, tip="Keep this run whatever the size of the history", why=one)
        allow(self._delete, bool(selected), tip="Delete what is chosen", why="Choose a run first")
        allow(self._clear, bool(self._rows), tip="Forget all runs that are not pinned", why="There is no run")
        pinned = len(selected) == 1 and rows[selected[0]].pinned
        self._pin.setText("Unpin" if pinned else "Pin")
        self._pin.setAccessibleName(self._pin.text())
        self._sure.hide()
        self.chosen.emit(selected)

    def _ask(self) -> None:
        self._settle.stop()
        self.query_changed.emit(self._query.text(), self._failed.isChecked())

    def _ask_to_open(self) -> None:
        selected = self._selected()
        if len(selected) == 1:
            self.open_requested.emit(selected[0])

    def _ask_to_pin(self) -> None:
        (number,) = self._selected()
        self.pin_requested.emit(number, self._pin.text() == "Pin")

    def _ask_to_clear(self) -> None:
        self._sure.setVisible(self._sure.isHidden())

    def _clear_now(self) -> None:
        self._sure.hide()
        self.clear_requested.emit()

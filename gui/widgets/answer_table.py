"""What a snippet did in many places: a row for each JAX version, a column for each target."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidgetItem, QWidget

from gui.theme import Theme
from gui.widgets.row_table import RowTable


@dataclass(frozen=True, slots=True)
class AnswerCell:
    """One place in words.

    Attributes:
        number: Of the cell, for the program.
        text: Letter, number of the answer, words, seconds.
        role: Of its colour: "good", "bad", "doubt" or "faint".
        tip: Place and message.
    """

    number: int
    text: str
    role: str
    tip: str


@dataclass(frozen=True, slots=True)
class AnswerRows:
    """The table in words.

    Attributes:
        targets: Columns.
        rows: Each row's name with its cells, in the order of the columns; None where a row has no such cell.
    """

    targets: tuple[str, ...]
    rows: Mapping[str, Sequence[AnswerCell | None]]


class AnswerTable(RowTable):
    """Cells that are chosen one by one or two together.

    Args:
        theme: Colours and sizes.
        parent: The widget that it is a part of.

    Signals:
        cells_chosen: Carries the numbers of the cells, the first one chosen first.
    """

    cells_chosen = Signal(list)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__("Answers by JAX version and target", (), parent)
        self._theme = theme
        self._order: list[int] = []
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setMinimumSectionSize(12 * theme.sizes.space)
        self.horizontalHeader().setStretchLastSection(False)
        self.setWordWrap(False)
        self.itemSelectionChanged.connect(self._follow_selection)
        self.hide()

    def show_rows(self, shown: AnswerRows) -> None:
        """Show a table; what is chosen stays chosen as long as the table has the same places."""
        heads = ["JAX", *shown.targets]
        fresh = False
        self.blockSignals(True)
        if self._heads() != heads or self.rowCount() != len(shown.rows):
            self.clear()
            self._order = []
            self.setColumnCount(len(heads))
            self.setRowCount(len(shown.rows))
            self.setHorizontalHeaderLabels(heads)
            fresh = True
        for row, (name, cells) in enumerate(shown.rows.items()):
            self._put(row, 0, name, None)
            for column, cell in enumerate(cells, 1):
                self._put(row, column, "" if cell is None else cell.text, cell)
        if fresh:
            self.setCurrentCell(0, 1, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.blockSignals(False)
        self._fit()
        self.viewport().update()

    def _fit(self) -> None:
        """No higher than its rows; it is hidden before there is any."""
        rows = self.rowCount() * self.verticalHeader().defaultSectionSize()
        bar = self.horizontalScrollBar().sizeHint().height()
        self.setMaximumHeight(self.horizontalHeader().sizeHint().height() + rows + bar + 2 * self.frameWidth())
        self.setVisible(bool(rows))

    def clear_choice(self) -> None:
        """Choose nothing."""
        self._order = []
        self.clearSelection()

    def _heads(self) -> list[str]:
        return [item.text() for column in range(self.columnCount()) if (item := self.horizontalHeaderItem(column))]

    def _put(self, row: int, column: int, text: str, cell: AnswerCell | None) -> None:
        item = self.item(row, column)
        if item is None:
            item = QTableWidgetItem()
            self.setItem(row, column, item)
        item.setText(text)
        item.setToolTip(cell.tip if cell else text)
        item.setData(Qt.ItemDataRole.UserRole, cell.number if cell else None)
        flags = Qt.ItemFlag.ItemIsEnabled
        item.setFlags(flags | Qt.ItemFlag.ItemIsSelectable if cell else flags)
        if cell is not None:
            item.setForeground(self._theme.colour(cell.role))
            item.setFont(self._theme.font(weight=QFont.Weight.DemiBold if cell.role == "bad" else QFont.Weight.Normal))

    def _follow_selection(self) -> None:
        now = {number for item in self.selectedItems() if (number := item.data(Qt.ItemDataRole.UserRole)) is not None}
        kept = [number for number in self._order if number in now]
        self._order = [*kept, *sorted(now - set(kept))]
        self.cells_chosen.emit(list(self._order))

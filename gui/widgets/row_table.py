"""A quiet table of rows that are chosen whole and edited elsewhere."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QAbstractItemView, QTableWidget, QTableWidgetItem, QWidget

from gui.widgets.labels import plain_tip

_ABOVE_AND_BELOW = 12  # pixels of a row that are not of its words


class RowTable(QTableWidget):
    """Columns of text without a grid; Tab leaves it.

    Args:
        name: Accessible name.
        columns: Their headings.
        parent: The widget that it is a part of.
    """

    def __init__(self, name: str, columns: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(0, len(columns), parent)
        self.setAccessibleName(name)
        self.setHorizontalHeaderLabels(list(columns))
        self.verticalHeader().hide()
        self.setShowGrid(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        header = self.horizontalHeader()
        header.setStretchLastSection(True)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        self._follow_font()

    def changeEvent(self, event: QEvent) -> None:
        """Rows keep up with the size of the text."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._follow_font()

    def _follow_font(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + _ABOVE_AND_BELOW)

    def fit_columns(self) -> None:
        """As wide as what they hold; the last one takes the rest, which Qt's own would not leave it."""
        for column in range(self.columnCount() - 1):
            self.resizeColumnToContents(column)

    def fill_row(self, row: int, texts: Sequence[str], tip: str = "") -> None:
        """Write a row.

        Args:
            row: Its number.
            texts: One for each column.
            tip: For all of it; else each cell tells its own text, which may be cut off.
        """
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            item.setToolTip(tip or plain_tip(text))
            self.setItem(row, column, item)

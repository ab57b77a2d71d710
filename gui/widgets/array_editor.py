"""The arrays by hand: a table of them, and the dimensions of the current one with the axes that cut them."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QVBoxLayout, QWidget

from gui.theme import Theme
from gui.widgets.axis_editor import WHOLE_ROW, compact_table, fit_rows, put_text, text_at
from gui.widgets.dimension_board import DimensionBoard
from gui.widgets.labels import RoleLabel, button
from museum.mesh.document import StudioArray
from museum.mesh.dtypes import in_words
from museum.mesh.mesh import Axis

COLUMNS = ("Array", "Shape", "dtype", "Spec", "Each")
NAME, SHAPE, DTYPE, SPEC, EACH = range(5)
MOST_ROWS = 8  # in sight; further ones are scrolled to


@dataclass(frozen=True, slots=True)
class ArrayRow:
    """One array of the table.

    Attributes:
        size: Bytes on each device.
        problem: Why JAX refuses it, or what a check found; "" when all is well.
    """

    array: StudioArray
    size: int
    problem: str = ""

    @property
    def cells(self) -> tuple[str, ...]:
        """In the order of `COLUMNS`."""
        array = self.array
        shape = f"({', '.join(map(str, array.shape))}{',' if len(array.shape) == 1 else ''})"
        mark = "✗ " if self.problem else ""
        return array.name, shape, array.dtype, str(array.spec), f"{mark}{in_words(self.size)}"


class ArrayEditor(QWidget):
    """Arrays in a table, the dimensions of the current one below.

    Args:
        theme: Colours and sizes.

    Signals:
        chosen: Name of the array to draw.
        add_requested: One more array.
        removed: Name of an array to take away.
        renamed: Old and new name.
        shape_typed: Name and text.
        dtype_typed: Name and text.
        spec_typed: Name and text.
        sharded: Name, dimension and axis: cut it, too.
        unsharded: Name, dimension and axis: cut it no more.
        resharded: Name, dimension that the axis leaves, dimension that it goes to, axis.
    """

    chosen = Signal(str)
    add_requested = Signal()
    removed = Signal(str)
    renamed = Signal(str, str)
    shape_typed = Signal(str, str)
    dtype_typed = Signal(str, str)
    spec_typed = Signal(str, str)
    sharded = Signal(str, int, str)
    unsharded = Signal(str, int, str)
    resharded = Signal(str, int, int, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[ArrayRow, ...] = ()
        self._chosen = ""
        self._table = compact_table("Arrays", COLUMNS)
        header = self._table.horizontalHeader()
        for column in (SHAPE, DTYPE, EACH):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self._table.cellChanged.connect(self._on_table_cell_changed)
        self._table.currentCellChanged.connect(self._on_table_current_cell_changed)
        self._add = button("Add", self.add_requested.emit, tip="One more array (Insert)", name="Add an array")
        self._remove = button(
            "Remove", self._ask_to_remove, tip="Take the array away (Delete)", name="Remove the array"
        )
        self._memory = RoleLabel("faint")
        self._memory.setAccessibleName("Memory of all arrays")
        self.board = DimensionBoard()
        self.board.sharded.connect(lambda dimension, axis: self.sharded.emit(self._chosen, dimension, axis))
        self.board.unsharded.connect(lambda dimension, axis: self.unsharded.emit(self._chosen, dimension, axis))
        self.board.resharded.connect(lambda old, new, axis: self.resharded.emit(self._chosen, old, new, axis))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.sizes.space // 2)
        layout.addWidget(self._table)
        row = QHBoxLayout()
        row.setSpacing(theme.sizes.space // 2)
        for part in (self._add, self._remove):
            part.setProperty("role", "small")
            row.addWidget(part)
        row.addWidget(self._memory, 1)
        layout.addLayout(row)
        layout.addSpacing(theme.sizes.space // 2)
        layout.addWidget(self.board)
        for keys, act in (("Insert", self.add_requested.emit), ("Delete", self._ask_to_remove)):
            shortcut = QShortcut(QKeySequence(keys), self._table)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)
        self.set_rows((), "", ())

    def set_theme(self, _theme: Theme) -> None:
        """Change colours and sizes."""
        fit_rows(self._table, MOST_ROWS)

    def set_rows(self, rows: Sequence[ArrayRow], chosen: str, axes: Sequence[Axis]) -> None:
        """List these.

        Args:
            rows: In the document's order.
            chosen: Name of the one that is drawn; "" when there is none.
            axes: Of the mesh.
        """
        self._rows, self._chosen = tuple(rows), chosen
        table = self._table
        table.blockSignals(True)
        count_changed = table.rowCount() != len(rows)
        table.setRowCount(len(rows))
        current = -1
        for number, row in enumerate(rows):
            if row.array.name == chosen:
                current = number
            for column, text in enumerate(row.cells):
                self._put(number, column, text, row.problem)
        if current >= 0 and current != table.currentRow():
            table.setCurrentCell(current, max(table.currentColumn(), 0), WHOLE_ROW)
        table.blockSignals(False)
        if count_changed:
            fit_rows(table, MOST_ROWS)
        self._remove.setEnabled(bool(rows))
        array = next((row.array for row in rows if row.array.name == chosen), None)
        self.board.set_array(array, axes)

    def _put(self, row: int, column: int, text: str, problem: str) -> None:
        item = put_text(self._table, row, column, text)
        if column == EACH and item.flags() & Qt.ItemFlag.ItemIsEditable:
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
        tip = f"{text}\n✗ {problem}" if problem else text
        if item.toolTip() != tip:
            item.setToolTip(tip)

    def say_memory(self, words: str, role: str = "faint") -> None:
        """What all of them cost."""
        self._memory.say(words, role)

    def _on_table_current_cell_changed(self, row: int, _column: int, _old_row: int, _old_column: int) -> None:
        if 0 <= row < len(self._rows) and self._rows[row].array.name != self._chosen:
            self.chosen.emit(self._rows[row].array.name)

    def _on_table_cell_changed(self, row: int, column: int) -> None:
        shown, text = self._rows[row], text_at(self._table, row, column)
        if text == shown.cells[column]:
            return
        signal = {NAME: self.renamed, SHAPE: self.shape_typed, DTYPE: self.dtype_typed, SPEC: self.spec_typed}
        if column in signal:
            signal[column].emit(shown.array.name, text)

    def _ask_to_remove(self) -> None:
        if self._chosen:
            self.removed.emit(self._chosen)

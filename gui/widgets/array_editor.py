"""The arrays by hand: a table of them, and the dimensions of the current one with the axes that cut them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QTableWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.theme import Theme
from gui.widgets.axis_editor import WHOLE_ROW, AxisChip, compact_table, dropped_axis, fit_rows, text_at
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
        item = self._table.item(row, column)
        if item is None:
            item = QTableWidgetItem()
            if column == EACH:
                item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
            self._table.setItem(row, column, item)
        if item.text() != text:
            item.setText(text)
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


class DimensionBoard(QWidget):
    """Each dimension of an array with the axes that cut it; axes are dragged there, or added from a menu.

    Signals:
        sharded: Dimension and axis.
        unsharded: Dimension and axis.
        resharded: Old dimension, new dimension, axis.
    """

    sharded = Signal(int, str)
    unsharded = Signal(int, str)
    resharded = Signal(int, int, str)

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[StudioArray | None, tuple[Axis, ...]] | None = None
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(3)
        self._words = RoleLabel("faint", "Drag an axis onto a dimension to shard it, off to replicate.")
        self._layout.addWidget(self._words)
        self._rows: list[_Row] = []
        self.set_array(None, ())

    def set_array(self, array: StudioArray | None, axes: Sequence[Axis]) -> None:
        """Show the dimensions of this one."""
        shown = (array, tuple(axes))
        if shown == self._shown:
            return
        focus = self._focus_place()
        self._shown = shown
        for row in self._rows:
            self._layout.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows = []
        self._words.setVisible(array is not None)
        if array is None:
            return
        rows = [self._ready(array, axes), *self._dimensions(array, axes)]
        words = "Drag an axis onto a dimension to shard it, off to replicate."
        self._words.say(words if array.shape else "A scalar has no dimension: every device holds it.")
        for row in rows:
            self._layout.addWidget(row)
            if focus is not None:
                row.show()  # now and not a moment later, so that it can take the keyboard
        self._rows = rows
        if focus is not None and focus < len(rows):
            rows[focus].take_focus()

    def _ready(self, array: StudioArray, axes: Sequence[Axis]) -> "_Row":
        """The axes that lie ready."""
        row = _Row("mesh axes", None, "Axes to drag onto a dimension")
        row.took.connect(self._take_off)
        for axis in axes:
            in_use = axis.name in array.spec.axes or axis.name in array.spec.unreduced
            tip = f"cuts {array.name} already" if in_use else "drag it onto a dimension"
            row.add_chip(self._chip(str(axis), axis.name, None, tip))
        return row

    def _dimensions(self, array: StudioArray, axes: Sequence[Axis]) -> Iterator["_Row"]:
        """Each dimension, and what the spec has beyond them."""
        sizes = {axis.name: axis.size for axis in axes}
        free = [axis for axis in axes if axis.name not in (*array.spec.axes, *array.spec.unreduced)]
        for dimension in range(max(len(array.shape), len(array.spec.entries))):
            size = f"({array.shape[dimension]})" if dimension < len(array.shape) else "(not there)"
            row = _Row(f"dim {dimension} {size}", dimension, f"Dimension {dimension} of {array.name}")
            row.took.connect(self._take)
            for name in array.spec.axes_at(dimension):
                text = f"{name}={sizes[name]}" if name in sizes else f"✗ {name}"
                tip = "press or drag off to replicate along it"
                row.add_chip(self._chip(f"{text} ✕", name, dimension, tip))
            if dimension < len(array.shape):
                row.offer(free, self.sharded.emit)
            yield row

    def _chip(self, text: str, axis: str, dimension: int | None, tip: str) -> AxisChip:
        chip = AxisChip(axis, text, dimension, tip)
        if dimension is not None:
            chip.clicked.connect(lambda: self.unsharded.emit(dimension, axis))
            chip.dragged_off.connect(lambda: self.unsharded.emit(dimension, axis))
        return chip

    def _take(self, axis: str, old: int | None, new: int) -> None:
        if old is None:
            self.sharded.emit(new, axis)
        elif old != new:
            self.resharded.emit(old, new, axis)

    def _take_off(self, axis: str, old: int | None, _new: int) -> None:
        if old is not None:
            self.unsharded.emit(old, axis)

    def _focus_place(self) -> int | None:
        """Number of the row that the keyboard is in."""
        inside = self.focusWidget()
        if inside is None or not inside.hasFocus():
            return None
        return next((number for number, row in enumerate(self._rows) if row.isAncestorOf(inside)), None)


class _Row(QFrame):
    """One dimension, or the axes that lie ready; takes axes that are dropped on it."""

    took = Signal(str, object, int)

    def __init__(self, text: str, dimension: int | None, name: str) -> None:
        super().__init__()
        self._dimension = dimension
        self._more: QToolButton | None = None
        self.setAccessibleName(name)
        self.setAcceptDrops(True)
        self.setProperty("role", "ready" if dimension is None else "dimension")
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(6, 2, 6, 2)
        self._layout.setSpacing(5)
        label = RoleLabel("faint-line", text)
        label.setMinimumWidth(label.fontMetrics().horizontalAdvance("dim 0 (65536)"))
        self._layout.addWidget(label)
        self._layout.addStretch(1)

    def add_chip(self, chip: AxisChip) -> None:
        """One more axis."""
        self._layout.insertWidget(self._layout.count() - 1, chip)

    def offer(self, axes: Sequence[Axis], sharded: Callable[[int, str], object]) -> None:
        """A menu of axes that may cut it too."""
        dimension = self._dimension
        assert dimension is not None  # noqa: S101 - axes that lie ready are not cut
        more = QToolButton()
        more.setText("Shard")
        more.setToolTip("Cut it along one more axis" if axes else "All axes cut this array already")
        more.setAccessibleName(f"Shard dimension {self._dimension}")
        more.setProperty("role", "small")
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        more.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        more.setEnabled(bool(axes))
        menu = QMenu(more)
        for axis in axes:
            action = menu.addAction(str(axis))
            action.triggered.connect(lambda _checked=False, name=axis.name: sharded(dimension, name))
        more.setMenu(menu)
        self._layout.addWidget(more)
        self._more = more

    def take_focus(self) -> None:
        """Let the keyboard go on in this row."""
        part = self._more if self._more is not None and self._more.isEnabled() else self.findChild(AxisChip)
        if part is not None:
            part.setFocus(Qt.FocusReason.OtherFocusReason)

    def _light(self, *, lit: bool) -> None:
        self.setProperty("over", lit)
        self.style().unpolish(self)
        self.style().polish(self)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """An axis may be dropped here."""
        axis = dropped_axis(event.mimeData())
        if axis is not None and not (self._dimension is None and axis[1] is None):
            self._light(lit=True)
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """It went on."""
        self._light(lit=False)
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Take it."""
        self._light(lit=False)
        axis = dropped_axis(event.mimeData())
        if axis is not None:
            event.acceptProposedAction()
            self.took.emit(axis[0], axis[1], -1 if self._dimension is None else self._dimension)

"""The mesh by hand: a table of its axes, with what can be done to the one in the current row."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.theme import Theme
from gui.widgets.labels import button, name_choices
from museum.mesh.mesh import Axis, AxisType
from museum.mesh.mesh_drawing import AxisCaption

COLUMNS = ("Axis", "Size", "Type", "Drawn")
PLACES = {"columns": "columns →", "rows": "rows ↓", "outer": "blocks"}
WHOLE_ROW = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
MOST_ROWS = 7  # in sight; further ones are scrolled to


class AxisEditor(QWidget):
    """Axes in a table, and buttons for the current one.

    Args:
        theme: Colours and sizes.

    Signals:
        add_requested: One more axis.
        removed: Name of an axis to take away.
        renamed: Old and new name.
        resized: Name and the size as typed.
        type_chosen: Name and type.
        place_chosen: Name, and "rows", "columns" or "outer".
        moved: Name, and by how many places.
        split_requested: Name and the size of the slower part.
        merge_requested: Name of the slower of two that follow each other.
    """

    add_requested = Signal()
    removed = Signal(str)
    renamed = Signal(str, str)
    resized = Signal(str, str)
    type_chosen = Signal(str, str)
    place_chosen = Signal(str, str)
    moved = Signal(str, int)
    split_requested = Signal(str, int)
    merge_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._axes: tuple[Axis, ...] = ()
        self._places: tuple[str, ...] = ()
        self._boxes: list[tuple[QComboBox, QComboBox]] = []
        self._table = compact_table("Mesh axes", COLUMNS)
        self._table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self._table.cellChanged.connect(self._on_table_cell_changed)
        self._table.currentCellChanged.connect(lambda *_: self._follow_row())
        self._add = button(
            "Add", self.add_requested.emit, tip="One more axis, the fastest (Insert)", name="Add an axis"
        )
        self._remove = button("Remove", self._ask_to_remove, tip="Take the axis away (Delete)", name="Remove the axis")
        self._up = button("↑", lambda: self._ask_to_move(-1), tip="Slower (Alt+Up)", name="Move the axis up")
        self._down = button("↓", lambda: self._ask_to_move(1), tip="Faster (Alt+Down)", name="Move the axis down")
        self._split = QPushButton("Split")
        self._split.setToolTip("Two axes in its place; every device keeps what it holds")
        self._split.setAccessibleName("Split the axis")
        self._split.setMenu(QMenu(self._split))
        self._split.menu().aboutToShow.connect(self._fill_split)
        self._merge = button(
            "Merge", self._ask_to_merge, tip="One axis of this and the next one", name="Merge the axis with the next"
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.sizes.space // 2)
        layout.addWidget(self._table)
        row = QHBoxLayout()
        row.setSpacing(theme.sizes.space // 2)
        for part in (self._add, self._up, self._down, self._split, self._merge, self._remove):
            part.setProperty("role", "small")
            row.addWidget(part)
        row.addStretch(1)
        layout.addLayout(row)
        for keys, act in (
            ("Insert", self.add_requested.emit),
            ("Delete", self._ask_to_remove),
            ("Alt+Up", lambda: self._ask_to_move(-1)),
            ("Alt+Down", lambda: self._ask_to_move(1)),
        ):
            shortcut = QShortcut(QKeySequence(keys), self._table)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)
        self.set_axes((), ())

    def set_theme(self, _theme: Theme) -> None:
        """Change colours and sizes."""
        fit_rows(self._table, MOST_ROWS)

    def set_axes(self, axes: Sequence[Axis], captions: Sequence[AxisCaption]) -> None:
        """List these.

        Args:
            axes: In mesh order.
            captions: How each of them is drawn.
        """
        places = tuple(caption.where for caption in captions)
        if (tuple(axes), places) == (self._axes, self._places) and self._table.rowCount() == len(axes):
            self._say_again()
            return
        chosen = self._current()
        number = self._table.currentRow()
        self._axes, self._places = tuple(axes), places
        self._table.blockSignals(True)
        changed = self._table.rowCount() != len(axes)
        self._table.setRowCount(len(axes))
        del self._boxes[len(axes) :]
        for row, (axis, place) in enumerate(zip(axes, places, strict=True)):
            if row == len(self._boxes):
                self._add_row(row)
            for column, text in enumerate((axis.name, str(axis.size))):
                put_text(self._table, row, column, text)
            kinds, where = self._boxes[row]
            _choose(kinds, axis.type, f"Type of axis {axis.name}")
            _choose(where, place, f"Where axis {axis.name} is drawn")
        names = [axis.name for axis in axes]
        keep = names.index(chosen) if chosen in names else min(max(number, 0), len(names) - 1)
        if names and keep != self._table.currentRow():
            self._table.setCurrentCell(keep, max(self._table.currentColumn(), 0), WHOLE_ROW)
        self._table.blockSignals(False)
        if changed:
            fit_rows(self._table, MOST_ROWS)
        self._follow_row()

    def _add_row(self, row: int) -> None:
        """The boxes of a row, which stay for whatever axis stands there: new ones at every edit are slow."""
        kinds, where = _box({kind: kind.title() for kind in AxisType}), _box(PLACES)
        kinds.activated.connect(lambda _number: self.type_chosen.emit(self._axes[row].name, kinds.currentData()))
        where.activated.connect(lambda _number: self.place_chosen.emit(self._axes[row].name, where.currentData()))
        self._table.setCellWidget(row, 2, kinds)
        self._table.setCellWidget(row, 3, where)
        self._boxes.append((kinds, where))

    def choose(self, name: str) -> None:
        """Make this axis the current one."""
        names = [axis.name for axis in self._axes]
        if name in names:
            self._table.setCurrentCell(names.index(name), 0)

    def _say_again(self) -> None:
        """What was typed and refused gives way to what holds."""
        self._table.blockSignals(True)
        for row, axis in enumerate(self._axes):
            for column, text in enumerate((axis.name, str(axis.size))):
                put_text(self._table, row, column, text)
        self._table.blockSignals(False)

    def _current(self) -> str:
        row = self._table.currentRow()
        return self._axes[row].name if 0 <= row < len(self._axes) else ""

    def _follow_row(self) -> None:
        row, count = self._table.currentRow(), len(self._axes)
        here = 0 <= row < count
        self._remove.setEnabled(here)
        self._up.setEnabled(here and row > 0)
        self._down.setEnabled(here and row < count - 1)
        self._merge.setEnabled(here and row < count - 1)
        self._split.setEnabled(here and bool(_parts(self._axes[row].size)))

    def _fill_split(self) -> None:
        menu, axis = self._split.menu(), self._axes[self._table.currentRow()]
        menu.clear()
        for outer in _parts(axis.size):
            action = menu.addAction(f"{axis.size} = {outer} x {axis.size // outer}")
            action.triggered.connect(
                lambda _checked=False, name=axis.name, outer=outer: self.split_requested.emit(name, outer)
            )

    def _on_table_cell_changed(self, row: int, column: int) -> None:
        axis, text = self._axes[row], text_at(self._table, row, column)
        if column == 0 and text != axis.name:
            self.renamed.emit(axis.name, text)
        elif column == 1 and text != str(axis.size):
            self.resized.emit(axis.name, text)

    def _ask_to_remove(self) -> None:
        if self._current():
            self.removed.emit(self._current())

    def _ask_to_move(self, by: int) -> None:
        row = self._table.currentRow()
        if 0 <= row < len(self._axes) and 0 <= row + by < len(self._axes):
            self.moved.emit(self._current(), by)

    def _ask_to_merge(self) -> None:
        if self._current():
            self.merge_requested.emit(self._current())


def _parts(size: int) -> list[int]:
    """The slower parts into which an axis can be split."""
    return [outer for outer in range(2, size // 2 + 1) if size % outer == 0]


def _box(texts: Mapping[str, str]) -> QComboBox:
    box = QComboBox()
    box.setProperty("role", "cell")
    for key, text in texts.items():
        box.addItem(text, str(key))
    return box


def _choose(box: QComboBox, key: str, name: str) -> None:
    name_choices(box, name)
    if box.currentData() != str(key):
        box.setCurrentIndex(box.findData(str(key)))


def compact_table(name: str, columns: Sequence[str]) -> QTableWidget:
    """A table as tall as its rows, of cells that are typed into."""
    table = QTableWidget(0, len(columns))
    table.setAccessibleName(name)
    table.setHorizontalHeaderLabels(list(columns))
    table.setProperty("role", "compact")
    table.verticalHeader().hide()
    table.setShowGrid(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setTabKeyNavigation(False)
    table.setWordWrap(False)
    trigger = QAbstractItemView.EditTrigger
    table.setEditTriggers(trigger.DoubleClicked | trigger.EditKeyPressed | trigger.AnyKeyPressed)
    header = table.horizontalHeader()
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header.setHighlightSections(False)
    header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
    header.setMinimumSectionSize(30)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return table


def text_at(table: QTableWidget, row: int, column: int) -> str:
    """What stands in a cell, without white space around it."""
    item = table.item(row, column)
    return "" if item is None else item.text().strip()


def put_text(table: QTableWidget, row: int, column: int, text: str) -> QTableWidgetItem:
    """Let a cell say something; the item there is kept."""
    item = table.item(row, column)
    if item is None:
        item = QTableWidgetItem()
        table.setItem(row, column, item)
    if item.text() != text:
        item.setText(text)
    return item


def fit_rows(table: QTableWidget, most: int) -> None:
    """Make a table as tall as its rows, up to `most` of them."""
    line = table.fontMetrics().height() + 12
    table.verticalHeader().setDefaultSectionSize(line)
    for row in range(table.rowCount()):
        table.setRowHeight(row, line)
    rows = max(min(table.rowCount(), most), 1)
    table.setFixedHeight(table.horizontalHeader().sizeHint().height() + rows * line + 3)

"""The mesh by hand: a table of its axes, with what can be done to the one in the current row."""

from collections.abc import Sequence

import shiboken6
from PySide6.QtCore import QItemSelectionModel, QMimeData, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QDrag, QKeySequence, QMouseEvent, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.theme import Theme
from gui.widgets.labels import button
from museum.mesh.drawing import AxisCaption
from museum.mesh.mesh import Axis, AxisType

AXIS_FORMAT = "application/x-xla-museum-axis"
"""What a dragged axis is: its name, and after a NUL the array dimension that it comes from, if any."""

COLUMNS = ("Axis", "Size", "Type", "Drawn along")
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
        self._table = compact_table("Mesh axes", COLUMNS)
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
        self._table.setRowCount(len(axes))
        for row, (axis, place) in enumerate(zip(axes, places, strict=True)):
            self._table.setItem(row, 0, QTableWidgetItem(axis.name))
            self._table.setItem(row, 1, QTableWidgetItem(str(axis.size)))
            kinds = self._choice(f"Type of axis {axis.name}", {kind: kind.title() for kind in AxisType}, axis.type)
            kinds.activated.connect(
                lambda _number, box=kinds, name=axis.name: self.type_chosen.emit(name, box.currentData())
            )
            where = self._choice(f"Where axis {axis.name} is drawn", PLACES, place)
            where.activated.connect(
                lambda _number, box=where, name=axis.name: self.place_chosen.emit(name, box.currentData())
            )
            self._table.setCellWidget(row, 2, kinds)
            self._table.setCellWidget(row, 3, where)
        names = [axis.name for axis in axes]
        keep = names.index(chosen) if chosen in names else min(max(number, 0), len(names) - 1)
        if names:
            self._table.setCurrentCell(keep, max(self._table.currentColumn(), 0), WHOLE_ROW)
        self._table.blockSignals(False)
        fit_rows(self._table, MOST_ROWS)
        self._follow_row()

    def choose(self, name: str) -> None:
        """Make this axis the current one."""
        names = [axis.name for axis in self._axes]
        if name in names:
            self._table.setCurrentCell(names.index(name), 0)

    @staticmethod
    def _choice(name: str, texts: dict[str, str] | dict[AxisType, str], chosen: str) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(name)
        box.setProperty("role", "cell")
        for key, text in texts.items():
            box.addItem(text, str(key))
        box.setCurrentIndex(box.findData(str(chosen)))
        return box

    def _say_again(self) -> None:
        """What was typed and refused gives way to what holds."""
        self._table.blockSignals(True)
        for row, axis in enumerate(self._axes):
            for column, text in enumerate((axis.name, str(axis.size))):
                item = self._table.item(row, column)
                if item is not None and item.text() != text:
                    item.setText(text)
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


def fit_rows(table: QTableWidget, most: int) -> None:
    """Make a table as tall as its rows, up to `most` of them."""
    line = table.fontMetrics().height() + 12
    table.verticalHeader().setDefaultSectionSize(line)
    for row in range(table.rowCount()):
        table.setRowHeight(row, line)
    rows = max(min(table.rowCount(), most), 1)
    table.setFixedHeight(table.horizontalHeader().sizeHint().height() + rows * line + 3)


class AxisChip(QToolButton):
    """A mesh axis to drag; where it cuts a dimension, a press takes it off.

    Args:
        axis: Its name.
        text: What it says.
        dimension: The array dimension that it cuts; None for one that lies ready.
        tip: What a press or a drag does.

    Signals:
        dragged_off: It was let go where nothing takes it.
    """

    dragged_off = Signal()

    def __init__(self, axis: str, text: str, dimension: int | None, tip: str) -> None:
        super().__init__()
        self.axis, self.dimension = axis, dimension
        self._pressed: QPointF | None = None
        self.setText(text)
        self.setToolTip(tip)
        self.setAccessibleName(f"{text}: {tip}")
        self.setProperty("role", "chip")
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        """The words and a little air."""
        hint = self.fontMetrics().size(0, self.text())
        return QSize(hint.width() + 18, hint.height() + 8)

    def mime(self) -> QMimeData:
        """What a drag carries."""
        data = QMimeData()
        origin = "" if self.dimension is None else str(self.dimension)
        data.setData(AXIS_FORMAT, f"{self.axis}\0{origin}".encode())
        data.setText(self.axis)
        return data

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Perhaps the beginning of a drag."""
        self._pressed = event.position() if event.button() is Qt.MouseButton.LeftButton else None
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag, once the mouse went far enough."""
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
            return
        if (event.position() - self._pressed).manhattanLength() >= QApplication.startDragDistance():
            self._pressed = None
            self.setDown(False)
            self.drag()

    def drag(self) -> None:
        """Carry the axis until it is let go."""
        drag = QDrag(self.window())  # which outlives the chip: a drop makes new ones
        drag.setMimeData(self.mime())
        drag.setPixmap(self.grab())
        taken = drag.exec(Qt.DropAction.MoveAction)
        if taken is Qt.DropAction.IgnoreAction and shiboken6.isValid(self):
            self.dragged_off.emit()


def dropped_axis(data: QMimeData) -> tuple[str, int | None] | None:
    """The axis that is dragged, and the dimension that it comes from; None for anything else."""
    if not data.hasFormat(AXIS_FORMAT):
        return None
    name, _, origin = bytes(data.data(AXIS_FORMAT).data()).decode("utf-8", "replace").partition("\0")
    return name, int(origin) if origin.isdigit() else None

"""Each dimension of an array with the mesh axes that cut it: axes are dragged there and off, or chosen from a menu."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import shiboken6
from PySide6.QtCore import QMimeData, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QDrag, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from gui.widgets.labels import RoleLabel
from museum.mesh.document import StudioArray
from museum.mesh.mesh import Axis

AXIS_FORMAT = "application/x-xla-museum-axis"
"""What a dragged axis is: its name, and after a NUL the array dimension that it comes from, if any."""


class AxisChip(QToolButton):
    """A mesh axis to drag; where it cuts a dimension, a press takes it off.

    Signals:
        dragged_off: It was let go where nothing takes it.
    """

    dragged_off = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.axis = ""
        self.dimension: int | None = None
        self._pressed: QPointF | None = None
        self.setProperty("role", "chip")
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_axis(self, axis: str, text: str, dimension: int | None, tip: str) -> None:
        """Stand for an axis.

        Args:
            axis: Its name.
            text: What to say.
            dimension: The array dimension that it cuts; None for one that lies ready.
            tip: What a press or a drag does.
        """
        self.axis, self.dimension = axis, dimension
        self.setText(text)
        self.setToolTip(tip)
        self.setAccessibleName(f"{text}: {tip}")

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
        """Show the dimensions of this one; what stands there is kept, because new parts at every edit are slow."""
        shown = (array, tuple(axes))
        if shown == self._shown:
            return
        focus = self._focus_place()
        self._shown = shown
        self._words.setVisible(array is not None)
        lines = [] if array is None else [_ready(array, axes), *_dimensions(array, axes)]
        if array is not None:
            words = "Drag an axis onto a dimension to shard it, off to replicate."
            self._words.say(words if array.shape else "A scalar has no dimension: every device holds it.")
        for row in self._rows[len(lines) :]:
            self._layout.removeWidget(row)
            row.hide()
            row.deleteLater()
        del self._rows[len(lines) :]
        for number, line in enumerate(lines):
            if number == len(self._rows):
                self._add_row()
            self._rows[number].show_line(line)
        if focus is not None and focus < len(self._rows) and self._focus_place() != focus:
            self._rows[focus].show()  # now and not a moment later, so that it can take the keyboard
            self._rows[focus].take_focus()

    def _add_row(self) -> None:
        row = _Row()
        row.took.connect(self._take)
        row.let_go.connect(self.unsharded)
        row.offered.connect(self.sharded)
        self._layout.addWidget(row)
        self._rows.append(row)

    def _take(self, axis: str, old: int | None, new: int | None) -> None:
        if new is None:
            if old is not None:
                self.unsharded.emit(old, axis)
        elif old is None:
            self.sharded.emit(new, axis)
        elif old != new:
            self.resharded.emit(old, new, axis)

    def _focus_place(self) -> int | None:
        """Number of the row that the keyboard is in."""
        inside = self.focusWidget()
        if inside is None or not inside.hasFocus():
            return None
        return next((number for number, row in enumerate(self._rows) if row.isAncestorOf(inside)), None)


@dataclass(frozen=True, slots=True)
class _Chip:
    """An axis on a line: its name, what it says, and what a press or a drag does."""

    axis: str
    text: str
    tip: str


@dataclass(frozen=True, slots=True)
class _Line:
    """What stands on one row of the board.

    Attributes:
        dimension: Of the array; None for the axes that lie ready.
        offered: Axes that may cut it too; None where nothing can be offered.
    """

    dimension: int | None
    text: str
    name: str
    chips: tuple[_Chip, ...]
    offered: tuple[Axis, ...] | None = None


def _ready(array: StudioArray, axes: Sequence[Axis]) -> _Line:
    """The axes that lie ready."""
    used = (*array.spec.axes, *array.spec.unreduced)
    tips = [f"cuts {array.name} already" if axis.name in used else "drag it onto a dimension" for axis in axes]
    chips = tuple(_Chip(axis.name, str(axis), tip) for axis, tip in zip(axes, tips, strict=True))
    return _Line(None, "mesh axes", "Axes to drag onto a dimension", chips)


def _dimensions(array: StudioArray, axes: Sequence[Axis]) -> Iterator[_Line]:
    """Each dimension, and what the spec has beyond them."""
    sizes = {axis.name: axis.size for axis in axes}
    free = tuple(axis for axis in axes if axis.name not in (*array.spec.axes, *array.spec.unreduced))
    for dimension in range(max(len(array.shape), len(array.spec.entries))):
        there = dimension < len(array.shape)
        size = f"({array.shape[dimension]})" if there else "(not there)"
        texts = [f"{name}={sizes[name]}" if name in sizes else f"✗ {name}" for name in array.spec.axes_at(dimension)]
        chips = tuple(
            _Chip(name, f"{text} ✕", "press or drag off to replicate along it")
            for name, text in zip(array.spec.axes_at(dimension), texts, strict=True)
        )
        name = f"Dimension {dimension} of {array.name}"
        yield _Line(dimension, f"dim {dimension} {size}", name, chips, free if there else None)


class _Row(QFrame):
    """One dimension, or the axes that lie ready; takes axes that are dropped on it.

    Signals:
        took: Axis, the dimension that it comes from or None, the dimension that it was dropped on or None.
        let_go: Dimension and axis: a press, or a drag to nowhere, took it off.
        offered: Dimension and axis, chosen from the menu.
    """

    took = Signal(str, object, object)
    let_go = Signal(int, str)
    offered = Signal(int, str)

    def __init__(self) -> None:
        super().__init__()
        self._line: _Line | None = None
        self._chips: list[AxisChip] = []
        self.setAcceptDrops(True)
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(6, 2, 6, 2)
        self._layout.setSpacing(5)
        self._label = RoleLabel("faint-line")
        self._layout.addWidget(self._label)
        self._layout.addStretch(1)
        self._more: QToolButton | None = None

    def show_line(self, line: _Line) -> None:
        """Show another line, or the same after an edit."""
        before, self._line = self._line, line
        if line == before:
            return
        if before is None:
            self.setProperty("role", "ready" if line.dimension is None else "dimension")
        self.setAccessibleName(line.name)
        self._label.setText(line.text)
        self._label.ensurePolished()
        self._label.setMinimumWidth(self._label.fontMetrics().horizontalAdvance("dim 0 (65536)"))
        for chip in self._chips[len(line.chips) :]:
            self._layout.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        del self._chips[len(line.chips) :]
        for number, one in enumerate(line.chips):
            if number == len(self._chips):
                self._add_chip()
            self._chips[number].show_axis(one.axis, one.text, line.dimension, one.tip)
        if before is None or line.offered != before.offered or line.dimension != before.dimension:
            self._offer(line.dimension, line.offered)

    def _add_chip(self) -> None:
        chip = AxisChip()
        chip.clicked.connect(lambda _checked=False: self._let_go(chip))
        chip.dragged_off.connect(lambda: self._let_go(chip))
        self._layout.insertWidget(1 + len(self._chips), chip)
        self._chips.append(chip)

    def _let_go(self, chip: AxisChip) -> None:
        if chip.dimension is not None:
            self.let_go.emit(chip.dimension, chip.axis)

    def _offer(self, dimension: int | None, axes: Sequence[Axis] | None) -> None:
        """A menu of axes that may cut it too."""
        if axes is None:
            if self._more is not None:
                self._layout.removeWidget(self._more)
                self._more.hide()
                self._more.deleteLater()
                self._more = None
            return
        if self._more is None:
            self._more = QToolButton()
            self._more.setText("Shard")
            self._more.setProperty("role", "small")
            self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
            self._more.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self._more.setMenu(QMenu(self._more))
            self._layout.addWidget(self._more)
        self._more.setToolTip("Cut it along one more axis" if axes else "All axes cut this array already")
        self._more.setAccessibleName(f"Shard dimension {dimension}")
        self._more.setEnabled(bool(axes))
        menu = self._more.menu()
        menu.clear()
        for axis in axes:
            action = menu.addAction(str(axis))
            action.triggered.connect(lambda _checked=False, name=axis.name: self.offered.emit(dimension, name))

    def take_focus(self) -> None:
        """Let the keyboard go on in this row."""
        part = self._more if self._more is not None and self._more.isEnabled() else next(iter(self._chips), None)
        if part is not None:
            part.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def _dimension(self) -> int | None:
        return self._line.dimension if self._line else None

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
            self.took.emit(axis[0], axis[1], self._dimension)

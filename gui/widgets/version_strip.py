"""The version strip: one cell for each JAX version and half, lettered and coloured by verdict."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QPushButton, QWidget

from gui.theme import Theme
from gui.widgets.labels import RoleLabel, button
from museum.exhibit import Half
from museum.strip import Cell, Place, Strip


class VersionStrip(QWidget):
    """Shows a strip; cells that have an account are part of the group that chooses one.

    Args:
        theme: Colours and sizes.
        group: Where cells with an account go, under the account's number.
        parent: The widget that it is a part of.

    Signals:
        run_requested: A cell without an account was pressed that can be run; carries its `Place`.
    """

    run_requested = Signal(object)

    def __init__(self, theme: Theme, group: QButtonGroup, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group = group
        self._cells: dict[Place, QPushButton] = {}
        self._shape: tuple[tuple[str, ...], tuple[tuple[Half, str], ...]] | None = None
        self._runs: set[Place] = set()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(theme.sizes.space)
        self._grid.setVerticalSpacing(theme.sizes.space // 2)
        self.setAccessibleName("Versions")
        self.hide()

    def show_strip(self, strip: Strip | None, numbers: dict[Place, int]) -> list[QPushButton]:
        """Show another strip, or none.

        Args:
            strip: What is known.
            numbers: The account of each cell that has one.

        Returns:
            The cells in the order in which the keyboard meets them.
        """
        for cell in self._cells.values():
            self._group.removeButton(cell)
        self.setVisible(strip is not None)
        shape = (strip.versions, strip.rows) if strip else None
        if shape != self._shape:
            self._shape = shape
            self._lay_out(strip)
        if strip is None:
            return []
        self._runs = {place for place, cell in strip.cells.items() if cell.can_run and place not in numbers}
        for place, made in self._cells.items():
            self._dress(made, place, strip.cells[place], numbers.get(place))
        return list(self._cells.values())

    def _lay_out(self, strip: Strip | None) -> None:
        """Make labels and cells; most exhibits have the same ones, which then only say something else."""
        while item := self._grid.takeAt(0):
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        self._cells = {}
        if strip is None:
            return
        one_target = len({target for _, target in strip.rows}) == 1
        for column, version in enumerate(strip.versions):
            label = RoleLabel("faint-line", version)
            label.setMinimumWidth(0)  # all of it
            self._grid.addWidget(label, 0, column + 1, Qt.AlignmentFlag.AlignHCenter)
        for row, (half, target) in enumerate(strip.rows):
            label = RoleLabel("faint-line", str(half) if one_target else f"{half}, {target}")
            label.setMinimumWidth(0)  # all of it
            self._grid.addWidget(label, row + 1, 0)
            for column, version in enumerate(strip.versions):
                place = Place(half, target, version)
                made = button("", partial(self._on_pressed, place), role="cell")
                self._cells[place] = made
                self._grid.addWidget(made, row + 1, column + 1)
        for column in range(self._grid.columnCount() + 1):  # the grid remembers the columns of earlier strips
            self._grid.setColumnStretch(column, int(column > len(strip.versions)))

    def _dress(self, made: QPushButton, place: Place, cell: Cell, number: int | None) -> None:
        name = f"{place.half} on JAX {place.jax}, {place.target}: {cell.words}"
        made.setText(cell.letter)
        made.setAccessibleName(name)
        made.setToolTip(f"{name}\n{cell.why}" + ("\nPress to run it there" if place in self._runs else ""))
        made.setEnabled(number is not None or place in self._runs)
        if (made.property("verdict"), made.property("fresh")) != (cell.role, cell.is_new):
            made.setProperty("verdict", cell.role)
            made.setProperty("fresh", cell.is_new)
            made.style().unpolish(made)
            made.style().polish(made)
        made.setCheckable(number is not None)
        if number is not None:
            self._group.addButton(made, number)

    def _on_pressed(self, place: Place) -> None:
        if place in self._runs:
            self.run_requested.emit(place)

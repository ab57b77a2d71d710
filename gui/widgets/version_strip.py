"""The version strip: one cell for each JAX version and half, lettered and coloured by verdict."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QPushButton, QWidget

from gui.theme import Theme
from gui.widgets.labels import RoleLabel, button
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
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(theme.sizes.space // 2)
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
        while item := self._grid.takeAt(0):
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        self._cells = {}
        self.setVisible(strip is not None)
        if strip is None:
            return []
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
                made = self._button(place, strip.cells[place], numbers.get(place))
                self._cells[place] = made
                self._grid.addWidget(made, row + 1, column + 1)
        for column in range(self._grid.columnCount() + 1):  # the grid remembers the columns of earlier strips
            self._grid.setColumnStretch(column, int(column > len(strip.versions)))
        return list(self._cells.values())

    def _button(self, place: Place, cell: Cell, number: int | None) -> QPushButton:
        name = f"{place.half} on JAX {place.jax}, {place.target}: {cell.words}"
        runs = number is None and cell.can_run
        tip = f"{name}\n{cell.why}" + ("\nPress to run it there" if runs else "")
        made = button(cell.letter, lambda: self._on_pressed(place) if runs else None, role="cell", tip=tip, name=name)
        made.setProperty("verdict", cell.role)
        made.setProperty("fresh", cell.is_new)
        made.setEnabled(number is not None or runs)
        if number is not None:
            made.setCheckable(True)
            self._group.addButton(made, number)
        return made

    def _on_pressed(self, place: Place) -> None:
        self.run_requested.emit(place)

"""The environments in a dialog: what is at hand and what it can do, building another, letting go."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from gui.theme import Theme
from gui.widgets.labels import RoleLabel, allow, button
from gui.widgets.output_pane import OutputPane
from gui.widgets.row_table import RowTable
from gui.widgets.screen import resize_within_screen
from gui.widgets.wrap_layout import WrapLayout

COLUMNS = ("Name", "JAX", "Python", "Can run", "Belongs to")
LOOKING = "Looking for Pythons that have JAX …"
NONE = "No Python with JAX was found. Write a JAX version and press Build, or name a folder that has one."


@dataclass(frozen=True, slots=True)
class EnvironmentRow:
    """One environment in words.

    Attributes:
        name: Unique.
        cells: In the order of `COLUMNS`.
        tip: Where it lies.
        can_remove: Whether the museum may delete or forget it.
    """

    name: str
    cells: tuple[str, ...]
    tip: str
    can_remove: bool


class EnvironmentsDialog(QDialog):
    """Lists environments and asks for more.

    Args:
        theme: Colours and sizes.
        versions: JAX versions to suggest.
        parent: The window.

    Signals:
        build_requested: Build one: JAX version, and whether with libtpu.
        cancel_requested: Stop building.
        remove_requested: Delete or forget the one of this name.
        named: The visitor named a folder or a Python; carries its path.
    """

    build_requested = Signal(str, bool)
    cancel_requested = Signal()
    remove_requested = Signal(str)
    named = Signal(str)

    def __init__(self, theme: Theme, versions: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: Sequence[EnvironmentRow] = ()
        self.setWindowTitle("Environments")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        resize_within_screen(self, theme.sizes.space * 90, theme.sizes.space * 58)
        self._table = RowTable("Environments", COLUMNS)
        self._table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self._table.itemSelectionChanged.connect(self._follow_selection)
        self._version = QLineEdit()
        self._version.setAccessibleName("JAX version to build an environment for")
        self._version.setPlaceholderText(f"JAX version, for example {versions[-1]}" if versions else "JAX version")
        self._tpu = QCheckBox("with libtpu (Google's TPU compiler, under its own terms)")
        self._build = button("Build", self._ask_to_build, role="main")
        self._build.setDefault(True)  # Return in the field presses it
        self._cancel = button("Cancel", self.cancel_requested.emit, tip="Stop building; nothing half-made stays")
        self._name = button("Name a folder…", self._ask_for_folder, tip="Use a virtual environment that has JAX")
        self._remove = button("Remove", self._ask_to_remove)
        self._state = RoleLabel("faint")
        self._log = OutputPane("Progress")
        self._log.hide()
        making = WrapLayout(theme.sizes.space)
        for part in (self._version, self._tpu, self._build, self._cancel):
            making.addWidget(part)
        wanted = self._version.fontMetrics().horizontalAdvance(self._version.placeholderText())
        self._version.setMinimumWidth(wanted + theme.sizes.space * 3)
        below = QHBoxLayout()
        below.addWidget(self._name)
        below.addWidget(self._remove)
        below.addStretch(1)
        below.addWidget(button("Close", self.close))
        layout = QVBoxLayout(self)
        space = theme.sizes.space
        layout.setContentsMargins(space * 2, space * 2, space * 2, space * 2)
        layout.setSpacing(space)
        layout.addWidget(self._table, 1)
        layout.addLayout(making)
        layout.addWidget(self._state)
        layout.addWidget(self._log)
        layout.addLayout(below)
        self.set_building(building=False)
        self.say(LOOKING)

    def show_rows(self, rows: Sequence[EnvironmentRow]) -> None:
        """List these."""
        if self._state.text() in (LOOKING, NONE):
            self.say("" if rows else NONE)
        self._rows = rows
        self._table.setRowCount(len(rows))
        for number, row in enumerate(rows):
            self._table.fill_row(number, row.cells, row.tip)
        self._follow_selection()

    def set_building(self, *, building: bool) -> None:
        """While one is built, only Cancel helps."""
        self._build.setEnabled(not building)
        self._version.setEnabled(not building)
        self._tpu.setEnabled(not building)
        self._cancel.setVisible(building)

    def say(self, text: str, role: str = "faint") -> None:
        """One line on how it stands."""
        self._state.say(text, role)

    def show_log(self, text: str) -> None:
        """What the installer said so far."""
        self._log.setVisible(bool(text))
        self._log.show_text(text, self._theme.code_font())
        self._log.verticalScrollBar().setValue(self._log.verticalScrollBar().maximum())

    def _selected(self) -> EnvironmentRow | None:
        number = self._table.currentRow()
        return self._rows[number] if self._table.selectedItems() and 0 <= number < len(self._rows) else None

    def _follow_selection(self) -> None:
        row = self._selected()
        why = "This one is not the museum's to remove" if row is not None else "Choose an environment first"
        can = row is not None and row.can_remove
        allow(self._remove, can, tip="Delete it if the museum built it, else forget it", why=why)

    def _ask_to_build(self) -> None:
        version = self._version.text().strip()
        if version:
            self.build_requested.emit(version, self._tpu.isChecked())
        else:
            self.say("Write a JAX version first.", "bad")

    def _ask_to_remove(self) -> None:
        row = self._selected()
        if row is not None:
            self.remove_requested.emit(row.name)

    def _ask_for_folder(self) -> None:
        chooser = QFileDialog(self, "A virtual environment that has JAX")
        chooser.setFileMode(QFileDialog.FileMode.Directory)
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.fileSelected.connect(self.named)
        chooser.open()

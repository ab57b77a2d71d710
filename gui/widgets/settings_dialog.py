"""The settings in a dialog: each takes effect as it is chosen."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QCompleter,
    QDialog,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gui.theme import Theme
from gui.widgets.labels import RoleLabel, allow, button
from gui.widgets.row_table import RowTable
from gui.widgets.screen import resize_within_screen
from museum import settings as all_of
from museum.settings import OneOf, Scale, Setting, Switch, Whole

SECTIONS: Sequence[tuple[str, Sequence[Setting[Any]]]] = (
    (
        "Look",
        (all_of.SCHEME, all_of.SCALE, all_of.FAMILY, all_of.CODE_FAMILY, all_of.MOTION, all_of.WHITESPACE),
    ),
    ("A run may take", (all_of.SECONDS, all_of.MEMORY, all_of.OUTPUT, all_of.PROCESSES)),
    ("The bench", (all_of.TARGET,)),
    ("Starting at once", (all_of.SPARES, all_of.IDLE, all_of.USE_CACHE, all_of.CACHE)),
    ("The history holds at most", (all_of.HISTORY_RUNS, all_of.HISTORY_SIZE)),
)
NO_NAMES = "None yet. Name a virtual environment that has JAX, or build one under Manage environments."
SHOWN_NAMES = 4  # rows of the table of environments


class SettingsDialog(QDialog):
    """Lists settings under headings, and the environments that the visitor named.

    Args:
        theme: Colours and sizes.
        families: Fonts to suggest: of everything, and of code.
        parent: The window.

    Signals:
        edited: The visitor wants another value; carries the `Setting` and the value as text.
        reset_requested: The default of every setting.
        clear_requested: Empty the compilation cache.
        named: Use the virtual environment, or the Python, at this path.
        remove_requested: Forget the named environment of this name.
        environments_requested: Show all environments.
    """

    edited = Signal(object, str)
    reset_requested = Signal()
    clear_requested = Signal()
    named = Signal(str)
    remove_requested = Signal(str)
    environments_requested = Signal()

    def __init__(
        self, theme: Theme, families: tuple[Sequence[str], Sequence[str]] = ((), ()), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._families = {all_of.FAMILY.key: families[0], all_of.CODE_FAMILY.key: families[1]}
        self._controls: dict[str, QWidget] = {}
        self.setWindowTitle("Settings")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        resize_within_screen(self, theme.sizes.space * 92, theme.sizes.space * 84)
        self._held = RoleLabel("faint", "looking …")
        self._clear = button("Clear", self.clear_requested.emit, role="quiet", name="Clear the compilation cache")
        self._state = RoleLabel("faint")
        self._sure = button("Reset all of them", self._reset, role="main")
        self._sure.hide()
        # Rooms first, furniture afterwards: Qt styles all there is in a widget again at each move of it.
        layout = QVBoxLayout(self)
        self._scroll, body = QScrollArea(), QWidget()
        body.setObjectName("page")
        self._scroll.setWidget(body)
        layout.addWidget(self._scroll, 1)
        self._form = QGridLayout(body)
        space = theme.sizes.space
        self._form.setContentsMargins(space * 2, space, space * 2, space * 2)
        self._form.setHorizontalSpacing(space * 2)
        self._form.setVerticalSpacing(space)
        self._form.setColumnStretch(2, 1)
        for heading, settings in SECTIONS:
            self._add_heading(heading)
            for setting in settings:
                self._add(setting)
            if all_of.CACHE in settings:
                self._add_cache()
        self._add_environments()
        self._form.setRowStretch(self._form.rowCount(), 1)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        below = QHBoxLayout()
        below.addWidget(button("Reset to defaults…", self._ask_to_reset))
        below.addWidget(self._sure)
        below.addStretch(1)
        below.addWidget(button("Close", self.close))
        layout.setContentsMargins(0, space, 0, space * 2)
        layout.setSpacing(space)
        foot = QVBoxLayout()
        foot.setContentsMargins(space * 2, 0, space * 2, 0)
        foot.setSpacing(space)
        foot.addWidget(self._state)
        foot.addLayout(below)
        layout.addLayout(foot)
        self.say("")

    # Making

    def _add_heading(self, words: str) -> None:
        row = self._form.rowCount()
        self._form.setRowMinimumHeight(row, self._theme.sizes.space)
        self._form.addWidget(RoleLabel("heading", words), row + 1, 0, 1, 3)

    def _add(self, setting: Setting[Any]) -> None:
        row = self._form.rowCount()
        control = self._control(setting)
        control.setAccessibleName(setting.title)
        control.setAccessibleDescription(setting.tip)
        self._controls[setting.key] = control
        if isinstance(setting, Switch):
            self._form.addWidget(control, row, 0, 1, 3)
            return
        label = RoleLabel("setting", setting.title)
        label.setWordWrap(False)
        label.setBuddy(control)
        self._form.addWidget(label, row, 0)
        self._form.addWidget(control, row, 1)
        words = ". ".join(filter(None, (setting.range if isinstance(setting, Whole) else "", setting.tip)))
        self._form.addWidget(RoleLabel("faint", words), row, 2)

    def _control(self, setting: Setting[Any]) -> QWidget:
        if isinstance(setting, Switch):
            box = QCheckBox(setting.title)
            box.clicked.connect(lambda on: self.edited.emit(setting, setting.write(on)))
            return box
        if isinstance(setting, OneOf | Scale):
            choices = QComboBox()
            for value, words in _choices(setting):
                choices.addItem(words, value)
            choices.activated.connect(lambda number: self.edited.emit(setting, choices.itemData(number)))
            return choices
        field = QLineEdit()
        field.setMinimumWidth(self._theme.sizes.space * 20)
        if setting.key in self._families:
            field.setPlaceholderText("the system's")
            completer = QCompleter(list(self._families[setting.key]), field)
            completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
            completer.activated.connect(lambda text: self.edited.emit(setting, text))
            field.setCompleter(completer)
        field.editingFinished.connect(lambda: self._on_field_finished(setting, field))
        return field

    def _on_field_finished(self, setting: Setting[Any], field: QLineEdit) -> None:
        if field.isModified():
            field.setModified(False)
            self.edited.emit(setting, field.text())

    def _add_cache(self) -> None:
        row = self._form.rowCount()
        self._form.addWidget(RoleLabel("setting", "Cache holds"), row, 0)
        self._form.addWidget(self._held, row, 1)
        self._form.addWidget(self._clear, row, 2, Qt.AlignmentFlag.AlignLeft)

    def _add_environments(self) -> None:
        self._add_heading("Environments that you named")
        self._names = RowTable("Environments that you named", ("Name", "Python"))
        self._names.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._names.itemSelectionChanged.connect(self._follow_selection)
        self._no_names = RoleLabel("faint", NO_NAMES)
        self._path = QLineEdit()
        self._path.setAccessibleName("Folder of a virtual environment, or a Python")
        self._path.setPlaceholderText("folder of a virtual environment")
        self._path.returnPressed.connect(self._ask_to_name)
        self._remove = button("Remove", self._ask_to_remove, name="Remove the named environment")
        row = QHBoxLayout()
        row.setSpacing(self._theme.sizes.space)
        row.addWidget(self._path, 1)
        for part in (
            button("Add", self._ask_to_name, name="Add the environment of this folder"),
            button("Choose…", self._ask_for_folder, name="Choose a folder"),
            self._remove,
        ):
            part.setAutoDefault(False)
            row.addWidget(part)
        manage = button("Manage environments…", self.environments_requested.emit, role="quiet")
        for shown in (self._names, self._no_names):
            self._form.addWidget(shown, self._form.rowCount(), 0, 1, 3)
        self._form.addLayout(row, self._form.rowCount(), 0, 1, 3)
        self._form.addWidget(manage, self._form.rowCount(), 0, 1, 3, Qt.AlignmentFlag.AlignLeft)
        self.show_names(())

    # Showing

    def show_values(self, text_of: Callable[[Setting[Any]], str]) -> None:
        """Show what holds."""
        for _, settings in SECTIONS:
            for setting in settings:
                self.show_value(setting, text_of(setting))

    def show_value(self, setting: Setting[Any], text: str) -> None:
        """Show what holds of one; what is being typed there is not disturbed."""
        control = self._controls[setting.key]
        if isinstance(control, QCheckBox):
            control.setChecked(text == "true")
        elif isinstance(control, QComboBox):
            control.setCurrentIndex(control.findData(text))
        elif isinstance(control, QLineEdit) and not control.isModified():
            control.setText(text)

    def set_bad(self, setting: Setting[Any], *, bad: bool) -> None:
        """Mark a field whose text is not taken; the text stays, to be mended."""
        control = self._controls[setting.key]
        control.setProperty("bad", "true" if bad else "false")
        control.style().unpolish(control)
        control.style().polish(control)

    def forget_typed(self) -> None:
        """What was typed and not taken gives way to what holds."""
        for _, settings in SECTIONS:
            for setting in settings:
                control = self._controls[setting.key]
                if isinstance(control, QLineEdit):
                    control.setModified(False)
                    self.set_bad(setting, bad=False)

    def show_held(self, words: str, *, empty: bool) -> None:
        """How much the compilation cache holds now."""
        self._held.setText(words)
        allow(self._clear, not empty, tip="Delete what it holds; the next runs compile again", why="It is empty")

    def show_names(self, rows: Sequence[tuple[str, str]]) -> None:
        """List named environments: name and Python of each."""
        self._names.setRowCount(len(rows))
        for number, cells in enumerate(rows):
            self._names.fill_row(number, cells)
        self._names.resizeColumnToContents(0)
        line = self._names.verticalHeader().defaultSectionSize()
        self._names.setFixedHeight(line * (min(max(len(rows), 1), SHOWN_NAMES) + 1) + self._theme.sizes.space)
        self._names.setVisible(bool(rows))
        self._no_names.setVisible(not rows)
        self._follow_selection()

    def say(self, text: str, role: str = "faint") -> None:
        """One line on what was refused, or done."""
        self._state.say(text, role)

    def set_path(self, text: str) -> None:
        """What stands in the field for a folder."""
        self._path.setText(text)

    # Asking

    def _follow_selection(self) -> None:
        tip = "Forget it; its files stay"
        allow(self._remove, bool(self._names.selectedItems()), tip=tip, why="Choose one of the list first")

    def _ask_to_remove(self) -> None:
        items = self._names.selectedItems()
        if items:
            self.remove_requested.emit(items[0].text())

    def _ask_to_name(self) -> None:
        path = self._path.text().strip()
        if path:
            self.named.emit(path)
        else:
            self.say("Write the folder of a virtual environment first, or choose one.", "bad")

    def _ask_for_folder(self) -> None:
        chooser = QFileDialog(self, "A virtual environment that has JAX")
        chooser.setFileMode(QFileDialog.FileMode.Directory)
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.fileSelected.connect(self.named)
        chooser.open()

    def _ask_to_reset(self) -> None:
        self._sure.setVisible(self._sure.isHidden())

    def _reset(self) -> None:
        self._sure.hide()
        self.reset_requested.emit()


def _choices(setting: OneOf | Scale) -> list[tuple[str, str]]:
    if isinstance(setting, OneOf):
        return list(setting.choices)
    return [(setting.write(step), f"{step:.0%}".replace("%", " %")) for step in setting.steps]

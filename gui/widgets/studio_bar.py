"""The studio's bar: where a layout comes from and where it goes to, one step back, and JAX."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from gui.widgets.labels import RoleLabel, button, menu_button, name_choices
from gui.widgets.run_bar import Choice
from gui.widgets.studio_view import Copied, Exported, StudioView
from gui.widgets.wrap_layout import WrapLayout

_FILTERS = {Exported.PNG: "PNG picture (*.png)", Exported.SVG: "SVG picture (*.svg)", Exported.JSON: "Layout (*.json)"}


class StudioBar(QWidget):
    """Presets, machines, undo, saved layouts, ways out, the JAX version; what is said stands below.

    Signals:
        undo_requested: One step back.
        redo_requested: And forward.
        preset_chosen: Id of a preset.
        topology_typed: Name of a machine, "" for none.
        save_requested: Name, and whether to save over another layout of that name.
        open_requested: Name of a saved layout.
        remove_requested: Likewise, to forget it.
        new_requested: Begin anew.
        copy_requested: What to put on the clipboard; a `Copied`.
        export_requested: What to write, an `Exported`, and where to.
        import_requested: A file to open.
        jax_chosen: The version that code is written for and checked with.
        check_requested: Compare with JAX.
        stop_requested: End what was asked of JAX.
        bench_requested: Put the code on the bench.
    """

    undo_requested = Signal()
    redo_requested = Signal()
    preset_chosen = Signal(str)
    topology_typed = Signal(str)
    save_requested = Signal(str, bool)
    open_requested = Signal(str)
    remove_requested = Signal(str)
    new_requested = Signal()
    copy_requested = Signal(object)
    export_requested = Signal(object, str)
    import_requested = Signal(str)
    jax_chosen = Signal(str)
    check_requested = Signal()
    stop_requested = Signal()
    bench_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._view: StudioView | None = None
        self._over = ""
        self.setObjectName("studioBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._make_fields()
        self._make_rows()

    def _make_fields(self) -> None:
        self._presets = QComboBox()
        name_choices(self._presets, "Preset: a way to spread a transformer")
        self._presets.setPlaceholderText("Preset")
        self._presets.activated.connect(lambda number: self.preset_chosen.emit(self._presets.itemData(number)))
        self._machines = QComboBox()
        self._machines.setEditable(True)
        self._machines.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        name_choices(self._machines, "Machine")
        self._machines.setToolTip("The devices, as in v5p:4x4x4, 2x v5e:4x4, h100:16, devices:64; empty for none")
        self._machine_text = QLineEdit()
        self._machines.setLineEdit(self._machine_text)
        self._machine_text.setPlaceholderText("any devices")
        self._machine_text.setAccessibleName("Machine")
        self._machines.textActivated.connect(self._on_machine)
        self._machine_text.editingFinished.connect(lambda: self._on_machine(self._machines.currentText()))
        self._name = QLineEdit()
        self._name.setAccessibleName("Name of the layout")
        self._name.setPlaceholderText("unnamed layout")
        self._name.returnPressed.connect(self.ask_to_save)
        self._jax = QComboBox()
        name_choices(self._jax, "JAX version of the code and of the check")
        self._jax.activated.connect(lambda number: self.jax_chosen.emit(self._jax.itemData(number)))

    def _make_rows(self) -> None:
        self._message = RoleLabel("faint")
        self._message.setAccessibleName("Message")
        self._save_over = button("Save over it", lambda: self.save_requested.emit(self._over, True), role="quiet")
        self._undo = button("Undo", self.undo_requested.emit, tip="Ctrl+Z")
        self._redo = button("Redo", self.redo_requested.emit, tip="Ctrl+Shift+Z")
        self._open = menu_button("Open", "Open a layout", {})
        save = button("Save", self.ask_to_save, tip="Save under this name (Ctrl+S)", name="Save the layout")
        copy = {f"Copy as {what}": self._copier(what) for what in Copied}
        export = {"Open as code on the bench": self.bench_requested.emit} | {
            f"Save as {what.upper()}…": self._exporter(what) for what in Exported
        }
        self._check = button("Check with JAX", self.check_requested.emit, role="main", tip="Run it and compare")
        self._stop = button("Stop", self.stop_requested.emit, tip="End what was asked of JAX")
        parts: tuple[QWidget, ...] = (
            self._presets,
            self._machines,
            self._undo,
            self._redo,
            self._name,
            save,
            self._open,
        )
        ends = (
            menu_button("Copy", "Copy the layout", copy),
            menu_button("Export", "Export the layout", export),
            self._jax,
            self._check,
            self._stop,
        )
        row = WrapLayout(6)
        for part in parts:
            row.addWidget(part)
        row.add_gap()
        for end in ends:
            row.addWidget(end)
        below = QHBoxLayout()
        below.addWidget(self._message, 1)
        below.addWidget(self._save_over)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 8, 14, 6)
        layout.setSpacing(3)
        layout.addLayout(row)
        layout.addLayout(below)
        for box, length in ((self._presets, 9), (self._machines, 9), (self._jax, 8)):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(length)  # so that large type does not widen the page
        self.fit()

    def fit(self) -> None:
        """The field of the name has room for what stands in it while there is no name, in the font as it is now."""
        self._name.setFixedWidth(self._name.fontMetrics().horizontalAdvance(self._name.placeholderText()) + 28)

    def _copier(self, what: Copied) -> Callable[[], None]:
        return lambda: self.copy_requested.emit(what)

    def _exporter(self, what: Exported) -> Callable[[], None]:
        return lambda: self._ask_where(what)

    def set_presets(self, choices: Sequence[Choice], machines: Sequence[str]) -> None:
        """Offer presets and machines."""
        for choice in choices:
            self._presets.addItem(choice.text, choice.key)
            self._presets.setItemData(self._presets.count() - 1, choice.tip, Qt.ItemDataRole.ToolTipRole)
        self._presets.setCurrentIndex(-1)
        self._machines.addItems(list(machines))
        self._machines.setCurrentIndex(-1)

    def set_versions(self, choices: Sequence[Choice], chosen: str) -> None:
        """Offer JAX versions."""
        self._jax.clear()
        for choice in choices:
            self._jax.addItem(choice.text, choice.key)
        self._jax.setCurrentIndex(self._jax.findData(chosen))

    def set_saved(self, names: Sequence[str]) -> None:
        """Offer saved layouts."""
        menu = self._open.menu()
        menu.clear()
        menu.addAction("New layout").triggered.connect(lambda _checked=False: self.new_requested.emit())
        menu.addAction("Import a file…").triggered.connect(lambda _checked=False: self._ask_which())
        menu.addSeparator()
        for name in names:
            menu.addAction(name).triggered.connect(lambda _checked=False, name=name: self.open_requested.emit(name))
        if names:
            menu.addSeparator()
            remove = menu.addMenu("Remove")
            for name in names:
                action = remove.addAction(name)
                action.triggered.connect(lambda _checked=False, name=name: self.remove_requested.emit(name))
        else:
            menu.addAction("No layout is saved yet").setEnabled(False)

    def show_view(self, view: StudioView) -> None:
        """Name and machine of a document, and whether there are steps to take."""
        self._view = view
        self._undo.setEnabled(view.can_undo)
        self._redo.setEnabled(view.can_redo)
        document = view.document
        if not self._name.hasFocus():
            self._name.setText(document.name)
        if not self._machine_text.hasFocus():
            self._machines.setEditText(document.topology.name if document.topology else "")

    def set_busy(self, *, busy: bool) -> None:
        """While JAX is asked, only Stop helps."""
        self._check.setEnabled(not busy)
        self._stop.setVisible(busy)

    def say(self, text: str, role: str, over: str) -> None:
        """One line; `over` names a layout that could be saved over."""
        self._message.set_role(role)
        self._message.setText(text or " ")
        self._over = over
        self._save_over.setVisible(bool(over))

    def _on_machine(self, text: str) -> None:
        topology = self._view.document.topology if self._view else None
        if text.strip() != (topology.name if topology else ""):
            self.topology_typed.emit(text.strip())

    def ask_to_save(self) -> None:
        """Save under the name that stands there."""
        self.save_requested.emit(self._name.text(), False)

    def _ask_where(self, what: Exported) -> None:
        chooser = self._chooser(f"Save as {what.upper()}", _FILTERS[what])
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chooser.setDefaultSuffix(what)
        chooser.selectFile(f"{self._name.text().strip() or 'layout'}.{what}".replace("/", "-"))
        chooser.fileSelected.connect(lambda path: self.export_requested.emit(what, path))
        chooser.open()

    def _ask_which(self) -> None:
        chooser = self._chooser("Import a layout", _FILTERS[Exported.JSON])
        chooser.setFileMode(QFileDialog.FileMode.ExistingFile)
        chooser.fileSelected.connect(self.import_requested)
        chooser.open()

    def _chooser(self, title: str, words: str) -> QFileDialog:
        chooser = QFileDialog(self, title)
        chooser.setNameFilters([words, "All files (*)"])
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return chooser

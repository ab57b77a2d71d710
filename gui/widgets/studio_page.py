"""The studio: a mesh, some arrays, and at once who holds what; lays out and asks, decides nothing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication, QImage, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

import resources
from gui.theme import Theme
from gui.widgets.array_editor import ArrayEditor, ArrayRow
from gui.widgets.axis_editor import AxisEditor
from gui.widgets.canvas import Canvas
from gui.widgets.labels import RoleLabel, button
from gui.widgets.mesh_canvas import ArrayCanvas, MeshCanvas
from gui.widgets.mesh_view import Lit
from gui.widgets.run_bar import Choice
from museum.mesh.document import Memory, StudioArray, StudioDocument
from museum.mesh.drawing import ArrayDrawing, MeshDrawing
from museum.mesh.dtypes import BITS
from museum.mesh.layout import ShardLayout
from museum.mesh.pointing import facts_about

SIDE = 460  # pixels of the editors at usual size
STACKED = 2.2  # a mesh that is so much wider than high has the array below it
HINT = "Point at a device or a slice to see what it holds; click to keep it. Wheel or + and - zoom, drag pans."
MOST_SHAPES = 6  # of those that would work


class Copied(StrEnum):
    """What can be put on the clipboard."""

    CODE = "code"
    SHARD_MAP = "shard_map code"
    TEXT = "text"
    JSON = "JSON"
    IMAGE = "image"


class Exported(StrEnum):
    """What can be written to a file; the value is its ending."""

    PNG = "png"
    SVG = "svg"
    JSON = "json"


_FILTERS = {Exported.PNG: "PNG picture (*.png)", Exported.SVG: "SVG picture (*.svg)", Exported.JSON: "Layout (*.json)"}


@dataclass(frozen=True, slots=True)
class StudioView:
    """All that the page shows of a document.

    Attributes:
        chosen: The array that is drawn; None when there is none.
        layout: Of that array.
        mesh: The drawing of the mesh.
        array: The drawing of the array.
        rows: All arrays.
        memory: Of all arrays.
        at: The slice that is drawn, as typed; "" for all of it.
        problems: In words, those of the mesh first.
        machine: How the mesh lies on the machine, in lines.
        shapes: Logical shapes that the machine would take.
        can_order: Whether JAX can be asked for its device order.
    """

    document: StudioDocument
    chosen: StudioArray | None
    layout: ShardLayout | None
    mesh: MeshDrawing
    array: ArrayDrawing | None
    rows: tuple[ArrayRow, ...]
    memory: Memory
    at: str = ""
    problems: tuple[str, ...] = ()
    machine: tuple[str, ...] = ()
    shapes: tuple[tuple[int, ...], ...] = ()
    can_order: bool = False
    can_undo: bool = False
    can_redo: bool = False


class StudioPage(QWidget):
    """Editors at the left, the two pictures beside them, words below.

    Args:
        theme: Colours and sizes.
        parent: The widget that it is a part of.

    Signals:
        undo_requested: One step back.
        redo_requested: And forward.
        preset_chosen: Id of a preset.
        topology_typed: Name of a machine, "" for none.
        mesh_typed: The mesh, at each key.
        shape_typed: The drawn array's shape, at each key.
        dtype_typed: Its dtype.
        spec_typed: Its spec, at each key.
        slice_typed: Which slice of it to draw, at each key.
        typing_finished: A field was left: what is typed next is another step.
        save_requested: Name, and whether to save over another layout of that name.
        open_requested: Name of a saved layout.
        remove_requested: Likewise, to forget it.
        new_requested: Begin anew.
        copy_requested: What to put on the clipboard; a `Copied`.
        export_requested: What to write, an `Exported`, and where to.
        import_requested: A file to open.
        jax_chosen: The version that code is written for and checked with.
        check_requested: Compare with JAX.
        order_requested: Ask JAX how it lays the mesh out.
        stop_requested: End what was asked of JAX.
        shape_chosen: A logical shape that the machine takes.
    """

    undo_requested = Signal()
    redo_requested = Signal()
    preset_chosen = Signal(str)
    topology_typed = Signal(str)
    mesh_typed = Signal(str)
    shape_typed = Signal(str)
    dtype_typed = Signal(str)
    spec_typed = Signal(str)
    slice_typed = Signal(str)
    typing_finished = Signal()
    save_requested = Signal(str, bool)
    open_requested = Signal(str)
    remove_requested = Signal(str)
    new_requested = Signal()
    copy_requested = Signal(object)
    export_requested = Signal(object, str)
    import_requested = Signal(str)
    jax_chosen = Signal(str)
    check_requested = Signal()
    order_requested = Signal()
    stop_requested = Signal()
    shape_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._view: StudioView | None = None
        self._typing: QLineEdit | None = None
        self._pinned = Lit()
        self._over = ""
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.axes = AxisEditor(theme)
        self.arrays = ArrayEditor(theme)
        self.mesh_canvas = MeshCanvas(theme)
        self.array_canvas = ArrayCanvas(theme)
        self._make_fields()
        self._make_words()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._make_bar())
        self._panes = QSplitter(Qt.Orientation.Horizontal)
        self._panes.setChildrenCollapsible(False)
        self._panes.setHandleWidth(1)
        self._panes.addWidget(self._make_side())
        self._panes.addWidget(self._make_pictures())
        self._panes.setStretchFactor(1, 1)
        self._panes.setSizes([SIDE, 1280 - SIDE])
        layout.addWidget(self._panes, 1)
        for canvas in (self.mesh_canvas, self.array_canvas):
            canvas.pointed.connect(self._point_at)
            canvas.chosen.connect(self._pin)
        for keys, signal in (
            ("Ctrl+Z", self.undo_requested),
            ("Ctrl+Shift+Z", self.redo_requested),
            ("Ctrl+Y", self.redo_requested),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(signal)
        save = QShortcut(QKeySequence("Ctrl+S"), self)
        save.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        save.activated.connect(self._ask_to_save)
        self.set_theme(theme)
        self.set_busy("")
        self.say("")

    # -- making --------------------------------------------------------------------------------------------------------

    def _make_fields(self) -> None:
        self._mesh_text = self._field("Mesh", "data=4,model=2", self.mesh_typed.emit)
        self._shape = self._field("Shape of the array", "16, 16", self.shape_typed.emit)
        self._spec = self._field("Spec of the array", "P('data', None)", self.spec_typed.emit)
        self._slice = self._field("Slice of the array to draw", "all", self.slice_typed.emit)
        self._slice.setToolTip("One index for each dimension but the last two, as in 0, 3; empty for all of it")
        self._dtype = QComboBox()
        self._dtype.setAccessibleName("dtype of the array")
        self._dtype.addItems(list(BITS))
        self._dtype.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._dtype.setMinimumContentsLength(8)
        self._dtype.textActivated.connect(self.dtype_typed)
        self._presets = QComboBox()
        self._presets.setAccessibleName("Preset: a way to spread a transformer")
        self._presets.setPlaceholderText("Preset")
        self._presets.activated.connect(lambda number: self.preset_chosen.emit(self._presets.itemData(number)))
        self._machines = QComboBox()
        self._machines.setEditable(True)
        self._machines.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self._machines.setAccessibleName("Machine")
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
        self._name.returnPressed.connect(self._ask_to_save)
        self._jax = QComboBox()
        self._jax.setAccessibleName("JAX version of the code and of the check")
        self._jax.activated.connect(lambda number: self.jax_chosen.emit(self._jax.itemData(number)))

    def _field(self, name: str, placeholder: str, typed: Callable[[str], object]) -> QLineEdit:
        field = Field()
        field.setAccessibleName(name)
        field.setPlaceholderText(placeholder)

        def on_text_edited(text: str) -> None:
            self._typing = field
            self._mark(field, bad=False)
            typed(text)
            self._typing = None

        field.textEdited.connect(on_text_edited)
        field.editingFinished.connect(self._on_field_editing_finished)
        return field

    def _make_words(self) -> None:
        self._message = RoleLabel("faint")
        self._message.setAccessibleName("Message")
        self._save_over = button("Save over it", lambda: self.save_requested.emit(self._over, True), role="quiet")
        self._facts = RoleLabel("faint", HINT)
        self._facts.setAccessibleName("What is pointed at")
        self._problems = RoleLabel("bad")
        self._problems.setAccessibleName("Problems")
        self._checked = RoleLabel("faint")
        self._checked.setAccessibleName("Check with JAX")
        self._machine = RoleLabel("faint")
        self._machine.setAccessibleName("How the mesh lies on the machine")
        self._shapes = QWidget()
        self._shapes_layout = QHBoxLayout(self._shapes)
        self._shapes_layout.setContentsMargins(0, 0, 0, 0)
        self._shapes_layout.setSpacing(4)
        self._order = button(
            "Lay out as JAX does", self.order_requested.emit, tip="Ask JAX for the device order, and count the hops"
        )
        self._order.setProperty("role", "small")
        self._mesh_title, self._array_title = RoleLabel("plain", "Mesh"), RoleLabel("plain", "Array")
        for title in (self._mesh_title, self._array_title):
            title.setWordWrap(False)
        self._array_facts = RoleLabel("faint-line")

    def _make_bar(self) -> QWidget:
        bar = QWidget()
        bar.setObjectName("studioBar")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._undo = button("Undo", self.undo_requested.emit, tip="Ctrl+Z")
        self._redo = button("Redo", self.redo_requested.emit, tip="Ctrl+Shift+Z")
        self._open = self._menu_button("Open", "Open a layout", {})
        save = button("Save", self._ask_to_save, tip="Save under this name (Ctrl+S)", name="Save the layout")
        copy = {f"Copy as {what}": self._copier(what) for what in Copied}
        export = {f"Save as {what.upper()}…": self._exporter(what) for what in Exported}
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
            self._menu_button("Copy", "Copy the layout", copy),
            self._menu_button("Export", "Export the layout", export),
            self._jax,
            self._check,
            self._stop,
        )
        row = QHBoxLayout()
        row.setSpacing(6)
        for part in parts:
            row.addWidget(part)
        row.addStretch(1)
        for end in ends:
            row.addWidget(end)
        below = QHBoxLayout()
        below.addWidget(self._message, 1)
        below.addWidget(self._save_over)
        layout = QVBoxLayout(bar)
        layout.setContentsMargins(14, 8, 14, 6)
        layout.setSpacing(3)
        layout.addLayout(row)
        layout.addLayout(below)
        for box, length in ((self._presets, 9), (self._machines, 9), (self._jax, 8)):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(length)  # so that large type does not widen the page
        self._name.setMinimumWidth(80)
        self._name.setMaximumWidth(200)
        return bar

    def _menu_button(self, text: str, name: str, entries: Mapping[str, Callable[[], object]]) -> QPushButton:
        made = QPushButton(f"{text} ▾")
        made.setAccessibleName(name)
        made.setProperty("role", "menu")
        menu = QMenu(made)
        for words, act in entries.items():
            menu.addAction(words).triggered.connect(lambda _checked=False, act=act: act())
        made.setMenu(menu)
        return made

    def _copier(self, what: Copied) -> Callable[[], None]:
        return lambda: self.copy_requested.emit(what)

    def _exporter(self, what: Exported) -> Callable[[], None]:
        return lambda: self._ask_where(what)

    def _make_side(self) -> QWidget:
        body = QWidget()
        body.setObjectName("studioSide")
        layout = QVBoxLayout(body)
        layout.setContentsMargins(14, 10, 14, 10)
        layout.setSpacing(6)
        layout.addWidget(RoleLabel("heading", "Axes"))
        layout.addWidget(self.axes)
        layout.addSpacing(8)
        layout.addWidget(RoleLabel("heading", "Arrays"))
        layout.addWidget(self.arrays)
        layout.addStretch(1)
        side = QScrollArea()
        side.setWidgetResizable(True)
        side.setFrameShape(QFrame.Shape.NoFrame)
        side.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        side.setWidget(body)
        side.setMinimumWidth(330)
        side.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return side

    def _make_pictures(self) -> QWidget:
        self._pictures = QSplitter(Qt.Orientation.Horizontal)
        self._pictures.setChildrenCollapsible(False)
        self._pictures.setHandleWidth(1)
        self._pictures.addWidget(self._framed(self.mesh_canvas, self._mesh_title, None, [(self._mesh_text, 1)]))
        fields = [(self._shape, 3), (self._dtype, 0), (self._spec, 5), (self._slice, 2)]
        self._pictures.addWidget(self._framed(self.array_canvas, self._array_title, self._array_facts, fields))
        self._pictures.setSizes([1000, 1000])
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._pictures, 1)
        layout.addWidget(self._make_strip())
        return body

    def _framed(
        self, canvas: Canvas, title: RoleLabel, facts: RoleLabel | None, fields: Sequence[tuple[QWidget, int]]
    ) -> QWidget:
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(10, 6, 10, 8)
        layout.setSpacing(5)
        head = QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(title)
        if facts is not None:
            head.addSpacing(8)
            facts.setWordWrap(False)
            facts.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            head.addWidget(facts, 1)
        else:
            head.addStretch(1)
        name = canvas.accessibleName().lower()
        for text, act, words in (
            ("-", lambda: canvas.zoom_by(0.8), "Zoom out of"),
            ("+", lambda: canvas.zoom_by(1.25), "Zoom into"),
            ("Fit", canvas.fit, "Show all of"),
        ):
            zoom = button(text, act, name=f"{words} the {name}", tip=f"{words} the {name} (-, +, 0)")
            zoom.setProperty("role", "small")
            head.addWidget(zoom)
        layout.addLayout(head)
        row = QHBoxLayout()
        row.setSpacing(4)
        for field, stretch in fields:
            row.addWidget(field, stretch)
        layout.addLayout(row)
        layout.addWidget(canvas, 1)
        return body

    def _make_strip(self) -> QWidget:
        body = QWidget()
        row = QHBoxLayout(body)
        row.setContentsMargins(14, 6, 14, 6)
        row.setSpacing(18)
        machine = QVBoxLayout()
        machine.setSpacing(4)
        below = QHBoxLayout()
        below.setSpacing(4)
        below.addWidget(self._order)
        below.addStretch(1)
        machine.addLayout(below)
        for part in (self._shapes, self._machine):
            machine.addWidget(part)
        machine.addStretch(1)
        problems = QVBoxLayout()
        problems.setSpacing(4)
        problems.addWidget(self._problems)
        problems.addWidget(self._checked)
        problems.addStretch(1)
        facts = QVBoxLayout()
        facts.addWidget(self._facts)
        facts.addStretch(1)
        for column in (facts, problems, machine):
            row.addLayout(column, 1)
        self._strip = QScrollArea()
        self._strip.setObjectName("studioStrip")
        self._strip.setWidgetResizable(True)
        self._strip.setFrameShape(QFrame.Shape.NoFrame)
        self._strip.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._strip.setWidget(body)
        self._strip.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return self._strip

    # -- setters -------------------------------------------------------------------------------------------------------

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        self.theme = theme
        text = (Path(resources.__file__).parent / "styles" / "studio.qss").read_text("utf-8")
        values = asdict(theme.colours) | {f"{name}_pt": f"{size:.1f}pt" for name, size in asdict(theme.sizes).items()}
        for name, value in values.items():
            text = text.replace(f"@{name}@", str(value))
        self.setStyleSheet(text)
        for part in (self.axes, self.arrays, self.mesh_canvas, self.array_canvas):
            part.set_theme(theme)
        fields = (self._mesh_text, self._shape, self._dtype, self._spec, self._slice)
        for field in fields:
            field.setFixedHeight(max(one.sizeHint().height() for one in fields))
        self._strip.setFixedHeight(round(7.6 * self._facts.fontMetrics().lineSpacing()) + 12)

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
        """Show another document, or the same after an edit."""
        before, self._view = self._view, view
        document, layout = view.document, view.layout
        summands = bool(layout and layout.summands)
        if before is None or before.mesh is not view.mesh:
            self._stack(view.mesh)
            self.mesh_canvas.set_drawing(view.mesh, summands=summands)
        if before is None or before.array is not view.array:
            self.array_canvas.set_drawing(view.array, summands=summands)
        self.axes.set_axes(document.mesh.axes, view.mesh.captions)
        chosen = view.chosen
        self.arrays.set_rows(view.rows, chosen.name if chosen else "", document.mesh.axes)
        self.arrays.say_memory(str(view.memory) if view.rows else "", "faint" if view.memory.fits else "bad")
        self._show_fields(view)
        problems = "\n".join(f"✗ {problem}" for problem in view.problems)
        self._problems.say(problems or ("Arrays: no problems." if view.rows else ""), "bad" if problems else "faint")
        self._machine.say("\n".join(view.machine), "bad" if view.shapes else "faint")
        self._show_shapes(view.shapes)
        self._order.setVisible(view.can_order)
        self._undo.setEnabled(view.can_undo)
        self._redo.setEnabled(view.can_redo)
        if self._pinned.chosen is not None and self._pinned.chosen not in document.mesh.device_ids:
            self._pinned = Lit()
        self._point_at(self._pinned)

    def _show_fields(self, view: StudioView) -> None:
        document, chosen = view.document, view.chosen
        self._mesh_title.setText("Mesh" if document.mesh.size == 1 else f"Mesh of {document.mesh.size:,}")
        self._put(self._mesh_text, document.mesh.command)
        self._array_title.setText(chosen.name if chosen else "No array: add one")
        shape = "" if view.layout is None else "x".join(map(str, view.layout.shard_shape)) or "a scalar"
        copies = view.layout.copies if view.layout else 0
        each = f"each device: {shape}" + (f", {copies} copies" if copies > 1 else "")
        self._array_facts.setText(each if chosen else "")
        self._put(self._shape, ", ".join(map(str, chosen.shape)) if chosen else "")
        self._put(self._spec, str(chosen.spec) if chosen else "")
        self._put(self._slice, view.at)
        self._dtype.setCurrentText(chosen.dtype if chosen else "float32")
        for part in (self._shape, self._spec, self._dtype):
            part.setEnabled(chosen is not None)
        self._slice.setVisible(chosen is not None and len(chosen.shape) > 2)
        if not self._name.hasFocus():
            self._name.setText(document.name)
        topology = document.topology.name if document.topology else ""
        if not self._machine_text.hasFocus():
            self._machines.setEditText(topology)

    def _put(self, field: QLineEdit, text: str) -> None:
        """A field says what holds, unless it is being typed into this very moment."""
        if field is not self._typing:
            if field.text() != text:
                field.setText(text)
                field.setCursorPosition(0)
            self._mark(field, bad=False)

    def _show_shapes(self, shapes: Sequence[tuple[int, ...]]) -> None:
        while (item := self._shapes_layout.takeAt(0)) is not None:
            old = item.widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        for shape in shapes[:MOST_SHAPES]:
            text = " x ".join(map(str, shape))
            take = button(text, partial(self.shape_chosen.emit, shape), name=f"Take the shape {text}")
            take.setProperty("role", "small")
            self._shapes_layout.addWidget(take)
        self._shapes_layout.addStretch(1)
        self._shapes.setVisible(bool(shapes))

    def show_check(self, words: str, role: str = "faint") -> None:
        """How the check with JAX stands; "" for never asked."""
        self._checked.say(words, role)

    def set_busy(self, words: str) -> None:
        """While JAX is asked, only Stop helps; "" when it is not."""
        self._check.setEnabled(not words)
        self._order.setEnabled(not words)
        self._stop.setVisible(bool(words))
        if words:
            self.say(words)

    def say(self, text: str, role: str = "faint", *, over: str = "") -> None:
        """One line below the bar.

        Args:
            text: What to say; "" for nothing.
            role: "faint", "good" or "bad".
            over: Name of a layout that could be saved over.
        """
        self._message.set_role(role)
        self._message.setText(text or " ")
        self._over = over
        self._save_over.setVisible(bool(over))
        if self._typing is not None and role == "bad":
            self._mark(self._typing, bad=True)

    def copy_text(self, text: str) -> None:
        """Put words on the clipboard."""
        QGuiApplication.clipboard().setText(text)

    def copy_image(self, image: QImage) -> None:
        """Put a picture on the clipboard."""
        QGuiApplication.clipboard().setImage(image)

    # -- inside --------------------------------------------------------------------------------------------------------

    @staticmethod
    def _mark(field: QLineEdit, *, bad: bool) -> None:
        if bool(field.property("bad")) != bad:
            field.setProperty("bad", bad)
            field.style().unpolish(field)
            field.style().polish(field)

    def _on_field_editing_finished(self) -> None:
        self.typing_finished.emit()
        if self._view is not None:
            self._show_fields(self._view)

    def _on_machine(self, text: str) -> None:
        topology = self._view.document.topology if self._view else None
        if text.strip() != (topology.name if topology else ""):
            self.topology_typed.emit(text.strip())

    def _stack(self, mesh: MeshDrawing) -> None:
        """A wide mesh has the whole width, with the array below it."""
        wide = mesh.width > STACKED * mesh.height and mesh.width > 8
        way = Qt.Orientation.Vertical if wide else Qt.Orientation.Horizontal
        if way is not self._pictures.orientation():
            self._pictures.setOrientation(way)
            self._pictures.setSizes([470, 530] if wide else [1000, 1000])

    def _pin(self, lit: Lit) -> None:
        self._pinned = lit
        self._point_at(lit)

    def _point_at(self, lit: Lit) -> None:
        view = self._view
        if view is None:
            return
        if lit.chosen is None:
            lit = self._pinned
        if lit.chosen is None:
            self.mesh_canvas.set_lit(lit)
            self.array_canvas.set_lit(lit)
            self._facts.setText(HINT)
            return
        dtype = view.chosen.dtype if view.chosen else ""
        facts = facts_about(view.layout or view.document.mesh, lit.chosen, dtype)
        linked = Lit(frozenset([*lit.devices, *facts.replicas]), lit.chosen)
        self.mesh_canvas.set_lit(linked)
        self.array_canvas.set_lit(linked)
        self._facts.setText("\n".join(facts.words))

    def _ask_to_save(self) -> None:
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


class Field(QLineEdit):
    """A line that leaves undo and redo to the page, where each step is one of the document."""

    def event(self, event: QEvent) -> bool:
        """Let the page's shortcuts have their keys."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            standard = QKeySequence.StandardKey
            if event.matches(standard.Undo) or event.matches(standard.Redo):
                event.ignore()
                return False
        return super().event(event)

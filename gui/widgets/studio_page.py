"""The studio: a mesh, some arrays, and at once who holds what; lays out and asks, decides nothing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QImage, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

import resources
from gui.theme import Theme
from gui.widgets.array_canvas import ArrayCanvas
from gui.widgets.array_editor import ArrayEditor
from gui.widgets.axis_editor import AxisEditor
from gui.widgets.labels import PathLabel, RoleLabel, name_choices
from gui.widgets.mesh_canvas import MeshCanvas
from gui.widgets.mesh_view import Lit
from gui.widgets.panes import Panes
from gui.widgets.picture_pane import Field, PicturePane
from gui.widgets.run_bar import Choice
from gui.widgets.studio_bar import StudioBar
from gui.widgets.studio_strip import HINT, StudioStrip
from gui.widgets.studio_view import StudioView
from museum.mesh.dtypes import BITS
from museum.mesh.mesh_drawing import MeshDrawing
from museum.mesh.pointing import facts_about

SIDE = 460  # pixels of the editors at usual size
MOST_SIDE = 560  # pixels that they may take at least, however large the type
STACKED = 2.2  # a mesh that is so much wider than high has the array below it


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
        bench_requested: Put the code on the bench.
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
    bench_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._view: StudioView | None = None
        self._typing: Field | None = None
        self._pinned = Lit()
        self._marks: Mapping[str, frozenset[int]] = {}
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        # Rooms first, furniture afterwards: Qt styles all there is in a widget again at each move of it.
        self._put_on_style(theme)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._side, pictures = QScrollArea(), QWidget()
        self.panes = Panes(Qt.Orientation.Horizontal, [(self._side, SIDE, 0), (pictures, 1280 - SIDE, 1)])
        layout.addWidget(self.panes, 1)
        self.axes = AxisEditor(theme)
        self.arrays = ArrayEditor(theme)
        self.mesh_canvas = MeshCanvas(theme)
        self.array_canvas = ArrayCanvas(theme)
        self._bar = StudioBar()
        self._strip = StudioStrip()
        self._make_fields()
        layout.insertWidget(0, self._bar)
        self._furnish_side(self._side)
        self._furnish_pictures(pictures)
        self._connect()
        self.set_theme(theme)
        self.set_busy("")
        self.say("")

    def _connect(self) -> None:
        bar = self._bar
        bar.undo_requested.connect(self.undo_requested)
        bar.redo_requested.connect(self.redo_requested)
        bar.preset_chosen.connect(self.preset_chosen)
        bar.topology_typed.connect(self.topology_typed)
        bar.save_requested.connect(self.save_requested)
        bar.open_requested.connect(self.open_requested)
        bar.remove_requested.connect(self.remove_requested)
        bar.new_requested.connect(self.new_requested)
        bar.copy_requested.connect(self.copy_requested)
        bar.export_requested.connect(self.export_requested)
        bar.import_requested.connect(self.import_requested)
        bar.jax_chosen.connect(self.jax_chosen)
        bar.check_requested.connect(self.check_requested)
        bar.stop_requested.connect(self.stop_requested)
        bar.bench_requested.connect(self.bench_requested)
        self._strip.order_requested.connect(self.order_requested)
        self._strip.shape_chosen.connect(self.shape_chosen)
        for canvas in (self.mesh_canvas, self.array_canvas):
            canvas.pointed.connect(self._point_at)
            canvas.chosen.connect(self._pin)
        for keys, act in (
            ("Ctrl+Z", self.undo_requested.emit),
            ("Ctrl+Shift+Z", self.redo_requested.emit),
            ("Ctrl+Y", self.redo_requested.emit),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)

    # -- making --------------------------------------------------------------------------------------------------------

    def _make_fields(self) -> None:
        self._mesh_text = self._field("Mesh", "data=4,model=2", self.mesh_typed.emit)
        self._shape = self._field("Shape of the array", "16, 16", self.shape_typed.emit)
        self._spec = self._field("Spec of the array", "P('data', None)", self.spec_typed.emit)
        self._slice = self._field("Slice of the array to draw", "all", self.slice_typed.emit)
        self._slice.setToolTip("One index for each dimension but the last two, as in 0, 3; empty for all of it")
        self._dtype = QComboBox()
        name_choices(self._dtype, "dtype of the array")
        self._dtype.addItems(list(BITS))
        self._dtype.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._dtype.setMinimumContentsLength(8)
        self._dtype.textActivated.connect(self.dtype_typed)
        self._mesh_title, self._array_title = RoleLabel("plain", "Mesh"), PathLabel(role="plain")
        for title in (self._mesh_title, self._array_title):
            title.setWordWrap(False)
        self._array_facts = PathLabel()

    def _field(self, name: str, placeholder: str, typed: Callable[[str], object]) -> Field:
        field = Field()
        field.setAccessibleName(name)
        field.setPlaceholderText(placeholder)

        def on_text_edited(text: str) -> None:
            self._typing = field
            field.mark(bad=False)
            typed(text)
            self._typing = None

        field.textEdited.connect(on_text_edited)
        field.editingFinished.connect(self._on_field_editing_finished)
        return field

    def _furnish_side(self, side: QScrollArea) -> None:
        side.setWidgetResizable(True)
        side.setFrameShape(QFrame.Shape.NoFrame)
        side.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        side.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        body = QWidget()
        body.setObjectName("studioSide")
        side.setWidget(body)
        layout = QVBoxLayout(body)
        layout.setContentsMargins(14, 10, 14, 10)
        layout.setSpacing(6)
        layout.addWidget(RoleLabel("heading", "Axes"))
        layout.addWidget(self.axes)
        layout.addSpacing(8)
        layout.addWidget(RoleLabel("heading", "Arrays"))
        layout.addWidget(self.arrays)
        layout.addStretch(1)

    def _furnish_pictures(self, body: QWidget) -> None:
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._pictures = QSplitter(Qt.Orientation.Horizontal)
        layout.addWidget(self._pictures, 1)
        layout.addWidget(self._strip)
        self._pictures.setChildrenCollapsible(False)
        self._pictures.setHandleWidth(1)
        self._pictures.addWidget(PicturePane(self.mesh_canvas, self._mesh_title, None, [(self._mesh_text, 1)]))
        fields = [(self._shape, 3), (self._dtype, 0), (self._spec, 5), (self._slice, 2)]
        self._pictures.addWidget(PicturePane(self.array_canvas, self._array_title, self._array_facts, fields))
        self._pictures.setSizes([1000, 1000])

    # -- setters -------------------------------------------------------------------------------------------------------

    def _put_on_style(self, theme: Theme) -> None:
        text = (Path(resources.__file__).parent / "styles" / "studio.qss").read_text("utf-8")
        values = asdict(theme.colours) | {f"{name}_pt": f"{size:.1f}pt" for name, size in asdict(theme.sizes).items()}
        for name, value in values.items():
            text = text.replace(f"@{name}@", str(value))
        if text != self.styleSheet():
            self.setStyleSheet(text)

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        self.theme = theme
        self._put_on_style(theme)
        for part in (self.axes, self.arrays, self.mesh_canvas, self.array_canvas):
            part.set_theme(theme)
        fields = (self._mesh_text, self._shape, self._dtype, self._spec, self._slice)
        for field in fields:
            field.setFixedHeight(max(one.sizeHint().height() for one in fields))
        self._strip.fit_height()
        self._bar.fit()
        self._side.setMinimumWidth(min(theme.sizes.space * 42, MOST_SIDE))

    def ask_to_save(self) -> None:
        """Save under the name that stands there."""
        self._bar.ask_to_save()

    def set_presets(self, choices: Sequence[Choice], machines: Sequence[str]) -> None:
        """Offer presets and machines."""
        self._bar.set_presets(choices, machines)

    def set_versions(self, choices: Sequence[Choice], chosen: str) -> None:
        """Offer JAX versions."""
        self._bar.set_versions(choices, chosen)

    def set_saved(self, names: Sequence[str]) -> None:
        """Offer saved layouts."""
        self._bar.set_saved(names)

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
        self._mark_devices()
        self._show_fields(view)
        self._strip.show_view(view)
        self._bar.show_view(view)
        if self._pinned.chosen is not None and self._pinned.chosen not in document.mesh.device_ids:
            self._pinned = Lit()
        self._point_at(self._pinned)

    def _show_fields(self, view: StudioView) -> None:
        document, chosen = view.document, view.chosen
        self._mesh_title.setText("Mesh" if document.mesh.size == 1 else f"Mesh of {document.mesh.size:,}")
        self._put(self._mesh_text, document.mesh.command)
        self._array_title.say_path(chosen.name if chosen else "No array: add one")
        shape = "" if view.layout is None else "x".join(map(str, view.layout.shard_shape)) or "a scalar"
        copies = view.layout.copies if view.layout else 0
        each = f"each device: {shape}" + (f", {copies} copies" if copies > 1 else "")
        self._array_facts.say_path(each if chosen else "")
        self._put(self._shape, ", ".join(map(str, chosen.shape)) if chosen else "")
        self._put(self._spec, str(chosen.spec) if chosen else "")
        self._put(self._slice, view.at)
        self._dtype.setCurrentText(chosen.dtype if chosen else "float32")
        for part in (self._shape, self._spec, self._dtype):
            part.setEnabled(chosen is not None)
        self._slice.setVisible(chosen is not None and len(chosen.shape) > 2)

    def _put(self, field: Field, text: str) -> None:
        """A field says what holds, unless it is being typed into this very moment."""
        if field is not self._typing:
            if field.text() != text:
                field.setText(text)
                field.setCursorPosition(0)
            field.mark(bad=False)

    def show_check(self, words: str, role: str = "faint", marks: Mapping[str, frozenset[int]] | None = None) -> None:
        """How the check with JAX stands.

        Args:
            words: "" for never asked.
            role: "faint", "good" or "bad".
            marks: By array the devices that JAX says otherwise about.
        """
        self._strip.say_check(words, role)
        self._marks = marks or {}
        self._mark_devices()

    def _mark_devices(self) -> None:
        chosen = self._view.chosen if self._view else None
        marked = self._marks.get(chosen.name, frozenset()) if chosen else frozenset()
        for canvas in (self.mesh_canvas, self.array_canvas):
            canvas.set_marked(marked)

    def set_busy(self, words: str) -> None:
        """While JAX is asked, only Stop helps; "" when it is not."""
        self._bar.set_busy(busy=bool(words))
        self._strip.set_busy(busy=bool(words))
        if words:
            self.say(words)

    def say(self, text: str, role: str = "faint", *, over: str = "") -> None:
        """One line below the bar.

        Args:
            text: What to say; "" for nothing.
            role: "faint", "good" or "bad".
            over: Name of a layout that could be saved over.
        """
        self._bar.say(text, role, over)
        if self._typing is not None and role == "bad":
            self._typing.mark(bad=True)

    def copy_text(self, text: str) -> None:
        """Put words on the clipboard."""
        QGuiApplication.clipboard().setText(text)

    def copy_image(self, image: QImage) -> None:
        """Put a picture on the clipboard."""
        QGuiApplication.clipboard().setImage(image)

    # -- inside --------------------------------------------------------------------------------------------------------

    def _on_field_editing_finished(self) -> None:
        self.typing_finished.emit()
        if self._view is not None:
            self._show_fields(self._view)

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
            self._strip.say_facts(HINT)
            return
        dtype = view.chosen.dtype if view.chosen else ""
        facts = facts_about(view.layout or view.document.mesh, lit.chosen, dtype)
        linked = Lit(frozenset([*lit.devices, *facts.replicas]), lit.chosen)
        self.mesh_canvas.set_lit(linked)
        self.array_canvas.set_lit(linked)
        self._strip.say_facts("\n".join(facts.words))

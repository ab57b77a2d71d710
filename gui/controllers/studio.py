"""Decides what the studio shows: edits its document, keeps it, hands it out, asks JAX about it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from gui.controllers.array_rows import ArrayRows
from gui.controllers.machine_facts import MachineFacts, facts_of
from gui.controllers.studio_asking import Ask, Lab, StudioAsking
from gui.controllers.studio_output import copy, export, for_bench, read
from gui.widgets.run_bar import Choice
from gui.widgets.studio_page import StudioPage
from gui.widgets.studio_view import Copied, Exported, StudioView
from museum.errors import MuseumError
from museum.lab.physical import ask_orders
from museum.mesh import edits
from museum.mesh.array_drawing import draw_array
from museum.mesh.document import StudioArray, StudioDocument, Undo, memory, mesh_on
from museum.mesh.layout import ShardLayout, parse_shape
from museum.mesh.library import Library
from museum.mesh.mesh import whole_number
from museum.mesh.mesh_drawing import draw_mesh
from museum.mesh.presets import PRESETS, document_for
from museum.mesh.spec import Spec
from museum.mesh.topologies import COMMON
from museum.mesh.torus import neighbours

LIBRARY = "studio.sqlite"
AXIS_NAMES = ("data", "model", "seq", "expert", "stage")

FIRST = StudioDocument.of("data=4,model=2", [StudioArray("x", (16, 16), "float32", Spec.parse("data,model"))])
"""What a visitor who never was here finds."""


class StudioController:
    """Owns the document with its past.

    Args:
        page: The view.
        lab: Runs the check.
        home: Where layouts are kept.
        ask: Asks JAX for device orders.
        open_on_bench: Takes title, code, target and JAX version of a snippet.
    """

    def __init__(
        self,
        page: StudioPage,
        lab: Lab,
        home: Path,
        ask: Ask = ask_orders,
        open_on_bench: Callable[[str, str, str, str], object] = lambda *_: None,
    ) -> None:
        self._page, self._open_on_bench = page, open_on_bench
        self._undo = Undo(FIRST)
        self._chosen = "x"
        self._at = ""
        self._key = ""  # of the field whose typing is one step
        self._base = self._undo  # as it was before that
        self._preset: tuple[str, StudioDocument] | None = None
        self._known: tuple[object, MachineFacts] | None = None
        self._placed: tuple[object, tuple[str, ...]] | None = None  # as JAX laid it out, with the hops
        self._view: StudioView | None = None
        self._rows = ArrayRows(lambda: self.document, self._show)
        self._asking = StudioAsking(page, lab, ask, lambda: self.document, self._on_asking_laid_out)
        self._library: Library | None = None
        self._connect()
        page.set_presets([Choice(one.id, one.title, one.words) for one in PRESETS.values()], COMMON)
        words = ""
        try:
            self._library = Library(home / LIBRARY)
            page.set_saved(self._library.names())
            kept = self._library.kept()
            if kept is not None:
                self._undo = Undo(kept)
        except MuseumError as error:
            words = str(error)
        self._show()
        if words:
            page.say(words, "bad")

    def _connect(self) -> None:
        page, axes, arrays = self._page, self._page.axes, self._page.arrays
        page.undo_requested.connect(self.undo)
        page.redo_requested.connect(self.redo)
        page.preset_chosen.connect(self._on_page_preset_chosen)
        page.topology_typed.connect(self._on_page_topology_typed)
        page.mesh_typed.connect(lambda text: self._do(lambda d: edits.set_mesh(d, text), "mesh"))
        page.shape_typed.connect(lambda text: self._do(lambda d: edits.set_shape(d, self._chosen, text), "shape"))
        page.dtype_typed.connect(lambda text: self._do(lambda d: edits.set_dtype(d, self._chosen, text)))
        page.spec_typed.connect(lambda text: self._do(lambda d: edits.set_spec(d, self._chosen, text), "spec"))
        page.slice_typed.connect(self._on_page_slice_typed)
        page.typing_finished.connect(self._on_page_typing_finished)
        page.save_requested.connect(self._on_page_save_requested)
        page.open_requested.connect(self._on_page_open_requested)
        page.remove_requested.connect(self._on_page_remove_requested)
        page.new_requested.connect(lambda: self._enter(FIRST, ""))
        page.copy_requested.connect(self._on_page_copy_requested)
        page.export_requested.connect(self._on_page_export_requested)
        page.import_requested.connect(self._on_page_import_requested)
        page.bench_requested.connect(self._on_page_bench_requested)
        page.shape_chosen.connect(self._on_page_shape_chosen)
        axes.add_requested.connect(self._on_axes_add_requested)
        axes.removed.connect(lambda name: self._do(lambda d: edits.remove_axis(d, name)))
        axes.renamed.connect(lambda old, new: self._do(lambda d: edits.rename_axis(d, old, new)))
        axes.resized.connect(lambda name, text: self._do(lambda d: edits.resize_axis(d, name, _size(text))))
        axes.type_chosen.connect(lambda name, kind: self._do(lambda d: edits.set_axis_type(d, name, kind)))
        axes.place_chosen.connect(lambda name, place: self._do(lambda d: edits.arrange(d, name, place)))
        axes.moved.connect(self._on_axes_moved)
        axes.split_requested.connect(self._on_axes_split_requested)
        axes.merge_requested.connect(self._on_axes_merge_requested)
        arrays.chosen.connect(self._on_arrays_chosen)
        arrays.add_requested.connect(self._on_arrays_add_requested)
        arrays.removed.connect(lambda name: self._do(lambda d: edits.remove_array(d, name)))
        arrays.renamed.connect(self._on_arrays_renamed)
        arrays.shape_typed.connect(lambda name, text: self._do(lambda d: edits.set_shape(d, name, text)))
        arrays.dtype_typed.connect(lambda name, text: self._do(lambda d: edits.set_dtype(d, name, text)))
        arrays.spec_typed.connect(lambda name, text: self._do(lambda d: edits.set_spec(d, name, text)))
        arrays.sharded.connect(lambda name, dim, axis: self._do(lambda d: edits.shard(d, name, dim, axis)))
        arrays.unsharded.connect(lambda name, dim, axis: self._do(lambda d: edits.unshard(d, name, dim, axis)))
        arrays.resharded.connect(self._on_arrays_resharded)

    # -- the document --------------------------------------------------------------------------------------------------

    @property
    def document(self) -> StudioDocument:
        """As it is now."""
        return self._undo.present

    def open_document(self, document: StudioDocument) -> None:
        """Show a layout from elsewhere; Undo brings back the one before."""
        self._enter(document, "")

    def undo(self) -> None:
        """One step back."""
        self._travel(self._undo.undo())

    def redo(self) -> None:
        """One step forward."""
        self._travel(self._undo.redo())

    def _travel(self, undo: Undo[StudioDocument]) -> None:
        self._key = ""
        if undo is not self._undo:
            self._undo = undo
            self._changed("")

    def _enter(self, document: StudioDocument, words: str) -> None:
        """Another document altogether."""
        self._key = ""
        self._at = ""
        self._chosen = document.arrays[0].name if document.arrays else ""
        self._undo = self._undo.do(document)
        self._changed(words)

    def _do(self, edit: Callable[[StudioDocument], StudioDocument], key: str = "") -> bool:
        """Apply an edit, or say why not.

        Args:
            edit: Makes the new document.
            key: Of a field: what is typed there without a pause for anything else is one step.
        """
        try:
            document = edit(self.document)
        except MuseumError as error:
            if key and key == self._key and self._undo is not self._base:
                self._undo = self._base  # what was readable on the way to this was not meant
                self._changed("")
            elif not key:
                self._show()  # what was typed gives way to what holds
            self._page.say(str(error), "bad")
            return False
        if not key or key != self._key:
            self._base = self._undo
        self._undo = self._base.do(document)
        self._key = key
        self._changed("")
        return True

    def _changed(self, words: str) -> None:
        """The document is another one: what JAX is asked about the old one counts no more."""
        self._asking.give_up()
        self._page.show_check("")
        self._page.say(words)
        self._rows.forget()
        self._show()
        self._keep()

    def _keep(self) -> None:
        if self._library is not None:
            try:
                self._library.keep(self.document)
            except MuseumError as error:
                self._page.say(str(error), "bad")

    # -- showing -------------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        document = self.document
        names = [array.name for array in document.arrays]
        if self._chosen not in names:
            self._chosen = names[0] if names else ""
        chosen = document.array(self._chosen) if names else None
        layout = document.layout(self._chosen) if names else None
        at = self._slice(layout)
        same = self._view if self._view and self._view.layout == layout and layout is not None else None
        if same is not None and same.document.arrangement == document.arrangement:
            mesh = same.mesh
        else:
            mesh = draw_mesh(layout or document.mesh, document.arrangement)
        drawn = draw_array(layout, at) if layout and (same is None or same.at != self._at) else None
        array = drawn or (same.array if same else None)
        rows = self._rows.of(document, self._chosen, layout)
        machine = self._machine()
        problems = [problem.text for problem in layout.problems] if layout else []
        if not layout and document.problem:
            problems.append(document.problem)
        problems += [f"{row.array.name}: {row.problem}" for row in rows if row.problem and row.array is not chosen]
        self._view = StudioView(
            document, chosen, layout, mesh, array, rows, memory(document), self._at, tuple(problems), machine.words,
            machine.shapes, machine.can_order, bool(self._undo.past), bool(self._undo.future),
        )  # fmt: skip
        self._page.show_view(self._view)

    def _slice(self, layout: ShardLayout | None) -> tuple[int, ...] | None:
        """The slice of the array that is drawn; None for all of it, also when what was typed does not fit any more."""
        if not self._at.strip() or layout is None:
            return None
        try:
            at = parse_shape(self._at)
        except MuseumError:
            return None
        outer = layout.shape[:-2]
        fits = len(at) == len(outer) and all(index < max(size, 1) for index, size in zip(at, outer, strict=True))
        if not fits:
            self._at = ""
            return None
        return at

    def _machine(self) -> MachineFacts:
        """How the mesh lies on the machine; the same answer as long as both are the same."""
        document = self.document
        topology, mesh = document.topology, document.mesh
        key = (topology, mesh.axes)
        if self._known is None or self._known[0] != key:
            self._known = (key, facts_of(document))
        machine = self._known[1]
        if self._placed is not None and self._placed[0] == (topology, mesh):
            return replace(machine, words=(*machine.words, *self._placed[1]))
        return machine

    # -- what the page asks for ----------------------------------------------------------------------------------------

    def _on_page_typing_finished(self) -> None:
        self._key = ""

    def _on_page_preset_chosen(self, preset: str) -> None:
        topology = self.document.topology
        devices = (topology.size if topology else 0) or self.document.mesh.size
        self._enter_preset(preset, devices, topology.name if topology else "")

    def _enter_preset(self, preset: str, devices: int, topology: str) -> None:
        try:
            document = document_for(preset, devices, topology)
        except MuseumError as error:
            self._page.say(str(error), "bad")
            return
        self._preset = (preset, document)
        self._enter(document, f"{PRESETS[preset].title}: {PRESETS[preset].words}.")

    def _on_page_topology_typed(self, text: str) -> None:
        before = self.document
        if not self._do(lambda document: edits.set_topology(document, text)):
            return
        topology = self.document.topology
        if topology and topology.size and self._preset and self._preset[1] == before:
            self._undo = self._undo.undo()  # a preset that nobody touched is made for the machine, in one step
            self._enter_preset(self._preset[0], topology.size, topology.name)

    def _on_page_slice_typed(self, text: str) -> None:
        layout = self._view.layout if self._view else None
        self._at = text
        if text.strip() and layout is not None:
            try:
                draw_array(layout, parse_shape(text))
            except MuseumError as error:
                self._page.say(str(error), "bad")
                return
        self._page.say("")
        self._show()

    def _on_page_save_requested(self, name: str, over: bool) -> None:
        if self._library is None:
            self._page.say("Layouts cannot be saved: the file for them could not be opened.", "bad")
            return
        name = " ".join(name.split())
        try:
            document = self._library.save(self.document, name, over=over or name == self.document.name)
        except MuseumError as error:
            self._page.say(str(error), "bad", over=name if name in self._library.names() else "")
            return
        self._key = ""
        self._undo = Undo(document, self._undo.past, self._undo.future)  # a name is no step to undo
        self._page.set_saved(self._library.names())
        self._show()
        self._keep()
        self._page.say(f"Saved as {name}.", "good")

    def _on_page_open_requested(self, name: str) -> None:
        if self._library is not None:
            opened = self._library.open
            self._attempt(lambda: self._enter(opened(name), f"{name} is open."))

    def _on_page_remove_requested(self, name: str) -> None:
        if self._library is not None:
            removed = self._library.remove
            self._attempt(lambda: removed(name), f"{name} is gone.")
            self._page.set_saved(self._library.names())

    def _on_page_copy_requested(self, what: Copied) -> None:
        view = self._view
        if view is not None:
            at = self._slice(view.layout)
            self._attempt(lambda: copy(what, view, at, self.jax, self._page), f"Copied as {what}.")

    def _on_page_export_requested(self, what: Exported, path: str) -> None:
        view = self._view
        if view is not None:
            at = self._slice(view.layout)
            self._attempt(lambda: export(what, Path(path), view, at, self._page), f"Saved as {path}.")

    def _on_page_import_requested(self, path: str) -> None:
        self._attempt(lambda: self._enter(replace(read(path), name=""), f"{path} is open."))

    def _on_page_bench_requested(self) -> None:
        self._attempt(lambda: self._open_on_bench(*for_bench(self.document, self.jax), self.jax))

    def _attempt(self, work: Callable[[], object], words: str = "") -> None:
        """Do something that may be refused, and say how it went."""
        try:
            work()
        except MuseumError as error:
            self._page.say(str(error), "bad")
        else:
            if words:
                self._page.say(words, "good")

    def _on_page_shape_chosen(self, shape: tuple[int, ...]) -> None:
        def reshaped(document: StudioDocument) -> StudioDocument:
            axes = [replace(axis, size=size) for axis, size in zip(document.mesh.axes, shape, strict=True)]
            return replace(document, mesh=mesh_on(document.topology, axes))

        self._do(reshaped)

    def _on_axes_add_requested(self) -> None:
        names = self.document.mesh.axis_names
        name = next((name for name in AXIS_NAMES if name not in names), "") or _unused("axis", names)
        if self._do(lambda document: edits.add_axis(document, name, 2)):
            self._page.axes.choose(name)

    def _on_axes_moved(self, name: str, by: int) -> None:
        place = self.document.mesh.axis_names.index(name) + by
        self._do(lambda document: edits.move_axis(document, name, place))

    def _on_axes_split_requested(self, name: str, outer: int) -> None:
        size = self.document.mesh.axis_sizes[name]
        inner = _unused(f"{name}_", self.document.mesh.axis_names, first=2)
        self._do(lambda document: edits.split_axis(document, name, (name, outer), (inner, size // outer)))

    def _on_axes_merge_requested(self, name: str) -> None:
        names = self.document.mesh.axis_names
        following = names[names.index(name) + 1 :]
        if following:
            self._do(lambda document: edits.merge_axes(document, name, following[0]))

    def _on_arrays_chosen(self, name: str) -> None:
        self._chosen, self._at, self._key = name, "", ""
        self._show()

    def _on_arrays_add_requested(self) -> None:
        names = [array.name for array in self.document.arrays]
        name = next((letter for letter in "xyzw" if letter not in names), "") or _unused("x", names)
        if self._do(lambda document: edits.add_array(document, name, "16, 16")):
            self._on_arrays_chosen(name)

    def _on_arrays_renamed(self, old: str, new: str) -> None:
        chosen, self._chosen = self._chosen, new if old == self._chosen else self._chosen
        if not self._do(lambda document: edits.rename_array(document, old, new)):
            self._chosen = chosen
            self._show_again()

    def _show_again(self) -> None:
        """Show it without taking back what was said."""
        if self._view is not None:
            self._show()

    def _on_arrays_resharded(self, name: str, old: int, new: int, axis: str) -> None:
        self._do(lambda document: edits.shard(edits.unshard(document, name, old, axis), name, new, axis))

    # -- asking JAX ----------------------------------------------------------------------------------------------------

    @property
    def jax(self) -> str:
        """The version that code is written for."""
        return self._asking.jax

    async def find_environments(self) -> None:
        """Ask what is at hand, and offer its versions; keeps the chosen one if it is still there."""
        await self._asking.find_environments()

    def stop(self) -> None:
        """End what was asked of JAX."""
        self._asking.stop()

    def _on_asking_laid_out(self, made: StudioDocument) -> None:
        topology = made.topology
        if topology is not None:
            self._placed = ((topology, made.mesh), tuple(map(str, neighbours(topology, made.mesh))))
        if made == self.document:
            self._show()
        else:
            self._do(lambda _document: made)

    async def close(self) -> None:
        """End everything, wait until nothing of it is alive, and let go of the file."""
        await self._rows.close()
        await self._asking.close()
        if self._library is not None:
            self._library.close()


def _size(text: str) -> int:
    size = whole_number(text.strip())
    if size is None:
        raise MuseumError(f"{text!r} is no size: write a whole number")
    return size


def _unused(stem: str, names: Sequence[str], first: int = 1) -> str:
    return next(name for number in range(first, len(names) + first + 1) if (name := f"{stem}{number}") not in names)

"""Decides what the studio shows: edits its document, keeps it, hands it out, asks JAX about it."""

import asyncio
import json
import os
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from gui.widgets.array_editor import ArrayRow
from gui.widgets.run_bar import Choice
from gui.widgets.studio_page import Copied, Exported, StudioPage, StudioView
from museum.errors import MuseumError
from museum.lab.environments import Environment
from museum.lab.outcome import RunOutcome, RunStatus
from museum.lab.physical import PhysicalOrder, Question, ask_orders
from museum.lab.runner import Progress, RunRequest
from museum.lab.target import Target
from museum.lab.verify import choose
from museum.mesh import edits
from museum.mesh.answer import as_json, physical, physical_words
from museum.mesh.code import as_code, differences
from museum.mesh.document import StudioArray, StudioDocument, Undo, from_json, memory, mesh_on, to_json
from museum.mesh.drawing import draw_array, draw_mesh
from museum.mesh.layout import ShardLayout, parse_shape
from museum.mesh.library import Library
from museum.mesh.mesh import whole_number
from museum.mesh.picture import Picture, Shown, compose
from museum.mesh.presets import PRESETS, document_for
from museum.mesh.spec import Spec
from museum.mesh.textual import as_text
from museum.mesh.topologies import COMMON, Platform
from museum.mesh.torus import NEWEST_JAX, make_mesh_splits, neighbours

LIBRARY = "studio.sqlite"
AXIS_NAMES = ("data", "model", "seq", "expert", "stage")
AT_ONCE = 8_192  # devices times arrays whose problems are looked for before the picture is on the screen

FIRST = StudioDocument.of("data=4,model=2", [StudioArray("x", (16, 16), "float32", Spec.parse("data,model"))])
"""What a visitor who never was here finds."""


class Lab(Protocol):
    """What the controller needs of the lab."""

    async def environments(self) -> Sequence[Environment]:
        """What is at hand, the museum's own first."""

    async def run(self, request: RunRequest, on_progress: Callable[[Progress], None]) -> RunOutcome:
        """Run to the end."""


class StudioController:
    """Owns the document with its past.

    Args:
        page: The view.
        lab: Runs the check.
        home: Where layouts are kept.
        ask: Asks JAX for device orders.
    """

    def __init__(
        self,
        page: StudioPage,
        lab: Lab,
        home: Path,
        ask: Callable[[Environment, Sequence[Question]], Awaitable[tuple[PhysicalOrder, ...]]] = ask_orders,
    ) -> None:
        self._page, self._lab, self._ask = page, lab, ask
        self._undo = Undo(FIRST)
        self._chosen = "x"
        self._at = ""
        self._key = ""  # of the field whose typing is one step
        self._base = self._undo  # as it was before that
        self._preset: tuple[str, StudioDocument] | None = None
        self._known: tuple[object, _Machine] | None = None
        self._placed: tuple[object, tuple[str, ...]] | None = None  # as JAX laid it out, with the hops
        self._problems: dict[str, str] = {}
        self._view: StudioView | None = None
        self._environments: Sequence[Environment] = ()
        self._jax = ""
        self._task: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self._library: Library | None = None
        self._connect()
        page.set_presets([Choice(one.id, one.title, one.words) for one in PRESETS.values()], COMMON)
        page.set_versions([Choice("", f"JAX {NEWEST_JAX}")], "")
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
        page.jax_chosen.connect(self._on_page_jax_chosen)
        page.check_requested.connect(lambda: self._start(self._check))
        page.order_requested.connect(lambda: self._start(self._lay_out))
        page.stop_requested.connect(self.stop)
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
        self._give_up()
        self._page.show_check("")
        self._page.say(words)
        self._problems = {}
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
        rows = self._rows(layout)
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

    def _rows(self, chosen: ShardLayout | None) -> tuple[ArrayRow, ...]:
        """The table of arrays; on large meshes the problems of those that are not drawn come a moment later."""
        document = self.document
        sizes = memory(document).by_array
        at_once = document.mesh.size * len(document.arrays) <= AT_ONCE
        rows, left = [], []
        for array in document.arrays:
            if array.name == self._chosen and chosen is not None:
                problem = _first_problem(chosen)
            elif array.name in self._problems:
                problem = self._problems[array.name]
            elif at_once:
                problem = _first_problem(document.layout(array.name))
            else:
                problem = ""
                left.append(array.name)
            self._problems[array.name] = problem
            rows.append(ArrayRow(array, sizes[array.name], problem))
        if left:
            self._look_at(left)
        return tuple(rows)

    def _look_at(self, names: Sequence[str]) -> None:
        if self._looking is not None:
            self._looking.cancel()
        self._looking = asyncio.ensure_future(self._find_problems(self.document, names))

    async def _find_problems(self, document: StudioDocument, names: Sequence[str]) -> None:
        """One array at a time, so that the window can do something else in between."""
        found = {}
        for name in names:
            await asyncio.sleep(0)
            found[name] = _first_problem(document.layout(name))
        if document is self.document and any(found.values()):
            self._problems |= found
            self._looking = None
            self._show()

    def _machine(self) -> "_Machine":
        """How the mesh lies on the machine; the same answer as long as both are the same."""
        document = self.document
        topology, mesh = document.topology, document.mesh
        key = (topology, mesh.axes)
        if self._known is None or self._known[0] != key:
            self._known = (key, _on_machine(document))
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
        self._attempt(lambda: self._copy(what), f"Copied as {what}.")

    def _copy(self, what: Copied) -> None:
        document, page = self.document, self._page
        match what:
            case Copied.CODE:
                page.copy_text(as_code(document, self.jax))
            case Copied.SHARD_MAP:
                page.copy_text(as_code(document, self.jax, "shard_map"))
            case Copied.TEXT:
                page.copy_text(as_text([self._shown()], document.arrangement))
            case Copied.JSON:
                page.copy_text(json.dumps(as_json(document), indent=2, ensure_ascii=False) + "\n")
            case Copied.IMAGE:
                from gui.widgets.picture_painter import image_of

                page.copy_image(image_of(self._picture(), page.mesh_canvas.palette_of_shards))

    def _shown(self) -> Shown:
        view = self._view
        if view is None or view.chosen is None or view.layout is None:
            raise MuseumError("add an array first: a picture needs one")
        return Shown(view.layout, view.chosen.name, view.chosen.dtype, self._slice(view.layout))

    def _picture(self) -> Picture:
        return compose([self._shown()], self.document.arrangement)

    def _on_page_export_requested(self, what: Exported, path: str) -> None:
        self._attempt(lambda: self._export(what, Path(path)), f"Saved as {path}.")

    def _export(self, what: Exported, path: Path) -> None:
        palette = self._page.mesh_canvas.palette_of_shards
        match what:
            case Exported.JSON:
                content = to_json(self.document)
            case Exported.SVG:
                from museum.mesh.svg import svg

                content = svg(self._picture(), palette).encode()
            case Exported.PNG:
                from gui.widgets.picture_painter import image_of, png_of

                content = png_of(image_of(self._picture(), palette))
        _write(path, content)

    def _on_page_import_requested(self, path: str) -> None:
        def bring_in() -> None:
            try:
                text = Path(path).read_bytes()
            except OSError as error:
                raise MuseumError(f"{path}: cannot be read: {error.strerror}") from error
            self._enter(replace(from_json(text), name=""), f"{path} is open.")

        self._attempt(bring_in)

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
        return self._jax or NEWEST_JAX

    async def find_environments(self) -> None:
        """Ask what is at hand, and offer its versions; keeps the chosen one if it is still there."""
        self._environments = await self._lab.environments()
        versions = list(dict.fromkeys(environment.jax for environment in self._environments if environment.jax))
        if self._jax not in versions:
            self._jax = versions[0] if versions else ""
        choices = [Choice(version, f"JAX {version}") for version in versions]
        self._page.set_versions(choices or [Choice("", f"JAX {NEWEST_JAX}")], self._jax)

    def _on_page_jax_chosen(self, version: str) -> None:
        self._jax = version
        self._give_up()
        self._page.show_check("")

    async def _environment(self) -> Environment:
        if not self._environments:
            await self.find_environments()
        environment = choose(self._environments, self._jax, Target.cpu(1))
        if environment is None:
            raise MuseumError("no environment with JAX is at hand to ask")
        return environment

    def _start(self, work: Callable[[], Awaitable[None]]) -> None:
        self._give_up()
        self._task = asyncio.ensure_future(self._guarded(work))

    async def _guarded(self, work: Callable[[], Awaitable[None]]) -> None:
        """Ask JAX; whatever comes of it, the page is free again."""
        task = asyncio.current_task()
        try:
            await work()
        except MuseumError as error:
            if self._task is task:
                self._page.say(str(error), "bad")
        finally:
            if self._task is task:
                self._task = None
                self._page.set_busy("")

    def stop(self) -> None:
        """End what was asked of JAX."""
        if self._task is not None:
            self._give_up()
            self._page.say("Stopped.")

    def _give_up(self) -> None:
        task = self._task
        if task is not None and task is not asyncio.current_task():  # which would be an answer that is being shown
            self._task = None
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)
            task.cancel()
            self._page.set_busy("")

    async def _check(self) -> None:
        document = self.document
        self._page.show_check("")
        self._page.set_busy("Looking for JAX …")
        environment = await self._environment()
        if document.mesh.size > 512:
            raise MuseumError(f"JAX is asked about 512 fake CPU devices at most, not {document.mesh.size:,}")
        code = as_code(document, environment.jax, check=True)
        self._page.set_busy(f"JAX {environment.jax} runs the layout on {document.mesh.size} fake CPU devices …")
        request = RunRequest(code, environment, Target.cpu(document.mesh.size))
        outcome = await self._lab.run(request, lambda _progress: None)
        self._page.say("")
        self._page.show_check(*_verdict(document, environment.jax, outcome))

    async def _lay_out(self) -> None:
        document = self.document
        topology = document.topology
        if topology is None:
            raise MuseumError("choose a machine first")
        self._page.set_busy("Asking JAX for its device order …")
        environment = await self._environment()
        question = Question(topology, document.mesh.shape, split=make_mesh_splits(topology))
        (order,) = await self._ask(environment, [question])
        if order.error:
            raise MuseumError(f"JAX {environment.jax} refuses: {order.message}")
        made = edits.set_order(document, order.device_ids)
        self._placed = ((topology, made.mesh), tuple(map(str, neighbours(topology, made.mesh))))
        if made == document:
            self._show()
        else:
            self._do(lambda _document: made)
        self._page.say(f"In the order of JAX {environment.jax}.", "good")

    async def close(self) -> None:
        """End everything, wait until nothing of it is alive, and let go of the file."""
        self._give_up()
        if self._looking is not None:
            self._looking.cancel()
            self._ending.add(self._looking)
        await asyncio.gather(*self._ending, return_exceptions=True)
        if self._library is not None:
            self._library.close()


@dataclass(frozen=True, slots=True)
class _Machine:
    """What is said of the machine, the shapes it would take instead, and whether JAX can be asked for its order."""

    words: tuple[str, ...]
    shapes: tuple[tuple[int, ...], ...] = ()
    can_order: bool = False


def _on_machine(document: StudioDocument) -> _Machine:
    topology = document.topology
    if topology is None:
        return _Machine(("Choose a machine to see how the mesh lies on it.",))
    on = f" on {topology.hosts:,} hosts" if topology.size and topology.hosts > 1 else ""
    words = [f"{topology}: {_many(topology.size, 'device')}{on}" if topology.size else str(topology)]
    placement = physical(document)
    if placement is None:
        if topology.chip.platform is Platform.TPU:
            words.append(f"The mesh takes {document.mesh.size:,} of them; JAX lays out only a mesh of all.")
        return _Machine(tuple(words))
    words += [line.strip() for line in physical_words(document) if "shapes that work" not in line]
    if placement.alternatives:
        words.append("Take one of the shapes above instead.")
    return _Machine(tuple(words), placement.alternatives, placement.works)


def _verdict(document: StudioDocument, jax: str, outcome: RunOutcome) -> tuple[str, str]:
    """What the check came to, in words and with a role."""
    refused = any(layout.problems for layout in document.layouts)
    if outcome.exception is not None:
        first = outcome.exception.message.splitlines()[:1] or [""]
        words = f"JAX {jax} refuses it: {outcome.exception.error}: {first[0]}"
        return (words, "faint") if refused else (f"✗ {words}", "bad")
    if outcome.status is not RunStatus.OK:
        return f"✗ the run {outcome.status}: {outcome.detail}", "bad"
    found = differences(document, outcome.stdout.text)
    if found:
        more = f"\n… and {len(found) - 5} more" if len(found) > 5 else ""
        return "\n".join(f"✗ {line}" for line in found[:5]) + more, "bad"
    if refused:
        return f"✗ JAX {jax} takes it, though it has problems here", "bad"
    some = f"{_many(len(document.arrays), 'array')} on {_many(document.mesh.size, 'device')}"
    return f"✓ JAX {jax} agrees in everything: {some}.", "good"


def _many(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _first_problem(layout: ShardLayout) -> str:
    return layout.problems[0].text if layout.problems else ""


def _size(text: str) -> int:
    size = whole_number(text.strip())
    if size is None:
        raise MuseumError(f"{text!r} is no size: write a whole number")
    return size


def _unused(stem: str, names: Sequence[str], first: int = 1) -> str:
    return next(name for number in range(first, len(names) + first + 1) if (name := f"{stem}{number}") not in names)


def _write(path: Path, content: bytes) -> None:
    """All of it or nothing: a file that was there stays until the new one is whole."""
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise MuseumError(f"{path}: cannot be written: {error.strerror}") from error

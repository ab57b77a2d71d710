"""What the studio's controller makes of each request: a fake page, a fake lab, no window, no waiting."""

import asyncio
import functools
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any
from unittest.mock import create_autospec

import pytest
from stand_ins import pretended

from gui.controllers.studio import FIRST, LIBRARY, StudioController
from gui.widgets.array_editor import ArrayEditor
from gui.widgets.axis_editor import AxisEditor
from gui.widgets.mesh_canvas import MeshCanvas
from gui.widgets.studio_page import StudioPage
from gui.widgets.studio_view import Copied, Exported, StudioView
from museum.errors import MuseumError
from museum.lab.environments import Environment, EnvironmentKind
from museum.lab.outcome import Output, RaisedException, RunOutcome, RunStatus
from museum.lab.physical import PhysicalOrder
from museum.mesh.code import CHECK
from museum.mesh.document import StudioArray, StudioDocument, from_json
from museum.mesh.library import Library
from museum.mesh.presets import document_for
from museum.mesh.spec import Spec
from museum.mesh.svg import LIGHT


def environment(jax: str) -> Environment:
    return Environment("own", EnvironmentKind.OWN, Path("python"), "3.11.7", jax, jax, "")


class Lab:
    """Hands out canned outcomes, once it may."""

    def __init__(self) -> None:
        self.outcome = RunOutcome(RunStatus.OK, 0, "own", "cpu:8")
        self.requests: list[Any] = []
        self.may_end = asyncio.Event()
        self.may_end.set()
        self.ended = 0

    async def environments(self):
        return [environment("0.12.0.1"), environment("0.10.2")]

    async def run(self, request, _on_progress):
        self.requests.append(request)
        try:
            await self.may_end.wait()
        finally:
            self.ended += 1
        return self.outcome


class Studio:
    """A controller with its fake page."""

    def __init__(self, home: Path, lab: Any = None, ask: Any = None) -> None:
        self.page = pretended(StudioPage)
        self.page.axes, self.page.arrays = pretended(AxisEditor), pretended(ArrayEditor)
        self.page.mesh_canvas = create_autospec(MeshCanvas, instance=True)
        self.page.mesh_canvas.palette_of_shards = LIGHT
        self.lab = lab
        self.controller = StudioController(self.page, lab, home, *([ask] if ask else []))

    @property
    def document(self) -> StudioDocument:
        return self.controller.document

    @property
    def view(self) -> StudioView:
        return self.page.show_view.call_args.args[0]

    @property
    def said(self) -> tuple[str, str]:
        arguments = self.page.say.call_args.args
        return arguments[0], arguments[1] if len(arguments) > 1 else "faint"

    @property
    def spec(self) -> str:
        return str(self.document.arrays[0].spec)

    def open(self, mesh: str = "data=4,model=2", shape=(16, 16), spec="data,model", topology="") -> None:
        array = StudioArray("x", shape, "float32", Spec.parse(spec))
        self.controller.open_document(StudioDocument.of(mesh, [array], topology))


def story(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Runs an asynchronous test to its end, after which nothing of it may be left."""

    async def play(**named: Any) -> None:
        async with asyncio.timeout(60):  # so that a fault fails instead of hanging
            await test(**named)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    @functools.wraps(test)
    def run(**named: Any) -> None:
        asyncio.run(play(**named))

    return run


@pytest.fixture
def studio(tmp_path: Path):
    studio = Studio(tmp_path)
    yield studio
    asyncio.run(studio.controller.close())


async def settled(turns: int = 8) -> None:
    for _ in range(turns):
        await asyncio.sleep(0)


def test_a_visitor_who_never_was_here_finds_a_layout_with_its_drawings(studio):
    assert studio.document == FIRST
    view = studio.view
    assert (len(view.mesh.cells), len(view.array.boxes), view.problems, view.can_undo) == (8, 8, (), False)


def test_the_mesh_is_typed_and_the_picture_follows(studio):
    studio.page.mesh_typed.emit("data=2,model=2")
    assert studio.document.mesh.command == "data=2,model=2"
    assert len(studio.view.mesh.cells) == 4


def test_what_cannot_be_read_is_told_in_words_and_changes_nothing(studio):
    for signal, text, words in (
        (studio.page.mesh_typed, "data=", "the size of 'data' is no whole number"),
        (studio.page.spec_typed, "P('data'", "cannot be read"),
        (studio.page.shape_typed, "16, x", "is no whole number"),
        (studio.page.topology_typed, "v9:4x4", "is no chip"),
        (studio.page.dtype_typed, "float3", "is no dtype"),
    ):
        signal.emit(text)
        assert words in studio.said[0]
        assert studio.said[1] == "bad"
        assert studio.document == FIRST
    assert not studio.view.can_undo


def test_letters_typed_one_after_the_other_are_one_step_to_undo(studio):
    for text in ("P('data'", "P('data')", "P('data', None)"):
        studio.page.spec_typed.emit(text)
    studio.controller.undo()
    assert studio.spec == "P('data', 'model')"
    assert not studio.view.can_undo


def test_what_is_typed_after_leaving_a_field_is_another_step(studio):
    studio.page.shape_typed.emit("8, 8")
    studio.page.typing_finished.emit()
    studio.page.shape_typed.emit("4, 4")
    studio.controller.undo()
    assert studio.document.arrays[0].shape == (8, 8)
    studio.controller.redo()
    assert studio.document.arrays[0].shape == (4, 4)


def test_undo_and_redo_of_every_kind_of_edit_lead_back_and_forth(studio):
    page = studio.page
    steps = [
        page.axes.add_requested.emit,
        lambda: page.axes.renamed.emit("data", "fsdp"),
        lambda: page.axes.resized.emit("fsdp", "8"),
        lambda: page.axes.type_chosen.emit("model", "explicit"),
        lambda: page.axes.place_chosen.emit("model", "rows"),
        lambda: page.axes.moved.emit("model", -1),
        lambda: page.axes.split_requested.emit("fsdp", 2),
        lambda: page.axes.merge_requested.emit("fsdp"),
        lambda: page.axes.removed.emit("seq"),
        page.arrays.add_requested.emit,
        lambda: page.arrays.sharded.emit("y", 0, "model"),
        lambda: page.arrays.resharded.emit("y", 0, 1, "model"),
        lambda: page.arrays.unsharded.emit("y", 1, "model"),
        lambda: page.arrays.renamed.emit("y", "w"),
        lambda: page.arrays.shape_typed.emit("w", "(4, 4)"),
        lambda: page.arrays.dtype_typed.emit("w", "bf16"),
        lambda: page.arrays.spec_typed.emit("w", "P('fsdp')"),
        lambda: page.arrays.removed.emit("w"),
        lambda: page.topology_typed.emit("v5e:4x4"),
        lambda: page.preset_chosen.emit("fsdp"),
    ]
    seen = [studio.document]
    for step in steps:
        step()
        assert studio.document != seen[-1], studio.said
        seen.append(studio.document)
    for before in reversed(seen[:-1]):
        studio.page.undo_requested.emit()
        assert studio.document == before
    for after in seen[1:]:
        studio.page.redo_requested.emit()
        assert studio.document == after


def test_problems_are_told_with_those_of_arrays_that_are_not_drawn(studio):
    studio.page.shape_typed.emit("10, 16")
    studio.page.arrays.add_requested.emit()
    assert studio.view.chosen.name == "y"
    (problem,) = studio.view.problems
    assert problem == "x: dimension 0 of size 10 is not divisible by 4 (data=4): remainder 2"
    assert studio.view.rows[0].problem
    assert not studio.view.rows[1].problem


@story
async def test_problems_of_arrays_beside_the_drawn_one_come_a_moment_later_on_large_meshes(tmp_path):
    studio = Studio(tmp_path)
    arrays = [StudioArray(name, (60, 64), "float32", Spec.parse("a,b")) for name in "xyz"]
    studio.controller.open_document(StudioDocument.of("a=64,b=64", arrays))
    assert [bool(row.problem) for row in studio.view.rows] == [True, False, False]
    await settled(20)
    assert [bool(row.problem) for row in studio.view.rows] == [True, True, True]
    await studio.controller.close()


def test_another_array_is_drawn_when_it_is_chosen(studio):
    studio.controller.open_document(document_for("fsdp", 4))
    studio.page.arrays.chosen.emit("mlp/w_in")
    assert studio.view.chosen.name == "mlp/w_in"
    studio.page.spec_typed.emit("P(None, 'fsdp')")
    assert str(studio.document.array("mlp/w_in").spec) == "P(None, 'fsdp')"


def test_a_renamed_array_stays_the_drawn_one_and_a_taken_name_is_refused(studio):
    studio.page.arrays.add_requested.emit()
    studio.page.arrays.renamed.emit("y", "x")
    assert "two arrays are named 'x'" in studio.said[0]
    assert studio.view.chosen.name == "y"
    studio.page.arrays.renamed.emit("y", "w")
    assert studio.view.chosen.name == "w"


def test_without_arrays_the_mesh_alone_is_drawn(studio):
    studio.page.arrays.removed.emit("x")
    assert (studio.view.chosen, studio.view.layout, studio.view.array) == (None, None, None)
    assert len(studio.view.mesh.cells) == 8
    studio.page.copy_requested.emit(Copied.TEXT)
    assert studio.said == ("add an array first: a picture needs one", "bad")


def test_one_slice_is_drawn_and_a_slice_that_is_none_is_told(studio):
    studio.open("data=2", (4, 8, 8), "data")
    studio.page.slice_typed.emit("3")
    assert studio.view.array.caption.startswith("slice [3, :, :]")
    studio.page.slice_typed.emit("4")
    assert studio.said == ("index 4 is not in dimension 0 of size 4", "bad")
    studio.page.slice_typed.emit("")
    assert not studio.view.array.caption.startswith("slice")


def test_a_drawing_that_does_not_change_is_not_made_again(studio):
    before = studio.view
    studio.page.arrays.renamed.emit("x", "w")
    assert studio.view.mesh is before.mesh
    assert studio.view.array is before.array
    studio.page.axes.place_chosen.emit("model", "rows")
    assert studio.view.mesh is not before.mesh
    assert studio.view.array is before.array


def test_a_preset_is_made_for_the_machine(studio):
    studio.page.topology_typed.emit("v5e:4x4")
    studio.page.preset_chosen.emit("2d")
    assert studio.document == document_for("2d", 16, "v5e:4x4")
    assert "weights are cut both ways" in studio.said[0]


def test_a_preset_that_nobody_touched_follows_the_machine_in_one_step(studio):
    studio.page.preset_chosen.emit("data")
    before = studio.document
    studio.page.topology_typed.emit("v5e:4x4")
    assert studio.document == document_for("data", 16, "v5e:4x4")
    studio.controller.undo()
    assert studio.document == before


def test_memory_of_all_arrays_stands_against_the_chips(studio):
    studio.controller.open_document(document_for("data", 4, "v5e:2x2"))
    assert studio.view.memory.hbm == studio.document.topology.chip.hbm
    assert studio.view.memory.per_device == sum(row.size for row in studio.view.rows)


def test_the_document_at_hand_is_kept_at_each_edit_and_brought_back(tmp_path):
    studio = Studio(tmp_path)
    studio.page.mesh_typed.emit("data=8")
    other = Studio(tmp_path)  # as after a crash: nothing was closed
    assert other.document.mesh.command == "data=8"
    assert not other.view.can_undo
    for one in (studio, other):
        asyncio.run(one.controller.close())


def test_layouts_are_saved_opened_and_removed_by_name(studio):
    page = studio.page
    page.save_requested.emit(" mine ", False)
    assert studio.said == ("Saved as mine.", "good")
    assert studio.document.name == "mine"
    assert page.set_saved.call_args.args == (("mine",),)
    page.mesh_typed.emit("data=8")
    page.save_requested.emit("mine", False)  # its own name: no question
    page.new_requested.emit()
    assert studio.document == FIRST
    page.open_requested.emit("mine")
    assert studio.document.mesh.command == "data=8"
    page.remove_requested.emit("mine")
    page.open_requested.emit("mine")
    assert studio.said == ("no layout is saved as 'mine'", "bad")


def test_saving_over_another_layout_is_offered_and_done_only_then(studio):
    studio.page.save_requested.emit("mine", False)
    studio.page.new_requested.emit()
    studio.page.mesh_typed.emit("data=2")
    studio.page.save_requested.emit("mine", False)
    assert studio.page.say.call_args.kwargs == {"over": "mine"}
    studio.page.save_requested.emit("mine", True)
    studio.page.new_requested.emit()
    studio.page.open_requested.emit("mine")
    assert studio.document.mesh.command == "data=2"


def test_a_library_that_cannot_be_opened_is_told_and_the_studio_works(tmp_path):
    (tmp_path / LIBRARY).write_bytes(b"no database, but long enough to be looked at" * 40)
    studio = Studio(tmp_path)
    assert "cannot keep layouts here" in studio.said[0]
    studio.page.mesh_typed.emit("data=8")
    assert len(studio.view.mesh.cells) == 8
    studio.page.save_requested.emit("mine", False)
    assert "cannot be saved" in studio.said[0]
    asyncio.run(studio.controller.close())


def test_a_layout_that_cannot_be_kept_is_told(studio, monkeypatch):
    def refuse(*_: object) -> None:
        raise MuseumError("the disk is full")

    monkeypatch.setattr(Library, "keep", refuse)
    studio.page.mesh_typed.emit("data=8")
    assert studio.said == ("the disk is full", "bad")
    assert studio.document.mesh.command == "data=8"


@pytest.mark.parametrize(
    ("what", "piece"),
    [
        (Copied.CODE, 'jax.make_mesh((4, 2), ("data", "model")'),
        (Copied.SHARD_MAP, "shard_map("),
        (Copied.TEXT, "mesh data=4, model=2"),
    ],
)
def test_the_layout_is_copied_as_words(studio, what, piece):
    studio.page.copy_requested.emit(what)
    assert piece in studio.page.copy_text.call_args.args[0]
    assert studio.said == (f"Copied as {what}.", "good")


def test_the_layout_is_copied_as_json(studio):
    studio.page.copy_requested.emit(Copied.JSON)
    assert json.loads(studio.page.copy_text.call_args.args[0])["mesh"]["axes"][0] == ["data", 4, "auto"]


def test_code_that_a_version_lacks_is_refused_in_words(studio):
    studio.page.spec_typed.emit("P(P.UNCONSTRAINED)")
    studio.page.copy_requested.emit(Copied.SHARD_MAP)
    assert "shard_map takes only axis names and None" in studio.said[0]


def test_an_exported_layout_is_imported_again(studio, tmp_path):
    file = tmp_path / "layout.json"
    studio.open("data=2", (8,), "data", "devices:2")
    document = studio.document
    studio.page.export_requested.emit(Exported.JSON, str(file))
    assert from_json(file.read_bytes()) == document
    studio.page.new_requested.emit()
    studio.page.import_requested.emit(str(file))
    assert studio.document == document
    assert [
        path.name for path in tmp_path.iterdir() if path.suffix not in (".sqlite", "") and "layout" in path.name
    ] == ["layout.json"]


def test_a_file_that_is_no_layout_or_is_not_there_is_told(studio, tmp_path):
    file = tmp_path / "other.json"
    file.write_text("{}")
    studio.page.import_requested.emit(str(file))
    assert "no studio file" in studio.said[0]
    studio.page.import_requested.emit(str(tmp_path / "none.json"))
    assert "cannot be read" in studio.said[0]
    assert studio.document == FIRST


def test_a_file_that_cannot_be_written_is_told(studio, tmp_path):
    studio.page.export_requested.emit(Exported.SVG, str(tmp_path / "nowhere" / "x.svg"))
    assert "cannot be written" in studio.said[0]
    assert studio.said[1] == "bad"


def test_an_svg_is_the_drawn_array(studio, tmp_path):
    studio.page.export_requested.emit(Exported.SVG, str(tmp_path / "x.svg"))
    assert "x: float32[16,16] on P(" in (tmp_path / "x.svg").read_text("utf-8")


def test_a_machine_that_refuses_the_shape_says_why_and_which_it_takes(studio):
    studio.open("data=8,model=8", (16, 16), "data,model", "v5p:4x4x4")
    assert any("refuses (8, 8)" in line for line in studio.view.machine)
    assert (16, 4) in studio.view.shapes
    assert not studio.view.can_order
    studio.page.shape_chosen.emit((16, 4))
    assert studio.document.mesh.shape == (16, 4)
    assert studio.view.shapes == ()
    assert studio.view.can_order


def check_line(document: StudioDocument) -> bytes:
    found = {
        array.name: {
            "shard_shape": layout.shard_shape,
            "slices": [layout.slices[device] for device in document.mesh.device_ids],
        }
        for array, layout in zip(document.arrays, document.layouts, strict=True)
    }
    return f"{CHECK}{json.dumps(found)}\n".encode()


@story
async def test_a_check_that_agrees_says_so_and_ran_the_code_for_the_chosen_version(tmp_path):
    studio = Studio(tmp_path, Lab())
    await studio.controller.find_environments()
    studio.page.jax_chosen.emit("0.10.2")
    studio.lab.outcome = RunOutcome(RunStatus.OK, 0, "own", "cpu:8", stdout=Output(check_line(FIRST)))
    studio.page.check_requested.emit()
    await settled()
    (request,) = studio.lab.requests
    assert (request.environment.jax, str(request.target)) == ("0.10.2", "cpu:8")
    assert "jax.make_mesh" in request.script
    agreed = ("✓ JAX 0.10.2 agrees in everything: 1 array on 8 devices.", "good", {})
    assert studio.page.show_check.call_args.args == agreed
    assert studio.page.set_busy.call_args.args == ("",)
    await studio.controller.close()


@story
async def test_every_difference_that_a_check_finds_is_marked(tmp_path):
    studio = Studio(tmp_path, Lab())
    other = StudioDocument.of("data=4,model=2", [StudioArray("x", (16, 16), "float32", Spec.parse("model,data"))])
    studio.lab.outcome = RunOutcome(RunStatus.OK, 0, "own", "cpu:8", stdout=Output(check_line(other)))
    studio.page.check_requested.emit()
    await settled()
    words, role, marks = studio.page.show_check.call_args.args
    assert role == "bad"
    assert words.startswith("✗ x: a part is (8, 4) for JAX and (4, 8) here")
    assert marks == {"x": frozenset(range(8))}
    await studio.controller.close()


@story
async def test_only_the_devices_that_differ_are_marked(tmp_path):
    studio = Studio(tmp_path, Lab())
    found = json.loads(check_line(FIRST).decode().removeprefix(CHECK))
    slices = found["x"]["slices"]
    slices[2], slices[5] = slices[5], slices[2]
    studio.lab.outcome = RunOutcome(
        RunStatus.OK, 0, "own", "cpu:8", stdout=Output(f"{CHECK}{json.dumps(found)}\n".encode())
    )
    studio.page.check_requested.emit()
    await settled()
    assert studio.page.show_check.call_args.args[2] == {"x": frozenset([2, 5])}
    await studio.controller.close()


@story
async def test_a_layout_with_problems_is_refused_by_jax_as_well_and_else_it_is_a_difference(tmp_path):
    studio = Studio(tmp_path, Lab())
    raised = RaisedException("ValueError", "it does not divide\nmore", ())
    studio.lab.outcome = RunOutcome(RunStatus.FAILED, 1, "own", "cpu:8", exception=raised)
    for shape, role in (("10, 16", "faint"), ("16, 16", "bad")):
        studio.page.shape_typed.emit(shape)
        studio.page.check_requested.emit()
        await settled()
        words, given, _marks = studio.page.show_check.call_args.args
        assert "JAX 0.12.0.1 refuses it: ValueError: it does not divide" in words
        assert given == role
    await studio.controller.close()


@story
async def test_an_edit_ends_a_check_and_its_late_answer_is_dropped(tmp_path):
    studio = Studio(tmp_path, Lab())
    studio.lab.may_end.clear()
    studio.page.check_requested.emit()
    await settled()
    studio.page.mesh_typed.emit("data=8")
    await settled()
    assert studio.lab.ended == 1
    assert studio.page.show_check.call_args.args == ("",)
    assert studio.page.set_busy.call_args.args == ("",)
    await studio.controller.close()


@story
async def test_a_check_is_stopped_and_nothing_of_it_is_left(tmp_path):
    studio = Studio(tmp_path, Lab())
    studio.lab.may_end.clear()
    studio.page.check_requested.emit()
    studio.page.stop_requested.emit()  # before its first step
    studio.page.check_requested.emit()
    await settled()
    studio.page.stop_requested.emit()
    await settled()
    assert studio.lab.ended == 1
    assert studio.said == ("Stopped.", "faint")
    await studio.controller.close()


@story
async def test_a_mesh_beyond_what_runs_is_not_checked(tmp_path):
    studio = Studio(tmp_path, Lab())
    studio.open("data=1024", (1024,), "data")
    studio.page.check_requested.emit()
    await settled()
    assert studio.said == ("JAX is asked about 512 fake CPU devices at most, not 1,024", "bad")
    assert studio.lab.requests == []
    await studio.controller.close()


@story
async def test_jax_is_asked_for_its_device_order_and_the_hops_are_told(tmp_path):
    asked = []

    async def ask(environment, questions):
        asked.extend(questions)
        return (PhysicalOrder((0, 1, 3, 2), (4,)),)

    studio = Studio(tmp_path, Lab(), ask)
    studio.open("data=4", (8,), "data", "v5e:2x2")
    studio.page.order_requested.emit()
    await settled()
    assert [(question.topology.name, question.shape) for question in asked] == [("v5e:2x2", (4,))]
    assert studio.document.mesh.device_ids == (0, 1, 3, 2)
    assert studio.view.machine[-1] == "data: every step is 1 hop"
    assert studio.said == ("In the order of JAX 0.12.0.1.", "good")
    assert studio.page.set_busy.call_args.args == ("",)
    studio.controller.undo()
    assert studio.document.mesh.device_ids == (0, 1, 2, 3)
    assert "hop" not in studio.view.machine[-1]
    await studio.controller.close()


@story
async def test_an_order_that_jax_refuses_is_told_in_its_words(tmp_path):
    async def ask(environment, questions):
        return (PhysicalOrder(error="NotImplementedError", message="Failed to find assignment"),)

    studio = Studio(tmp_path, Lab(), ask)
    studio.open("data=4", (8,), "data", "v5e:2x2")
    studio.page.order_requested.emit()
    await settled()
    assert studio.said == ("JAX 0.12.0.1 refuses: Failed to find assignment", "bad")
    await studio.controller.close()


@story
async def test_without_any_jax_it_says_what_is_lacking(tmp_path):
    studio = Studio(tmp_path, Lab())

    async def none():
        return []

    studio.lab.environments = none
    studio.page.check_requested.emit()
    await settled()
    assert studio.said == ("no environment with JAX is at hand to ask", "bad")
    await studio.controller.close()

"""What the mesh panel gets to draw from an exhibit's facts and from what a run reported."""

from typing import Any

import pytest

from gui.controllers.subjects import asked_for, seen_in
from museum.exhibit import Exhibit, ExhibitFile, Half, LayoutFile, OutcomeKind, Placard
from museum.lab.outcome import RaisedException, RunOutcome, RunStatus
from museum.lab.protocol import ArraySeen, MeshSeen
from museum.mesh.layout import ProblemKind, ShardLayout
from museum.mesh.mesh import AxisType, Mesh
from museum.mesh.spec import UNCONSTRAINED

AXES = (("data", 2, "auto"), ("model", 2, "explicit"))
INDIVISIBLE = (
    "Sharding NamedSharding(mesh=Mesh('data': 4, 'model': 2, axis_types=(Auto, Auto)), spec=P('data', 'model'), "
    "memory_kind=device) implies that array axis 0 is partitioned 4 times, but the dimension size is 10 (full shape: "
    "(10, 16), per-dimension tiling factors: [4, 2] should evenly divide the shape)"
)


def outcome(message: str = "", meshes: tuple[MeshSeen, ...] = (), arrays: tuple[ArraySeen, ...] = ()) -> RunOutcome:
    raised = RaisedException("ValueError", message, ()) if message else None
    return RunOutcome(
        RunStatus.FAILED if raised else RunStatus.OK, 0, "own", "cpu:8", raised, meshes=meshes, arrays=arrays
    )


def array(**facts: Any) -> ArraySeen:
    shards = {0: ((0, 2), (0, 4)), 1: ((0, 2), (0, 4)), 2: ((2, 4), (0, 4)), 3: ((2, 4), (0, 4))}
    usual = {
        "name": "x",
        "shape": (4, 4),
        "dtype": "float32",
        "state": "live",
        "spec": (("data",), None),
        "memory_kind": "device",
        "shards": shards,
        "mesh": AXES,
    }
    return ArraySeen(**{**usual, **facts})


def layout_of(seen: RunOutcome, number: int = 0) -> ShardLayout:
    drawn = seen_in(seen)[number].drawn
    assert isinstance(drawn, ShardLayout)
    return drawn


def exhibit(layout: LayoutFile | None) -> Exhibit:
    facts = ExhibitFile("One", OutcomeKind.RAISES, ("cpu:8",), ("0.10.2",), (), (), layout=layout)
    return Exhibit("xla/one", 1, facts, Placard("", "", ""), {Half.FAILING: "", Half.FIX: "pass"}, ())


def test_an_exhibits_layout_is_drawn_with_its_problems() -> None:
    (subject,) = asked_for(exhibit(LayoutFile("data=4,model=2", (10, 16), "data,model")))
    assert (subject.name, subject.facts) == ("asked for", "(10, 16) as P('data', 'model')")
    assert isinstance(subject.drawn, ShardLayout)
    assert [problem.kind for problem in subject.drawn.problems] == [ProblemKind.NOT_DIVISIBLE]


def test_an_exhibit_without_a_layout_asks_for_nothing() -> None:
    assert asked_for(exhibit(None)) == ()


def test_a_run_without_jax_leaves_nothing_to_draw() -> None:
    assert seen_in(outcome()) == ()


def test_the_array_that_failed_comes_from_the_message_with_the_device_order_of_the_run() -> None:
    ids = (7, 6, 5, 4, 3, 2, 1, 0)
    seen = outcome(INDIVISIBLE, (MeshSeen("mesh", (("data", 4, "auto"), ("model", 2, "auto")), ids),))
    failed, mesh = seen_in(seen)
    assert (failed.name, failed.facts) == ("the array that failed", "(10, 16) as P('data', 'model')")
    layout = layout_of(seen)
    assert layout.mesh.device_ids == ids
    assert [(one.start, one.stop) for one in layout.homeless] == [(8, 10)]
    assert (mesh.name, mesh.facts) == ("mesh", "auto axes")


@pytest.mark.parametrize(
    "mesh",
    [
        MeshSeen("m", (("data", 4, "auto"),), (3, 2, 1, 0)),
        MeshSeen("m", (("model", 2, "auto"), ("data", 4, "auto")), tuple(range(8))),
        MeshSeen("m", (("data", 4, "auto"), ("model", 2, "auto")), ()),
    ],
    ids=["other axes", "another order of axes", "abstract"],
)
def test_a_mesh_that_is_not_the_failed_arrays_lends_it_no_device_order(mesh: MeshSeen) -> None:
    assert layout_of(outcome(INDIVISIBLE, (mesh,))).mesh.device_ids == tuple(range(8))


@pytest.mark.parametrize("message", ["no layout in it", INDIVISIBLE.replace("(10, 16)", "()"), "spec=P('data')"])
def test_a_message_that_does_not_state_a_whole_layout_or_a_scalar_is_no_harm(message: str) -> None:
    assert all(subject.name == "the array that failed" for subject in seen_in(outcome(message)))


def test_an_array_is_drawn_as_the_run_reported_it() -> None:
    seen = outcome(arrays=(array(),))
    (subject,) = seen_in(seen)
    assert (subject.name, subject.facts) == ("x", "float32[4, 4] · P('data', None) · device")
    layout = layout_of(seen)
    assert layout.mesh.shape == (2, 2)
    assert [axis.type for axis in layout.mesh.axes] == [AxisType.AUTO, AxisType.EXPLICIT]
    assert layout.slices[3] == ((2, 4), (0, 4))
    assert layout.replicas == {0: 0, 1: 1, 2: 0, 3: 1}
    assert layout.problems == ()


@pytest.mark.parametrize("state", ["deleted", "traced"])
def test_an_array_that_is_not_live_says_so(state: str) -> None:
    assert seen_in(outcome(arrays=(array(state=state),)))[0].facts.endswith(f" · {state}")


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ((("data", "model"),), "P(('data', 'model'))"),
        (("unconstrained", None), "P(P.UNCONSTRAINED, None)"),
        ((), "P()"),
    ],
)
def test_every_kind_of_spec_entry_is_said(spec: Any, words: str) -> None:
    seen = outcome(arrays=(array(spec=spec),))
    assert words in seen_in(seen)[0].facts
    entries = layout_of(seen).spec.entries
    assert (UNCONSTRAINED in entries) == ("unconstrained" in spec)


def test_odd_device_ids_are_drawn_in_the_order_of_the_runs_own_mesh() -> None:
    ids = (131_072, 5, 131_073, 900)
    shards = {131_072: ((0, 2), (0, 4)), 5: ((0, 2), (0, 4)), 131_073: ((2, 4), (0, 4)), 900: ((2, 4), (0, 4))}
    seen = outcome(meshes=(MeshSeen("mesh", AXES, ids),), arrays=(array(shards=shards),))
    assert layout_of(seen).mesh.device_ids == ids
    assert layout_of(seen).slices[900] == ((2, 4), (0, 4))


def test_odd_device_ids_without_a_mesh_to_place_them_are_not_drawn() -> None:
    shards = {100: ((0, 4), (0, 4)), 200: ((0, 4), (0, 4))}
    assert seen_in(outcome(arrays=(array(shards=shards),))) == ()


def test_an_array_without_a_mesh_is_drawn_on_the_devices_that_hold_it() -> None:
    seen = outcome(arrays=(array(mesh=None, spec=None, shards={17: ((0, 4), (0, 4))}),))
    layout = layout_of(seen)
    assert (layout.mesh.device_ids, layout.mesh.axis_names, layout.spec) == ((17,), ("device",), None)
    assert seen_in(seen)[0].facts == "float32[4, 4] · device"


@pytest.mark.parametrize(
    "facts",
    [
        {"shards": {}},
        {"shape": (3, 4)},
        {"mesh": (("data", 0, "auto"),)},
        {"mesh": (("a", 2, "auto"), ("a", 2, "auto"))},
        {"shape": (4,)},
    ],
    ids=["no shards", "shards outside", "an axis of size 0", "an axis twice", "another rank"],
)
def test_what_cannot_be_is_left_out_instead_of_drawn_wrong(facts: dict[str, Any]) -> None:
    assert seen_in(outcome(arrays=(array(**facts), array(name="good")))) == seen_in(
        outcome(arrays=(array(name="good"),))
    )


def test_a_scalar_on_many_devices_is_drawn() -> None:
    seen = outcome(arrays=(array(shape=(), spec=(), shards=dict.fromkeys(range(4), ())),))
    assert layout_of(seen).replication == 4


def test_meshes_say_their_kinds_and_whether_they_are_abstract() -> None:
    meshes = (
        MeshSeen("a", AXES, (3, 2, 1, 0)),
        MeshSeen("b", (("x", 2, "manual"),), ()),
        MeshSeen("c", (("x", 2, "of the future"),), (0, 1)),
    )
    subjects = seen_in(outcome(meshes=meshes))
    assert [subject.facts for subject in subjects] == [
        "auto and explicit axes",
        "abstract · manual axes",
        "of the future axes",
    ]
    drawn = [subject.drawn for subject in subjects]
    assert all(isinstance(one, Mesh) for one in drawn)
    assert drawn[0].device_ids == (3, 2, 1, 0)
    assert [one.axes[0].type for one in drawn] == [AxisType.AUTO, AxisType.MANUAL, AxisType.AUTO]


def test_a_mesh_that_cannot_be_drawn_is_named_all_the_same() -> None:
    (subject,) = seen_in(outcome(meshes=(MeshSeen("m", (("x", 0, "auto"),), ()),)))
    assert (subject.name, subject.drawn) == ("m", None)


def test_the_failure_stands_before_arrays_and_arrays_before_meshes_the_most_spread_first() -> None:
    small = array(name="small", mesh=None, spec=None, shards={0: ((0, 4), (0, 4))})
    seen = outcome(INDIVISIBLE, (MeshSeen("mesh", AXES, (0, 1, 2, 3)),), (small, array(name="large")))
    assert [subject.name for subject in seen_in(seen)] == ["the array that failed", "large", "small", "mesh"]

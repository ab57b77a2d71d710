import dataclasses
import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from museum.errors import MuseumError
from museum.mesh import edits
from museum.mesh.arrangement import Arrangement
from museum.mesh.document import StudioArray, StudioDocument, Undo, from_json, memory, to_json
from museum.mesh.mesh import AxisType, Mesh
from museum.mesh.presets import PRESETS, document_for, near_square
from museum.mesh.spec import Spec
from museum.mesh.topologies import Topology


def array(name="w", shape=(16, 16), spec="data,model", dtype="float32"):
    return StudioArray(name, shape, dtype, Spec.parse(spec))


GRID = StudioDocument.of("data=4,model=2", [array(), array("b", (16,), "model+data")])


def refusal(function, *arguments):
    with pytest.raises(MuseumError) as caught:
        function(*arguments)
    return str(caught.value)


def held(document):
    """By array and device what it holds: what splitting, merging and renaming must not change."""
    return [layout.slices for layout in document.layouts]


# -- values


def test_a_document_on_a_machine_takes_its_devices_and_hosts():
    document = StudioDocument.of("data=2,model=4", [], "v5e:4x4")

    assert document.mesh.device_ids == (0, 1, 4, 5, 2, 3, 6, 7)
    assert document.mesh.hosts == (0, 0, 0, 0, 1, 1, 1, 1)
    assert (document.devices, document.problem) == (16, "")


def test_a_mesh_bigger_than_its_machine_is_a_document_with_a_problem():
    document = StudioDocument.of("data=4,model=2", [array()], "devices:6")

    assert document.mesh.device_ids == (0, 1, 2, 3, 4, 5, 6, 7)
    assert document.problem == "the mesh data=4,model=2 needs 8 devices, but there are 6"
    assert document.layout("w").missing == (6, 7)


def test_nobody_knows_how_many_devices_are_local():
    assert (StudioDocument.of("data=4", [], "local").devices, GRID.devices) == (None, None)


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (lambda: array(name="1 2"), "'1 2' is no name for an array: letters, digits and _ . / [ ] - after the first"),
        (lambda: array(shape=(1,) * 17), "array w: rank 17 is more than 16"),
        (lambda: array(shape=(-1,)), "array w: a size is 0 or more"),
        (lambda: array(dtype="bf16"), "array w: write the dtype as bfloat16, not bf16"),
        (lambda: array(dtype="string"), "'string' is no dtype of JAX, as in float32, bfloat16, int8 or float8_e4m3fn"),
        (lambda: StudioDocument.of("a=2", [array(), array()]), "two arrays are named 'w'"),
        (
            lambda: StudioDocument.of("a=2", [array(f"w{n}") for n in range(201)]),
            "201 arrays are too many: at most 200",
        ),
        (lambda: GRID.array("x"), "no array is named 'x'; there is w, b"),
        (lambda: StudioDocument.of("a=2").layout("x"), "no array is named 'x'; there is none"),
    ],
)
def test_what_cannot_be_is_refused_with_one_line(make, line):
    assert refusal(make) == line


# -- edits of the mesh


def test_an_axis_is_added_where_it_is_wanted():
    assert edits.add_axis(GRID, "seq", 3, "explicit").mesh.command == "data=4,model=2,seq=3:explicit"
    assert edits.add_axis(GRID, "seq", 3, at=0).mesh.command == "seq=3,data=4,model=2"
    assert refusal(edits.add_axis, GRID, "data", 2) == "the mesh has an axis 'data' already"
    assert refusal(edits.add_axis, GRID, "a b", 2) == "'a b' is no axis name: letters, digits and _"
    assert refusal(edits.add_axis, GRID, "seq", 0) == "mesh axis 'seq' has size 0: an axis has at least 1 device"


def test_an_axis_that_goes_leaves_the_specs():
    document = edits.remove_axis(GRID, "data")

    assert document.mesh.command == "model=2"
    assert [str(one.spec) for one in document.arrays] == ["P(None, 'model')", "P('model')"]


def test_a_new_name_reaches_specs_and_picture_and_changes_nothing_else():
    document = edits.rename_axis(edits.arrange(GRID, "data", "columns"), "data", "batch")

    assert document.mesh.command == "batch=4,model=2"
    assert [str(one.spec) for one in document.arrays] == ["P('batch', 'model')", "P(('model', 'batch'))"]
    assert document.arrangement == Arrangement(("model",), ("batch",))
    assert held(document) == held(GRID)
    assert edits.rename_axis(GRID, "data", "data") == GRID
    assert refusal(edits.rename_axis, GRID, "data", "model") == "the mesh has an axis 'model' already"
    assert refusal(edits.rename_axis, GRID, "x", "y") == "the mesh has no axis 'x' (its axes: 'data', 'model')"


def test_axes_are_resized_and_reordered():
    assert edits.resize_axis(GRID, "data", 8).mesh.shape == (8, 2)
    assert edits.move_axis(GRID, "model", 0).mesh.command == "model=2,data=4"
    assert edits.move_axis(GRID, "model", 1) == GRID
    assert refusal(edits.move_axis, GRID, "model", 2) == "axis 'model' cannot be number 2: places are 0 to 1"
    assert refusal(edits.resize_axis, GRID, "data", -1).startswith("mesh axis 'data' has size -1")


def test_an_axis_type_is_set_and_the_order_stays():
    ordered = edits.set_order(GRID, range(7, -1, -1))
    document = edits.set_axis_type(ordered, "data", "explicit")

    assert document.mesh.axes[0].type is AxisType.EXPLICIT
    assert document.mesh.device_ids == ordered.mesh.device_ids
    assert (
        refusal(edits.set_axis_type, GRID, "data", "user") == "'user' is no axis type: write auto, explicit or manual"
    )


def test_a_split_axis_is_two_and_every_device_keeps_what_it_holds():
    document = edits.split_axis(GRID, "data", ("outer", 2), ("data", 2))

    assert document.mesh.command == "outer=2,data=2,model=2"
    assert [str(one.spec) for one in document.arrays] == [
        "P(('outer', 'data'), 'model')",
        "P(('model', 'outer', 'data'))",
    ]
    assert held(document) == held(GRID)
    assert refusal(edits.split_axis, GRID, "data", ("a", 3), ("b", 2)) == (
        "axis data=4 cannot be split into 3 x 2, which makes 6"
    )
    assert refusal(edits.split_axis, GRID, "data", ("a", 2), ("model", 2)) == "the mesh has an axis 'model' already"
    assert (
        refusal(edits.split_axis, GRID, "data", ("a", 2), ("a", 2))
        == "mesh a=2,a=2,model=2: axis name 'a' is used twice"
    )


def test_merging_undoes_splitting():
    document = edits.split_axis(GRID, "data", ("outer", 2), ("data", 2))

    assert edits.merge_axes(document, "outer", "data", "data") == GRID
    assert held(edits.merge_axes(document, "outer", "data")) == held(GRID)


@pytest.mark.parametrize(
    ("spec", "line"),
    [
        ("outer", "array w does not use 'outer' and 'inner' together: P('outer')"),
        ("inner+outer", "array w does not use 'outer' and 'inner' together: P(('inner', 'outer'))"),
        ("outer,inner", "array w does not use 'outer' and 'inner' together: P('outer', 'inner')"),
        ("outer+inner,inner", "array w does not use 'outer' and 'inner' together: P(('outer', 'inner'), 'inner')"),
        ("unreduced=outer", "array w is unreduced over one of them only: P(unreduced={'outer'})"),
    ],
)
def test_axes_that_an_array_uses_apart_are_not_merged(spec, line):
    document = StudioDocument.of("outer=2,inner=2", [array(spec=spec)])

    assert refusal(edits.merge_axes, document, "outer", "inner", "both") == line


def test_axes_that_do_not_follow_each_other_are_not_merged():
    three = StudioDocument.of("a=2,b=2:explicit,c=2:explicit", [array(spec="-,unreduced=b+c")])

    assert refusal(edits.merge_axes, three, "a", "c") == (
        "only axes that follow each other can be merged: 'c' does not come right after 'a'"
    )
    assert refusal(edits.merge_axes, three, "a", "b") == "axis 'a' is auto and 'b' explicit: give them one type first"
    assert refusal(edits.merge_axes, three, "b", "c", "a") == "'a' cannot name the merged axis"
    merged = edits.merge_axes(three, "b", "c", "bc")
    assert (merged.mesh.command, str(merged.arrays[0].spec)) == ("a=2,bc=4:explicit", "P(None, unreduced={'bc'})")


def test_the_mesh_as_typed_keeps_the_order_while_sizes_stay():
    ordered = edits.set_order(GRID, range(7, -1, -1))

    assert edits.set_mesh(ordered, "rows=4,columns=2:explicit").mesh.device_ids == ordered.mesh.device_ids
    assert edits.set_mesh(ordered, "rows=2,columns=4").mesh.device_ids == tuple(range(8))
    assert refusal(edits.set_mesh, GRID, "rows") == "mesh 'rows': 'rows' is no name=size, as in data=4"


def test_a_machine_as_typed_gives_its_devices_and_takes_them_away():
    document = edits.set_topology(GRID, "v5e:4x4")

    assert document.mesh.device_ids == (0, 1, 4, 5, 2, 3, 6, 7)
    assert edits.set_topology(document, " ") == GRID
    assert edits.resize_axis(document, "data", 8).mesh.hosts[-1] == 3
    assert refusal(edits.set_topology, GRID, "v9:1x1").startswith("'v9:1x1': 'v9' is no chip")


def test_an_order_brings_the_hosts_of_its_devices():
    document = edits.set_order(edits.set_topology(GRID, "v5e:4x4"), (10, 11, 14, 15, 0, 1, 4, 5))

    assert document.mesh.hosts == (3, 3, 3, 3, 0, 0, 0, 0)
    assert refusal(edits.set_order, GRID, (0, 1)) == "mesh data=4,model=2 has 8 places, but 2 device ids were given"


def test_an_axis_is_drawn_elsewhere():
    assert edits.arrange(GRID, "data", "columns").arrangement == Arrangement(("model",), ("data",))
    assert refusal(edits.arrange, GRID, "seq", "rows") == "the mesh has no axis 'seq' (its axes: 'data', 'model')"


# -- edits of arrays


def test_arrays_come_go_and_change():
    document = edits.add_array(GRID, "x", "(4, 4)", "bf16", "P('data')")

    assert document.array("x") == StudioArray("x", (4, 4), "bfloat16", Spec((("data",),)))
    assert edits.remove_array(document, "x") == GRID
    assert edits.rename_array(document, "x", "y").array("y").shape == (4, 4)
    assert edits.set_shape(document, "x", "8").array("x").shape == (8,)
    assert edits.set_dtype(document, "x", "int4").array("x").dtype == "int4"
    assert edits.set_spec(document, "x", "-,model").array("x").spec == Spec((None, ("model",)))
    assert refusal(edits.add_array, document, "x", "4") == "two arrays are named 'x'"
    assert refusal(edits.rename_array, document, "x", "w") == "two arrays are named 'w'"
    assert refusal(edits.set_shape, document, "q", "4") == "no array is named 'q'; there is w, b, x"
    assert refusal(edits.set_dtype, document, "x", "q").startswith("'q' is no dtype of JAX")


def test_sharding_appends_to_the_tuple_of_a_dimension():
    document = StudioDocument.of("data=4,model=2", [array(spec="")])
    once = edits.shard(document, "w", 1, "model")
    twice = edits.shard(once, "w", 1, "data")

    assert (str(once.array("w").spec), str(twice.array("w").spec)) == ("P(None, 'model')", "P(None, ('model', 'data'))")
    assert str(edits.unshard(twice, "w", 1, "model").array("w").spec) == "P(None, 'data')"
    assert str(edits.unshard(twice, "w", 1).array("w").spec) == "P(None, None)"
    assert edits.unshard(document, "w", 1) == document


def test_sharding_what_cannot_be_is_refused():
    assert (
        refusal(edits.shard, GRID, "w", 1, "data")
        == "axis 'data' cuts dimension 0 of w already: take it off there first"
    )
    assert refusal(edits.shard, GRID, "w", 2, "data") == "w has no dimension 2: its rank is 2"
    assert refusal(edits.shard, GRID, "w", 0, "seq") == "the mesh has no axis 'seq' (its axes: 'data', 'model')"
    assert refusal(edits.unshard, GRID, "w", 0, "model") == "axis 'model' does not cut dimension 0 of w"
    assert refusal(edits.unshard, GRID, "w", -1) == "w has no dimension -1: its rank is 2"
    summand = StudioDocument.of("data=4:explicit", [array(spec="unreduced=data")])
    assert refusal(edits.shard, summand, "w", 0, "data") == "w is unreduced over 'data': it cannot be cut along it too"


def test_an_entry_too_many_can_be_taken_off():
    document = StudioDocument.of("data=4", [array(shape=(4,), spec="-,data")])

    assert str(edits.unshard(document, "w", 1).array("w").spec) == "P(None, None)"


def test_an_edit_never_changes_the_document_it_was_given():
    before = to_json(GRID)
    edits.split_axis(GRID, "data", ("a", 2), ("b", 2))
    edits.shard(edits.set_spec(GRID, "w", ""), "w", 0, "data")

    assert to_json(GRID) == before


# -- memory


def test_bytes_are_summed_and_measured_against_the_chip():
    document = StudioDocument.of(
        "data=4,model=4",
        [array("w", (1 << 18, 1 << 18), "data,model", "bfloat16"), array("i", (10,), "", "int4")],
        "v5e:4x4",
    )
    cost = memory(document)

    assert cost.by_array == {"w": 1 << 33, "i": 5}
    assert (cost.per_device, cost.hbm, cost.fits) == ((1 << 33) + 5, round(15.75 * 2**30), True)
    assert str(cost) == "8 GiB on each device, 50.8 % of its 15.75 GiB"
    larger = memory(edits.set_dtype(document, "w", "float64"))
    assert not larger.fits
    assert str(larger) == "32 GiB on each device, 203 % of its 15.75 GiB: 16.25 GiB too much"
    assert str(memory(GRID)) == "136 B on each device"
    assert str(memory(edits.set_topology(GRID, "v5p:4x4x4"))).endswith(", less than 0.01 % of its 95.73 GiB")


@given(st.sampled_from(["data,model", "model+data", "data,data", "seq,model", "-,data,model", ""]), st.integers(0, 40))
def test_bytes_are_those_of_the_layouts(spec, size):
    document = StudioDocument.of("data=4,model=2", [array(shape=(size, 12), spec=spec, dtype="int4")])

    assert memory(document).per_device == document.layout("w").bytes_per_device("int4")


# -- undo


def test_undo_and_redo_walk_through_the_past():
    undo = Undo(1).do(2).do(3)

    assert (undo.undo().present, undo.undo().undo().present, undo.undo().undo().undo().present) == (2, 1, 1)
    assert undo.undo().undo().redo().redo() == undo
    assert undo.redo() is undo
    assert undo.do(3) is undo
    assert undo.undo().do(5).redo().present == 5
    assert undo.undo().do(5).undo().present == 2


def test_the_past_is_long_but_not_endless():
    undo = Undo(0)
    for number in range(1, 700):
        undo = undo.do(number)

    assert len(undo.past) == 500
    assert undo.past[0] == 199


# -- files


DOCUMENTS = st.builds(
    lambda preset, devices, topology, order: (
        edits.set_order(made, order(made.mesh.device_ids))
        if (made := document_for(preset, devices, topology))
        else made
    ),
    st.sampled_from(sorted(PRESETS)),
    st.sampled_from([1, 4, 8]),
    st.sampled_from(["", "v5e:4x4", "h100:8", "devices:2"]),
    st.sampled_from([tuple, lambda ids: ids[::-1]]),
)


@settings(max_examples=60, deadline=None)
@given(DOCUMENTS)
def test_a_file_reads_back(document):
    document = dataclasses.replace(edits.arrange(document, document.mesh.axis_names[-1], "rows"), name="mine, ünïcode")

    assert from_json(to_json(document)) == document


def test_a_file_is_text_with_a_mark_and_a_version():
    content = json.loads(to_json(edits.set_topology(GRID, "v5e:4x4")))

    assert (content["format"], content["version"], content["topology"]) == ("xla-museum studio", 1, "v5e:4x4")
    assert content["device_ids"] is None
    assert content["arrays"][1] == {"name": "b", "shape": [16], "dtype": "float32", "spec": "P(('model', 'data'))"}


def changed(**changes):
    return json.dumps(json.loads(to_json(GRID)) | changes)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "this is no studio file: Input data was truncated"),
        ("[1]", "this is no studio file: Expected `object`, got `array`"),
        (b"\xff\xfe", "this is no studio file: "),
        ("[" * 100_000, "this is no studio file: "),
        ("{}", "this is no studio file: it lacks the mark of one"),
        (changed(version=2), "the studio file has version 2, and this museum reads version 1"),
        (changed(mesh=3), "the studio file cannot be read: Expected `array`, got `int` - at `$.mesh`"),
        (
            changed(extra=1),
            "the studio file cannot be read: Object contains unknown field `extra`",
        ),
        (
            changed(arrays=[{"name": "w", "shape": [4.5], "dtype": "float32", "spec": ""}]),
            "the studio file cannot be read: Expected `int`, got `float` - at `$.arrays[0].shape[0]`",
        ),
        (
            changed(arrays=[{"name": "w", "shape": [4], "dtype": "f00", "spec": ""}]),
            "the studio file cannot be read: 'f00' is no dtype of JAX",
        ),
        (
            changed(arrays=[{"name": "w", "shape": [4], "dtype": "float32", "spec": "P(x)"}]),
            "the studio file cannot be read: spec 'P(x)': x is no entry",
        ),
        (changed(device_ids=[1, 2]), "the studio file cannot be read: mesh data=4,model=2 has 8 places"),
        (changed(topology="v9:1x1"), "the studio file cannot be read: 'v9:1x1': 'v9' is no chip"),
        (changed(mesh=[{"name": "a b", "size": 2}]), "the studio file cannot be read: 'a b' is no axis name"),
        (changed(mesh=[{"name": "a", "size": 1 << 40}]), "the studio file cannot be read: mesh a="),
    ],
)
def test_what_is_no_studio_file_is_refused_with_one_line(text, line):
    told = refusal(from_json, text)

    assert told.startswith(line)
    assert "\n" not in told


def test_a_file_without_what_may_be_left_out_is_read():
    text = msgspec.json.encode({"format": "xla-museum studio", "version": 1, "mesh": [{"name": "data", "size": 4}]})

    assert from_json(text) == StudioDocument.of("data=4")


# -- presets


@pytest.mark.parametrize("preset", sorted(PRESETS))
@pytest.mark.parametrize("devices", [1, 2, 3, 6, 7, 8, 12, 64, 97, 256])
def test_every_preset_works_on_every_number_of_devices(preset, devices):
    document = document_for(preset, devices)

    assert document.mesh.size == devices
    assert [layout.problems for layout in document.layouts] == [()] * len(document.arrays)
    if devices > 1:
        assert any(one.spec.axes for one in document.arrays)
        used = {axis for one in document.arrays for axis in one.spec.axes}
        assert used == {axis.name for axis in document.mesh.axes}


def test_presets_spread_what_their_words_say():
    specs = {
        preset: {one.name: str(one.spec) for one in document_for(preset, 64).arrays if one.spec.axes}
        for preset in PRESETS
    }

    assert specs["data"] == {"tokens": "P('data')", "activations": "P('data')"}
    assert specs["fsdp"]["mlp/w_in"] == "P('fsdp')"
    assert specs["tensor"]["mlp/w_in"] == "P(None, 'model')"
    assert specs["2d"]["mlp/w_in"] == "P('data', 'model')"
    assert specs["pipeline"]["mlp/w_in"] == "P('stage')"
    assert specs["expert"]["mlp/w_in"] == "P('expert', None, 'data')"
    assert specs["sequence"]["tokens"] == "P(None, 'seq')"


def test_a_preset_lies_on_a_machine():
    document = document_for("2d", 16, "v5e:4x4")

    assert (document.mesh.shape, document.topology) == ((4, 4), Topology.parse("v5e:4x4"))


@pytest.mark.parametrize(("devices", "factors"), [(1, (1, 1)), (7, (7, 1)), (8, (4, 2)), (64, (8, 8)), (12, (4, 3))])
def test_factors_are_as_near_as_can_be(devices, factors):
    assert near_square(devices) == factors


def test_a_preset_that_cannot_be_is_refused():
    assert refusal(document_for, "moe", 8) == (
        "'moe' is no preset; there are data, fsdp, tensor, 2d, pipeline, expert, sequence"
    )
    assert refusal(document_for, "data", 0) == "a preset needs 1 to 65536 devices, not 0"


def test_a_mesh_is_never_shared_by_mistake():
    assert isinstance(GRID.mesh, Mesh)
    assert hash(GRID) == hash(StudioDocument.of("data=4,model=2", GRID.arrays))

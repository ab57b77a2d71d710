import pytest

from museum.errors import MuseumError
from museum.mesh.layout import (
    Homeless,
    Problem,
    ProblemKind,
    ShardLayout,
    SliceGroup,
    parse_shape,
    resolve,
    shard_shape,
)
from museum.mesh.mesh import Mesh
from museum.mesh.spec import Spec


def layout_of(mesh, spec, shape):
    return resolve(Mesh.parse(mesh), Spec.parse(spec), shape)


@pytest.mark.parametrize(
    ("mesh", "spec", "shape", "shard_shape", "replication", "some_slices"),
    [
        (
            "data=4,model=2",
            "data,model",
            (8, 16),
            (2, 8),
            1,
            {0: ((0, 2), (0, 8)), 1: ((0, 2), (8, 16)), 6: ((6, 8), (0, 8))},
        ),
        (
            "data=4,model=2",
            "data",
            (8, 16),
            (2, 16),
            2,
            {0: ((0, 2), (0, 16)), 1: ((0, 2), (0, 16)), 2: ((2, 4), (0, 16))},
        ),
        ("data=4,model=2", "-,data", (8, 16), (8, 4), 2, {7: ((0, 8), (12, 16))}),
        ("data=4,model=2", "", (8, 16), (8, 16), 8, {5: ((0, 8), (0, 16))}),
        # As JAX has it: the first axis of a tuple is the slowest.
        ("data=4,model=2", "data+model", (8,), (1,), 1, {0: ((0, 1),), 1: ((1, 2),), 2: ((2, 3),), 7: ((7, 8),)}),
        ("data=4,model=2", "model+data", (8,), (1,), 1, {0: ((0, 1),), 1: ((4, 5),), 2: ((1, 2),), 7: ((7, 8),)}),
        ("a=2,b=2,c=2", "c,-,a", (2, 3, 4), (1, 3, 2), 2, {5: ((1, 2), (0, 3), (2, 4)), 3: ((1, 2), (0, 3), (0, 2))}),
        ("data=4", "", (), (), 4, {3: ()}),
        ("data=4", "data", (0,), (0,), 4, {2: ((0, 0),)}),
        ("data=4", "P(P.UNCONSTRAINED)", (6,), (6,), 4, {2: ((0, 6),)}),
        ("data=1", "data", (7,), (7,), 1, {0: ((0, 7),)}),
    ],
)
def test_a_good_layout_says_who_holds_what(mesh, spec, shape, shard_shape, replication, some_slices):
    layout = layout_of(mesh, spec, shape)

    assert (layout.shard_shape, layout.replication) == (shard_shape, replication)
    assert some_slices.items() <= layout.slices.items()
    assert list(layout.slices) == list(layout.mesh.device_ids)
    assert (layout.problems, layout.homeless) == ((), ())


def test_devices_that_differ_only_along_unused_axes_are_replicas():
    layout = layout_of("data=2,model=2", "-,model", (4, 4))

    assert layout.groups == (SliceGroup(((0, 4), (0, 2)), (0, 2)), SliceGroup(((0, 4), (2, 4)), (1, 3)))
    assert layout.replicas == {0: 0, 1: 0, 2: 1, 3: 1}


def test_replicas_are_counted_in_mesh_order_not_by_id():
    mesh = Mesh(Mesh.parse("data=2,model=2").axes, (3, 2, 1, 0))

    assert resolve(mesh, Spec.parse("-,model"), (4, 4)).replicas == {3: 0, 2: 0, 1: 1, 0: 1}


def test_groups_come_in_reading_order_whatever_the_mesh():
    layout = layout_of("a=2,b=2", "b,a", (2, 2))

    assert [group.device_ids for group in layout.groups] == [(0,), (2,), (1,), (3,)]


@pytest.mark.parametrize(("spec", "expected"), [("data,model", 64), ("data", 128), ("", 512)])
def test_bytes_are_those_of_one_device(spec, expected):
    assert layout_of("data=4,model=2", spec, (8, 16)).bytes_per_device(4) == expected


def test_ten_rows_over_four_leave_two_without_a_home():
    layout = layout_of("data=4,model=2", "data,model", (10, 16))

    assert layout.shard_shape == (2, 8)
    assert layout.slices[7] == ((6, 8), (8, 16))
    assert layout.homeless == (Homeless(0, 8, 10),)
    assert layout.problems == (
        Problem(
            ProblemKind.NOT_DIVISIBLE,
            0,
            "data",
            "dimension 0 of size 10 is not divisible by 4 (data=4): remainder 2",
        ),
    )


def test_fewer_rows_than_parts_leave_all_of_them_without_a_home():
    layout = layout_of("data=4,model=2", "data+model", (3, 5))

    assert layout.shard_shape == (0, 5)
    assert layout.homeless == (Homeless(0, 0, 3),)
    assert layout.groups == (SliceGroup(((0, 0), (0, 5)), tuple(range(8))),)
    assert layout.groups[0].is_empty
    assert [(problem.axis, problem.text) for problem in layout.problems] == [
        ("data+model", "dimension 0 of size 3 is not divisible by 8 (data=4 x model=2): remainder 3")
    ]


@pytest.mark.parametrize(
    ("spec", "shape", "expected", "shard_shape"),
    [
        (
            "bogus,model",
            (8, 16),
            [("unknown axis", 0, "bogus", "the mesh has no axis 'bogus' (its axes: 'data', 'model')")],
            (8, 8),
        ),
        (
            "data,data",
            (8, 16),
            [("axis used twice", 1, "data", "axis 'data' is used twice, in dimensions 0 and 1")],
            (2, 16),
        ),
        ("data+data", (8, 16), [("axis used twice", 0, "data", "axis 'data' is used twice, in dimension 0")], (2, 16)),
        ("data", (), [("spec longer than rank", None, "", "the spec has 1 entry, but the array has rank 0")], ()),
        (
            "data,-,model",
            (8, 16),
            [("spec longer than rank", None, "", "the spec has 3 entries, but the array has rank 2")],
            (2, 16),
        ),
        (
            "bogus,data,model",
            (8, 3),
            [
                ("unknown axis", 0, "bogus", "the mesh has no axis 'bogus' (its axes: 'data', 'model')"),
                ("spec longer than rank", None, "", "the spec has 3 entries, but the array has rank 2"),
                ("not divisible", 1, "data", "dimension 1 of size 3 is not divisible by 4 (data=4): remainder 3"),
            ],
            (8, 0),
        ),
    ],
)
def test_an_impossible_layout_is_resolved_with_its_problems(spec, shape, expected, shard_shape):
    layout = layout_of("data=4,model=2", spec, shape)

    assert [(problem.kind, problem.dimension, problem.axis, str(problem)) for problem in layout.problems] == expected
    assert layout.shard_shape == shard_shape
    assert len(layout.slices) == 8


def test_a_negative_size_is_refused():
    with pytest.raises(MuseumError, match=r"^shape \(-1, 16\): a size is 0 or more$"):
        layout_of("data=4", "data", (-1, 16))


def test_a_live_array_gives_the_same_layout_as_its_spec():
    wanted = layout_of("data=4,model=2", "data", (8, 16))
    shards = {device: [list(bounds) for bounds in held] for device, held in wanted.slices.items()}

    assert ShardLayout.from_report(wanted.mesh, (8, 16), wanted.spec, shards) == wanted


def test_a_live_array_may_have_no_spec_and_shards_elsewhere():
    layout = ShardLayout.from_report(Mesh.parse("data=4"), (8,), None, {3: [[6, 8]], 1: [[0, 3]]})

    assert layout.slices == {1: ((0, 3),), 3: ((6, 8),)}
    assert (layout.spec, layout.shard_shape, layout.replication) == (None, (3,), 1)
    assert ShardLayout.from_report(Mesh.parse("data=4"), (8,), None, {}).replication == 0


@pytest.mark.parametrize(
    ("shards", "line"),
    [
        ({9: [[0, 2]]}, "a shard lies on device 9, which is not in the mesh data=4"),
        ({1: [[0, 9]]}, "device 1: the ranges [[0, 9]] do not lie in the shape (8,)"),
        ({1: [[4, 2]]}, "device 1: the ranges [[4, 2]] do not lie in the shape (8,)"),
        ({1: []}, "device 1: the ranges [] do not lie in the shape (8,)"),
        ({1: [[0, 2, 1]]}, "device 1: the ranges [[0, 2, 1]] do not lie in the shape (8,)"),
    ],
)
def test_a_report_that_does_not_fit_is_refused(shards, line):
    with pytest.raises(MuseumError) as caught:
        ShardLayout.from_report(Mesh.parse("data=4"), (8,), None, shards)
    assert str(caught.value) == line


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("16,16", (16, 16)),
        ("(16, 16)", (16, 16)),
        ("16", (16,)),
        ("(16,)", (16,)),
        ("", ()),
        ("()", ()),
        ("0,3", (0, 3)),
    ],
)
def test_a_shape_is_read_as_people_and_jax_write_it(text, shape):
    assert parse_shape(text) == shape


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("16,x", "shape '16,x': 'x' is no whole number, as in 16,16"),
        ("-1", "shape '-1': '-1' is no whole number, as in 16,16"),
        ("16,,16", "shape '16,,16': '' is no whole number, as in 16,16"),
    ],
)
def test_a_bad_shape_is_refused_with_one_line(text, line):
    with pytest.raises(MuseumError) as caught:
        parse_shape(text)
    assert str(caught.value) == line


TYPED = "data=4:explicit,model=2,stage=1:manual"


@pytest.mark.parametrize(
    ("mesh", "spec", "expected"),
    [
        (
            "data=4,model=2",
            "?,unreduced=model",
            [
                (
                    "wrong axis type",
                    None,
                    "model",
                    "unreduced axis 'model' is auto: only an explicit axis can be unreduced",
                )
            ],
        ),
        (
            "data=4:explicit,model=2:explicit",
            "?,model",
            [("wrong axis type", 0, "", "dimension 0 is left to the compiler, but the mesh has no auto axis")],
        ),
        (TYPED, "data+model", []),
        (TYPED, "data,?", []),
        (TYPED, "model,unreduced=data", []),
        (
            TYPED,
            "data,unreduced=data",
            [("axis used twice", 0, "data", "axis 'data' is used twice, in dimension 0 and as unreduced")],
        ),
        (
            TYPED,
            "unreduced=seq",
            [("unknown axis", None, "seq", "the mesh has no axis 'seq' (its axes: 'data', 'model', 'stage')")],
        ),
    ],
)
def test_what_depends_on_axis_types_and_unreduced_axes_is_told_with_its_place(mesh, spec, expected):
    layout = layout_of(mesh, spec, (8, 16))

    assert [(problem.kind, problem.dimension, problem.axis, problem.text) for problem in layout.problems] == expected


def test_an_unreduced_axis_cuts_nothing():
    layout = layout_of("data=2:explicit,model=2:explicit", "data,unreduced=model", (4, 4))

    assert (layout.shard_shape, layout.replication) == ((2, 4), 2)
    assert (layout.summands, layout.copies) == (("model",), 1)


def test_copies_are_counted_without_other_summands():
    layout = layout_of("data=2,model=3,seq=4", "unreduced=model", (4,))

    assert (layout.replication, layout.copies) == (24, 8)
    assert (layout_of("data=2", "unreduced=seq", (4,)).summands, layout_of("data=2", "", (4,)).copies) == ((), 2)


def test_a_mesh_with_more_devices_than_there_are_says_so_and_which_are_missing():
    mesh = Mesh(Mesh.parse("data=4,model=2").axes, (9, 8, 7, 6, 5, 4, 3, 2))
    layout = resolve(mesh, Spec.parse("data"), (8,), 6)

    assert [str(problem) for problem in layout.problems] == ["the mesh data=4,model=2 needs 8 devices, but there are 6"]
    assert (layout.missing, layout.shard_shape) == ((3, 2), (2,))
    assert resolve(mesh, Spec.parse("data"), (8,), 8).problems == ()
    assert resolve(mesh, Spec.parse("data"), (8,)).missing == ()


@pytest.mark.parametrize(
    ("spec", "shape"), [("data,model", (10, 16)), ("data,data", (8, 8)), ("model+data,-,seq", (16, 2)), ("", ())]
)
def test_the_shard_shape_alone_is_that_of_the_whole_layout(spec, shape):
    mesh = Mesh.parse("data=4,model=2")

    assert shard_shape(mesh, Spec.parse(spec), shape) == layout_of("data=4,model=2", spec, shape).shard_shape


@pytest.mark.parametrize(("dtype", "expected"), [("float32", 64), ("bfloat16", 32), ("int4", 8), ("complex128", 256)])
def test_bytes_of_a_dtype_count_small_elements_packed(dtype, expected):
    assert layout_of("data=4,model=2", "data,model", (8, 16)).bytes_per_device(dtype) == expected

"""What the prediction says in words; that it is right is compared with JAX in tests/jax."""

import pytest

from museum.errors import MuseumError
from museum.lab.building import NEWEST
from museum.mesh.mesh import Mesh
from museum.mesh.topologies import Topology
from museum.mesh.torus import NEWEST_JAX, Way, make_mesh_splits, neighbours, place

CUBE = Topology.parse("v5p:4x4x4")


def parts(placement):
    return [" ".join(map(str, found)) for found in placement.parts]


@pytest.mark.parametrize("shape", [(4, 16), (16, 4), (64,), (4, 4, 4)])
def test_whole_axes_of_a_cube_take_these_shapes(shape):
    assert place(CUBE, shape).way is Way.WHOLE_AXES


@pytest.mark.parametrize("shape", [(8, 8), (2, 32), (32, 2), (8, 2, 4)])
def test_a_cube_refuses_these_shapes_and_splits_them_when_allowed(shape):
    refused, split = place(CUBE, shape), place(CUBE, shape, split=True)

    assert (refused.way, refused.error) == (Way.REFUSED, "NotImplementedError")
    assert split.way is Way.SPLIT_AXES


def test_only_one_shape_of_a_cube_is_contiguous():
    taken = [
        shape for shape in ((4, 16), (16, 4), (64,), (4, 4, 4), (8, 8)) if place(CUBE, shape, contiguous=True).works
    ]

    assert taken == [(16, 4)]
    assert place(CUBE, (4, 16), contiguous=True).reason == ("contiguous_submeshes on 4x4x4 takes (16, 4), not (4, 16)")


@pytest.mark.parametrize("shape", [(2, 32), (4, 16), (16, 4), (32, 2)])
def test_a_square_of_eight_refuses_what_is_not_8_by_8(shape):
    for name in ("v5e:8x8", "v6e:8x8"):
        refused = place(Topology.parse(name), shape)
        assert (refused.works, refused.alternatives[0]) == (False, (8, 8))
        assert set(refused.alternatives[1:]) == {(1, 64), (64, 1)}


def test_each_logical_axis_says_which_physical_ones_it_takes():
    assert parts(place(CUBE, (4, 16), ("data", "model"))) == ["z=4", "x=4 y=4"]
    assert parts(place(CUBE, (1, 4, 16))) == ["", "z=4", "x=4 y=4"]
    assert parts(place(CUBE, (8, 8), split=True)) == ["2 of y=4 z=4", "x=4 2 of y=4"]


def test_a_refusal_names_the_axis_its_size_and_what_is_left():
    refused = place(Topology.parse("v5p:4x4x8"), (16, 2, 4), ("data", "seq", "model"))

    assert refused.reason == (
        "axis 'seq' of size 2 is no product of whole physical axes: y=4, z=8 are left (x went to axis 'model')"
    )
    assert refused.alternatives[0] == (8, 4, 4)
    assert all(place(Topology.parse("v5p:4x4x8"), shape).works for shape in refused.alternatives)
    assert place(CUBE, (8, 8)).reason == (
        "logical axis 1 of size 8 is no product of whole physical axes: x=4, y=4, z=4 are left"
    )


def test_the_shapes_that_work_come_by_likeness():
    assert place(CUBE, (32, 2)).alternatives == ((16, 4), (4, 16), (64, 1), (1, 64))


@pytest.mark.parametrize(
    ("name", "shape", "options", "error", "words"),
    [
        ("v5p:4x4x4", (4, 4), {}, "ValueError", "the shape (4, 4) has 16 places, and v5p:4x4x4 has 64 devices"),
        ("v4:4x4x4", (8, 16), {}, "AssertionError", "v4 has 2 devices a chip, and JAX wants one (on v4 megacore,"),
        ("2x v5p:4x4x4", (8, 16), {}, "AssertionError", "for example with dcn_mesh_shape=(2, 1)"),
        ("2x v5p:4x4x4", (4, 16), {"across": (3, 1)}, "ValueError", "has 2 slices, and (3, 1) wants 3"),
        ("2x v5p:4x4x4", (4, 16), {"across": (2,)}, "ValueError", "(4, 16) and (2,) have different numbers of axes"),
        ("tpu7x:4x4x4", (8, 16), {"jax": "0.6.2"}, "AssertionError", "tpu7x has 2 devices a chip, and JAX wants one"),
    ],
)
def test_other_refusals_say_why(name, shape, options, error, words):
    refused = place(Topology.parse(name), shape, **options)

    assert (refused.way, refused.error) == (Way.REFUSED, error)
    assert words in refused.reason


def test_slices_are_joined_by_the_hybrid_mesh():
    two = Topology.parse("2x v5p:4x4x4")

    assert parts(place(two, (4, 16), across=(2, 1))) == ["z=4", "x=4 y=4"]
    assert place(two, (8, 8), across=(2, 1)).alternatives[0] == (4, 16)


def test_small_slices_and_machines_without_a_grid_take_any_shape():
    assert place(Topology.parse("v5e:2x4"), (8,)).way is Way.RING
    assert place(Topology.parse("h100:16"), (3, 4)).way is Way.REFUSED
    assert place(Topology.parse("h100:16"), (2, 8)).way is Way.AS_LISTED


def test_make_mesh_splits_axes_on_v5e_only():
    assert [name for name in ("v5e:8x8", "v6e:8x8", "v5p:4x4x4") if make_mesh_splits(Topology.parse(name))] == [
        "v5e:8x8"
    ]


def test_the_cores_of_tpu7x_are_given_away_first_since_0_11_1():
    machine = Topology.parse("tpu7x:2x4x2")

    assert parts(place(machine, (16, 2)))[1] == "core=2"
    assert parts(place(machine, (16, 2), jax="0.10.2"))[1] == "x=2"


def test_a_version_that_is_none_is_refused():
    with pytest.raises(MuseumError, match=r"^'newest' is no JAX version; write one like 0\.12\.0\.1$"):
        place(CUBE, (64,), jax="newest")


def test_hops_follow_the_ring_around_the_torus():
    line = Topology.parse("v5e:4x16")  # y spans the pod: it wraps, x does not
    mesh = Mesh(Mesh.parse("y=16,x=4").axes, tuple(range(64)))
    along_y, along_x = neighbours(line, mesh)

    assert (along_y.steps, str(along_y)) == ({1: 64}, "y: every step is 1 hop")
    assert (along_x.steps, along_x.most, along_x.mean) == ({1: 48, 3: 16}, 3, 1.5)
    assert str(along_x) == "x: steps of 1.5 hops, at most 3"


def test_hops_depend_on_the_device_order():
    ring = Mesh(Mesh.parse("x=4").axes, (0, 1, 3, 2))

    assert neighbours(Topology.parse("v5e:2x2"), ring)[0].steps == {1: 4}
    assert neighbours(Topology.parse("v5e:2x2"), Mesh.parse("x=4"))[0].steps == {1: 2, 2: 2}


def test_steps_between_slices_and_nodes_go_over_the_network():
    two = Topology.parse("2x v5e:2x2")
    mesh = Mesh(Mesh.parse("slice=2,x=4").axes, tuple(device.id for device in two.devices))
    between, inside = neighbours(two, mesh)

    assert (between.network, between.steps, str(between)) == (8, {}, "slice: all steps over the network")
    assert inside.network == 0
    (hops,) = neighbours(Topology.parse("h100:16"), Mesh.parse("x=16"))
    assert (hops.steps, hops.network) == ({1: 14}, 2)
    assert str(hops) == "x: every step is 1 hop, 2 steps over the network"


def test_cores_of_a_chip_are_no_hop_apart_and_one_device_makes_no_step():
    core, alone = neighbours(Topology.parse("tpu7x:1x1x1"), Mesh.parse("core=2,one=1"))

    assert (core.steps, str(core)) == ({0: 2}, "core: every step is 0 hops")
    assert str(alone) == "one: one device, no steps"


def test_a_mesh_of_other_devices_has_no_hops():
    with pytest.raises(MuseumError, match=r"^device 8 of the mesh is not in v5e:2x4$"):
        neighbours(Topology.parse("v5e:2x4"), Mesh.parse("x=16"))


def test_the_rules_are_those_of_the_newest_version_that_the_lab_knows():
    assert NEWEST_JAX == NEWEST

import pytest

from museum.errors import MuseumError
from museum.mesh.layout import ShardLayout, resolve
from museum.mesh.mesh import Mesh
from museum.mesh.pointing import facts_about
from museum.mesh.spec import Spec

MESH = Mesh(Mesh.parse("data=2:explicit,model=3:explicit").axes, (9, 8, 7, 6, 5, 4), (0, 0, 0, 1, 1, 1))


def test_a_device_says_where_it_is_and_who_takes_part_with_it():
    facts = facts_about(MESH, 5)

    assert (facts.position, facts.host, facts.coordinates) == (4, 1, {"data": 1, "model": 1})
    assert facts.peers == {"data": (8, 5), "model": (6, 5, 4)}
    assert facts.slices is None
    assert facts.words == (
        "device 5 at data=1, model=1, host 1",
        "psum over data: 8, 5",
        "psum over model: 6, 5, 4",
    )


def test_with_an_array_it_says_what_it_holds_and_who_holds_the_same():
    facts = facts_about(resolve(MESH, Spec.parse("model,-"), (6, 4)), 5, "bfloat16")

    assert (facts.slices, facts.shard_shape, facts.size) == (((2, 4), (0, 4)), (2, 4), 16)
    assert (facts.replica, facts.replicas) == (1, (8, 5))
    assert facts.words[1:3] == ("holds [2:4, 0:4], 16 B", "the same as device 8")


def test_only_an_equal_slice_in_every_dimension_is_a_replica():
    assert facts_about(resolve(MESH, Spec.parse("data,model"), (4, 6)), 5).replicas == (5,)


def test_a_summand_says_over_what_the_sum_is_due():
    facts = facts_about(resolve(MESH, Spec.parse("model,unreduced=data"), (6,)), 9)

    assert facts.partial == ("data",)
    assert "only a summand: a sum over data is due" in facts.words


def test_a_scalar_and_many_replicas_are_worded_short():
    facts = facts_about(resolve(Mesh.parse("x=64"), Spec(), ()), 0, "float32")

    assert facts.words == (
        "device 0 at x=0, host 0",
        "holds the scalar, 4 B",
        "the same as devices 1, 2, 3, 4, 5, 6 … 63 (63 devices)",
        "psum over x: 0, 1, 2, 3, 4, 5 … 63 (64 devices)",
    )


def test_a_device_whose_shard_is_not_known_still_has_its_place():
    assert facts_about(ShardLayout.from_report(MESH, (6,), None, {}), 9).slices is None


def test_a_stranger_is_refused():
    with pytest.raises(MuseumError, match=r"^device 1 is not in the mesh data=2,model=3$"):
        facts_about(MESH, 1)

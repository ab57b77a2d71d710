"""The text of the studio's code; that it runs is tested in tests/process."""

import ast

import pytest

from museum.errors import MuseumError
from museum.mesh.check import differences
from museum.mesh.code import ANY_JAX, CHECK, PLACED_AT_MOST, as_code
from museum.mesh.document import StudioArray, StudioDocument
from museum.mesh.edits import set_order
from museum.mesh.spec import Spec


def document(mesh="data=4,model=2", spec="data,model", shape=(16, 16), dtype="float32", topology=""):
    return StudioDocument.of(mesh, [StudioArray("w", shape, dtype, Spec.parse(spec))], topology)


def test_the_code_is_what_a_person_would_write():
    assert as_code(document("data=4:explicit,model=2"), "0.12.0.1") == (
        "import jax\n"
        "import jax.numpy as jnp\n"
        "from jax.sharding import AxisType, NamedSharding, PartitionSpec as P\n"
        "\n"
        "# Needs 8 devices; on a CPU: XLA_FLAGS=--xla_force_host_platform_device_count=8\n"
        'mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Explicit, AxisType.Auto))\n'
        "\n"
        "arrays = {\n"
        '    "w": jax.device_put(jnp.zeros((16, 16), jnp.float32), NamedSharding(mesh, P("data", "model"))),\n'
        "}\n"
        "for name, array in arrays.items():\n"
        "    part = array.sharding.shard_shape(array.shape)\n"
        '    print(f"{name}: {array.shape} is {part} on each of {mesh.size} devices")\n'
    )


def test_axis_types_are_left_out_where_there_are_none():
    code = as_code(document("data=4:explicit,model=2"), "0.4.38")

    assert 'mesh = jax.make_mesh((4, 2), ("data", "model"))\n' in code
    assert "AxisType" not in code
    assert "# JAX 0.4.38 has no axis types: the explicit axes are auto here.\n" in code
    assert "has no axis types" not in as_code(document(), "0.4.38")


@pytest.mark.parametrize(
    ("jax", "piece"),
    [
        ("0.4.38", "from jax.experimental.shard_map import shard_map\n"),
        ("0.6.2", "mapped = jax.shard_map("),
        ("0.12.0.1", "mapped = jax.shard_map("),
    ],
)
def test_shard_map_is_spelled_for_the_version(jax, piece):
    assert piece in as_code(document(), jax, "shard_map")


def test_for_any_version_nothing_is_written_that_one_of_them_lacks():
    code = as_code(document(), ANY_JAX, "shard_map")
    assert 'mesh = Mesh(mesh_utils.create_device_mesh((4, 2)), ("data", "model"))\n' in code
    assert "except ImportError:  # JAX before 0.6\n    from jax.experimental.shard_map import shard_map\n" in code
    assert not any(newer in code for newer in ("AxisType", "make_mesh", "jax.shard_map"))


def test_what_is_too_large_is_described_and_not_allocated():
    side = 1 << 14
    code = as_code(document(shape=(side, side)), form="shard_map")

    assert f'"w": jax.ShapeDtypeStruct(({side}, {side}), "float32", sharding=' in code.replace("\n        ", "")
    assert "# 1 GiB with all copies: described, not allocated.\n" in code
    assert "jax.eval_shape(mapped, arrays)" in code
    assert "jnp" not in code


@pytest.mark.parametrize(("more", "is_placed"), [(0, True), (1, False)])
def test_the_bound_is_where_it_says(more, is_placed):
    code = as_code(document("data=8", "", (PLACED_AT_MOST // 8 + more,), "int8"))

    assert ("jax.device_put(" in code) is is_placed


def test_copies_count_and_so_do_the_arrays_before():
    half = PLACED_AT_MOST // 8 // 4 // 2
    arrays = [StudioArray(name, (half,), "float32", Spec()) for name in ("a", "b", "c")]
    code = as_code(StudioDocument.of("data=8", arrays))

    assert [code.count(f'"{name}": jax.device_put(') for name in "abc"] == [1, 1, 0]


@pytest.mark.parametrize(
    ("made", "piece"),
    [
        (document(spec="data,?"), "# The compiler decides where it lies, so it is only described."),
        (document("a=2:explicit,b=2:explicit", "a,unreduced=b"), 'P("a", unreduced={"b"})'),
        (document(dtype="float64"), 'jax.config.update("jax_enable_x64", True)'),
        (document(dtype="bool"), "jnp.bool_"),
        (document("data=4:manual,model=2"), "axis_types=(AxisType.Auto, AxisType.Auto)"),
        (
            document("data=8,model=8", topology="v5p:4x4x4"),
            "mesh_utils.create_device_mesh((8, 8), allow_split_physical_axes=True)",
        ),
        (document("data=16,model=4", topology="v5p:4x4x4"), "jax.make_mesh((16, 4)"),
        (
            document("data=4,model=2", topology="2x v5e:2x2"),
            """\
    devices = mesh_utils.create_hybrid_device_mesh((2, 2), (2, 1))
else:
    devices = mesh_utils.create_device_mesh((4, 2))
mesh = Mesh(devices, ("data", "model"), axis_types=(AxisType.Auto, AxisType.Auto))
""",
        ),
        (
            document("data=16,model=8", topology="2x v5p:4x4x4"),
            "create_hybrid_device_mesh((16, 4), (1, 2))",
        ),
        (
            document("data=8,model=16", topology="2x v5p:4x4x4"),
            "create_hybrid_device_mesh((4, 16), (2, 1))",
        ),
        (
            document("data=32,model=8", topology="4x v5p:4x4x4"),
            "create_hybrid_device_mesh((16, 4), (2, 2))",
        ),
        (
            document("data=8,model=16", topology="2x v5p:4x4x4", spec="model"),
            "from jax.experimental import mesh_utils\nfrom jax.sharding import AxisType, Mesh, NamedSharding",
        ),
        (document("data=4,model=2", topology="4x v5e:2x2"), 'jax.make_mesh((4, 2), ("data", "model")'),
        (set_order(document(), (7, 6, 5, 4, 3, 2, 1, 0)), "order = (7, 6, 5, 4, 3, 2, 1, 0)"),
        (document("data=4", "data"), 'jax.make_mesh((4,), ("data",)'),
        (document(spec="model+data"), 'P(("model", "data"))'),
    ],
)
def test_each_thing_is_spelled_as_jax_wants_it(made, piece):
    code = as_code(made)

    assert piece in code
    ast.parse(code)


@pytest.mark.parametrize(
    ("made", "jax", "form", "line"),
    [
        (
            document(dtype="float8_e8m0fnu"),
            "0.4.38",
            "device_put",
            "array w: float8_e8m0fnu exists from JAX 0.5.3 on, not in 0.4.38",
        ),
        (
            document(spec="unreduced=data"),
            "0.4.38",
            "device_put",
            "array w: unreduced axes exist from JAX 0.7 on, not in 0.4.38",
        ),
        (
            document(spec="?"),
            "0.12.0.1",
            "shard_map",
            "array w: shard_map takes only axis names and None, not P(P.UNCONSTRAINED)",
        ),
        (
            document("data=4:explicit,model=2"),
            ANY_JAX,
            "device_put",
            "explicit axes exist from JAX 0.6 on: choose a version to write for",
        ),
        (document(), "newest", "device_put", "'newest' is no JAX version; write one like 0.12.0.1"),
    ],
)
def test_what_a_version_lacks_is_said(made, jax, form, line):
    with pytest.raises(MuseumError) as caught:
        as_code(made, jax, form)
    assert str(caught.value) == line


@pytest.mark.parametrize(
    ("stdout", "line"),
    [
        ("w: (16, 16)\n", "the run printed no check: it ended before its last line"),
        (f"{CHECK}[]\n", "the run's check cannot be read: Expected `object`, got `array`"),
    ],
)
def test_a_run_without_its_check_is_refused(stdout, line):
    with pytest.raises(MuseumError) as caught:
        differences(document(), stdout)
    assert str(caught.value) == line


def test_an_array_or_device_that_is_not_there_is_a_difference():
    one = f'{CHECK}{{"w": {{"shard_shape": [4, 8], "slices": [[[0, 4], [0, 8]]]}}}}'

    assert [*map(str, differences(document(), f"{CHECK}{{}}"))] == ["w: JAX made no such array"]
    assert [*map(str, differences(document(), one))] == ["w: JAX has 1 devices and this mesh 8"]

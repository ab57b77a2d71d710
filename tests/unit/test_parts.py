import time

import pytest

from museum.diagnosis.parts import READ_AT_MOST, Division, division_in, layout_in, read_parts
from museum.mesh.layout import resolve
from museum.mesh.mesh import AxisType

# What JAX says of a (10, 16) array on Mesh('data': 4, 'model': 2), word for word, by version and function.
PUT_0438 = (
    "One of device_put args was given the sharding of NamedSharding(mesh=Mesh('data': 4, 'model': 2), "
    "spec=PartitionSpec('data', 'model'), memory_kind=unpinned_host), which implies that the global size of its "
    "dimension 0 should be divisible by 4, but it is equal to 10 (full shape: (10, 16))"
)
JIT_0438 = (
    "One of pjit arguments with pytree key path a was given the sharding of NamedSharding(mesh=Mesh('data': 4, "
    "'model': 2), spec=PartitionSpec(('data', 'model'),), memory_kind=unpinned_host), which implies that the global "
    "size of its dimension 0 should be divisible by 8, but it is equal to 10 (full shape: (10, 16))"
)
PUT_0102 = (
    "Sharding NamedSharding(mesh=Mesh('data': 4, 'model': 2, axis_types=(Auto, Auto)), spec=P('data', 'model'), "
    "memory_kind=device) implies that array axis 0 is partitioned 4 times, but the dimension size is 10 (full shape: "
    "(10, 16), per-dimension tiling factors: [4, 2] should evenly divide the shape)"
)
EXPLICIT_0102 = (
    "Sharding spec ('data',) implies that array axis 0 is partitioned 4 times, but does not evenly divide the "
    "dimension size 10. Got shape: (10, 16) and sharding NamedSharding(mesh=AbstractMesh('data': 4, 'model': 2, "
    "axis_types=(Explicit, Auto), device_kind=cpu, num_cores=None, platform=cpu), spec=P('data', None))"
)
PUT_0120 = (
    "One of device_put args was given the sharding NamedSharding(mesh=Mesh('data': 4, 'model': 2, axis_types=(Auto, "
    "Auto)), spec=P('data', 'model'), memory_kind=device) implies that array axis 0 is partitioned 4 times, but the "
    "dimension size is 10 (full shape: (10, 16), per-dimension tiling factors: (4, 2) should evenly divide the shape). "
    "This error occurs at source:  snippet.py:16:23 (<module>)"
)
SHARD_MAP = (
    "shard_map applied to the function '<lambda>' was given argument arrays with axis sizes that are not evenly "
    "divisible by the corresponding mesh axis sizes:\n\nThe mesh given has shape (4, 2) with corresponding axis names "
    "('data', 'model').\n\nthe passed args[0] of shape float32[10,16], where args[0] is bound to <lambda>'s parameter "
    "'a', corresponds to in_specs of value P('data', 'model'), which maps array axis 0 (of size 10) to mesh axis "
    "'data' (of size 4), but 4 does not evenly divide 10"
)
SHARD_MAP_TUPLE = (
    "The mesh given has shape (4, 2) with corresponding axis names ('data', 'model').\n\nargs[0] of shape "
    "float32[10,16], where args[0] is bound to <lambda>'s parameter 'a', corresponds to in_specs of value "
    "PartitionSpec(('data', 'model'),), which maps array axis 0 (of size 10) to mesh axes ('data', 'model') (of total "
    "size 8), but 8 does not evenly divide 10"
)


def pieces(text):
    """The spans as (role, words), those of one character left out."""
    found = [(span.role.value, text[span.start : span.stop]) for span in read_parts(text).spans]
    return [(role, words) for role, words in found if len(words) > 1 or words.isalnum()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("nothing to tell", []),
        ("ValueError: bad", [("class", "ValueError")]),
        ("jax._src.sharding.IndivisibleError", [("class", "jax._src.sharding.IndivisibleError")]),
        ("a._init.<locals>.MLIRError: x", [("class", "a._init.<locals>.MLIRError")]),
        ("KeyboardInterrupt\n", [("class", "KeyboardInterrupt")]),
        ("Note: an Error: 3", [("number", "3")]),
        ("rank 2, but -1 or 0.5", [("number", "2"), ("number", "-1"), ("number", "0.5")]),
        ("jax 0.12.0.1, a.py:16:23, x2, 0x7f3a, p/4, 0:2", [("number", "0")]),
        ("shape (10, 16), not (3,) or ()", [("shape", "(10, 16)"), ("shape", "(3,)"), ("shape", "()")]),
        ("out dim (13) of f(8, 9)", [("number", "13"), ("number", "8"), ("number", "9")]),
        (
            "f32[8,16] bf16[] i32[4]{1,0}",
            [("shape", "f32[8,16]"), ("shape", "bf16[]"), ("shape", "i32[4]{1,0}")],
        ),
        ("float8_e4m3fn[8] uint4[2,*]{V:x}", [("shape", "float8_e4m3fn[8]"), ("shape", "uint4[2,*]{V:x}")]),
        ("args[0] has rank 1", [("number", "0"), ("number", "1")]),
        ("float32[8@data,4]", [("shape", "float32[8@"), ("axis", "data"), ("shape", ",4]")]),
        (
            "f32[8@(data,seq)]",
            [("shape", "f32[8@("), ("axis", "data"), ("axis", "seq"), ("shape", ")]")],
        ),
        ("temporaries (335.31G) exceed (31.24G)", [("size", "335.31G"), ("size", "31.24G")]),
        ("allocating 40000000000000 bytes", [("size", "40000000000000 bytes")]),
        ("48.5KiB, 16 GB, 0B, 2 Gates", [("size", "48.5KiB"), ("size", "16 GB"), ("size", "0B"), ("number", "2")]),
        ("P('x', None)", [("spec", "P('"), ("axis", "x"), ("spec", "', None)")]),
        ("Mesh('x': 4)", [("mesh", "Mesh('"), ("axis", "x"), ("mesh", "': "), ("number", "4")]),
        ("names ('x', 'y').", [("mesh", "('"), ("axis", "x"), ("mesh", "', '"), ("axis", "y"), ("mesh", "')")]),
        ("for ('x', None) .", [("spec", "('"), ("axis", "x"), ("spec", "', None)")]),
        ("f 'g' on mesh axis 'x' and `x`", [("axis", "x"), ("axis", "x")]),
        ("P('x') has duplicates for `x`, not `y`", [("spec", "P('"), ("axis", "x"), ("spec", "')"), ("axis", "x")]),
        ("unbound axis name: model", [("axis", "model")]),
        ("Resource axis: bogus of P()", [("axis", "bogus"), ("spec", "P()")]),
        ("unreduced axes: frozenset({'y'})", []),
        ("P('x', never closed (1, 2)", [("shape", "(1, 2)")]),
    ],
)
def test_the_parts_of_a_message(text, expected):
    assert pieces(text) == expected


def test_the_parts_of_a_whole_message():
    assert pieces(f"jax._src.sharding.IndivisibleError: {PUT_0102}") == [
        ("class", "jax._src.sharding.IndivisibleError"),
        ("mesh", "Mesh('"),
        ("axis", "data"),
        ("mesh", "': "),
        ("number", "4"),
        ("mesh", ", '"),
        ("axis", "model"),
        ("mesh", "': "),
        ("number", "2"),
        ("mesh", ", axis_types=(Auto, Auto))"),
        ("spec", "P('"),
        ("axis", "data"),
        ("spec", "', '"),
        ("axis", "model"),
        ("spec", "')"),
        ("number", "0"),
        ("number", "4"),
        ("number", "10"),
        ("shape", "(10, 16)"),
        ("number", "4"),
        ("number", "2"),
    ]


MESSAGES = [PUT_0438, JIT_0438, PUT_0102, EXPLICIT_0102, PUT_0120, SHARD_MAP, SHARD_MAP_TUPLE]


@pytest.mark.parametrize("text", MESSAGES)
def test_spans_are_sorted_and_never_overlap(text):
    ends = [place for span in read_parts(text).spans for place in (span.start, span.stop)]

    assert ends == sorted(ends)
    assert all(span.start < span.stop for span in read_parts(text).spans)


@pytest.mark.parametrize(
    ("text", "division"),
    [
        (PUT_0438, Division(0, 10, 4)),
        (JIT_0438, Division(0, 10, 8)),
        (PUT_0102, Division(0, 10, 4)),
        (EXPLICIT_0102, Division(0, 10, 4)),
        (PUT_0120, Division(0, 10, 4)),
        (SHARD_MAP, Division(0, 10, 4)),
        (SHARD_MAP_TUPLE, Division(0, 10, 8)),
        (PUT_0438.replace(" ", "\n  "), Division(0, 10, 4)),
        ("tiled reduce_scatter operand scatter dimension size 12 must be divisible by shard_count 8", None),
        ("", None),
    ],
)
def test_the_division_that_does_not_come_out_even(text, division):
    assert division_in(text) == division


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        (PUT_0438, "P('data', 'model')"),
        (JIT_0438, "P(('data', 'model'))"),
        (PUT_0102, "P('data', 'model')"),
        (EXPLICIT_0102, "P('data', None)"),
        (PUT_0120, "P('data', 'model')"),
        (SHARD_MAP, "P('data', 'model')"),
        (SHARD_MAP_TUPLE, "P(('data', 'model'))"),
        (PUT_0438.replace(" ", "\n  "), "P('data', 'model')"),
    ],
)
def test_the_layout_that_a_message_talks_about_has_the_problem_that_it_names(text, spec):
    mesh, stated_spec, shape = layout_in(text)
    division = division_in(text)

    assert (str(mesh), str(stated_spec), shape) == ("data=4,model=2", spec, (10, 16))
    (problem,) = resolve(mesh, stated_spec, shape).problems
    assert problem.dimension == division.dimension
    assert f"is not divisible by {division.parts} " in problem.text


def test_axis_types_and_cut_dimensions_are_read_too():
    mesh, spec, shape = layout_in(
        "add of float32[16@data,8] on Mesh(axis_sizes=(4, 2), axis_names=('data', 'model')) and P('data')"
    )
    assert (str(mesh), str(spec), shape) == ("data=4,model=2", "P('data')", (16, 8))

    mesh, _, _ = layout_in(EXPLICIT_0102)
    assert [axis.type for axis in mesh.axes] == [AxisType.EXPLICIT, AxisType.AUTO]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Mesh('data': 4), P('data')",
        "Mesh('data': 4), f32[8]",
        "P('data'), f32[8]",
        "Mesh('data': 0), P('data'), f32[8]",
        "Mesh('data': 999999999), P('data'), f32[8]",
        "Mesh(), P(), f32[8]",
        "Mesh('data': 4), P('data', reduced={'x'}), f32[8]",
        "Mesh('data': 4), P(data), f32[8]",
        "Mesh('data': 4), P('data'), f32[n]",
        "mesh given has shape (4, 2) with corresponding axis names ('data',) P('data') f32[8]",
    ],
)
def test_a_message_that_states_no_whole_layout_has_none(text):
    assert layout_in(text) is None


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "(",
            ")",
            "P(",
            "P('a',",
            "Mesh(",
            "Mesh('a': 1)",
            "'",
            "'a'",
            "('a', ",
            "((1, ",
            "(1, ",
            "()",
            "a.",
            "1.",
            "9",
        ),
        *("1x", "f32[", "f32[1,", "f32[8@", "8@(", "axis ", "Axis: ", " ", "\n", "- ", "<locals>.", "full shape: ("),
        *(
            "array axis 0 (of size 1) to mesh ax",
            "mesh given has shape (1, ",
            "9" * 400 + "x ",
            "(1," + " " * 250 + ")",
        ),
    ],
)
def test_no_text_takes_long(unit):
    text = unit * (2 * READ_AT_MOST // len(unit)) + "!"
    start = time.process_time()
    for read in (read_parts, layout_in, division_in):
        read(text)

    assert time.process_time() - start < 2

"""What the drawings have for the studio: arrangements, ticks, slices, shades, labels by scale, problems in place."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from museum.errors import MuseumError
from museum.mesh.arrangement import Arrangement
from museum.mesh.array_drawing import draw_array
from museum.mesh.labels import TextSize, fitting
from museum.mesh.layout import resolve
from museum.mesh.mesh import Axis, Mesh
from museum.mesh.mesh_drawing import draw_mesh
from museum.mesh.shades import TONES
from museum.mesh.spec import Spec

NAMES = ("a", "b", "c", "d")


def layout_of(mesh, spec, shape, devices=None):
    return resolve(Mesh.parse(mesh), Spec.parse(spec), shape, devices)


def overlap(one, other):
    width = min(one.x + one.w, other.x + other.w) - max(one.x, other.x)
    height = min(one.y + one.h, other.y + other.h) - max(one.y, other.y)
    return width > 1e-9 and height > 1e-9


# -- arrangement


SIZES = dict.fromkeys(NAMES, 2)


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ((), Arrangement()),
        ((8,), Arrangement((), ("a",))),
        ((4, 2), Arrangement(("a",), ("b",))),
        ((16, 16), Arrangement(("a",), ("b",))),
        ((2, 2, 2), Arrangement(("b",), ("a", "c"))),
        ((2, 2, 2, 2), Arrangement(("a", "c"), ("b", "d"))),
        ((16, 16, 16), Arrangement(("b",), ("c",), ("a",))),
        ((64,), Arrangement((), (), ("a",))),
        ((64, 2), Arrangement((), ("b",), ("a",))),
    ],
)
def test_the_default_keeps_to_columns_and_rows_as_long_as_that_makes_no_strip(sizes, expected):
    assert Arrangement.default(dict(zip(NAMES, sizes, strict=False))) == expected


@pytest.mark.parametrize("sizes", [(16, 16, 16), (8, 8, 8), (4, 4, 4), (64,), (512,), (2, 4, 128), (4, 16, 4, 16)])
def test_a_large_mesh_is_drawn_about_as_wide_as_high(sizes):
    drawing = draw_mesh(Mesh(tuple(map(Axis, NAMES, sizes))))

    assert 0.5 < drawing.width / drawing.height < 2.2


@pytest.mark.parametrize(
    ("axis", "place", "expected"),
    [
        ("d", "rows", Arrangement(("a", "d"), ("b", "c"))),
        ("b", "columns", Arrangement(("a", "c"), ("d", "b"))),
        ("a", "columns", Arrangement(("d", "c"), ("b", "a"))),
        ("c", "rows", Arrangement(("a", "c"), ("b", "d"))),
        ("d", "outer", Arrangement(("a", "c"), ("b",), ("d",))),
        ("c", "outer", Arrangement(("a",), ("b", "d"), ("c",))),
    ],
)
def test_any_axis_goes_on_rows_columns_or_outside(axis, place, expected):
    assert Arrangement.alternating(NAMES).put(axis, place) == expected


def test_an_axis_of_blocks_changes_places_with_the_one_on_a_side():
    blocks = Arrangement(("b",), ("c",), ("a",))

    assert blocks.put("a", "rows") == Arrangement(("a",), ("c",), ("b",))
    assert blocks.put("b", "outer") == Arrangement((), ("c",), ("b", "a"))
    assert blocks.renamed("a", "z") == Arrangement(("b",), ("c",), ("z",))
    assert str(blocks) == "rows b; columns c; blocks a"


def test_an_axis_moves_onto_a_side_that_is_empty():
    assert Arrangement(("a",), ()).put("a", "columns") == Arrangement((), ("a",))
    assert Arrangement((), ("a",)).put("a", "rows") == Arrangement(("a",), ())


def test_an_axis_that_is_not_there_cannot_be_put():
    with pytest.raises(MuseumError, match=r"^axis 'z' is not in the picture: its axes are rows a; columns b$"):
        Arrangement(("a",), ("b",)).put("z", "rows")


@given(st.permutations(NAMES), st.integers(0, 4), st.permutations(NAMES), st.integers(0, 4))
def test_an_arrangement_fits_every_mesh(order, cut, names, count):
    sizes = {name: SIZES[name] for name in names[:count]}
    fitted = Arrangement(tuple(order[:cut]), tuple(order[cut:3])).fitted(sizes)

    assert sorted(fitted.names) == sorted(sizes)
    assert fitted.fitted(sizes) == fitted


@given(
    st.permutations(NAMES),
    st.integers(0, 4),
    st.integers(0, 4),
    st.lists(st.integers(1, 3), min_size=4, max_size=4),
)
def test_cells_never_overlap_however_the_axes_are_arranged(order, cut, further, sizes):
    mesh = Mesh(tuple(map(Axis, NAMES, sizes)))
    cut, end = min(cut, further), max(cut, further)
    drawing = draw_mesh(mesh, Arrangement(tuple(order[:cut]), tuple(order[cut:end]), tuple(order[end:])))
    places = {(round(cell.x, 6), round(cell.y, 6)) for cell in drawing.cells}

    assert len(places) == mesh.size
    assert not any(overlap(one, other) for one, other in itertools.combinations(drawing.cells, 2))
    assert max(cell.x + cell.w for cell in drawing.cells) == pytest.approx(drawing.width)
    assert max(cell.y + cell.h for cell in drawing.cells) == pytest.approx(drawing.height)


def test_another_arrangement_turns_the_grid():
    cells = draw_mesh(Mesh.parse("data=4,model=2"), Arrangement(("model",), ("data",))).cells

    assert [(cell.x, cell.y) for cell in cells[:3]] == [(0, 0), (0, pytest.approx(1.1)), (pytest.approx(1.1), 0)]


def test_ticks_stand_over_the_cells_that_they_count():
    drawing = draw_mesh(Mesh.parse("a=2,b=2,c=3"), Arrangement(("b",), ("a", "c")))
    by_device = {cell.device_id: cell for cell in drawing.cells}
    first, second = (tick for tick in drawing.ticks if tick.axis == "a")
    of_c = [tick for tick in drawing.ticks if tick.axis == "c"]

    assert [tick.number for tick in of_c] == [0, 1, 2, 0, 1, 2]
    assert [tick.start for tick in of_c] == pytest.approx([by_device[n].x for n in (0, 1, 2, 6, 7, 8)])
    assert (first.start, second.start) == pytest.approx((by_device[0].x, by_device[6].x))
    assert first.start + first.extent == pytest.approx(by_device[2].x + 1)
    assert [tick.start for tick in drawing.ticks if tick.axis == "b"] == pytest.approx([0, by_device[3].y])


def test_blocks_stand_in_lines_in_reading_order_with_headings_above_them():
    drawing = draw_mesh(Mesh.parse("a=4,b=2,c=2"), Arrangement(("b",), ("c",), ("a",)))
    corners = [(cell.x, cell.y) for cell in drawing.cells[::4]]

    assert len({x for x, _ in corners}) == len({y for _, y in corners}) == 2
    assert sorted(corners, key=lambda corner: corner[::-1]) == corners
    for heading, (x, y) in zip(drawing.headings, corners, strict=True):
        assert (heading.x, heading.y + heading.h) == pytest.approx((x, y))
        assert not any(overlap(heading, cell) for cell in drawing.cells)
    assert [heading.texts for heading in drawing.headings[:2]] == [("a=0", "0"), ("a=1", "1")]
    assert {tick.axis for tick in drawing.ticks} == {"b", "c"}
    assert drawing.captions[0].where == "outer"


@given(st.integers(1, 40), st.integers(1, 5), st.integers(1, 5), st.sampled_from([3.0, 7.0, 15.0, 31.0, 80.0]))
def test_headings_that_are_given_room_keep_to_it(blocks, high, wide, scale):
    drawing = draw_mesh(Mesh.parse(f"a={blocks},b={high},c={wide}"), Arrangement(("b",), ("c",), ("a",)))
    which = drawing.labels_at(scale, TEXT).headings.get("a")
    for heading in drawing.headings if which is not None else ():
        assert TEXT.width(heading.texts[which]) <= heading.w * scale
        assert TEXT.line <= heading.h * scale


def test_cells_carry_place_host_and_slice():
    mesh = Mesh(Mesh.parse("data=2,model=2").axes, (7, 5, 3, 1), (0, 0, 1, 1))
    cells = draw_mesh(resolve(mesh, Spec.parse("data,model"), (4, 6))).cells

    assert [(cell.device_id, cell.position, cell.host, cell.lines) for cell in cells] == [
        (7, 0, 0, ("0:2", "0:3")),
        (5, 1, 0, ("0:2", "3:6")),
        (3, 2, 1, ("2:4", "0:3")),
        (1, 3, 1, ("2:4", "3:6")),
    ]


# -- shades


@pytest.mark.parametrize(
    ("mesh", "spec", "shape"),
    [
        ("x=16,y=16", "x,y", (32, 32)),
        ("x=8,y=3", "x,y", (8, 3)),
        ("a=4,b=4,c=8", "a,b,c", (4, 4, 8)),
        ("a=24", "a", (24,)),
    ],
)
def test_slices_beside_or_below_each_other_differ_in_tone(mesh, spec, shape):
    boxes = draw_array(layout_of(mesh, spec, shape)).boxes
    touching = 0
    for one, other in itertools.combinations(boxes, 2):
        beside = math.isclose(one.x + one.w, other.x) and math.isclose(one.y, other.y)
        below = math.isclose(one.y + one.h, other.y) and math.isclose(one.x, other.x)
        if beside or below:
            touching += 1
            assert one.shade.tone != other.shade.tone
            assert one.shade.hue != other.shade.hue
            assert {one.shade.tone, other.shade.tone} <= set(range(TONES))

    assert touching >= len(boxes) - 1


def test_a_device_has_the_shade_of_its_slice():
    layout = layout_of("data=4,model=2", "model,data", (8, 8))
    shades = {box.device_ids[0]: box.shade for box in draw_array(layout).boxes}

    assert {cell.device_id: cell.shade for cell in draw_mesh(layout).cells} == shades


# -- a slice of the array


def test_a_slice_shows_only_what_lies_in_it():
    layout = layout_of("a=2,b=2,c=2", "a,b,c", (4, 8, 16))
    drawing = draw_array(layout, (3,))

    assert [box.device_ids for box in drawing.boxes] == [(4,), (5,), (6,), (7,)]
    assert [(box.x, box.y, box.w, box.h) for box in drawing.boxes[:2]] == [(0, 0, 0.5, 0.5), (0.5, 0, 0.5, 0.5)]
    assert (drawing.rows, drawing.columns) == (8, 16)
    assert drawing.caption == "slice [3, :, :]: dimension 1 (8) downwards, dimension 2 (16) to the right"
    assert drawing.boxes[0].text == "2:4, 0:4, 0:8"


def test_a_slice_of_rank_two_is_the_whole_array():
    layout = layout_of("a=2,b=2", "a,b", (4, 4))

    assert draw_array(layout, ()) == draw_array(layout)


def test_a_slice_without_a_home_is_one_strip():
    (strip,) = draw_array(layout_of("a=2", "a", (5, 4, 4)), (4,)).homeless

    assert (strip.x, strip.y, strip.w, strip.h, strip.text) == (0, 0, 1, 1, "dimension 0 at 4: no home")
    assert draw_array(layout_of("a=2", "a", (5, 4, 4)), (3,)).homeless == ()


@pytest.mark.parametrize(
    ("at", "line"),
    [
        ((), "the slice () needs 1 indices, one for each dimension but the last two"),
        ((4,), "index 4 is not in dimension 0 of size 4"),
        ((-1,), "index -1 is not in dimension 0 of size 4"),
    ],
)
def test_a_slice_that_does_not_fit_is_refused(at, line):
    with pytest.raises(MuseumError) as caught:
        draw_array(layout_of("a=2", "a", (4, 4, 4)), at)
    assert str(caught.value) == line


@pytest.mark.parametrize("spec", ["a,b,c", "c,-,b+a", "-,a,b,c", "a+b+c"])
def test_every_slice_is_tiled_by_boxes_and_strips(spec):
    for shape in itertools.product((2, 3, 5), repeat=4):
        layout = layout_of("a=2,b=2,c=1", spec, shape)
        for at in itertools.product(range(shape[0]), range(shape[1])):
            drawing = draw_array(layout, at)
            pieces = [*drawing.boxes, *drawing.homeless]

            assert sum(piece.w * piece.h for piece in pieces) == pytest.approx(1), (shape, at)
            assert not any(overlap(one, other) for one, other in itertools.combinations(pieces, 2)), (shape, at)


# -- problems in place


def test_an_axis_that_is_not_there_is_drawn_beside_those_that_are():
    drawing = draw_mesh(layout_of("data=4,model=2", "seq,stage+seq,unreduced=last", (8, 8)))

    assert [(absent.name, absent.text) for absent in drawing.absent] == [
        ("seq", "seq: not in the mesh, wanted by dimension 0"),
        ("stage", "stage: not in the mesh, wanted by dimension 1"),
        ("last", "last: not in the mesh, wanted by unreduced"),
    ]


def test_devices_that_the_machine_lacks_are_marked():
    drawing = draw_mesh(layout_of("data=4,model=2", "data", (8, 8), 6))

    assert [cell.device_id for cell in drawing.cells if cell.missing] == [6, 7]
    assert drawing.problem == "the mesh data=4,model=2 needs 8 devices, but there are 6"
    assert draw_mesh(layout_of("data=4,model=2", "data", (8, 8), 8)).problem == ""


def test_each_dimension_says_what_cuts_it_and_what_is_wrong_with_that():
    edges = draw_array(layout_of("data=4,model=2", "data,?,data+model,seq", (10, 3, 8))).edges

    assert [(edge.dimension, edge.direction, edge.text) for edge in edges] == [
        (0, "outer", "dim 0 (10) / data=4"),
        (1, "rows", "dim 1 (3) / left to the compiler"),
        (2, "columns", "dim 2 (8) / data=4 x model=2"),
        (3, "outer", "no dim 3 / seq"),
    ]
    assert [edge.problems for edge in edges] == [
        ("dimension 0 of size 10 is not divisible by 4 (data=4): remainder 2",),
        (),
        ("axis 'data' is used twice, in dimensions 0 and 2",),
        (
            "the spec has 4 entries, but the array has rank 3",
            "the mesh has no axis 'seq' (its axes: 'data', 'model')",
        ),
    ]


# -- hosts


def patches_of(mesh, hosts, arrangement=None):
    found = draw_mesh(Mesh(Mesh.parse(mesh).axes, (), hosts), arrangement).patches
    return [(patch.host, *(round(side, 6) for side in patch[1:])) for patch in found]


def test_the_devices_of_each_host_are_outlined_together():
    assert patches_of("a=4,b=2", (0, 0, 0, 0, 1, 1, 1, 1)) == [(0, 0, 0, 2.1, 2.1), (1, 0, 2.2, 2.1, 2.1)]
    assert patches_of("a=2,b=4", (0, 0, 1, 1, 0, 0, 1, 1)) == [(0, 0, 0, 2.1, 2.1), (1, 2.2, 0, 2.1, 2.1)]


def test_a_single_host_has_no_outline():
    assert patches_of("a=4,b=2", (0,) * 8) == []


def test_a_host_whose_devices_lie_apart_has_an_outline_for_each_part():
    assert patches_of("a=4", (0, 1, 0, 0)) == [(0, 0, 0, 1, 1), (1, 1.1, 0, 1, 1), (0, 2.2, 0, 2.1, 1)]
    assert len(patches_of("a=2,b=2,c=2", (0,) * 4 + (1,) * 4, Arrangement(("b",), ("a", "c")))) == 2
    assert len(patches_of("a=2,b=2,c=2", (0, 0, 1, 1) * 2, Arrangement(("b",), ("a", "c")))) == 4


@given(st.lists(st.integers(0, 2), min_size=12, max_size=12))
def test_outlines_hold_every_device_once(hosts):
    drawing = draw_mesh(Mesh(Mesh.parse("a=4,b=3").axes, (), tuple(hosts)))
    inside = [(cell, patch) for cell in drawing.cells for patch in drawing.patches if overlap(cell, patch)]

    assert all(cell.host == patch.host for cell, patch in inside)
    assert len(inside) == (12 if len(set(hosts)) > 1 else 0)


# -- labels by scale

TEXT = TextSize(6.0, 12.0)
SCALES = (1, 2, 3, 5, 8, 13, 16, 17, 18, 21, 30, 34, 40, 55, 56, 60, 89, 144, 1000)


@pytest.mark.parametrize("mesh", ["a=7", "a=4,b=2", "a=2,b=3,c=12", "a=8,b=8", "x=64,y=64"])
@pytest.mark.parametrize("scale", SCALES)
def test_labels_that_are_given_room_stay_inside_their_cells_and_ticks(mesh, scale):
    layout = layout_of(mesh, mesh.partition("=")[0], (840, 840))
    drawing = draw_mesh(layout)
    labels = drawing.labels_at(scale, TEXT)
    for cell in drawing.cells:
        lines = (cell.label, *cell.lines) if labels.slices else (cell.label,) if labels.ids else ()
        assert len(lines) * TEXT.line <= scale
        assert all(TEXT.width(line) <= scale for line in lines)
    for axis in labels.ticks:
        ticks = [tick for tick in drawing.ticks if tick.axis == axis]
        for one, other in itertools.pairwise(ticks):
            room = (other.start + other.extent / 2 - one.start - one.extent / 2) * scale
            wide = (TEXT.width(str(one.number)) + TEXT.width(str(other.number))) / 2
            assert room >= (wide if one.direction == "columns" else TEXT.line)


def test_closer_in_there_is_more_to_read_and_further_out_a_summary():
    drawing = draw_mesh(layout_of("x=16,y=16,z=16", "x,y,z", (64, 64, 64)))
    far, near, close = (drawing.labels_at(scale, TEXT) for scale in (4.0, 30.0, 80.0))

    assert (far.ids, far.slices, far.ticks, far.headings) == (False, False, set(), {"x": 0})
    assert far.summary == "4,096 devices, 16 x 16 x 16: 4,096 different slices of 4x4x4, each on one device"
    assert (near.ids, near.slices, near.summary) == (True, False, "")
    assert (close.ids, close.slices, close.ticks) == (True, True, {"y", "z"})
    assert drawing.labels_at(5000.0, TEXT) == close


@pytest.mark.parametrize(
    ("mesh", "spec", "shape", "words"),
    [
        ("x=8", "-", (8,), "8 devices: each holds all of it (8)"),
        ("x=1", "-", (8,), "1 device: one holds all of it (8)"),
        ("x=4,y=2", "y", (8, 2), "8 devices, 4 x 2: 2 different slices of 4x2, 4 copies of each"),
        ("x=4", "x", (3,), "4 devices: none holds any element"),
        ("x=4", "", (), "4 devices: each holds all of it (a scalar)"),
        ("x=4:explicit", "unreduced=x", (8,), "4 devices: each holds all of it (8), as summands over x"),
        ("x=4:explicit,y=2", "y,unreduced=x", (8,), "8 devices, 4 x 2: 2 different slices of 4, as summands over x"),
    ],
)
def test_the_summary_says_who_holds_what(mesh, spec, shape, words):
    assert draw_mesh(layout_of(mesh, spec, shape)).summary == words


def test_the_summary_counts_hosts():
    mesh = Mesh(Mesh.parse("x=4").axes, (), (0, 0, 1, 1))

    assert draw_mesh(mesh).summary == "4 devices on 2 hosts"


@given(st.integers(1, 12), st.integers(1, 12), st.floats(1, 900), st.floats(1, 900))
def test_box_labels_stay_inside_their_boxes(rows, columns, width, height):
    layout = layout_of(f"x={rows},y={columns}", "x,y", (rows * 10, columns * 100))
    drawing = draw_array(layout)
    for box, lines in zip(drawing.boxes, drawing.labels_at(width, height, TEXT), strict=True):
        assert len(lines) * TEXT.line <= box.h * height
        assert all(TEXT.width(line) <= box.w * width for line in lines)


def test_a_box_says_as_much_as_fits():
    drawing = draw_array(layout_of("data=2", "data", (4, 100)))

    assert drawing.labels_at(300, 100, TEXT)[0] == ("0:2, 0:100", "device 0")
    assert drawing.labels_at(60, 100, TEXT)[0] == ("0:2,", "0:100", "device 0")
    assert drawing.labels_at(66, 40, TEXT)[0] == ("0:2, 0:100",)
    assert drawing.labels_at(60, 40, TEXT)[0] == ("device 0",)
    assert drawing.labels_at(20, 40, TEXT)[0] == ("0",)
    assert drawing.labels_at(9, 40, TEXT)[0] == ()


def test_the_first_label_that_fits_is_taken():
    assert fitting([("a" * 9,), ("bb", "cc"), ("d",)], 40, 26.1, TEXT) == ("bb", "cc")
    assert fitting([("a" * 9,), ("bb", "cc"), ("d",)], 40, 20, TEXT) == ("d",)
    assert fitting([], 40, 20, TEXT) == ()

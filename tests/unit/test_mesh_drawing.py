import itertools
import math

import pytest

from museum.mesh.array_drawing import draw_array
from museum.mesh.layout import ShardLayout, resolve
from museum.mesh.mesh import Mesh
from museum.mesh.mesh_drawing import NOTHING, draw_mesh
from museum.mesh.spec import Spec


def layout_of(mesh, spec, shape):
    return resolve(Mesh.parse(mesh), Spec.parse(spec), shape)


def overlap(one, other):
    width = min(one.x + one.w, other.x + other.w) - max(one.x, other.x)
    height = min(one.y + one.h, other.y + other.h) - max(one.y, other.y)
    return width > 1e-9 and height > 1e-9


def cell_places(drawing):
    return {cell.device_id: (cell.x, cell.y) for cell in drawing.cells}


def test_the_last_axis_runs_along_the_columns_and_the_one_before_along_the_rows():
    drawing = draw_mesh(Mesh.parse("data=4,model=2"))

    assert cell_places(drawing)[0] == (0, 0)
    assert cell_places(drawing)[1] == pytest.approx((1.1, 0))
    assert cell_places(drawing)[2] == pytest.approx((0, 1.1))
    assert [(caption.text, caption.where) for caption in drawing.captions] == [
        ("data=4", "rows"),
        ("model=2", "columns"),
    ]
    assert (drawing.width, drawing.height) == pytest.approx((2.1, 4.3))


def test_one_axis_is_one_row_and_no_axis_one_cell():
    assert [(cell.x, cell.y) for cell in draw_mesh(Mesh.parse("x=3")).cells] == [(0, 0), (1.1, 0), (2.2, 0)]
    assert [(cell.x, cell.y, cell.label) for cell in draw_mesh(Mesh(())).cells] == [(0, 0, "0")]


def test_outer_axes_nest_alternately_with_wider_gaps():
    drawing = draw_mesh(Mesh.parse("a=2,b=2,c=2,d=2"))
    places = cell_places(drawing)

    assert places[4] == pytest.approx((2.1 + 0.7, 0))
    assert places[8] == pytest.approx((0, 2.1 + 0.7))
    assert [(caption.where, caption.direction, caption.level) for caption in drawing.captions] == [
        ("outer", "rows", 1),
        ("outer", "columns", 1),
        ("rows", "rows", 0),
        ("columns", "columns", 0),
    ]


@pytest.mark.parametrize("mesh", ["a=7", "a=3,b=5", "a=2,b=3,c=4", "a=2,b=3,c=2,d=3", "a=2,b=2,c=2,d=2,e=2"])
def test_cells_never_overlap_and_fill_the_picture_to_its_edges(mesh):
    drawing = draw_mesh(Mesh.parse(mesh))

    assert not any(overlap(one, other) for one, other in itertools.combinations(drawing.cells, 2))
    assert max(cell.x + cell.w for cell in drawing.cells) == pytest.approx(drawing.width)
    assert max(cell.y + cell.h for cell in drawing.cells) == pytest.approx(drawing.height)


def test_cells_have_the_colour_of_their_slice_and_the_number_of_their_copy():
    cells = draw_mesh(layout_of("data=2,model=2", "-,model", (4, 4))).cells

    assert [(cell.label, cell.colour, cell.replica) for cell in cells] == [
        ("0", 0, 0),
        ("1", 1, 0),
        ("2", 0, 1),
        ("3", 1, 1),
    ]


@pytest.mark.parametrize(
    "subject",
    [
        Mesh.parse("data=4"),
        layout_of("data=4", "data", (3,)),
        layout_of("data=4", "data", (0,)),
        ShardLayout.from_report(Mesh.parse("data=4"), (8,), None, {}),
    ],
)
def test_a_device_that_holds_nothing_has_no_colour(subject):
    assert {(cell.colour, cell.replica) for cell in draw_mesh(subject).cells} == {(NOTHING, NOTHING)}


def test_an_array_is_cut_along_its_spec():
    drawing = draw_array(layout_of("data=4,model=2", "data,model", (8, 16)))
    last = drawing.boxes[-1]

    assert (last.x, last.y, last.w, last.h) == (0.5, 0.75, 0.5, 0.25)
    assert (last.text, last.device_ids, last.colour) == ("6:8, 8:16", (7,), 7)
    assert (drawing.rows, drawing.columns) == (8, 16)


def test_rows_without_a_home_are_drawn_in_place_with_their_words():
    drawing = draw_array(layout_of("data=4,model=2", "data,model", (10, 16)))
    (strip,) = drawing.homeless

    assert strip.text == "rows 8, 9: no home"
    assert (strip.x, strip.y, strip.w, strip.h) == pytest.approx((0, 0.8, 1, 0.2))
    assert len(drawing.boxes) == 8


@pytest.mark.parametrize(
    ("spec", "shape", "texts"),
    [
        ("data", (5,), ["element 4: no home"]),
        ("data", (7,), ["elements 4, 5, 6: no home"]),
        ("data+model", (15,), ["elements 8 to 14: no home"]),
        ("data", (2,), ["elements 0, 1: no home"]),
        ("data,model", (9, 3), ["row 8: no home", "column 2: no home"]),
        ("data,model", (3, 3), ["rows 0, 1, 2: no home"]),
        ("-,-,data", (2, 2, 5), ["dimension 2 at 4: no home"]),
        ("model,-,data", (2, 2, 5), ["dimension 2 at 4: no home"] * 2),
        ("model,-,data", (2, 2, 3), ["dimension 2 at 0, 1, 2: no home"] * 2),
    ],
)
def test_the_words_say_what_has_no_home(spec, shape, texts):
    assert [strip.text for strip in draw_array(layout_of("data=4,model=2", spec, shape)).homeless] == texts


@pytest.mark.parametrize(
    ("shape", "caption"),
    [
        ((), "a scalar"),
        ((8,), "dimension 0 (8) to the right"),
        ((8, 16), "dimension 0 (8) downwards, dimension 1 (16) to the right"),
        (
            (2, 4, 8),
            "dimension 1 (4) downwards, dimension 2 (8) to the right, in bands of dimension 0 (2)",
        ),
        ((0, 16), "shape (0, 16) has no elements"),
    ],
)
def test_the_caption_says_what_the_picture_shows(shape, caption):
    assert draw_array(layout_of("data=4", "", shape)).caption == caption


def test_bands_within_bands_are_captioned_from_the_outside_in():
    caption = draw_array(layout_of("data=4", "", (2, 4, 8, 9))).caption

    assert caption.endswith("dimension 3 (9) to the right, in bands of dimension 0 (2), then dimension 1 (4)")


def test_a_scalar_is_one_box_and_an_empty_array_none():
    (box,) = draw_array(layout_of("data=4", "", ())).boxes

    assert (box.x, box.y, box.w, box.h, box.text, box.device_ids) == (0, 0, 1, 1, "", (0, 1, 2, 3))
    assert draw_array(layout_of("data=4", "data", (0, 3))).boxes == ()
    assert draw_array(layout_of("data=4", "-,data", (0, 3))).homeless == ()


def test_a_leading_dimension_becomes_bands():
    drawing = draw_array(layout_of("a=2,b=2", "a,b", (4, 8, 16)))

    assert [(box.y, box.h, box.text) for box in drawing.boxes] == [
        (0.0, 0.25, "0:2, 0:4, 0:16"),
        (0.25, 0.25, "0:2, 4:8, 0:16"),
        (0.5, 0.25, "2:4, 0:4, 0:16"),
        (0.75, 0.25, "2:4, 4:8, 0:16"),
    ]
    assert drawing.rows == 32


@pytest.mark.parametrize("spec", ["a,b,c,d", "d,-,b+a,c", "a+b,c", "-,-,-,a+b+c+d", "c,d,a", ""])
@pytest.mark.parametrize("rank", [1, 2, 3, 4])
def test_boxes_tile_what_has_a_home_and_strips_the_rest(spec, rank):
    for shape in itertools.product((1, 4, 7), repeat=rank):
        layout = layout_of("a=2,b=2,c=3,d=1", spec, shape)
        drawing = draw_array(layout)
        pieces = [*drawing.boxes, *drawing.homeless]
        held = sum(math.prod(stop - start for start, stop in group.slices) for group in layout.groups)

        assert not any(overlap(one, other) for one, other in itertools.combinations(pieces, 2)), shape
        assert all(0 <= piece.x <= piece.x + piece.w <= 1 + 1e-9 for piece in pieces), shape
        assert all(0 <= piece.y <= piece.y + piece.h <= 1 + 1e-9 for piece in pieces), shape
        assert sum(box.w * box.h for box in drawing.boxes) == pytest.approx(held / math.prod(shape)), shape
        assert sum(piece.w * piece.h for piece in pieces) == pytest.approx(1), shape

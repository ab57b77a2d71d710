"""Pictures in SVG, text and JSON: nothing touches at any size, and everything is said in words."""

import itertools
import json
import math
import operator
import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from museum.mesh.answer import as_json, physical_words
from museum.mesh.arrangement import Arrangement
from museum.mesh.array_drawing import draw_array
from museum.mesh.document import StudioArray, StudioDocument
from museum.mesh.layout import resolve
from museum.mesh.mesh import Axis, Mesh
from museum.mesh.picture import Shown, compose
from museum.mesh.shades import HUES, TONES, Shade
from museum.mesh.spec import UNCONSTRAINED, Spec
from museum.mesh.svg import DARK, LIGHT, svg
from museum.mesh.textual import WIDEST, array_lines, as_text, mesh_lines

SVG = "{http://www.w3.org/2000/svg}"


def shown(mesh, spec, shape, *, devices=None, at=None, name="w"):
    return Shown(resolve(Mesh.parse(mesh), Spec.parse(spec), shape, devices), name, "float32", at)


def on_machine(mesh, machine):
    document = StudioDocument.of(mesh, [StudioArray("w", (64, 64), "float32", Spec.parse(mesh.split("=")[0]))], machine)
    return Shown(document.layout("w"), "w", "float32")


GALLERY = {
    "homeless": [shown("data=4,model=2", "data,model", (10, 16))],
    "homeless columns": [shown("data=4,model=4", "data,model", (16, 18))],
    "rank 3": [shown("a=2,b=2,c=2", "a,b,c", (4, 8, 16))],
    "rank 4": [
        shown("a=2,b=2,c=2,d=2", "a,b,c,d", (5, 4, 8, 8)),
        shown("a=2,b=2,c=2,d=2", "-,-,a", (5, 4, 8, 8), at=(4, 1)),
    ],
    "two orders": [shown("model=4,data=2", "model+data", (16,)), shown("model=4,data=2", "data+model", (16,))],
    "copies": [shown("data=4,model=2", "-,model", (16, 16))],
    "unknown axis": [shown("data=4,model=2", "bogus,a_rather_long_name_of_an_axis", (16, 16))],
    "twice": [shown("data=4,model=2", "data,data", (16, 16))],
    "too long": [shown("data=4,model=2", "data,-,model", (16, 16))],
    "too big": [shown("data=4,model=2", "data,model", (16, 16), devices=6)],
    "empty": [shown("data=4,model=2", "data", (0, 16))],
    "none": [shown("data=8", "data", (3,))],
    "scalar": [shown("data=8", "", ())],
    "64": [shown("x=8,y=8", "x,y", (64, 64))],
    "256": [shown("x=16,y=16", "x,y", (64, 64))],
    "512": [shown("x=8,y=8,z=8", "x,-,z", (64, 64, 64))],
    "one": [shown("x=1", "x", (4,))],
    "hosts": [on_machine("data=8,model=8", "v5e:8x8"), on_machine("data=2,model=8", "h100:16")],
    "many hosts": [on_machine("x=8,y=8,z=8", "v5p:8x8x8")],
    "blocks": [shown("x=64", "x", (64,)), shown("x=9,y=4,z=4", "x,y", (9, 16, 16))],
}


def overlap(one, other):
    width = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    height = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return width > 0.01 and height > 0.01


@pytest.mark.parametrize("name", GALLERY)
@pytest.mark.parametrize("width", [300, 640, 960, 1900])
def test_no_word_touches_another_at_any_width(name, width):
    picture = compose(GALLERY[name], width=width)
    rooms = [(words.text, words.room) for words in picture.words]

    for (text, room), (other_text, other) in itertools.combinations(rooms, 2):
        assert not overlap(room, other), (text, other_text)
    for text, (x, y, w, h) in rooms:
        assert 0 <= x <= x + w <= picture.width + 0.01, text
        assert 0 <= y <= y + h <= picture.height + 0.01, text


@pytest.mark.parametrize("name", GALLERY)
def test_no_tile_overlaps_another_and_words_lie_in_one_tile_or_none(name):
    picture = compose(GALLERY[name])
    tiles = [(tile.x, tile.y, tile.w, tile.h) for tile in picture.tiles]
    if len(tiles) <= 300:
        assert not any(overlap(one, other) for one, other in itertools.combinations(tiles, 2))
    for words in picture.words[:400]:
        if words.text.startswith("host"):  # over all the devices of the host
            continue
        x, y, w, h = words.room
        under = [tile for tile in tiles if overlap(tile, (x, y, w, h))]
        assert len(under) <= 1, words.text
        for left, top, wide, high in under:
            assert left <= x <= x + w <= left + wide + 0.01, words.text
            assert top - 1 <= y <= y + h <= top + high + 1, words.text


@pytest.mark.parametrize("name", GALLERY)
def test_every_problem_is_said_in_the_picture(name):
    texts = [words.text for words in compose(GALLERY[name]).words]

    for one in GALLERY[name]:
        for problem in one.layout.problems:
            assert f"✗ {problem.text}" in texts


def test_what_goes_wrong_is_drawn_where_it_goes_wrong():
    homeless = compose(GALLERY["homeless"])
    lacking = compose(GALLERY["too big"])
    absent = compose(GALLERY["unknown axis"])

    assert [tile.title for tile in homeless.tiles if tile.pattern == "homeless"] == ["rows 8, 9: no home"]
    assert [tile.title for tile in lacking.tiles if tile.pattern == "missing"] == [
        "device 6, host 0, which the machine lacks: holds [12:16, 0:8]",
        "device 7, host 0, which the machine lacks: holds [12:16, 8:16]",
    ]
    assert "✗ bogus: not in the mesh, wanted by dimension 0" in [words.text for words in absent.words]
    assert any(span.dashed for span in absent.spans)


def test_copies_are_hatched_and_said():
    picture = compose(GALLERY["copies"])

    assert [tile.pattern for tile in picture.tiles[:8]] == ["", "", *["copy"] * 6]
    assert picture.tiles[2].title == "device 2, host 0: holds [0:16, 0:8], copy 1"


def test_summands_are_no_copies():
    one = shown("data=2:explicit,model=2:explicit", "data,unreduced=model", (4, 4))
    picture = compose([one])

    assert {tile.pattern for tile in picture.tiles} == {"summand"}
    assert picture.tiles[1].title == "device 1, host 0: holds [0:2, 0:4], a summand"
    assert one.facts == "each device: 2x4, 32 B, a summand: the sum over model is due"
    assert "│ 0 summand │ 1 summand │" in as_text([one])


def test_a_crowded_mesh_gives_way_to_its_summary():
    picture = compose([shown("x=16,y=16,z=16", "x,y,z", (64, 64, 64))])
    texts = [words.text for words in picture.words]

    assert "4,096 devices, 16 x 16 x 16: 4,096 different slices of 4x4x4, each on one device" in " ".join(texts)
    assert {"x=0", "x=15"} <= set(texts)
    assert len(texts) < 60


def test_an_arrangement_turns_the_picture():
    wide, tall = (
        compose(GALLERY["copies"], Arrangement(rows, columns))
        for rows, columns in (((), ("data", "model")), (("data", "model"), ()))
    )

    assert wide.tiles[7].x > wide.tiles[0].x
    assert tall.tiles[7].y > tall.tiles[0].y
    assert tall.tiles[7].x == tall.tiles[0].x


@pytest.mark.parametrize(("name", "count"), [("hosts", 16 + 2), ("many hosts", 128), ("64", 0)])
def test_each_host_has_its_outline_with_its_name(name, count):
    picture = compose(GALLERY[name])

    assert len(picture.outlines) == count
    assert len({outline.title for outline in picture.outlines}) <= count
    for outline in picture.outlines:
        inside = [tile for tile in picture.tiles if overlap_of(tile, outline)]
        assert all(f", {outline.title}:" in tile.title for tile in inside)


def overlap_of(tile, outline):
    return overlap((tile.x, tile.y, tile.w, tile.h), (outline.x, outline.y, outline.w, outline.h))


def test_the_name_of_a_host_stands_beside_labels_or_over_devices_without_any():
    near, far = (compose([on_machine("data=16,model=8", "h100:128")], width=width) for width in (2400, 500))

    assert [words.plate for words in near.words if words.text == "host 3"] == [False]
    assert [words.plate for words in far.words if words.text == "host 3"] == [True]
    assert " host 3 " in as_text([on_machine("data=4,model=8", "h100:32")])


# -- SVG


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("name", GALLERY)
def test_an_svg_is_well_formed_and_says_what_it_shows(name, palette):
    picture = compose(GALLERY[name])
    root = ET.fromstring(svg(picture, palette))

    assert root.get("role") == "img"
    assert root.find(f"{SVG}title").text == picture.title
    assert root.find(f"{SVG}desc").text == picture.description
    assert [text.text for text in root.iter(f"{SVG}text")] == [words.text for words in picture.words]
    titled = [rect for rect in root.iter(f"{SVG}rect") if rect.find(f"{SVG}title") is not None]
    assert len(titled) == len(picture.tiles) + len(picture.outlines)
    defined = {pattern.get("id") for pattern in root.iter(f"{SVG}pattern")}
    assert {tile.pattern for tile in picture.tiles} - {""} <= defined


def test_names_are_written_safely():
    picture = compose([shown("data=2", "data", (4,), name="a<b>&'c'")])

    assert ET.fromstring(svg(picture)).find(f"{SVG}title").text == picture.title


def linear(value):
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def luminance(colour):
    red, green, blue = (linear(int(colour[place : place + 2], 16) / 255) for place in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_words_stand_out_from_whatever_they_stand_on(palette):
    for shade in itertools.starmap(Shade, itertools.product(range(HUES), range(TONES))):
        assert contrast(palette.ink, palette.fill(shade)) >= 4.5
    for words in (palette.ink, palette.faint, palette.bad):
        assert contrast(words, palette.paper) >= 4.5
    assert contrast(palette.ink, palette.fill(None)) >= 4.5


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_tones_differ_in_greyscale_whatever_the_hues(palette):
    by_tone = [[luminance(palette.fill(Shade(hue, tone))) for hue in range(HUES)] for tone in range(TONES)]

    for one, other in itertools.combinations(sorted(by_tone), 2):
        assert (min(other) + 0.05) / (max(one) + 0.05) > 1.2
    assert len({colour for tone in palette.shades for colour in tone}) == HUES * TONES


# What eyes see that lack one kind of cones, in linear light: Machado, Oliveira and Fernandes, 2009, in full.
COLOUR_BLIND = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def lab(colour, seen):
    """CIE Lab of a colour as such eyes see it."""
    light = [linear(int(colour[place : place + 2], 16) / 255) for place in (1, 3, 5)]
    red, green, blue = (min(max(sum(map(operator.mul, row, light)), 0.0), 1.0) for row in seen)
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("eyes", COLOUR_BLIND)
@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_neighbouring_shards_differ_for_colour_blind_eyes(palette, eyes):
    boxes = draw_array(resolve(Mesh.parse("x=24,y=24"), Spec.parse("x,y"), (24, 24))).boxes
    seen = [lab(palette.fill(box.shade), COLOUR_BLIND[eyes]) for box in boxes]
    beside = [(number, number + 1) for number in range(24 * 24) if number % 24 < 23]
    below = [(number, number + 24) for number in range(24 * 23)]

    assert min(math.dist(seen[one], seen[other]) for one, other in beside + below) > 6  # 2.3 can just be noticed


# -- text


def test_text_draws_devices_boxes_and_what_has_no_home():
    text = as_text([shown("data=2,model=2", "data,model", (5, 4))])

    assert text == (
        "mesh data=2, model=2\n"
        "\n"
        "w: float32[5,4] on P('data', 'model')\n"
        "  each device: 2x2, 16 B\n"
        "\n"
        "  data=2 ↓   model=2 →\n"
        "  ┌──────────┬──────────┐\n"
        "  │    0     │    1     │\n"
        "  │ 0:2, 0:2 │ 0:2, 2:4 │\n"
        "  ├──────────┼──────────┤\n"
        "  │    2     │    3     │\n"
        "  │ 2:4, 0:2 │ 2:4, 2:4 │\n"
        "  └──────────┴──────────┘\n"
        "\n"
        "  ✗ dim 0 (5) / data=2   dim 1 (4) / model=2\n"
        "  dimension 0 (5) downwards, dimension 1 (4) to the right\n"
        "  ┌──────────┬──────────┐\n"
        "  │ 0:2, 0:2 │ 0:2, 2:4 │\n"
        "  │ device 0 │ device 1 │\n"
        "  ├──────────┼──────────┤\n"
        "  │ 2:4, 0:2 │ 2:4, 2:4 │\n"
        "  │ device 2 │ device 3 │\n"
        "  ├──────────┴──────────┤\n"
        "  │░░ row 4: no home ░░░│\n"
        "  └─────────────────────┘\n"
        "\n"
        "  ✗ dimension 0 of size 5 is not divisible by 2 (data=2): remainder 1\n"
    )


@pytest.mark.parametrize("name", GALLERY)
def test_text_keeps_its_columns_and_its_words(name):
    text = as_text(GALLERY[name])
    frames = [line for line in text.splitlines() if line.lstrip()[:1] in "┌├└│" and line.strip()]

    assert all(line[-1] in "┐┤┘│" for line in frames)
    assert max(map(len, text.splitlines())) <= WIDEST + 2
    for one in GALLERY[name]:
        for problem in one.layout.problems:
            assert f"  ✗ {problem.text}\n" in text
    for above, below in itertools.pairwise(frames):
        if below.lstrip()[0] == "│" and above.lstrip()[0] == "│":
            assert len(above) == len(below)


def test_boxes_are_no_wider_than_their_words_need():
    layout = resolve(Mesh.parse("data=4,model=2"), Spec.parse("data,model"), (7, 2))

    assert array_lines(layout)[-3:] == [
        "├───────────┴───────────┤",
        "│ rows 4, 5, 6: no home │",
        "└───────────────────────┘",
    ]


@pytest.mark.parametrize("name", GALLERY)
def test_text_in_ascii_has_nothing_else(name):
    text = as_text(GALLERY[name], ascii_only=True)

    assert text.isascii()
    assert "+--" in text or "devices" in text


def test_outer_axes_become_blocks_with_headings():
    lines = mesh_lines(Mesh.parse("a=2,b=1,c=3"))

    assert lines == [
        "a=2 →   b=1 ↓   c=3 →",
        "a=0",
        "┌───┬───┬───┐",
        "│ 0 │ 1 │ 2 │",
        "└───┴───┴───┘",
        "a=1",
        "┌───┬───┬───┐",
        "│ 3 │ 4 │ 5 │",
        "└───┴───┴───┘",
    ]


def test_a_terminal_gets_a_summary_of_what_would_not_fit():
    assert mesh_lines(Mesh.parse("x=64,y=64")) == ["x=64 ↓   y=64 →", "4,096 devices, 64 x 64"]
    assert mesh_lines(Mesh.parse("x=200")) == ["x=200 →", "200 devices"]


# -- JSON


def test_json_has_the_shape_that_is_documented():
    document = StudioDocument.of(
        "data=2:explicit,model=2", [StudioArray("w", (5, 4), "bfloat16", Spec.parse("data,model"))]
    )

    assert json.loads(json.dumps(as_json(document))) == {
        "mesh": {"axes": [["data", 2, "explicit"], ["model", 2, "auto"]], "device_ids": [0, 1, 2, 3], "hosts": [0] * 4},
        "problem": None,
        "arrays": [
            {
                "name": "w",
                "shape": [5, 4],
                "dtype": "bfloat16",
                "spec": "P('data', 'model')",
                "shard_shape": [2, 2],
                "shards": {
                    "0": [[0, 2], [0, 2]],
                    "1": [[0, 2], [2, 4]],
                    "2": [[2, 4], [0, 2]],
                    "3": [[2, 4], [2, 4]],
                },
                "replication": 1,
                "bytes_per_device": 8,
                "problems": [
                    {
                        "kind": "not divisible",
                        "dimension": 0,
                        "axis": "data",
                        "text": "dimension 0 of size 5 is not divisible by 2 (data=2): remainder 1",
                    }
                ],
            }
        ],
    }


def test_json_on_a_machine_has_its_memory_and_its_grid():
    found = as_json(StudioDocument.of("data=8,model=8", [StudioArray("w", (64,))], "v5p:4x4x4"))

    assert (found["topology"], found["bytes_per_device"]) == ("v5p:4x4x4", 256)
    assert found["hbm_per_device"] == round(95.73 * 2**30)
    assert found["physical"]["way"] == "refused"
    assert found["physical"]["error"] == "NotImplementedError"
    assert found["physical"]["alternatives"][0] == [4, 16]
    placed = as_json(StudioDocument.of("data=16,model=4", [], "v5p:4x4x4"))["physical"]
    assert placed["axes"] == {
        "data": [{"axis": "y", "size": 4, "of": 4}, {"axis": "z", "size": 4, "of": 4}],
        "model": [{"axis": "x", "size": 4, "of": 4}],
    }


@pytest.mark.parametrize(
    ("mesh", "topology", "words"),
    [
        (
            "data=8,model=8",
            "v5p:4x4x4",
            (
                "✗ jax.make_mesh refuses (8, 8) on v5p:4x4x4 (NotImplementedError):",
                "  axis 'model' of size 8 is no product of whole physical axes: x=4, y=4, z=4 are left",
                "  shapes that work: (4, 16), (16, 4), (1, 64), (64, 1)",
            ),
        ),
        ("data=16,model=4", "v5p:4x4x4", ("on the 4x4x4 grid: data=16 along y=4 and z=4; model=4 along x=4",)),
        ("data=4,model=2", "v5e:2x4", ("on v5e:2x4: JAX orders so small a slice as a ring by hand",)),
        ("data=4,model=2", "h100:8", ()),
        ("data=4", "v5e:2x4", ()),
        ("data=4", "", ()),
    ],
)
def test_words_about_the_grid(mesh, topology, words):
    assert physical_words(StudioDocument.of(mesh, [], topology)) == words


def test_no_number_is_written_with_a_tail():
    text = svg(compose(GALLERY["rank 4"]))

    assert re.search(r'"\d+\.\d{3,}"', text) is None


# -- anything at all


@st.composite
def anything(draw):
    """A layout that a hand could make, good or bad, with up to 128 devices."""
    sizes = draw(st.lists(st.sampled_from([1, 2, 3, 4, 8]), max_size=4).filter(lambda sizes: math.prod(sizes) <= 128))
    names = draw(st.permutations(["d", "model", "sequence", "a_rather_long_name"]))[: len(sizes)]
    mesh = Mesh(tuple(map(Axis, names, sizes)))
    rank = draw(st.integers(0, 5))
    axes = st.sampled_from([*names, "bogus"])
    entry = st.none() | st.just(UNCONSTRAINED) | st.lists(axes, min_size=1, max_size=2).map(tuple)
    spec = Spec(tuple(draw(st.lists(entry, max_size=rank + 1))), tuple(draw(st.lists(axes, max_size=1))))
    shape = tuple(draw(st.lists(st.integers(0, 33), min_size=rank, max_size=rank)))
    layout = resolve(mesh, spec, shape, draw(st.none() | st.integers(1, 128)))
    rows = draw(st.integers(0, len(names)))
    order = draw(st.permutations(names))
    at = None
    if draw(st.booleans()) and 0 not in shape:
        at = tuple(draw(st.integers(0, size - 1)) for size in shape[: max(rank - 2, 0)])
    return Shown(layout, "w", "float32", at), Arrangement(tuple(order[:rows]), tuple(order[rows:]))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(anything(), st.integers(200, 2000))
def test_whatever_is_drawn_nothing_touches(made, width):
    one, arrangement = made
    picture = compose([one], arrangement, width)
    rooms = sorted(((words.room, words.text) for words in picture.words), key=lambda item: item[0][1])
    for number, (room, text) in enumerate(rooms):
        for other, other_text in rooms[number + 1 :]:
            if other[1] >= room[1] + room[3]:
                break
            assert not overlap(room, other), (text, other_text)
        assert 0 <= room[0] <= room[0] + room[2] <= picture.width + 0.01, text
        assert 0 <= room[1] <= room[1] + room[3] <= picture.height + 0.01, text
    ET.fromstring(svg(picture))


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(anything())
def test_whatever_is_written_keeps_within_a_terminal_and_says_every_problem(made):
    one, arrangement = made
    text = as_text([one], arrangement)

    drawn = [line for line in text.splitlines() if line.lstrip()[:1] in "┌├└│"]
    assert max(map(len, drawn), default=0) <= WIDEST + 2
    for problem in one.layout.problems:
        assert f"✗ {problem.text}" in text

"""``xla-museum mesh`` as a person at a terminal meets it."""

import json
import xml.etree.ElementTree as ET

import pytest

from museum.cli import main
from museum.commands.command import BAD_NEWS, FINE, WRONG_USE


@pytest.fixture
def mesh(capsys):
    def call(*arguments):
        code = main(["mesh", *arguments], lambda _: 99)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def test_text_is_the_default(mesh):
    code, out, err = mesh("--mesh", "data=4,model=2", "--shape", "16,16", "--spec", "data,model")

    assert (code, err) == (FINE, "")
    assert out.startswith("mesh data=4, model=2\n\nfloat32[16,16] on P('data', 'model')\n")
    assert out.endswith(
        "  │ 12:16, 0:8 │ 12:16, 8:16 │\n  │  device 6  │  device 7   │\n  └────────────┴─────────────┘\n"
    )


def test_a_layout_with_a_problem_is_bad_news_and_still_drawn(mesh):
    code, out, _ = mesh("--mesh", "data=4,model=2", "--shape", "10,16", "--spec", "data,model")

    assert code == BAD_NEWS
    assert "rows 8, 9: no home" in out
    assert "✗ dimension 0 of size 10 is not divisible by 4 (data=4): remainder 2" in out


def test_json_of_several_arrays(mesh):
    code, out, _ = mesh(
        *(
            "--mesh",
            "data=4,model=2:explicit",
            "--shape",
            "16,16",
            "--spec",
            "-,model",
            "--shape",
            "8",
            "--spec",
            "P('data')",
        ),
        *("--dtype", "bf16", "--json"),
    )
    found = json.loads(out)

    assert code == FINE
    assert found["mesh"]["axes"] == [["data", 4, "auto"], ["model", 2, "explicit"]]
    assert [one["spec"] for one in found["arrays"]] == ["P(None, 'model')", "P('data')"]
    assert [one["bytes_per_device"] for one in found["arrays"]] == [256, 4]
    assert found["arrays"][1]["shards"]["7"] == [[6, 8]]


@pytest.mark.parametrize("spec", ["-", "-,model", "-,-"])
def test_a_spec_may_begin_with_an_uncut_dimension(mesh, spec):
    assert mesh("--mesh", "data=4,model=2", "--shape", "16,16", "--spec", spec)[0] == FINE


def test_svg_goes_to_a_file_or_to_standard_output(mesh, tmp_path):
    arguments = ("--mesh", "data=4,model=2", "--shape", "16,16", "--svg")
    code, out, _ = mesh(*arguments, "-")
    mesh(*arguments, str(tmp_path / "layout.svg"))

    assert code == FINE
    assert (tmp_path / "layout.svg").read_text("utf-8") == out
    assert ET.fromstring(out).tag.endswith("svg")


def test_png_is_painted_by_whoever_can(capsysbinary, tmp_path):
    painted = []
    arguments = ["mesh", "--mesh", "data=4,model=2", "--shape", "16,16", "--png"]
    for place in ("-", str(tmp_path / "layout.png")):
        code = main([*arguments, place], lambda _: 99, lambda picture: painted.append(picture) or b"a picture")
        assert code == FINE

    assert capsysbinary.readouterr().out == (tmp_path / "layout.png").read_bytes() == b"a picture"
    assert painted[0].title == "mesh data=4, model=2: float32[16,16] on P()"


def test_code_is_written_for_the_version_that_is_asked_for(mesh):
    arguments = ("--mesh", "data=4,model=2", "--shape", "16,16", "--code")

    assert "axis_types=" in mesh(*arguments)[1]
    assert "axis_types=" not in mesh(*arguments, "--jax", "0.4.38")[1]


def test_a_machine_adds_its_grid_and_its_memory(mesh):
    code, out, _ = mesh(
        "--mesh", "data=8,model=8", "--shape", "64,64", "--spec", "data,model", "--topology", "v5p:4x4x4"
    )

    assert code == FINE
    assert "✗ jax.make_mesh refuses (8, 8) on v5p:4x4x4 (NotImplementedError):\n" in out
    assert out.endswith("256 B on each device, less than 0.01 % of its 95.73 GiB\n")


def test_a_mesh_alone_is_drawn_and_measured_against_the_machine(mesh):
    code, out, _ = mesh("--mesh", "data=4,model=2", "--topology", "devices:4")

    assert code == BAD_NEWS
    assert out.endswith("✗ the mesh data=4,model=2 needs 8 devices, but there are 4\n")
    assert mesh("--mesh", "data=4,model=2")[0] == FINE


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("--shape", "4"), "the following arguments are required: --mesh; see xla-museum mesh --help"),
        (("--mesh", "data"), "mesh 'data': 'data' is no name=size, as in data=4"),
        (("--mesh", "a=2", "--shape", "x"), "shape 'x': 'x' is no whole number, as in 16,16"),
        (
            ("--mesh", "a=2", "--shape", "2", "--spec", "P(a)"),
            "spec 'P(a)': a is no entry: an axis name in quotes, a tuple of them, None or P.UNCONSTRAINED",
        ),
        (("--mesh", "a=2", "--spec", "a"), "--shape is given 0 and --spec 1 times: give one of each for an array"),
        (
            ("--mesh", "a=2", "--shape", "2", "--dtype", "int8", "--dtype", "int8"),
            "--dtype is given 2 times: give one for all arrays or one for each",
        ),
        (
            ("--mesh", "a=2", "--shape", "2", "--dtype", "q"),
            "'q' is no dtype of JAX, as in float32, bfloat16, int8 or float8_e4m3fn",
        ),
        (("--mesh", "a=2", "--topology", "v5e"), "'v5e': v5e slices have 2 dimensions, as in v5e:4x4"),
        (("--mesh", "a=2", "--svg", "-"), "--svg needs an array: give --shape"),
        (("--mesh", "a=2", "--json", "--code"), "give one of --json, --code, --svg and --png"),
        (("--mesh", "a=2", "--png", "-"), "--png needs an array: give --shape"),
        (
            ("--mesh", "a=2", "--shape", "2", "--png", "-"),
            "--png is painted by the window's part of the museum, which is not there; take --svg",
        ),
        (
            ("--mesh", "a=2", "--shape", "2", "--svg", "/nowhere/x.svg"),
            "/nowhere/x.svg cannot be written: No such file or directory",
        ),
        (
            ("--mesh", "a=2", "--code", "--svg", "-"),
            "argument --svg: not allowed with argument --code; see xla-museum mesh --help",
        ),
    ],
)
def test_wrong_use_is_one_line(mesh, arguments, line):
    code, out, err = mesh(*arguments)

    assert (code, out, err) == (WRONG_USE, "", f"xla-museum: {line}\n")

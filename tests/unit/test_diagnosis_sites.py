"""A message leads to the place that makes it: whole, cut, a piece of it, with more round it, or by a frame alone."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from museum.diagnosis.alignment import piece, whole
from museum.diagnosis.cpp_sites import load_cpp_sites
from museum.diagnosis.site_index import RaiseSite, SiteIndex, load_index, shown
from museum.diagnosis.site_search import FrameAt, find_sites
from museum.diagnosis.sites import shipped_index
from museum.diagnosis.source import SourceLines, github_url, lines_around
from museum.errors import MuseumError

TEMPLATES = [
    ("Number of devices ", "len(devices)", " must equal the product of mesh_shape ", "mesh_shape", ""),
    ("Number of slices ", "slices", " must equal the product of dcn_mesh_shape ", "shape", ""),
    ("One of ", "what", " is incompatible with its sharding annotation ", "s", ": ", "e", ""),
    ("Sharding ", "self", " is only valid for values of rank at least ", "rank", ", but was applied to a value", ""),
    ("", "msg", "\n\nwhile checking jaxpr:\n\n", "jaxpr", ""),
    ("cond branch 0 takes ", "n", " inputs, branch ", "i", " takes ", "m", ""),
]
TEMPLATES[3] = (*TEMPLATES[3][:4], ", but was applied to a value of rank ", "other", "")


def index(*extra: RaiseSite) -> SiteIndex:
    sites = [
        RaiseSite("raise", "ValueError", f"jax/_src/file{number}.py", 10 + number, f"function{number}", (number,))
        for number in range(len(TEMPLATES))
    ]
    return SiteIndex("9.9", "", [*sites, *extra], TEMPLATES)


def best(message: str, error: str = "ValueError", frames: tuple[FrameAt, ...] = (), of: SiteIndex | None = None) -> str:
    hits = find_sites(of or index(), message, error, frames)
    return hits[0].site.function if hits else ""


def test_the_whole_message() -> None:
    hit = find_sites(index(), "Number of devices 8 must equal the product of mesh_shape (2, 2)", "ValueError")[0]
    assert hit.site.function == "function0"
    assert hit.alignment is not None
    assert hit.alignment.is_whole
    assert hit.same_class is True


def test_words_decide_between_templates_that_look_alike() -> None:
    assert best("Number of slices 8 must equal the product of dcn_mesh_shape (2, 2)") == "function1"


@pytest.mark.parametrize(
    "part",
    [
        "Number of devices 8 must equal the product",
        "must equal the product of mesh_shape (2,",
        "es 8 must equal the product of mesh_sh",
        "log: Number of devices 8 must equal the product of mesh_shape (2, 2)",
    ],
)
def test_a_part_or_more(part: str) -> None:
    assert best(part, "") == "function0"


def test_line_breaks_do_not_matter() -> None:
    assert best("Number of devices 8\n   must equal the\nproduct of mesh_shape (2, 2)") == "function0"


def test_who_caught_an_error_and_raised_again_wins_over_who_raised_first() -> None:
    inner = "Sharding S is only valid for values of rank at least 4, but was applied to a value of rank 2"
    assert best(inner) == "function3"
    assert best(f"One of jit arguments is incompatible with its sharding annotation S: {inner}") == "function2"
    told = "cond branch 0 takes 0 inputs, branch 1 takes 1"
    assert best(told) == "function5"
    assert best(f"{told}\n\nin equation: a\n\nwhile checking jaxpr:\n\n{{ lambda ; . }}") == "function4"


def test_the_class_decides_between_twins() -> None:
    twin = RaiseSite("raise", "TypeError", "jax/_src/twin.py", 1, "twin", (0,))
    message = "Number of devices 8 must equal the product of mesh_shape (2, 2)"
    assert best(message, "TypeError", of=index(twin)) == "twin"
    assert best(message, "ValueError", of=index(twin)) == "function0"


def test_a_frame_decides_whatever_the_message_says() -> None:
    frame = FrameAt("jax/_src/file1.py", 11, "function1")
    assert best("Number of devices 8 must equal the product of mesh_shape (2, 2)", frames=(frame,)) == "function1"
    assert best("nothing that anybody says", frames=(frame,)) == "function1"
    elsewhere = FrameAt("jax/_src/file1.py", 99, "function1")  # another version, another line
    assert find_sites(index(), "no such", "ValueError", (elsewhere,))[0].by_frame == "function"


def test_nothing_fits() -> None:
    assert find_sites(index(), "cannot open the door") == []
    assert find_sites(index(), "") == []


@given(
    st.lists(st.text(alphabet="abc (),'", max_size=12), min_size=2, max_size=2), st.integers(0, 40), st.integers(1, 60)
)
def test_any_filling_is_recognised_and_any_piece_accounted_for(values: list[str], start: int, size: int) -> None:
    runs = index().runs[0]
    message = " ".join(f"{runs[0]}{values[0]}{runs[1]}{values[1]}{runs[2]}".split())
    made = whole(tuple(" ".join(run.split()) for run in runs), message)
    cut = message[start : start + size]
    for number, run in enumerate(runs):
        for word in run.split():
            if word in cut:
                found = piece(runs, cut, number, run.index(word), cut.index(word))
                assert 0 <= found.covered <= len(cut)
                assert found.covered + found.strange <= len(cut)
    assert made is None or made.is_whole


@given(st.text(max_size=400))
def test_never_raises(message: str) -> None:
    find_sites(SHIPPED, message, "ValueError")


SHIPPED = shipped_index()


def test_the_shipped_index_is_that_of_the_newest_jax() -> None:
    assert SHIPPED.jax == "0.12.0.1"
    assert len(SHIPPED.sites) > 6_000
    assert not any("_gen" in site.file or site.file.endswith("_pb2.py") for site in SHIPPED.sites)
    hit = find_sites(
        SHIPPED, "Resource axis: batch of P('batch',) is not found in mesh: ('data', 'model').", "ValueError"
    )[0]
    assert hit.site.file == "jax/_src/named_sharding.py"


def test_damaged_and_foreign_files_are_named(tmp_path: Path) -> None:
    file = tmp_path / "index.json.gz"
    with pytest.raises(MuseumError, match=r"index\.json\.gz: .* cannot be read"):
        load_index(file)
    file.write_bytes(b"no gzip")
    with pytest.raises(MuseumError, match=r"index\.json\.gz"):
        load_index(file)
    file.write_bytes(gzip.compress(b'{"format":'))
    with pytest.raises(MuseumError, match="damaged"):
        load_index(file)
    document = {"format": 99, "jax": "", "digest": "", "files": [], "errors": [], "functions": [], "templates": []}
    file.write_bytes(gzip.compress(json.dumps({**document, "importers": [], "sites": []}).encode()))
    with pytest.raises(MuseumError, match="format 99"):
        load_index(file)


def test_templates_are_shown_with_their_holes() -> None:
    assert shown(TEMPLATES[0]) == "Number of devices {len(devices)} must equal the product of mesh_shape {mesh_shape}"


def test_known_sites_in_cpp() -> None:
    known = load_cpp_sites()
    family = known.by_code("E1000")
    assert family is not None
    assert family.name == "CompileTimeHbmOom"
    message = (
        "RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space vmem. "
        "Used 59.79M of 16.00M vmem. Exceeded vmem capacity by 43.79M."
    )
    assert known.known[find_sites(known.index, message)[0].site.line].name == "vmem of the chip exceeded"
    codes = [one.code for one in known.known if one.code]
    assert len(codes) == len(set(codes)) == 12


def test_source_lines_and_address(tmp_path: Path) -> None:
    (tmp_path / "jax").mkdir()
    (tmp_path / "jax" / "a.py").write_text("\n".join(f"line {number}" for number in range(1, 21)))
    found = lines_around(tmp_path, "jax/a.py", 3)
    assert found is not None
    assert (found.start, found.lines[2]) == (1, "line 3")
    assert lines_around(tmp_path, "jax/a.py", 21) is None
    assert lines_around(tmp_path, "jax/a.py", 20) == SourceLines(14, tuple(f"line {one}" for one in range(14, 21)))
    (tmp_path / "jax" / "odd.py").write_bytes(b"one\x0c\r\ntwo \xff\n")  # a form feed ends no line of Python's
    assert lines_around(tmp_path, "jax/odd.py", 2) == SourceLines(1, ("one\x0c", "two \ufffd"))
    assert lines_around(tmp_path, "jax/odd.py", 3) is None
    assert lines_around(tmp_path, "jax/b.py", 1) is None
    assert lines_around(tmp_path, "../jax/a.py", 1) is None
    assert (
        github_url("0.10.2", "jax/_src/api.py", 7)
        == "https://github.com/jax-ml/jax/blob/jax-v0.10.2/jax/_src/api.py#L7"
    )
    assert github_url("0.10.2", "jaxlib/mlir/ir.py", 7) == ""
    assert github_url("", "jax/_src/api.py", 7) == ""

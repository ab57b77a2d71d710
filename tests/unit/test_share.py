"""What others get to see of a run."""

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from museum.lab.environments import Environment, EnvironmentKind
from museum.lab.header import wanted_target
from museum.lab.outcome import Output, RaisedException, RunOutcome, RunStatus
from museum.lab.protocol import Frame, Versions
from museum.lab.target import Target
from museum.markdown import fenced, plain, shortened, spanned
from museum.scrub import Private
from museum.share import SharedRun, as_script, bug_report

ANN = Private(("/home/ann",), ("annlee",), ("box-7",), ())
ENVIRONMENT = Environment("own", EnvironmentKind.OWN, Path("/x/python"), "3.11.7", "0.10.2", "0.10.2", "0.0.42")
CODE = """\
# museum: target=cpu:8
import jax

path = "/home/ann/data/rows.npy"
def f(x):
    return jax.nope(x)


f(
    path
)
print("never")

print("reached")
"""
TRACEBACK = 'Traceback (most recent call last):\n  File "/home/ann/code/snippet.py", line 10, in <module>\nboom\n'
FRAMES = (Frame("/home/ann/code/snippet.py", 10, "<module>", True), Frame("/home/ann/code/snippet.py", 6, "f", True))


def outcome(status: RunStatus = RunStatus.FAILED, **values: object) -> RunOutcome:
    known = {
        "exception": RaisedException("jax._src.NopeError", "annlee has `no` f\nsecond", FRAMES, (), 6),
        "stderr": Output(TRACEBACK.encode()),
        "versions": Versions("0.10.2", "0.10.2", 8, "cpu"),
    }
    return RunOutcome(status, 1, "own", "cpu:8", **{**known, **values})


def report(outcome: RunOutcome, code: str = CODE, variables: dict[str, str] | None = None) -> str:
    return bug_report(SharedRun.of(code, outcome, ENVIRONMENT, ("--rows", "a b"), variables or {}), ANN)


def test_a_report_has_all_that_a_maintainer_asks_for() -> None:
    text = report(outcome(), variables={"XLA_FLAGS": "--xla_dump_to=/home/ann/d/e", "HF_TOKEN": "abc"})
    assert text.startswith(
        "## jax.\\_src.NopeError: user has \\`no\\` f\n\n### To reproduce\n\n```python\nimport jax\n"
    )
    assert 'File "snippet.py", line 10, in <module>\nboom\n' in text
    for line in (
        'path = ".../rows.npy"\n',
        "(2 lines after the failing statement left out: the run does not come to them.)",
        "python snippet.py --rows 'a b'",
        "--xla_force_host_platform_device_count=8 --xla_dump_to=.../e",
        "It ends with an exception.",
        "| JAX | 0.10.2 |",
        "| jaxlib | 0.10.2 |",
        "| libtpu | 0.0.42 |",
        "| Python | 3.11.7 |",
        "| Devices | 8 fake CPU devices (8 of platform cpu) |",
        "| `HF_TOKEN` | `<secret>` |",
        "| `JAX_PLATFORMS` | `cpu` |",
    ):
        assert line in text
    for private in ("annlee", "/home", "never", "reached", "abc", "museum"):
        assert private not in text


def test_what_is_left_of_the_snippet_is_python_that_fails_at_the_same_place() -> None:
    code = report(outcome()).partition("```python\n")[2].partition("```")[0]
    assert ast.parse(code).body[-1].lineno == 8  # the header is gone
    assert code.endswith("f(\n    path\n)\n")


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (outcome(RunStatus.OK, exception=None, stderr=Output(), stdout=Output(b"wrong\n")), "It runs to its end."),
        (outcome(RunStatus.CRASHED, exception=None, stderr=Output(b"F1130 dead\n")), "The process dies."),
        (outcome(RunStatus.TIMED_OUT, exception=None, detail="more than 5 s"), "more than 5 s"),
        (outcome(RunStatus.FAILED, exception=None), "It ends with a status other than 0."),
        (outcome(RunStatus.OUT_OF_MEMORY, exception=None), "It ends: out of memory."),
    ],
)
def test_every_way_to_end_is_told_and_keeps_the_whole_snippet(run: RunOutcome, words: str) -> None:
    text = report(run)
    assert words in text
    assert 'print("reached")' in text


def test_the_snippet_stays_whole_where_the_place_is_not_known() -> None:
    assert 'print("reached")' in report(outcome(), code="def broken(:\n" + CODE)
    joined = SharedRun("x = 1\nboom()\nprint(3)\n", "cpu:2x4", "failed", "E", ended_in=2)
    assert "print(3)" in bug_report(joined, ANN)
    assert "# 2 processes of 4 fake CPU devices, joined" in bug_report(joined, ANN)


def test_a_long_report_still_fits_a_tracker() -> None:
    flood = Output(("x" * 100 + "\n").encode() * 50_000)
    text = report(outcome(stderr=flood, stdout=flood), code="y = 10\n" * 30_000)
    assert len(text) < 65_536
    assert text.count("characters left out …") == 2


@given(st.text())
def test_no_text_ends_its_fence(text: str) -> None:
    block = fenced(text)
    fence = block.partition("\n")[0]
    assert block.endswith("\n" + fence)
    assert fence not in text
    assert set(fence) == {"`"}


@given(st.text())
def test_cells_stay_cells(text: str) -> None:
    for cell in (spanned(text), plain(text)):
        assert "\n" not in cell
        assert "|" not in cell.replace("\\|", "")


@given(st.text(), st.integers(1, 9), st.integers(1, 99))
def test_what_is_short_is_whole(text: str, lines: int, characters: int) -> None:
    left = shortened(text, lines, characters)
    if len(text.splitlines()) <= lines and len(text) <= characters:
        assert left == text
    assert len(left) <= max(characters + 60, 0)


# -- scripts -----------------------------------------------------------------------------------------------------------

TARGETS = st.sampled_from(["cpu:1", "cpu:8", "cpu:2x4", "local", "tpu-compile"]).map(Target.parse)


@pytest.mark.parametrize(
    ("code", "saved"),
    [
        ("x = 1\n", "# museum: target=cpu:4\nx = 1\n"),
        ("# museum: target=cpu:8\nx = 1\n", "# museum: target=cpu:4\nx = 1\n"),
        ("# Mine.\n#museum: target=cpu:8\n\nx = 1", "# museum: target=cpu:4\n# Mine.\n\nx = 1"),
        (
            "#!/usr/bin/env python\n# -*- coding: latin-1 -*-\n# Mine.\n",
            "#!/usr/bin/env python\n# -*- coding: latin-1 -*-\n# museum: target=cpu:4\n# Mine.\n",
        ),
        ("", "# museum: target=cpu:4\n"),
        ("x = '''\n# museum: target=cpu:8\n'''\n", "# museum: target=cpu:4\nx = '''\n# museum: target=cpu:8\n'''\n"),
    ],
)
def test_the_header_stands_where_it_is_read(code: str, saved: str) -> None:
    assert as_script(code, Target.cpu(4)) == saved


def test_how_it_was_run_is_told_without_secrets() -> None:
    script = as_script("x = 1\n", Target.cpu(4), ("--rows", "a b"), {"XLA_FLAGS": "--a=1", "MY_TOKEN": "abc"})
    assert script == (
        "# museum: target=cpu:4\n# run as: XLA_FLAGS=--a=1 MY_TOKEN='<secret>' python <this file> --rows 'a b'\nx = 1\n"
    )
    assert as_script(script, Target.cpu(4)) == "# museum: target=cpu:4\nx = 1\n"


LINES = st.sampled_from(
    ["", "#", "# museum: target=cpu:2", "# museum: nonsense", "#!sh", "# coding: utf-8", "x = 1", " # y", "# run as: z"]
)


@given(st.one_of(st.text(), st.lists(LINES, max_size=30).map("\n".join)), TARGETS)
def test_a_saved_script_is_read_back(code: str, target: Target) -> None:
    script = as_script(code, target)
    assert wanted_target(script) == target
    assert as_script(script, target) == script

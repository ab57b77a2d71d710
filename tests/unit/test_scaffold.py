"""A new exhibit: what its run told is written down, and what is left to write is named."""

import tomllib
from pathlib import Path

import pytest

from museum.catalog import load_catalog
from museum.errors import MuseumError
from museum.exhibit import OutcomeKind
from museum.lab.outcome import Output, RaisedException, RunOutcome, RunStatus
from museum.scaffold import kind_of, scaffold, telling_pieces

SCRIPT = "rows = 10\nraise ValueError(rows)\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    wing = tmp_path / "mesh"
    wing.mkdir()
    (wing / "wing.toml").write_text('title = "Mesh"\nposition = 1\nexhibits = []\nintro = "Of meshes."\n')
    return tmp_path


def outcome(
    status: RunStatus = RunStatus.FAILED, out: str = "", err: str = "", raised: RaisedException | None = None
) -> RunOutcome:
    return RunOutcome(
        status, 1, "own", "cpu:8", raised, stdout=Output(out.encode()), stderr=Output(err.encode()), detail="no room"
    )


RAISED = outcome(raised=RaisedException("ValueError", "10 rows do not divide by 4\nmore", (), (), 2))


def test_what_the_run_told_is_filled_in_and_the_rest_is_named(root: Path) -> None:
    folder = scaffold("mesh/odd-rows", SCRIPT, RAISED, "0.10.2", root)
    facts = tomllib.loads((folder / "exhibit.toml").read_text())
    assert facts["kind"] == "raises"
    assert (facts["targets"], facts["jax"]) == (["cpu:8"], ["0.10.2"])
    assert facts["expect"] == [{"class": "ValueError", "says": ["10 rows do not divide by 4"], "fix_prints": []}]
    assert (folder / "failing.py").read_text() == SCRIPT
    assert tomllib.loads((root / "mesh/wing.toml").read_text())["exhibits"] == ["odd-rows"]
    assert [str(problem) for problem in load_catalog(root).problems] == [
        "mesh/odd-rows/placard.md: What it means: nothing is written under it",
        "mesh/odd-rows/placard.md: When you meet it: nothing is written under it",
        "mesh/odd-rows/placard.md: Ways out: nothing is written under it",
        "mesh/odd-rows/exhibit.toml: title: must not be empty",
        "mesh/odd-rows/fix.py: is the same as failing.py",
    ]


def test_once_written_it_opens(root: Path) -> None:
    folder = scaffold("mesh/odd-rows", SCRIPT, RAISED, "0.10.2", root)
    facts = folder / "exhibit.toml"
    facts.write_text(facts.read_text().replace('title = ""', 'title = "Odd rows"'))
    (folder / "fix.py").write_text("print(12)\n")
    placard = "## What it means\n\nIt.\n\n## When you meet it\n\n- Now.\n\n## Ways out\n\n1. Pad.\n\n## See also\n"
    (folder / "placard.md").write_text(placard)
    catalog = load_catalog(root)
    assert catalog.problems == ()
    assert [exhibit.id for exhibit in catalog.exhibits] == ["mesh/odd-rows"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("exhibits = []", 'exhibits = ["new"]'),
        ('exhibits = ["a"]', 'exhibits = ["a", "new"]'),
        ('exhibits = ["a", "b",]', 'exhibits = ["a", "b", "new"]'),
        ('exhibits = [\n    "a",\n    "b",\n]', 'exhibits = [\n    "a",\n    "b",\n    "new"\n]'),
        ('exhibits = [\n    "a"\n]', 'exhibits = [\n    "a",\n    "new"\n]'),
    ],
)
def test_the_wing_lists_it_last_and_keeps_its_form(root: Path, before: str, after: str) -> None:
    file = root / "mesh/wing.toml"
    text = file.read_text()
    file.write_text(text.replace("exhibits = []", before))
    scaffold("mesh/new", SCRIPT, RAISED, "0.10.2", root)
    assert file.read_text() == text.replace("exhibits = []", after)


@pytest.mark.parametrize(
    ("run", "kind"),
    [
        (RAISED, OutcomeKind.RAISES),
        (outcome(RunStatus.TIMED_OUT, out="step 0"), OutcomeKind.HANGS),
        (outcome(RunStatus.CRASHED, err="F1130 unknown flag"), OutcomeKind.ABORTS),
        (outcome(RunStatus.FAILED, err="unknown flag"), OutcomeKind.ABORTS),
        (outcome(RunStatus.OK, out="shard (8, 16)", err="a warning"), OutcomeKind.WARNS),
        (outcome(RunStatus.OK, out="shard (8, 16)"), OutcomeKind.SILENT),
    ],
)
def test_the_kind_is_told_by_the_run(run: RunOutcome, kind: OutcomeKind, root: Path) -> None:
    assert kind_of(run) is kind
    folder = scaffold("mesh/new", SCRIPT, run, "0.10.2", root)
    assert tomllib.loads((folder / "exhibit.toml").read_text())["kind"] == str(kind)


@pytest.mark.parametrize(
    ("run", "line"),
    [
        (outcome(RunStatus.NOT_STARTED), "the script cannot be run: no room"),
        (
            outcome(RunStatus.OK),
            "the script runs to its end and prints nothing; let it print the fact that gives the failure away",
        ),
    ],
)
def test_a_run_that_shows_no_failure_makes_no_exhibit(run: RunOutcome, line: str, root: Path) -> None:
    with pytest.raises(MuseumError) as caught:
        scaffold("mesh/new", SCRIPT, run, "0.10.2", root)
    assert str(caught.value) == line
    assert not (root / "mesh/new").exists()


@pytest.mark.parametrize(
    ("name", "words"),
    [("mesh", "an id is wing/slug"), ("mesh/Odd rows", "an id is wing/slug"), ("mash/odd", "did you mean mesh?")],
)
def test_an_id_that_cannot_be_is_told_so(name: str, words: str, root: Path) -> None:
    with pytest.raises(MuseumError, match=words.replace("?", r"\?")):
        scaffold(name, SCRIPT, RAISED, "0.10.2", root)


def test_what_is_there_is_not_touched(root: Path) -> None:
    folder = scaffold("mesh/new", SCRIPT, RAISED, "0.10.2", root)
    (folder / "failing.py").write_text("mine")
    with pytest.raises(MuseumError, match="mesh/new is there already"):
        scaffold("mesh/new", SCRIPT, RAISED, "0.10.2", root)
    assert (folder / "failing.py").read_text() == "mine"


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("10 rows do not divide by 4\nmore", ("10 rows do not divide by 4",)),
        (
            "the mesh <Mesh at 0x7f00aa> is not the one of id=12, says the context",
            ("the mesh <Mesh at", "> is not the one of", ", says the context"),
        ),
        ("at /tmp/x/snippet.py:12:8 the size is 10", ("the size is 10",)),
        ("short", ("short",)),
        ("", ()),
    ],
)
def test_a_promise_is_made_of_what_stays_the_same(text: str, pieces: tuple[str, ...]) -> None:
    assert telling_pieces(text) == pieces

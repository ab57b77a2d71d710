"""The visitor's own wing: kept runs open at once, and what others made is not run before it was agreed to."""

import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from museum.catalog import Catalog, load_catalog
from museum.errors import MuseumError
from museum.exhibit import Exhibit, Half, Origin, OutcomeKind
from museum.incoming import IncomingError
from museum.keeping import Kept, keep, save_folder, title_of
from museum.lab.environments import Environment, EnvironmentKind
from museum.lab.outcome import Output, RaisedException, RunOutcome, RunStatus
from museum.mine import give_out, is_mine, load_mine, my_root, remove, take_in, trust, with_mine

ENVIRONMENT = Environment("own", EnvironmentKind.OWN, Path("/x/python"), "3.11.7", "0.10.2", "0.10.2")
CODE = "rows = 10\nraise ValueError(rows)\n"


def outcome(
    status: RunStatus = RunStatus.FAILED, out: str = "", err: str = "", error: str = "", message: str = ""
) -> RunOutcome:
    raised = RaisedException(error, message, (), (), 2) if error else None
    return RunOutcome(status, 1, "own", "cpu:8", raised, stdout=Output(out.encode()), stderr=Output(err.encode()))


RAISED = outcome(error="ValueError", message="10 rows do not divide by 4.\nmore")


def ids() -> list[str]:
    return [exhibit.id for exhibit in load_mine().catalog.exhibits]


def keep_run(code: str, outcome: RunOutcome, environment: Environment, **words: Any) -> str:
    return keep(Kept(code, outcome, environment, **words))


def kept(title: str = "") -> Exhibit:
    name = keep_run(CODE, RAISED, ENVIRONMENT, title=title)
    return load_mine().catalog.exhibit(name)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """An exhibit's folder as others send it."""
    mine = kept()
    folder = give_out(mine, my_root(), tmp_path / "odd-rows")
    remove(mine.id)
    return folder


def test_there_is_no_wing_before_anything_is_kept() -> None:
    assert load_mine().catalog == Catalog(())
    assert not my_root().exists()


def test_a_kept_run_opens_at_once_with_its_capture() -> None:
    name = keep_run(CODE, RAISED, ENVIRONMENT, tags=("My tag", "rows"))
    mine = load_mine()
    assert (name, mine.catalog.problems, mine.untrusted) == ("mine/10-rows-do-not-divide-by-4", (), {})
    exhibit = mine.catalog.exhibit(name)
    assert exhibit.title == "10 rows do not divide by 4"
    assert exhibit.facts.tags == ("my-tag", "rows")
    assert exhibit.scripts[Half.FAILING] == CODE
    assert exhibit.scripts[Half.FIX].endswith(CODE)
    capture = exhibit.capture_for("0.10.2")
    assert capture is not None
    assert (capture.error, capture.message, capture.line) == ("ValueError", "10 rows do not divide by 4.\nmore", 2)
    assert "10 rows do not divide by 4" in exhibit.placard.what_it_means
    mine.refuse_untrusted([exhibit])


@pytest.mark.parametrize(
    ("run", "code", "kind"),
    [
        (outcome(RunStatus.OK, out="shard (8, 16)\n"), "print(1)\n", OutcomeKind.SILENT),
        (outcome(RunStatus.OK, out="x", err="a warning\n"), "print(1)\n", OutcomeKind.WARNS),
        (outcome(RunStatus.CRASHED, err="F1130 dead\n"), "print(1)\n", OutcomeKind.ABORTS),
        (outcome(RunStatus.TIMED_OUT), "print(1)\n", OutcomeKind.HANGS),
        (outcome(error="ValueError"), "x = 1\n", OutcomeKind.RAISES),
        (outcome(error="SyntaxError", message="invalid syntax"), "def f(:\n", OutcomeKind.RAISES),
        (outcome(error="__main__.Odd", message="```\n# heading\n<b>"), "x = 1\n", OutcomeKind.RAISES),
        (outcome(error="ValueError", message="…. . ."), "x = 1", OutcomeKind.RAISES),
    ],
)
def test_every_kind_of_failure_can_be_kept(run: RunOutcome, code: str, kind: OutcomeKind) -> None:
    name = keep_run(code, run, ENVIRONMENT)
    mine = load_mine()
    assert mine.catalog.problems == ()
    assert mine.catalog.exhibit(name).facts.kind is kind


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (outcome(RunStatus.OK), "runs to its end and prints nothing"),
        (outcome(RunStatus.NOT_STARTED), "cannot be run"),
        (outcome(RunStatus.FAILED), "without a word on stderr"),
        (outcome(error="f.<locals>.Odd", message="odd"), "not the dotted name of a class"),
    ],
)
def test_what_does_not_become_an_exhibit_is_told_and_leaves_nothing(run: RunOutcome, words: str) -> None:
    with pytest.raises(MuseumError, match=words):
        keep_run(CODE, run, ENVIRONMENT)
    assert ids() == []


def test_the_same_run_twice_gets_a_number() -> None:
    assert [keep_run(CODE, RAISED, ENVIRONMENT, title="Odd rows.") for _ in range(3)] == [
        "mine/odd-rows",
        "mine/odd-rows-2",
        "mine/odd-rows-3",
    ]
    assert len(ids()) == 3
    remove("mine/odd-rows-2")
    assert ids() == ["mine/odd-rows", "mine/odd-rows-3"]


def test_a_title_is_one_short_line() -> None:
    title = title_of(outcome(error="E", message="word " * 100))
    assert len(title) <= 90
    assert title_of(RAISED, " Mine,\n all mine. ") == "Mine, all mine"


def test_the_collection_ends_with_the_wing() -> None:
    keep_run(CODE, RAISED, ENVIRONMENT)
    whole = with_mine(load_catalog(check=False), load_mine(check=False))
    assert whole.wings[-1].id == "mine"
    assert is_mine(whole.exhibits[-1].id)


# -- from others -------------------------------------------------------------------------------------------------------


def test_what_others_made_is_not_trusted_and_not_proven(package: Path) -> None:
    assert take_in(package) == ("mine/odd-rows",)
    mine = load_mine()
    exhibit = mine.catalog.exhibit("mine/odd-rows")
    assert mine.imported == {"mine/odd-rows": "odd-rows"}
    assert [capture.origin for capture in exhibit.captures] == [Origin.REPORTED]
    assert exhibit.capture_for("0.10.2") is None
    with pytest.raises(MuseumError, match=r"never agreed to; read it, then: xla-museum mine trust mine/odd-rows"):
        mine.refuse_untrusted(mine.catalog.exhibits)


def test_agreeing_holds_until_a_script_changes(package: Path) -> None:
    take_in(package)
    trust(load_mine().catalog.exhibit("mine/odd-rows"))
    assert load_mine().untrusted == {}
    assert load_mine().imported
    script = my_root() / "mine/odd-rows/fix.py"
    before = script.read_text()
    script.write_text(before + "import os\n")
    assert load_mine().untrusted == {"mine/odd-rows": "its scripts have changed since you agreed to them"}
    script.write_text(before)
    assert load_mine().untrusted == {}


def test_agreeing_is_to_what_was_seen(package: Path) -> None:
    take_in(package)
    seen = load_mine().catalog.exhibit("mine/odd-rows")
    (my_root() / "mine/odd-rows/failing.py").write_text("import os\n")
    trust(seen)
    assert "mine/odd-rows" in load_mine().untrusted


@pytest.mark.parametrize("damage", ["", "{", '{"own": 3}', "[]"])
def test_a_damaged_list_makes_everything_ask_again(package: Path, damage: str) -> None:
    own = keep_run(CODE, RAISED, ENVIRONMENT)
    take_in(package)
    trust(load_mine().catalog.exhibit("mine/odd-rows"))
    (my_root() / ".trust.json").write_text(damage)
    assert set(load_mine().untrusted) == {own, "mine/odd-rows"}


def test_what_was_put_there_by_hand_is_not_trusted(package: Path) -> None:
    take_in(package)
    shutil.copytree(package, my_root() / "mine/by-hand")
    wing = my_root() / "mine/wing.toml"
    wing.write_text(wing.read_text().replace('"odd-rows"', '"odd-rows", "by-hand"'))
    assert set(load_mine().untrusted) == {"mine/odd-rows", "mine/by-hand"}


def test_a_removed_exhibit_leaves_no_trust_behind(package: Path) -> None:
    take_in(package)
    trust(load_mine().catalog.exhibit("mine/odd-rows"))
    remove("mine/odd-rows")
    assert not (my_root() / "mine/odd-rows").exists()
    take_in(package)
    assert set(load_mine().untrusted) == {"mine/odd-rows"}


@pytest.mark.parametrize("name", ["mine/none", "xla/unknown-axis", "mine/..", "mine/../x", "", "mine/"])
def test_only_what_is_there_and_mine_is_removed_or_agreed_to(name: str) -> None:
    keep_run(CODE, RAISED, ENVIRONMENT)
    with pytest.raises(MuseumError):
        remove(name)
    assert len(ids()) == 1
    assert my_root().exists()


def test_a_zip_goes_out_and_comes_in_again(tmp_path: Path) -> None:
    own = kept("Odd")
    first = give_out(own, my_root(), tmp_path / "a.zip").read_bytes()
    assert give_out(own, my_root(), tmp_path / "b.zip").read_bytes() == first
    assert take_in(tmp_path / "a.zip") == ("mine/odd-2",)
    again = load_mine().catalog.exhibit("mine/odd-2")
    assert (again.scripts, again.title) == (own.scripts, own.title)
    with pytest.raises(MuseumError, match="is there already"):
        give_out(own, my_root(), tmp_path / "a.zip")


def test_an_exhibit_of_the_collection_goes_out_into_a_folder(tmp_path: Path) -> None:
    from museum.catalog import collection_root

    exhibit = load_catalog(check=False).exhibit("xla/unknown-axis")
    folder = give_out(exhibit, collection_root(), tmp_path)
    assert folder == tmp_path / "unknown-axis"
    assert take_in(folder) == ("mine/unknown-axis",)
    shown = load_mine().catalog.exhibit("mine/unknown-axis")
    assert shown.facts.sources == ()
    with pytest.raises(MuseumError, match="is there already"):
        give_out(exhibit, collection_root(), tmp_path)


def test_several_come_in_together_or_not_at_all(package: Path, tmp_path: Path) -> None:
    both = tmp_path / "both"
    shutil.copytree(package, both / "One")
    shutil.copytree(package, both / "two")
    assert take_in(both) == ("mine/one", "mine/two")
    (both / "two/exhibit.toml").write_text("title = 3\n")
    (both / "One/placard.md").write_text("nothing")
    with pytest.raises(IncomingError) as caught:
        take_in(both)
    faults = "\n".join(caught.value.faults)
    assert "two/exhibit.toml: title: must be text in quotes, not 3" in faults
    assert "one/placard.md: " in faults
    assert ids() == ["mine/one", "mine/two"]
    assert [path.name for path in my_root().iterdir() if path.name.startswith((".incoming", ".new", ".gone"))] == []


def test_a_home_that_cannot_be_written_is_told(museum_home: Path) -> None:
    museum_home.write_text("a file")
    with pytest.raises(MuseumError, match="cannot be written"):
        keep_run(CODE, RAISED, ENVIRONMENT)


def test_the_wing_file_is_a_zip_without_surprises(tmp_path: Path) -> None:
    own = kept("Odd")
    with zipfile.ZipFile(give_out(own, my_root(), tmp_path / "a.zip")) as archive:
        assert archive.namelist() == [
            f"odd/{name}" for name in ("exhibit.toml", "placard.md", "failing.py", "fix.py", "captures.toml")
        ]


def test_a_run_is_saved_as_a_folder_that_others_can_take_in(tmp_path: Path) -> None:
    folder = save_folder(Kept(CODE, RAISED, ENVIRONMENT, title="Odd"), tmp_path)
    assert folder == tmp_path / "odd"
    assert ids() == []
    assert take_in(folder) == ("mine/odd",)
    with pytest.raises(MuseumError, match="is there already"):
        save_folder(Kept(CODE, RAISED, ENVIRONMENT, title="Odd"), tmp_path)
    with pytest.raises(MuseumError, match="cannot be written"):
        save_folder(Kept(CODE, RAISED, ENVIRONMENT), folder / "fix.py" / "x")


@pytest.mark.parametrize("code", ["x = " + "-" * 200_000 + "1\n", "x" + ".a" * 100_000 + "\n"])
def test_a_script_that_no_parser_can_hold_is_a_problem_and_the_rest_opens(code: str) -> None:
    good, bad = kept(), kept()
    (my_root() / bad.id / "fix.py").write_text(code)
    mine = load_mine()
    assert [exhibit.id for exhibit in mine.catalog.exhibits] == [good.id]
    assert [str(problem) for problem in mine.catalog.problems] == [f"{bad.id}/fix.py: is nested too deeply for Python"]


def test_a_run_of_such_a_script_is_kept_as_far_as_the_format_goes() -> None:
    with pytest.raises(MuseumError, match="nested too deeply"):
        keep_run("x = " + "-" * 200_000 + "1\n", RAISED, ENVIRONMENT)
    assert ids() == []

"""Changes to exhibits of one's own: judged by the loader before they are written, and never made to those of others."""

from pathlib import Path

import pytest

from museum.catalog import load_catalog
from museum.errors import MuseumError
from museum.exhibit import Exhibit, Half
from museum.keeping import Kept, keep
from museum.lab.environments import Environment, EnvironmentKind
from museum.lab.outcome import Output, RaisedException, RunOutcome, RunStatus
from museum.lab.recording import record
from museum.lab.target import Target
from museum.lab.verify import Job, Judged, Result, Verdict
from museum.mine import give_out, load_mine, my_root, remove, take_in
from museum.mine_changes import set_scripts, set_title

ENVIRONMENT = Environment("own", EnvironmentKind.OWN, Path("/x/python"), "3.11.7", "0.10.2", "0.10.2")
RAISED = RunOutcome(
    RunStatus.FAILED, 1, "own", "cpu:8", RaisedException("ValueError", "10 rows do not divide by 4", (), (), 2)
)


@pytest.fixture
def mine() -> Exhibit:
    return read(keep(Kept("rows = 10\nraise ValueError(rows)\n", RAISED, ENVIRONMENT, title="Odd rows")))


def read(name: str) -> Exhibit:
    return load_mine().catalog.exhibit(name)


@pytest.fixture
def others(mine: Exhibit, tmp_path: Path) -> Exhibit:
    give_out(mine, my_root(), tmp_path / "theirs.zip")
    (name,) = take_in(tmp_path / "theirs.zip")
    return read(name)


def test_another_title_leaves_id_and_everything_else(mine: Exhibit) -> None:
    set_title(mine.id, '  Rows that are "odd".\n')
    renamed = read(mine.id)
    assert renamed.title == 'Rows that are "odd"'
    assert (renamed.scripts, renamed.captures, renamed.placard) == (mine.scripts, mine.captures, mine.placard)


def test_the_visitors_text_becomes_the_exhibits(mine: Exhibit) -> None:
    texts = {Half.FAILING: "raise ValueError\n", Half.FIX: "print('ok')\n"}
    set_scripts(mine.id, texts)
    assert read(mine.id).scripts == texts
    assert mine.id not in load_mine().untrusted


def test_what_the_loader_would_not_open_is_not_written(mine: Exhibit) -> None:
    with pytest.raises(MuseumError, match=r"^this cannot be kept so: odd-rows/fix.py"):
        set_scripts(mine.id, {Half.FIX: "def broken(:\n"})
    with pytest.raises(MuseumError, match=r"^this cannot be kept so: odd-rows/exhibit.toml"):
        set_title(mine.id, " ")
    assert read(mine.id) == mine
    assert [path.name for path in my_root().iterdir() if path.name.startswith(".new")] == []


def test_what_others_made_is_not_changed(others: Exhibit) -> None:
    for change in (lambda: set_title(others.id, "Mine now"), lambda: set_scripts(others.id, {Half.FIX: "pass\n"})):
        with pytest.raises(MuseumError, match="was made by others"):
            change()
    assert read(others.id) == others


@pytest.mark.parametrize("name", ["mine/none", "xla/unknown-axis", "mine/../odd-rows"])
def test_only_what_is_there_is_changed(mine: Exhibit, name: str) -> None:
    with pytest.raises(MuseumError):
        set_title(name, "Another")


def test_what_is_removed_lies_aside_each_time(mine: Exhibit, museum_home: Path) -> None:
    first = remove(mine.id)
    again = keep(Kept("raise ValueError(10)\n", RAISED, ENVIRONMENT, title="Odd rows"))
    second = remove(again)
    assert first is not None
    assert second is not None
    assert first != second
    assert first.is_relative_to(museum_home)
    assert (first / "failing.py").read_text() == "rows = 10\nraise ValueError(rows)\n"
    assert (second / "failing.py").read_text() == "raise ValueError(10)\n"
    assert load_mine().catalog.exhibits == ()


def test_a_slug_of_ones_own_is_taken() -> None:
    kept = Kept("raise ValueError(10)\n", RAISED, ENVIRONMENT, title="Odd rows", slug="My Slug!")
    assert keep(kept) == "mine/my-slug"


def test_good_runs_are_recorded_and_others_are_not(mine: Exhibit) -> None:
    passed = RunOutcome(RunStatus.OK, 0, "own", "cpu:8", stdout=Output(b"fine\n"))

    def result(half: Half, verdict: Verdict, outcome: RunOutcome) -> Result:
        return Result(Job(mine, half, "0.10.2", Target.cpu(8), ENVIRONMENT), Judged(verdict), outcome)

    assert not record(mine, [result(Half.FIX, Verdict.FIX_FAILS, passed)], my_root())
    assert record(mine, [result(Half.FIX, Verdict.FIX_PASSES, passed)], my_root())
    recorded = load_catalog(my_root()).exhibit(mine.id)
    assert [(one.half, one.stdout) for one in recorded.captures] == [(Half.FAILING, ""), (Half.FIX, "fine\n")]
    assert not record(recorded, [result(Half.FIX, Verdict.FIX_PASSES, passed)], my_root())

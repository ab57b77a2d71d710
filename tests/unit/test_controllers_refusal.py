"""What others made and nobody agreed to: no way of the exhibit page runs it, prepares it, or takes it elsewhere."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import create_autospec

import msgspec
import pytest
from stand_ins import pretended

from gui.controllers.accounts import mark_of
from gui.controllers.bench_tab import BenchTab
from gui.controllers.code_in_front import NOTHING, CodeInFront
from gui.controllers.exhibits import ExhibitController
from gui.controllers.finished_run import FinishedRun
from gui.controllers.runs import RunController, Wish
from gui.models.catalog_model import CatalogModel
from gui.widgets.exhibit_page import ExhibitPage
from gui.widgets.mesh_panel import MeshPanel
from gui.widgets.reading import Reading
from museum.bench.snippet import Snippet
from museum.catalog import Catalog
from museum.errors import MuseumError
from museum.exhibit import Exhibit, ExhibitFile, Half, OutcomeKind, Placard, Wing
from museum.history import History
from museum.lab.outcome import RaisedException, RunOutcome, RunStatus
from museum.lab.target import Target
from museum.strip import Place

WHY = "Not run: made by others."
FACTS = ExhibitFile("Theirs", OutcomeKind.RAISES, ("cpu:8",), ("0.10.2",), (), ())
THEIRS = Exhibit("mine/theirs", 1, FACTS, Placard("", "", ""), {Half.FAILING: "a\n", Half.FIX: "b\n"}, ())
CATALOG = Catalog((Wing("mine", "My exhibits", "", (THEIRS,)),))
RAISED = RunOutcome(RunStatus.FAILED, 1, "own", "cpu:8", exception=RaisedException("E", "no", ()))


class Room:
    """The controller between pretended views; `why` says why nothing may run."""

    def __init__(self, history: History) -> None:
        self.page, self.history, self.why = pretended(ExhibitPage), history, WHY
        self.said: list[str] = []
        self.runs = create_autospec(RunController, instance=True)
        self.runs.jax, self.runs.versions = "0.10.2", ("0.10.2",)
        self.runs.target, self.runs.environments = Target.cpu(8), ()
        model = CatalogModel(CATALOG, {THEIRS.id: mark_of(THEIRS)})
        panel = create_autospec(MeshPanel, instance=True)
        self.exhibits = ExhibitController(CATALOG, self.page, panel, model, history, self._make, self.said.append)
        self.exhibits.why_not = lambda _: self.why
        self.tab: BenchTab | None = None
        self.half: Half | None = None
        self.shows = True
        self.code = CodeInFront(self.exhibits, lambda: self.tab, lambda: self.shows, lambda: self.half)

    def _make(self, **told: Callable[..., None]) -> Any:
        self.told = told
        return self.runs

    @property
    def expected(self) -> tuple[str, ...]:
        return self.runs.expect.call_args.args[0]

    @property
    def texts(self) -> dict[Half, str]:
        return self.page.show_exhibit.call_args.args[3]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    history = History(tmp_path / "history.sqlite")
    room = Room(history)
    yield room
    history.close()


def test_no_way_of_the_page_runs_it(room: Room) -> None:
    room.exhibits.open(THEIRS)
    for half in Half:
        room.page.run_requested.emit(half)
        room.page.version_requested.emit(Place(half, "cpu:8", "0.10.2"))
    assert not room.runs.start.called
    assert not room.runs.set_jax.called
    assert room.said == [WHY] * 4
    assert room.page.set_refused.call_args.kwargs == {"refused": True}


def test_no_process_is_made_ready_for_it(room: Room) -> None:
    room.exhibits.open(THEIRS)
    assert room.expected == ()
    room.page.text_edited.emit(Half.FIX, "c\n")
    assert room.expected == ()


def test_no_cell_of_its_strip_can_be_run(room: Room) -> None:
    room.exhibits.open(THEIRS)
    strip = room.page.show_readings.call_args.args[2]
    assert not any(cell.can_run for cell in strip.cells.values())
    room.why = ""
    room.exhibits.refresh(THEIRS)
    strip = room.page.show_readings.call_args.args[2]
    assert any(cell.can_run for cell in strip.cells.values())


def test_the_original_is_on_show_until_it_is_agreed_to(room: Room) -> None:
    room.history.keep_draft("mine/theirs fix", "a harmless draft\n")
    room.exhibits.open(THEIRS)
    assert room.texts == THEIRS.scripts
    room.exhibits.bring_back(Half.FIX, "from the history\n")
    assert not room.page.replace_text.called
    room.why = ""
    room.exhibits.refresh(THEIRS)
    assert room.texts[Half.FIX] == "a harmless draft\n"
    assert room.expected == ("a\n", "a harmless draft\n")


def test_it_is_neither_compared_nor_shared(room: Room) -> None:
    room.exhibits.open(THEIRS)
    for ask in (room.code.shared, room.code.compared):
        with pytest.raises(MuseumError, match=f"^{WHY}$"):
            ask()


def test_a_run_ends_where_agreement_ends(room: Room) -> None:
    room.why = ""
    room.exhibits.open(THEIRS)
    room.runs.abandon.reset_mock()
    changed = msgspec.structs.replace(THEIRS, scripts={**THEIRS.scripts, Half.FIX: "other\n"})
    room.why = WHY
    room.exhibits.refresh(changed)
    assert room.runs.abandon.called
    assert room.texts == changed.scripts
    room.page.run_requested.emit(Half.FIX)
    assert not room.runs.start.called


# What is refreshed


def test_a_newer_placard_is_shown_and_the_halves_are_left_alone(room: Room) -> None:
    room.why = ""
    room.exhibits.open(THEIRS)
    room.page.show_exhibit.reset_mock()
    newer = msgspec.structs.replace(THEIRS, placard=Placard("Now it is written.", "", ""))
    room.exhibits.refresh(newer)
    assert room.page.show_placard.call_args.args[0] is newer
    assert not room.page.show_exhibit.called
    room.exhibits.refresh(msgspec.structs.replace(newer, id="mine/another"))
    assert room.exhibits.exhibit is newer


def test_saved_edits_are_edits_no_more_and_nothing_is_opened_anew(room: Room) -> None:
    room.why = ""
    room.exhibits.open(THEIRS)
    room.page.text_edited.emit(Half.FIX, "better\n")
    assert room.exhibits.edited == (Half.FIX,)
    room.page.show_exhibit.reset_mock()
    room.exhibits.refresh(msgspec.structs.replace(THEIRS, scripts={**THEIRS.scripts, Half.FIX: "better\n"}))
    assert room.exhibits.edited == ()
    assert not room.page.show_exhibit.called
    assert room.page.set_edited.call_args == ((Half.FIX,), {"edited": False})


# What is in front


def test_the_half_with_the_caret_is_compared_with_its_edits(room: Room) -> None:
    room.why = ""
    room.exhibits.open(THEIRS)
    assert room.code.compared().half == "failing"
    room.half = Half.FIX
    compared = room.code.compared()
    assert (compared.half, compared.target, compared.targets) == ("fix", Target.cpu(8), ("cpu:8",))
    assert [one.exhibit for one in compared.subjects.values()] == [THEIRS, THEIRS]
    room.page.text_edited.emit(Half.FIX, "better\n")
    edited = room.code.compared(Half.FAILING).subjects["fix"]
    assert (edited.script, edited.exhibit, edited.title) == ("better\n", None, "Theirs (fix, edited)")


def test_one_that_hangs_is_given_as_long_as_it_takes_to_see_that_it_does(room: Room) -> None:
    room.why = ""
    facts = msgspec.structs.replace(FACTS, kind=OutcomeKind.HANGS, hangs_after=3.0)
    room.exhibits.open(msgspec.structs.replace(THEIRS, facts=facts))
    subjects = room.code.compared().subjects
    assert (subjects["failing"].limits.seconds, subjects["fix"].limits.seconds) == (3.0, 120.0)


def test_the_run_on_show_is_the_one_that_is_shared(room: Room) -> None:
    room.why = ""
    room.exhibits.open(THEIRS)
    assert room.exhibits.finished is None
    for half in Half:
        room.told["on_outcome"](Wish(THEIRS.id, half, THEIRS.scripts[half]), RAISED, "0.10.2")
    room.page.shown_reading = Reading("JAX 0.10.2", "")
    assert room.code.shared().run == FinishedRun("Theirs", Wish(THEIRS.id, Half.FIX, "b\n"), RAISED, "0.10.2")
    room.page.shown_reading = Reading("this run: failing", "")
    shared = room.code.shared()
    assert shared.run is not None
    assert (shared.run.wish.half, shared.code, shared.fix) == (Half.FAILING, "a\n", "b\n")
    room.exhibits.open(THEIRS)
    assert room.exhibits.finished is None


def test_on_the_bench_it_is_the_snippet_with_its_inputs(room: Room) -> None:
    room.tab = create_autospec(BenchTab, instance=True)
    room.tab.snippet = Snippet(id="x", title="Snippet 1", code="print(1)\n", arguments="--rows 10", variables="MINE=1")
    room.tab.runs = room.runs
    compared, shared = room.code.compared(), room.code.shared()
    (subject,) = compared.subjects.values()
    assert (compared.title, subject.script, subject.exhibit) == ("Snippet 1", "print(1)\n", None)
    assert (subject.arguments, dict(subject.variables)) == (("--rows", "10"), {"MINE": "1"})
    assert (shared.code, shared.arguments, shared.variables) == ("print(1)\n", ("--rows", "10"), {"MINE": "1"})
    room.tab.snippet = Snippet(id="x", title="Snippet 1", code="", arguments="'open")
    with pytest.raises(MuseumError):
        room.code.compared()


def test_without_code_in_front_one_line_says_so(room: Room) -> None:
    for prepare in (lambda: None, lambda: room.exhibits.open(THEIRS)):
        prepare()
        room.why, room.shows = "", False
        with pytest.raises(MuseumError, match=NOTHING):
            room.code.shared()

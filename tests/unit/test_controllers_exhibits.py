"""What the page shows of the open exhibit before, while and after it runs; drafts are kept in a real history."""

import dataclasses
import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import create_autospec

import pytest
from stand_ins import pretended

from gui.controllers.accounts import mark_of
from gui.controllers.exhibits import ExhibitController, facts_line, short_facts
from gui.controllers.runs import RunController, Wish
from gui.models.catalog_model import MARK_ROLE, CatalogModel
from gui.widgets.exhibit_page import ExhibitPage
from gui.widgets.mesh_panel import MeshPanel, Subject
from gui.widgets.reading import Reading
from museum.catalog import Catalog
from museum.exhibit import (
    Capture,
    Exhibit,
    ExhibitFile,
    Expectation,
    Half,
    LayoutFile,
    Origin,
    OutcomeKind,
    Placard,
    Wing,
)
from museum.history import History
from museum.lab.outcome import Output, RaisedException, RunOutcome, RunStatus
from museum.lab.protocol import MeshSeen
from museum.lab.runner import Limits
from museum.lab.target import Target
from museum.strip import Place, Strip

FAILING = "import jax\nx = 10\nfail(x)\n"
FIX = "import jax\nx = 12\nfail(x)\n"


def capture(jax: str, line: int) -> Capture:
    return Capture(
        half=Half.FAILING,
        jax=jax,
        target="cpu:8",
        origin=Origin.REPRODUCED,
        status="failed",
        date=datetime.date(2026, 11, 30),
        exit_code=1,
        error="ValueError",
        message=f"not divisible in {jax}",
        line=line,
    )


def exhibit(name: str, number: int, **facts: Any) -> Exhibit:
    file = ExhibitFile(
        **{
            "title": f"Exhibit {number}",
            "kind": OutcomeKind.RAISES,
            "targets": ("cpu:8",),
            "jax": ("0.10.2",),
            "tags": (),
            "expect": (Expectation(error="ValueError", says=("not divisible",)),),
            **facts,
        }
    )
    captures = (capture("0.4.38", 2), capture("0.10.2", 3))
    placard = Placard("It means.", "Often.", "1. Wait.")
    return Exhibit(name, number, file, placard, {Half.FAILING: FAILING, Half.FIX: FIX}, captures)


ONE = exhibit("xla/one", 1, layout=LayoutFile("data=4", (10,), "data"))
TWO = exhibit("xla/two", 2, targets=("tpu-compile", "cpu:4"))
CATALOG = Catalog((Wing("xla", "XLA", "Of XLA.", (ONE, TWO)),))

RAISED = RunOutcome(
    RunStatus.FAILED,
    1,
    "own",
    "cpu:8",
    exception=RaisedException("ValueError", "not divisible in 0.10.2", (), blamed_line=3),
    stdout=Output(b"before\n"),
    meshes=(MeshSeen("mesh", (("data", 4, "auto"),), (0, 1, 2, 3)),),
)
PASSED = RunOutcome(RunStatus.OK, 0, "own", "cpu:8")
STOPPED = RunOutcome(RunStatus.STOPPED, None, "", "cpu:8", stdout=Output(b"so far"), detail="after 2.0 s")


class Room:
    """The controller between pretended views and pretended runs, whose outcomes the test hands in."""

    def __init__(self, history: History) -> None:
        self.page = pretended(ExhibitPage)
        self.panel = create_autospec(MeshPanel, instance=True)
        self.model = CatalogModel(CATALOG, {one.id: mark_of(one) for one in CATALOG.exhibits})
        self.history = history
        self.runs = create_autospec(RunController, instance=True)
        self.runs.usual_limits.return_value = Limits()
        self.runs.jax = "0.10.2"
        self.runs.versions = ("0.10.2", "0.12.0.1")
        self.verdicts: list[tuple[str, str, str]] = []
        self.controller = ExhibitController(
            CATALOG,
            self.page,
            self.panel,
            self.model,
            history,
            self._make_runs,
            note_verdict=lambda *verdict: self.verdicts.append(verdict),
        )

    def _make_runs(self, on_outcome: Any, on_live: Any, on_running: Any) -> Any:
        self.tell_outcome, self.tell_live, self.tell_running = on_outcome, on_live, on_running
        return self.runs

    def type(self, half: Half, text: str) -> None:
        self.page.text_edited.emit(half, text)

    def run(self, half: Half, outcome: RunOutcome) -> None:
        """A run of what stands there, from the visitor's wish to the outcome."""
        self.page.run_requested.emit(half)
        self.tell_outcome(self.runs.start.call_args.args[0], outcome, "0.10.2")

    @property
    def texts(self) -> dict[Half, str]:
        return self.page.show_exhibit.call_args.args[3]

    @property
    def readings(self) -> list[Reading]:
        return self.page.show_readings.call_args.args[0]

    @property
    def strip(self) -> Strip:
        return self.page.show_readings.call_args.args[2]

    @property
    def chosen(self) -> Reading:
        return self.readings[self.page.show_readings.call_args.args[1]]

    @property
    def subjects(self) -> tuple[tuple[Subject, ...], str]:
        return self.panel.show_subjects.call_args.args

    @property
    def blames(self) -> list[tuple[Half, int, str]]:
        return [call.args for call in self.page.set_blame.call_args_list]

    def marks(self, half: Half) -> tuple[set[int], bool]:
        """Changed lines and whether the half is edited, as told last."""
        lines = [call.args[1] for call in self.page.set_marks.call_args_list if call.args[0] is half]
        edited = [call.kwargs["edited"] for call in self.page.set_edited.call_args_list if call.args[0] is half]
        return set(lines[-1]), edited[-1]

    def sign(self, name: str) -> str:
        return self.model.index_of(name).data(MARK_ROLE).sign


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    history = History(tmp_path / "history.sqlite")
    yield history
    history.close()


@pytest.fixture
def room(history: History) -> Room:
    return Room(history)


# Opening


def test_opening_shows_the_originals_the_records_and_the_layout(room: Room) -> None:
    room.controller.open(ONE)
    shown = room.page.show_exhibit.call_args.args
    assert shown[0] is ONE
    assert "01/02" in shown[1]
    assert "XLA" in shown[1]
    assert shown[2] == facts_line(ONE)
    assert room.texts == ONE.scripts
    assert [reading.label for reading in room.readings] == ["JAX 0.10.2", "JAX 0.4.38"]
    assert room.marks(Half.FAILING) == room.marks(Half.FIX) == ({2}, False)
    (subject,), origin = room.subjects
    assert (subject.name, origin) == ("asked for", "What the failing code asks for")
    assert subject.drawn.problems
    room.runs.set_target.assert_called_once_with(Target.cpu(8))
    assert room.controller.exhibit is ONE


def test_the_record_of_the_chosen_version_is_on_show(room: Room) -> None:
    room.runs.jax = "0.4.38"
    room.controller.open(ONE)
    assert room.chosen.jax == "0.4.38"
    room.runs.jax = "0.6.2"
    room.controller.open(ONE)
    assert room.chosen.jax == "0.10.2"


def test_the_line_that_the_newest_record_blames_is_marked(room: Room) -> None:
    room.controller.open(ONE)
    assert room.blames == [(Half.FAILING, 3, "ValueError: not divisible in 0.10.2")]


def test_an_exhibit_without_a_layout_draws_nothing_and_takes_its_first_target(room: Room) -> None:
    room.controller.open(TWO)
    assert room.subjects == ((), "")
    room.runs.set_target.assert_called_once_with(Target.parse("tpu-compile"))


def test_opening_gives_up_what_runs(room: Room) -> None:
    room.controller.open(ONE)
    room.runs.abandon.reset_mock()
    room.controller.open(TWO)
    room.runs.abandon.assert_called_once_with()


# Drafts


def test_an_edit_is_kept_and_shown_again(room: Room) -> None:
    room.controller.open(ONE)
    room.type(Half.FAILING, "mine\n")
    assert room.history.drafts() == {"xla/one failing": "mine\n"}
    assert room.marks(Half.FAILING)[1]
    assert not room.marks(Half.FIX)[1]
    room.controller.open(TWO)
    assert room.texts == TWO.scripts
    room.page.set_blame.reset_mock()
    room.controller.open(ONE)
    assert room.texts == {Half.FAILING: "mine\n", Half.FIX: FIX}
    assert room.marks(Half.FAILING)[1]
    assert room.blames == []


def test_the_halves_are_compared_as_they_stand(room: Room) -> None:
    room.controller.open(ONE)
    room.type(Half.FAILING, FIX)
    assert room.marks(Half.FAILING) == (set(), True)
    assert room.marks(Half.FIX) == (set(), False)
    room.type(Half.FIX, FIX + "# more")
    assert room.marks(Half.FIX) == ({4}, True)


def test_a_newline_more_or_less_at_the_end_is_an_edit(room: Room, history: History) -> None:
    room.controller.open(ONE)
    original = ONE.scripts[Half.FAILING]
    for text in (f"{original}\n", original.rstrip("\n")):
        room.type(Half.FAILING, text)
        assert room.marks(Half.FAILING)[1]
        again = Room(history)
        again.controller.open(ONE)
        assert (again.texts[Half.FAILING], again.marks(Half.FAILING)[1]) == (text, True)
        room.type(Half.FAILING, original)
        assert not room.marks(Half.FAILING)[1]


def test_typing_the_original_again_leaves_no_draft(room: Room) -> None:
    room.controller.open(ONE)
    room.type(Half.FIX, FIX + " ")
    assert room.history.draft("xla/one fix") == FIX + " "
    room.type(Half.FIX, FIX)
    assert room.history.drafts() == {}
    assert not room.marks(Half.FIX)[1]


def test_a_reset_brings_the_original_back_and_drops_the_draft(room: Room) -> None:
    room.controller.open(ONE)
    room.type(Half.FAILING, "mine\n")
    room.page.reset_requested.emit(Half.FAILING)
    room.page.replace_text.assert_called_once_with(Half.FAILING, FAILING)
    assert room.history.drafts() == {}
    assert room.marks(Half.FAILING) == ({2}, False)
    room.page.run_requested.emit(Half.FAILING)
    assert room.runs.start.call_args.args == (Wish("xla/one", Half.FAILING, FAILING),)


def test_edits_without_an_exhibit_are_nobodys(room: Room) -> None:
    room.type(Half.FAILING, "mine\n")
    room.page.reset_requested.emit(Half.FAILING)
    room.page.run_requested.emit(Half.FAILING)
    assert room.history.drafts() == {}
    room.runs.start.assert_not_called()


def test_an_empty_draft_is_a_draft(room: Room) -> None:
    room.controller.open(ONE)
    room.type(Half.FAILING, "")
    room.controller.open(TWO)
    room.controller.open(ONE)
    assert room.texts[Half.FAILING] == ""


# Runs


def test_a_run_takes_what_stands_there_and_forgets_the_old_blame(room: Room) -> None:
    room.controller.open(ONE)
    room.type(Half.FIX, "mine\n")
    room.page.run_requested.emit(Half.FIX)
    assert room.runs.start.call_args.args == (Wish("xla/one", Half.FIX, "mine\n"),)
    assert room.blames[-1] == (Half.FIX, 0, "")


def test_buttons_follow_the_running_state(room: Room) -> None:
    room.tell_running(True)
    room.tell_running(False)
    assert [call.kwargs["running"] for call in room.page.set_running.call_args_list] == [True, False]


def test_an_outcome_is_shown_first_blamed_and_drawn(room: Room) -> None:
    room.controller.open(ONE)
    room.run(Half.FAILING, RAISED)
    assert [reading.label for reading in room.readings] == [
        "this run: failing",
        "failing on JAX 0.10.2, just now",
        "JAX 0.4.38",
    ]
    assert room.chosen.verdict.startswith("✓ Reproduces")
    assert room.chosen.stdout == "before\n"
    assert room.blames[-1] == (Half.FAILING, 3, "ValueError: not divisible in 0.10.2")
    drawn, origin = room.subjects
    assert [subject.name for subject in drawn] == ["asked for", "mesh"]
    assert origin == "Seen in the run of the failing half"
    room.page.reveal_reading.assert_called_once_with()


def test_a_line_is_not_blamed_once_the_code_has_changed_under_the_run(room: Room) -> None:
    room.controller.open(ONE)
    room.page.run_requested.emit(Half.FAILING)
    room.type(Half.FAILING, "# typed meanwhile\n" + FAILING)
    room.tell_outcome(Wish("xla/one", Half.FAILING, FAILING), RAISED, "0.10.2")
    assert room.blames[-1] == (Half.FAILING, 0, "")
    assert room.chosen.label == "this run: failing"


def test_a_run_of_the_original_fills_its_cell_of_the_strip(room: Room) -> None:
    room.controller.open(ONE)
    assert room.strip.versions == ("0.4.38", "0.10.2", "0.12.0.1")
    cell = Place(Half.FAILING, "cpu:8", "0.10.2")
    assert not room.strip.cells[cell].is_new
    room.run(Half.FAILING, RAISED)
    assert (room.strip.cells[cell].letter, room.strip.cells[cell].is_new) == ("R", True)
    room.type(Half.FIX, "print('mine')")
    room.run(Half.FIX, PASSED)
    assert not any(known.is_new for place, known in room.strip.cells.items() if place != cell)
    room.controller.open(TWO)
    assert not any(known.is_new for known in room.strip.cells.values())


def test_an_original_that_hangs_is_given_its_own_time(room: Room) -> None:
    hangs = exhibit("xla/one", 1, kind=OutcomeKind.HANGS, hangs_after=9.0, expect=(Expectation(),))
    room.controller.open(hangs)

    def limits(half: Half) -> Limits | None:
        room.page.run_requested.emit(half)
        return room.runs.start.call_args.args[0].limits

    room.runs.usual_limits.return_value = Limits(memory=5)
    assert (limits(Half.FAILING), limits(Half.FIX)) == (Limits(seconds=9.0, memory=5), None)
    room.type(Half.FAILING, "print('mine')")
    assert limits(Half.FAILING) is None


def test_every_run_is_logged_as_it_was_even_when_the_visitor_is_elsewhere(room: Room) -> None:
    room.controller.open(ONE)
    room.type(Half.FIX, "print('mine')")
    room.run(Half.FIX, PASSED)
    room.page.run_requested.emit(Half.FAILING)
    wish = room.runs.start.call_args.args[0]
    room.controller.open(TWO)
    room.tell_outcome(wish, RAISED, "0.10.2")
    runs = room.history.runs.find()
    assert [(run.place, run.words) for run in runs] == [
        ("xla/one failing", "ValueError: not divisible in 0.10.2"),
        ("xla/one fix", "ok"),
    ]
    assert room.history.runs.get(runs[1].id).code == "print('mine')"


def test_a_cell_that_was_never_run_is_run_on_its_version_and_target(room: Room) -> None:
    room.controller.open(TWO)
    room.page.version_requested.emit(Place(Half.FIX, "cpu:4", "0.12.0.1"))
    room.runs.set_target.assert_called_with(Target.parse("cpu:4"))
    room.runs.set_jax.assert_called_once_with("0.12.0.1")
    assert room.runs.start.call_args.args[0] == Wish("xla/two", Half.FIX, FIX)


def test_environments_that_are_found_get_their_columns_and_move_nobody(room: Room) -> None:
    room.controller.show_versions()
    room.page.show_readings.assert_not_called()
    room.controller.open(ONE)
    room.runs.versions = ("0.13.0",)
    room.controller.show_versions()
    assert room.strip.versions == ("0.4.38", "0.10.2", "0.13.0")
    assert room.page.show_readings.call_args.args[1] is None


def test_both_halves_keep_their_last_run(room: Room) -> None:
    room.controller.open(ONE)
    room.run(Half.FAILING, RAISED)
    room.run(Half.FIX, PASSED)
    assert [reading.label for reading in room.readings[:2]] == ["this run: failing", "this run: fix"]
    assert room.chosen.label == "this run: fix"
    room.run(Half.FAILING, STOPPED)
    assert room.chosen.verdict.startswith("■ Stopped")
    proofs = ["failing on JAX 0.10.2, just now", "JAX 0.4.38", "fix on JAX 0.10.2, just now"]
    assert [reading.label for reading in room.readings[2:]] == proofs
    room.controller.open(ONE)
    assert len(room.readings) == 2


def test_what_the_exhibit_asks_for_is_not_drawn_beside_another_code(room: Room) -> None:
    room.controller.open(ONE)
    room.run(Half.FIX, RAISED)
    assert [subject.name for subject in room.subjects[0]] == ["mesh"]
    room.type(Half.FAILING, "mine\n")
    room.run(Half.FAILING, RAISED)
    assert [subject.name for subject in room.subjects[0]] == ["mesh"]


def test_what_the_message_states_is_drawn_in_place_of_what_the_exhibit_asks_for(room: Room) -> None:
    message = "spec=P('data',), mesh=Mesh('data': 4) … the dimension size is 10 (full shape: (10,), …)"
    outcome = dataclasses.replace(RAISED, exception=RaisedException("ValueError", message, ()))
    room.controller.open(ONE)
    room.run(Half.FAILING, outcome)
    assert [subject.name for subject in room.subjects[0]] == ["the array that failed", "mesh"]


def test_a_run_that_left_no_mesh_keeps_the_picture(room: Room) -> None:
    room.controller.open(ONE)
    room.run(Half.FIX, PASSED)
    assert room.subjects[1] == "What the failing code asks for"


@pytest.mark.parametrize(
    ("half", "outcome", "sign"),
    [
        (Half.FAILING, RAISED, "✓"),
        (Half.FAILING, PASSED, "✗"),
        (Half.FIX, PASSED, "✓"),
        (Half.FIX, RAISED, "✗"),
        (Half.FAILING, STOPPED, "·"),
        (Half.FAILING, RunOutcome(RunStatus.NOT_STARTED, None, "own", "cpu:8", detail="no JAX"), "·"),
    ],
    ids=["reproduces", "does not fail", "fix passes", "fix fails", "stopped", "not started"],
)
def test_a_run_of_the_original_sets_the_mark_in_the_sidebar(
    room: Room, half: Half, outcome: RunOutcome, sign: str
) -> None:
    room.controller.open(ONE)
    assert room.sign("xla/one") == "·"
    room.run(half, outcome)
    assert room.sign("xla/one") == sign
    assert room.sign("xla/two") == "·"


def test_a_run_of_the_original_is_told_to_the_search(room: Room) -> None:
    room.controller.open(ONE)
    room.run(Half.FAILING, RAISED)
    assert room.verdicts == [("xla/one", "0.10.2", "reproduces")]


def test_a_run_of_an_edited_half_sets_no_mark(room: Room) -> None:
    room.controller.open(ONE)
    room.type(Half.FAILING, "mine\n")
    room.run(Half.FAILING, RAISED)
    assert room.verdicts == []
    assert room.sign("xla/one") == "·"
    assert "Your version" in room.chosen.verdict


def test_what_ran_decides_whether_it_was_the_original_not_what_stands_there_now(room: Room) -> None:
    room.controller.open(ONE)
    room.page.run_requested.emit(Half.FAILING)
    room.type(Half.FAILING, "mine\n")
    room.tell_outcome(Wish("xla/one", Half.FAILING, FAILING), RAISED, "0.10.2")
    assert room.sign("xla/one") == "✓"
    assert room.chosen.verdict.startswith("✓ Reproduces")


def test_a_result_for_another_exhibit_is_dropped(room: Room) -> None:
    room.controller.open(ONE)
    room.controller.open(TWO)
    shown = room.page.show_readings.call_count
    room.tell_outcome(Wish("xla/one", Half.FAILING, FAILING), RAISED, "0.10.2")
    room.tell_live(Wish("xla/one", Half.FAILING, FAILING), "running", "out", "")
    assert room.page.show_readings.call_count == shown
    assert room.sign("xla/one") == "·"
    room.page.reveal_reading.assert_not_called()


def test_live_output_is_shown_with_its_stage(room: Room) -> None:
    room.controller.open(ONE)
    room.tell_live(Wish("xla/one", Half.FIX, FIX), "importing", "", "")
    assert len(room.readings) == 2
    room.tell_live(Wish("xla/one", Half.FIX, FIX), "running", "10 %", "slow")
    assert (room.chosen.label, room.chosen.verdict) == ("this run: fix", "… running")
    assert (room.chosen.stdout, room.chosen.stderr) == ("10 %", "slow")


def test_leaving_ends_the_run_and_clears_the_panel(room: Room) -> None:
    room.controller.open(ONE)
    room.runs.abandon.reset_mock()
    room.controller.leave()
    room.runs.abandon.assert_called_once_with()
    assert room.subjects == ((), "")
    assert room.controller.exhibit is None
    shown = room.page.show_readings.call_count
    room.tell_outcome(Wish("xla/one", Half.FAILING, FAILING), RAISED, "0.10.2")
    room.type(Half.FAILING, "mine\n")
    assert room.page.show_readings.call_count == shown
    assert room.history.drafts() == {}


# Facts in a line


def test_the_facts_say_kind_proof_place_and_need() -> None:
    assert short_facts(ONE) == "raises · not proven yet"
    needy = exhibit("xla/one", 1, targets=("cpu:8", "cpu:1"), needs_jax=">=0.7", needs_why="it came then")
    assert facts_line(needy) == (
        "raises · not proven yet · 8 fake CPU devices or 1 fake CPU device · needs JAX >=0.7: it came then"
    )


def test_the_facts_name_the_versions_that_both_halves_were_run_on() -> None:
    fixed = Capture(Half.FIX, "0.10.2", "cpu:8", Origin.REPRODUCED, "ok", datetime.date(2026, 11, 30))
    proven = Exhibit(ONE.id, 1, ONE.facts, ONE.placard, ONE.scripts, (*ONE.captures, fixed))
    assert short_facts(proven) == "raises · proven on JAX 0.10.2"

"""Comparing: what is offered, what runs, what is shown of it, and that nothing of it stays."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from stand_ins import pretended

from gui.controllers.comparing import Compared, ComparingController
from gui.controllers.comparison_view import MOST, answers_html, reading_of, rows_of
from gui.widgets.compare_dialog import CompareDialog
from museum.compare import Comparison, Place, Subject
from museum.errors import MuseumError
from museum.lab.environments import Environment, EnvironmentKind
from museum.lab.outcome import Output, RaisedException, RunOutcome, RunStatus
from museum.lab.runner import RunRequest
from museum.lab.target import Target

OLD = Environment("old", EnvironmentKind.MANAGED, Path("/old"), "3.11.7", "0.4.38", "0.4.38")
NEW = Environment("own", EnvironmentKind.OWN, Path("/new"), "3.11.7", "0.10.2", "0.10.2")
CPU = Target.cpu(8)


class FakeLab:
    """Answers by JAX version; holds each run until it is let go."""

    def __init__(self) -> None:
        self.begun: list[RunRequest] = []
        self.ended: list[RunRequest] = []
        self.arrived, self.gate = asyncio.Event(), asyncio.Event()
        self.gate.set()

    async def environments(self) -> Sequence[Environment]:
        return [NEW, OLD]

    async def run(self, request: RunRequest, _on_progress: Any = None) -> RunOutcome:
        self.begun.append(request)
        self.arrived.set()
        try:
            await self.gate.wait()
        finally:
            self.ended.append(request)
        name, jax = request.environment.name, request.environment.jax
        raised = RaisedException("ValueError", f"it is {jax}, and <b>not</b> divisible", ())
        return RunOutcome(RunStatus.FAILED, 1, name, str(request.target), raised, stdout=Output(b"before\n"))


class Room:
    def __init__(self) -> None:
        self.lab = FakeLab()
        self.dialogs: list[Any] = []
        self.copied: list[str] = []
        self.controller = ComparingController(self._make, self.lab, self.copied.append)

    def _make(self) -> Any:
        self.dialogs.append(pretended(CompareDialog, "finished"))
        return self.dialogs[-1]

    @property
    def dialog(self) -> Any:
        return self.dialogs[-1]

    @property
    def said(self) -> tuple[str, str]:
        words = self.dialog.say.call_args.args
        return words if len(words) == 2 else (*words, "faint")

    def cells(self) -> list[list[str]]:
        shown = self.dialog.show_rows.call_args.args[0]
        return [[cell.text for cell in row] for row in shown.rows.values()]

    def open(self, **values: Any) -> None:
        plain = Compared("Mine", {"": Subject("raise ValueError", "Mine")}, "", CPU, ("cpu:2",), [NEW, OLD])
        self.controller.open(replace(plain, **values))

    async def compare(
        self, versions: Sequence[str] = ("0.4.38", "0.10.2"), targets: Sequence[str] = ("cpu:8",)
    ) -> None:
        self.dialog.compare_requested.emit(list(versions), list(targets))
        await asyncio.wait([self.controller.running])


def play(story: Callable[[Room], Awaitable[None]]) -> None:
    async def through() -> None:
        room = Room()
        await story(room)
        await room.controller.close()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert len(room.lab.begun) == len(room.lab.ended)

    asyncio.run(through())


def test_all_versions_and_the_target_in_use_are_ticked() -> None:
    async def story(room: Room) -> None:
        room.open()
        versions, ticked, targets, chosen = room.dialog.show_places.call_args.args
        assert [choice.key for choice in versions] == ["0.4.38", "0.10.2"]
        assert set(ticked) == {"0.4.38", "0.10.2"}
        assert [choice.key for choice in targets][:2] == ["cpu:8", "cpu:2"]
        assert chosen == ["cpu:8"]

    play(story)


def test_environments_are_looked_for_where_none_is_known_yet() -> None:
    async def story(room: Room) -> None:
        room.open(environments=())
        await room.controller._errands.settled()
        assert [choice.key for choice in room.dialog.show_places.call_args.args[0]] == ["0.4.38", "0.10.2"]

    play(story)


def test_each_place_runs_and_answers_are_numbered() -> None:
    async def story(room: Room) -> None:
        room.open()
        await room.compare()
        assert room.cells() == [["F 1  failed"], ["F 2  failed"]]
        assert room.said == ("Done: 2 different answers.", "faint")
        assert [call.kwargs["running"] for call in room.dialog.set_running.call_args_list] == [True, False]
        assert [request.environment for request in room.lab.begun] == [OLD, NEW]
        assert room.lab.begun[0].script == "raise ValueError"

    play(story)


def test_one_cell_shows_what_happened_and_two_show_where_they_differ() -> None:
    async def story(room: Room) -> None:
        room.open()
        await room.compare()
        room.dialog.cells_chosen.emit([1])
        reading = room.dialog.show_reading.call_args.args[0]
        assert (reading.jax, reading.error, reading.stdout) == ("0.10.2", "ValueError", "before\n")
        room.dialog.cells_chosen.emit([1, 0])
        await room.controller._errands.settled()
        names, sides, _ = room.dialog.show_difference.call_args.args
        assert names == ("JAX 0.10.2 on cpu:8", "JAX 0.4.38 on cpu:8")
        assert [[piece.text for piece in side if piece.differs] for side in sides] == [["0.10.2"], ["0.4.38"]]
        room.dialog.part_chosen.emit("stdout")
        await room.controller._errands.settled()
        names, sides, words = room.dialog.show_difference.call_args.args
        assert words == "They say the same, but for what no two runs share."
        assert [piece.text for piece in sides[0]] == ["before\n"]

    play(story)


def test_a_difference_that_is_not_wanted_any_more_is_not_shown() -> None:
    async def story(room: Room) -> None:
        room.open()
        await room.compare()
        room.dialog.cells_chosen.emit([0, 1])
        room.dialog.cells_chosen.emit([0])
        await room.controller._errands.settled()
        assert not room.dialog.show_difference.called

    play(story)


def test_stopping_leaves_what_is_done() -> None:
    async def story(room: Room) -> None:
        room.open()
        room.lab.gate.clear()
        room.dialog.compare_requested.emit(["0.4.38"], ["cpu:8", "cpu:2", "cpu:1"])
        await room.lab.arrived.wait()
        running = room.controller.running
        assert running is not None
        room.dialog.stop_requested.emit()
        await asyncio.wait([running])
        assert room.said[0].startswith("Stopped")
        assert room.cells() == [["S  stopped", "S  stopped", "S  stopped"]]
        assert room.controller.running is None
        room.lab.gate.set()
        await room.compare()
        assert room.said[0].startswith("Done")

    play(story)


def test_stopping_at_once_ends_it_too() -> None:
    async def story(room: Room) -> None:
        room.open()
        room.dialog.compare_requested.emit(["0.4.38"], ["cpu:8"])
        running = room.controller.running
        assert running is not None
        room.dialog.stop_requested.emit()
        await asyncio.wait([running])
        assert room.controller.running is None
        assert room.dialog.set_running.call_args.kwargs == {"running": False}

    play(story)


def test_closing_the_dialog_ends_what_runs_and_another_can_be_opened() -> None:
    async def story(room: Room) -> None:
        room.open()
        room.lab.gate.clear()
        room.dialog.compare_requested.emit(["0.4.38", "0.10.2"], ["cpu:8"])
        await room.lab.arrived.wait()
        running, shown = room.controller.running, room.dialog.show_rows.call_count
        assert running is not None
        room.dialog.finished.emit()
        await asyncio.wait([running])
        assert len(room.lab.begun) == len(room.lab.ended)
        assert room.dialog.show_rows.call_count == shown
        room.open()
        assert len(room.dialogs) == 2

    play(story)


def test_a_second_wish_does_not_disturb_what_runs() -> None:
    async def story(room: Room) -> None:
        room.open()
        room.lab.gate.clear()
        room.dialog.compare_requested.emit(["0.4.38"], ["cpu:8"])
        await asyncio.sleep(0)
        room.open(title="Another")
        assert len(room.dialogs) == 1
        assert room.said == ("Stop this comparison before you begin another one.", "bad")
        assert room.dialog.show_subject.call_args.args[0] == "Mine"

    play(story)


def test_halves_keep_their_tables() -> None:
    async def story(room: Room) -> None:
        subjects = {"failing": Subject("raise", "one"), "fix": Subject("pass", "two")}
        room.open(subjects=subjects, half="failing")
        await room.compare()
        room.dialog.half_chosen.emit("fix")
        assert room.cells() == []
        room.dialog.half_chosen.emit("failing")
        assert room.cells() == [["F 1  failed"], ["F 2  failed"]]
        assert [request.script for request in room.lab.begun] == ["raise", "raise"]

    play(story)


def test_a_target_that_is_none_is_said() -> None:
    async def story(room: Room) -> None:
        room.open()
        room.dialog.target_typed.emit("gpu:many")
        assert room.said[1] == "bad"
        assert not room.dialog.add_target.called
        room.dialog.target_typed.emit("cpu:3")
        assert room.dialog.add_target.call_args.args[0].key == "cpu:3"

    play(story)


def test_too_many_cells_are_refused_in_one_line() -> None:
    async def story(room: Room) -> None:
        room.open()
        await room.compare(targets=[f"cpu:{count}" for count in range(1, 62)])
        assert room.said[1] == "bad"
        assert "more than a comparison may have" in room.said[0]
        assert room.lab.begun == []

    play(story)


def test_a_lab_that_breaks_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(room: Room) -> None:
        room.lab.run = Mock(side_effect=OSError("no more processes"))  # type: ignore[method-assign]
        room.open()
        await room.compare()
        assert room.said[0].startswith("the lab itself broke: ")
        assert room.dialog.set_running.call_args.kwargs == {"running": False}

    play(story)


def test_the_table_is_copied_and_saved_as_markdown(tmp_path: Path) -> None:
    async def story(room: Room) -> None:
        room.open()
        await room.compare()
        room.dialog.copy_requested.emit()
        await room.controller._errands.settled()
        (text,) = room.copied
        assert text.startswith("## Mine")
        room.dialog.save_requested.emit(str(tmp_path / "table.md"))
        await room.controller._errands.settled()
        assert (tmp_path / "table.md").read_text() == text
        room.dialog.save_requested.emit(str(tmp_path / "none" / "table.md"))
        await room.controller._errands.settled()
        assert room.said[1] == "bad"
        assert "cannot be written" in room.said[0]

    play(story)


# What is shown


def table(*outcomes: RunOutcome | None, obstacle: str = "") -> Comparison:
    from museum.compare import Cell, Stage, essence_of

    shown = Comparison(Subject("x", "x"), ())
    for number, outcome in enumerate(outcomes):
        place = Place(f"0.{number}", CPU, NEW, "" if outcome else obstacle)
        essence = essence_of(outcome) if outcome else ""
        shown = replace(shown, cells=(*shown.cells, Cell(place)))
        shown = shown.with_cell(number, Cell(place, Stage.DONE, outcome, essence=essence))
    return shown


def failed(message: str) -> RunOutcome:
    return RunOutcome(RunStatus.FAILED, 1, "own", "cpu:8", RaisedException("ValueError", message, ()))


def test_what_a_snippet_says_is_no_markup() -> None:
    shown = answers_html(table(failed("<img src='x'> & more")))
    assert "&lt;img src='x'&gt; &amp; more" in shown
    assert "<img" not in shown


def test_a_huge_message_is_cut_where_it_is_listed_and_whole_where_it_is_read() -> None:
    shown = table(failed("x" * 100_000))
    assert len(answers_html(shown)) < 3 * MOST
    assert len(rows_of(shown).rows["JAX 0.0"][0].tip) < 2 * MOST  # type: ignore[union-attr]
    assert len(reading_of(shown, shown.cells[0]).message) == 100_000


def test_a_place_that_cannot_run_says_why() -> None:
    shown = table(None, obstacle="no environment with JAX 0.0 here")
    assert "no environment with JAX 0.0 here" in answers_html(shown)
    assert "no environment with JAX 0.0 here" in reading_of(shown, shown.cells[0]).verdict
    assert rows_of(shown).rows["JAX 0.0"][0].role == "faint"  # type: ignore[union-attr]


def test_a_fault_of_ours_is_never_silent() -> None:
    async def story(room: Room) -> None:
        heard: list[Any] = []
        asyncio.get_running_loop().set_exception_handler(lambda _loop, told: heard.append(told["exception"]))
        room.open()

        async def fail() -> None:
            raise LookupError("a fault")

        await room.controller._errands.start(fail)
        assert room.said == ("this broke: LookupError: a fault", "bad")
        assert [type(one) for one in heard] == [LookupError]

    play(story)


def test_an_error_of_ours_is_said_in_the_dialog() -> None:
    async def story(room: Room) -> None:
        room.open()

        async def fail() -> None:
            raise MuseumError("no room on the disk")

        await room.controller._errands.start(fail)
        assert room.said == ("no room on the disk", "bad")

    play(story)

"""The dialog of runs between a real log and a pretended view."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from stand_ins import pretended

from gui.controllers.run_history import RunHistoryController
from gui.widgets.history_dialog import HistoryDialog
from museum.errors import MuseumError
from museum.history import History
from museum.lab.outcome import Output, RaisedException, RunOutcome, RunStatus

OK = RunOutcome(RunStatus.OK, 0, "own", "cpu:8", stdout=Output(b"fine\n"), timings={"finished": 0.25})
RAISED = RunOutcome(RunStatus.FAILED, 1, "own", "cpu:8", exception=RaisedException("ValueError", "10 rows\nmore", ()))


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    history = History(tmp_path / "history.sqlite")
    yield history
    history.close()


@pytest.fixture
def room(history: History) -> Any:
    room = Mock()
    room.log = history.runs
    room.log.add("xla/one failing", "a", RAISED, "0.4.38")
    room.log.add("xla/one fix", "b", OK, "0.10.2")
    room.made = []
    room.reopen = Mock()

    def make() -> Any:
        room.dialog = pretended(HistoryDialog, "finished")
        room.made.append(room.dialog)
        return room.dialog

    room.controller = RunHistoryController(make, room.log, room.reopen)
    room.controller.open()
    return room


def shown(room: Any) -> list[tuple[str, ...]]:
    return [row.cells for row in room.dialog.show_rows.call_args.args[0]]


def test_runs_are_listed_newest_first_in_words(room: Any) -> None:
    newest, oldest = shown(room)
    assert (newest[0], *newest[2:]) == ("", "xla/one fix", "0.10.2", "cpu:8", "✓ ok")
    assert (oldest[0], *oldest[2:]) == ("", "xla/one failing", "0.4.38", "cpu:8", "✗ ValueError: 10 rows")
    assert room.dialog.show_rows.call_args.args[1] == 2


def test_words_and_failure_choose_what_is_listed(room: Any) -> None:
    room.dialog.query_changed.emit("0.4.38", False)
    assert [cells[2] for cells in shown(room)] == ["xla/one failing"]
    room.dialog.query_changed.emit("", True)
    assert [cells[2] for cells in shown(room)] == ["xla/one failing"]
    room.dialog.query_changed.emit("nothing like it", False)
    assert shown(room) == []


def test_a_chosen_run_is_shown_and_two_are_compared(room: Any) -> None:
    newest, oldest = room.log.find()
    room.dialog.chosen.emit([newest.id])
    reading = room.dialog.show_reading.call_args.args[0]
    assert (reading.verdict, reading.stdout) == ("✓ ok", "fine\n")
    assert "0.25 s" in reading.provenance
    room.dialog.chosen.emit([oldest.id, newest.id])
    reading = room.dialog.show_reading.call_args.args[0]
    assert (reading.words, reading.recorded) == ("ValueError: 10 rows\nmore", "fine")
    assert reading.recorded_label.startswith("xla/one failing on JAX 0.4.38, ")
    assert " above, xla/one fix on JAX 0.10.2, " in reading.recorded_label
    room.dialog.chosen.emit([])
    assert room.dialog.show_reading.call_args.args == (None,)


def test_a_run_is_pinned_deleted_opened_and_the_rest_forgotten(room: Any) -> None:
    newest, oldest = room.log.find()
    room.dialog.pin_requested.emit(oldest.id, True)
    assert [cells[0] for cells in shown(room)] == ["pinned", ""]
    room.dialog.open_requested.emit(oldest.id)
    assert room.reopen.call_args.args[0].code == "a"
    room.dialog.clear_requested.emit()
    assert [run.id for run in room.log.find()] == [oldest.id]
    room.dialog.delete_requested.emit([oldest.id])
    assert shown(room) == []
    assert newest.id != oldest.id


def test_what_cannot_be_done_is_told_in_the_dialog(room: Any) -> None:
    newest, _ = room.log.find()
    room.reopen.side_effect = MuseumError("xla/one is gone")
    room.dialog.open_requested.emit(newest.id)
    room.dialog.say.assert_called_with("xla/one is gone", "bad")
    room.log.delete([newest.id])
    room.dialog.chosen.emit([newest.id])
    room.dialog.say.assert_called_with(f"run {newest.id} is not in the history any more", "bad")


def test_one_dialog_at_a_time(room: Any) -> None:
    room.controller.open()
    assert len(room.made) == 1
    room.dialog.raise_.assert_called_once_with()
    room.dialog.finished.emit()
    room.controller.refresh()
    room.controller.open()
    assert len(room.made) == 2

"""What the visitor hears of faults: one dialog, repeats counted, never a cascade."""

from typing import Any

import pytest
from stand_ins import pretended

from gui.controllers.faults import MOST_TOLD, FaultController
from gui.widgets.fault_dialog import FaultDialog
from museum.faults import Fault


class Room:
    """The controller with pretended views."""

    def __init__(self) -> None:
        self.dialogs: list[Any] = []
        self.said: list[str] = []
        self.quits = 0
        self.controller = FaultController(self._make, self._quit, self.said.append)

    def _make(self) -> Any:
        self.dialogs.append(pretended(FaultDialog, "finished"))
        return self.dialogs[-1]

    def _quit(self) -> None:
        self.quits += 1

    def take(self, key: str, *, refusal: bool = False) -> None:
        self.controller.take(Fault("in a task", f"{key}: words", f"trace of {key}", key, refusal))

    @property
    def shown(self) -> tuple[str, ...]:
        return self.dialogs[-1].show_fault.call_args.args[1:]


@pytest.fixture
def room() -> Room:
    return Room()


def test_a_fault_has_a_dialog_with_a_report(room: Room) -> None:
    room.take("one")
    summary, often, report = room.shown
    assert (len(room.dialogs), summary, often) == (1, "one: words", "")
    assert "trace of one" in report


def test_repeats_are_counted_in_the_same_dialog(room: Room) -> None:
    for _ in range(100):
        room.take("one")
    assert len(room.dialogs) == 1
    assert room.shown[1] == "It happened 100 times."


def test_others_meanwhile_come_into_the_same_dialog_up_to_a_number(room: Room) -> None:
    for number in range(30):
        room.take(f"fault {number}")
    assert len(room.dialogs) == 1
    assert room.shown[1] == "29 other faults since; the log has all of them."
    assert room.shown[2].count("trace of") == MOST_TOLD


def test_what_was_told_once_is_a_quiet_line_the_next_time(room: Room) -> None:
    room.take("one")
    room.dialogs[0].finished.emit()
    room.take("one")
    room.take("one")
    assert len(room.dialogs) == 1
    assert room.said == [
        f"It went wrong again, {times} times by now: one: words. Help, Show the log, has all of it." for times in (2, 3)
    ]
    room.take("another")
    assert (len(room.dialogs), room.shown[1]) == (2, "")


def test_a_clear_line_that_came_out_at_the_wrong_place_is_said_as_such(room: Room) -> None:
    room.controller.take(Fault("in a task", "museum.errors.MuseumError: no exhibit x", "", "k", is_refusal=True))
    assert (room.dialogs, room.said) == ([], ["no exhibit x"])


def test_quit_closes_the_museum(room: Room) -> None:
    room.take("one")
    room.dialogs[0].quit_requested.emit()
    assert room.quits == 1

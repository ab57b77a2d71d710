"""What the dialog of environments is told when one is built, named or removed: a mock dialog, no real environment."""

import asyncio
import functools
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import call

import pytest
from stand_ins import pretended

from gui.controllers import environments as module
from gui.controllers.environments import EnvironmentsController, row_of
from gui.widgets.environments_dialog import COLUMNS, EnvironmentsDialog
from museum.errors import MuseumError
from museum.lab import building
from museum.lab.environments import Environment, EnvironmentKind

OWN = Environment("own", EnvironmentKind.OWN, Path("/own/bin/python"), "3.11.7", "0.10.2", "0.10.2")
BUILT = Environment("jax-0.4.38", EnvironmentKind.MANAGED, Path("/m/bin/python"), "3.11.7", "0.4.38", "0.4.38")


def story(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Runs an asynchronous test to its end, after which nothing of it may be left."""

    async def play(*fixtures: Any, **named: Any) -> None:
        async with asyncio.timeout(60):  # so that a fault fails instead of hanging
            await test(*fixtures, **named)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    @functools.wraps(test)
    def run(*fixtures: Any, **named: Any) -> None:
        asyncio.run(play(*fixtures, **named))

    return run


class Desk:
    """The controller with all that it is connected to; what is built waits for the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.found: Sequence[Environment] = [OWN]
        self.dialogs: list[Any] = []
        self.changes = 0
        self.asked: list[tuple[str, bool]] = []
        self.begun, self.may_end = asyncio.Event(), asyncio.Event()
        self.fault = ""
        self.cancelled = False
        self.say: Callable[[str], None] = lambda _line: None
        monkeypatch.setattr(building, "add", self._add)
        self.controller = EnvironmentsController(self._make, self._look, self._changed)

    def _make(self) -> Any:
        self.dialogs.append(pretended(EnvironmentsDialog, "finished"))
        return self.dialogs[-1]

    async def _look(self) -> Sequence[Environment]:
        return self.found

    async def _changed(self) -> None:
        self.changes += 1

    async def _add(self, jax: str, *, tpu: bool, say: Callable[[str], None]) -> Environment:
        self.asked.append((jax, tpu))
        self.say = say
        self.begun.set()
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        if self.fault:
            raise MuseumError(self.fault)
        self.found = [OWN, BUILT]
        return BUILT

    @property
    def dialog(self) -> Any:
        return self.dialogs[-1]

    async def opened(self) -> Any:
        """Open the dialog and wait until it lists what is there."""
        self.controller.open()
        await self.done()
        return self.dialog

    async def done(self) -> None:
        assert self.controller._task is not None
        await asyncio.gather(self.controller._task, return_exceptions=True)

    def listed(self) -> list[str]:
        (rows,) = self.dialog.show_rows.call_args.args
        return [row.name for row in rows]


@story
async def test_an_opened_dialog_lists_what_is_at_hand_and_no_second_one_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    dialog = await desk.opened()
    assert desk.listed() == ["own"]
    desk.controller.open()
    dialog.raise_.assert_called_once_with()
    assert len(desk.dialogs) == 1
    dialog.finished.emit()
    await desk.opened()
    assert len(desk.dialogs) == 2
    assert desk.changes == 0
    await desk.controller.close()


@story
async def test_building_shows_progress_and_the_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    dialog = await desk.opened()
    dialog.build_requested.emit("0.4.38", True)
    await desk.begun.wait()
    dialog.say.assert_called_once_with("Building an environment with JAX 0.4.38 …", "faint")
    dialog.set_building.assert_called_once_with(building=True)
    desk.say("resolving")
    desk.say("installing")
    assert dialog.show_log.call_args_list == [call("resolving\n"), call("resolving\ninstalling\n")]
    desk.may_end.set()
    await desk.done()
    assert desk.asked == [("0.4.38", True)]
    assert dialog.set_building.call_args_list[-1] == call(building=False)
    assert dialog.say.call_args_list[-1] == call("JAX 0.4.38 on Python 3.11.7 (jax-0.4.38) is ready.", "good")
    assert (desk.listed(), desk.changes) == (["own", "jax-0.4.38"], 1)


@story
async def test_an_endless_log_is_kept_short(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    dialog = await desk.opened()
    dialog.build_requested.emit("0.4.38", False)
    await desk.begun.wait()
    for number in range(3000):
        desk.say(f"line {number} of what an installer says")
    (text,) = dialog.show_log.call_args.args
    assert len(text) < 2 * module.LOG
    assert text.startswith("line 0 of")
    assert text.endswith("line 2999 of what an installer says\n")
    desk.may_end.set()
    await desk.done()


@story
async def test_a_failure_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    dialog = await desk.opened()
    desk.fault = "uv failed: error: no network"
    desk.may_end.set()
    dialog.build_requested.emit("0.4.38", False)
    await desk.done()
    assert dialog.say.call_args_list[-1] == call("uv failed: error: no network", "bad")
    assert dialog.set_building.call_args_list[-1] == call(building=False)
    assert desk.listed() == ["own"]


@story
async def test_cancelling_stops_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    dialog = await desk.opened()
    dialog.build_requested.emit("0.4.38", False)
    await desk.begun.wait()
    dialog.cancel_requested.emit()
    await desk.done()
    assert desk.cancelled
    assert dialog.say.call_args_list[-1] == call("Cancelled; nothing half-made stayed behind.", "faint")
    assert dialog.set_building.call_args_list[-1] == call(building=False)
    assert desk.changes == 0


@story
async def test_while_one_is_built_nothing_else_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    touched: list[object] = []

    async def name_python(place: Path) -> None:
        touched.append(place)

    monkeypatch.setattr(building, "remove", touched.append)
    monkeypatch.setattr(module, "name_python", name_python)
    dialog = await desk.opened()
    dialog.build_requested.emit("0.4.38", False)
    await desk.begun.wait()
    dialog.build_requested.emit("0.6.2", False)
    dialog.remove_requested.emit("own")
    dialog.named.emit("/place")
    desk.may_end.set()
    await desk.done()
    assert (desk.asked, touched) == ([("0.4.38", False)], [])


@story
async def test_a_dialog_closed_and_opened_again_still_shows_the_building(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    (await desk.opened()).build_requested.emit("0.4.38", False)
    await desk.begun.wait()
    first = desk.dialog
    first.finished.emit()
    desk.say("nobody hears this")
    first.show_log.assert_not_called()
    desk.controller.open()
    desk.dialog.set_building.assert_called_once_with(building=True)
    desk.may_end.set()
    await desk.done()
    assert desk.listed() == ["own", "jax-0.4.38"]
    assert desk.dialog.set_building.call_args_list[-1] == call(building=False)


@story
async def test_closing_the_window_ends_the_building(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    await desk.controller.close()
    (await desk.opened()).build_requested.emit("0.4.38", False)
    await desk.begun.wait()
    await desk.controller.close()
    assert desk.cancelled


@story
async def test_removing_says_that_it_is_gone_or_why_not(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    desk.found = [OWN, BUILT]

    def remove(name: str) -> None:
        if name != BUILT.name:
            raise MuseumError(f"no environment {name!r} to remove")
        desk.found = [OWN]

    monkeypatch.setattr(building, "remove", remove)
    dialog = await desk.opened()
    dialog.remove_requested.emit("jax-0.4.38")
    await desk.done()
    assert dialog.say.call_args == call("jax-0.4.38 is gone.", "good")
    assert (desk.listed(), desk.changes) == (["own"], 1)
    dialog.remove_requested.emit("jax-0.4.38-tpu")
    await desk.done()
    assert dialog.say.call_args == call("no environment 'jax-0.4.38-tpu' to remove", "bad")


@story
async def test_naming_says_that_it_is_listed_or_why_not(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)

    async def name_python(place: Path) -> Environment:
        if place.name == "empty":
            raise MuseumError(f"{place}: neither a Python nor a virtual environment")
        desk.found = [OWN, BUILT]
        return BUILT

    monkeypatch.setattr(module, "name_python", name_python)
    dialog = await desk.opened()
    dialog.named.emit("/my/venv")
    await desk.done()
    assert dialog.say.call_args == call("/my/venv is listed.", "good")
    assert (desk.listed(), desk.changes) == (["own", "jax-0.4.38"], 1)
    dialog.named.emit("/empty")
    await desk.done()
    assert dialog.say.call_args == call("/empty: neither a Python nor a virtual environment", "bad")


@pytest.mark.parametrize(
    ("kind", "belongs", "can_remove"),
    [
        (EnvironmentKind.OWN, "the museum itself", False),
        (EnvironmentKind.MANAGED, "the museum, which built it", True),
        (EnvironmentKind.NAMED, "you", True),
        (EnvironmentKind.FOUND, "this machine", False),
    ],
)
def test_a_row_says_whose_it_is_and_whether_it_may_go(kind: EnvironmentKind, belongs: str, can_remove: bool) -> None:
    row = row_of(Environment("one", kind, Path("/one/bin/python"), "3.12.1", "0.10.2", "0.10.2"))
    assert row.cells == ("one", "0.10.2", "3.12.1", "fake CPU devices", belongs)
    assert (row.name, row.tip, row.can_remove) == ("one", "/one/bin/python", can_remove)
    assert len(row.cells) == len(COLUMNS)


def test_a_row_tells_of_libtpu() -> None:
    row = row_of(Environment("t", EnvironmentKind.MANAGED, Path("p"), "3.12.1", "0.10.2", "0.10.2", "0.0.42.1"))
    assert row.cells[1:4] == ("0.10.2 with libtpu 0.0.42.1", "3.12.1", "fake CPU devices, TPU compiler")

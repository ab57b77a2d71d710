"""What settings do to the lab, to the history, and in their dialog: real settings, pretended everything else."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any
from unittest.mock import create_autospec

import pytest
from PySide6.QtCore import QSettings
from stand_ins import pretended

from gui.controllers import settings as module
from gui.controllers.settings import LabSettings, SettingsController
from gui.kept_settings import KeptSettings
from gui.widgets.settings_dialog import SettingsDialog
from museum.errors import MuseumError
from museum.history import History
from museum.lab.environments import Environment, EnvironmentKind
from museum.lab.lab import Lab
from museum.lab.outcome import RunOutcome, RunStatus
from museum.lab.runner import Limits
from museum.settings import CACHE, FAMILY, HISTORY_RUNS, IDLE, SECONDS, SPARES, TARGET, USE_CACHE

NAMED = Environment("mine", EnvironmentKind.NAMED, Path("/mine/bin/python"), "3.11.7", "0.10.2", "0.10.2")


@pytest.fixture
def kept(tmp_path: Path) -> KeptSettings:
    return KeptSettings(QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def lab() -> Any:
    return create_autospec(Lab, instance=True)


@pytest.fixture
def history(tmp_path: Path):
    history = History(tmp_path / "history.sqlite")
    yield history
    history.close()


# The lab and the history


def test_what_was_never_chosen_leaves_the_lab_as_it_was_made(kept, lab, history) -> None:
    followed = LabSettings(kept, lab, history)
    lab.use_cache.assert_called_once_with(True)
    lab.keep_spares.assert_not_called()
    lab.bound_cache.assert_not_called()
    assert followed.limits() == Limits()
    assert followed.target() == "cpu:8"


def test_what_is_chosen_holds_at_once_and_the_next_time(kept, lab, history) -> None:
    followed = LabSettings(kept, lab, history)
    kept.choose(SPARES, 0)
    lab.keep_spares.assert_called_with(0, 600.0)
    kept.choose(IDLE, 1)
    lab.keep_spares.assert_called_with(0, 60.0)
    kept.choose(USE_CACHE, value=False)
    lab.use_cache.assert_called_with(False)
    kept.choose(CACHE, 16)
    lab.bound_cache.assert_called_with(16 << 20)
    kept.choose(SECONDS, 5)
    kept.choose(TARGET, "cpu:2x4")
    assert (followed.limits().seconds, followed.target()) == (5.0, "cpu:2x4")
    again = create_autospec(Lab, instance=True)
    LabSettings(kept, again, history)
    again.keep_spares.assert_called_once_with(0, 60.0)
    again.bound_cache.assert_called_once_with(16 << 20)


def test_a_smaller_history_lets_the_oldest_go_at_once(kept, lab, history) -> None:
    outcome = RunOutcome(RunStatus.OK, 0, "own", "cpu:8")
    for number in range(12):
        history.runs.add(f"run {number}", "", outcome, "0.10.2")

    async def story() -> None:
        followed = LabSettings(kept, lab, history)
        kept.choose(HISTORY_RUNS, 10)
        await followed.close()

    asyncio.run(story())
    assert [run.place for run in history.runs.find()][-1] == "run 2"
    assert history.runs.count() == 10
    history.runs.add("one more", "", outcome, "0.10.2")
    assert history.runs.count() == 10


# The dialog


class Desk:
    """The controller with all that it is connected to."""

    def __init__(self, kept: KeptSettings) -> None:
        self.kept = kept
        self.dialogs: list[Any] = []
        self.managed = self.changes = 0
        self.controller = SettingsController(self._make, kept, self._manage, self._changed)

    def _make(self) -> Any:
        self.dialogs.append(pretended(SettingsDialog, "finished"))
        return self.dialogs[-1]

    def _manage(self) -> None:
        self.managed += 1

    async def _changed(self) -> None:
        self.changes += 1

    @property
    def dialog(self) -> Any:
        return self.dialogs[-1]

    @property
    def said(self) -> tuple[str, ...]:
        return self.dialog.say.call_args.args

    def shown(self, setting: Any) -> str:
        calls = [call for call in self.dialog.show_value.call_args_list if call.args[0] is setting]
        return calls[-1].args[1]

    async def settled(self) -> None:
        while self.controller._tasks:
            await asyncio.gather(*self.controller._tasks)


@pytest.fixture
def desk(kept: KeptSettings, qapp: object) -> Desk:
    return Desk(kept)


def play(desk: Desk, story: Callable[[], Coroutine[Any, Any, None]]) -> None:
    async def visit() -> None:
        desk.controller.open()
        await desk.settled()
        await story()
        await desk.settled()
        await desk.controller.close()

    asyncio.run(visit())


def test_what_is_taken_is_shown_as_it_is_written_and_what_is_refused_is_said(desk: Desk) -> None:
    async def story() -> None:
        desk.dialog.edited.emit(SECONDS, " 1,200 ")
        assert (desk.kept.value(SECONDS), desk.shown(SECONDS), desk.said) == (1200, "1200", ("", "faint"))
        desk.dialog.edited.emit(SECONDS, "never")
        assert desk.said == ("Time: a whole number, 1 to 86,400 s, not 'never'", "bad")
        desk.dialog.set_bad.assert_called_with(SECONDS, bad=True)
        assert desk.kept.value(SECONDS) == 1200
        desk.dialog.edited.emit(FAMILY, "No Such Font")
        assert desk.said == ("Font: no font 'No Such Font' is installed; empty is the system's", "bad")

    play(desk, story)


def test_a_reset_brings_every_default_back(desk: Desk) -> None:
    async def story() -> None:
        desk.dialog.edited.emit(SECONDS, "5")
        desk.dialog.reset_requested.emit()
        assert desk.kept.value(SECONDS) == 120
        desk.dialog.forget_typed.assert_called_once_with()
        assert desk.dialog.show_values.call_args.args[0](SECONDS) == "120"
        assert desk.said == ("Every setting has its default again.", "good")

    play(desk, story)


def test_what_changes_elsewhere_is_seen_in_the_dialog(desk: Desk) -> None:
    async def story() -> None:
        desk.dialog.show_values.reset_mock()
        desk.kept.choose(USE_CACHE, value=False)
        assert desk.dialog.show_values.call_args.args[0](USE_CACHE) == "false"

    play(desk, story)


def test_the_cache_is_measured_and_cleared(desk: Desk, museum_home: Path) -> None:
    file = museum_home / "compiled" / "jax-0.10.2" / "program"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"x" * (3 << 20))

    async def story() -> None:
        desk.dialog.show_held.assert_called_with("3.0 MiB", empty=False)
        desk.dialog.clear_requested.emit()
        await desk.settled()
        assert desk.said == ("1 programs are gone from the compilation cache.", "good")
        desk.dialog.show_held.assert_called_with("nothing", empty=True)

    play(desk, story)
    assert not file.exists()


def test_environments_are_named_and_forgotten(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    named = {"old": Path("/old/bin/python")}

    async def name(place: Path) -> Environment:
        if place == Path("/nowhere"):
            raise MuseumError("/nowhere: neither a Python nor a virtual environment")
        named["mine"] = NAMED.python
        return NAMED

    monkeypatch.setattr(module, "named_environments", lambda: named)
    monkeypatch.setattr(module, "name_python", name)
    monkeypatch.setattr(module.building, "remove", named.pop)

    async def story() -> None:
        desk.dialog.show_names.assert_called_with([("old", "/old/bin/python")])
        desk.dialog.named.emit("/nowhere")
        await desk.settled()
        assert (desk.said, desk.changes) == (("/nowhere: neither a Python nor a virtual environment", "bad"), 0)
        desk.dialog.named.emit("/mine")
        await desk.settled()
        desk.dialog.show_names.assert_called_with([("old", "/old/bin/python"), ("mine", "/mine/bin/python")])
        assert (desk.said[1], desk.changes) == ("good", 1)
        desk.dialog.remove_requested.emit("old")
        await desk.settled()
        desk.dialog.show_names.assert_called_with([("mine", "/mine/bin/python")])
        assert desk.changes == 2

    play(desk, story)


def test_one_dialog_and_the_way_to_all_environments(desk: Desk) -> None:
    async def story() -> None:
        desk.controller.open()
        assert len(desk.dialogs) == 1
        desk.dialog.environments_requested.emit()
        assert desk.managed == 1
        desk.dialog.finished.emit()
        desk.controller.open()
        assert len(desk.dialogs) == 2

    play(desk, story)

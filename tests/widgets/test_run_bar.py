"""The bar at the top, pressed, typed into and chosen from."""

from typing import Any

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets import run_bar
from gui.widgets.run_bar import Choice, RunBar

SIGNALS = (
    "query_edited",
    "query_entered",
    "query_left_down",
    "target_chosen",
    "devices_chosen",
    "environment_chosen",
    "stop_requested",
)


@pytest.fixture
def bar(qtbot: QtBot, theme: Theme) -> RunBar:
    bar = RunBar(theme, 512)
    qtbot.addWidget(bar)
    bar.resize(1200, 50)
    bar.set_targets([Choice("cpu", "fake CPU devices"), Choice("tpu-compile", "TPU compiler")], "cpu")
    bar.set_environments([Choice("0.12.0.1", "JAX 0.12.0.1", "own"), Choice("0.10.2", "JAX 0.10.2")], "0.12.0.1")
    with qtbot.waitExposed(bar):
        bar.show()
    return bar


@pytest.fixture
def asked(bar: RunBar) -> list[tuple[str, tuple[Any, ...]]]:
    """What the bar asks for, in order."""
    asked: list[tuple[str, tuple[Any, ...]]] = []
    for name in SIGNALS:
        getattr(bar, name).connect(lambda *values, name=name: asked.append((name, values)))
    return asked


def part(bar: RunBar, kind: type, name: str) -> Any:
    """The control of that kind whose accessible name begins so."""
    (found,) = [one for one in bar.findChildren(kind) if one.accessibleName().startswith(name)]
    return found


def test_typing_asks_at_every_key(bar: RunBar, asked: list, qtbot: QtBot) -> None:
    qtbot.keyClicks(bar.search, "ax")
    qtbot.keyClick(bar.search, Qt.Key.Key_Backspace)
    assert asked == [("query_edited", ("a",)), ("query_edited", ("ax",)), ("query_edited", ("a",))]


def test_enter_and_down_go_to_what_was_found(bar: RunBar, asked: list, qtbot: QtBot) -> None:
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Up):
        qtbot.keyClick(bar.search, key)
    assert asked == [("query_entered", ()), ("query_left_down", ())]


def test_escape_empties_the_search(bar: RunBar, asked: list, qtbot: QtBot) -> None:
    qtbot.keyClicks(bar.search, "a")
    qtbot.keyClick(bar.search, Qt.Key.Key_Escape)
    assert bar.search.text() == ""
    assert asked[-1] == ("query_edited", ("",))


def test_the_clear_button_empties_the_search(bar: RunBar, asked: list) -> None:
    bar.search.setText("axis")
    assert asked == []
    bar.search.clear()
    assert asked == [("query_edited", ("",))]


def test_another_target_is_asked_for_by_its_key(bar: RunBar, asked: list, qtbot: QtBot) -> None:
    qtbot.keyClick(part(bar, QComboBox, "Target"), Qt.Key.Key_Down)
    assert asked == [("target_chosen", ("tpu-compile",))]


def test_another_environment_is_asked_for_by_its_key(bar: RunBar, asked: list, qtbot: QtBot) -> None:
    qtbot.keyClick(part(bar, QComboBox, "Environment"), Qt.Key.Key_Down)
    assert asked == [("environment_chosen", ("0.10.2",))]


def test_a_device_count_counts_once_it_is_whole(bar: RunBar, asked: list, qtbot: QtBot) -> None:
    devices = part(bar, QSpinBox, "Fake CPU devices")
    devices.selectAll()
    qtbot.keyClicks(devices, "16")
    assert asked == []
    qtbot.keyClick(devices, Qt.Key.Key_Return)
    assert asked == [("devices_chosen", (16,))]
    qtbot.keyClick(devices, Qt.Key.Key_Up)
    assert asked[-1] == ("devices_chosen", (17,))


@pytest.mark.parametrize(("typed", "taken"), [("0", 8), ("513", 51), ("99999", 99), ("", 8), ("512", 512), ("-4", 4)])
def test_a_device_count_beyond_its_limits_cannot_be_typed(bar: RunBar, qtbot: QtBot, typed: str, taken: int) -> None:
    bar.set_target("cpu", 8)
    devices = part(bar, QSpinBox, "Fake CPU devices")
    devices.selectAll()
    qtbot.keyClick(devices, Qt.Key.Key_Delete)
    qtbot.keyClicks(devices, typed)
    qtbot.keyClick(devices, Qt.Key.Key_Return)
    assert devices.value() == taken


def test_showing_a_target_asks_for_nothing(bar: RunBar, asked: list) -> None:
    devices = part(bar, QSpinBox, "Fake CPU devices")
    bar.set_target("cpu", 4)
    assert (devices.value(), devices.isVisible()) == (4, True)
    bar.set_target("tpu-compile", None)
    assert not devices.isVisible()
    assert part(bar, QComboBox, "Target").currentText() == "TPU compiler"
    bar.set_environments([Choice("", "no JAX here")], "")
    assert asked == []


def test_the_environments_tip_names_what_stands_behind_it(bar: RunBar) -> None:
    box = part(bar, QComboBox, "Environment")
    tips = [box.itemData(row, Qt.ItemDataRole.ToolTipRole) for row in range(box.count())]
    assert tips == ["own", "JAX 0.10.2"]


def test_a_run_is_shown_with_its_stage_and_time_and_can_be_stopped(
    bar: RunBar, asked: list, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(run_bar.time, "monotonic", lambda: now)
    stop, (tick,) = part(bar, QPushButton, "Stop"), bar.findChildren(QTimer)

    def said() -> list[str]:
        return [label.text() for label in bar.findChildren(QLabel) if label.text()]

    assert not stop.isEnabled()
    qtbot.mouseClick(stop, Qt.MouseButton.LeftButton)
    assert asked == []
    bar.set_stage("importing", 100.0)
    assert said() == ["importing … 0.0 s"]
    now = 101.5
    tick.timeout.emit()
    assert said() == ["importing … 1.5 s"]
    qtbot.mouseClick(stop, Qt.MouseButton.LeftButton)
    assert asked == [("stop_requested", ())]
    bar.set_stage("")
    assert said() == []
    assert not stop.isEnabled()
    assert not tick.isActive()


def test_it_says_what_it_is_told(bar: RunBar) -> None:
    bar.say("no exhibit xla/three")
    assert [label.text() for label in bar.findChildren(QLabel) if label.isVisible()] == ["no exhibit xla/three"]

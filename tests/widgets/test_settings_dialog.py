"""The dialog of settings: shows what holds, asks for what is wanted, keeps what is being typed."""

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.settings_dialog import SECTIONS, SettingsDialog
from museum.settings import FAMILY, SCALE, SCHEME, SECONDS, SETTINGS, USE_CACHE, Setting


class Desk:
    """The dialog and the hands of a visitor."""

    def __init__(self, dialog: SettingsDialog, qtbot: QtBot) -> None:
        self.dialog, self.qtbot = dialog, qtbot
        self.asked: list[tuple[str, str]] = []
        dialog.edited.connect(lambda setting, text: self.asked.append((setting.key, text)))
        dialog.show_values(lambda setting: setting.write(setting.default))

    def control(self, setting: Setting[Any]) -> Any:
        return self.dialog._controls[setting.key]

    def press(self, words: str) -> None:
        (found,) = [one for one in self.dialog.findChildren(QPushButton) if one.text() == words]
        self.qtbot.mouseClick(found, Qt.MouseButton.LeftButton)

    @property
    def said(self) -> list[str]:
        return [label.text() for label in self.dialog.findChildren(QLabel) if label.text() and label.isVisible()]


@pytest.fixture
def desk(qtbot: QtBot, theme: Theme) -> Iterator[Desk]:
    dialog = SettingsDialog(theme, (("Serif", "Sans"), ("Mono",)))
    with qtbot.waitExposed(dialog):
        dialog.show()
    yield Desk(dialog, qtbot)
    dialog.close()


def test_every_setting_has_its_place(desk: Desk) -> None:
    listed = [setting for _, settings in SECTIONS for setting in settings]
    assert {setting.key for setting in listed} == {setting.key for setting in SETTINGS}
    assert len(listed) == len(SETTINGS)


def test_what_holds_is_shown_and_showing_it_asks_for_nothing(desk: Desk) -> None:
    assert desk.control(SECONDS).text() == "120"
    assert desk.control(SCHEME).currentText() == "As the system is"
    assert desk.control(SCALE).currentText() == "100 %"
    assert desk.control(USE_CACHE).isChecked()
    assert desk.asked == []


def test_each_kind_asks_as_it_is_used(desk: Desk) -> None:
    field: QLineEdit = desk.control(SECONDS)
    field.setFocus()
    field.selectAll()
    desk.qtbot.keyClicks(field, "30")
    assert desk.asked == []  # not at each key
    desk.qtbot.keyClick(field, Qt.Key.Key_Return)
    box: QComboBox = desk.control(SCHEME)
    box.setFocus()
    desk.qtbot.keyClick(box, Qt.Key.Key_Down)
    switch: QCheckBox = desk.control(USE_CACHE)
    desk.qtbot.keyClick(switch, Qt.Key.Key_Space)
    assert desk.asked == [(SECONDS.key, "30"), (SCHEME.key, "light"), (USE_CACHE.key, "false")]


def test_a_field_that_is_only_passed_asks_for_nothing(desk: Desk) -> None:
    field = desk.control(SECONDS)
    field.setFocus()
    desk.qtbot.keyClick(field, Qt.Key.Key_Tab)
    assert desk.asked == []


def test_what_is_being_typed_is_not_disturbed_until_it_is_forgotten(desk: Desk) -> None:
    field = desk.control(SECONDS)
    field.selectAll()
    desk.qtbot.keyClicks(field, "3")
    desk.dialog.show_values(lambda setting: setting.write(setting.default))
    assert field.text() == "3"
    desk.dialog.forget_typed()
    desk.dialog.show_values(lambda setting: setting.write(setting.default))
    assert field.text() == "120"


def test_a_refused_text_is_marked_and_stays(desk: Desk) -> None:
    desk.dialog.set_bad(SECONDS, bad=True)
    desk.dialog.say("Time: 1 to 86,400 s, not '0'", "bad")
    assert desk.control(SECONDS).property("bad") == "true"
    assert "Time: 1 to 86,400 s, not '0'" in desk.said


def test_fonts_are_suggested(desk: Desk) -> None:
    completer = desk.control(FAMILY).completer()
    completer.setCompletionPrefix("ser")
    assert completer.currentCompletion() == "Serif"


def test_a_reset_is_asked_about_first(desk: Desk) -> None:
    asked: list[bool] = []
    desk.dialog.reset_requested.connect(lambda: asked.append(True))
    desk.press("Reset to defaults…")
    assert asked == []
    desk.press("Reset all of them")
    assert asked == [True]


def test_environments_are_listed_added_and_removed(desk: Desk) -> None:
    named: list[str] = []
    removed: list[str] = []
    desk.dialog.named.connect(named.append)
    desk.dialog.remove_requested.connect(removed.append)
    assert any(words.startswith("None yet. Name a virtual environment") for words in desk.said)
    desk.press("Add")
    assert "Write the folder of a virtual environment first, or choose one." in desk.said
    desk.dialog._path.setFocus()
    desk.qtbot.keyClicks(desk.dialog._path, "/some/venv")
    desk.qtbot.keyClick(desk.dialog._path, Qt.Key.Key_Return)
    desk.dialog.show_names([("mine", "/some/venv/bin/python")])
    desk.dialog._names.selectRow(0)
    desk.press("Remove")
    assert (named, removed) == (["/some/venv"], ["mine"])
    assert desk.dialog.isVisible()


def test_the_cache_says_what_it_holds_and_is_cleared(desk: Desk) -> None:
    asked: list[bool] = []
    desk.dialog.clear_requested.connect(lambda: asked.append(True))
    desk.dialog.show_held("nothing", empty=True)
    desk.press("Clear")
    assert asked == []
    desk.dialog.show_held("3.0 MiB", empty=False)
    desk.press("Clear")
    assert asked == [True]

"""The dialog of a fault, the dialog of a text, and the quiet lines at the foot of the window."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.fault_dialog import FaultDialog
from gui.widgets.notices import Notices
from gui.widgets.output_pane import OutputPane
from gui.widgets.text_dialog import TextDialog


def press(qtbot: QtBot, part: QWidget, words: str) -> None:
    (found,) = [one for one in part.findChildren(QPushButton) if one.text() == words and not one.isHidden()]
    qtbot.mouseClick(found, Qt.MouseButton.LeftButton)


def said(part: QWidget) -> list[str]:
    return [label.text() for label in part.findChildren(QLabel) if label.text() and not label.isHidden()]


@pytest.fixture
def dialog(qtbot: QtBot, theme: Theme) -> FaultDialog:
    dialog = FaultDialog(theme)
    dialog.show_fault("It went wrong.", "ValueError: x", "It happened 2 times.", "versions\n\ntrace\n")
    with qtbot.waitExposed(dialog):
        dialog.show()
    return dialog


def test_it_says_what_happened_and_copies_the_report(dialog: FaultDialog, qtbot: QtBot) -> None:
    assert said(dialog) == ["It went wrong.", "ValueError: x", "It happened 2 times."]
    press(qtbot, dialog, "Copy report")
    assert QApplication.clipboard().text() == "versions\n\ntrace\n"
    assert "✓ copied" in said(dialog)
    dialog.close()


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Return])
def test_esc_and_return_go_on(dialog: FaultDialog, qtbot: QtBot, key: Qt.Key) -> None:
    asked: list[bool] = []
    dialog.quit_requested.connect(lambda: asked.append(True))
    with qtbot.waitSignal(dialog.finished):
        qtbot.keyClick(dialog, key)
    assert asked == []


def test_quit_closes_the_dialog_and_asks(dialog: FaultDialog, qtbot: QtBot) -> None:
    with qtbot.waitSignals([dialog.finished, dialog.quit_requested]):
        press(qtbot, dialog, "Quit")


def test_a_text_is_shown_from_its_end_and_copied_without_what_is_private(theme: Theme, qtbot: QtBot) -> None:
    dialog = TextDialog(theme, "Log of the museum")
    qtbot.addWidget(dialog)
    dialog.show_text("Reading …", "")
    copy = next(one for one in dialog.findChildren(QPushButton) if one.text() == "Copy")
    assert not copy.isEnabled()
    with qtbot.waitExposed(dialog):
        dialog.show()
    dialog.show_text("line\n" * 1000, "scrubbed", "/some/where/museum.log")
    bar = dialog.findChild(OutputPane).verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    press(qtbot, dialog, "Copy")
    assert QApplication.clipboard().text() == "scrubbed"


def test_notices_take_room_only_while_they_have_something_to_say(qtbot: QtBot) -> None:
    room = QWidget()
    qtbot.addWidget(room)
    notices = Notices(room)
    done: list[str] = []
    assert notices.isHidden()
    notices.say("The museum ended badly.", "Show", lambda: done.append("shown"))
    notices.say("The museum ended badly.")
    assert (notices.texts, notices.isHidden()) == (["The museum ended badly."], False)
    press(qtbot, notices, "Show")
    assert done == ["shown"]
    press(qtbot, notices, "Dismiss")
    assert (notices.texts, notices.isHidden()) == ([], True)


def test_an_older_notice_gives_way_to_a_newer_one(qtbot: QtBot) -> None:
    notices = Notices()
    qtbot.addWidget(notices)
    for number in range(5):
        notices.say(f"line {number}")
    assert notices.texts == ["line 2", "line 3", "line 4"]

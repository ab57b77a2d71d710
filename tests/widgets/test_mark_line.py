"""Marks in the gutter, walked by keyboard, with their words below the code."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.theme import Theme
from gui.widgets.code_editor import CodeEditor
from gui.widgets.find_bar import FindBar
from gui.widgets.mark_line import MarkLine


class Room(QWidget):
    """An editor with its line of words."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.editor = CodeEditor(theme.editor_colours("failing"), theme.syntax_colours())
        self.line = MarkLine(self.editor)
        layout = QVBoxLayout(self)
        for part in (self.editor, self.line, FindBar(self.editor)):
            layout.addWidget(part)
        self.editor.set_text("one = 1\n" * 9)

    def press(self, key: Qt.Key, *modifiers: Qt.KeyboardModifier) -> None:
        QTest.keyClick(self.editor, key, *modifiers)

    @property
    def said(self) -> tuple[int, str]:
        return self.editor.current_line, self.line.text() if self.line.isVisible() else ""


@pytest.fixture
def room(qtbot, theme: Theme) -> Room:
    room = Room(theme)
    qtbot.addWidget(room)
    room.resize(700, 300)
    with qtbot.waitExposed(room):
        room.show()
    room.activateWindow()
    room.editor.setFocus()
    return room


def test_f8_walks_the_marks_and_says_them(room: Room) -> None:
    room.editor.set_notes({3: "UserWarning: <slow>\nand more", 7: "XLA: a note"})
    room.editor.set_blamed_line(5, "ValueError: no")
    room.press(Qt.Key.Key_F8)
    assert room.said == (3, "1 of 3, line 3: UserWarning: <slow> and more")
    assert "&lt;slow&gt;\nand more" in room.line.toolTip()
    room.press(Qt.Key.Key_F8)
    assert room.said == (5, "2 of 3, line 5: ValueError: no")
    assert room.line.property("role") == "bad"
    room.press(Qt.Key.Key_F8)
    room.press(Qt.Key.Key_F8)
    assert room.said[0] == 3
    room.press(Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert room.said == (7, "3 of 3, line 7: XLA: a note")
    room.press(Qt.Key.Key_Right)
    assert room.said[1]
    room.press(Qt.Key.Key_Down)
    assert room.said == (8, "")


def test_words_go_with_an_edit_and_for_the_find_bar(room: Room) -> None:
    room.editor.set_blamed_line(5, "ValueError: no")
    for leave in ((Qt.Key.Key_X,), (Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)):
        room.press(Qt.Key.Key_F8)
        assert room.said == (5, "line 5: ValueError: no")
        room.press(*leave)
        assert room.said == (5, "")


def test_a_long_message_stays_one_line(room: Room) -> None:
    room.editor.set_blamed_line(5, "word " * 500)
    height = room.editor.height()
    room.press(Qt.Key.Key_F8)
    assert room.said[1].endswith("…")
    assert room.editor.height() > height - 3 * room.line.fontMetrics().lineSpacing()
    assert room.line.accessibleDescription().count("word") == 500


def test_without_marks_it_says_what_marks_are(room: Room) -> None:
    room.press(Qt.Key.Key_F8)
    assert room.said[1].startswith("no line is marked")

"""Finding, replacing, going to a line, and what else keys in the editor ask for."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QLineEdit, QToolTip, QVBoxLayout, QWidget

from gui.theme import Theme
from gui.widgets.brackets import pair_at
from gui.widgets.code_editor import CodeEditor
from gui.widgets.find_bar import FindBar
from museum.finding import Found, fulfil

CODE = "mesh = make(\n    [1, 2],  # (\n)\nMesh = ')'\n🦀 = mesh\n"
CONTROL = Qt.KeyboardModifier.ControlModifier


class Room(QWidget):
    """An editor with its bar, and hands."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.editor = CodeEditor(theme.editor_colours("failing"), theme.syntax_colours())
        self.bar = FindBar(self.editor)
        layout = QVBoxLayout(self)
        layout.addWidget(self.editor)
        layout.addWidget(self.bar)
        self.edits: list[str] = []
        self.editor.text_edited.connect(self.edits.append)
        self.bar.wanted.connect(lambda wish: self.bar.answer(wish, fulfil(wish)))
        self.editor.set_text(CODE)

    def field(self, name: str) -> QLineEdit:
        return next(one for one in self.findChildren(QLineEdit) if one.accessibleName() == name)

    def switch(self, text: str) -> None:
        next(one for one in self.findChildren(QCheckBox) if one.text() == text).click()

    @property
    def said(self) -> str:
        return " ".join(label.text() for label in self.bar.findChildren(QLabel) if label.isVisible())

    @property
    def selected(self) -> tuple[int, str]:
        cursor = self.editor.textCursor()
        return cursor.blockNumber() + 1, cursor.selectedText()


@pytest.fixture
def room(qtbot, theme) -> Room:
    room = Room(theme)
    qtbot.addWidget(room)
    with qtbot.waitExposed(room):
        room.show()
    with qtbot.waitSignal(room.editor._highlighter.settled):
        room.editor.set_text(CODE)
    room.activateWindow()
    room.editor.setFocus()
    return room


def test_what_is_typed_is_found_and_return_goes_on(room):
    QTest.keyClick(room.editor, Qt.Key.Key_F, CONTROL)
    assert room.field("Find").hasFocus()
    assert not room.field("Replace by").isVisible()
    QTest.keyClicks(room.field("Find"), "mesh")
    assert room.selected == (1, "mesh")
    assert room.said == "3 found"
    for place, words in ((4, "2 of 3"), (5, "3 of 3"), (1, "1 of 3")):
        QTest.keyClick(room.field("Find"), Qt.Key.Key_Return)
        assert (room.selected[0], room.said) == (place, words)
    QTest.keyClick(room.field("Find"), Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert room.selected == (5, "mesh")
    room.switch("Case")
    assert room.said == "2 found"
    QTest.keyClick(room.field("Find"), Qt.Key.Key_Escape)
    assert not room.bar.isVisible()
    assert room.editor.hasFocus()
    assert room.edits == []
    QTest.keyClick(room.editor, Qt.Key.Key_F3)
    assert room.selected == (1, "mesh")


def test_a_bad_expression_is_told_in_one_line(room):
    QTest.keyClick(room.editor, Qt.Key.Key_F, CONTROL)
    room.switch("Regex")
    QTest.keyClicks(room.field("Find"), "(")
    assert room.said == "no regular expression: missing ), unterminated subpattern"
    QTest.keyClicks(room.field("Find"), "mesh)")
    assert room.said == "3 found"


def test_replacing_one_and_all(room):
    QTest.keyClick(room.editor, Qt.Key.Key_H, CONTROL)
    QTest.keyClicks(room.field("Find"), "mesh")
    QTest.keyClicks(room.field("Replace by"), "m")
    QTest.keyClick(room.field("Replace by"), Qt.Key.Key_Return)
    assert room.edits == [CODE.replace("mesh", "m", 1)]
    assert room.selected == (4, "Mesh")
    room.bar.replace_all()
    assert room.edits[-1] == CODE.replace("mesh", "m").replace("Mesh", "m")
    assert room.said == "2 replaced"
    room.editor.undo()
    assert room.editor.text() == CODE.replace("mesh", "m", 1)


def test_what_is_selected_is_looked_for(room):
    cursor = room.editor.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.EndOfWord, QTextCursor.MoveMode.KeepAnchor)
    room.editor.setTextCursor(cursor)
    QTest.keyClick(room.editor, Qt.Key.Key_F, CONTROL)
    assert room.field("Find").text() == "mesh"


def test_an_answer_that_comes_late_is_dropped(room):
    room.bar.wanted.disconnect()
    wishes = []
    room.bar.wanted.connect(wishes.append)
    QTest.keyClick(room.editor, Qt.Key.Key_F, CONTROL)
    room.switch("Regex")
    QTest.keyClicks(room.field("Find"), "me")
    assert room.said == "looking …"
    assert [wish.query.text for wish in wishes[-2:]] == ["m", "me"]
    room.bar.answer(wishes[-2], fulfil(wishes[-2]))
    assert room.said == "looking …"
    room.editor.set_text("other")
    room.bar.answer(wishes[-1], fulfil(wishes[-1]))
    assert room.selected == (1, "")
    room.editor.set_text(CODE)
    QTest.keyClicks(room.field("Find"), "s")
    room.bar.answer(wishes[-1], Found(fault="this expression takes too long"))
    assert room.said == "this expression takes too long"
    QTest.keyClick(room.field("Find"), Qt.Key.Key_Return)
    room.bar.leave()
    room.bar.answer(wishes[-1], fulfil(wishes[-1]))
    assert room.selected == (1, "")


def test_an_expression_replaces_one_and_all(room):
    QTest.keyClick(room.editor, Qt.Key.Key_H, CONTROL)
    room.switch("Regex")
    QTest.keyClicks(room.field("Find"), "(m)esh")
    QTest.keyClicks(room.field("Replace by"), r"<\1>")
    QTest.keyClick(room.field("Replace by"), Qt.Key.Key_Return)
    assert room.edits == [CODE.replace("mesh", "<m>", 1)]
    assert room.selected == (4, "Mesh")
    room.bar.replace_all()
    assert room.edits[-1] == CODE.replace("mesh", "<m>").replace("Mesh", "<M>")
    assert room.said == "2 replaced"


def test_what_is_found_is_marked_where_it_is_in_sight(room):
    room.editor.set_text("mesh\n" * 3000)
    QTest.keyClick(room.editor, Qt.Key.Key_F, CONTROL)
    QTest.keyClicks(room.field("Find"), "mesh")
    assert room.said == "3,000 found"

    def marked():
        lines = {one.cursor.blockNumber() for one in room.editor.extraSelections()}
        assert len(lines) < 100
        return min(lines), max(lines)

    assert marked()[0] == 0
    room.editor.verticalScrollBar().setValue(2000)
    assert marked()[0] <= 2000 < marked()[1]


@pytest.mark.parametrize(("typed", "line"), [("3", 3), ("99", 6), ("0", 1)])
def test_going_to_a_line(room, typed, line):
    QTest.keyClick(room.editor, Qt.Key.Key_G, CONTROL)
    assert room.field("Line").selectedText() == "1"
    QTest.keyClicks(room.field("Line"), typed)
    assert room.editor.textCursor().blockNumber() + 1 == line
    QTest.keyClicks(room.field("Line"), "x")
    assert room.said == "write the number of a line"
    QTest.keyClick(room.field("Line"), Qt.Key.Key_Return)
    assert room.editor.hasFocus()


@pytest.mark.parametrize(
    ("position", "pair"),
    [
        (CODE.index("make(") + 5, ("(", 11, 30)),
        (CODE.index("make(") + 4, ("(", 11, 30)),
        (31, (")", 30, 11)),
        (CODE.index("[") + 1, ("[", 17, 22)),
        (CODE.index("# (") + 3, None),
        (CODE.index("')'") + 2, None),
        (0, None),
    ],
)
def test_brackets_find_their_partner_but_not_in_strings_and_comments(room, position, pair):
    found = pair_at(room.editor.document(), position)
    if pair is None:
        assert found is None
    else:
        assert (CODE[found[0]], *found) == pair


def test_a_bracket_without_a_partner_is_not_marked(room):
    room.editor.set_text("f((x)\n")
    assert pair_at(room.editor.document(), 2) is None
    assert pair_at(room.editor.document(), 3) == (2, 4)


def test_brackets_are_marked_while_the_editor_has_the_focus(room):
    cursor = room.editor.textCursor()
    cursor.setPosition(12)
    room.editor.setTextCursor(cursor)
    assert len(room.editor.extraSelections()) == 2
    room.editor.clearFocus()
    assert room.editor.extraSelections() == []


@pytest.mark.qt_log_ignore("does not support raise")
def test_notes_move_with_their_lines_and_are_told(room):
    room.editor.set_notes({2: "UserWarning: <b>", 99: "none"})
    room.editor.set_blamed_line(2, "ValueError: no")
    QTest.keyClick(room.editor, Qt.Key.Key_Return)
    assert (dict(room.editor.marks.notes), room.editor.blamed_line()) == ({3: "UserWarning: <b>"}, 3)
    assert "Line 3: UserWarning: <b>" in room.editor.accessibleDescription()
    row = next(row for row in room.editor.rows(0, 300) if row.line == 3)
    at = QPoint(5, round(row.top + row.height / 2))
    QApplication.sendEvent(room.editor._gutter, QHelpEvent(QEvent.Type.ToolTip, at, room.editor.mapToGlobal(at)))
    assert "ValueError: no\n\nUserWarning: &lt;b&gt;" in QToolTip.text()
    QToolTip.hideText()


def test_whitespace_is_shown_and_hidden_without_an_edit(room):
    flags = room.editor.document().defaultTextOption().flags()
    room.editor.set_whitespace(shown=True)
    assert room.editor.document().defaultTextOption().flags() != flags
    room.editor.set_whitespace(shown=False)
    assert room.editor.document().defaultTextOption().flags() == flags
    assert room.edits == []


def test_files_that_are_dragged_in_are_not_taken_for_text(room):
    from PySide6.QtCore import QMimeData, QUrl

    files, text = QMimeData(), QMimeData()
    files.setUrls([QUrl.fromLocalFile("/x.py")])
    text.setText("x")
    assert not room.editor.canInsertFromMimeData(files)
    assert room.editor.canInsertFromMimeData(text)


def test_marks_follow_a_text_that_the_program_changes(room):
    QTest.keyClick(room.editor, Qt.Key.Key_F, CONTROL)
    QTest.keyClicks(room.field("Find"), "mesh")
    room.editor.replace_text("mesh\n")
    assert room.said == "1 found"
    room.bar.leave()
    QTest.keyClick(room.editor, Qt.Key.Key_F3)
    assert room.editor.extraSelections()
    room.editor.set_text("other text\n")
    assert room.editor.extraSelections() == []


def test_the_fields_keep_their_room_in_a_narrow_page(room):
    QTest.keyClick(room.editor, Qt.Key.Key_H, CONTROL)
    for width in (1200, 420, 300):
        room.resize(width, 600)
        QApplication.processEvents()
        assert room.width() == width
        for name in ("Find", "Replace by"):
            assert room.field(name).width() > width // 3

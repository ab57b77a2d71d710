"""Names at the caret and help under the mouse: asked for, shown, chosen."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolTip

from gui.theme import Theme
from gui.widgets.code_editor import CodeEditor
from gui.widgets.completion import NO_HELP, NO_NAMES, Completion, Spot

pytestmark = pytest.mark.qt_log_ignore("does not support")
NAMES = ["device_count", "device_put", "jit"]


class Desk:
    """An editor with its completion, and what it asked for."""

    def __init__(self, editor: CodeEditor) -> None:
        self.editor = editor
        self.completion = Completion(editor)
        self.wanted: list[Spot] = []
        self.helped: list[Spot] = []
        self.completion.names_wanted.connect(self.wanted.append)
        self.completion.help_wanted.connect(self.helped.append)

    @property
    def offered(self) -> list[str]:
        if not self.completion._popup.isVisible():
            return []
        model = self.completion._completer.completionModel()
        return [model.index(row, 0).data() for row in range(model.rowCount())]

    def press(self, key: Qt.Key) -> None:
        """As a key reaches an open list: the list hands it to the editor first."""
        QTest.keyClick(self.completion._popup if self.completion._popup.isVisible() else self.editor, key)


@pytest.fixture
def desk(qtbot, theme: Theme) -> Desk:
    editor = CodeEditor(theme.editor_colours("failing"), theme.syntax_colours())
    qtbot.addWidget(editor)
    editor.resize(500, 300)
    editor.set_text("🦀 = jax")
    with qtbot.waitExposed(editor):
        editor.show()
    editor.activateWindow()
    editor.setFocus()
    QTest.keyClick(editor, Qt.Key.Key_End)
    return Desk(editor)


def test_a_dot_and_ctrl_space_ask_for_names(desk: Desk) -> None:
    QTest.keyClicks(desk.editor, ".d")
    assert desk.wanted == [Spot(1, 8)]
    QTest.keyClick(desk.editor, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert desk.wanted[1:] == [Spot(1, 9)]
    desk.editor.undo()  # no key of the visitor wrote the dot
    assert len(desk.wanted) == 2


def test_letters_choose_among_the_names_and_return_takes_one(desk: Desk) -> None:
    QTest.keyClicks(desk.editor, ".")
    desk.completion.show_names(NAMES, Spot(1, 8))
    assert desk.offered == ["device_count", "device_put", "jit"]
    QTest.keyClicks(desk.editor, "d")
    assert desk.offered == ["device_count", "device_put"]
    desk.press(Qt.Key.Key_Down)
    desk.press(Qt.Key.Key_Return)
    assert desk.editor.text() == "🦀 = jax.device_put"
    assert desk.offered == []
    desk.editor.undo()
    assert desk.editor.text().startswith("🦀 = jax")


def test_escape_closes_the_list_and_nothing_else(desk: Desk) -> None:
    QTest.keyClicks(desk.editor, ".")
    desk.completion.show_names(NAMES, Spot(1, 8))
    desk.press(Qt.Key.Key_Escape)
    assert desk.offered == []
    assert not desk.editor.tabChangesFocus()


def test_a_late_answer_is_dropped(desk: Desk) -> None:
    QTest.keyClicks(desk.editor, ".")
    QTest.keyClick(desk.editor, Qt.Key.Key_Return)
    desk.completion.show_names(NAMES, Spot(1, 8))
    assert desk.offered == []
    QTest.keyClicks(desk.editor, "x.y ")  # on the same line, behind another name
    desk.completion.show_names(NAMES, desk.wanted[-1])
    assert desk.offered == []
    QTest.keyClicks(desk.editor, "x.d")
    desk.completion.show_names(NAMES, Spot(1, 8))  # of the question before
    assert desk.offered == []
    desk.completion.show_names(NAMES, desk.wanted[-1])  # letters came meanwhile
    assert desk.offered == ["device_count", "device_put"]
    desk.press(Qt.Key.Key_Escape)
    desk.editor.clearFocus()
    desk.completion.show_names(NAMES, desk.wanted[-1])
    assert desk.offered == []


def test_tab_takes_a_name_and_without_a_list_it_indents(desk: Desk) -> None:
    QTest.keyClicks(desk.editor, ".DEVICE_P")
    desk.completion.show_names(NAMES, Spot(1, 8))
    desk.press(Qt.Key.Key_Tab)
    assert desk.editor.text() == "🦀 = jax.device_put"
    desk.press(Qt.Key.Key_Tab)
    assert desk.editor.text() == "🦀 = jax.device_put    "


def test_the_list_goes_when_the_caret_leaves_the_name(desk: Desk) -> None:
    QTest.keyClicks(desk.editor, ".d")
    desk.completion.show_names(NAMES, Spot(1, 8))
    desk.press(Qt.Key.Key_Left)
    assert desk.offered == NAMES
    desk.press(Qt.Key.Key_Left)
    assert desk.offered == []


def test_a_name_before_the_caret_is_completed_in_its_middle(desk: Desk) -> None:
    desk.editor.set_text("jax.dev + 1")
    for _ in range(7):
        QTest.keyClick(desk.editor, Qt.Key.Key_Right)
    QTest.keyClick(desk.editor, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    desk.completion.show_names(NAMES, Spot(1, 7))
    assert desk.offered == ["device_count", "device_put"]
    desk.press(Qt.Key.Key_Enter)
    assert desk.editor.text() == "jax.device_count + 1"


def test_what_stands_complete_is_not_offered(desk: Desk) -> None:
    QTest.keyClicks(desk.editor, ".jit")
    desk.completion.show_names(NAMES, Spot(1, 8))
    assert desk.offered == []


def test_the_point_of_a_number_and_of_a_sentence_asks_for_nothing(desk: Desk, qtbot) -> None:
    with qtbot.waitSignal(desk.editor.coloured):
        desk.editor.set_text("")
    QTest.keyClicks(desk.editor, "1.5 + 'a.' # end.")
    assert desk.wanted == []
    QTest.keyClick(desk.editor, Qt.Key.Key_Return)
    QTest.keyClicks(desk.editor, "x1.")
    assert desk.wanted == [Spot(2, 3)]


def test_who_asks_by_key_hears_that_there_is_nothing(desk: Desk) -> None:
    QTest.keyClicks(desk.editor, ".")
    desk.completion.show_names([], Spot(1, 8))
    desk.completion.tell_nothing("no environment")
    assert QToolTip.text() == ""
    QTest.keyClick(desk.editor, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    desk.completion.show_names([], Spot(1, 8))
    assert QToolTip.text() == NO_NAMES
    desk.completion.tell_nothing("no environment")
    assert QToolTip.text() == "no environment"
    QTest.keyClick(desk.editor, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    desk.completion.show_help("", "", Spot(1, 8))
    assert QToolTip.text() == NO_HELP
    QToolTip.hideText()


def test_help_is_shown_where_the_mouse_rests(desk: Desk, qtbot) -> None:
    at = desk.editor.mapToGlobal(QPoint(50, 50))
    QCursor.setPos(at)
    desk.editor.hovered.emit(7, at)
    assert desk.helped == [Spot(1, 6)]  # the crab is one character, and two to Qt
    desk.completion.show_help("jit(fun: Callable[..., <T>])", "Compiles.", Spot(1, 6))
    assert "jit(fun: Callable[..., &lt;T&gt;])" in QToolTip.text()
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    QCursor.setPos(at + QPoint(0, 80))  # the mouse went on before the answer came
    desk.completion.show_help("jit()", "Compiles.", Spot(1, 6))
    assert not QToolTip.isVisible()


def test_help_at_the_caret_is_asked_for_by_key(desk: Desk) -> None:
    QTest.keyClick(desk.editor, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    assert desk.helped == [Spot(1, 7)]
    desk.completion.show_help("jax()", "Of it.", Spot(1, 7))
    assert "<p>Of it.</p>" in QToolTip.text()
    QToolTip.hideText()

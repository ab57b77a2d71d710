"""Names at the caret and help under the mouse: asked for, shown, chosen."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from gui.theme import Theme
from gui.widgets.code_editor import CodeEditor
from gui.widgets.completion import Completion, Offer, Spot

pytestmark = pytest.mark.qt_log_ignore("does not support")
OFFERS = [Offer("device_count", "function"), Offer("device_put", "function"), Offer("jit", "function")]


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
    desk.completion.show_names(OFFERS, Spot(1, 8))
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
    desk.completion.show_names(OFFERS, Spot(1, 8))
    desk.press(Qt.Key.Key_Escape)
    assert desk.offered == []
    assert not desk.editor.tabChangesFocus()


def test_a_late_answer_is_dropped(desk: Desk) -> None:
    QTest.keyClicks(desk.editor, ".")
    QTest.keyClick(desk.editor, Qt.Key.Key_Return)
    desk.completion.show_names(OFFERS, Spot(1, 8))
    assert desk.offered == []
    desk.completion.show_names([], Spot(2, 0))
    assert desk.offered == []


def test_what_stands_complete_is_not_offered(desk: Desk) -> None:
    QTest.keyClicks(desk.editor, ".jit")
    desk.completion.show_names(OFFERS, Spot(1, 8))
    assert desk.offered == []


def test_help_is_shown_where_the_mouse_was(desk: Desk) -> None:
    desk.editor.hovered.emit(7, QPoint(50, 50))
    assert desk.helped == [Spot(1, 6)]  # the crab is one character, and two to Qt
    desk.completion.show_help("jit(fun: Callable[..., <T>])", "Compiles.")
    assert "jit(fun: Callable[..., &lt;T&gt;])" in QToolTip.text()
    QToolTip.hideText()
    QApplication.processEvents()

import dataclasses

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QImage,
    QInputMethodEvent,
    QPaintEvent,
    QRegion,
    QTextCharFormat,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QScrollArea, QToolTip, QVBoxLayout, QWidget

from gui.widgets.code_editor import CodeEditor, EditorColours
from gui.widgets.python_highlighter import SyntaxColours

# The offscreen platform says so of every window with a least size.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

COLOURS = EditorColours(
    text=QColor("#000000"),
    background=QColor("#ffffff"),
    gutter_text=QColor("#888888"),
    current_line=QColor("#eeeeff"),
    changed_line=QColor("#ffffaa"),
    changed_mark=QColor("#aa8800"),
    blamed_line=QColor("#ffaaaa"),
    blamed_mark=QColor("#cc0000"),
    note_mark=QColor("#cc8800"),
    selection=QColor("#aaccff"),
    match=QColor("#ccffcc"),
)
SYNTAX = SyntaxColours(*[QColor("#000000")] * len(dataclasses.fields(SyntaxColours)))

CODE = "def f(x):\n    y = x\n    return y\n\nf(1)\n"


@pytest.fixture
def editor(qtbot) -> CodeEditor:
    editor = CodeEditor(COLOURS, SYNTAX)
    qtbot.addWidget(editor)
    editor.resize(500, 300)
    editor.set_text(CODE)
    with qtbot.waitExposed(editor):
        editor.show()
    editor.setFocus()
    return editor


@pytest.fixture
def edits(editor) -> list[str]:
    edits: list[str] = []
    editor.text_edited.connect(edits.append)
    return edits


def put_caret(editor: CodeEditor, line: int, column: int = 0) -> None:
    cursor = editor.textCursor()
    cursor.setPosition(editor.document().findBlockByNumber(line - 1).position() + column)
    editor.setTextCursor(cursor)


def select(editor: CodeEditor, start: tuple[int, int], end: tuple[int, int]) -> None:
    put_caret(editor, *start)
    cursor = editor.textCursor()
    cursor.setPosition(
        editor.document().findBlockByNumber(end[0] - 1).position() + end[1], QTextCursor.MoveMode.KeepAnchor
    )
    editor.setTextCursor(cursor)


def caret(editor: CodeEditor) -> tuple[int, int]:
    return editor.textCursor().blockNumber() + 1, editor.textCursor().positionInBlock()


def settle() -> None:
    for _ in range(5):
        QApplication.processEvents()


# Text and signals


@pytest.mark.parametrize("text", ["", "a", "a\n", "\n\n", "tab\there", "no\u00a0break", "🦀 = 'é'\n", "a\x0cb"])
def test_text_comes_back_verbatim(editor, text):
    editor.set_text(text)
    assert editor.text() == text


def test_only_the_visitors_changes_are_told(editor, edits, qtbot):
    editor.set_text("a = 1\n")
    editor.replace_text("a = 2\n")
    editor.set_changed_lines({1})
    editor.set_colours(COLOURS, SYNTAX)
    assert edits == []
    put_caret(editor, 1)
    qtbot.keyClicks(editor, "b")
    assert edits == ["ba = 2\n"]
    editor.undo()
    assert edits[1:] == ["a = 2\n"]


def test_colouring_tells_of_no_change(editor, edits, qtbot):
    with qtbot.waitSignal(editor._highlighter.settled):
        editor.set_text("import jax\n" * 300)
    assert edits == []


def test_replacing_is_one_step_that_undo_takes_back(editor, edits, qtbot):
    put_caret(editor, 5)
    editor.insertPlainText("# 🦀")  # QTest cannot type it
    qtbot.keyClicks(editor, " + ")
    mine = editor.text()
    editor.replace_text(CODE)
    assert editor.text() == CODE
    editor.undo()
    assert editor.text() == mine
    assert edits[-1] == mine
    editor.redo()
    assert editor.text() == CODE


def test_replacing_by_the_same_text_leaves_nothing_to_undo(editor):
    editor.replace_text(CODE)
    assert not editor.document().isUndoAvailable()


@pytest.mark.parametrize(
    ("old", "new"),
    [("aaa", "aa"), ("aa", "aaa"), ("", "x\n"), ("x", ""), ("a🦀b", "a🦁b"), ("ab", "ba"), ("🦀a🦀", "🦀b🦀")],
)
def test_replacing_gives_the_new_text(editor, old, new):
    editor.set_text(old)
    editor.replace_text(new)
    assert editor.text() == new


def test_another_text_cannot_be_undone(editor, qtbot):
    qtbot.keyClicks(editor, "x")
    editor.set_text("new")
    editor.undo()
    assert editor.text() == "new"


# Keys


def test_tab_inserts_four_spaces(editor, qtbot):
    put_caret(editor, 5)
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.text() == CODE.replace("f(1)", "    f(1)")
    assert editor.hasFocus()


def test_shift_tab_takes_up_to_four_spaces_away(editor, qtbot):
    editor.set_text("      a")
    put_caret(editor, 1, 6)
    qtbot.keyClick(editor, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert editor.text() == "  a"
    qtbot.keyClick(editor, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert editor.text() == "a"
    qtbot.keyClick(editor, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert editor.text() == "a"


def test_tab_and_shift_tab_move_all_selected_lines_in_one_step_each(editor, qtbot):
    select(editor, (1, 4), (5, 0))  # nothing of line 5 itself
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.text() == "    def f(x):\n        y = x\n        return y\n\nf(1)\n"
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.text().startswith("        def f(x):\n            y = x")
    qtbot.keyClick(editor, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    editor.undo()
    editor.undo()
    editor.undo()
    assert editor.text() == CODE


@pytest.mark.parametrize(
    ("line", "column", "inserted"),
    [
        (1, 9, "\n    "),
        (2, 9, "\n    "),
        (2, 2, "\n  "),
        (5, 0, "\n"),
    ],
    ids=["after a colon", "keeps", "in the indentation", "at the beginning"],
)
@pytest.mark.parametrize("modifier", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier])
def test_enter_keeps_the_indentation(editor, qtbot, line, column, inserted, modifier):
    put_caret(editor, line, column)
    at = editor.textCursor().position()
    qtbot.keyClick(editor, Qt.Key.Key_Return, modifier)
    assert editor.text() == CODE[:at] + inserted + CODE[at:]
    editor.undo()
    assert editor.text() == CODE


@pytest.mark.parametrize(
    ("line", "indents"), [("if a:  # why", True), ("x = {'a': 1}", False), ("s = 'a: # b'", False)]
)
def test_only_a_colon_at_the_end_indents_further(editor, qtbot, line, indents):
    editor.set_text(line)
    put_caret(editor, 1, len(line))
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert editor.text() == line + ("\n    " if indents else "\n")


@pytest.mark.parametrize("shift", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier])
def test_slash_comments_and_back(editor, qtbot, shift):
    select(editor, (2, 0), (3, 3))
    qtbot.keyClick(editor, Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier | shift)
    assert editor.text() == "def f(x):\n    # y = x\n    # return y\n\nf(1)\n"
    qtbot.keyClick(editor, Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier | shift)
    assert editor.text() == CODE


def test_comments_line_up_at_the_least_indentation_and_nest(editor, qtbot):
    editor.set_text("a:\n\n    #b\n")
    editor.selectAll()
    qtbot.keyClick(editor, Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier)
    assert editor.text() == "# a:\n\n#     #b\n"
    qtbot.keyClick(editor, Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier)
    assert editor.text() == "a:\n\n    #b\n"


def test_home_goes_to_the_code_and_then_to_the_edge(editor, qtbot):
    put_caret(editor, 2, 9)
    qtbot.keyClick(editor, Qt.Key.Key_Home)
    assert caret(editor) == (2, 4)
    qtbot.keyClick(editor, Qt.Key.Key_Home)
    assert caret(editor) == (2, 0)
    qtbot.keyClick(editor, Qt.Key.Key_Home, Qt.KeyboardModifier.ShiftModifier)
    assert editor.textCursor().selectedText() == "    "


@pytest.fixture
def page(qtbot, editor) -> QWidget:
    """The editor between two fields."""
    page = QWidget()
    qtbot.addWidget(page)
    layout = QVBoxLayout(page)
    for widget in (QLineEdit(), editor, QLineEdit()):
        layout.addWidget(widget)
    with qtbot.waitExposed(page):
        page.show()
    page.activateWindow()
    editor.setFocus()
    return page


def test_escape_then_tab_leaves(editor, page, qtbot):
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert page.focusWidget() is page.layout().itemAt(2).widget()
    assert editor.text() == CODE


def test_escape_then_shift_tab_leaves_backwards(editor, page, qtbot):
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    qtbot.keyPress(editor, Qt.Key.Key_Shift)
    QTest.keyClick(editor, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert page.focusWidget() is page.layout().itemAt(0).widget()


@pytest.mark.parametrize("key", [Qt.Key.Key_Left, Qt.Key.Key_F2])
def test_escape_counts_for_the_next_key_only(editor, page, qtbot, key):
    put_caret(editor, 5, 4)
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    qtbot.keyClick(editor, key)
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert page.focusWidget() is editor
    assert "    " in editor.text().splitlines()[4]


def test_ctrl_tab_is_left_to_the_window(editor, qtbot):
    qtbot.keyClick(editor, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    assert editor.text() == CODE


def test_the_way_out_is_described(editor):
    assert "Esc, then Tab" in editor.accessibleDescription()
    editor.set_read_only(True)
    assert "Esc" not in editor.accessibleDescription()


def test_read_only_code_keeps_its_text_and_lets_tab_leave(editor, page, edits, qtbot):
    editor.set_read_only(True)
    put_caret(editor, 2, 4)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_X, Qt.Key.Key_Backspace):
        qtbot.keyClick(editor, key)
    qtbot.keyClick(editor, Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(editor, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert editor.textCursor().selectedText() == "y"
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert page.focusWidget() is not editor
    assert editor.text() == CODE
    assert edits == []
    editor.set_read_only(False)
    qtbot.keyClicks(editor, "z")
    assert editor.text() == CODE.replace("y = x", "z = x")


def test_colours_survive_composing_that_is_given_up(editor, qtbot):
    with qtbot.waitSignal(editor._highlighter.settled):
        editor.set_text("import jax")
    layout = editor.document().firstBlock().layout()
    colours = [(piece.start, piece.length) for piece in layout.formats()]
    assert colours
    underlined = QTextCharFormat()
    underlined.setFontUnderline(True)
    attribute = QInputMethodEvent.Attribute(QInputMethodEvent.AttributeType.TextFormat, 0, 2, underlined)
    for preedit, attributes in (("ni", [attribute]), ("", [])):
        QApplication.sendEvent(editor, QInputMethodEvent(preedit, attributes))
    assert [(piece.start, piece.length) for piece in layout.formats()] == colours


# Marks


@pytest.mark.parametrize(
    ("caret_at", "key", "blamed", "changed"),
    [
        ((1, 0), Qt.Key.Key_Return, 4, {3, 6}),
        ((1, 3), Qt.Key.Key_Return, 4, {3, 6}),
        ((3, 0), Qt.Key.Key_Return, 4, {2, 6}),
        ((3, 12), Qt.Key.Key_Return, 3, {2, 6}),
        ((3, 0), Qt.Key.Key_Backspace, None, {2, 4}),
        ((4, 0), Qt.Key.Key_Backspace, 3, {2, 4}),
        ((3, 5), Qt.Key.Key_X, 3, {2, 5}),
    ],
    ids=["above", "inside above", "at its beginning", "at its end", "joined away", "joined by the next", "no line"],
)
def test_marks_follow_their_lines(editor, qtbot, caret_at, key, blamed, changed):
    editor.set_changed_lines({2, 5})
    editor.set_blamed_line(3, "why")
    put_caret(editor, *caret_at)
    qtbot.keyClick(editor, key)
    assert editor.blamed_line() == blamed
    assert editor.changed_lines() == changed


def test_marks_of_removed_lines_vanish(editor, qtbot):
    editor.set_changed_lines({1, 2, 5})
    editor.set_blamed_line(3, "why")
    select(editor, (2, 0), (5, 0))
    qtbot.keyClick(editor, Qt.Key.Key_Delete)
    assert editor.blamed_line() is None
    assert editor.changed_lines() == {1, 2}
    assert "why" not in editor.accessibleDescription()


def test_marks_stay_when_the_text_is_replaced_above_them(editor):
    editor.set_blamed_line(5, "why")
    editor.replace_text("import jax\n\n" + CODE)
    assert editor.blamed_line() == 7


def test_another_text_has_no_marks(editor):
    editor.set_changed_lines({1})
    editor.set_blamed_line(1, "why")
    editor.set_text(CODE)
    assert (editor.blamed_line(), editor.changed_lines()) == (None, frozenset())


@pytest.mark.parametrize("line", [0, -1, 7, None])
def test_a_line_that_is_not_there_is_not_blamed(editor, line):
    editor.set_blamed_line(2, "why")
    editor.set_blamed_line(line, "why")
    assert editor.blamed_line() is None


def colours_of_line(editor: CodeEditor, line: int) -> tuple[set[str], set[str]]:
    """The colours in the gutter and in the code of one line, as drawn."""
    image = editor.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    row = next(row for row in editor.rows(0, editor.viewport().height()) if row.line == line)
    top = editor.viewport().y() + int(row.top) + 1
    gutter: set[str] = set()
    code: set[str] = set()
    for y in range(top, top + int(row.height) - 2):
        for x in range(editor.frameWidth() + 1, editor.viewport().geometry().right()):
            (gutter if x < editor.viewport().x() else code).add(image.pixelColor(x, y).name())
    return gutter, code


def test_changed_and_blamed_lines_have_a_tint_and_a_mark(editor, qtbot):
    editor.set_changed_lines({2})
    editor.set_blamed_line(3, "why")
    gutter, code = colours_of_line(editor, 2)
    assert {"#ffffaa", "#aa8800"} <= gutter
    assert "#ffffaa" in code
    gutter, code = colours_of_line(editor, 3)
    assert {"#ffaaaa", "#cc0000"} <= gutter
    assert "#ffaaaa" in code
    gutter, code = colours_of_line(editor, 5)
    assert not {"#ffaaaa", "#cc0000", "#ffffaa", "#aa8800"} & (gutter | code)


def test_the_current_line_shows_while_the_editor_has_the_focus(editor, qtbot):
    put_caret(editor, 5)
    assert "#eeeeff" in colours_of_line(editor, 5)[1]
    put_caret(editor, 2)
    assert "#eeeeff" not in colours_of_line(editor, 5)[1]
    editor.clearFocus()
    assert "#eeeeff" not in colours_of_line(editor, 2)[1]


class PaintWatch(QObject):
    """Notes which parts of a widget are painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.painted = QRegion()
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if isinstance(event, QPaintEvent):
            self.painted += event.region()
        return False


def test_a_moved_caret_repaints_both_of_its_lines_and_no_others(editor):
    put_caret(editor, 2)
    settle()
    watches = [PaintWatch(editor.viewport()), PaintWatch(editor._gutter)]
    put_caret(editor, 5)
    settle()
    rows = {row.line: round(row.top + row.height / 2) for row in editor.rows(0, editor.height())}
    for watch, x in zip(watches, (editor.viewport().width() - 3, 3), strict=True):
        assert {line for line, y in rows.items() if watch.painted.contains(QPoint(x, y))} == {2, 5}


@pytest.mark.parametrize("key", [Qt.Key.Key_Control, Qt.Key.Key_Shift])
def test_a_modifier_alone_paints_nothing(editor, qtbot, key):
    editor.selectAll()
    settle()
    watch = PaintWatch(editor.viewport())
    qtbot.keyPress(editor, key)
    settle()
    assert not watch.painted.contains(QPoint(3, 10))  # no more than the caret, which blinks


def test_brackets_are_marked_at_a_caret_and_not_at_the_end_of_a_selection(editor):
    put_caret(editor, 1, len("def f(x)"))
    assert len(editor.extraSelections()) == 2
    select(editor, (1, 0), (1, len("def f(x)")))
    assert not editor.extraSelections()


def test_colours_change_at_run_time(editor, qtbot):
    dark = dataclasses.replace(COLOURS, background=QColor("#101010"), text=QColor("#fefefe"))
    editor.clearFocus()
    editor.set_colours(dark, dataclasses.replace(SYNTAX, keyword=QColor("#fedcba")))
    with qtbot.waitSignal(editor._highlighter.settled):
        editor.set_text(CODE)
    gutter, code = colours_of_line(editor, 1)
    assert "#101010" in gutter
    assert {"#101010", "#fedcba"} <= code
    assert "#ffffff" not in gutter | code


def rest_mouse(editor: CodeEditor, widget: QWidget, line: int) -> None:
    """What Qt sends when the mouse rests on a line."""
    row = next(row for row in editor.rows(0, editor.height()) if row.line == line)
    position = QPoint(5, int(row.top + row.height / 2))
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, position, widget.mapToGlobal(position)))


def test_the_message_shows_where_the_mouse_rests(editor, monkeypatch):
    shown: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _at, text, _widget: shown.append(text))
    editor.set_blamed_line(3, "got <lambda> & more")
    for widget in (editor.viewport(), editor._gutter):
        for line in (3, 2):
            rest_mouse(editor, widget, line)
    assert ["got &lt;lambda&gt; &amp; more" in tip for tip in shown] == [True, False, True, False]
    assert shown[1] == ""
    assert "Esc, then Tab" in shown[3]


def test_the_blame_is_told_to_screen_readers(editor):
    editor.set_blamed_line(3, "ValueError: no")
    assert "Line 3: ValueError: no" in editor.accessibleDescription()


# Size and wheel


def turn_wheel(widget: QWidget, angle: int, modifiers=Qt.KeyboardModifier.NoModifier) -> bool:
    """Turns the wheel over a widget; whether it took the turn."""
    event = QWheelEvent(
        QPointF(10, 10),
        QPointF(widget.mapToGlobal(QPoint(10, 10))),
        QPoint(),
        QPoint(0, angle),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def test_the_wheel_with_ctrl_only_asks_for_another_size(editor):
    steps: list[int] = []
    editor.zoom_requested.connect(steps.append)
    size = editor.font().pointSizeF()
    for angle in (120, -240, 60, 60):
        assert turn_wheel(editor.viewport(), angle, Qt.KeyboardModifier.ControlModifier)
    assert steps == [1, -2, 1]
    assert editor.font().pointSizeF() == size


def test_the_point_size_changes_code_and_gutter(editor):
    editor.set_point_size(9)
    width, height = editor._gutter.width(), editor.blockBoundingRect(editor.document().firstBlock()).height()
    editor.set_point_size(18.5)
    assert editor.font().pointSizeF() == 18.5
    assert editor._gutter.width() > width
    assert editor.blockBoundingRect(editor.document().firstBlock()).height() > height


def test_the_gutter_makes_room_for_more_digits(editor):
    width = editor.viewport().x()
    editor.set_text("\n" * 2000)
    assert editor.viewport().x() > width
    assert editor._gutter.geometry().right() < editor.viewport().x()


@pytest.fixture
def scrolled_page(editor, qtbot) -> QScrollArea:
    area = QScrollArea()
    qtbot.addWidget(area)
    body = QWidget()
    layout = QVBoxLayout(body)
    editor.set_fit_content(True)
    layout.addWidget(editor)
    layout.addStretch()
    area.setWidget(body)
    area.setWidgetResizable(True)
    area.resize(500, 300)
    with qtbot.waitExposed(area):
        area.show()
    return area


@pytest.mark.parametrize(
    "text",
    ["x\n" * 90, "x\n" + "# \U0001d6fc 漢字\n" * 60, "x = '" + "long " * 100 + "'\n" * 20],
    ids=["plain", "tall", "wide"],
)
@pytest.mark.parametrize("style", ["", "QPlainTextEdit { border: 3px solid red; border-radius: 4px }"])
def test_a_fitted_editor_shows_all_its_lines_and_nothing_below(editor, scrolled_page, text, style):
    editor.setStyleSheet(style)
    editor.set_text(text)
    settle()
    last = editor.document().lastBlock()
    bottom = sum(
        editor.blockBoundingRect(editor.document().findBlockByNumber(n)).height() for n in range(last.blockNumber() + 1)
    )
    bottom += editor.document().documentMargin()
    assert bottom <= editor.viewport().height() <= bottom + 12
    assert editor.verticalScrollBar().maximum() == 0
    assert editor.horizontalScrollBar().isVisible() == ("long" in text)


def test_a_fitted_editor_grows_and_shrinks_with_its_lines(editor, scrolled_page, qtbot):
    editor.set_text("")
    settle()
    least = editor.height()
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    settle()
    assert editor.height() == least
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    settle()
    assert editor.height() > least
    editor.undo()
    settle()
    assert editor.height() == least


def test_a_fitted_editor_leaves_the_wheel_to_the_page(editor, scrolled_page):
    editor.set_text("x\n" * 90)
    settle()
    assert not turn_wheel(editor.viewport(), -120)
    assert turn_wheel(scrolled_page.viewport(), -120)


def test_a_small_editor_scrolls_by_itself(editor):
    editor.set_text("x\n" * 100)
    assert turn_wheel(editor.viewport(), -120)
    assert editor.verticalScrollBar().value() > 0


def test_the_wheel_does_not_take_the_focus(editor):
    assert editor.focusPolicy() == Qt.FocusPolicy.StrongFocus

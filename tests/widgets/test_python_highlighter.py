import argparse
import dataclasses
import inspect

import pytest
from PySide6.QtGui import QColor, QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout

from gui.widgets import python_highlighter
from gui.widgets.python_highlighter import LineLexer, PythonHighlighter, SyntaxColours, make_line_lexer

ROLES = [field.name for field in dataclasses.fields(SyntaxColours)]

TRICKY = '''#!/usr/bin/env python
"""Doc
string."""
from jax.sharding import (
    Mesh as M,  # why
    PartitionSpec,
)
import jax.numpy as jnp, os

class Layout(Exception, metaclass=type):
    r"""Raw \\d doc."""
    @property
    async def rows(self: "Layout") -> list[int] | None:
        return f"""{self.rows!r:>{10}} {
            max(1, 2)
        } %s""" % 0x1F + b'\\x00' + rf'{1}' not in (None, True) \\
            and 1.5e-3j

unended = 'no end
match unended:
    case [x, _] if x is not ValueError: lambda y: y @ x
print("a" "b" if ... else '\\'', """one""", __name__)
def broken(
'''


def colours(start: int = 0) -> SyntaxColours:
    return SyntaxColours(*(QColor(start, number, 0) for number in range(len(ROLES))))


@pytest.fixture(scope="module")
def lexer() -> LineLexer:
    return make_line_lexer()


def roles_by_line(lexer: LineLexer, text: str) -> list[str]:
    """The role of each character, line ends as text."""
    roles = []
    state = LineLexer.ROOT
    for line in text.split("\n"):
        spans, state = lexer.lex(line, state)
        row = ["text"] * len(line)
        for start, length, role in spans:
            assert start + length <= len(line)
            row[start : start + length] = [role] * length
        roles += [*row, "text"]
    return roles[:-1]


def roles_of_whole(lexer: LineLexer, text: str) -> list[str]:
    from pygments.lexers.python import PythonLexer

    roles = ["text"] * len(text)
    for start, kind, value in PythonLexer().get_tokens_unprocessed(text):
        roles[start : start + len(value)] = [lexer._role(kind)] * len(value)
    return roles


@pytest.mark.parametrize("text", [TRICKY, *map(inspect.getsource, (dataclasses, argparse))], ids=["tricky", "1", "2"])
def test_lines_are_coloured_as_the_whole_text_is(lexer, text):
    by_line = roles_by_line(lexer, text)
    whole = roles_of_whole(lexer, text)
    seen = {role for role, character in zip(by_line, text, strict=True) if not character.isspace()}
    assert [
        (text[at - 20 : at + 5], by_line[at], whole[at])
        for at, character in enumerate(text)
        if not character.isspace() and by_line[at] != whole[at]
    ] == []
    assert {"keyword", "string", "number", "comment", "name_function", "name_class", "name_builtin"} <= seen


def test_offsets_count_in_utf16_units(lexer):
    spans, _ = lexer.lex('x = "🦀" # end', LineLexer.ROOT)
    string, comment = (next(span for span in spans if span[2] == role) for role in ("string", "comment"))
    assert (string, comment) == ((4, 4, "string"), (9, 5, "comment"))


def test_a_very_long_line_is_left_plain_and_keeps_the_state(lexer):
    _, inside = lexer.lex('"""begun', LineLexer.ROOT)
    assert inside != LineLexer.ROOT
    assert lexer.lex('"""' * 1000, inside) == ((), inside)


class Clock:
    """Goes on by 0.9 ms for each look at it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.0009
        return self.now


@pytest.fixture
def document(qapp) -> QTextDocument:
    document = QTextDocument()
    document.setDocumentLayout(QPlainTextDocumentLayout(document))
    return document


@pytest.fixture
def highlighter(document, qtbot) -> PythonHighlighter:
    highlighter = PythonHighlighter(document, colours())
    with qtbot.waitSignal(highlighter.settled):
        highlighter.start()
    return highlighter


def colour_at(document: QTextDocument, line: int, column: int) -> QColor | None:
    for piece in document.findBlockByNumber(line - 1).layout().formats():
        if piece.start <= column < piece.start + piece.length:
            return piece.format.foreground().color()
    return None


def role_at(document: QTextDocument, line: int, column: int) -> str:
    colour = colour_at(document, line, column)
    return ROLES[colour.green()] if colour else "text"


def insert(document: QTextDocument, position: int, text: str) -> None:
    cursor = QTextCursor(document)
    cursor.setPosition(position)
    cursor.insertText(text)


def is_right(document: QTextDocument, lexer: LineLexer) -> bool:
    text = document.toPlainText()
    expected = roles_by_line(lexer, text)
    shown = []
    for line, row in enumerate(text.split("\n"), 1):
        shown += [role_at(document, line, column) for column in range(len(row))] + ["text"]
    return shown[:-1] == expected


def test_nothing_is_coloured_before_the_start(document, qapp):
    PythonHighlighter(document, colours())
    document.setPlainText("import jax")
    qapp.processEvents()
    assert role_at(document, 1, 0) == "text"


def test_a_short_text_is_coloured_at_once(document, highlighter):
    document.setPlainText("import jax  # here")
    assert role_at(document, 1, 0) == "keyword"
    assert role_at(document, 1, 13) == "comment"


def test_a_quote_recolours_the_lines_after_it_and_its_end_brings_them_back(document, highlighter, qtbot):
    document.setPlainText("a = 1\nimport os\nb = 2\n")
    insert(document, 4, '"""')
    assert [role_at(document, line, 0) for line in (2, 3)] == ["string", "string"]
    insert(document, document.findBlockByNumber(1).position(), '"""')
    assert role_at(document, 2, 3) == "keyword"
    assert role_at(document, 3, 4) == "number"


def test_an_edit_inside_a_string_of_several_lines_keeps_it_a_string(document, highlighter):
    document.setPlainText('"""one\ntwo\n"""\nimport os')
    insert(document, 8, "import ")
    assert role_at(document, 2, 0) == "string"
    assert role_at(document, 4, 0) == "keyword"


def test_a_turn_stops_when_its_time_is_over(document, highlighter, qtbot, monkeypatch):
    monkeypatch.setattr(python_highlighter, "perf_counter", Clock())
    with qtbot.waitSignal(highlighter.settled):
        document.setPlainText("import os\n" * 100)
        # One look sets the deadline, one a line follows; an edit has 2 ms, a turn 5.
        assert [role_at(document, line, 0) for line in (1, 3, 4)] == ["keyword", "keyword", "text"]
        highlighter._timer.timeout.emit()
        assert [role_at(document, line, 0) for line in (4, 9, 10)] == ["keyword", "keyword", "text"]
    assert role_at(document, 100, 0) == "keyword"


def test_a_long_text_is_left_to_later_turns_altogether(document, highlighter, qtbot):
    with qtbot.waitSignal(highlighter.settled):
        document.setPlainText("import os\n" * 500)
        assert role_at(document, 1, 0) == "text"
    assert role_at(document, 500, 0) == "keyword"


@pytest.mark.parametrize("removes_lines", [False, True])
def test_edits_before_the_rest_is_done_lose_nothing(document, highlighter, lexer, qtbot, monkeypatch, removes_lines):
    monkeypatch.setattr(python_highlighter, "perf_counter", Clock())
    document.setPlainText("import os\n'''a\n1 '''\ndef f(): pass\n" * 40)
    highlighter._timer.timeout.emit()
    insert(document, 0, "'''")
    if removes_lines:
        cursor = QTextCursor(document)
        cursor.setPosition(document.findBlockByNumber(3).position() + 2)
        cursor.setPosition(document.findBlockByNumber(90).position() + 2, QTextCursor.MoveMode.KeepAnchor)
        with qtbot.waitSignal(highlighter.settled):
            cursor.removeSelectedText()
    else:
        insert(document, document.findBlockByNumber(120).position(), "x = 1\n\n")
        with qtbot.waitSignal(highlighter.settled):
            insert(document, 3, "'''")
    assert is_right(document, lexer)


def test_a_change_that_is_still_spreading_is_not_lost_when_the_text_above_it_grows(
    document, highlighter, lexer, qtbot, monkeypatch
):
    with qtbot.waitSignal(highlighter.settled):
        document.setPlainText("x = 1\n" * 60)
    monkeypatch.setattr(python_highlighter, "perf_counter", Clock())
    insert(document, document.findBlockByNumber(10).position(), "'''")
    assert [role_at(document, line, 0) for line in (13, 14)] == ["string", "text"]
    with qtbot.waitSignal(highlighter.settled):
        insert(document, 0, "longer than many lines " * 5)
    assert is_right(document, lexer)


def test_other_colours_reach_every_line(document, highlighter, qtbot):
    document.setPlainText("import os\n" * 50)
    with qtbot.waitSignal(highlighter.settled):
        highlighter.set_colours(colours(7))
    assert {colour_at(document, line, 0).red() for line in range(1, 51)} == {7}


def test_a_closed_document_does_not_miss_its_colours(qapp, qtbot):
    document = QTextDocument()
    PythonHighlighter(document, colours()).start()
    document.deleteLater()
    qtbot.wait_until(lambda: python_highlighter._line_lexer().done())
    qapp.processEvents()

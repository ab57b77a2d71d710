"""What keys do to lines of code: each command works on an editor's caret or selection, as one step to undo."""

import re
from collections.abc import Callable, Sequence

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from gui.widgets.editor_lines import utf16_length

INDENT = "    "

# A colon at the end of the line opens a block; quotes after a # make it likelier that the # is in a string.
_OPENS_BLOCK = re.compile(r":\s*(#[^\"']*)?$")


# What becomes of a line: at a column, so many characters give way to a text.
Change = tuple[int, int, str]


def indent(editor: QPlainTextEdit) -> None:
    """Move the selected lines one step right; without a selection, write one step."""
    if editor.textCursor().hasSelection():
        _edit_lines(editor, _selected_lines(editor), lambda _: (0, 0, INDENT))
    else:
        editor.textCursor().insertText(INDENT)
        editor.ensureCursorVisible()


def dedent(editor: QPlainTextEdit) -> None:
    """Move the lines one step left."""

    def left(text: str) -> Change:
        return 0, 1 if text.startswith("\t") else min(len(INDENT), len(text) - len(text.lstrip(" "))), ""

    _edit_lines(editor, _selected_lines(editor), left)


def toggle_comment(editor: QPlainTextEdit) -> None:
    """Make comments of the lines, or code again where all of them are comments."""
    lines = _selected_lines(editor)
    texts = [text for text in lines if text and not text.isspace()]

    def uncomment(text: str) -> Change:
        start = text.index("#")
        return start, 2 if text.startswith("# ", start) else 1, ""

    if all(text.lstrip().startswith("#") for text in texts):
        _edit_lines(editor, lines, uncomment)
    else:
        change = min(map(_indentation, texts)), 0, "# "
        _edit_lines(editor, lines, lambda _: change)


def break_line(editor: QPlainTextEdit) -> None:
    """Begin a line under the beginning of this one, one step deeper after a colon."""
    cursor = editor.textCursor()
    block = editor.document().findBlock(cursor.selectionStart())
    before = block.text()[: cursor.selectionStart() - block.position()]
    deeper = before[: _indentation(before)] + (INDENT if _OPENS_BLOCK.search(before) else "")
    cursor.insertText("\n" + deeper)
    editor.setTextCursor(cursor)
    editor.ensureCursorVisible()


def go_to_line_start(editor: QPlainTextEdit, *, select: bool) -> None:
    """Go to the line's first word, or from there to its very beginning."""
    cursor = editor.textCursor()
    block = cursor.block()
    start = block.position() + _indentation(block.text())
    mode = QTextCursor.MoveMode.KeepAnchor if select else QTextCursor.MoveMode.MoveAnchor
    cursor.setPosition(block.position() if cursor.position() == start else start, mode)
    editor.setTextCursor(cursor)


def go_to_line(editor: QPlainTextEdit, line: int) -> None:
    """Go to the first word of a line, to the last line where there is no such one, and have it in sight."""
    number = min(max(line, 1), editor.document().blockCount())
    block = editor.document().findBlockByNumber(number - 1)
    cursor = QTextCursor(block)
    cursor.setPosition(block.position() + _indentation(block.text()))
    editor.setTextCursor(cursor)
    editor.centerCursor()


def _selected_lines(editor: QPlainTextEdit) -> list[str]:
    """The caret's line, or all lines of the selection; not one of which only the beginning is selected."""
    cursor = editor.textCursor()
    start, end = cursor.selectionStart(), cursor.selectionEnd()
    last = editor.document().findBlock(end)
    if end == last.position() and end > start:
        last = last.previous()
    cursor.setPosition(editor.document().findBlock(start).position())
    cursor.setPosition(last.position() + last.length() - 1, QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText().split("\u2029")  # at once: to ask block by block takes ten times as long


def _edit_lines(editor: QPlainTextEdit, lines: Sequence[str], change: Callable[[str], Change]) -> None:
    """Changes each selected line that is not blank, as one step to undo.

    Args:
        editor: Where.
        lines: Those that are selected.
        change: Says what becomes of a line.
    """
    selects = editor.textCursor().hasSelection()
    cursor = editor.textCursor()
    start = at = editor.document().findBlock(cursor.selectionStart()).position()
    length_of = len if all(map(str.isascii, lines)) else utf16_length
    keep = QTextCursor.MoveMode.KeepAnchor
    cursor.beginEditBlock()
    for line in lines:
        column, length, text = change(line) if line and not line.isspace() else (0, 0, "")
        if length or text:
            cursor.setPosition(at + column)
            if length:
                cursor.setPosition(at + column + length, keep)
            cursor.insertText(text)
        at += length_of(line) + len(text) - length + 1
    cursor.endEditBlock()
    if selects:
        cursor.setPosition(start)
        cursor.setPosition(at - 1, keep)
        editor.setTextCursor(cursor)


def _indentation(text: str) -> int:
    return len(text) - len(text.lstrip())

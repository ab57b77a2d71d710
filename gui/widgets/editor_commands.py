"""What keys do to lines of code: each command works on an editor's caret or selection, as one step to undo."""

import re
from collections.abc import Callable
from itertools import takewhile

from PySide6.QtGui import QTextBlock, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from gui.widgets.editor_lines import blocks_from

INDENT = "    "

# A colon at the end of the line opens a block; quotes after a # make it likelier that the # is in a string.
_OPENS_BLOCK = re.compile(r":\s*(#[^\"']*)?$")


def indent(editor: QPlainTextEdit) -> None:
    """Move the selected lines one step right; without a selection, write one step."""
    if editor.textCursor().hasSelection():
        _edit_lines(editor, lambda cursor, _: cursor.insertText(INDENT))
    else:
        editor.textCursor().insertText(INDENT)
        editor.ensureCursorVisible()


def dedent(editor: QPlainTextEdit) -> None:
    """Move the lines one step left."""

    def edit(cursor: QTextCursor, text: str) -> None:
        width = 1 if text.startswith("\t") else min(len(INDENT), len(text) - len(text.lstrip(" ")))
        _delete(cursor, width)

    _edit_lines(editor, edit)


def toggle_comment(editor: QPlainTextEdit) -> None:
    """Make comments of the lines, or code again where all of them are comments."""
    texts = [block.text() for block in _selected_blocks(editor) if block.text().strip()]
    column = min((_indentation(text) for text in texts), default=0)

    def comment(cursor: QTextCursor, _: str) -> None:
        cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.MoveAnchor, column)
        cursor.insertText("# ")

    def uncomment(cursor: QTextCursor, text: str) -> None:
        start = _indentation(text)
        cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.MoveAnchor, start)
        _delete(cursor, 2 if text[start:].startswith("# ") else 1)

    _edit_lines(editor, uncomment if all(text.lstrip().startswith("#") for text in texts) else comment)


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


def _selected_blocks(editor: QPlainTextEdit) -> list[QTextBlock]:
    """The caret's line, or all lines of the selection; not one of which only the beginning is selected."""
    cursor = editor.textCursor()
    first = editor.document().findBlock(cursor.selectionStart())
    end = cursor.selectionEnd()
    return [first, *takewhile(lambda block: block.position() < end, blocks_from(first.next()))]


def _edit_lines(editor: QPlainTextEdit, edit: Callable[[QTextCursor, str], None]) -> None:
    """Runs `edit` for each selected line that is not blank, as one step to undo.

    Args:
        editor: Where.
        edit: Called with a cursor at the beginning of the line and with the line's text.
    """
    selects = editor.textCursor().hasSelection()
    blocks = _selected_blocks(editor)
    cursor = editor.textCursor()
    cursor.beginEditBlock()
    for block in blocks:
        if block.text().strip():
            cursor.setPosition(block.position())
            edit(cursor, block.text())
    cursor.endEditBlock()
    if selects:
        cursor.setPosition(blocks[0].position())
        cursor.setPosition(blocks[-1].position() + blocks[-1].length() - 1, QTextCursor.MoveMode.KeepAnchor)
        editor.setTextCursor(cursor)


def _indentation(text: str) -> int:
    return len(text) - len(text.lstrip())


def _delete(cursor: QTextCursor, length: int) -> None:
    cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor, length)
    cursor.removeSelectedText()

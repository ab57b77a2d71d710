"""The editor in which a visitor reads and changes a snippet."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from itertools import takewhile
from math import ceil
from typing import cast

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.widgets import editor_commands as commands
from gui.widgets.editor_colours import EditorColours
from gui.widgets.editor_lines import LineMarks, blocks_from, utf16_length
from gui.widgets.marked_editor import MarkedEditor
from gui.widgets.python_highlighter import SyntaxColours

_FEWEST_LINES, _MOST_LINES = 3, 100  # that a fitted editor shows; for a higher one Qt walks through all of its lines
_WHEEL_STEP = 120  # eighths of a degree, by Qt's convention

_MODIFIER_KEYS = frozenset((Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr, Qt.Key.Key_Meta))
_POPUP_KEYS = frozenset((Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Escape, Qt.Key.Key_Backtab))


class Asked(StrEnum):
    """What a key in the editor asks of those around it."""

    FIND = "find"
    REPLACE = "replace"
    LINE = "line"
    NEXT = "next"
    PREVIOUS = "previous"
    COMPLETE = "complete"
    HELP = "help"
    NEXT_MARK = "next mark"
    PREVIOUS_MARK = "previous mark"


_ASKING_KEYS = {
    (Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier): Asked.FIND,
    (Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier): Asked.REPLACE,
    (Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier): Asked.LINE,
    (Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier): Asked.LINE,
    (Qt.Key.Key_F3, Qt.KeyboardModifier.NoModifier): Asked.NEXT,
    (Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier): Asked.PREVIOUS,
    (Qt.Key.Key_F8, Qt.KeyboardModifier.NoModifier): Asked.NEXT_MARK,
    (Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier): Asked.PREVIOUS_MARK,
    (Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier): Asked.COMPLETE,
    (Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier): Asked.HELP,
    (Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier): Asked.HELP,
}


class CodeEditor(MarkedEditor):
    """Python code with line numbers, colours and marks.

    Lines are numbered from 1. Marks move with the code while it is edited and vanish with their line.
    Tab indents; Esc, then Tab, goes to the next widget.

    Args:
        colours: The editor's own colours.
        syntax: The code's colours.
        parent: The widget that it is a part of.

    Attributes:
        typed: What the key that is being handled writes, "" where it writes nothing.
        popup_is_open: Whether a list of names is on show, which some keys are for.

    Signals:
        text_edited: The visitor changed the text, by undo and redo as well; carries all of it.
        zoom_requested: Ctrl and the wheel were turned by this many steps, positive for larger.
        asked: A key asks for something beside the code; carries an `Asked`.
    """

    text_edited = Signal(str)
    zoom_requested = Signal(int)
    asked = Signal(object)

    def __init__(self, colours: EditorColours, syntax: SyntaxColours, parent: QWidget | None = None) -> None:
        super().__init__(colours, syntax, parent)
        self.typed = ""
        self.popup_is_open: Callable[[], bool] = lambda: False
        self._is_ours = False  # whether the change under way is the program's
        self._fits_content = False
        self._fitted = 0  # pixels
        self._wheel_angle = 0
        self.textChanged.connect(self._on_text_changed)
        self.cursorPositionChanged.connect(self._on_cursor_position_changed)

    def text(self) -> str:
        """The code, verbatim (`toPlainText` would turn no-break spaces into spaces)."""
        return self.document().toRawText().replace("\u2029", "\n")

    def set_text(self, text: str) -> None:
        """Shows another text: no marks, nothing to undo, caret at the beginning."""
        with self._our_change():
            self.setPlainText(text)
        self._set_marks(LineMarks())

    def replace_text(self, text: str) -> None:
        """Changes the text into another one as one step that can be undone; leaves alone what both share."""
        old = self.text()
        head = _common_length(old, text)
        tail = _common_length(old[head:][::-1], text[head:][::-1])
        if head == len(old) == len(text):
            return
        cursor = QTextCursor(self.document())
        cursor.setPosition(utf16_length(old[:head]))
        cursor.setPosition(utf16_length(old[: len(old) - tail]), QTextCursor.MoveMode.KeepAnchor)
        with self._our_change():
            cursor.insertText(text[head : len(text) - tail])

    def set_read_only(self, read_only: bool) -> None:
        """Forbids or allows editing. Read-only code can still be selected, by keyboard as well, and Tab leaves it."""
        self.setReadOnly(read_only)
        if read_only:
            self.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
        self._describe()

    def set_fit_content(self, fit: bool) -> None:
        """Has the editor as high as its lines, three at least; the page around it scrolls then.

        One of more than 100 lines scrolls by itself all the same.
        """
        self._fits_content = fit
        self.setSizePolicy(
            QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed if fit else QSizePolicy.Policy.Expanding
        )
        self._fit()

    # Changes

    @contextmanager
    def _our_change(self) -> Iterator[None]:
        self._is_ours = True
        try:
            yield
        finally:
            self._is_ours = False

    def _fit(self) -> None:
        """Asks for another height; who stands around it moves, so that no key does it without need."""
        height = self._content_height() if self._fits_content else 0
        if height != self._fitted or not height:
            self._fitted = height
            shows_all = self._fits_content and self._line_count <= _MOST_LINES
            off, on = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAsNeeded
            self.setVerticalScrollBarPolicy(off if shows_all else on)
            self.updateGeometry()

    def _on_text_changed(self) -> None:
        if self._fits_content:
            self._fit()
        if not self._is_ours:
            self.text_edited.emit(self.text())

    def _on_cursor_position_changed(self) -> None:
        self.setTabChangesFocus(False)

    # Qt's own

    def sizeHint(self) -> QSize:
        """As high as the lines when the editor fits its content."""
        hint = super().sizeHint()
        if self._fits_content:
            hint.setHeight(self._content_height())
        return hint

    def minimumSizeHint(self) -> QSize:
        """As `sizeHint`, for its height."""
        hint = super().minimumSizeHint()
        if self._fits_content:
            hint.setHeight(self._content_height())
        return hint

    def _content_height(self) -> int:
        first = self.document().firstBlock()
        height = min(self._line_count, _MOST_LINES) * self._height(first)
        if self._line_count <= _MOST_LINES and not self.text().isascii():
            # Characters from another font may make their lines higher.
            height = sum(map(self._height, blocks_from(first)))
        height = max(height, _FEWEST_LINES * self._height(first)) + 2 * self.document().documentMargin()
        bar = self.horizontalScrollBar()
        bar_height = bar.sizeHint().height() if bar.maximum() > bar.minimum() else 0
        # One pixel more, or Qt thinks that the last line does not fit.
        return ceil(height) + 1 + 2 * self.frameWidth() + bar_height

    def event(self, event: QEvent) -> bool:
        """Keeps the keys that it has a use for from the menus while it has the focus."""
        if event.type() == QEvent.Type.ShortcutOverride and _asked(cast("QKeyEvent", event)) is not None:
            event.accept()
            return True
        return super().event(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Takes text; files that are dragged in are for who holds the editor."""
        return not source.hasUrls() and super().canInsertFromMimeData(source)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Asks for another size with Ctrl. Qt leaves the event to the page where there is nothing to scroll."""
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().wheelEvent(event)
            return
        self._wheel_angle += event.angleDelta().y()
        steps = int(self._wheel_angle / _WHEEL_STEP)
        self._wheel_angle -= steps * _WHEEL_STEP
        if steps:
            self.zoom_requested.emit(steps)
        event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Has Tab indent again."""
        super().focusInEvent(event)
        self.setTabChangesFocus(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Edits as people expect it of code."""
        if event.key() in _POPUP_KEYS and self.popup_is_open():
            event.ignore()
            return
        if event.key() == Qt.Key.Key_Escape:
            self.setTabChangesFocus(True)
            event.ignore()  # who holds the editor may want it as well
            return
        if event.key() in _MODIFIER_KEYS:  # Qt would paint the editor anew for one
            event.ignore()
            return
        self.setTabChangesFocus(False)
        action = self._action(event)
        if action is None:
            self.typed = event.text()
            super().keyPressEvent(event)
            self.typed = ""
        else:
            action()
            event.accept()

    def _action(self, event: QKeyEvent) -> Callable[[], None] | None:
        """What we do for a key in place of Qt."""
        asked = _asked(event)
        if asked is not None:
            return partial(self.asked.emit, asked)
        if event.matches(QKeySequence.StandardKey.MoveToStartOfLine):
            return partial(commands.go_to_line_start, self, select=False)
        if event.matches(QKeySequence.StandardKey.SelectStartOfLine):
            return partial(commands.go_to_line_start, self, select=True)
        if self.isReadOnly():
            return None
        if event.key() == Qt.Key.Key_Tab and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            return partial(commands.indent, self)
        if event.key() == Qt.Key.Key_Backtab:
            return partial(commands.dedent, self)
        # On some keyboards the slash itself needs Shift.
        if event.key() == Qt.Key.Key_Slash and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return partial(commands.toggle_comment, self)
        starts_line = QKeySequence.StandardKey.InsertParagraphSeparator, QKeySequence.StandardKey.InsertLineSeparator
        if any(event.matches(key) for key in starts_line):
            return partial(commands.break_line, self)
        return None


def _asked(event: QKeyEvent) -> Asked | None:
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return _ASKING_KEYS.get((Qt.Key(event.key()), modifiers))


def _common_length(a: str, b: str) -> int:
    """How many characters the two share at their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))

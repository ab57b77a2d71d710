"""The editor in which a visitor reads and changes a snippet."""

import html
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from math import ceil
from typing import cast

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontDatabase,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QToolTip, QWidget

from gui.widgets.python_highlighter import PythonHighlighter, SyntaxColours, utf16_length

_INDENT = "    "
_FEWEST_LINES = 3  # that a fitted editor shows
_WHEEL_STEP = 120  # eighths of a degree, by Qt's convention
_HOW_TO_LEAVE = "Esc, then Tab, leaves the editor."

# A colon at the end of the line opens a block; quotes after a # make it likelier that the # is in a string.
_OPENS_BLOCK = re.compile(r":\s*(#[^\"']*)?$")

_MODIFIER_KEYS = frozenset((Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr, Qt.Key.Key_Meta))


@dataclass(frozen=True, slots=True)
class EditorColours:
    """The editor's colours, but for those of the code.

    Attributes:
        text: Caret, selected code, and the number of the current line.
        background: Of code and gutter.
        gutter_text: Line numbers.
        current_line: Behind the line with the caret, while the editor has the focus.
        changed_line: Behind lines that differ from the other half.
        changed_mark: The bar in the gutter beside them.
        blamed_line: Behind the line that raised.
        blamed_mark: The sign in the gutter beside it; `background` is drawn on it.
        selection: Behind selected code.
    """

    text: QColor
    background: QColor
    gutter_text: QColor
    current_line: QColor
    changed_line: QColor
    changed_mark: QColor
    blamed_line: QColor
    blamed_mark: QColor
    selection: QColor


@dataclass(frozen=True, slots=True)
class _Row:
    """A line on the screen: its number from 1, and its top and height in the viewport, in pixels."""

    line: int
    top: float
    height: float


class CodeEditor(QPlainTextEdit):
    """Python code with line numbers, colours and marks.

    Lines are numbered from 1. Marks move with the code while it is edited and vanish with their line.
    Tab indents; Esc, then Tab, goes to the next widget.

    Args:
        colours: The editor's own colours.
        syntax: The code's colours.
        parent: The widget that it is a part of.

    Signals:
        text_edited: The visitor changed the text, by undo and redo as well; carries all of it.
        zoom_requested: Ctrl and the wheel were turned by this many steps, positive for larger.
    """

    text_edited = Signal(str)
    zoom_requested = Signal(int)

    def __init__(self, colours: EditorColours, syntax: SyntaxColours, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._colours = colours
        self._changed: frozenset[int] = frozenset()
        self._blamed: int | None = None
        self._blame = ""
        self._is_ours = False  # whether the change under way is the program's
        self._line_count = 1
        self._current_line = 1
        self._fits_content = False
        self._wheel_angle = 0
        self._gutter = _Gutter(self, self._paint_gutter, self._show_gutter_tip)
        self._highlighter = PythonHighlighter(self.document(), syntax)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.document().contentsChange.connect(self._on_document_contents_change)
        self.textChanged.connect(self._on_text_changed)
        self.cursorPositionChanged.connect(self._on_cursor_position_changed)
        self.updateRequest.connect(self._on_update_request)
        self.horizontalScrollBar().rangeChanged.connect(self._on_horizontal_range_changed)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._fit_font()
        self._describe()
        self.set_colours(colours, syntax)

    def text(self) -> str:
        """The code, verbatim (`toPlainText` would turn no-break spaces into spaces)."""
        return self.document().toRawText().replace("\u2029", "\n")

    def set_text(self, text: str) -> None:
        """Shows another text: no marks, nothing to undo, caret at the beginning."""
        with self._our_change():
            self.setPlainText(text)
        self.set_changed_lines(())
        self.set_blamed_line(None)

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

    def set_changed_lines(self, lines: Iterable[int]) -> None:
        """Marks the lines that differ from the other half."""
        self._changed = frozenset(lines)
        self._update_marks()

    def changed_lines(self) -> frozenset[int]:
        """The lines that are marked as changed now."""
        return self._changed

    def set_blamed_line(self, line: int | None, message: str = "") -> None:
        """Marks the line that raised, or none.

        Args:
            line: Its number; None, or one that the text does not have, for no mark.
            message: Shown when the mouse rests on the line.
        """
        self._blamed = line if line is not None and 1 <= line <= self._line_count else None
        self._blame = message if self._blamed is not None else ""
        self._describe()
        self._update_marks()

    def blamed_line(self) -> int | None:
        """The line that is blamed now."""
        return self._blamed

    def set_colours(self, colours: EditorColours, syntax: SyntaxColours) -> None:
        """Takes other colours, as when the system goes from light to dark."""
        self._colours = colours
        palette = self.palette()
        for role, colour in (
            (QPalette.ColorRole.Base, colours.background),
            (QPalette.ColorRole.Text, colours.text),
            (QPalette.ColorRole.Highlight, colours.selection),
            (QPalette.ColorRole.HighlightedText, colours.text),
        ):
            palette.setColor(role, colour)
        self.setPalette(palette)
        self._highlighter.set_colours(syntax)
        self._update_marks()

    def set_point_size(self, size: float) -> None:
        """Sets the size of the code in points."""
        font = self.font()
        font.setPointSizeF(size)
        self.setFont(font)

    def set_read_only(self, read_only: bool) -> None:
        """Forbids or allows editing. Read-only code can still be selected, by keyboard as well, and Tab leaves it."""
        self.setReadOnly(read_only)
        if read_only:
            self.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
        self._describe()

    def set_fit_content(self, fit: bool) -> None:
        """Has the editor as high as its lines, three at least; the page around it scrolls then."""
        self._fits_content = fit
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if fit else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(policy)
        self.setSizePolicy(
            QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed if fit else QSizePolicy.Policy.Expanding
        )
        self.updateGeometry()

    # Marks

    def _on_document_contents_change(self, position: int, _removed: int, _added: int) -> None:
        """Moves the marks with their lines."""
        shift = self.document().blockCount() - self._line_count
        if shift == 0:
            return
        self._line_count += shift
        block = self.document().findBlock(position)
        # What stands in front of the change keeps its line: only a change at the very beginning moves that line too.
        first = block.blockNumber() + 1 + (position > block.position())

        def moved(line: int) -> int | None:
            if line < first:
                return line
            return line + shift if line + shift >= first else None

        self._changed = frozenset(line for line in map(moved, self._changed) if line is not None)
        if self._blamed is not None:
            self._blamed = moved(self._blamed)
            self._describe()
        self._fit_gutter()
        self._update_marks()

    def _update_marks(self) -> None:
        self.viewport().update()
        self._gutter.update()

    def _describe(self) -> None:
        """Tells a screen reader what the eye sees in the gutter, and how to get out."""
        parts = [] if self.isReadOnly() else [_HOW_TO_LEAVE]
        if self._blamed is not None:
            parts.append(f"Line {self._blamed}: {self._blame or 'blamed'}")
        self.setAccessibleDescription(" ".join(parts))

    # Changes

    @contextmanager
    def _our_change(self) -> Iterator[None]:
        self._is_ours = True
        try:
            yield
        finally:
            self._is_ours = False

    def _on_text_changed(self) -> None:
        if self._fits_content:
            self.updateGeometry()
        if not self._is_ours:
            self.text_edited.emit(self.text())

    def _on_cursor_position_changed(self) -> None:
        self.setTabChangesFocus(False)
        line = self.textCursor().blockNumber() + 1
        if line != self._current_line:
            self._update_line(self._current_line)
            self._update_line(line)
            self._current_line = line

    def _selected_blocks(self) -> list[QTextBlock]:
        """The caret's line, or all lines of the selection; not one of which only the beginning is selected."""
        cursor = self.textCursor()
        first = self.document().findBlock(cursor.selectionStart())
        end = cursor.selectionEnd()
        return [first, *takewhile(lambda block: block.position() < end, _blocks_from(first.next()))]

    def _edit_lines(self, edit: Callable[[QTextCursor, str], None]) -> None:
        """Runs `edit` for each selected line that is not blank, as one step to undo.

        Args:
            edit: Called with a cursor at the beginning of the line and with the line's text.
        """
        selects = self.textCursor().hasSelection()
        blocks = self._selected_blocks()
        cursor = self.textCursor()
        cursor.beginEditBlock()
        for block in blocks:
            if block.text().strip():
                cursor.setPosition(block.position())
                edit(cursor, block.text())
        cursor.endEditBlock()
        if selects:
            cursor.setPosition(blocks[0].position())
            cursor.setPosition(blocks[-1].position() + blocks[-1].length() - 1, QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)

    def _indent(self) -> None:
        if self.textCursor().hasSelection():
            self._edit_lines(lambda cursor, _: cursor.insertText(_INDENT))
        else:
            self.textCursor().insertText(_INDENT)
            self.ensureCursorVisible()

    def _dedent(self) -> None:
        def edit(cursor: QTextCursor, text: str) -> None:
            width = 1 if text.startswith("\t") else min(len(_INDENT), len(text) - len(text.lstrip(" ")))
            _delete(cursor, width)

        self._edit_lines(edit)

    def _toggle_comment(self) -> None:
        texts = [block.text() for block in self._selected_blocks() if block.text().strip()]
        column = min((_indentation(text) for text in texts), default=0)

        def comment(cursor: QTextCursor, _: str) -> None:
            cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.MoveAnchor, column)
            cursor.insertText("# ")

        def uncomment(cursor: QTextCursor, text: str) -> None:
            start = _indentation(text)
            cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.MoveAnchor, start)
            _delete(cursor, 2 if text[start:].startswith("# ") else 1)

        self._edit_lines(uncomment if all(text.lstrip().startswith("#") for text in texts) else comment)

    def _break_line(self) -> None:
        cursor = self.textCursor()
        block = self.document().findBlock(cursor.selectionStart())
        before = block.text()[: cursor.selectionStart() - block.position()]
        indent = before[: _indentation(before)] + (_INDENT if _OPENS_BLOCK.search(before) else "")
        cursor.insertText("\n" + indent)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def _go_to_line_start(self, *, select: bool) -> None:
        cursor = self.textCursor()
        block = cursor.block()
        start = block.position() + _indentation(block.text())
        mode = QTextCursor.MoveMode.KeepAnchor if select else QTextCursor.MoveMode.MoveAnchor
        cursor.setPosition(block.position() if cursor.position() == start else start, mode)
        self.setTextCursor(cursor)

    # Geometry and painting

    def _on_horizontal_range_changed(self, _minimum: int, _maximum: int) -> None:
        self.updateGeometry()

    def _on_update_request(self, rect: QRect, scrolled: int) -> None:
        if scrolled:
            self._gutter.scroll(0, scrolled)
        else:
            self._gutter.update(0, rect.y(), self._gutter.width(), rect.height())

    def _fit_font(self) -> None:
        self.setTabStopDistance(QFontMetricsF(self.font()).horizontalAdvance(_INDENT))
        self._fit_gutter()
        self._update_marks()
        self.updateGeometry()

    def _fit_gutter(self) -> None:
        metrics = QFontMetricsF(self.font())
        digits = max(2, len(str(self._line_count)))
        # From the left: room for the sign of blame, the numbers, the bar of changed lines.
        width = round(metrics.height() + metrics.horizontalAdvance("9") * (digits + 1.5))
        if width != self.viewportMargins().left():
            self.setViewportMargins(width, 0, 0, 0)
            self._place_gutter()

    def _place_gutter(self) -> None:
        viewport = self.viewport().geometry()
        width = self.viewportMargins().left()
        self._gutter.setGeometry(viewport.left() - width, viewport.top(), width, viewport.height())

    def _rows(self, top: float, bottom: float) -> Iterator[_Row]:
        """The lines that lie between two heights of the viewport, from above."""
        first = self.cursorForPosition(QPoint(0, max(0, round(top)))).block()
        y = self.blockBoundingGeometry(first).translated(self.contentOffset()).top()
        for line, block in enumerate(_blocks_from(first), first.blockNumber() + 1):
            if y > bottom:
                break
            height = self._height(block)
            if y + height > top:
                yield _Row(line, y, height)
            y += height

    def _height(self, block: QTextBlock) -> float:
        """A line's height without the margin below the text, which Qt counts as a part of the last line."""
        height = self.blockBoundingRect(block).height()
        return height if block.next().isValid() else height - self.document().documentMargin()

    def _tint(self, line: int) -> QColor | None:
        if line == self._blamed:
            return self._colours.blamed_line
        if line in self._changed:
            return self._colours.changed_line
        if line == self._current_line and self.hasFocus():
            return self._colours.current_line
        return None

    def _update_line(self, line: int) -> None:
        block = self.document().findBlockByNumber(line - 1)
        rect = self.blockBoundingGeometry(block).translated(self.contentOffset()).toAlignedRect()
        self.viewport().update(0, rect.y(), self.viewport().width(), rect.height())
        self._gutter.update(0, rect.y(), self._gutter.width(), rect.height())

    def _paint_gutter(self, event: QPaintEvent) -> None:
        painter = QPainter(self._gutter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.font())
        area = event.rect()
        painter.fillRect(area, self._colours.background)
        width = self._gutter.width()
        digit = QFontMetricsF(self.font()).horizontalAdvance("9")
        for row in self._rows(area.top(), area.bottom()):
            tint = self._tint(row.line)
            if tint is not None:
                painter.fillRect(QRectF(0, row.top, width, row.height), tint)
            if row.line in self._changed:
                painter.fillRect(QRectF(width - digit / 2, row.top, digit / 3, row.height), self._colours.changed_mark)
            if row.line == self._blamed:
                self._paint_blame(painter, row)
            painter.setPen(self._colours.text if row.line == self._current_line else self._colours.gutter_text)
            painter.drawText(
                QRectF(0, row.top, width - digit, row.height),
                Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                str(row.line),
            )

    def _paint_blame(self, painter: QPainter, row: _Row) -> None:
        """A disc with an exclamation mark, drawn rather than written: not every font has such a sign."""
        size = row.height * 0.76
        middle = QPointF(row.height * 0.55, row.top + row.height / 2)
        stroke = size * 0.15
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._colours.blamed_mark)
        painter.drawEllipse(middle, size / 2, size / 2)
        painter.setBrush(self._colours.background)
        painter.drawRect(QRectF(middle.x() - stroke / 2, middle.y() - size * 0.3, stroke, size * 0.36))
        painter.drawEllipse(QPointF(middle.x(), middle.y() + size * 0.24), stroke * 0.6, stroke * 0.6)

    def _show_gutter_tip(self, event: QHelpEvent) -> None:
        self._show_tip(event, "" if self.isReadOnly() else _HOW_TO_LEAVE)

    def _show_tip(self, event: QHelpEvent, otherwise: str) -> None:
        """Shows the message of the blamed line if the mouse rests on it."""
        y = event.pos().y()
        is_blamed = any(row.line == self._blamed for row in self._rows(y, y))
        tip = self._blame if is_blamed else otherwise
        if tip:
            # Escaped and marked up, or Qt would take a message with angle brackets for rich text; this also wraps it.
            tip = f'<p style="white-space: pre-wrap">{html.escape(tip)}</p>'
        QToolTip.showText(event.globalPos(), tip, self)  # an empty one hides what is shown

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
        height = self._line_count * self._height(first)
        if not self.text().isascii():
            # Characters from another font may make their lines higher.
            height = sum(map(self._height, _blocks_from(first)))
        height = max(height, _FEWEST_LINES * self._height(first)) + 2 * self.document().documentMargin()
        bar = self.horizontalScrollBar()
        bar_height = bar.sizeHint().height() if bar.maximum() > bar.minimum() else 0
        # One pixel more, or Qt thinks that the last line does not fit.
        return ceil(height) + 1 + 2 * self.frameWidth() + bar_height

    def changeEvent(self, event: QEvent) -> None:
        """Keeps what depends on the font in step with it."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_font()

    def viewportEvent(self, event: QEvent) -> bool:
        """Shows the blamed line's message."""
        if event.type() == QEvent.Type.ToolTip:
            self._show_tip(cast("QHelpEvent", event), "")
            return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Moves the gutter along."""
        super().resizeEvent(event)
        self._place_gutter()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the tints, then the code; the first time, has it coloured afterwards."""
        painter = QPainter(self.viewport())
        for row in self._rows(event.rect().top(), event.rect().bottom()):
            tint = self._tint(row.line)
            if tint is not None:
                painter.fillRect(QRectF(0, row.top, self.viewport().width(), row.height), tint)
        painter.end()
        super().paintEvent(event)
        self._highlighter.start()

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
        """Shows which line is the current one."""
        super().focusInEvent(event)
        self.setTabChangesFocus(False)
        self._update_line(self._current_line)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Shows no current line."""
        super().focusOutEvent(event)
        self._update_line(self._current_line)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Edits as people expect it of code."""
        if event.key() == Qt.Key.Key_Escape:
            self.setTabChangesFocus(True)
            event.ignore()  # who holds the editor may want it as well
            return
        if event.key() not in _MODIFIER_KEYS:
            self.setTabChangesFocus(False)
        action = self._action(event)
        if action is None:
            super().keyPressEvent(event)
        else:
            action()
            event.accept()

    def _action(self, event: QKeyEvent) -> Callable[[], None] | None:
        """What we do for a key in place of Qt."""
        if event.matches(QKeySequence.StandardKey.MoveToStartOfLine):
            return lambda: self._go_to_line_start(select=False)
        if event.matches(QKeySequence.StandardKey.SelectStartOfLine):
            return lambda: self._go_to_line_start(select=True)
        if self.isReadOnly():
            return None
        if event.key() == Qt.Key.Key_Tab and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            return self._indent
        if event.key() == Qt.Key.Key_Backtab:
            return self._dedent
        # On some keyboards the slash itself needs Shift.
        if event.key() == Qt.Key.Key_Slash and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return self._toggle_comment
        starts_line = QKeySequence.StandardKey.InsertParagraphSeparator, QKeySequence.StandardKey.InsertLineSeparator
        if any(event.matches(key) for key in starts_line):
            return self._break_line
        return None


class _Gutter(QWidget):
    """The strip left of the code; only passes on what it is asked."""

    def __init__(
        self, parent: QWidget, paint: Callable[[QPaintEvent], None], show_tip: Callable[[QHelpEvent], None]
    ) -> None:
        super().__init__(parent)
        self._paint = paint
        self._show_tip = show_tip

    def paintEvent(self, event: QPaintEvent) -> None:
        self._paint(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            self._show_tip(cast("QHelpEvent", event))
            return True
        return super().event(event)


def _blocks_from(block: QTextBlock) -> Iterator[QTextBlock]:
    while block.isValid():
        yield block
        block = block.next()


def _indentation(text: str) -> int:
    return len(text) - len(text.lstrip())


def _delete(cursor: QTextCursor, length: int) -> None:
    cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor, length)
    cursor.removeSelectedText()


def _common_length(a: str, b: str) -> int:
    """How many characters the two share at their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))

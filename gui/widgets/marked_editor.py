"""A plain text edit with line numbers, colours and marks; the keys are the code editor's."""

import html
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontDatabase,
    QFontMetricsF,
    QHelpEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QToolTip, QWidget

from gui.widgets.brackets import pair_at
from gui.widgets.editor_colours import EditorColours
from gui.widgets.editor_commands import INDENT
from gui.widgets.editor_gutter import Gutter
from gui.widgets.editor_lines import LineMarks, Row
from gui.widgets.python_highlighter import PythonHighlighter, SyntaxColours

_MOST_FOUND = 500  # marked at once
HOW_TO_LEAVE = "Esc, then Tab, leaves the editor."


class MarkedEditor(QPlainTextEdit):
    """Shows Python code with all that is marked in it.

    Lines are numbered from 1. Marks move with the code while it is edited and vanish with their line.

    Args:
        colours: The editor's own colours.
        syntax: The code's colours.
        parent: The widget that it is a part of.

    Attributes:
        colours: Those it has now.
        marks: What is marked.
        current_line: The line with the caret.
        first_line: The number that the first line has in its file; marks count from 1 all the same.

    Signals:
        coloured: Every line has its colours.
        hovered: The mouse rests on code of which nothing is marked; carries the position there and on the screen.
    """

    coloured = Signal()
    hovered = Signal(int, QPoint)

    def __init__(self, colours: EditorColours, syntax: SyntaxColours, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.colours = colours
        self.marks = LineMarks()
        self.current_line = 1
        self.first_line = 1
        self._found: Sequence[tuple[int, int]] = ()
        self._pair: tuple[int, int] | None = None
        self._line_count = 1
        self._gutter = Gutter(self, self, self._show_gutter_tip)
        self._highlighter = PythonHighlighter(self.document(), syntax)
        self._highlighter.settled.connect(self.coloured)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.document().contentsChange.connect(self._on_document_contents_change)
        self.cursorPositionChanged.connect(self._on_caret_moved)
        self.updateRequest.connect(self._on_update_request)
        self.horizontalScrollBar().rangeChanged.connect(self._on_horizontal_range_changed)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._fit_font()
        self._describe()
        self.set_colours(colours, syntax)

    def set_changed_lines(self, lines: Iterable[int]) -> None:
        """Marks the lines that differ from the other half."""
        self._set_marks(replace(self.marks, changed=frozenset(lines)))

    def changed_lines(self) -> frozenset[int]:
        """The lines that are marked as changed now."""
        return self.marks.changed

    def set_blamed_line(self, line: int | None, message: str = "") -> None:
        """Marks the line that raised, or none.

        Args:
            line: Its number; None, or one that the text does not have, for no mark.
            message: Shown when the mouse rests on the line.
        """
        blamed = line if line is not None and 1 <= line <= self._line_count else None
        self._set_marks(replace(self.marks, blamed=blamed, blame=message if blamed is not None else ""))

    def blamed_line(self) -> int | None:
        """The line that is blamed now."""
        return self.marks.blamed

    def set_notes(self, notes: Mapping[int, str]) -> None:
        """Marks lines that messages speak of, with what they say; lines that the text does not have are left out."""
        kept = {line: notes[line] for line in LineMarks.within(notes, self._line_count)}
        self._set_marks(replace(self.marks, notes=kept))

    def set_found(self, places: Sequence[tuple[int, int]]) -> None:
        """Marks what a search found.

        Args:
            places: Start and end of each, as Qt counts, in order.
        """
        if places or self._found:
            self._found = places
            self._show_selections()

    def set_first_line(self, number: int) -> None:
        """Has lines numbered from another number on, as a piece of a file."""
        self.first_line = number
        self._fit_gutter()

    def set_whitespace(self, *, shown: bool) -> None:
        """Has spaces and tabs drawn as marks, or not."""
        option = self.document().defaultTextOption()
        flags = option.flags() & ~QTextOption.Flag.ShowTabsAndSpaces
        option.setFlags(flags | QTextOption.Flag.ShowTabsAndSpaces if shown else flags)
        self.document().setDefaultTextOption(option)

    def set_colours(self, colours: EditorColours, syntax: SyntaxColours) -> None:
        """Takes other colours, as when the system goes from light to dark."""
        self.colours = colours
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
        self._show_selections()
        self._update_marks()

    def set_point_size(self, size: float) -> None:
        """Sets the size of the code in points."""
        font = self.font()
        font.setPointSizeF(size)
        self.setFont(font)

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
        self._set_marks(self.marks.moved(first, shift))
        self._fit_gutter()

    def _set_marks(self, marks: LineMarks) -> None:
        self.marks = marks
        self._describe()
        self._update_marks()

    def _update_marks(self) -> None:
        self.viewport().update()
        self._gutter.update()

    def _describe(self) -> None:
        """Tells a screen reader what the eye sees in the gutter, and how to get out."""
        parts = [] if self.isReadOnly() else [HOW_TO_LEAVE]
        if self.marks.blamed is not None:
            parts.append(f"Line {self.marks.blamed + self.first_line - 1}: {self.marks.blame or 'blamed'}")
        parts += [f"Line {line + self.first_line - 1}: {text}" for line, text in sorted(self.marks.notes.items())]
        self.setAccessibleDescription(" ".join(parts))

    def _on_caret_moved(self) -> None:
        line = self.textCursor().blockNumber() + 1
        if line != self.current_line:
            self._update_line(self.current_line)
            self._update_line(line)
            self.current_line = line
        self._show_pair()

    def _show_pair(self) -> None:
        """Marks the bracket at the caret and its partner, unless something is selected."""
        caret = self.textCursor()
        is_shown = self.hasFocus() and not caret.hasSelection()
        pair = pair_at(self.document(), caret.position()) if is_shown else None
        if pair != self._pair:
            self._pair = pair
            self._show_selections()

    def _show_selections(self) -> None:
        pieces = [(place, place + 1) for place in self._pair or ()]
        self.setExtraSelections([self._selection(start, end) for start, end in (*self._found_in_sight(), *pieces)])

    def _found_in_sight(self) -> Sequence[tuple[int, int]]:
        """What a search found of what shows now; to mark thousands would hold up every key."""
        if not self._found:
            return ()
        last = self.cursorForPosition(self.viewport().rect().bottomLeft()).block()
        begin = bisect_right(self._found, self.firstVisibleBlock().position(), key=lambda place: place[1])
        end = bisect_left(self._found, (last.position() + last.length(), 0))
        return self._found[begin : min(end, begin + _MOST_FOUND)]

    def _selection(self, start: int, end: int) -> QTextEdit.ExtraSelection:
        made = QTextEdit.ExtraSelection()
        made.cursor = QTextCursor(self.document())
        made.cursor.setPosition(min(start, self.document().characterCount() - 1))
        end = min(end, self.document().characterCount() - 1)
        made.cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        made.format.setBackground(self.colours.match)
        return made

    # Geometry and painting

    def _on_horizontal_range_changed(self, _minimum: int, _maximum: int) -> None:
        self.updateGeometry()

    def _on_update_request(self, rect: QRect, scrolled: int) -> None:
        if scrolled:
            self._gutter.scroll(0, scrolled)
            if self._found:
                self._show_selections()
        else:
            self._gutter.update(0, rect.y(), self._gutter.width(), rect.height())

    def _fit_font(self) -> None:
        self.setTabStopDistance(QFontMetricsF(self.font()).horizontalAdvance(INDENT))
        self._fit_gutter()
        self._update_marks()
        self.updateGeometry()

    def _fit_gutter(self) -> None:
        width = self._gutter.width_for(self.first_line + self._line_count - 1)
        if width != self.viewportMargins().left():
            self.setViewportMargins(width, 0, 0, 0)
            self._place_gutter()

    def _place_gutter(self) -> None:
        viewport = self.viewport().geometry()
        width = self.viewportMargins().left()
        self._gutter.setGeometry(viewport.left() - width, viewport.top(), width, viewport.height())

    def rows(self, top: float, bottom: float) -> Iterator[Row]:
        """The lines that lie between two heights of the viewport, from above."""
        block = self.cursorForPosition(QPoint(0, max(0, round(top)))).block()
        y = self.blockBoundingGeometry(block).top() + self.contentOffset().y()
        height_of, last = self.blockBoundingRect, self._line_count
        for line in range(block.blockNumber() + 1, last + 1):
            if y > bottom:
                break
            height = height_of(block).height() if line < last else self._height(block)
            if y + height > top:
                yield Row(line, y, height)
            y += height
            block = block.next()

    def _height(self, block: QTextBlock) -> float:
        """A line's height without the margin below the text, which Qt counts as a part of the last line."""
        height = self.blockBoundingRect(block).height()
        return height if block.next().isValid() else height - self.document().documentMargin()

    def tint(self, line: int) -> QColor | None:
        """What is behind a line."""
        if line == self.marks.blamed:
            return self.colours.blamed_line
        if line in self.marks.changed:
            return self.colours.changed_line
        if line == self.current_line and self.hasFocus():
            return self.colours.current_line
        return None

    def _update_line(self, line: int) -> None:
        block = self.document().findBlockByNumber(line - 1)
        rect = self.blockBoundingGeometry(block).translated(self.contentOffset()).toAlignedRect()
        self.viewport().update(0, rect.y(), self.viewport().width(), rect.height())
        self._gutter.update(0, rect.y(), self._gutter.width(), rect.height())

    def _show_gutter_tip(self, event: QHelpEvent) -> None:
        self._show_tip(event, "" if self.isReadOnly() else HOW_TO_LEAVE)

    def _show_tip(self, event: QHelpEvent, otherwise: str) -> None:
        """Shows what is said of the line on which the mouse rests."""
        y = event.pos().y()
        tip = next(filter(None, (self.marks.words(row.line) for row in self.rows(y, y))), otherwise)
        if tip:
            # Escaped and marked up, or Qt would take a message with angle brackets for rich text; this also wraps it.
            tip = f'<p style="white-space: pre-wrap">{html.escape(tip)}</p>'
        QToolTip.showText(event.globalPos(), tip, self)  # an empty one hides what is shown

    def _tell_hover(self, event: QHelpEvent) -> None:
        """Tells where in the code the mouse rests, where nothing else is said."""
        cursor = self.cursorForPosition(event.pos())
        place = self.cursorRect(cursor)
        is_beside = abs(place.center().x() - event.pos().x()) > 2 * self.fontMetrics().averageCharWidth()
        if not is_beside and not self.marks.words(cursor.blockNumber() + 1):
            self.hovered.emit(cursor.position(), event.globalPos())

    # Qt's own

    def changeEvent(self, event: QEvent) -> None:
        """Keeps what depends on the font in step with it."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_font()

    def viewportEvent(self, event: QEvent) -> bool:
        """Shows the blamed line's message."""
        if event.type() == QEvent.Type.ToolTip:
            self._show_tip(cast("QHelpEvent", event), "")
            self._tell_hover(cast("QHelpEvent", event))
            return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Moves the gutter along."""
        super().resizeEvent(event)
        self._place_gutter()
        if self._found:
            self._show_selections()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the tints, then the code; the first time, has it coloured afterwards."""
        painter = QPainter(self.viewport())
        for row in self.rows(event.rect().top(), event.rect().bottom()):
            tint = self.tint(row.line)
            if tint is not None:
                painter.fillRect(QRectF(0, row.top, self.viewport().width(), row.height), tint)
        painter.end()
        super().paintEvent(event)
        self._highlighter.start()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Shows which line is the current one."""
        super().focusInEvent(event)
        self._update_line(self.current_line)
        self._show_pair()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Shows no current line."""
        super().focusOutEvent(event)
        self._update_line(self.current_line)
        self._show_pair()

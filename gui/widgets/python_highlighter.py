"""Colours Python code line by line, a little at a time, so that typing and loading never wait for it.

Pygments lexes whole texts, which takes half a second for 2,000 lines. Here its rules for Python run over one line at a
time, from the state in which the line before ended; a change is followed only as far as it changes those states, and
what does not fit into one turn of the event loop is left for the next ones. The colours are those of whole-file lexing.
Pygments itself takes some 60 ms to import and prepare, and does so in a thread.
"""

from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Literal, get_args

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QColor, QTextBlock, QTextCharFormat, QTextDocument, QTextLayout

from gui.widgets.brackets import NOT_CODE
from gui.widgets.editor_lines import utf16_length

if TYPE_CHECKING:
    from pygments.lexer import ExtendedRegexLexer, LexerContext
    from pygments.token import _TokenType

Role = Literal[
    "keyword",
    "string",
    "number",
    "comment",
    "name_function",
    "name_class",
    "name_builtin",
    "operator",
    "decorator",
    "text",
]

# Seconds. A key has to be answered within 8 ms with its repaint, a turn of the event loop within 16.
_BUDGET_OF_AN_EDIT = 0.002
_BUDGET_OF_A_TURN = 0.005
_PAUSE = 20  # milliseconds after an edit, for its repaint and for the key after it

# A longer text takes its turn's time to be laid out, and would not be coloured in that turn anyway.
_MOST_LINES_OF_AN_EDIT = 200

# In characters; the rules run at about 5 µs a character, so that a longer line could not be coloured in one turn.
_LONGEST_LINE = 1_500

# Halves share most of their lines, and what is undone or opened again was there before.
_MOST_REMEMBERED = 2_048

# A block's user state holds the lexer's state before and after it; -1 is Qt's value for a block never coloured.
_STATE_BITS = 15
_MOST_STATES = 1 << _STATE_BITS
_UNCOLOURED = -1


@dataclass(frozen=True, slots=True)
class SyntaxColours:
    """The colour of each kind of word in the code."""

    keyword: QColor
    string: QColor
    number: QColor
    comment: QColor
    name_function: QColor
    name_class: QColor
    name_builtin: QColor
    operator: QColor
    decorator: QColor
    text: QColor


Span = tuple[int, int, Role]
"""A run of characters of one role: its start in the line and its length, in UTF-16 units as Qt counts, and the role.

A plain tuple, because the garbage collector walks through anything else that is remembered.
"""


class LineLexer:
    """Pygments' rules for Python, applied to one line at a time.

    A state is a small number that stands for the lexer's stack at the end of a line.
    """

    ROOT = 0

    def __init__(
        self, lexer: "ExtendedRegexLexer", context: "type[LexerContext]", roles: "Mapping[_TokenType, Role]"
    ) -> None:
        self._lexer = lexer
        self._context = context
        self._roles = dict(roles)
        self._stacks: list[tuple[str, ...]] = [("root",)]
        self._states: dict[tuple[str, ...], int] = {("root",): self.ROOT}
        self._remembered = lru_cache(_MOST_REMEMBERED)(self._lex)

    def lex(self, line: str, state: int) -> tuple[tuple[Span, ...], int]:
        """Takes one line apart.

        Args:
            line: Without its line end.
            state: As returned for the line before, `ROOT` for the first one.

        Returns:
            Spans of all roles but `text`, in order, and the state after the line. A line of more than 1,500 characters
            has no spans and leaves the state as it was.
        """
        return ((), state) if len(line) > _LONGEST_LINE else self._remembered(line, state)

    def _lex(self, line: str, state: int) -> tuple[tuple[Span, ...], int]:
        context = self._context(line + "\n", 0, list(self._stacks[state]))
        spans: list[Span] = []
        start = position = 0
        running: Role = "text"
        for _, kind, value in self._lexer.get_tokens_unprocessed(context=context):
            role = self._role(kind)
            if role != running:
                if running != "text":
                    spans.append((start, position - start, running))
                start, running = position, role
            position += utf16_length(value)
        position -= 1  # the line end
        if running != "text" and position > start:
            spans.append((start, position - start, running))
        return tuple(spans), self._state(tuple(context.stack))

    def _role(self, kind: "_TokenType") -> Role:
        role = self._roles.get(kind)
        if role is None:
            role = self._roles[kind] = self._role(kind.parent) if kind.parent is not None else "text"
        return role

    def _state(self, stack: tuple[str, ...]) -> int:
        state = self._states.get(stack)
        if state is None:
            if len(self._stacks) == _MOST_STATES:
                return self.ROOT
            state = self._states[stack] = len(self._stacks)
            self._stacks.append(stack)
        return state


def make_line_lexer() -> LineLexer:
    """Imports Pygments and prepares its rules for Python; takes some 60 ms."""
    from pygments import token
    from pygments.lexer import ExtendedRegexLexer, LexerContext
    from pygments.lexers.python import PythonLexer

    class _PythonLineLexer(ExtendedRegexLexer):
        flags = PythonLexer.flags
        tokens = PythonLexer.tokens

    roles: dict[_TokenType, Role] = {
        token.Keyword: "keyword",
        token.Operator.Word: "keyword",
        token.String: "string",
        token.Number: "number",
        token.Comment: "comment",
        token.Name.Function: "name_function",
        token.Name.Class: "name_class",
        token.Name.Builtin: "name_builtin",
        token.Name.Exception: "name_builtin",
        token.Name.Decorator: "decorator",
        token.Operator: "operator",
        token.Punctuation: "operator",
    }
    return LineLexer(_PythonLineLexer(), LexerContext, roles)


@cache
def _line_lexer() -> "Future[LineLexer]":
    """The one lexer that all highlighters share, made in a thread that ends with it. Call it in the GUI thread only."""
    executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pygments")
    future = executor.submit(make_line_lexer)
    executor.shutdown(wait=False)
    return future


class _Herald(QObject):
    """Carries word of the finished lexer into the GUI thread; owned by Python, so that it outlives a closed editor."""

    arrived = Signal()


class PythonHighlighter(QObject):
    """Keeps a document coloured as Python code.

    Nothing is coloured before `start`. An edit of up to 200 lines is coloured at once as far as 2 ms reach, the rest in
    turns of 5 ms.

    Signals:
        settled: Every line has its colours; never emitted within an edit.
    """

    settled = Signal()

    def __init__(self, document: QTextDocument, colours: SyntaxColours) -> None:
        super().__init__(document)
        self._document = document
        self._formats = _formats(colours)
        self._lexer: LineLexer | None = None
        self._herald: _Herald | None = None
        # Outside of this range of positions every block has been coloured from the state in which the one before it
        # ended. None: inside as well.
        self._stale: tuple[int, int] | None = (0, document.characterCount())
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._on_timer_timeout)
        document.contentsChange.connect(self._on_document_contents_change)

    def start(self) -> None:
        """Begins to colour, as soon as Pygments is there. Does nothing the second time."""
        if self._herald is not None:
            return
        self._herald = herald = _Herald()
        herald.arrived.connect(self._on_herald_arrived)
        _line_lexer().add_done_callback(lambda _: herald.arrived.emit())

    def set_colours(self, colours: SyntaxColours) -> None:
        """Colours everything anew."""
        self._formats = _formats(colours)
        self._recolour(0, self._document.characterCount())
        self._go_on()

    def _on_herald_arrived(self) -> None:
        self._lexer = _line_lexer().result()
        self._go_on()

    def _on_document_contents_change(self, position: int, removed: int, added: int) -> None:
        if self._stale is not None:
            start, end = self._stale
            self._stale = min(start, position), max(end + added - removed, position + added)
        lines = self._recolour(position, position + added)
        if lines <= _MOST_LINES_OF_AN_EDIT:
            self._colour(_BUDGET_OF_AN_EDIT)
        self._go_on(_PAUSE if self._stale else 0)

    def _on_timer_timeout(self) -> None:
        self._colour(_BUDGET_OF_A_TURN)
        self._timer.setInterval(0)
        if self._stale is None:
            self._timer.stop()
            self.settled.emit()

    def _go_on(self, pause: int = 0) -> None:
        """Leaves the rest, and the word that there is none, to later turns."""
        if self._lexer is not None:
            self._timer.start(pause)

    def _recolour(self, start: int, end: int) -> int:
        """Has the blocks from one position to the other coloured anew; returns how many they are."""
        block = self._document.findBlock(start)
        last = self._document.findBlock(end)
        count = (last if last.isValid() else self._document.lastBlock()).blockNumber() - block.blockNumber() + 1
        for _ in range(count):
            block.setUserState(_UNCOLOURED)
            block = block.next()
        if self._stale is not None:
            start, end = min(start, self._stale[0]), max(end, self._stale[1])
        self._stale = start, end
        return count

    def _colour(self, budget: float) -> None:
        """Colours stale blocks from the first one on until `budget` seconds are over, and one block at least."""
        if self._lexer is None or self._stale is None:
            return
        start, end = self._stale
        deadline = perf_counter() + budget
        block = self._document.findBlock(start)
        state = _state_after(block.previous())
        first = last = QTextBlock()
        self._stale = None
        while block.isValid():
            known = block.userState()
            if known != _UNCOLOURED and known >> _STATE_BITS == state:
                if block.position() >= end:
                    break
                state = known & (_MOST_STATES - 1)
            else:
                if first.isValid() and perf_counter() > deadline:
                    position = block.position()
                    self._stale = position, max(end, position + 1)
                    break
                last = block
                if not first.isValid():
                    first = block
                spans, after = self._lexer.lex(block.text(), state)
                self._set_formats(block, spans)
                block.setUserState(state << _STATE_BITS | after)
                state = after
            block = block.next()
        if first.isValid():
            self._document.markContentsDirty(first.position(), last.position() + last.length() - first.position())

    def _set_formats(self, block: QTextBlock, spans: Iterable[Span]) -> None:
        ranges: list[QTextLayout.FormatRange] = []
        for start, length, role in spans:
            piece = QTextLayout.FormatRange()
            piece.start = start
            piece.length = length
            piece.format = self._formats[role]
            ranges.append(piece)
        block.layout().setFormats(ranges)


def _state_after(block: QTextBlock) -> int:
    known = block.userState() if block.isValid() else _UNCOLOURED
    return LineLexer.ROOT if known == _UNCOLOURED else known & (_MOST_STATES - 1)


def _formats(colours: SyntaxColours) -> dict[Role, QTextCharFormat]:
    formats: dict[Role, QTextCharFormat] = {}
    for role in get_args(Role):
        formats[role] = QTextCharFormat()
        formats[role].setForeground(getattr(colours, role))
    formats["comment"].setFontItalic(True)
    for made in (formats["string"], formats["comment"]):
        made.setProperty(NOT_CODE, True)
    return formats

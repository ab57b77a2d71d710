"""Names to choose from at the caret, and help about what stands there; shows what it is given, and asks for it."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, QPoint, QStringListModel, Qt, Signal
from PySide6.QtGui import QCursor, QTextCursor
from PySide6.QtWidgets import QCompleter, QListView, QToolTip

from gui.widgets.brackets import is_code
from gui.widgets.code_editor import Asked, CodeEditor
from gui.widgets.editor_lines import utf16_length

LONGEST_NAME = 48  # characters that the list is wide at most
MOST_ROWS = 10  # that the list is high
NEAR = 12  # pixels that the mouse may have moved while help was looked for
NO_NAMES = "no name that could stand here is known"
NO_HELP = "nothing is known about this"


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in the code: line from 1, column from 0 in characters."""

    line: int
    column: int


class Completion(QObject):
    """Belongs to one editor.

    Args:
        editor: The code.

    Signals:
        names_wanted: What may stand at the caret; carries a `Spot`.
        help_wanted: What stands under the mouse or at the caret; carries a `Spot`.
    """

    names_wanted = Signal(object)
    help_wanted = Signal(object)

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._start: Spot | None = None  # of the name that is being completed
        self._asked_at: Spot | None = None
        self._help_at: QPoint | None = None  # on the screen, under the mouse; None at the caret
        self._is_asked = False  # for by a key of its own, so that there must be an answer
        self._model = QStringListModel(self)
        self._completer = QCompleter(self._model, self)
        self._completer.setWidget(editor)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self._completer.setMaxVisibleItems(MOST_ROWS)
        self._popup = QListView()
        self._popup.setObjectName("completion")
        self._popup.setAccessibleName("Names that may stand here")
        self._popup.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self._popup.setUniformItemSizes(True)
        self._completer.setPopup(self._popup)
        self._completer.activated.connect(self._on_completer_activated)
        editor.asked.connect(self._on_editor_asked)
        editor.text_edited.connect(self._on_editor_text_edited)
        editor.cursorPositionChanged.connect(self._on_editor_caret_moved)
        editor.hovered.connect(self._on_editor_hovered)
        editor.popup_is_open = self._popup.isVisible

    def show_names(self, names: Sequence[str], spot: Spot) -> None:
        """Offer names, unless the visitor is somewhere else by now.

        Args:
            names: In order.
            spot: Where they were asked for.
        """
        if self._start is None or spot != self._asked_at or not self._editor.hasFocus():
            return
        if self._start_of(self._spot()) != self._start:
            return
        self._model.setStringList(list(names))
        if not names and self._is_asked:
            self._tell(NO_NAMES)
        elif names:
            self._complete()

    def show_help(self, signature: str, words: str, spot: Spot) -> None:
        """Show help where it was asked for, unless the mouse or the caret is somewhere else by now."""
        if spot != self._asked_at:
            return
        at = self._help_at
        if at is None and self._spot() != spot:
            return
        if at is not None and (QCursor.pos() - at).manhattanLength() > NEAR:
            return
        if signature or words:
            parts = [f"<code>{html.escape(signature)}</code>"] * bool(signature) + [html.escape(words)] * bool(words)
            QToolTip.showText(at or self._below_caret(), "".join(f"<p>{part}</p>" for part in parts), self._editor)
        elif at is None:
            self._tell(NO_HELP)

    def tell_nothing(self, words: str) -> None:
        """Say why there is no answer, to a visitor who pressed a key for it."""
        if self._is_asked:
            self._tell(words)

    def _tell(self, words: str) -> None:
        QToolTip.showText(self._below_caret(), html.escape(words), self._editor)

    def _below_caret(self) -> QPoint:
        return self._editor.viewport().mapToGlobal(self._editor.cursorRect().bottomLeft())

    def _complete(self) -> None:
        """Show the names that begin like the one at the caret."""
        prefix = self._prefix()
        self._completer.setCompletionPrefix(prefix)
        count = self._completer.completionCount()
        if not count or (count == 1 and self._completer.currentCompletion() == prefix):
            self._popup.hide()
            return
        self._popup.setFont(self._editor.font())
        longest = min(max(map(len, self._model.stringList())), LONGEST_NAME)
        place = self._editor.cursorRect()
        place.translate(self._editor.viewport().pos())
        letter = self._editor.fontMetrics().horizontalAdvance("x")
        place.translate(-letter * len(prefix), 0)
        place.setWidth(letter * (longest + 4) + self._popup.verticalScrollBar().sizeHint().width())
        self._completer.complete(place)
        self._popup.setCurrentIndex(self._completer.completionModel().index(0, 0))

    def _prefix(self) -> str:
        """The part of a name before the caret."""
        spot = self._spot()
        before = self._editor.textCursor().block().text()[: spot.column]
        return before[self._start_of(spot).column :]

    def _start_of(self, spot: Spot) -> Spot:
        """Where the name before the caret begins."""
        text, start = self._editor.textCursor().block().text(), spot.column
        while start and (text[start - 1].isalnum() or text[start - 1] == "_"):
            start -= 1
        return Spot(spot.line, start)

    def _spot(self, cursor: QTextCursor | None = None) -> Spot:
        cursor = cursor or self._editor.textCursor()
        text, column = cursor.block().text(), cursor.positionInBlock()
        if not text.isascii():
            column = len(text.encode("utf-16-le", "surrogatepass")[: 2 * column].decode("utf-16-le", "ignore"))
        return Spot(cursor.blockNumber() + 1, column)

    def _on_editor_asked(self, what: Asked) -> None:
        if what is Asked.COMPLETE and not self._editor.isReadOnly():
            self._want_names(asked=True)
        elif what is Asked.HELP:
            self._want_help(self._spot(), None)

    def _want_names(self, *, asked: bool) -> None:
        spot = self._spot()
        self._start, self._asked_at, self._is_asked = self._start_of(spot), spot, asked
        self.names_wanted.emit(spot)

    def _want_help(self, spot: Spot, at: QPoint | None) -> None:
        self._start, self._asked_at, self._is_asked, self._help_at = None, spot, at is None, at
        self.help_wanted.emit(spot)

    def _on_editor_text_edited(self, _text: str) -> None:
        """A dot asks for names; further letters choose among those on show."""
        if self._editor.typed == "." and self._dot_follows_a_name():
            self._want_names(asked=False)
        elif self._popup.isVisible():
            self._go_on()

    def _on_editor_caret_moved(self) -> None:
        if self._popup.isVisible() and not self._editor.typed:
            self._go_on()

    def _dot_follows_a_name(self) -> bool:
        """Whether the dot before the caret asks for a part of something, and is no point of a number or a sentence."""
        cursor, spot = self._editor.textCursor(), self._spot()
        before = Spot(spot.line, spot.column - 1)
        name = cursor.block().text()[self._start_of(before).column : before.column]
        return not name.isdecimal() and is_code(cursor.block(), cursor.positionInBlock() - 1)

    def _go_on(self) -> None:
        """The list belongs to one name: it goes when the caret leaves that."""
        if self._start_of(self._spot()) == self._start:
            self._complete()
        else:
            self._popup.hide()

    def _on_editor_hovered(self, position: int, at: QPoint) -> None:
        cursor = QTextCursor(self._editor.document())
        cursor.setPosition(position)
        self._want_help(self._spot(cursor), at)

    def _on_completer_activated(self, name: str) -> None:
        """Write the name in place of its part before the caret."""
        cursor = self._editor.textCursor()
        cursor.setPosition(cursor.position() - utf16_length(self._prefix()), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(name)
        self._editor.setTextCursor(cursor)

"""Names to choose from at the caret, and help under the mouse; shows what it is given, and asks for it."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel, QTextCursor
from PySide6.QtWidgets import QCompleter, QListView, QToolTip

from gui.widgets.code_editor import Asked, CodeEditor


@dataclass(frozen=True, slots=True)
class Offer:
    """One name, and what it is."""

    name: str
    kind: str


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
        help_wanted: What stands under the mouse; carries a `Spot`.
    """

    names_wanted = Signal(object)
    help_wanted = Signal(object)

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._at = QPoint()
        self._model = QStandardItemModel(self)
        self._completer = QCompleter(self._model, self)
        self._completer.setWidget(editor)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self._popup = QListView()
        self._popup.setAccessibleName("Names that may stand here")
        self._popup.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self._completer.setPopup(self._popup)
        self._completer.activated.connect(self._on_completer_activated)
        editor.asked.connect(self._on_editor_asked)
        editor.text_edited.connect(self._on_editor_text_edited)
        editor.cursorPositionChanged.connect(self._on_editor_caret_moved)
        editor.hovered.connect(self._on_editor_hovered)
        editor.popup_is_open = self._popup.isVisible

    def show_names(self, offers: Sequence[Offer], spot: Spot) -> None:
        """Offer names, unless the caret is somewhere else by now."""
        if not offers or not self._editor.hasFocus() or self._spot().line != spot.line:
            return
        self._model.clear()
        for offer in offers:
            item = QStandardItem(offer.name)
            item.setToolTip(offer.kind)
            self._model.appendRow(item)
        self._complete(self._prefix())

    def show_help(self, signature: str, words: str) -> None:
        """Show help where the mouse was when it was asked for."""
        if signature or words:
            parts = [f"<code>{html.escape(signature)}</code>"] * bool(signature) + [html.escape(words)] * bool(words)
            QToolTip.showText(self._at, "".join(f"<p>{part}</p>" for part in parts), self._editor)

    def _complete(self, prefix: str) -> None:
        self._completer.setCompletionPrefix(prefix)
        count = self._completer.completionCount()
        if not count or (count == 1 and self._completer.currentCompletion() == prefix):
            self._popup.hide()
            return
        self._popup.setFont(self._editor.font())
        place = self._editor.cursorRect()
        place.translate(self._editor.viewport().pos())
        place.setWidth(self._popup.sizeHintForColumn(0) + self._popup.verticalScrollBar().sizeHint().width() + 12)
        self._completer.complete(place)
        self._popup.setCurrentIndex(self._completer.completionModel().index(0, 0))

    def _prefix(self) -> str:
        """The part of a name before the caret."""
        cursor = self._editor.textCursor()
        before = cursor.block().text()[: self._spot().column]
        start = len(before)
        while start and (before[start - 1].isalnum() or before[start - 1] == "_"):
            start -= 1
        return before[start:]

    def _spot(self, cursor: QTextCursor | None = None) -> Spot:
        cursor = cursor or self._editor.textCursor()
        text, column = cursor.block().text(), cursor.positionInBlock()
        if not text.isascii():
            column = len(text.encode("utf-16-le")[: 2 * column].decode("utf-16-le", "ignore"))
        return Spot(cursor.blockNumber() + 1, column)

    def _on_editor_asked(self, what: Asked) -> None:
        if what is Asked.COMPLETE and not self._editor.isReadOnly():
            self.names_wanted.emit(self._spot())

    def _on_editor_text_edited(self, _text: str) -> None:
        """A dot asks for names; further letters choose among those on show."""
        spot = self._spot()
        before = self._editor.textCursor().block().text()[: spot.column]
        is_open = self._popup.isVisible()
        if before.endswith(".") and self._editor.typed == ".":
            self.names_wanted.emit(spot)
        elif is_open and self._prefix():
            self._complete(self._prefix())
        elif is_open:
            self._popup.hide()

    def _on_editor_caret_moved(self) -> None:
        if self._popup.isVisible() and not self._prefix() and not self._editor.typed:
            self._popup.hide()

    def _on_editor_hovered(self, position: int, at: QPoint) -> None:
        cursor = QTextCursor(self._editor.document())
        cursor.setPosition(position)
        self._at = at
        self.help_wanted.emit(self._spot(cursor))

    def _on_completer_activated(self, name: str) -> None:
        """Write the name in place of its part before the caret."""
        cursor = self._editor.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, len(self._prefix()))
        cursor.insertText(name)
        self._editor.setTextCursor(cursor)

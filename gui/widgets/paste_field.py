"""Fields that errors are pasted into: one that takes texts of any length, and a search box that knows an error."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import (
    QClipboard,
    QContextMenuEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QLineEdit, QMenu, QPlainTextEdit, QWidget

from gui.widgets.prompted_edit import PromptedEdit

MOST_SHOWN = 20_000
"""Characters that the field lays out; what stands above them is kept beside it."""

LONGEST_LINE = 5_000
"""Characters of a single line that are laid out: wrapping a longer one takes more than a frame."""

MOST_KEPT = 12
"""Long texts that undo brings back whole; of older ones it brings back what was shown."""

LONGEST_QUERY = 200
"""Characters of a pasted search; what is longer is an error."""

_READS_LIKE_AN_ERROR = re.compile(
    r"Traceback \(most recent|\b\w+(?:Error|Exception|Warning): |\b[A-Z]{5,}(?:_[A-Z]+)*: |^[IWEF]\d{4} \d\d:\d\d:"
)


def is_error(text: str) -> bool:
    """Whether a pasted text is an error rather than words to search for."""
    text = text.strip()
    return "\n" in text or len(text) > LONGEST_QUERY or bool(_READS_LIKE_AN_ERROR.search(text))


@dataclass(frozen=True, slots=True)
class _Beside:
    """What belongs to the text that is shown.

    Attributes:
        above: What stands above it.
        note: What there is to say about all of it.
    """

    above: str = ""
    note: str = ""


class PasteField(PromptedEdit):
    """Takes plain text, of any length, and files that are let go on it.

    What is not shown follows undo and redo: it is known again by how many steps there are to undo.

    Args:
        parent: The widget that it is a part of.

    Signals:
        edited: The text changed by hand; carries whether all that stood there gave way.
        text_given: A text longer than what is laid out was pasted or let go; nothing of it stands here yet.
        file_given: A file was let go here; carries its path.
    """

    edited = Signal(bool)
    text_given = Signal(str)
    file_given = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Paste an error here, or drag a log file in", parent)
        self.setAccessibleName("Error to explain")
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.document().setDocumentMargin(10)
        self._beside = {0: _Beside()}  # by the steps to undo from which on it holds, in order
        self._steps = self._size = 0
        self._is_new_step = self._silent = False
        self.document().undoCommandAdded.connect(self._on_undo_command_added)
        self.document().contentsChange.connect(self._on_contents_change)

    @property
    def text(self) -> str:
        """All of it, with what stands above the part that is shown."""
        return self._here.above + self.toPlainText()

    @property
    def above(self) -> int:
        """How many characters at the beginning are kept, but not shown."""
        return len(self._here.above)

    @property
    def note(self) -> str:
        """What was said about the text when it was put here."""
        return self._here.note

    @property
    def shown(self) -> str:
        """The part that is shown."""
        return self.toPlainText()

    def put(self, text: str, note: str = "") -> None:
        """Put another text here, as an edit that can be undone; the field itself tells nobody.

        Args:
            text: Of any length; of a long one the end is shown, and the rest kept.
            note: What there is to say about it.
        """
        shown = _end_of(text)
        self._silent = True
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(shown)
        self._silent = False
        self._keep(_Beside(text[: len(text) - len(shown)], note))
        self.moveCursor(QTextCursor.MoveOperation.End)

    @property
    def _here(self) -> _Beside:
        return next(beside for steps, beside in reversed(self._beside.items()) if steps <= self._steps)

    def _keep(self, beside: _Beside) -> None:
        """From this step on, that is what belongs to the text."""
        self._beside.pop(self._steps, None)
        self._beside[self._steps] = beside
        long = [steps for steps, one in self._beside.items() if one.above]
        for steps in long[:-MOST_KEPT]:
            self._beside[steps] = _Beside()

    def _on_undo_command_added(self) -> None:
        self._is_new_step = True

    def _on_contents_change(self, _position: int, removed: int, added: int) -> None:
        whole = self._size > 0 and removed >= self._size
        self._size = self.document().characterCount() - 1
        before, self._steps = self._steps, self.document().availableUndoSteps()
        is_edit = self._is_new_step or self._steps == before
        self._is_new_step = False
        if is_edit:  # what was undone cannot come back
            held = min(before, self._steps)
            self._beside = {steps: one for steps, one in self._beside.items() if steps <= held}
        if self._silent or removed == added == 0:
            return
        if is_edit and (whole or not self._size) and self._here != _Beside():
            self._keep(_Beside())
        self.edited.emit(whole)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Text and files."""
        return source.hasText() or bool(_files_in(source))

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Plain text only, whatever else comes with it."""
        give(source, self.file_given.emit, self._take)

    def _take(self, text: str) -> None:
        if len(_end_of(text)) < len(text):
            self.text_given.emit(text)
        else:
            self.textCursor().insertText(text)
            self.ensureCursorVisible()


def _end_of(text: str) -> str:
    """As much of a text's end as is laid out, from the start of a line on if one is near."""
    shown = text[-MOST_SHOWN:]
    if len(shown) < len(text):
        start = shown.find("\n") + 1
        shown = shown[start:] if start < MOST_SHOWN // 4 else shown
    has_room = all(len(line) <= LONGEST_LINE for line in shown.split("\n"))
    return shown if has_room else shown[-LONGEST_LINE:]


class SearchField(QLineEdit):
    """A search box; an error that is pasted into it goes elsewhere, and what was typed stays.

    Args:
        parent: The widget that it is a part of.

    Signals:
        error_given: An error was pasted or let go here; carries all of it.
    """

    error_given = Signal(str)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pasting asks first what it is."""
        if event.matches(QKeySequence.StandardKey.Paste) and self._gives_error(QGuiApplication.clipboard().mimeData()):
            event.accept()
            return
        super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """So does the middle button, which pastes what is selected anywhere."""
        if event.button() is Qt.MouseButton.MiddleButton and self._gives_error(_selected()):
            event.accept()
            return
        super().mouseReleaseEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """So does letting go."""
        if self._gives_error(event.mimeData()):
            event.acceptProposedAction()
            return
        super().dropEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """So does the menu's entry."""
        menu = self.made_menu()
        menu.exec(event.globalPos())
        menu.deleteLater()

    def made_menu(self) -> QMenu:
        """Qt's menu, with another way to paste."""
        menu = self.createStandardContextMenu()
        for action in menu.actions():
            if action.objectName() == "edit-paste":
                action.triggered.disconnect()
                action.triggered.connect(self._on_menu_paste)
        return menu

    def _on_menu_paste(self) -> None:
        if not self._gives_error(QGuiApplication.clipboard().mimeData()):
            self.paste()

    def _gives_error(self, source: QMimeData | None) -> bool:
        if source is None or not source.hasText():
            return False
        text = source.text()
        if not is_error(text):
            return False
        self.error_given.emit(text)
        return True


def _selected() -> QMimeData | None:
    """What is selected anywhere, where the system pastes that."""
    clipboard = QGuiApplication.clipboard()
    return clipboard.mimeData(QClipboard.Mode.Selection) if clipboard.supportsSelection() else None


def give(source: QMimeData, take_file: Callable[[str], object], take_text: Callable[[str], object]) -> None:
    """Hand on what was let go or pasted: the first file of this machine, else the plain text."""
    files = _files_in(source)
    if files:
        take_file(files[0])
    elif source.hasText():
        take_text(source.text())


def _files_in(source: QMimeData) -> list[str]:
    return [url.toLocalFile() for url in source.urls() if url.isLocalFile()] if source.hasUrls() else []

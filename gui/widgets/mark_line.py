"""What a mark in the gutter says, in words below the code, for whoever walks there by keyboard."""

import html

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from gui.widgets import editor_commands as commands
from gui.widgets.code_editor import Asked, CodeEditor
from gui.widgets.labels import RoleLabel


class MarkLine(RoleLabel):
    """Shown when the editor is asked for the next mark, as long as the caret stays on its line.

    What does not fit into one line is in the tool tip.

    Args:
        editor: The code.
        parent: The widget that it is a part of.
    """

    def __init__(self, editor: CodeEditor, parent: QWidget | None = None) -> None:
        super().__init__("faint", parent=parent)
        self._editor = editor
        self._line = 0
        self._words = ""
        self.setWordWrap(False)
        self.setAccessibleName("What the mark says")
        editor.asked.connect(self._on_editor_asked)
        editor.cursorPositionChanged.connect(self._on_editor_caret_moved)
        editor.textChanged.connect(self._leave)
        self.hide()

    def _on_editor_asked(self, what: Asked) -> None:
        if what in (Asked.NEXT_MARK, Asked.PREVIOUS_MARK):
            self._go(forward=what is Asked.NEXT_MARK)
        elif what in (Asked.FIND, Asked.REPLACE, Asked.LINE):
            self._leave()  # the room below the code is wanted

    def _go(self, *, forward: bool) -> None:
        lines, here = self._editor.marks.spoken_of(), self._editor.current_line
        if not lines:
            self._line = here
            self._tell("no line is marked; a run marks the line that raises, and those that warnings speak of", "faint")
            return
        if forward:
            self._line = next((line for line in lines if line > here), lines[0])
        else:
            self._line = next((line for line in reversed(lines) if line < here), lines[-1])
        commands.go_to_line(self._editor, self._line)
        number = f"{lines.index(self._line) + 1} of {len(lines)}, " if len(lines) > 1 else ""
        words = self._editor.marks.words(self._line) or "this line raised"
        is_blamed = self._line == self._editor.marks.blamed
        self._tell(f"{number}line {self._line}: {words}", "bad" if is_blamed else "doubt")

    def _tell(self, words: str, role: str) -> None:
        self._words = words
        self.setToolTip(f'<p style="white-space: pre-wrap">{html.escape(words)}</p>' if words else "")
        self.setAccessibleDescription(words)
        self.set_role(role)
        self.setVisible(bool(words))
        self._fit()

    def _fit(self) -> None:
        one_line = " ".join(self._words.split())
        self.setText(self.fontMetrics().elidedText(one_line, Qt.TextElideMode.ElideRight, self.width()))

    def _on_editor_caret_moved(self) -> None:
        if self._editor.current_line != self._line:
            self._leave()

    def _leave(self) -> None:
        self._line = 0
        self._tell("", "faint")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say as much as there is room for."""
        super().resizeEvent(event)
        self._fit()

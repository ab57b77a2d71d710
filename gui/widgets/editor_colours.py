"""The colours that a code editor knows, but for those of the code."""

from dataclasses import dataclass

from PySide6.QtGui import QColor


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
        note_mark: The sign beside a line that a message speaks of; likewise.
        selection: Behind selected code.
        match: Behind a pair of brackets, and behind what a search finds.
    """

    text: QColor
    background: QColor
    gutter_text: QColor
    current_line: QColor
    changed_line: QColor
    changed_mark: QColor
    blamed_line: QColor
    blamed_mark: QColor
    note_mark: QColor
    selection: QColor
    match: QColor

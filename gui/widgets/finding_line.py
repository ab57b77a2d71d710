"""One quiet line below the account of a failed run: what the diagnosis says of it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.theme import Theme
from gui.widgets.row_button import RowButton

if TYPE_CHECKING:
    from gui.widgets.reading import Reading


@dataclass(frozen=True, slots=True)
class Finding:
    """What explains a failed run.

    Attributes:
        words: One line.
        exhibit: Id of the exhibit that explains it; "" where there is none, and the page of the paste tells more.
    """

    words: str
    exhibit: str = ""


class FindingLine(QWidget):
    """Shows a finding, and opens what it speaks of; takes no room without one.

    Args:
        parent: The widget that it is a part of.

    Signals:
        opened: The line was pressed; carries the `Finding`.
    """

    opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: RowButton | None = None
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self.hide()

    def show_finding(self, finding: Finding | None, theme: Theme) -> None:
        """Show another finding, or none."""
        if self._row is not None:
            self._layout.removeWidget(self._row)
            self._row.hide()
            self._row.deleteLater()
            self._row = None
        self.setVisible(finding is not None)
        if finding is not None:
            tip = "Open this exhibit" if finding.exhibit else "Open it in Diagnose"
            self._row = RowButton(finding.words, "", lambda: self.opened.emit(finding), theme, tip=tip, flush=True)
            self._layout.addWidget(self._row)


def failure_of(reading: "Reading") -> str:
    """What a run printed when it failed, with its error; "" where it did not fail, or goes on."""
    if reading.is_live or not (reading.error or reading.role == "bad"):
        return ""
    if reading.stderr.strip() and reading.message[:200] in reading.stderr:
        return reading.stderr
    error = ": ".join(filter(None, (reading.error, reading.message)))
    return "\n".join(filter(str.strip, (reading.stderr, error))) or reading.stdout

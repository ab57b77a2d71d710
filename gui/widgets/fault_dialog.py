"""A fault of the museum's own, in a plain sentence, with a report to take away."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from gui.theme import Theme
from gui.widgets.labels import RoleLabel, button
from gui.widgets.output_pane import OutputPane
from gui.widgets.screen import resize_within_screen


class FaultDialog(QDialog):
    """Says what went wrong; the visitor goes on or leaves.

    Args:
        theme: Colours and sizes.
        parent: The window.

    Signals:
        quit_requested: Close the museum.
    """

    quit_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setWindowTitle("Something went wrong")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        resize_within_screen(self, theme.sizes.space * 88, theme.sizes.space * 56)
        self._sentence = RoleLabel("heading")
        self._summary = RoleLabel("bad")
        self._often = RoleLabel("faint")
        self._report = OutputPane("Report", fills=True)
        self._copied = RoleLabel("good")
        self._copied.setWordWrap(False)
        self._continue = button("Continue", self.accept, role="main", tip="Close this and go on (Esc)")
        self._continue.setDefault(True)
        below = QHBoxLayout()
        below.setSpacing(theme.sizes.space)
        below.addWidget(button("Copy report", self._copy, tip="Paths and names of this machine are left out"))
        below.addWidget(self._copied)
        below.addStretch(1)
        below.addWidget(button("Quit", self._leave, name="Quit the museum"))
        below.addWidget(self._continue)
        layout = QVBoxLayout(self)
        space = theme.sizes.space
        layout.setContentsMargins(space * 2, space * 2, space * 2, space * 2)
        layout.setSpacing(space)
        for part in (self._sentence, self._summary, self._often):
            layout.addWidget(part)
        layout.addWidget(self._report, 1)
        layout.addLayout(below)
        self._copied.say("")
        self._continue.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_fault(self, sentence: str, summary: str, often: str, report: str) -> None:
        """Show it, or another state of it.

        Args:
            sentence: What it means for the visitor.
            summary: What it was, in one line.
            often: How often, and what else; "" for nothing.
            report: All of it.
        """
        self._sentence.say(sentence)
        self._summary.say(summary)
        self._often.say(often)
        self._report.show_text(report, self._theme.code_font())

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._report.toPlainText())
        self._copied.say("✓ copied")

    def _leave(self) -> None:
        self.accept()
        self.quit_requested.emit()

"""What leaves the museum is looked at first; and what is kept gets its name."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from gui.theme import Theme
from gui.widgets.labels import RoleLabel, button
from gui.widgets.screen import resize_within_screen

TAKEN_OUT = (
    "Paths, user and host names, addresses and secrets of this machine are taken out as far as they are known. "
    "Read it before you send it; what you change here is what is copied."
)


class ReportDialog(QDialog):
    """A bug report to look at, and to copy.

    Args:
        theme: Colours and sizes.
        text: The report, in Markdown.
        parent: The window.

    Signals:
        copy_requested: Put this text on the clipboard.
    """

    copy_requested = Signal(str)

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Bug report")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        resize_within_screen(self, theme.sizes.space * 102, theme.sizes.space * 80)
        self._text = QPlainTextEdit(text)
        self._text.setAccessibleName("Bug report")
        self._text.setFont(theme.code_font())
        self._text.setTabChangesFocus(True)
        self._text.document().setDocumentMargin(theme.sizes.space)
        self._state = RoleLabel("faint", TAKEN_OUT)
        copy = button("Copy", self._copy, role="main", tip="Put it on the clipboard")
        copy.setDefault(True)
        layout = QVBoxLayout(self)
        space = theme.sizes.space
        layout.setContentsMargins(space * 2, space * 2, space * 2, space * 2)
        layout.setSpacing(space)
        layout.addWidget(self._text, 1)
        layout.addWidget(self._state)
        below = QHBoxLayout()
        below.addWidget(copy)
        below.addStretch(1)
        below.addWidget(button("Close", self.close))
        layout.addLayout(below)
        copy.setFocus()

    def _copy(self) -> None:
        self.copy_requested.emit(self._text.toPlainText())
        self._state.say("Copied. It can be pasted into an issue as it is.", "good")


class KeepDialog(QDialog):
    """Title and name of a run that becomes an exhibit.

    Args:
        theme: Colours and sizes.
        title: What it would be called.
        parent: The window.

    Signals:
        title_edited: The visitor wrote another title.
        keep_requested: Make it: title, slug, and tags as they were typed.
    """

    title_edited = Signal(str)
    keep_requested = Signal(str, str, str)

    def __init__(self, theme: Theme, title: str, slug: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keep as my exhibit")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        resize_within_screen(self, theme.sizes.space * 78, theme.sizes.space * 30)
        self._has_own_slug = False
        self._title, self._slug, self._tags = QLineEdit(title), QLineEdit(slug), QLineEdit()
        self._tags.setPlaceholderText("separated by commas; may be empty")
        self._title.textEdited.connect(self.title_edited)
        self._slug.textEdited.connect(self._on_slug_text_edited)
        form = QFormLayout()
        form.setSpacing(theme.sizes.space)
        for words, field in (("&Title", self._title), ("&Id: mine/", self._slug), ("Ta&gs", self._tags)):
            field.setAccessibleName(words.replace("&", ""))
            form.addRow(words, field)
        about = RoleLabel("faint", "Code, output and circumstances of the run are kept; the placard is yours to write.")
        self._state = RoleLabel("faint")
        self._keep = button("Keep", self._ask_to_keep, role="main")
        self._keep.setDefault(True)
        layout = QVBoxLayout(self)
        space = theme.sizes.space
        layout.setContentsMargins(space * 2, space * 2, space * 2, space * 2)
        layout.setSpacing(space)
        layout.addLayout(form)
        layout.addWidget(about)
        layout.addWidget(self._state)
        layout.addStretch(1)
        below = QHBoxLayout()
        below.addWidget(self._keep)
        below.addStretch(1)
        below.addWidget(button("Cancel", self.close))
        layout.addLayout(below)
        self.say("")
        self._title.selectAll()
        self._title.setFocus()

    def show_slug(self, slug: str) -> None:
        """Show what id a title gives, unless the visitor wrote one."""
        if not self._has_own_slug:
            self._slug.setText(slug)

    def say(self, text: str, role: str = "bad") -> None:
        """One line on why it cannot be kept so."""
        self._state.say(text, role)

    def _on_slug_text_edited(self, text: str) -> None:
        self._has_own_slug = bool(text)

    def _ask_to_keep(self) -> None:
        self.keep_requested.emit(self._title.text(), self._slug.text(), self._tags.text())

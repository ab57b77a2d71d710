"""Long text in a dialog, to be read and copied: the log, a crash."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from gui.theme import Theme
from gui.widgets.labels import PathLabel, allow, button
from gui.widgets.output_pane import OutputPane
from gui.widgets.screen import resize_within_screen

COPIED = "Paths and names of this machine are left out"


class TextDialog(QDialog):
    """Shows text from its end.

    Args:
        theme: Colours and sizes.
        title: Of the dialog.
        parent: The window.
    """

    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._copied = ""
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        resize_within_screen(self, theme.sizes.space * 110, theme.sizes.space * 76)
        self._place = PathLabel()
        self._pane = OutputPane(title, fills=True)
        self._copy = button("Copy", self._copy_text, name=f"Copy: {title}")
        below = QHBoxLayout()
        below.setSpacing(theme.sizes.space)
        below.addWidget(self._copy)
        below.addWidget(self._place, 1)
        below.addWidget(button("Close", self.close))
        layout = QVBoxLayout(self)
        space = theme.sizes.space
        layout.setContentsMargins(space * 2, space * 2, space * 2, space * 2)
        layout.setSpacing(space)
        layout.addWidget(self._pane, 1)
        layout.addLayout(below)

    def show_text(self, text: str, copied: str, place: str = "") -> None:
        """Show another text.

        Args:
            text: To be read here.
            copied: What Copy puts on the clipboard; "" for nothing to copy.
            place: Where it lies.
        """
        self._copied = copied
        allow(self._copy, bool(copied), tip=COPIED, why="There is nothing to copy")
        self._place.say_path(place)
        self._pane.show_text(text, self._theme.code_font())
        self._pane.verticalScrollBar().setValue(self._pane.verticalScrollBar().maximum())

    def _copy_text(self) -> None:
        QGuiApplication.clipboard().setText(self._copied)

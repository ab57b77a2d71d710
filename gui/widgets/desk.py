"""The windows in which the visitor looks, names and chooses what comes in and goes out."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from gui.theme import Theme
from gui.widgets.share_dialogs import KeepDialog, ReportDialog

Chosen = Callable[[str], object]


class Desk:
    """Dialogs over the window; none of them holds up anything else.

    Args:
        window: Their parent.
        theme: Gives the look of the moment.
        say: Tells one line on the page in front.
    """

    def __init__(self, window: QWidget, theme: Callable[[], Theme], say: Callable[[str], object]) -> None:
        self._window, self._theme, self._say = window, theme, say

    def show_report(self, text: str) -> ReportDialog:
        """Show a report before it is copied."""
        dialog = ReportDialog(self._theme(), text, self._window)
        dialog.open()
        return dialog

    def ask_for_name(self, title: str, slug: str) -> KeepDialog:
        """Ask for the name of an exhibit."""
        dialog = KeepDialog(self._theme(), title, slug, self._window)
        dialog.open()
        return dialog

    def ask_where_to_save(self, suggested: str, chosen: Chosen) -> None:
        """Ask for a script's file."""
        self._ask_to_save("Save as a script", suggested, "Python (*.py)", chosen)

    def ask_where_to_export(self, suggested: str, chosen: Chosen) -> None:
        """Ask for a zip that is not there yet."""
        self._ask_to_save("Export as a zip", suggested, "Zip (*.zip)", chosen, overwrites=False)

    def ask_for_zip(self, chosen: Chosen) -> None:
        """Ask for a zip that is there."""
        dialog = QFileDialog(self._window, "Import exhibits from a zip", "", "Zip (*.zip);;All files (*)")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        self._open(dialog, chosen)

    def ask_for_folder(self, title: str, chosen: Chosen) -> None:
        """Ask for a folder that is there."""
        dialog = QFileDialog(self._window, title)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        self._open(dialog, chosen)

    def copy(self, text: str) -> None:
        """Put words on the clipboard."""
        QGuiApplication.clipboard().setText(text)

    def say(self, text: str) -> None:
        """One line on the page in front."""
        self._say(text)

    def _ask_to_save(self, title: str, suggested: str, kinds: str, chosen: Chosen, *, overwrites: bool = True) -> None:
        dialog = QFileDialog(self._window, title, suggested, kinds)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(kinds[kinds.index("*.") + 2 : -1])
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite, on=not overwrites)
        self._open(dialog, chosen)

    @staticmethod
    def _open(dialog: QFileDialog, chosen: Chosen) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(chosen)
        dialog.open()

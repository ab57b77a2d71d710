"""What can be done with an exhibit of the personal wing, and what must be agreed to first."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QInputDialog, QMessageBox, QVBoxLayout, QWidget

from gui.theme import Theme
from gui.widgets.labels import RoleLabel, allow, button, menu_button
from gui.widgets.wrap_layout import WrapLayout

RENAME = "Rename…"


@dataclass(frozen=True, slots=True)
class MineView:
    """How it stands with an exhibit of the personal wing.

    Attributes:
        title: Of the exhibit.
        words: Where it comes from, in one line.
        is_own: Whether the visitor made it, and may change it.
        is_trusted: Whether it may be run.
        is_edited: Whether a half is not as it is on the disk.
    """

    title: str
    words: str
    is_own: bool
    is_trusted: bool
    is_edited: bool = False


class MineBar(QWidget):
    """A line of words and a few buttons; hidden on an exhibit of the collection.

    Args:
        theme: Colours and sizes.
        parent: The widget that it is a part of.

    Signals:
        trust_requested: The visitor agrees to the scripts that are on show.
        save_requested: Write the visitor's text into the exhibit.
        record_requested: Run both halves and record what they print.
        stop_requested: End that.
        files_requested: Show the exhibit's folder.
        renamed: The visitor gave it another title.
        export_requested: Write it to a zip.
        remove_requested: Take it away; the visitor was asked.
    """

    trust_requested = Signal()
    save_requested = Signal()
    record_requested = Signal()
    stop_requested = Signal()
    files_requested = Signal()
    renamed = Signal(str)
    export_requested = Signal()
    remove_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view: MineView | None = None
        self._words = RoleLabel("faint")
        self._progress = RoleLabel("faint")
        self._trust = button(
            "Trust and allow running",
            self.trust_requested.emit,
            role="main",
            tip="You have read both scripts and agree that they run here, as they are now, with your rights",
        )
        self._save = button("Save edits", self.save_requested.emit)
        self._record = button("Record captures", self.record_requested.emit)
        self._stop = button("Stop recording", self.stop_requested.emit)
        entries: dict[str, Callable[[], object]] = {
            RENAME: self._ask_for_title,
            "Show its files": self.files_requested.emit,
            "Export as a zip…": self.export_requested.emit,
            "Remove…": self._ask_to_remove,
        }
        self._manage = menu_button("Manage", "Manage this exhibit", entries)
        self._rename = self._manage.menu().actions()[list(entries).index(RENAME)]
        row = QWidget()
        below = WrapLayout(theme.sizes.space, row)
        for part in (self._trust, self._save, self._record, self._stop, self._manage):
            below.addWidget(part)
        self._rows = layout = QVBoxLayout(self)
        layout.setContentsMargins(0, theme.sizes.space // 2, 0, 0)
        layout.setSpacing(theme.sizes.space // 2)
        layout.addWidget(self._words)
        layout.addWidget(row)
        layout.addWidget(self._progress)
        self.show_view(None)
        self.show_progress("")

    def set_theme(self, theme: Theme) -> None:
        """Change sizes."""
        self._rows.setSpacing(theme.sizes.space // 2)

    def show_view(self, view: MineView | None) -> None:
        """Show how it stands; None for an exhibit of the collection."""
        self._view = view
        self.setVisible(view is not None)
        if view is None:
            return
        self._words.say(view.words, "faint" if view.is_trusted else "doubt")
        self._trust.setVisible(not view.is_trusted)
        self._save.setVisible(view.is_own)
        self._allow_saving(view)
        self._record.setVisible(view.is_trusted)
        self._rename.setVisible(view.is_own)

    def show_progress(self, text: str, role: str = "faint", *, running: bool = False) -> None:
        """Say how a recording, or anything else that was asked for, goes.

        Args:
            text: "" for nothing.
            role: "faint", "good" or "bad".
            running: Whether it goes on; only Stop helps then.
        """
        self._progress.say(text, role)
        self._stop.setVisible(running)
        tips = (
            (self._record, "Run both halves on every JAX version at hand, and keep what good runs print"),
            (self._save, ""),
            (self._manage, "Manage this exhibit"),
        )
        for part, tip in tips:
            allow(part, not running, tip=tip, why="Stop the recording first")
        if not running and self._view is not None:
            self._allow_saving(self._view)

    def _allow_saving(self, view: MineView) -> None:
        tip = "Write what stands below into the exhibit"
        allow(self._save, view.is_edited, tip=tip, why="Nothing was changed below")

    def _ask_for_title(self) -> None:
        dialog = QInputDialog(self)
        dialog.setWindowTitle("Rename the exhibit")
        dialog.setLabelText("Title (its id stays)")
        dialog.setTextValue(self._view.title if self._view else "")
        dialog.setOkButtonText("Rename")
        dialog.resize(max(520, dialog.sizeHint().width()), dialog.sizeHint().height())
        dialog.textValueSelected.connect(self.renamed)
        self._open(dialog)

    def _ask_to_remove(self) -> None:
        title = self._view.title if self._view else ""
        words = f"Remove “{title}” from your exhibits?\n\nIts files are moved aside, with your edits; none is erased."
        box = QMessageBox(self)
        box.setWindowTitle("Remove the exhibit")
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(words)
        remove = box.addButton("Remove", QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton("Keep it", QMessageBox.ButtonRole.RejectRole))
        remove.clicked.connect(lambda _checked=False: self.remove_requested.emit())
        self._open(box)

    @staticmethod
    def _open(dialog: QInputDialog | QMessageBox) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

"""The bench: the visitor's own snippets in tabs. Lays out and asks, decides nothing."""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QByteArray, QFileSystemWatcher, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from gui.theme import Theme
from gui.widgets.bench_view import BenchView
from gui.widgets.labels import RoleLabel, allow, button

FILTER = "Python (*.py);;All files (*)"


class BenchPage(QWidget):
    """A row of tabs and the view of the one in front.

    Args:
        theme: Colours and sizes.
        most_devices: The largest device count.
        parent: The widget that it is a part of.

    Signals:
        new_requested: Another snippet.
        open_requested: Open this file.
        save_requested: Write the snippet in front to its file.
        place_requested: Ask where to save the snippet in front.
        save_as_requested: Write the snippet in front to this file.
        chosen: Bring the snippet of this id to the front.
        close_requested: Close the snippet of this id.
        reopen_requested: Bring back the snippet that was closed last.
        moved: The visitor moved a tab; carries the ids from the left.
        file_changed: Something happened to this file.
        zoom_requested: Larger or smaller type, by this many steps.
        explain_requested: Take what a failed run printed to Diagnose; carries its `Reading`.
        exhibit_requested: Open the exhibit that explains a run.
    """

    new_requested = Signal()
    open_requested = Signal(str)
    save_requested = Signal()
    place_requested = Signal()
    save_as_requested = Signal(str)
    chosen = Signal(str)
    close_requested = Signal(str)
    reopen_requested = Signal()
    moved = Signal(list)
    file_changed = Signal(str)
    zoom_requested = Signal(int)
    explain_requested = Signal(object)
    exhibit_requested = Signal(str)

    def __init__(self, theme: Theme, most_devices: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._most_devices = theme, most_devices
        self._views: dict[str, BenchView] = {}
        self._whitespace = False
        self.panes_state = QByteArray()  # empty for the first sizes
        self._watched: frozenset[str] = frozenset()
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._on_watcher_changed)
        self._watcher.directoryChanged.connect(self._on_watcher_changed)
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAcceptDrops(True)
        self._tabs = QTabBar()
        self._tabs.setAccessibleName("Snippets")
        self._tabs.setMovable(True)
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        self._tabs.setUsesScrollButtons(True)
        self._tabs.setElideMode(Qt.TextElideMode.ElideMiddle)
        self._tabs.currentChanged.connect(self._on_tabs_current_changed)
        self._tabs.tabMoved.connect(lambda *_: self.moved.emit(self._order()))
        self._state = RoleLabel("text")
        self._state.setWordWrap(False)
        self._recent = QMenu(self)
        self._recent_button = QPushButton("Recent ▾")
        self._recent_button.setProperty("role", "quiet-menu")
        self._recent_button.setAccessibleName("Open a recent file")
        self._recent_button.setMenu(self._recent)
        self._room = QStackedWidget()
        top = QHBoxLayout()
        space = theme.sizes.space
        top.setContentsMargins(space * 2, space // 2, space * 2, 0)
        top.setSpacing(space // 2)
        top.addWidget(self._tabs, 1)
        top.addWidget(self._state)
        for part in (
            button("New", self.new_requested.emit, role="quiet", tip="Another snippet (Ctrl+N)"),
            button("Open…", self.ask_for_file, role="quiet", tip="Open a file (Ctrl+O); or drag one in"),
            self._recent_button,
            button("Save", self.save_requested.emit, role="quiet", tip="Write it to its file (Ctrl+S)"),
            button("Save as…", self.place_requested.emit, role="quiet", tip="Write it to another file (Ctrl+Shift+S)"),
        ):
            top.addWidget(part)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addWidget(self._room, 1)

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        self._theme = theme
        for view in self._views.values():
            view.set_theme(theme)
        for number in range(self._tabs.count()):
            close = self._tabs.tabButton(number, QTabBar.ButtonPosition.RightSide)
            close.resize(close.sizeHint())
            self._tabs.setTabText(number, self._tabs.tabText(number))  # lays the tab out anew

    def set_whitespace(self, *, shown: bool) -> None:
        """Draw spaces and tabs as marks, or not."""
        self._whitespace = shown
        for view in self._views.values():
            view.editor.set_whitespace(shown=shown)

    # Panes

    def restore_panes(self, state: object) -> None:
        """Sizes that were remembered, or were given to the panes of one tab: all tabs have the same."""
        if isinstance(state, QByteArray):
            self.panes_state = state
        for view in self._views.values():
            view.panes.restore(state)

    def reset_panes(self) -> None:
        """The first sizes, in all tabs."""
        self.panes_state = QByteArray()
        for view in self._views.values():
            view.panes.reset()

    # Tabs

    def add_tab(self, name: str, title: str, tip: str, at: int = -1) -> None:
        """Add a tab, at the right end or at a place; it is not brought to the front."""
        self._tabs.blockSignals(True)
        number = self._tabs.insertTab(at, title)
        self._tabs.setTabData(number, name)
        self._tabs.setTabToolTip(number, tip)
        close = button("\u00d7", partial(self.close_requested.emit, name), role="close", tip="Close (Ctrl+W)")
        close.setAccessibleName(f"Close {title}")
        close.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Ctrl+W does it
        self._tabs.setTabButton(number, QTabBar.ButtonPosition.RightSide, close)
        self._tabs.blockSignals(False)

    def name_tab(self, name: str, title: str, tip: str) -> None:
        """Let a tab say something else."""
        number = self._order().index(name)
        if self._tabs.tabText(number) != title:
            self._tabs.setTabText(number, title)
        self._tabs.setTabToolTip(number, tip)

    def remove_tab(self, name: str) -> None:
        """Take a tab away, with its view."""
        self._tabs.blockSignals(True)
        self._tabs.removeTab(self._order().index(name))
        self._tabs.blockSignals(False)
        view = self._views.pop(name, None)
        if view is not None:
            self._room.removeWidget(view)
            view.hide()
            view.deleteLater()

    def make_view(self, name: str) -> BenchView:
        """The view of a snippet that is shown for the first time."""
        view = self._views[name] = BenchView(self._theme, self._most_devices, self._room)
        view.zoom_requested.connect(self.zoom_requested)
        view.readings.explain_requested.connect(self.explain_requested)
        view.readings.exhibit_requested.connect(self.exhibit_requested)
        view.editor.set_whitespace(shown=self._whitespace)
        self._room.addWidget(view)
        view.panes.restore(self.panes_state)
        view.panes.splitterMoved.connect(lambda *_: self.restore_panes(view.panes.saveState()))
        view.set_theme(self._theme)  # under a parent with a style sheet Qt gives the fields their first fonts again
        return view

    def show_tab(self, name: str) -> None:
        """Bring a snippet that has a view to the front."""
        self._tabs.blockSignals(True)
        self._tabs.setCurrentIndex(self._order().index(name))
        self._tabs.blockSignals(False)
        self._room.setCurrentWidget(self._views[name])
        self._views[name].editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _order(self) -> list[str]:
        return [self._tabs.tabData(number) for number in range(self._tabs.count())]

    def _on_tabs_current_changed(self, number: int) -> None:
        if number >= 0:
            self.chosen.emit(self._tabs.tabData(number))

    # Files

    def show_recent(self, paths: Sequence[str]) -> None:
        """Offer files that were open lately."""
        self._recent.clear()
        for path in paths:
            self._recent.addAction(path.replace("&", "&&"), partial(self.open_requested.emit, path))
        allow(self._recent_button, bool(paths), tip="Open a recent file", why="No file was opened yet")

    def say(self, text: str) -> None:
        """Tell something in one line, or nothing."""
        self._state.setText(text)
        self._state.setToolTip(text)

    def watch(self, paths: Iterable[str]) -> None:
        """Watch these files, and no others.

        Their directories are watched as well: many programs write a new file and give it the old one's name.
        """
        self._watched = frozenset(paths)
        wanted = self._watched | {str(Path(path).parent) for path in self._watched}
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if gone := sorted(watched - wanted):
            self._watcher.removePaths(gone)
        if new := sorted(path for path in wanted - watched if Path(path).exists()):
            self._watcher.addPaths(new)

    def _on_watcher_changed(self, place: str) -> None:
        self.watch(self._watched)  # a file with a new inode is not watched any more
        for path in sorted(self._watched):
            if place in (path, str(Path(path).parent)):
                self.file_changed.emit(path)

    def ask_for_file(self) -> None:
        """Let the visitor choose files to open."""
        dialog = QFileDialog(self, "Open", "", FILTER)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(self._on_files_selected)
        self._show(dialog)

    def _on_files_selected(self, paths: Sequence[str]) -> None:
        for path in paths:
            self.open_requested.emit(path)

    def ask_where_to_save(self, suggested: str) -> None:
        """Let the visitor choose where to save the snippet in front."""
        dialog = QFileDialog(self, "Save as", suggested, FILTER)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("py")
        dialog.fileSelected.connect(self.save_as_requested)
        self._show(dialog)

    @staticmethod
    def _show(dialog: QFileDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be let go here."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open them."""
        for url in event.mimeData().urls():
            if url.isLocalFile():
                self.open_requested.emit(url.toLocalFile())
        event.acceptProposedAction()

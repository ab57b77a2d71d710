"""The main window: lays out the views and decides nothing."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QByteArray, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QActionGroup, QCloseEvent, QKeyEvent, QKeySequence, QPaintEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QSplitter, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from gui.actions import ActionSpec, menu_actions
from gui.theme import Scheme, Theme
from gui.widgets.notices import Notices
from gui.widgets.run_bar import RunBar

if TYPE_CHECKING:
    from gui.widgets.bench_page import BenchPage
    from gui.widgets.exhibit_page import ExhibitPage
    from gui.widgets.mesh_panel import MeshPanel
    from gui.widgets.sidebar import Sidebar
    from gui.widgets.studio_page import StudioPage
    from gui.widgets.wing_page import WingPage

Part = TypeVar("Part", "ExhibitPage", "WingPage", "MeshPanel", "Sidebar", "StudioPage", "BenchPage")
GEOMETRY, PANES = "window/geometry", "window/panes"
STUDIO_PANES, BENCH_PANES = "window/studio-panes", "window/bench-panes"
DEFAULT_PANES = (205, 840, 235)


class MainWindow(QMainWindow):
    """Bar at the top; sidebar, page and mesh panel below.

    The bar is there at once; sidebar, pages and panel are made when they are first asked for, so that the window is
    on the screen before they are loaded.

    Args:
        theme: Colours and sizes.
        most_devices: The largest device count.

    Signals:
        action_requested: A menu entry or its shortcut; carries the action's name.
        switch_requested: A menu entry with a tick was switched; carries its name and whether it is on.
        scheme_requested: Light, dark, or the system's.
        closing: The visitor closes the window.
        painted: The first frame is on the screen.
    """

    action_requested = Signal(str)
    switch_requested = Signal(str, bool)
    scheme_requested = Signal(Scheme)
    closing = Signal()
    painted = Signal()

    def __init__(self, theme: Theme, most_devices: int) -> None:
        super().__init__()
        self.setWindowTitle("XLA Museum")
        self.bar = RunBar(theme, most_devices)
        self.bar.set_still(theme.still)
        self._theme, self._most_devices = theme, most_devices
        self._is_painted = False
        self._kept_panes: dict[str, object] = {}  # of pages that are not made yet
        self._pages = QStackedWidget()
        self._panel_room = QStackedWidget()
        self._walk_room = QStackedWidget()
        self._dressed: list[ExhibitPage | WingPage | MeshPanel | Sidebar | StudioPage | BenchPage] = []
        self._panes = QSplitter(Qt.Orientation.Horizontal)
        self._panes.setChildrenCollapsible(False)
        self._panes.setHandleWidth(1)
        for number, pane in enumerate((self._walk_room, self._pages, self._panel_room)):
            self._panes.addWidget(pane)
            self._panes.setStretchFactor(number, int(pane is self._pages))
        self._panes.setSizes(list(DEFAULT_PANES))
        body = QWidget()
        self._views = QStackedWidget()
        self._views.addWidget(body)
        self.notices = Notices()
        room = QWidget()
        stack = QVBoxLayout(room)
        stack.setContentsMargins(0, 0, 0, 0)
        stack.setSpacing(0)
        stack.addWidget(self._views, 1)
        stack.addWidget(self.notices)
        self.setCentralWidget(room)
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(self._panes, 1)
        self.resize(1280, 800)
        self._schemes: dict[Scheme, QAction] = {}
        self._switches: dict[str, QAction] = {}
        self._fill_menus()
        self._tabs = QTabBar()
        self._tabs.setAccessibleName("Exhibits, studio or bench")
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        for title in ("Exhibits", "Studio", "Bench"):
            self._tabs.addTab(title)
        self._tabs.currentChanged.connect(self._on_tabs_current_changed)
        self.menuBar().setCornerWidget(self._tabs)

    def _on_tabs_current_changed(self, number: int) -> None:
        self.action_requested.emit(("show-exhibits", "show-studio", "show-bench")[number])

    @cached_property
    def sidebar(self) -> "Sidebar":
        """The walk through the museum."""
        from gui.widgets.sidebar import Sidebar

        return self._furnish(Sidebar(self._theme), self._walk_room)

    @cached_property
    def exhibit_page(self) -> "ExhibitPage":
        """The page of an exhibit."""
        from gui.widgets.exhibit_page import ExhibitPage

        return self._furnish(ExhibitPage(self._theme), self._pages)

    @cached_property
    def wing_page(self) -> "WingPage":
        """The page of a wing."""
        from gui.widgets.wing_page import WingPage

        return self._furnish(WingPage(self._theme), self._pages)

    @cached_property
    def mesh_panel(self) -> "MeshPanel":
        """The panel beside an exhibit."""
        from gui.widgets.mesh_panel import MeshPanel

        return self._furnish(MeshPanel(self._theme), self._panel_room)

    @cached_property
    def studio_page(self) -> "StudioPage":
        """The page on which layouts are drawn by hand."""
        from gui.widgets.studio_page import StudioPage

        page = self._furnish(StudioPage(self._theme), self._views)
        page.panes.restore(self._kept_panes.get(STUDIO_PANES))
        return page

    @cached_property
    def bench_page(self) -> "BenchPage":
        """The page of the visitor's own snippets."""
        from gui.widgets.bench_page import BenchPage

        page = self._furnish(BenchPage(self._theme, self._most_devices), self._views)
        page.restore_panes(self._kept_panes.get(BENCH_PANES))
        return page

    def show_exhibits(self) -> None:
        """Bring wings and exhibits to the front."""
        self._views.setCurrentIndex(0)
        self._mark_tab(0)

    def show_studio(self) -> None:
        """Bring the studio to the front."""
        self._views.setCurrentWidget(self.studio_page)
        self._mark_tab(1)

    def show_bench(self) -> None:
        """Bring the visitor's own snippets to the front."""
        self._views.setCurrentWidget(self.bench_page)
        self._mark_tab(2)

    @property
    def shows_bench(self) -> bool:
        """Whether the bench is in front."""
        return self._tabs.currentIndex() == 2

    @property
    def shows_studio(self) -> bool:
        """Whether the studio is in front."""
        return self._tabs.currentIndex() == 1

    def _mark_tab(self, number: int) -> None:
        self._tabs.blockSignals(True)
        self._tabs.setCurrentIndex(number)
        self._tabs.blockSignals(False)

    def _furnish(self, part: Part, room: QStackedWidget) -> Part:
        room.addWidget(part)
        self._dressed.append(part)
        return part

    def _fill_menus(self) -> None:
        for title, specs in menu_actions().items():
            menu = self.menuBar().addMenu(title)
            self._fill_menu(menu, specs)
            if title == "&View":
                self._add_schemes(menu)

    def _fill_menu(self, menu: QMenu, specs: Sequence[ActionSpec | None]) -> None:
        for spec in specs:
            if spec is None:
                menu.addSeparator()
                continue
            action = menu.addAction(spec.text)
            action.setShortcuts([QKeySequence(keys) for keys in spec.keys])
            if spec.is_switch:
                action.setCheckable(True)
                action.triggered.connect(lambda on, name=spec.name: self.switch_requested.emit(name, on))
                self._switches[spec.name] = action
            else:
                action.triggered.connect(lambda _checked=False, name=spec.name: self.action_requested.emit(name))

    def _add_schemes(self, menu: QMenu) -> None:
        menu.addSeparator()
        group = QActionGroup(self)
        for scheme in Scheme:
            action = menu.addAction("As the system is" if scheme is Scheme.SYSTEM else scheme.capitalize())
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(lambda _checked=False, scheme=scheme: self.scheme_requested.emit(scheme))
            self._schemes[scheme] = action

    def set_scheme(self, scheme: Scheme) -> None:
        """Tick the scheme in the menu."""
        self._schemes[scheme].setChecked(True)

    def set_switch(self, name: str, *, on: bool) -> None:
        """Tick a menu entry, or not."""
        self._switches[name].setChecked(on)

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        self._theme = theme
        self.bar.set_still(theme.still)
        for part in self._dressed:
            part.set_theme(theme)

    def show_exhibit_page(self) -> None:
        """Bring the exhibit to the front."""
        self._pages.setCurrentWidget(self.exhibit_page)
        self._panel_room.show()

    def show_wing_page(self) -> None:
        """Bring the wing to the front; there is no mesh to draw beside it."""
        self._pages.setCurrentWidget(self.wing_page)
        self._panel_room.hide()

    def focus_search(self) -> None:
        """Let the visitor type what they look for."""
        self.bar.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.bar.search.selectAll()

    def restore(self, settings: QSettings) -> None:
        """Come back as the visitor left."""
        geometry = settings.value(GEOMETRY)
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        self._kept_panes = {key: settings.value(key) for key in (STUDIO_PANES, BENCH_PANES)}
        self.settle_panes(settings)

    def settle_panes(self, settings: QSettings) -> None:
        """Give the panes the widths that the visitor left, or their first ones; also once what they hold is made."""
        panes = settings.value(PANES)
        if not (isinstance(panes, QByteArray) and self._panes.restoreState(panes)):
            self.reset_panes()

    def remember(self, settings: QSettings) -> None:
        """Keep size and panes for the next time."""
        settings.setValue(GEOMETRY, self.saveGeometry())
        settings.setValue(PANES, self._panes.saveState())
        if "studio_page" in vars(self):  # made
            settings.setValue(STUDIO_PANES, self.studio_page.panes.saveState())
        if "bench_page" in vars(self):
            settings.setValue(BENCH_PANES, self.bench_page.panes_state)

    def reset_panes(self) -> None:
        """Give the panes of every page their first sizes."""
        self._panes.setSizes(list(DEFAULT_PANES))
        self._kept_panes = {}
        if "studio_page" in vars(self):
            self.studio_page.panes.reset()
        if "bench_page" in vars(self):
            self.bench_page.reset_panes()

    def tell(self, title: str, text: str) -> None:
        """Say something that the visitor must see, without holding up anything else."""
        from PySide6.QtWidgets import QMessageBox

        box = QMessageBox(QMessageBox.Icon.Information, title, text, QMessageBox.StandardButton.Close, self)
        box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint, and tell the first time."""
        super().paintEvent(event)
        if not self._is_painted:
            self._is_painted = True
            QTimer.singleShot(0, self.painted.emit)  # when this frame is done

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc, where nothing inside has its own use for it, stops the run; as a shortcut it would never get inside."""
        if event.key() == Qt.Key.Key_Escape:
            self.action_requested.emit("stop")
        super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Tell, and close."""
        self.closing.emit()
        super().closeEvent(event)

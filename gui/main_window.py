"""The main window: lays out the views and decides nothing."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from PySide6 import QtCore
from PySide6.QtCore import QByteArray, QEvent, QSettings, QTimer, Signal
from PySide6.QtGui import QAction, QActionGroup, QCloseEvent, QKeyEvent, QKeySequence, QPaintEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QSplitter, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from gui.actions import BENCH, DIAGNOSIS, EXHIBIT, STUDIO, WELCOME, WING, ActionSpec, menu_actions
from gui.theme import Scheme, Theme

if TYPE_CHECKING:
    from gui.widgets.bench_page import BenchPage
    from gui.widgets.diagnosis_page import DiagnosisPage
    from gui.widgets.exhibit_page import ExhibitPage
    from gui.widgets.finder import Finder
    from gui.widgets.mesh_panel import MeshPanel
    from gui.widgets.notices import Notices
    from gui.widgets.run_bar import RunBar
    from gui.widgets.sidebar import Sidebar
    from gui.widgets.studio_page import StudioPage
    from gui.widgets.welcome_page import WelcomePage
    from gui.widgets.wing_page import WingPage

Part = TypeVar(
    "Part",
    "ExhibitPage",
    "WingPage",
    "MeshPanel",
    "Sidebar",
    "StudioPage",
    "BenchPage",
    "WelcomePage",
    "DiagnosisPage",
)
GEOMETRY, PANES = "window/geometry", "window/panes"
STUDIO_PANES, BENCH_PANES = "window/studio-panes", "window/bench-panes"
DEFAULT_PANES = (205, 840, 235)
PAGES = ("show-exhibits", "show-studio", "show-bench", "show-diagnosis")  # the action of each tab


class MainWindow(QMainWindow):
    """Bar at the top; sidebar, page and mesh panel below.

    Bar, sidebar, pages and panel are made when they are first asked for, so that the window is on the screen before
    they are loaded. For the same reason nothing of Qt's namespace of enums is touched before: it is large.

    Args:
        theme: Colours and sizes.
        most_devices: The largest device count.

    Signals:
        action_requested: A menu entry or its shortcut; carries the action's name.
        switch_requested: A menu entry with a tick was switched; carries its name and whether it is on.
        scheme_requested: Light, dark, or the system's.
        closing: The visitor closes the window.
        painted: The first frame is on the screen.
        page_shown: Another page came to the front; carries the number of its tab.
        place_requested: An exhibit was chosen in a menu; carries its id.
        activated: The visitor came to this window.
    """

    action_requested = Signal(str)
    switch_requested = Signal(str, bool)
    scheme_requested = Signal(Scheme)
    closing = Signal()
    painted = Signal()
    page_shown = Signal(int)
    place_requested = Signal(str)
    activated = Signal()

    def __init__(self, theme: Theme, most_devices: int) -> None:
        super().__init__()
        self.setWindowTitle("XLA Museum")
        self._theme, self._most_devices = theme, most_devices
        self._is_painted = False
        self._kept_panes: dict[str, object] = {}  # of pages that are not made yet
        self._pages = QStackedWidget()
        self._panel_room = QStackedWidget()
        self._walk_room = QWidget()
        self._walk = QVBoxLayout(self._walk_room)
        self._walk.setContentsMargins(0, 0, 0, 0)
        self._walk.setSpacing(0)
        self._dressed: list[
            ExhibitPage | WingPage | MeshPanel | Sidebar | StudioPage | BenchPage | WelcomePage | Finder | DiagnosisPage
        ] = []
        self._panes = QSplitter()
        self._panes.setChildrenCollapsible(False)
        self._panes.setHandleWidth(1)
        for number, pane in enumerate((self._walk_room, self._pages, self._panel_room)):
            self._panes.addWidget(pane)
            self._panes.setStretchFactor(number, int(pane is self._pages))
        self._panes.setSizes(list(DEFAULT_PANES))
        body = QWidget()
        self._views = QStackedWidget()
        self._views.addWidget(body)
        room = QWidget()
        self._storeys = QVBoxLayout(room)
        self._storeys.setContentsMargins(0, 0, 0, 0)
        self._storeys.setSpacing(0)
        self._storeys.addWidget(self._views, 1)
        self.setCentralWidget(room)
        self._hall = QVBoxLayout(body)
        self._hall.setContentsMargins(0, 0, 0, 0)
        self._hall.setSpacing(0)
        self._hall.addWidget(self._panes, 1)
        self.resize(1280, 800)
        self._schemes: dict[Scheme, QAction] = {}
        self._switches: dict[str, QAction] = {}
        self._bound: list[tuple[ActionSpec, QAction]] = []  # to pages
        self._fill_menus()
        self._tabs = QTabBar()
        self._tabs.setAccessibleName("Exhibits, studio, bench or diagnosis")
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        for title in ("Exhibits", "Studio", "Bench", "Diagnose"):
            self._tabs.addTab(title)
        self._tabs.currentChanged.connect(self._on_tabs_current_changed)
        self.menuBar().setCornerWidget(self._tabs)

    def _on_tabs_current_changed(self, number: int) -> None:
        self.action_requested.emit(PAGES[number])

    @cached_property
    def bar(self) -> "RunBar":
        """The search box, and what runs where."""
        from gui.widgets.run_bar import RunBar

        bar = RunBar(self._theme, self._most_devices)
        bar.set_still(self._theme.still)
        self._hall.insertWidget(0, bar)
        return bar

    @cached_property
    def notices(self) -> "Notices":
        """Lines at the foot of the window."""
        from gui.widgets.notices import Notices

        notices = Notices()
        self._storeys.addWidget(notices)
        return notices

    @cached_property
    def sidebar(self) -> "Sidebar":
        """The walk through the museum."""
        from gui.widgets.sidebar import Sidebar

        return self._furnish(Sidebar(self._theme), self._walk)

    @cached_property
    def finder(self) -> "Finder":
        """The head of the walk: how many there are, filters, what is said about a search."""
        from gui.widgets.finder import Finder

        finder = Finder(self._theme)
        self._walk.insertWidget(0, finder)
        self._dressed.append(finder)
        return finder

    @cached_property
    def welcome_page(self) -> "WelcomePage":
        """The first page of a first visit."""
        from gui.widgets.welcome_page import WelcomePage

        return self._furnish(WelcomePage(self._theme, self._pages), self._pages)

    @cached_property
    def exhibit_page(self) -> "ExhibitPage":
        """The page of an exhibit."""
        from gui.widgets.exhibit_page import ExhibitPage

        return self._furnish(ExhibitPage(self._theme, self._pages), self._pages)

    @cached_property
    def wing_page(self) -> "WingPage":
        """The page of a wing."""
        from gui.widgets.wing_page import WingPage

        return self._furnish(WingPage(self._theme, self._pages), self._pages)

    @cached_property
    def mesh_panel(self) -> "MeshPanel":
        """The panel beside an exhibit."""
        from gui.widgets.mesh_panel import MeshPanel

        return self._furnish(MeshPanel(self._theme), self._panel_room)

    @cached_property
    def studio_page(self) -> "StudioPage":
        """The page on which layouts are drawn by hand."""
        from gui.widgets.studio_page import StudioPage

        page = self._furnish(StudioPage(self._theme, self._views), self._views)
        page.panes.restore(self._kept_panes.get(STUDIO_PANES))
        return page

    @cached_property
    def bench_page(self) -> "BenchPage":
        """The page of the visitor's own snippets."""
        from gui.widgets.bench_page import BenchPage

        page = self._furnish(BenchPage(self._theme, self._most_devices, self._views), self._views)
        page.restore_panes(self._kept_panes.get(BENCH_PANES))
        return page

    @cached_property
    def diagnosis_page(self) -> "DiagnosisPage":
        """The page of a pasted error."""
        from gui.widgets.diagnosis_page import DiagnosisPage

        return self._furnish(DiagnosisPage(self._theme, self._views), self._views)

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

    def show_diagnosis(self) -> None:
        """Bring the pasted error to the front."""
        self._views.setCurrentWidget(self.diagnosis_page)
        if not self._tabs.hasFocus():  # else whoever walks along the tabs would be taken off them
            self.diagnosis_page.field.setFocus(QtCore.Qt.FocusReason.OtherFocusReason)
        self._mark_tab(3)

    @property
    def shows_bench(self) -> bool:
        """Whether the bench is in front."""
        return self._tabs.currentIndex() == 2

    @property
    def shows_studio(self) -> bool:
        """Whether the studio is in front."""
        return self._tabs.currentIndex() == 1

    def show_page(self, number: int) -> None:
        """Bring the page of that tab to the front, as a click on the tab does."""
        if number != self._tabs.currentIndex():
            self.action_requested.emit(PAGES[number])

    @property
    def shows_exhibit(self) -> bool:
        """Whether an exhibit is in front."""
        return self.front == EXHIBIT

    @property
    def front(self) -> str:
        """Which page is in front."""
        tab = self._tabs.currentIndex()
        if tab:
            return ("", STUDIO, BENCH, DIAGNOSIS)[tab]
        page, made = self._pages.currentWidget(), vars(self)
        return EXHIBIT if page is made.get("exhibit_page") else WELCOME if page is made.get("welcome_page") else WING

    def _follow_front(self) -> None:
        """Offer in the menus what does something on the page in front."""
        front = self.front
        for spec, action in self._bound:
            action.setEnabled(front in spec.where)
            action.setText(spec.bench_text if spec.bench_text and front == BENCH else spec.text)

    def _mark_tab(self, number: int) -> None:
        self._tabs.blockSignals(True)
        self._tabs.setCurrentIndex(number)
        self._tabs.blockSignals(False)
        self._follow_front()
        self.page_shown.emit(number)

    def _furnish(self, part: Part, room: QStackedWidget | QVBoxLayout) -> Part:
        room.addWidget(part)
        self._dressed.append(part)
        return part

    def _fill_menus(self) -> None:
        for title, specs in menu_actions().items():
            menu = self.menuBar().addMenu(title)
            self._fill_menu(menu, specs)
            if title == "&View":
                self._add_schemes(menu)
            if title == "&Go":
                self._recent = QMenu("&Recent", menu)
                menu.insertMenu(menu.actions()[-2], self._recent)
                self.set_recent(())

    def _fill_menu(self, menu: QMenu, specs: Sequence[ActionSpec | None]) -> None:
        for spec in specs:
            if spec is None:
                menu.addSeparator()
                continue
            action = menu.addAction(spec.text)
            action.setShortcuts([QKeySequence(keys) for keys in spec.keys])
            if spec.where:
                self._bound.append((spec, action))
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

    def set_recent(self, places: Sequence[tuple[str, str]]) -> None:
        """Offer exhibits in a menu: id and title, the latest first."""
        self._recent.clear()
        for name, title in places:
            action = self._recent.addAction(title.replace("&", "&&"))
            action.triggered.connect(lambda _checked=False, name=name: self.place_requested.emit(name))
        if not places:
            self._recent.addAction("No exhibit yet").setEnabled(False)

    def menu_entries(self) -> list[tuple[str, QAction]]:
        """Every entry of every menu with the menu's title, in order; exhibits are none."""
        found: list[tuple[str, QAction]] = []
        for top in self.menuBar().actions():
            menu = top.menu()
            if isinstance(menu, QMenu):
                entries = (one for one in menu.actions() if not one.isSeparator() and not one.menu())
                found += [(top.text(), one) for one in entries]
        return found

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
        self._follow_front()

    def show_welcome_page(self) -> None:
        """Bring the first page of a first visit to the front."""
        self._pages.setCurrentWidget(self.welcome_page)
        self._panel_room.hide()
        self._follow_front()

    def show_wing_page(self) -> None:
        """Bring the wing to the front; there is no mesh to draw beside it."""
        self._pages.setCurrentWidget(self.wing_page)
        self._panel_room.hide()
        self._follow_front()

    def look(self) -> object:
        """How the page among the exhibits is looked at now."""
        look = getattr(self._pages.currentWidget(), "look", None)  # the first-run page has none
        return look() if look else None

    def look_again(self, view: object) -> None:
        """Look at the page among the exhibits as before."""
        look_again = getattr(self._pages.currentWidget(), "look_again", None)
        if view is not None and look_again:
            look_again(view)

    def focus_search(self) -> None:
        """Let the visitor type what they look for."""
        self.bar.take_focus()

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
        box.setTextFormat(QtCore.Qt.TextFormat.PlainText)  # what is told may hold names that others chose
        box.setTextInteractionFlags(QtCore.Qt.TextInteractionFlag.TextSelectableByMouse)
        box.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint, and tell the first time."""
        super().paintEvent(event)
        if not self._is_painted:
            self._is_painted = True
            QTimer.singleShot(0, self.painted.emit)  # when this frame is done

    def changeEvent(self, event: QEvent) -> None:
        """Tell that the visitor is here again."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange and self.isActiveWindow():
            self.activated.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc, where nothing inside has its own use for it, stops the run; as a shortcut it would never get inside."""
        if event.key() == QtCore.Qt.Key.Key_Escape:
            self.action_requested.emit("stop")
        super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Tell, and close."""
        self.closing.emit()
        super().closeEvent(event)

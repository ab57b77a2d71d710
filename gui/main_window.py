"""The main window: lays out the views and decides nothing."""

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QSettings, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QCloseEvent, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QMessageBox, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from gui.actions import ActionSpec, menu_actions
from gui.theme import Scheme, Theme
from gui.widgets.exhibit_page import ExhibitPage
from gui.widgets.mesh_panel import MeshPanel
from gui.widgets.run_bar import RunBar
from gui.widgets.sidebar import Sidebar
from gui.widgets.wing_page import WingPage

GEOMETRY, PANES = "window/geometry", "window/panes"
DEFAULT_PANES = (205, 840, 235)


class MainWindow(QMainWindow):
    """Bar at the top; sidebar, page and mesh panel below.

    Args:
        theme: Colours and sizes.
        most_devices: The largest device count.

    Signals:
        action_requested: A menu entry or its shortcut; carries the action's name.
        scheme_requested: Light, dark, or the system's.
        closing: The visitor closes the window.
    """

    action_requested = Signal(str)
    scheme_requested = Signal(Scheme)
    closing = Signal()

    def __init__(self, theme: Theme, most_devices: int) -> None:
        super().__init__()
        self.setWindowTitle("XLA Museum")
        self.bar = RunBar(theme, most_devices)
        self.sidebar = Sidebar(theme)
        self.exhibit_page = ExhibitPage(theme)
        self.wing_page = WingPage(theme)
        self.mesh_panel = MeshPanel(theme)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.wing_page)
        self._pages.addWidget(self.exhibit_page)
        self._panes = QSplitter(Qt.Orientation.Horizontal)
        self._panes.setChildrenCollapsible(False)
        self._panes.setHandleWidth(1)
        for number, pane in enumerate((self.sidebar, self._pages, self.mesh_panel)):
            self._panes.addWidget(pane)
            self._panes.setStretchFactor(number, int(pane is self._pages))
        self._panes.setSizes(list(DEFAULT_PANES))
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(self._panes, 1)
        self.setCentralWidget(body)
        self.resize(1280, 800)
        self._schemes: dict[Scheme, QAction] = {}
        self._fill_menus()

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

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        for part in (self.sidebar, self.exhibit_page, self.wing_page, self.mesh_panel):
            part.set_theme(theme)

    def show_exhibit_page(self) -> None:
        """Bring the exhibit to the front."""
        self._pages.setCurrentWidget(self.exhibit_page)
        self.mesh_panel.show()

    def show_wing_page(self) -> None:
        """Bring the wing to the front; there is no mesh to draw beside it."""
        self._pages.setCurrentWidget(self.wing_page)
        self.mesh_panel.hide()

    def focus_search(self) -> None:
        """Let the visitor type what they look for."""
        self.bar.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.bar.search.selectAll()

    def restore(self, settings: QSettings) -> None:
        """Come back as the visitor left."""
        geometry, panes = settings.value(GEOMETRY), settings.value(PANES)
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        if isinstance(panes, QByteArray):
            self._panes.restoreState(panes)

    def remember(self, settings: QSettings) -> None:
        """Keep size and panes for the next time."""
        settings.setValue(GEOMETRY, self.saveGeometry())
        settings.setValue(PANES, self._panes.saveState())

    def reset_panes(self) -> None:
        """Give the panes their first widths."""
        self._panes.setSizes(list(DEFAULT_PANES))

    def tell(self, title: str, text: str) -> None:
        """Say something that the visitor must see, without holding up anything else."""
        box = QMessageBox(QMessageBox.Icon.Information, title, text, QMessageBox.StandardButton.Close, self)
        box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Tell, and close."""
        self.closing.emit()
        super().closeEvent(event)

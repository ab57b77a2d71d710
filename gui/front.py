"""The front of the museum: what is on the screen before the rest is loaded."""

from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from gui.controllers.appearance import AppearanceController
from gui.faults import Faults
from gui.kept_settings import KeptSettings
from gui.main_window import MainWindow
from gui.theme import Theme
from museum.instances import Instance
from museum.lab.target import MOST_FAKE_DEVICES


class Front:
    """An empty main window in the visitor's size and colours.

    Args:
        application: The Qt application.
        home: Where settings live.

    Attributes:
        settings: Where the visitor was, how wide the panes were.
        kept: What the visitor chose.
        instance: This window among those that share the home.
        faults: Hears of faults, once it is installed.
    """

    def __init__(self, application: QApplication, home: Path) -> None:
        self.settings = QSettings(str(home / "window.ini"), QSettings.Format.IniFormat)
        self.faults = Faults(home)
        self.instance = Instance(home)
        self.kept = KeptSettings(self.settings)
        self.appearance = AppearanceController(application, self.kept)
        self.window = MainWindow(self.appearance.theme, MOST_FAKE_DEVICES)
        self.appearance.connect(self._on_theme_changed)
        self.window.destroyed.connect(self.appearance.let_go)
        self.window.set_scheme(self.appearance.scheme)
        self.window.scheme_requested.connect(self.appearance.set_scheme)
        self.window.restore(self.settings)

    def _on_theme_changed(self, theme: Theme) -> None:
        self.window.set_theme(theme)
        self.window.set_scheme(self.appearance.scheme)

"""The front of the museum: what is on the screen before the rest is loaded."""

from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from gui.controllers.appearance import AppearanceController
from gui.main_window import MainWindow
from museum.lab.target import MOST_FAKE_DEVICES


class Front:
    """An empty main window in the visitor's size and colours.

    Args:
        application: The Qt application.
        home: Where settings live.
    """

    def __init__(self, application: QApplication, home: Path) -> None:
        self.settings = QSettings(str(home / "window.ini"), QSettings.Format.IniFormat)
        self.appearance = AppearanceController(application, self.settings)
        self.window = MainWindow(self.appearance.theme, MOST_FAKE_DEVICES)
        self.appearance.connect(self.window.set_theme)
        self.window.set_scheme(self.appearance.scheme)
        self.window.scheme_requested.connect(self.appearance.set_scheme)
        self.window.restore(self.settings)

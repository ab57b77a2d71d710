"""Decides how the window looks: scheme, text scale, and what of it is remembered."""

from collections.abc import Callable
from math import isfinite

from PySide6.QtCore import QSettings
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QApplication

from gui.theme import Scheme, Theme, system_is_dark

SCALES = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)


class AppearanceController:
    """Keeps the theme and tells it to whoever has to change.

    Args:
        application: Is dressed as a whole.
        settings: Remembers scheme and scale.
    """

    def __init__(self, application: QApplication, settings: QSettings) -> None:
        self._application, self._settings = application, settings
        self._base = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).pointSizeF()
        self._base = self._base if self._base > 0 else 10.0
        self.scheme = _scheme(str(settings.value("look/scheme", Scheme.SYSTEM)))
        self.scale = _scale(settings.value("look/scale", 1.0))
        self.code_family = str(settings.value("look/code-family", ""))
        self._listeners: list[Callable[[Theme], None]] = []
        self.theme = self._make()
        self.theme.apply(application)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_color_scheme_changed)

    def connect(self, listener: Callable[[Theme], None]) -> None:
        """Call this with each new theme."""
        self._listeners.append(listener)

    def set_scheme(self, scheme: Scheme) -> None:
        """Light, dark, or as the system is."""
        self.scheme = scheme
        self._settings.setValue("look/scheme", str(scheme))
        self._change()

    def zoom(self, steps: int) -> None:
        """Larger or smaller type; 0 brings 100 % back."""
        place = SCALES.index(self.scale) + steps if steps else SCALES.index(1.0)
        self.scale = SCALES[min(max(place, 0), len(SCALES) - 1)]
        self._settings.setValue("look/scale", self.scale)
        self._change()

    def set_code_family(self, family: str) -> None:
        """Another font for code; "" for the system's."""
        self.code_family = family
        self._settings.setValue("look/code-family", family)
        self._change()

    def _make(self) -> Theme:
        dark = system_is_dark() if self.scheme is Scheme.SYSTEM else self.scheme is Scheme.DARK
        return Theme(dark=dark, scale=self.scale, base=self._base, code_family=self.code_family)

    def _change(self) -> None:
        self.theme = self._make()
        self.theme.apply(self._application)
        for listener in self._listeners:
            listener(self.theme)

    def _on_color_scheme_changed(self) -> None:
        if self.scheme is Scheme.SYSTEM:
            self._change()


def _scheme(text: str) -> Scheme:
    return Scheme(text) if text in set(Scheme) else Scheme.SYSTEM


def _scale(value: object) -> float:
    try:
        wanted = float(str(value))
    except ValueError:
        return 1.0
    if not isfinite(wanted):
        return 1.0
    return min(SCALES, key=lambda scale: abs(scale - wanted))

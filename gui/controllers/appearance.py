"""Decides how the window looks, by the visitor's settings and the system's: scheme, text scale, fonts, motion."""

from collections.abc import Callable

from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QApplication

from gui.kept_settings import KeptSettings
from gui.motion import Motion, system_wants_less_motion
from gui.theme import Scheme, Theme, system_is_dark
from museum.settings import CODE_FAMILY, FAMILY, MOTION, SCALE, SCHEME

SCALES = SCALE.steps
FOLLOWED = {setting.key for setting in (SCHEME, SCALE, FAMILY, CODE_FAMILY, MOTION)}


class AppearanceController:
    """Keeps the theme and tells it to whoever has to change.

    Args:
        application: Is dressed as a whole.
        settings: Say how.
    """

    def __init__(self, application: QApplication, settings: KeptSettings) -> None:
        self._application, self._settings = application, settings
        self._base = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).pointSizeF()
        self._base = self._base if self._base > 0 else 10.0
        self._motion = Motion(application)
        self._listeners: list[Callable[[Theme], None]] = []
        self._look: tuple[object, ...] = ()
        self._is_over = False
        self.theme = self._make()
        self._dress()
        settings.changed.connect(self._on_settings_changed)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_color_scheme_changed)

    @property
    def scheme(self) -> Scheme:
        """Light, dark, or as the system is."""
        return Scheme(self._settings.value(SCHEME))

    @property
    def scale(self) -> float:
        """Of the type; 1.0 is 100 %."""
        return self._settings.value(SCALE)

    def connect(self, listener: Callable[[Theme], None]) -> None:
        """Call this with each new theme."""
        self._listeners.append(listener)

    def let_go(self) -> None:
        """Change nothing any more: what was dressed is gone."""
        self._is_over = True  # touches nothing of Qt's, of which all may be gone when a process ends

    def set_scheme(self, scheme: Scheme) -> None:
        """Light, dark, or as the system is."""
        self._settings.choose(SCHEME, str(scheme))

    def zoom(self, steps: int) -> None:
        """Larger or smaller type; 0 brings 100 % back."""
        place = SCALES.index(self.scale) + steps if steps else SCALES.index(1.0)
        self._settings.choose(SCALE, SCALES[min(max(place, 0), len(SCALES) - 1)])

    def set_code_family(self, family: str) -> None:
        """Another font for code; "" for the system's."""
        self._settings.choose(CODE_FAMILY, family)

    def _make(self) -> Theme:
        dark = system_is_dark() if self.scheme is Scheme.SYSTEM else self.scheme is Scheme.DARK
        motion = self._settings.value(MOTION)
        still = system_wants_less_motion() if motion == "system" else motion == "reduced"
        code_family, family = self._settings.value(CODE_FAMILY), self._settings.value(FAMILY)
        self._look = (self.scheme, dark, self.scale, code_family, family, still)
        return Theme(dark=dark, scale=self.scale, base=self._base, code_family=code_family, family=family, still=still)

    def _dress(self) -> None:
        self.theme.apply(self._application)
        self._motion.set_still(self.theme.still)

    def _change(self) -> None:
        before, theme = self._look, self._make()
        if self._is_over or self._look == before:
            return
        self.theme = theme
        self._dress()
        for listener in self._listeners:
            listener(self.theme)

    def _on_settings_changed(self, key: str) -> None:
        if key in FOLLOWED:
            self._change()

    def _on_color_scheme_changed(self) -> None:
        if self.scheme is Scheme.SYSTEM:
            self._change()

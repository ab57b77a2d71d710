"""Whether things move: what the system asks for, and how Qt is told."""

import os
from pathlib import Path

from PySide6 import QtCore
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

EFFECTS = (
    "UI_AnimateMenu",
    "UI_FadeMenu",
    "UI_AnimateCombo",
    "UI_AnimateTooltip",
    "UI_FadeTooltip",
    "UI_AnimateToolBox",
)


def system_wants_less_motion() -> bool:
    """Whether the desktop asks for less motion: Qt tells it where it knows, else the desktop's own files do."""
    hints = getattr(QGuiApplication.styleHints(), "accessibility", lambda: None)()
    wish = getattr(hints, "motionPreference", None)
    if wish is not None:
        return "reduce" in str(wish()).lower()
    places = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    for file, section, key, none in (
        ("gtk-4.0/settings.ini", "Settings", "gtk-enable-animations", ("0", "false")),
        ("gtk-3.0/settings.ini", "Settings", "gtk-enable-animations", ("0", "false")),
        ("kdeglobals", "KDE", "AnimationDurationFactor", ("0",)),
    ):
        if _entry(places / file, section, key).lower() in none:
            return True
    return False


def _entry(file: Path, section: str, key: str) -> str:
    """What a file of the desktop says; "" for nothing. By hand: importing a parser would delay the first frame."""
    try:
        lines = file.read_text("utf-8", "replace").splitlines()
    except OSError:
        return ""
    here = False
    for line in map(str.strip, lines):
        if line.startswith("["):
            here = line == f"[{section}]"
        elif here and line.partition("=")[0].strip() == key:
            return line.partition("=")[2].strip()
    return ""


class Motion:
    """Lets carets blink and menus fade as they did at first, or keeps them still.

    Args:
        application: The Qt application.
    """

    def __init__(self, application: QApplication) -> None:
        self._application = application
        self._blink = application.cursorFlashTime()
        self._stopped: list[QtCore.Qt.UIEffect] = []
        self._is_still = False

    def set_still(self, still: bool) -> None:
        """Keep everything still, or not."""
        if still == self._is_still:
            return
        self._is_still = still
        self._application.setCursorFlashTime(0 if still else self._blink)
        if still:
            effects = [QtCore.Qt.UIEffect[name] for name in EFFECTS]
            self._stopped = [effect for effect in effects if self._application.isEffectEnabled(effect)]
        for effect in self._stopped:
            self._application.setEffectEnabled(effect, not still)

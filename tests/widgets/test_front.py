"""The front: what its window follows, and for how long."""

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from gui.controllers import appearance
from gui.front import Front
from gui.theme import Scheme, Theme
from museum.settings import SCHEME


def by_the_visitor(front: Front) -> None:
    front.kept.choose(SCHEME, str(Scheme.DARK))


def by_the_system(front: Front) -> None:
    QGuiApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)


@pytest.mark.parametrize("darken", [by_the_visitor, by_the_system])
@pytest.mark.parametrize("stays", [True, False])
def test_a_window_follows_its_look_for_as_long_as_it_is_there(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, darken, stays
):
    dressed: list[bool] = []
    dark = False
    monkeypatch.setattr(Theme, "apply", lambda theme, _application: dressed.append(theme.dark))
    monkeypatch.setattr(appearance, "system_is_dark", lambda: dark)
    front = Front(qapp, tmp_path)
    if not stays:
        front.window.deleteLater()
        QCoreApplication.sendPostedEvents(front.window, QEvent.Type.DeferredDelete)
    assert isValid(front.window) is stays
    dressed.clear()
    dark = True
    darken(front)
    assert dressed == [True] * stays
    if stays:
        front.window.deleteLater()
        QCoreApplication.sendPostedEvents(front.window, QEvent.Type.DeferredDelete)

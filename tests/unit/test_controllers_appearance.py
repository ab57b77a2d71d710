"""Scheme and text scale: what is chosen, what is remembered, and what bad settings do."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import call, create_autospec

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from gui.controllers import appearance
from gui.controllers.appearance import SCALES, AppearanceController
from gui.kept_settings import KeptSettings
from gui.theme import STILL, Scheme, Theme
from museum.settings import MOTION


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def application(qapp: QApplication) -> Any:
    """A pretended one, so that the real one keeps its looks for the tests that follow."""
    return create_autospec(QApplication, instance=True)


@pytest.fixture
def make(application: Any, settings: QSettings, monkeypatch: pytest.MonkeyPatch) -> Callable[[], AppearanceController]:
    monkeypatch.setattr(appearance, "system_is_dark", lambda: False)
    monkeypatch.setattr(appearance, "system_wants_less_motion", lambda: False)
    return lambda: AppearanceController(application, KeptSettings(settings))


def test_at_first_it_looks_as_the_system_does(make, application, monkeypatch):
    assert (make().scheme, make().scale, make().theme.dark) == (Scheme.SYSTEM, 1.0, False)
    monkeypatch.setattr(appearance, "system_is_dark", lambda: True)
    assert make().theme.dark
    assert application.setStyleSheet.call_args.args == (make().theme.style_sheet(),)


@pytest.mark.parametrize(("scheme", "dark"), [(Scheme.LIGHT, False), (Scheme.DARK, True)])
def test_a_chosen_scheme_is_told_dressed_and_remembered(make, application, scheme, dark):
    look = make()
    told: list[Theme] = []
    look.connect(told.append)
    look.set_scheme(scheme)
    assert [theme.dark for theme in told] == [dark]
    assert look.theme is told[0]
    assert application.setStyleSheet.call_args.args == (look.theme.style_sheet(),)
    assert (make().scheme, make().theme.dark) == (scheme, dark)


def test_the_systems_scheme_comes_back(make):
    look = make()
    look.set_scheme(Scheme.DARK)
    look.set_scheme(Scheme.SYSTEM)
    assert not look.theme.dark
    assert make().scheme is Scheme.SYSTEM


@pytest.mark.parametrize(("scheme", "follows"), [(Scheme.SYSTEM, True), (Scheme.LIGHT, False)])
def test_only_who_follows_the_system_follows_its_change(make, monkeypatch, scheme, follows):
    look = make()
    look.set_scheme(scheme)
    told: list[Theme] = []
    look.connect(told.append)
    monkeypatch.setattr(appearance, "system_is_dark", lambda: True)
    QGuiApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert [theme.dark for theme in told] == [True] * follows


def test_type_grows_and_shrinks_by_steps_up_to_its_limits(make):
    look = make()
    usual = look.theme.sizes.text
    for scale in (1.1, 1.25, 1.5, 1.75, 2.0, 2.0):
        look.zoom(1)
        assert look.scale == scale
        assert look.theme.sizes.text == pytest.approx(usual * scale)
    look.zoom(-100)
    assert look.scale == SCALES[0]
    look.zoom(3)
    assert look.scale == SCALES[3]
    look.zoom(0)
    assert (look.scale, look.theme.sizes.text) == (1.0, usual)


def test_the_scale_is_remembered(make, settings):
    make().zoom(2)
    settings.sync()
    assert make().scale == 1.25


@pytest.mark.parametrize("stored", ["blue", "", "Dark", ["dark", "light"], 7])
def test_an_unreadable_scheme_counts_as_the_systems(make, settings, stored):
    settings.setValue("look/scheme", stored)
    assert make().scheme is Scheme.SYSTEM


@pytest.mark.parametrize(
    ("chosen", "system", "still"),
    [("system", True, True), ("system", False, False), ("reduced", False, True), ("full", True, False)],
)
def test_nothing_moves_where_the_visitor_or_the_system_wants_it_still(
    make, application, monkeypatch, settings, chosen, system, still
):
    settings.setValue("look/motion", chosen)
    application.cursorFlashTime.return_value = 700
    application.isEffectEnabled.side_effect = lambda effect: effect is Qt.UIEffect.UI_FadeMenu
    monkeypatch.setattr(appearance, "system_wants_less_motion", lambda: system)
    look = make()
    assert look.theme.still == still
    assert (STILL in application.setStyleSheet.call_args.args[0]) == still
    assert application.setCursorFlashTime.mock_calls == ([call(0)] if still else [])
    assert application.setEffectEnabled.mock_calls == ([call(Qt.UIEffect.UI_FadeMenu, False)] if still else [])


def test_what_was_still_moves_again_as_before(make, application, settings):
    settings.setValue("look/motion", "reduced")
    application.cursorFlashTime.return_value = 700
    application.isEffectEnabled.side_effect = lambda effect: effect is Qt.UIEffect.UI_FadeMenu
    look = make()
    look._settings.choose(MOTION, "full")
    assert application.setCursorFlashTime.mock_calls == [call(0), call(700)]
    assert application.setEffectEnabled.mock_calls == [
        call(Qt.UIEffect.UI_FadeMenu, False),
        call(Qt.UIEffect.UI_FadeMenu, True),
    ]


def test_fonts_are_the_systems_unless_others_are_chosen(make, settings):
    usual = make().theme
    settings.setValue("look/family", "Serif of mine")
    settings.setValue("look/code-family", "Mono of mine")
    chosen = make().theme
    assert chosen.font().families() == ["Serif of mine", *usual.font().families()]
    assert chosen.code_font().families() == ["Mono of mine", *usual.code_font().families()]


def test_several_settings_that_are_reset_at_once_dress_the_window_once(application, settings, monkeypatch):
    monkeypatch.setattr(appearance, "system_is_dark", lambda: False)
    kept = KeptSettings(settings)
    look = AppearanceController(application, kept)
    look.set_scheme(Scheme.DARK)
    look.zoom(1)
    told: list[Theme] = []
    look.connect(told.append)
    kept.reset()
    assert [(theme.dark, theme.sizes.text) for theme in told] == [(False, look.theme.sizes.text)]


@pytest.mark.parametrize(
    ("stored", "scale"),
    [
        ("large", 1.0),
        ("", 1.0),
        ("nan", 1.0),
        ("-inf", 1.0),
        (["1", "2"], 1.0),
        ("1e9", 1.0),
        (-3, 1.0),
        (1.3, 1.25),
        ("2", 2.0),
    ],
)
def test_an_odd_scale_becomes_one_that_there_is(make, settings, stored, scale):
    settings.setValue("look/scale", stored)
    look = make()
    assert look.scale == scale
    look.zoom(1)
    assert look.scale in SCALES

"""What the program says instead of dying when Qt cannot work here."""

import ctypes
import sys

import pytest

from gui import libraries
from gui.libraries import EVERYWHERE, ON_WAYLAND, ON_X11, check_libraries, platform_plugin
from museum.errors import MuseumError


@pytest.fixture(autouse=True)
def on_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Linux without a screen and without a wish; the tests add what they need."""
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY"):
        monkeypatch.delenv(name, raising=False)


def lacking(monkeypatch: pytest.MonkeyPatch, *names: str) -> list[str]:
    """Makes the loader find everything but these; the list fills with what was asked for."""
    asked: list[str] = []

    def load(name: str) -> None:
        asked.append(name)
        if name in names:
            raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", load)
    return asked


def test_missing_libraries_are_named_with_the_one_command_that_installs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    lacking(monkeypatch, "libEGL.so.1", "libxcb-cursor.so.0")
    with pytest.raises(MuseumError) as refusal:
        check_libraries()
    assert str(refusal.value) == (
        "Qt needs libraries that are missing here: libEGL.so.1, libxcb-cursor.so.0; "
        "install: apt-get install libegl1 libxcb-cursor0"
    )


def test_no_screen_is_said_in_one_line() -> None:
    with pytest.raises(MuseumError, match="no screen: neither DISPLAY nor WAYLAND_DISPLAY is set") as refusal:
        check_libraries()
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("variables", "plugin"),
    [
        ({"DISPLAY": ":0"}, "xcb"),
        ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, "wayland"),
        ({"QT_QPA_PLATFORM": "offscreen"}, "offscreen"),
        ({"QT_QPA_PLATFORM": "xcb;wayland", "WAYLAND_DISPLAY": "wayland-0"}, "xcb"),
        ({"QT_QPA_PLATFORM": "vnc:size=800x600"}, "vnc"),
    ],
)
def test_the_platform_is_the_one_that_qt_will_take(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], plugin: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert platform_plugin() == plugin


@pytest.mark.parametrize(
    ("plugin", "wanted"),
    [
        ("xcb", EVERYWHERE | ON_X11),
        ("wayland", EVERYWHERE | ON_WAYLAND),
        ("wayland-egl", EVERYWHERE | ON_WAYLAND),
        ("offscreen", EVERYWHERE),
    ],
)
def test_only_what_the_platform_needs_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, plugin: str, wanted: dict[str, str]
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", plugin)
    asked = lacking(monkeypatch)
    check_libraries()
    assert set(asked) == set(wanted)


def test_elsewhere_qt_brings_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    asked = lacking(monkeypatch, *EVERYWHERE)
    check_libraries()
    assert asked == []


def test_what_is_found_is_not_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking(monkeypatch, "b")
    assert libraries.missing({"a": "package-a", "b": "package-b"}) == {"b": "package-b"}

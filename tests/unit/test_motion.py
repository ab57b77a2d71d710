"""What the desktop says about motion, where Qt does not tell it."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from gui import motion
from gui.motion import system_wants_less_motion


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qapp: object) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    hints = SimpleNamespace(accessibility=SimpleNamespace)
    monkeypatch.setattr(motion.QGuiApplication, "styleHints", lambda: hints)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "content", "less"),
    [
        ("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations = false\n", True),
        ("gtk-3.0/settings.ini", "# mine\n[Settings]\ngtk-enable-animations=0", True),
        ("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations=1\n", False),
        ("gtk-3.0/settings.ini", "[Other]\ngtk-enable-animations=0\n", False),
        ("kdeglobals", "[General]\nx=y\n[KDE]\nAnimationDurationFactor=0\n", True),
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=0.5\n", False),
        ("kdeglobals", "\ufffd[[[", False),
    ],
)
def test_files_of_the_desktop_are_heard(places: Path, file: str, content: str, less: bool) -> None:
    assert not system_wants_less_motion()
    (places / file).parent.mkdir(exist_ok=True)
    (places / file).write_text(content)
    assert system_wants_less_motion() == less


@pytest.mark.parametrize(("wish", "less"), [("MotionPreference.ReducedMotion", True), ("NoPreference", False)])
def test_qt_is_heard_first(places: Path, monkeypatch: pytest.MonkeyPatch, wish: str, less: bool) -> None:
    (places / "kdeglobals").write_text("[KDE]\nAnimationDurationFactor=0\n")
    hints = SimpleNamespace(accessibility=lambda: SimpleNamespace(motionPreference=lambda: wish))
    monkeypatch.setattr(motion.QGuiApplication, "styleHints", lambda: hints)
    assert system_wants_less_motion() == less

"""Settings in their file: kept at once, shared, and what a broken or a later file does."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from gui.kept_settings import FORMAT_KEY, KeptSettings
from museum.errors import MuseumError
from museum.settings import MOTION, SCHEME, SECONDS, USE_CACHE


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "window.ini"


def opened(file: Path) -> KeptSettings:
    return KeptSettings(QSettings(str(file), QSettings.Format.IniFormat))


def test_what_is_chosen_is_on_the_disk_and_told_once(file: Path) -> None:
    kept = opened(file)
    told: list[str] = []
    kept.changed.connect(told.append)
    kept.choose(SECONDS, 30)
    kept.choose(SECONDS, 30)
    assert "seconds=30" in file.read_text()
    assert (opened(file).value(SECONDS), kept.value(SECONDS), told) == (30, 30, [SECONDS.key])


def test_a_default_that_is_chosen_again_is_no_choice(file: Path) -> None:
    kept = opened(file)
    assert not kept.is_chosen(SECONDS)
    kept.choose(SECONDS, 30)
    assert kept.is_chosen(SECONDS)
    kept.choose(SECONDS, SECONDS.default)
    assert not kept.is_chosen(SECONDS)
    assert "seconds" not in file.read_text()


def test_what_is_refused_changes_nothing(file: Path) -> None:
    kept = opened(file)
    told: list[str] = []
    kept.changed.connect(told.append)
    with pytest.raises(MuseumError, match=r"^Time: "):
        kept.choose(SECONDS, 0)
    assert (kept.value(SECONDS), told) == (SECONDS.default, [])


def test_a_reset_tells_when_all_of_it_holds(file: Path) -> None:
    kept = opened(file)
    kept.choose(SECONDS, 30)
    kept.choose(SCHEME, "dark")
    seen: list[tuple[str, int, str]] = []
    kept.changed.connect(lambda key: seen.append((key, kept.value(SECONDS), kept.value(SCHEME))))
    kept.reset()
    assert seen == [(SECONDS.key, 120, "system"), (SCHEME.key, 120, "system")]
    assert opened(file).value(SCHEME) == "system"


def test_two_windows_do_not_undo_each_others_choices(file: Path) -> None:
    one, other = opened(file), opened(file)
    one.choose(SECONDS, 30)
    other.choose(SCHEME, "dark")
    again = opened(file)
    assert (again.value(SECONDS), again.value(SCHEME)) == (30, "dark")


def test_only_the_bad_setting_gets_its_default_and_the_file_is_kept_aside(file: Path) -> None:
    text = "[look]\nscheme=dark\nmotion=fast\n[run]\nseconds=soon\n[window]\nplace=xla\n"
    file.write_text(text)
    kept = opened(file)
    assert (kept.value(SCHEME), kept.value(MOTION), kept.value(SECONDS)) == ("dark", "system", 120)
    (aside,) = file.parent.glob("window.ini.damaged-*")
    assert aside.read_text() == text
    assert kept.note == (
        "settings: Motion: system, reduced or full, not 'fast', and 1 more; the default is used; "
        f"the file as it was is kept as {aside.name}"
    )
    kept.store.sync()
    again = opened(file)
    assert (again.note, again.value(SCHEME), again.store.value("window/place")) == ("", "dark", "xla")


@pytest.mark.parametrize("content", [b"garbage\n", b"\x00\xff\x01", b"[look\nscheme=dark"])
def test_a_file_that_is_none_is_told_and_kept_aside(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    kept = opened(file)
    assert kept.value(SCHEME) == "system"
    (aside,) = file.parent.glob("window.ini.damaged-*")
    assert aside.read_bytes() == content
    assert kept.note.startswith("settings: ")
    assert kept.note.count("\n") == 0
    kept.choose(SCHEME, "light")
    assert opened(file).value(SCHEME) == "light"


def test_an_empty_file_and_none_are_all_right(file: Path) -> None:
    assert opened(file).note == ""
    file.write_bytes(b"")
    assert opened(file).note == ""


def test_what_a_later_museum_wrote_is_told_once_and_left_there(file: Path) -> None:
    file.write_text("[settings]\nformat=7\n[look]\nscheme=sepia\n[run]\nseconds=30\n")
    kept = opened(file)
    assert (kept.value(SCHEME), kept.value(SECONDS)) == ("system", 30)
    assert kept.note == (
        "settings: written by a later museum; the default is used for 1 of them; "
        "the file as it was is kept as window.ini.format-7"
    )
    kept.choose(USE_CACHE, value=False)
    again = opened(file)
    assert (again.note, again.store.value("look/scheme"), str(again.store.value(FORMAT_KEY))) == ("", "sepia", "7")


def test_a_folder_that_cannot_be_written_is_said(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("[look]\nmotion=fast\n")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("shutil.copyfile", refuse)
    assert opened(file).note.endswith("the default is used; it could not be kept aside: Permission denied")

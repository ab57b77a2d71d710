"""Texts of any length are cut to their end, and said so; files are read without trust."""

import os
from pathlib import Path

import pytest

from museum.diagnosis.logs import READ_AT_MOST, bounded, read_log
from museum.errors import MuseumError


def test_a_short_text_is_kept_whole() -> None:
    assert (bounded("ValueError: x").text, bounded("ValueError: x").note) == ("ValueError: x", "")
    assert bounded("a\0b").text == "a␀b"


def test_of_a_long_one_the_end_is_kept_and_the_rest_is_told() -> None:
    cut = bounded("x" * READ_AT_MOST + "the end", "the pasted text")
    assert len(cut.text) == READ_AT_MOST
    assert cut.text.endswith("the end")
    assert cut.note == (
        "the pasted text is 1,000,007 characters long: the last 1,000,000 are read, the rest is left out"
    )


def test_a_log_and_bytes_that_are_no_text(tmp_path: Path) -> None:
    file = tmp_path / "a.log"
    file.write_bytes("größe\n".encode() + b"\xff\xfe\0 ValueError: x\r\n")
    log = read_log(file)
    assert log.text == "größe\n\\xff\\xfe␀ ValueError: x\r\n"
    assert log.note == ""


@pytest.mark.parametrize("filler", ["x" * 99 + "\n", "ü" * 99 + "\n"])
def test_only_the_end_of_a_large_file_is_read(tmp_path: Path, filler: str) -> None:
    file = tmp_path / "large.log"
    file.write_text(filler * 60_000 + "ValueError: x")
    log = read_log(file)
    assert len(log.text) == READ_AT_MOST
    assert log.text.endswith("ValueError: x")
    assert log.note.startswith("large.log has ")
    assert "its last 1,000,000 characters are read" in log.note


def test_what_is_no_log_gets_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(MuseumError, match=r"none\.log: there is no such file"):
        read_log(tmp_path / "none.log")
    with pytest.raises(MuseumError, match="is no file"):
        read_log(tmp_path)
    (tmp_path / "empty.log").write_text(" \n")
    with pytest.raises(MuseumError, match=r"empty\.log: is empty"):
        read_log(tmp_path / "empty.log")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(MuseumError, match="pipe: is no file"):  # and not: wait for ever
        read_log(tmp_path / "pipe")


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.log"
    file.write_text("x")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(MuseumError, match=r"a\.log: cannot be read: Permission denied"):
        read_log(file)

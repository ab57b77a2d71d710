"""Drafts written by a thread: at once for whoever asks, on disk soon, and never lost."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from museum import threaded_history
from museum.threaded_history import ThreadedHistory


class Room:
    """A history, what it told, and what is on disk."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.told: list[str] = []
        self.has_told = threading.Event()
        self.history = ThreadedHistory(file, tell=self._hear)
        self.other = sqlite3.connect(file, isolation_level=None)

    def _hear(self, text: str) -> None:
        self.told.append(text)
        self.has_told.set()

    def on_disk(self) -> dict[str, str]:
        return dict(self.other.execute("select place, text from draft"))


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    monkeypatch.setattr(threaded_history, "BEFORE_ANOTHER_TRY", 0.01)
    room = Room(tmp_path / "history.sqlite")
    yield room
    room.other.close()


def test_what_waits_is_seen_at_once_and_on_disk_at_the_end(room: Room) -> None:
    room.other.execute("begin immediate")  # nobody else can write
    room.history.keep_draft("a", "first")
    room.history.keep_draft("a", "second")
    room.history.keep_draft("b", "gone")
    room.history.drop_draft("b")
    assert room.history.draft("a") == "second"
    assert room.history.draft("b") is None
    assert room.history.draft("c") is None
    assert room.history.drafts() == {"a": "second"}
    assert room.on_disk() == {}
    room.other.execute("rollback")
    room.history.close()
    assert room.on_disk() == {"a": "second"}
    assert room.told == []


def test_nobody_has_to_close_it(room: Room) -> None:
    room.history.keep_draft("a", "x")
    for _ in range(3000):
        if room.on_disk() == {"a": "x"}:
            break
        time.sleep(0.01)
    assert room.on_disk() == {"a": "x"}
    room.history.close()


def test_what_cannot_be_written_is_told_once_and_tried_again(room: Room) -> None:
    room.other.execute("alter table draft rename to hidden")
    room.history.keep_draft("a", "old")
    assert room.has_told.wait(30)
    room.history.keep_draft("a", "new")
    room.history.keep_draft("b", "x")
    assert room.history.draft("a") == "new"
    room.other.execute("alter table hidden rename to draft")
    room.history.close()
    assert room.on_disk() == {"a": "new", "b": "x"}
    assert room.told == [f"{room.file}: drafts cannot be kept: no such table: draft"]


def test_what_cannot_be_written_at_the_end_does_not_hold_up_the_end(room: Room) -> None:
    room.other.execute("alter table draft rename to hidden")
    room.history.keep_draft("a", "x")
    room.history.close()
    assert room.told == [f"{room.file}: drafts cannot be kept: no such table: draft"]

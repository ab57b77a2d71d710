"""Favourites and recent exhibits: kept at once, shared by two windows, told when they cannot be kept."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from museum.errors import MuseumError
from museum.history import History
from museum.visits import MOST_RECENT


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite"


@pytest.fixture
def history(file: Path) -> Iterator[History]:
    history = History(file)
    yield history
    history.close()


def test_favourites_stay_in_the_order_in_which_they_were_chosen(history: History) -> None:
    visits = history.visits
    for name in ("xla/b", "xla/a", "mesh/c", "xla/b"):
        visits.set_favourite(name, on=True)
    assert visits.favourites() == ("xla/b", "xla/a", "mesh/c")
    visits.set_favourite("xla/a", on=False)
    visits.set_favourite("never/was", on=False)
    visits.set_favourite("xla/a", on=True)
    assert visits.favourites() == ("xla/b", "mesh/c", "xla/a")


def test_recent_exhibits_are_the_last_ones_each_once(history: History) -> None:
    for number in range(MOST_RECENT + 5):
        history.visits.note(f"xla/{number}")
    history.visits.note("xla/10")
    recent = history.visits.recent()
    assert len(recent) == MOST_RECENT
    assert recent[:3] == ("xla/10", "xla/16", "xla/15")
    assert recent.count("xla/10") == 1


def test_a_second_window_sees_them_and_neither_undoes_the_other(history: History, file: Path) -> None:
    other = History(file)
    history.visits.set_favourite("xla/a", on=True)
    other.visits.set_favourite("xla/b", on=True)
    history.visits.note("xla/a")
    other.visits.note("xla/b")
    assert history.visits.favourites() == other.visits.favourites() == ("xla/a", "xla/b")
    assert history.visits.recent() == other.visits.recent() == ("xla/b", "xla/a")
    other.close()


def test_they_survive_that_the_museum_is_killed(file: Path) -> None:
    program = f"""
import os, signal
from pathlib import Path
from museum.history import History
history = History(Path({str(file)!r}))
history.visits.set_favourite("xla/a", on=True)
history.visits.note("xla/b")
os.kill(os.getpid(), signal.SIGKILL)
"""
    ended = subprocess.run([sys.executable, "-c", program], check=False, env=dict(os.environ))
    assert ended.returncode == -signal.SIGKILL
    again = History(file)
    assert (again.visits.favourites(), again.visits.recent()) == (("xla/a",), ("xla/b",))
    again.close()


def test_what_cannot_be_kept_is_told_in_one_line(history: History) -> None:
    history.visits.set_favourite("xla/a", on=True)
    history._base.execute("pragma max_page_count = 1")
    with pytest.raises(MuseumError, match="favourites and recent exhibits cannot be kept: database or disk is full"):
        history.visits.set_favourite("x" * 200_000, on=True)
    assert "xla/a" in history.visits.favourites()


def test_a_history_from_before_there_were_favourites_is_kept(file: Path) -> None:
    history = History(file)
    history.keep_draft("xla/a failing", "mine")
    history._base.execute("drop table favourite")
    history._base.execute("drop table visit")
    history._base.execute("pragma user_version = 2")
    history.close()
    again = History(file)
    assert again.draft("xla/a failing") == "mine"
    assert again.visits.favourites() == ()
    again.close()

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from museum.errors import MuseumError
from museum.history import VERSION, History


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "new" / "folder" / "history.sqlite"


def reopened(file: Path) -> dict[str, str]:
    history = History(file)
    try:
        return dict(history.drafts())
    finally:
        history.close()


def test_drafts_survive_reopening(file: Path) -> None:
    text = "print('µ')\n\t# \"tab\" \\ \r\n\0 end"
    history = History(file)
    history.keep_draft("xla/unknown-axis failing", "first")
    history.keep_draft("xla/unknown-axis failing", text)
    history.keep_draft("xla/unknown-axis fix", "")
    history.close()
    again = History(file)
    assert again.draft("xla/unknown-axis failing") == text
    assert again.draft("xla/unknown-axis fix") == ""
    assert again.draft("xla/other failing") is None
    assert again.drafts() == {"xla/unknown-axis failing": text, "xla/unknown-axis fix": ""}
    again.close()


def test_a_draft_is_on_disk_before_the_history_is_closed(file: Path) -> None:
    history = History(file)
    history.keep_draft("a", "kept")
    assert reopened(file) == {"a": "kept"}
    history.close()


def test_a_dropped_draft_is_gone_and_dropping_again_is_fine(file: Path) -> None:
    history = History(file)
    history.keep_draft("a", "1")
    history.keep_draft("b", "2")
    history.drop_draft("a")
    history.drop_draft("a")
    assert history.draft("a") is None
    history.close()
    assert reopened(file) == {"b": "2"}


def test_two_that_are_open_at_once_see_each_others_drafts(file: Path) -> None:
    one, other = History(file), History(file)
    one.keep_draft("a", "of one")
    other.keep_draft("b", "of the other")
    assert one.drafts() == other.drafts() == {"a": "of one", "b": "of the other"}
    other.keep_draft("a", "later")
    assert one.draft("a") == "later"
    one.close()
    other.keep_draft("c", "still open")
    other.close()
    assert reopened(file) == {"a": "later", "b": "of the other", "c": "still open"}


def test_it_lies_among_the_visitors_data(museum_home: Path) -> None:
    history = History()
    history.close()
    assert history.file == museum_home / "history.sqlite"
    assert history.file.is_file()


def refusal(file: Path) -> str:
    with pytest.raises(MuseumError) as caught:
        History(file)
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_a_file_that_is_no_history_is_set_aside_and_told(tmp_path: Path) -> None:
    file = tmp_path / "history.sqlite"
    file.write_bytes(b"nonsense " * 1000)
    history = History(file)
    history.keep_draft("a", "anew")
    history.close()
    (aside,) = tmp_path.glob("history.sqlite.damaged-*")
    assert aside.read_bytes() == b"nonsense " * 1000
    told = f"the history was damaged (file is not a database); it was set aside as {aside}, and a new one begun"
    assert history.note == told
    assert reopened(file) == {"a": "anew"}


def test_a_history_with_a_damaged_page_is_set_aside_each_under_its_own_name(file: Path) -> None:
    history = History(file)
    for number in range(200):
        history.keep_draft(f"place {number}", "x" * 500)
    history._base.execute("pragma wal_checkpoint(truncate)")
    history.close()
    whole = file.read_bytes()
    for damaged in (whole[:4096] + b"\xff" * 4096 + whole[8192:], whole[:8192]):
        file.write_bytes(damaged)
        history = History(file)
        assert history.note.startswith("the history was damaged (")
        assert history.drafts() == {}
        history.close()
    asides = sorted(file.parent.glob("history.sqlite.damaged-*"))
    assert {aside.read_bytes() for aside in asides} == {whole[:4096] + b"\xff" * 4096 + whole[8192:], whole[:8192]}


def test_somebody_elses_database_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "history.sqlite"
    base = sqlite3.connect(file)
    base.execute("create table draft (something text)")
    base.commit()
    base.close()
    expected = f"{file}: cannot keep drafts here: table draft already exists; move it away to start anew"
    assert refusal(file) == expected


@pytest.mark.parametrize("place", ["a-file/history.sqlite", "."])
def test_a_place_that_cannot_hold_it_is_refused_in_one_line(place: str, tmp_path: Path) -> None:
    (tmp_path / "a-file").write_text("")
    file = tmp_path / place
    assert refusal(file).startswith(f"{file}: cannot keep drafts here: ")


def test_the_history_of_a_later_museum_is_refused_and_left_alone(file: Path) -> None:
    history = History(file)
    history.keep_draft("a", "kept")
    history._base.execute(f"pragma user_version = {VERSION + 1}")
    history.close()
    expected = f"{file}: made by a later version of the museum; update it, or move the file away"
    assert refusal(file) == expected
    base = sqlite3.connect(file)
    assert base.execute("pragma user_version").fetchone() == (VERSION + 1,)
    assert base.execute("select place, text from draft").fetchall() == [("a", "kept")]
    base.close()


def test_a_refused_file_is_not_held_open(file: Path) -> None:
    history = History(file)
    history._base.execute(f"pragma user_version = {VERSION + 1}")
    history.close()
    refusal(file)
    base = sqlite3.connect(file, timeout=0, isolation_level=None)
    base.execute("begin exclusive")
    base.execute("rollback")
    base.close()
    assert [entry.name for entry in file.parent.iterdir()] == [file.name]


def test_a_full_disk_is_told_in_one_line_and_keeps_what_was_there(file: Path) -> None:
    history = History(file)
    history.keep_draft("a", "kept")
    history._base.execute("pragma max_page_count = 1")
    with pytest.raises(MuseumError, match="drafts cannot be kept: database or disk is full"):
        history.keep_draft("a", "x" * 200_000)
    assert history.draft("a") == "kept"
    history.close()


# Several windows


def windows(file: Path, *living: str) -> list[History]:
    """Histories of windows that live, as each of them sees it."""
    return [History(file, name, lambda name=name: frozenset(living) - {name}) for name in living]


def test_each_window_has_its_own_draft_of_a_place_and_reads_the_others(file: Path) -> None:
    one, other = windows(file, "one", "other")
    one.keep_draft("xla/x failing", "of one")
    assert other.draft("xla/x failing") == "of one"
    other.keep_draft("xla/x failing", "of the other")
    one.keep_draft("xla/x failing", "of one, later")
    assert other.draft("xla/x failing") == "of the other"
    assert one.draft("xla/x failing") == "of one, later"
    other.drop_draft("xla/x failing")
    assert one.draft("xla/x failing") == "of one, later"
    one.close()
    other.close()


def test_what_a_window_that_is_gone_left_is_taken_by_the_first_that_reads_it(file: Path) -> None:
    (gone,) = windows(file, "gone")
    gone.keep_draft("xla/x failing", "left")
    gone.close()
    one, other = windows(file, "one", "other")
    assert one.draft("xla/x failing") == "left"
    one.keep_draft("xla/x failing", "left and more")
    assert other.drafts() == {}
    one.close()
    other.close()
    assert reopened(file) == {"xla/x failing": "left and more"}


def test_what_is_no_code_and_no_tab_is_everybodys(file: Path) -> None:
    one, other = windows(file, "one", "other")
    one.keep_draft("favourites", "a")
    other.keep_draft("favourites", "b")
    assert one.draft("favourites") == "b"
    one.close()
    other.close()


def test_taking_over_reconciles_what_several_left_and_leaves_the_living_alone(file: Path) -> None:
    for name, text in (("first", "old"), ("second", "new")):
        (gone,) = windows(file, name)
        gone.keep_draft("xla/x failing", text)
        gone.close()
    one, other = windows(file, "one", "other")
    other.keep_draft("xla/x failing", "of the living")
    asked: list[tuple[str, list[str]]] = []

    def reconcile(place: str, texts: Sequence[str]) -> dict[str, str]:
        asked.append((place, list(texts)))
        return {place: texts[0], "bench/x": texts[1]}

    one.take_over(reconcile)
    assert asked == [("xla/x failing", ["new", "old"])]
    assert one.drafts() == {"xla/x failing": "new", "bench/x": "old"}
    assert other.drafts() == {"xla/x failing": "of the living"}
    one.close()
    other.close()


def test_a_taking_over_that_fails_leaves_everything_as_it_was(file: Path) -> None:
    (gone,) = windows(file, "gone")
    gone.keep_draft("xla/x failing", "left")
    gone.close()
    (one,) = windows(file, "one")

    def fail(_place: str, _texts: Sequence[str]) -> dict[str, str]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        one.take_over(fail)
    assert one.draft("xla/x failing") == "left"
    one.close()

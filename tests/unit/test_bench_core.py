"""Snippets of the bench: kept, read, written, and what they are run with."""

from pathlib import Path

import msgspec
import pytest

from museum.bench.files import LARGEST, digest_at, digest_of, read_source, write_source
from museum.bench.snippet import (
    MOST_CLOSED,
    MOST_RECENT,
    Shelf,
    Snippet,
    SnippetStore,
    reconciled,
    untitled,
    with_recent,
)
from museum.bench.variables import read_arguments, read_variables
from museum.errors import MuseumError
from museum.history import History


@pytest.fixture
def history(tmp_path: Path):
    history = History(tmp_path / "history.sqlite")
    yield history
    history.close()


def test_snippets_come_back_as_they_were(history: History) -> None:
    store = SnippetStore(history)
    one = Snippet(id="a", title="One", code="x = 'é'\n", target="cpu:2x4", arguments="-n 1", variables="A=1\nB=2")
    two = Snippet(id="b", title="two.py", path="/x/two.py", saved="123", newline="\r\n")
    for snippet in (one, two):
        store.keep(snippet)
    store.keep_shelf(Shelf(("b", "a"), "a"))
    shelf, found = SnippetStore(history).load()
    assert (shelf.order, shelf.current) == (("b", "a"), "a")
    assert found == {"a": one, "b": two}


def test_a_snippet_on_no_list_is_not_lost(history: History) -> None:
    store = SnippetStore(history)
    store.keep_shelf(Shelf(("gone",), "gone", ("closed",)))
    store.keep(Snippet(id="closed", title="C"))
    store.keep(Snippet(id="made", title="M"))
    shelf, _ = store.load()
    assert (shelf.order, shelf.current, shelf.closed) == (("made",), "made", ("closed",))


def test_drafts_of_others_and_damaged_ones_are_passed_over(history: History) -> None:
    history.keep_draft("xla/one failing", "x")
    history.keep_draft("bench/bad", "{")
    history.keep_draft("bench", "[]")
    assert SnippetStore(history).load() == (Shelf(), {})
    assert history.draft("bench/bad") == "{"


def test_those_closed_long_ago_are_forgotten(history: History) -> None:
    store = SnippetStore(history)
    names = tuple(f"s{number}" for number in range(MOST_CLOSED + 2))
    for name in names:
        store.keep(Snippet(id=name, title=name))
    shelf = store.keep_shelf(Shelf(closed=names))
    assert shelf.closed == names[2:]
    assert history.draft("bench/s1") is None
    assert history.draft("bench/s2") is not None


def test_recent_files_are_few_and_each_is_there_once() -> None:
    shelf = Shelf()
    for number in [*range(MOST_RECENT + 3), 5]:
        shelf = with_recent(shelf, f"/{number}")
    assert shelf.recent[:2] == ("/5", f"/{MOST_RECENT + 2}")
    assert len(shelf.recent) == MOST_RECENT


def test_a_new_title_is_none_of_the_others() -> None:
    assert untitled(["Snippet 1", "Snippet 3", "x.py"]) == "Snippet 2"


@pytest.mark.parametrize(
    ("data", "text", "newline"),
    [
        (b"a = 1\n", "a = 1\n", "\n"),
        (b"a\r\nb\r\n", "a\nb\n", "\r\n"),
        ("\ufeffa = 'é'".encode(), "a = 'é'", "\n"),
        ("# coding: latin-1\n# é".encode("latin-1"), "# coding: latin-1\n# é", "\n"),
        (b"", "", "\n"),
    ],
)
def test_files_are_read_as_python_reads_them(tmp_path: Path, data: bytes, text: str, newline: str) -> None:
    file = tmp_path / "x.py"
    file.write_bytes(data)
    source = read_source(file)
    assert (source.text, source.newline) == (text, newline)
    assert source.digest == digest_at(file)


@pytest.mark.parametrize(
    ("data", "words"),
    [(b"\xff\xfe", "is no text"), (b"a\0b", "NUL"), (b"# coding: nonsense\n", "is no text"), (None, "no such file")],
)
def test_what_is_no_script_is_refused_in_one_line(tmp_path: Path, data: bytes | None, words: str) -> None:
    file = tmp_path / "x.py"
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(MuseumError, match=words) as refusal:
        read_source(file)
    assert "\n" not in str(refusal.value)


def test_a_large_file_and_a_directory_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_bytes(b"#" * (LARGEST + 1))
    with pytest.raises(MuseumError, match="larger than 1 MiB"):
        read_source(tmp_path / "x.py")
    with pytest.raises(MuseumError, match="is no file"):
        read_source(tmp_path)


def test_a_file_keeps_permissions_line_ends_and_its_link(tmp_path: Path) -> None:
    file, link = tmp_path / "x.py", tmp_path / "link.py"
    file.write_bytes(b"old")
    file.chmod(0o750)
    link.symlink_to(file)
    written = write_source(link, "a\nb\n", "\r\n")
    assert link.is_symlink()
    assert file.read_bytes() == b"a\r\nb\r\n"
    assert file.stat().st_mode & 0o777 == 0o750
    assert written == digest_at(file) == digest_of("a\nb\n", "\r\n")
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(".")] == []


def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_bytes(b"old")
    with pytest.raises(MuseumError, match="encoding line"):
        write_source(file, "# coding: ascii\n# é\n")
    assert file.read_bytes() == b"old"
    with pytest.raises(MuseumError, match="cannot be written"):
        write_source(tmp_path / "none" / "x.py", "a")
    assert digest_at(tmp_path / "none") == ""


def test_variables_are_read_as_a_shell_would_take_them() -> None:
    read = read_variables("A=1\n\n# no\nexport B='x y'\n C = z\nPATH_LIKE=a=b\n")
    assert read.values == {"A": "1", "B": "x y", "PATH_LIKE": "a=b"}
    assert read.problems == ("variables, line 5: 'C ' is no name of a variable",)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("JAX_DEBUG_NANS", "has no =; write NAME=VALUE"),
        ("2X=1", "is no name"),
        ("A=1\nA=2", "set twice"),
        ("XLA_FLAGS=\u2013\u2013xla_dump_to=/x", "en dash"),
        ("XLA_FLAGS=--xla_dump_to=\u201c/x\u201d", "ASCII quotes"),
        ("XLA_FLAGS=--a=1\u00a0--b=2", "plain space"),
        ("XLA_FLAGS=-xla_dump_to=/x", "write --name=value"),
        ("XLA_FLAGS=--xla_dump_to /x", "without a space"),
        ("LIBTPU_INIT_ARGS=xla", "write --name=value"),
    ],
)
def test_what_would_go_wrong_is_said_in_one_line(line: str, words: str) -> None:
    (problem,) = read_variables(line).problems
    assert words in problem
    assert problem.startswith("variables, line ")


def test_arguments_are_divided_as_in_a_shell() -> None:
    assert read_arguments("-n 1 'a b'") == (("-n", "1", "a b"), "")
    assert read_arguments("'a") == ((), "arguments: no closing quotation; close the quotes")


@pytest.mark.parametrize(
    "data",
    [
        b"a\r\nb\r\n",
        "\ufeffa = 'é'\r\n".encode(),
        "# coding: latin-1\n# é".encode("latin-1"),
        "x = '\u2028\xa0\x0c'\n".encode(),
        b"",
    ],
    ids=["CRLF", "mark", "latin-1", "spaces", "empty"],
)
def test_what_was_read_is_written_byte_by_byte(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "x.py"
    file.write_bytes(data)
    source = read_source(file)
    assert source.warning == ""
    assert digest_of(source.mark + source.text, source.newline) == source.digest
    write_source(file, source.mark + source.text, source.newline)
    assert file.read_bytes() == data


@pytest.mark.parametrize(("data", "end"), [(b"a\r\nb\n", "CRLF"), (b"a\rb", "LF")])
def test_lines_that_end_in_several_ways_are_told(tmp_path: Path, data: bytes, end: str) -> None:
    file = tmp_path / "x.py"
    file.write_bytes(data)
    warning = f"its lines end in several ways; saving ends all of them with {end}"
    assert read_source(file).warning == warning


def test_a_character_that_the_editor_would_turn_into_a_line_end_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text("a = 1\nb = '\u2029'\n", encoding="utf-8")
    with pytest.raises(MuseumError, match=r"line 2 holds U\+2029, which no editor keeps; write \\u2029 there"):
        read_source(file)


def test_a_file_without_permission_is_refused_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "x.py").write_bytes(b"a")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(MuseumError, match=r"x\.py: cannot be read: Permission denied"):
        read_source(tmp_path / "x.py")


# What several windows left


def encoded(value: object) -> str:
    return msgspec.json.encode(value).decode()


def test_shelves_of_several_windows_are_joined_the_newest_in_front() -> None:
    newest = Shelf(("a", "b"), "b", ("x",), ("/2.py",))
    older = Shelf(("c", "a"), "c", ("y",), ("/1.py", "/2.py"))
    joined = msgspec.json.decode(reconciled("bench", [encoded(newest), "{", encoded(older)])["bench"], type=Shelf)
    assert joined == Shelf(("a", "b", "c"), "b", ("y", "x"), ("/2.py", "/1.py"))


def test_the_newest_text_stays_and_the_older_ones_become_snippets() -> None:
    made = reconciled("xla/one fix", ["new", "old", "new"])
    assert made.pop("xla/one fix") == "new"
    ((place, text),) = made.items()
    snippet = msgspec.json.decode(text, type=Snippet)
    assert (snippet.place, snippet.title, snippet.code) == (place, "xla/one fix, from another window", "old")


def test_a_snippet_that_was_in_two_windows_becomes_two() -> None:
    one, other = Snippet(id="a", title="T", code="1"), Snippet(id="a", title="T", code="2")
    made = reconciled("bench/a", [encoded(one), encoded(other)])
    assert [msgspec.json.decode(text, type=Snippet).code for text in made.values()] == ["1", "2"]
    assert len(made) == 2
    assert {place: msgspec.json.decode(text, type=Snippet).place for place, text in made.items()} == {
        place: place for place in made
    }

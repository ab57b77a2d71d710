"""Records of others: kept whole or not at all, found by their words, drafted without a word of theirs as code."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from museum.diagnosis.reading import read
from museum.diagnosis.record_draft import drafted, title_of
from museum.diagnosis.record_shelf import RecordSearch, RecordShelf
from museum.diagnosis.records import Record, load_sound_records
from museum.errors import MuseumError
from museum.lab.header import wanted_target


def record(name: str = "one", **values: Any) -> Record:
    parts: dict[str, Any] = {
        "id": name,
        "repo": "example/repo",
        "error_message": "Only collective_axes that include all mesh ({mesh.axis_names}) axes are supported, got {x}",
        "error_class": "NotImplementedError",
        "file_path": "a.py",
        "line_number": 3,
        "documentation": "It means this.",
        "schema_version": 2,
    }
    return Record(**(parts | values))


@pytest.fixture
def shelf(tmp_path: Path) -> RecordShelf:
    return RecordShelf(tmp_path / "home" / "records.json")


def test_what_is_taken_in_comes_back(shelf: RecordShelf) -> None:
    assert shelf.load() == ()
    assert shelf.add([record("one")]) == (record("one"),)
    changed = record("one", documentation="Better.")
    assert shelf.add([record("two"), changed]) == (record("two"), changed)
    assert RecordShelf(shelf.file).load() == (record("two"), changed)
    assert shelf.remove(record("two")) == (changed,)
    assert RecordShelf(shelf.file).load() == (changed,)
    assert [path.name for path in shelf.file.parent.iterdir()] == ["records.json"]


def test_what_another_window_took_in_is_kept(shelf: RecordShelf) -> None:
    other = RecordShelf(shelf.file)
    shelf.load()
    other.add([record("theirs")])
    assert {one.id for one in shelf.add([record("mine")])} == {"theirs", "mine"}


def test_a_write_that_fails_leaves_what_was_there(shelf: RecordShelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.add([record("one")])

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("museum.diagnosis.record_shelf.os.fsync", full)
    with pytest.raises(MuseumError, match=r"records\.json: cannot be written: No space left"):
        shelf.add([record("two")])
    monkeypatch.undo()
    assert shelf.load() == (record("one"),)
    assert [path.name for path in shelf.file.parent.iterdir()] == ["records.json"]


def test_a_damaged_shelf_is_set_aside(shelf: RecordShelf) -> None:
    shelf.add([record("one")])
    shelf.file.write_bytes(shelf.file.read_bytes()[:-9])
    with pytest.raises(MuseumError, match=r"were damaged and set aside as .*records\.json\.damaged"):
        shelf.load()
    assert shelf.load() == ()
    assert shelf.file.with_name("records.json.damaged").exists()


def test_of_another_museum(shelf: RecordShelf) -> None:
    shelf.file.parent.mkdir()
    shelf.file.write_text('{"format": 2, "records": []}')
    with pytest.raises(MuseumError, match="has format 2; this museum reads format 1"):
        shelf.load()
    assert shelf.file.exists()


def test_too_many(shelf: RecordShelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("museum.diagnosis.record_shelf.MOST", 2)
    shelf.add([record("one"), record("two")])
    with pytest.raises(MuseumError, match="3 records are too many"):
        shelf.add([record("three")])


def test_the_malformed_keep_no_other_out(tmp_path: Path) -> None:
    sound = {"record": msgspec.to_builtins(record("good"))}
    lines = [
        sound,
        {"record": {**sound["record"], "id": 5}},
        {"record": {**sound["record"], "schemaVersion": 3}},
        sound,
    ]
    file = tmp_path / "records.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    records, problems = load_sound_records(file)
    assert [one.id for one in records] == ["good", "good"]
    assert problems == (
        "records.jsonl: line 2: record.id: expected `str`, got `int`",
        "records.jsonl: line 3: record.schemaVersion: is 3; this museum reads version 2",
    )
    file.write_text("no JSON")
    with pytest.raises(MuseumError, match=r"records\.jsonl: is no JSON"):
        load_sound_records(file)


@dataclass(frozen=True)
class Paste:
    text: str
    found: tuple[str, ...]


@pytest.mark.parametrize(
    "paste",
    [
        Paste(
            "NotImplementedError: Only collective_axes that include all mesh (('x',)) axes are supported, got y",
            ("one",),
        ),
        Paste("ValueError: invalid literal for int() with base 10: 'gfx950'", ()),
        Paste("ValueError: got an empty tuple of axes of that other mesh", ("two",)),
    ],
)
def test_records_are_found_by_class_and_words(paste: Paste) -> None:
    search = RecordSearch(
        [record("one"), record("two", error_message="got an empty {kind} of axes", error_class="ValueError")]
    )
    assert tuple(one.id for one in search.find(read(paste.text))) == paste.found


def test_no_records_find_nothing() -> None:
    assert RecordSearch([]).find(read("ValueError: x")) == ()


def test_a_draft_is_code_of_ours_and_comments_of_theirs() -> None:
    hostile = record(
        "evil",
        slug="a\nimport os",
        example_fix="import os\n\x85os.system('x')\r# museum: target=local\n# coding: rot13\n\x1b[31mred\u202eder",
        documentation="x\u2028import os\n" + "long " * 60,
        solutions=("Do\nthis",),
        github_url="https://example.org/x\nimport os",
    )
    code = drafted(hostile)
    ours = [line for line in code.split("\n") if line.strip() and not line.startswith("#")]
    assert ours == ["import jax"]
    assert compile(code, "draft", "exec").co_names == ("jax",)
    assert code.startswith("# UNPROVEN draft")
    assert "# | os.system('x')" in code
    assert wanted_target(code) is None
    assert all(len(line) <= 120 for line in code.split("\n"))
    assert not {"\x1b", "\u202e", "\x85", "\u2028"} & set(code)
    assert title_of(hostile) == "draft: a import os"


def test_a_draft_ends_somewhere() -> None:
    assert len(drafted(record(documentation="word " * 1_000_000))) < 20_000

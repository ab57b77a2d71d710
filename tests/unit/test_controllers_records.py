"""Records of others between a real shelf and a pretended list."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from stand_ins import pretended

from gui.controllers.records import FILE, RecordsController
from gui.widgets.records_view import RecordsView
from museum.diagnosis.reading import read

RECORD = {
    "id": "a1",
    "repo": "example/repo",
    "errorMessage": "dimension {name} is no good for this mesh",
    "errorClass": "ValueError",
    "filePath": "a.py",
    "lineNumber": 3,
    "documentation": "Means something.",
    "schemaVersion": 2,
}


class Room:
    def __init__(self, home: Path) -> None:
        self.home, self.view, self.bench = home, pretended(RecordsView), Mock()
        self.controller = RecordsController(self.view, home, self.bench)

    async def settled(self) -> None:
        while self.controller._work:
            await asyncio.wait(self.controller._work)

    async def take_in(self, *records: dict[str, Any]) -> None:
        file = self.home / "records.jsonl"
        file.write_text("\n".join(json.dumps({"record": record}) for record in records))
        self.view.import_requested.emit([str(file)])
        await self.settled()

    @property
    def shown(self) -> tuple[list[str], int]:
        records, count = self.view.show_records.call_args.args
        return [record.id for record in records], count


@pytest.fixture
def play(tmp_path: Path) -> Callable[[Callable[[Room], Coroutine[Any, Any, None]]], None]:
    def go(story: Callable[[Room], Coroutine[Any, Any, None]]) -> None:
        async def whole() -> None:
            room = Room(tmp_path)
            await room.settled()
            await story(room)
            await room.controller.close()
            assert asyncio.all_tasks() == {asyncio.current_task()}

        asyncio.run(whole())

    return go


def test_they_come_back(play: Callable[..., None]) -> None:
    async def take_in(room: Room) -> None:
        assert room.shown == ([], 0)
        await room.take_in(RECORD, {**RECORD, "id": "b2"})
        assert room.view.say.call_args.args == ("2 records taken in.", "faint")
        assert room.shown == (["a1", "b2"], 2)

    async def come_back(room: Room) -> None:
        assert room.shown == (["a1", "b2"], 2)
        (record, _), _ = room.view.show_records.call_args.args
        room.view.remove_requested.emit(record)
        await room.settled()
        assert room.shown == (["b2"], 1)

    play(take_in)
    play(come_back)


def test_what_is_malformed_is_told(play: Callable[..., None]) -> None:
    async def story(room: Room) -> None:
        broken = {**RECORD, "lineNumber": "x"}
        await room.take_in(*([broken] * 5), RECORD)
        words, role = room.view.say.call_args.args
        assert words.splitlines() == [
            "1 record taken in, these were left out:",
            *(f"records.jsonl: line {line}: record.lineNumber: expected `int`, got `str`" for line in (1, 2, 3)),
            "and 2 more were left out",
        ]
        assert (role, room.shown) == ("doubt", (["a1"], 1))
        room.view.import_requested.emit([str(room.home / "none.json")])
        await room.settled()
        assert "none.json: cannot be read" in room.view.say.call_args.args[0]
        assert room.view.say.call_args.args[1] == "bad"

    play(story)


def test_only_those_that_speak_of_the_paste_are_listed(play: Callable[..., None]) -> None:
    async def story(room: Room) -> None:
        await room.take_in(RECORD, {**RECORD, "id": "b2", "errorMessage": "quite another sentence about hosts"})
        room.controller.show_for(read("ValueError: dimension 3 is no good for this mesh"))
        assert room.shown == (["a1"], 2)
        room.controller.show_for(None)
        assert room.shown == (["a1", "b2"], 2)

    play(story)


def test_an_exhibit_is_begun_on_the_bench(play: Callable[..., None]) -> None:
    async def story(room: Room) -> None:
        await room.take_in(RECORD)
        (record,), _ = room.view.show_records.call_args.args
        room.view.draft_requested.emit(record)
        title, code = room.bench.call_args.args
        assert title == "draft: ValueError"
        assert "# | ValueError: dimension {name} is no good for this mesh" in code

    play(story)


def test_a_damaged_shelf_is_told(play: Callable[..., None], tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("no JSON")

    async def story(room: Room) -> None:
        assert "set aside" in room.view.say.call_args.args[0]
        await room.take_in(RECORD)
        assert room.shown == (["a1"], 1)

    play(story)

"""What the page of a pasted error shows: the latest text's answer, whose raise sites, and where it leads."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from stand_ins import pretended

from gui.controllers.diagnosis import PLACE, SETTLE, DiagnosisController, Ways
from gui.controllers.explainer import Explainer, Learning
from gui.widgets.diagnosis_page import DiagnosisPage
from gui.widgets.records_view import RecordsView
from museum.catalog import Catalog, load_catalog
from museum.diagnosis.answer import Answer
from museum.diagnosis.parts import layout_in
from museum.diagnosis.reading import read
from museum.errors import MuseumError
from museum.history import History

LAYOUT = (
    "ValueError: One of device_put args was given the sharding of NamedSharding(mesh=Mesh('rows': 4, 'cols': 2), "
    "spec=PartitionSpec('rows', 'cols'), memory_kind=unpinned_host), which implies that the global size of its "
    "dimension 0 should be divisible by 4, but it is equal to 10 (full shape: (10, 16))"
)


class Field:
    """Stands in for the field of the paste."""

    def __init__(self) -> None:
        self.text = self.note = ""

    @property
    def shown(self) -> str:
        return self.text[-20:]

    @property
    def above(self) -> int:
        return max(0, len(self.text) - 20)

    def put(self, text: str, note: str = "") -> None:
        self.text, self.note = text, note


class Oracle(Explainer):
    """Answers when it is told to, or at once."""

    def __init__(self) -> None:
        super().__init__(Catalog(()))
        self.asked: list[tuple[str, str]] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.at_hand: tuple[str, ...] = ("0.12.0.1", "0.10.2")
        self.learned_ones: list[str] = []
        self.faults: dict[str, str] = {}

    @property
    def is_loaded(self) -> bool:
        return True

    @property
    def versions(self) -> tuple[str, ...]:
        return self.at_hand

    def fault(self, jax: str) -> str:
        return self.faults.get(jax, "")

    def learn(self, jax: str) -> bool:
        self.learned_ones.append(jax)
        return False

    async def explain(self, text: str, jax: str = "") -> Answer:
        self.asked.append((text, jax))
        await self.gate.wait()
        if text == "bad":
            raise MuseumError("the data is damaged")
        reading = read(text)
        return Answer(reading, (), (), (), None, (), layout_in(reading.message), "0.12.0.1")


class Room:
    """The controller with all that it knows pretended."""

    def __init__(self, history: History, home: Path, catalog: Catalog) -> None:
        self.page = pretended(DiagnosisPage)
        self.page.field = self.field = Field()
        self.page.records = pretended(RecordsView)
        self.oracle = Oracle()
        self.ways = Ways(Mock(), Mock(), Mock(), Mock())
        self.history = history
        self.controller = DiagnosisController(self.page, self.oracle, catalog, history, home, self.ways)

    async def settled(self) -> None:
        """Wait until nothing is being worked out."""
        controller = self.controller
        while tasks := [task for task in (controller._reading, controller._asking) if task and not task.done()]:
            await asyncio.wait(tasks)

    async def typed(self, text: str, *, whole: bool = False) -> None:
        """Type, and wait until that has settled."""
        self.field.text = text
        self.page.edited.emit(whole)
        await asyncio.sleep(SETTLE * 1.2)
        await self.settled()

    @property
    def shown(self) -> Answer | None:
        answer: Answer | None = self.page.show_answer.call_args.args[0]
        return answer

    @property
    def notes(self) -> str:
        return "\n".join(self.page.show_notes.call_args.args[0])

    @property
    def said(self) -> str:
        return str(self.page.say.call_args.args[0])

    @property
    def offered(self) -> tuple[list[str], str]:
        choices, chosen = self.page.set_versions.call_args.args
        return [choice.key for choice in choices], chosen


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    history = History(tmp_path / "history.sqlite")
    yield history
    history.close()


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(check=False)


Story = Callable[[Room], Coroutine[Any, Any, None]]


@pytest.fixture
def play(history: History, tmp_path: Path, catalog: Catalog) -> Callable[[Story], None]:
    def go(story: Story) -> None:
        async def whole() -> None:
            room = Room(history, tmp_path, catalog)
            try:
                async with asyncio.timeout(30):
                    await story(room)
            finally:
                room.oracle.gate.set()
                await room.controller.close()
            assert asyncio.all_tasks() == {asyncio.current_task()}

        asyncio.run(whole())

    return go


def test_what_is_typed_is_explained_once_it_settles(play: Callable[[Story], None]) -> None:
    async def story(room: Room) -> None:
        for text in ("V", "ValueError: a", "ValueError: ab"):
            room.field.text = text
            room.page.edited.emit(False)
        assert room.oracle.asked == []
        await room.typed("ValueError: abc")
        assert room.oracle.asked == [("ValueError: abc", "")]
        assert room.shown is not None
        assert room.shown.reading.message == "abc"

    play(story)


def test_an_answer_that_comes_late_is_dropped(play: Callable[[Story], None]) -> None:
    async def story(room: Room) -> None:
        room.oracle.gate.clear()
        room.controller.explain("ValueError: one")
        await asyncio.sleep(0)
        room.controller.explain("ValueError: two")
        room.controller.explain("ValueError: three")
        room.oracle.gate.set()
        await room.settled()
        assert [text for text, _ in room.oracle.asked] == ["ValueError: one", "ValueError: three"]
        shown = [call.args[0].reading.message for call in room.page.show_answer.call_args_list]
        assert shown == ["three"]

    play(story)


def test_no_text_is_no_question(play: Callable[[Story], None]) -> None:
    async def story(room: Room) -> None:
        room.controller.explain(LAYOUT)
        await room.settled()
        room.page.cleared.emit()
        await room.settled()
        assert room.shown is None
        assert len(room.oracle.asked) == 1

    play(story)


def test_what_cannot_be_explained_is_told_in_a_line(play: Callable[[Story], None]) -> None:
    async def story(room: Room) -> None:
        room.controller.explain("bad")
        await room.settled()
        assert (room.shown, room.notes) == (None, "the data is damaged")

    play(story)


def test_what_is_left_out_is_told_until_another_text_stands_there(play: Callable[[Story], None]) -> None:
    async def story(room: Room) -> None:
        room.page.text_given.emit("x" * 2_000_000)
        await room.settled()
        assert room.notes == (
            "The pasted text is 2,000,000 characters long: the last 1,000,000 are read, the rest is left out; "
            "999,980 characters above what is shown here are read as well"
        )
        assert len(room.oracle.asked[-1][0]) == 1_000_000
        room.field.note = ""  # as the real one forgets it with the text
        await room.typed("ValueError: y", whole=True)
        assert room.notes == ""

    play(story)


def test_the_text_comes_back_the_next_time(play: Callable[[Story], None], history: History) -> None:
    async def write(room: Room) -> None:
        room.field.text = "ValueError: kept"
        room.page.edited.emit(False)  # and the window is closed before that has settled

    async def come_back(room: Room) -> None:
        await room.settled()
        assert room.field.text == "ValueError: kept"
        assert room.shown is not None
        room.page.cleared.emit()
        assert history.draft(PLACE) is None

    play(write)
    play(come_back)


def test_a_run_s_version_is_chosen_until_another_text_stands_there(play: Callable[[Story], None]) -> None:
    async def story(room: Room) -> None:
        assert room.offered == (["", "0.12.0.1", "0.10.2"], "")
        room.controller.explain("ValueError: x", "0.4.38")
        await room.settled()
        assert room.oracle.asked[-1] == ("ValueError: x", "0.4.38")
        assert room.offered == (["", "0.12.0.1", "0.10.2", "0.4.38"], "0.4.38")
        await room.typed("ValueError: xy")
        assert room.oracle.asked[-1] == ("ValueError: xy", "0.4.38")
        await room.typed("ValueError: z", whole=True)
        assert room.oracle.asked[-1] == ("ValueError: z", "")
        room.page.jax_chosen.emit("0.10.2")
        await room.settled()
        await room.typed("ValueError: u", whole=True)
        assert room.oracle.asked[-1] == ("ValueError: u", "0.10.2")  # what the visitor chose stays

    play(story)


def test_whose_raise_sites_answer_is_said(play: Callable[[Story], None]) -> None:
    async def story(room: Room) -> None:
        room.controller.explain("ValueError: x", "0.10.2")
        await room.settled()
        assert room.oracle.learned_ones == ["0.10.2"]
        assert room.notes == (
            "Reading the raise sites of JAX 0.10.2, once. Meanwhile JAX 0.12.0.1, the nearest known, answers."
        )
        room.oracle.on_learning(Learning("0.10.2", 0.4))
        assert "once: 40%. Meanwhile JAX 0.12.0.1" in room.notes
        room.oracle.on_learning(Learning("0.8.3", 0.9))  # nobody waits for that one
        asked = len(room.oracle.asked)
        room.oracle.on_learning(Learning("0.10.2", 1.0))
        await room.settled()
        assert len(room.oracle.asked) == asked + 1
        room.oracle.faults["0.10.2"] = "the raise sites of JAX 0.10.2 could not be read: no space"
        room.oracle.on_learning(Learning("0.10.2", 0.0, "no space"))
        assert room.notes == (
            "the raise sites of JAX 0.10.2 could not be read: no space; JAX 0.12.0.1, the nearest known, answers"
        )
        room.controller.explain("jax version 0.5.0\nValueError: x")
        await room.settled()
        assert room.notes.endswith("\nJAX 0.5.0 is not at hand here: JAX 0.12.0.1, the nearest known, answers.")

    play(story)


def test_a_log_is_read_and_one_that_cannot_be_changes_nothing(play: Callable[[Story], None], tmp_path: Path) -> None:
    async def story(room: Room) -> None:
        (tmp_path / "a.log").write_text("ValueError: logged")
        room.page.file_given.emit(str(tmp_path / "a.log"))
        assert room.said == "Reading a.log …"
        await room.settled()
        assert (room.field.text, room.said) == ("ValueError: logged", "")
        room.page.file_given.emit(str(tmp_path / "none.log"))
        await room.settled()
        assert room.page.say.call_args.args == (f"{tmp_path / 'none.log'}: there is no such file", "bad")
        assert room.field.text == "ValueError: logged"

    play(story)


def test_typing_wins_over_a_log_that_is_still_read(play: Callable[[Story], None], tmp_path: Path) -> None:
    async def story(room: Room) -> None:
        (tmp_path / "a.log").write_text("ValueError: logged")
        room.page.file_given.emit(str(tmp_path / "a.log"))
        await room.typed("ValueError: typed")
        assert (room.field.text, room.said) == ("ValueError: typed", "")

    play(story)


def test_where_it_leads(play: Callable[[Story], None]) -> None:
    async def story(room: Room) -> None:
        room.page.studio_requested.emit()  # there is nothing to draw yet
        room.page.example_chosen.emit("xla/indivisible-dimension")
        await room.settled()
        assert "IndivisibleError" in room.field.text
        room.controller.explain(LAYOUT)
        await room.settled()
        room.page.studio_requested.emit()
        (document,) = room.ways.studio.call_args.args
        assert str(document.mesh) == "rows=4,cols=2"
        assert document.arrays[0].shape == (10, 16)
        room.page.exhibit_chosen.emit("xla/one")
        room.ways.exhibit.assert_called_once_with("xla/one")
        for address in ("http://example.org", "file:///etc/passwd", "javascript:x"):
            room.page.link_activated.emit(address)
            room.page.records.link_activated.emit(address)
        room.ways.outside.assert_not_called()
        room.page.records.link_activated.emit("https://example.org")
        room.ways.outside.assert_called_once_with("https://example.org")

    play(story)


def test_examples_are_offered(play: Callable[[Story], None]) -> None:
    async def story(room: Room) -> None:
        examples = room.page.set_examples.call_args.args[0]
        assert len(examples) == 2
        assert all(len(one.text) < 100 and one.tip.startswith("recorded on JAX") for one in examples)

    play(story)

"""The personal wing between a real folder and pretended views: who may run what, and what becomes of it."""

import asyncio
import shutil
import zipfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from stand_ins import pretended

from gui.controllers.exhibits import ExhibitController
from gui.controllers.my_exhibits import UNTRUSTED, MyExhibitsController
from gui.controllers.recording import Recorder
from gui.widgets.mine_bar import MineBar
from museum.exhibit import Exhibit, Half
from museum.history import History
from museum.keeping import Kept, keep
from museum.lab.environments import Environment, EnvironmentKind
from museum.lab.outcome import Output, RaisedException, RunOutcome, RunStatus
from museum.lab.runner import RunRequest
from museum.mine import MyWing, give_out, load_mine, my_root, remove, take_in

HERE = Environment("own", EnvironmentKind.OWN, Path("/x/python"), "3.11.7", "0.10.2", "0.10.2")
CODE = "rows = 10\nraise ValueError(rows)\n"
RAISED = RunOutcome(
    RunStatus.FAILED, 1, "own", "cpu:8", RaisedException("ValueError", "10 rows do not divide by 4", (), (), 2)
)
PASSED = RunOutcome(RunStatus.OK, 0, "own", "cpu:8", stdout=Output(b"fine\n"))


class FakeExhibits:
    """The open exhibit, as the controller of the page has it."""

    def __init__(self) -> None:
        self.exhibit: Exhibit | None = None
        self.texts: dict[Half, str] = {}
        self.edited: tuple[Half, ...] = ()
        self.why_not: Callable[[Exhibit], str] = lambda _: ""


class FakeLab:
    def __init__(self) -> None:
        self.begun: list[str] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def run(self, request: RunRequest, _on_progress: Any = None) -> RunOutcome:
        self.begun.append(str(request.script))
        await self.gate.wait()
        return RAISED if "raise" in str(request.script) else PASSED


class Room:
    def __init__(self, history: History) -> None:
        self.bar, self.exhibits, self.lab, self.history = pretended(MineBar), FakeExhibits(), FakeLab(), history
        self.taken: list[MyWing] = []
        self.gone_to: list[str] = []
        self.told: list[tuple[str, str]] = []
        self.shown: list[Path] = []
        self.said: list[str] = []
        self.export: Callable[[str], object] = lambda _: None
        self.suggested = ""
        self.environments: Sequence[Environment] = [HERE]
        self.recorder = Recorder(self.lab, lambda: self.environments)
        exhibits: ExhibitController = self.exhibits  # type: ignore[assignment]
        self.controller = MyExhibitsController(
            self.bar,
            exhibits,
            self.recorder,
            history,
            self,
            self._take,
            self.gone_to.append,
            lambda *words: self.told.append(words),
            self.shown.append,
        )

    def ask_where_to_export(self, suggested: str, chosen: Callable[[str], object]) -> None:
        self.suggested, self.export = suggested, chosen

    def say(self, text: str) -> None:
        self.said.append(text)

    def _take(self, mine: MyWing) -> None:
        self.taken.append(mine)
        if self.exhibits.exhibit is not None:
            shown = [one for one in mine.catalog.exhibits if one.id == self.exhibits.exhibit.id]
            self.exhibits.exhibit = next(iter(shown), None)

    async def open(self, name: str) -> Exhibit:
        await self.controller.load()
        self.exhibits.exhibit = exhibit = self.controller.mine.catalog.exhibit(name)
        self.exhibits.texts = dict(exhibit.scripts)
        self.controller.show()
        return exhibit

    @property
    def view(self) -> Any:
        return self.bar.show_view.call_args.args[0]

    @property
    def progress(self) -> tuple[str, str]:
        words = self.bar.show_progress.call_args.args
        return words if len(words) == 2 else (*words, "faint")

    async def settled(self) -> None:
        await self.controller.settled()


@pytest.fixture
def play(tmp_path: Path) -> Callable[[Callable[[Room], Awaitable[None]]], None]:
    def play(story: Callable[[Room], Awaitable[None]]) -> None:
        async def through() -> None:
            history = History(tmp_path / "history.sqlite")
            room = Room(history)
            try:
                await story(room)
                await room.controller.close()
            finally:
                history.close()
            assert asyncio.all_tasks() == {asyncio.current_task()}

        asyncio.run(through())

    return play


Play = Callable[[Callable[[Room], Awaitable[None]]], None]


def kept() -> str:
    return keep(Kept(CODE, RAISED, HERE, title="Odd rows", fix="print('fine')\n"))


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """What others send."""
    name = kept()
    path = give_out(load_mine().catalog.exhibit(name), my_root(), tmp_path / "friend.zip")
    remove(name)
    return path


def test_the_wing_is_shown_once_and_again_only_when_it_changed(play: Play) -> None:
    kept()

    async def story(room: Room) -> None:
        await room.controller.load()
        await room.controller.load()
        assert [[one.id for one in mine.catalog.exhibits] for mine in room.taken] == [["mine/odd-rows"]]
        kept()
        await room.controller.load()
        assert len(room.taken) == 2

    play(story)


def test_exhibits_of_the_collection_have_no_bar_and_run(play: Play, collection_exhibit: Exhibit) -> None:
    async def story(room: Room) -> None:
        room.exhibits.exhibit = collection_exhibit
        room.controller.show()
        assert room.view is None
        assert room.exhibits.why_not(collection_exhibit) == ""

    play(story)


def test_ones_own_runs_and_what_others_made_does_not(play: Play, package: Path) -> None:
    own = kept()
    (theirs,) = take_in(package)

    async def story(room: Room) -> None:
        exhibit = await room.open(own)
        assert room.exhibits.why_not(exhibit) == ""
        assert (room.view.is_own, room.view.is_trusted) == (True, True)
        exhibit = await room.open(theirs)
        assert room.exhibits.why_not(exhibit).startswith("Not run: made by others.")
        assert (room.view.is_own, room.view.is_trusted) == (False, False)
        assert "friend.zip" in room.view.words
        assert room.controller.marks() == {theirs: UNTRUSTED}

    play(story)


def test_what_is_no_exhibit_of_the_wing_any_more_does_not_run(play: Play) -> None:
    name = kept()

    async def story(room: Room) -> None:
        exhibit = await room.open(name)
        remove(name)
        await room.controller.load()
        assert "not among your exhibits any more" in room.exhibits.why_not(exhibit)

    play(story)


def test_trust_is_for_the_scripts_on_show_and_ends_when_they_change(play: Play, package: Path) -> None:
    (name,) = take_in(package)

    async def story(room: Room) -> None:
        exhibit = await room.open(name)
        room.bar.trust_requested.emit()
        await room.settled()
        assert room.exhibits.why_not(exhibit) == ""
        assert room.view.words == "Made by others (from friend.zip); you agreed to its scripts."
        (my_root() / name / "fix.py").write_text("print('another')\n")
        await room.controller.load()
        assert room.exhibits.why_not(exhibit) != ""
        assert "its scripts have changed" in room.view.words

    play(story)


def test_scripts_that_changed_while_they_were_read_are_not_agreed_to(play: Play, package: Path) -> None:
    (name,) = take_in(package)

    async def story(room: Room) -> None:
        await room.open(name)
        (my_root() / name / "fix.py").write_text("print('another')\n")
        room.bar.trust_requested.emit()
        await room.settled()
        assert name in room.controller.mine.untrusted

    play(story)


def test_edits_are_saved_into_the_exhibit_and_are_drafts_no_more(play: Play) -> None:
    name = kept()

    async def story(room: Room) -> None:
        await room.open(name)
        room.history.keep_draft(f"{name} fix", "print('better')\n")
        room.exhibits.texts[Half.FIX] = "print('better')\n"
        room.bar.save_requested.emit()
        await room.settled()
        assert load_mine().catalog.exhibit(name).scripts[Half.FIX] == "print('better')\n"
        assert room.history.draft(f"{name} fix") is None
        assert room.progress[1] == "good"

    play(story)


def test_edits_that_cannot_be_kept_are_told_and_stay_drafts(play: Play) -> None:
    name = kept()

    async def story(room: Room) -> None:
        await room.open(name)
        room.history.keep_draft(f"{name} fix", "print(")
        room.exhibits.texts[Half.FIX] = "print("
        room.bar.save_requested.emit()
        await room.settled()
        assert room.progress[0].startswith("this cannot be kept so: odd-rows/fix.py")
        assert room.history.draft(f"{name} fix") == "print("

    play(story)


def test_both_halves_are_run_and_recorded(play: Play) -> None:
    name = kept()

    async def story(room: Room) -> None:
        await room.open(name)
        room.bar.record_requested.emit()
        await room.settled()
        assert room.lab.begun == [CODE, "print('fine')\n"]
        assert room.progress == ("Recorded: 1 reproduces, 1 fix passes.", "good")
        assert [one.half for one in load_mine().catalog.exhibit(name).captures] == [Half.FAILING, Half.FIX]

    play(story)


def test_nothing_is_recorded_while_there_are_edits_or_before_trust(play: Play, package: Path) -> None:
    own = kept()
    (theirs,) = take_in(package)

    async def story(room: Room) -> None:
        await room.open(own)
        room.exhibits.edited = (Half.FIX,)
        room.bar.record_requested.emit()
        await room.settled()
        assert room.progress[0].startswith("save or reset your edits first")
        room.exhibits.edited = ()
        await room.open(theirs)
        room.bar.record_requested.emit()
        await room.settled()
        assert room.progress[0].startswith("Not run: made by others.")
        assert room.lab.begun == []

    play(story)


def test_a_recording_is_stopped_by_hand_and_by_going_away(play: Play) -> None:
    name = kept()

    async def story(room: Room) -> None:
        room.lab.gate.clear()
        for leave in (room.bar.stop_requested.emit, lambda: None):
            await room.open(name)
            before = len(room.lab.begun)
            room.bar.record_requested.emit()
            for _ in range(10):
                await asyncio.sleep(0)
            assert len(room.lab.begun) > before
            leave()
            room.exhibits.exhibit = None
            room.controller.show()
            await room.settled()
        assert len(load_mine().catalog.exhibit(name).captures) == 1
        assert room.recorder._running is None

    play(story)


def test_without_jax_nothing_is_recorded(play: Play) -> None:
    name = kept()

    async def story(room: Room) -> None:
        room.environments = []
        await room.open(name)
        room.bar.record_requested.emit()
        await room.settled()
        assert room.progress == ("there is no JAX here to run it with; build an environment first", "bad")

    play(story)


def test_what_is_removed_keeps_the_visitors_edits_beside_it(play: Play, museum_home: Path) -> None:
    name = kept()

    async def story(room: Room) -> None:
        await room.open(name)
        room.history.keep_draft(f"{name} failing", "# my thoughts\n")
        room.bar.remove_requested.emit()
        await room.settled()
        (aside,) = (museum_home / "removed-exhibits").glob("*/odd-rows")
        assert (aside / "failing.edited.py").read_text() == "# my thoughts\n"
        assert room.history.draft(f"{name} failing") is None
        assert room.said[-1] == f"Removed; its files are in {aside}."
        assert room.taken[-1].catalog.exhibits == ()

    play(story)


def test_rename_files_and_export(play: Play, tmp_path: Path) -> None:
    name = kept()

    async def story(room: Room) -> None:
        await room.open(name)
        room.bar.renamed.emit("Better")
        await room.settled()
        assert room.controller.mine.catalog.exhibit(name).title == "Better"
        room.bar.files_requested.emit()
        assert room.shown == [my_root() / name]
        room.bar.export_requested.emit()
        assert room.suggested == "odd-rows.zip"
        for _ in range(2):
            room.export(str(tmp_path / "out.zip"))
            await room.settled()
        assert zipfile.ZipFile(tmp_path / "out.zip").read("odd-rows/failing.py").decode() == CODE
        assert room.said == [f"Exported as {tmp_path / 'out.zip'}."]
        assert "is there already" in room.progress[0]

    play(story)


def test_an_exhibit_of_the_collection_is_exported_too(play: Play, tmp_path: Path, collection_exhibit: Exhibit) -> None:
    async def story(room: Room) -> None:
        room.controller.export()
        assert room.said == ["Open an exhibit first; then it can be exported."]
        room.exhibits.exhibit = collection_exhibit
        room.controller.export()
        room.export(str(tmp_path / "out.zip"))
        await room.settled()
        assert (tmp_path / "out.zip").is_file()

    play(story)


def test_what_comes_in_opens_untrusted_and_faults_are_told_together(play: Play, package: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"no zip")
    evil = tmp_path / "evil.zip"
    with zipfile.ZipFile(evil, "w") as archive:
        archive.writestr("x/../../y.py", "")
        archive.writestr("x/run.sh", "")

    async def story(room: Room) -> None:
        room.controller.take_in([str(package), str(broken), str(evil), str(tmp_path / "none")])
        await room.settled()
        assert room.gone_to == ["mine/odd-rows"]
        assert set(room.controller.mine.untrusted) == {"mine/odd-rows"}
        ((title, words),) = room.told
        assert title == "Import exhibits"
        assert words.startswith("1 taken in, the rest was not.")
        assert len(words.splitlines()) == 6
        assert room.lab.begun == []

    play(story)


def test_a_broken_exhibit_is_told_once_and_the_others_open(play: Play) -> None:
    good, bad = kept(), kept()
    (my_root() / bad / "exhibit.toml").write_text("title = \n")

    async def story(room: Room) -> None:
        await room.controller.load()
        assert [one.id for one in room.taken[-1].catalog.exhibits] == [good]
        assert room.said[0].startswith(f"One of my exhibits cannot be opened: {bad}/exhibit.toml")
        kept()
        await room.controller.load()
        assert len(room.said) == 1

    play(story)


def test_a_wing_that_cannot_be_read_is_told(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> MyWing:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("gui.controllers.my_exhibits.load_mine", fail)

    async def story(room: Room) -> None:
        await room.controller.load()
        assert room.said == ["My exhibits cannot be read: Permission denied"]
        assert room.taken == []

    play(story)


@pytest.fixture
def collection_exhibit() -> Exhibit:
    from museum.catalog import load_catalog

    return load_catalog(check=False).exhibits[0]


def test_a_folder_that_vanished_is_told(play: Play) -> None:
    name = kept()

    async def story(room: Room) -> None:
        await room.open(name)
        shutil.rmtree(my_root() / name)
        room.bar.renamed.emit("Better")
        await room.settled()
        assert room.progress[1] == "bad"

    play(story)

"""Sharing: nothing without a run, looked at before it is copied, and a run that becomes an exhibit."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from stand_ins import pretended

from gui.controllers.finished_run import FinishedRun
from gui.controllers.runs import Wish
from gui.controllers.sharing import NO_RUN, InFront, SharingController
from gui.widgets.share_dialogs import KeepDialog, ReportDialog
from museum.errors import MuseumError
from museum.exhibit import Half
from museum.lab.environments import Environment, EnvironmentKind
from museum.lab.outcome import Output, RaisedException, RunOutcome, RunStatus
from museum.lab.target import Target
from museum.mine import load_mine

HERE = Environment("own", EnvironmentKind.OWN, Path("/x/python"), "3.11.7", "0.10.2", "0.10.2")
CODE = "import jax\nraise ValueError(10)\n"
RAISED = RunOutcome(
    RunStatus.FAILED,
    1,
    "own",
    "cpu:8",
    RaisedException("ValueError", "10 rows do not divide by 4", (), (), 2),
    stderr=Output(b"Traceback (most recent call last):\nValueError: 10 rows do not divide by 4\n"),
)
RUN = FinishedRun("Snippet 1", Wish("abc", Half.FAILING, CODE, ("--rows", "10"), {"MINE": "1"}), RAISED, "0.10.2")
FRONT = InFront("Snippet 1", CODE, Target.cpu(8), ("--rows", "10"), {"MINE": "1"}, RUN, "", [HERE])


class FakeDesk:
    """Notes what is shown and asked."""

    def __init__(self) -> None:
        self.reports: list[str] = []
        self.names: list[tuple[str, str]] = []
        self.dialogs: list[Any] = []
        self.suggested: list[str] = []
        self.chosen: Callable[[str], object] = lambda _: None
        self.copied: list[str] = []
        self.said: list[str] = []

    def show_report(self, text: str) -> Any:
        self.reports.append(text)
        self.dialogs.append(pretended(ReportDialog))
        return self.dialogs[-1]

    def ask_for_name(self, title: str, slug: str) -> Any:
        self.names.append((title, slug))
        self.dialogs.append(pretended(KeepDialog))
        return self.dialogs[-1]

    def ask_where_to_save(self, suggested: str, chosen: Callable[[str], object]) -> None:
        self.suggested.append(suggested)
        self.chosen = chosen

    def ask_for_folder(self, _title: str, chosen: Callable[[str], object]) -> None:
        self.chosen = chosen

    def copy(self, text: str) -> None:
        self.copied.append(text)

    def say(self, text: str) -> None:
        self.said.append(text)


class Room:
    def __init__(self) -> None:
        self.desk, self.front, self.kept = FakeDesk(), FRONT, list[str]()
        self.controller = SharingController(self.desk, lambda: self.front, self.kept.append)

    async def settled(self) -> None:
        await self.controller._errands.settled()


def play(story: Callable[[Room], Awaitable[None]]) -> None:
    async def through() -> None:
        room = Room()
        await story(room)
        await room.controller.close()

    asyncio.run(through())


def test_without_a_run_each_wish_gets_one_line() -> None:
    async def story(room: Room) -> None:
        room.front = replace(FRONT, run=None)
        for wish in (room.controller.copy_report, room.controller.keep, room.controller.save_folder):
            wish()
        await room.settled()
        assert room.desk.said == [NO_RUN] * 3
        assert room.desk.dialogs == []

    play(story)


def test_a_report_is_shown_before_it_is_copied() -> None:
    async def story(room: Room) -> None:
        room.controller.copy_report()
        await room.settled()
        (report,) = room.desk.reports
        assert report.startswith("## ValueError: 10 rows do not divide by 4")
        assert "MINE=1" in report
        assert "| JAX | 0.10.2 |" in report
        assert room.desk.copied == []
        room.desk.dialogs[0].copy_requested.emit("as the visitor left it")
        assert room.desk.copied == ["as the visitor left it"]
        assert room.desk.said == ["The bug report is on the clipboard."]

    play(story)


def test_an_environment_that_is_gone_is_told() -> None:
    async def story(room: Room) -> None:
        room.front = replace(FRONT, environments=[])
        room.controller.copy_report()
        await room.settled()
        assert room.desk.said == ["the environment own is not there any more; run it again"]

    play(story)


def test_a_run_that_never_began_has_nothing_to_share() -> None:
    async def story(room: Room) -> None:
        nowhere = RunOutcome(RunStatus.NOT_STARTED, None, "", "cpu:8", detail="no environment with JAX here")
        room.front = replace(FRONT, run=replace(RUN, outcome=nowhere))
        room.controller.keep()
        await room.settled()
        assert room.desk.said == ["this did not run: no environment with JAX here"]

    play(story)


def test_the_code_is_saved_as_a_script_with_its_header_also_without_a_run(tmp_path: Path) -> None:
    async def story(room: Room) -> None:
        room.front = replace(FRONT, run=None)
        room.controller.save_script()
        await room.settled()
        assert room.desk.suggested == ["snippet_1.py"]
        room.desk.chosen(str(tmp_path / "mine.py"))
        await room.settled()
        header = "# museum: target=cpu:8\n# run as: MINE=1 python <this file> --rows 10\n"
        assert (tmp_path / "mine.py").read_text() == header + CODE
        room.desk.chosen(str(tmp_path / "none" / "mine.py"))
        await room.settled()
        assert "cannot be written" in room.desk.said[-1]

    play(story)


def test_a_run_becomes_an_exhibit_under_the_name_that_it_is_given() -> None:
    async def story(room: Room) -> None:
        room.controller.keep()
        await room.settled()
        assert room.desk.names == [("10 rows do not divide by 4", "10-rows-do-not-divide-by-4")]
        dialog = room.desk.dialogs[0]
        dialog.title_edited.emit("Ten rows, four parts")
        assert dialog.show_slug.call_args.args == ("ten-rows-four-parts",)
        dialog.keep_requested.emit("Ten rows", "ten", "rows, odd one")
        await room.settled()
        assert room.kept == ["mine/ten"]
        assert dialog.accept.called
        exhibit = load_mine().catalog.exhibit("mine/ten")
        assert (exhibit.title, exhibit.facts.tags) == ("Ten rows", ("rows", "odd-one"))
        assert exhibit.scripts[Half.FAILING] == CODE

    play(story)


def test_an_exhibit_lends_its_title_and_its_fix() -> None:
    async def story(room: Room) -> None:
        run = replace(RUN, wish=replace(RUN.wish, exhibit="xla/one"))
        room.front = replace(FRONT, title="Rows of XLA", run=run, fix="print('fixed')\n")
        room.controller.keep()
        await room.settled()
        assert room.desk.names == [("Rows of XLA", "rows-of-xla")]
        room.desk.dialogs[0].keep_requested.emit("Rows of XLA", "", "")
        await room.settled()
        assert load_mine().catalog.exhibit("mine/rows-of-xla").scripts[Half.FIX] == "print('fixed')\n"

    play(story)


def test_what_becomes_no_exhibit_is_said_where_it_was_asked() -> None:
    async def story(room: Room) -> None:
        silent = RunOutcome(RunStatus.OK, 0, "own", "cpu:8")
        room.front = replace(FRONT, run=replace(RUN, outcome=silent))
        room.controller.keep()
        await room.settled()
        dialog = room.desk.dialogs[0]
        dialog.keep_requested.emit("Nothing", "nothing", "")
        await room.settled()
        assert "prints nothing" in dialog.say.call_args.args[0]
        assert not dialog.accept.called
        assert room.kept == []

    play(story)


def test_a_run_is_saved_as_a_folder(tmp_path: Path) -> None:
    async def story(room: Room) -> None:
        room.controller.save_folder()
        await room.settled()
        room.desk.chosen(str(tmp_path))
        await room.settled()
        folder = tmp_path / "10-rows-do-not-divide-by-4"
        assert room.desk.said == [f"Saved in {folder}."]
        assert (folder / "failing.py").read_text() == CODE
        room.desk.chosen(str(tmp_path))
        await room.settled()
        assert "is there already" in room.desk.said[-1]

    play(story)


def test_what_must_not_be_shared_is_said() -> None:
    async def story(room: Room) -> None:
        def refuse() -> InFront:
            raise MuseumError("Not run: made by others.")

        controller = SharingController(room.desk, refuse, room.kept.append)
        controller.save_script()
        await controller.close()
        assert room.desk.said == ["Not run: made by others."]
        assert room.desk.suggested == []

    play(story)

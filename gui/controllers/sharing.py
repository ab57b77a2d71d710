"""Decides what of a run leaves the museum, and how a run becomes an exhibit of the visitor's own."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from gui.controllers.errands import Errands
from gui.controllers.finished_run import FinishedRun
from gui.widgets.share_dialogs import KeepDialog, ReportDialog
from museum.bench.files import write_source
from museum.errors import MuseumError
from museum.incoming import slug_of
from museum.keeping import Kept, keep, save_folder, title_of
from museum.lab.environments import Environment
from museum.lab.target import Target
from museum.share import SharedRun, as_script, bug_report

NO_RUN = "There is no run to share yet: run it first."


@dataclass(frozen=True, slots=True)
class InFront:
    """What the visitor has in front of them.

    Attributes:
        title: Of the exhibit or the snippet.
        code: As it stands.
        target: Where it runs.
        arguments: `sys.argv[1:]`.
        variables: The visitor's own.
        run: The run whose account is on show; None before any.
        fix: The other half, for a run that becomes an exhibit; "" for none.
        environments: What is at hand.
    """

    title: str
    code: str
    target: Target
    arguments: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    run: FinishedRun | None = None
    fix: str = ""
    environments: Sequence[Environment] = ()


class Desk(Protocol):
    """The windows in which the visitor looks, names and chooses."""

    def show_report(self, text: str) -> ReportDialog:
        """Show a report before it is copied."""

    def ask_for_name(self, title: str, slug: str) -> KeepDialog:
        """Ask for the name of an exhibit."""

    def ask_where_to_save(self, suggested: str, chosen: Callable[[str], object]) -> None:
        """Ask for a script's file."""

    def ask_for_folder(self, title: str, chosen: Callable[[str], object]) -> None:
        """Ask for a folder that is there."""

    def copy(self, text: str) -> None:
        """Put words on the clipboard."""

    def say(self, text: str) -> None:
        """One line on the page in front."""


class SharingController:
    """Shares the run in front.

    Args:
        desk: Asks and shows.
        in_front: Tells what the visitor has in front of them.
        kept: Hears the id of an exhibit that was made.

    `in_front` raises a `MuseumError` where there is nothing to share, or where it must not be.
    """

    def __init__(self, desk: Desk, in_front: Callable[[], InFront], kept: Callable[[str], object]) -> None:
        self._desk, self._in_front, self._kept = desk, in_front, kept
        self._errands = Errands(desk.say)

    def copy_report(self) -> None:
        """Show the last run as a bug report, ready to be copied."""
        self._errands.start(self._copy_report)

    def save_script(self) -> None:
        """Save the code in front with a header that says where it runs."""
        self._errands.start(self._save_script)

    def keep(self) -> None:
        """Make an exhibit of the visitor's own of the last run."""
        self._errands.start(self._keep)

    def save_folder(self) -> None:
        """Save the last run as an exhibit's folder."""
        self._errands.start(self._save_folder)

    async def _copy_report(self) -> None:
        front, run = self._with_run()
        shared = SharedRun.of(
            run.wish.script,
            run.outcome,
            run.environment(front.environments),
            run.wish.arguments,
            run.wish.variables,
        )
        text = await asyncio.to_thread(bug_report, shared)
        dialog = self._desk.show_report(text)
        dialog.copy_requested.connect(self._on_report_copy_requested)

    def _on_report_copy_requested(self, text: str) -> None:
        self._desk.copy(text)
        self._desk.say("The bug report is on the clipboard.")

    async def _save_script(self) -> None:
        front = self._in_front()
        text = as_script(front.code, front.target, front.arguments, front.variables)

        async def write(path: str) -> None:
            await asyncio.to_thread(write_source, Path(path), text, "\n")
            self._desk.say(f"Saved as {path}.")

        name = f"{slug_of(front.title.removesuffix('.py')).replace('-', '_')}.py"
        self._desk.ask_where_to_save(name, lambda path: self._errands.start(lambda: write(path)))

    async def _keep(self) -> None:
        front, run = self._with_run()
        environment = run.environment(front.environments)
        title = title_of(run.outcome, front.title if "/" in run.wish.exhibit else "")
        dialog = self._desk.ask_for_name(title, slug_of(title))
        dialog.title_edited.connect(lambda text: dialog.show_slug(slug_of(text) if text.strip() else ""))

        async def make(title: str, slug: str, tags: str) -> None:
            words = tuple(filter(None, map(str.strip, tags.split(","))))
            kept = Kept(run.wish.script, run.outcome, environment, title, front.fix, words, slug)
            try:
                name = await asyncio.to_thread(keep, kept)
            except MuseumError as error:
                dialog.say(str(error))
                return
            dialog.accept()
            self._kept(name)

        dialog.keep_requested.connect(lambda *words: self._errands.start(lambda: make(*words)))

    async def _save_folder(self) -> None:
        front, run = self._with_run()
        kept = Kept(run.wish.script, run.outcome, run.environment(front.environments), fix=front.fix)

        async def write(path: str) -> None:
            folder = await asyncio.to_thread(save_folder, kept, Path(path))
            self._desk.say(f"Saved in {folder}.")

        self._desk.ask_for_folder("Save an exhibit in a folder", lambda path: self._errands.start(lambda: write(path)))

    def _with_run(self) -> tuple[InFront, FinishedRun]:
        front = self._in_front()
        if front.run is None:
            raise MuseumError(NO_RUN)
        return front, front.run

    async def close(self) -> None:
        """Wait until what was begun is done: a file is written whole."""
        await self._errands.settled()

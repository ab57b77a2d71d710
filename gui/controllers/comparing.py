"""Decides what is compared in the dialog, runs it, and shows how the answers differ."""

import asyncio
import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol

from gui.controllers.comparison_view import answers_html, reading_of, rows_of
from gui.controllers.errands import Errands
from gui.widgets.compare_dialog import CompareDialog
from gui.widgets.run_bar import Choice
from museum.bench.files import write_source
from museum.compare import Comparison, Part, Stage, Subject, compare, places_for, table_of
from museum.compare_text import as_markdown
from museum.errors import MuseumError
from museum.lab.environments import Environment
from museum.lab.target import Target
from museum.lab.verify import Runs
from museum.versions import sort_versions

PARTS = (Choice(Part.MESSAGE, "message"), Choice(Part.STDOUT, "stdout"), Choice(Part.STDERR, "stderr"))
USUAL_TARGETS = ("cpu:1", "cpu:4", "cpu:8", "cpu:2x4", "tpu-compile", "local")


class Lab(Runs, Protocol):
    """What the controller needs of the lab."""

    async def environments(self) -> Sequence[Environment]:
        """What is at hand, the museum's own first."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What the visitor has in front of them and may compare.

    Attributes:
        title: Its name.
        subjects: By half; the one of a snippet stands under "".
        half: The one to begin with.
        target: Where the visitor runs it now.
        targets: Others that it is made for.
        environments: What is at hand; nothing until it is known.
    """

    title: str
    subjects: Mapping[str, Subject]
    half: str
    target: Target
    targets: tuple[str, ...] = ()
    environments: Sequence[Environment] = field(default_factory=tuple)


class ComparingController:
    """Connects the dialog with the lab; one comparison at a time, ended when the dialog is closed.

    Args:
        make_dialog: Makes and shows the dialog.
        lab: Runs things.
        copy: Puts words on the clipboard.
    """

    def __init__(self, make_dialog: Callable[[], CompareDialog], lab: Lab, copy: Callable[[str], object]) -> None:
        self._make_dialog, self._lab, self._copy = make_dialog, lab, copy
        self._dialog: CompareDialog | None = None
        self._compared: Compared | None = None
        self._half = ""
        self._tables: dict[str, Comparison] = {}  # by half, as they were left
        self._chosen: list[int] = []
        self._part = Part.MESSAGE
        self._environments: Sequence[Environment] = ()
        self._running: asyncio.Task[None] | None = None
        self._errands = Errands(lambda text: self._say(text, "bad"))

    @property
    def running(self) -> "asyncio.Task[None] | None":
        """The comparison that goes on."""
        return self._running

    @property
    def _table(self) -> Comparison | None:
        """The table on show."""
        return self._tables.get(self._half)

    def open(self, compared: Compared) -> None:
        """Show the dialog for this; a second one is not opened, and what runs there is not disturbed."""
        if self._dialog is None:
            self._dialog = dialog = self._make_dialog()
            dialog.half_chosen.connect(self._on_dialog_half_chosen)
            dialog.target_typed.connect(self._on_dialog_target_typed)
            dialog.compare_requested.connect(self._on_dialog_compare_requested)
            dialog.stop_requested.connect(self.stop)
            dialog.cells_chosen.connect(self._on_dialog_cells_chosen)
            dialog.part_chosen.connect(self._on_dialog_part_chosen)
            dialog.copy_requested.connect(lambda: self._errands.start(self._copy_markdown))
            dialog.save_requested.connect(lambda path: self._errands.start(lambda: self._save_markdown(path)))
            dialog.finished.connect(self._on_dialog_finished)
        elif self._running is not None:
            self._dialog.raise_()
            self._dialog.say("Stop this comparison before you begin another one.", "bad")
            return
        self._dialog.raise_()
        self._compared, self._tables = compared, {}
        self._environments = compared.environments
        self._offer(compared)
        self._choose_half(compared.half)
        if not self._environments:
            self._dialog.say("Looking for JAX …")
            self._errands.start(self._find_environments)

    def _offer(self, compared: Compared) -> None:
        if self._dialog is None:
            return
        names: dict[str, list[str]] = {}
        for environment in self._environments:
            if environment.jax:
                names.setdefault(environment.jax, []).append(str(environment))
        versions = [Choice(jax, f"JAX {jax}", "\n".join(names[jax])) for jax in sort_versions(names)]
        wanted = dict.fromkeys((str(compared.target), *compared.targets, *USUAL_TARGETS))
        targets = [Choice(name, name, Target.parse(name).words) for name in wanted]
        self._dialog.show_places(versions, names, targets, [str(compared.target)])

    async def _find_environments(self) -> None:
        self._environments = await self._lab.environments()
        if self._dialog is not None and self._compared is not None:
            self._offer(self._compared)
            none = "There is no JAX here yet: build an environment first (Run, Manage environments)."
            self._dialog.say("" if self._environments else none, "bad")

    def _choose_half(self, half: str) -> None:
        if self._dialog is None or self._compared is None:
            return
        self._half, self._chosen = half, []
        halves = [Choice(key, "Failing" if key == "failing" else "Fix") for key in self._compared.subjects if key]
        self._dialog.show_subject(self._compared.title, halves, half)
        self._dialog.clear_choice()
        self._show(self._table or table_of(self._compared.subjects[half], []))
        self._dialog.say("Tick where it should run. Two cells of the table, with Ctrl held, are compared by word.")

    # -- running -------------------------------------------------------------------------------------------------------

    def _on_dialog_half_chosen(self, half: str) -> None:
        self._choose_half(half)

    def _on_dialog_target_typed(self, text: str) -> None:
        if self._dialog is None:
            return
        try:
            target = Target.parse(text)
        except MuseumError as error:
            self._dialog.say(str(error), "bad")
            return
        self._dialog.add_target(Choice(str(target), str(target), target.words))
        self._dialog.say("")

    def _on_dialog_compare_requested(self, versions: Sequence[str], targets: Sequence[str]) -> None:
        if self._running is None and self._compared is not None and self._dialog is not None:
            subject, there = self._compared.subjects[self._half], [Target.parse(one) for one in targets]
            self._dialog.clear_choice()
            self._dialog.set_running(running=True)
            self._running = self._errands.start(lambda: self._compare(subject, versions, there))
            self._running.add_done_callback(partial(self._on_ended, self._dialog))

    def stop(self) -> None:
        """End what runs; what is done stays on show."""
        if self._running is not None:
            self._running.cancel()

    async def _compare(self, subject: Subject, versions: Sequence[str], targets: Sequence[Target]) -> None:
        try:
            places = places_for(self._environments, versions, targets)
            table = await compare(subject, places, self._lab, self._show)
        except asyncio.CancelledError:
            self._say("Stopped; what was done before is on show.")
            raise
        except MuseumError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever the lab breaks of, the dialog must say so and go on
            self._say(f"the lab itself broke: {type(error).__name__}: {error}", "bad")
            return
        count = len(table.answers)
        none = "It could run nowhere of this; each cell says why."
        self._say(f"Done: {count} different answer{'s' if count > 1 else ''}." if count else none)

    def _on_ended(self, dialog: CompareDialog, _task: object) -> None:
        self._running = None
        if self._dialog is dialog:
            dialog.set_running(running=False)

    def _show(self, table: Comparison) -> None:
        if self._dialog is None:
            return
        self._tables[self._half] = table
        self._dialog.show_rows(rows_of(table), has_answers=bool(table.answers))
        if table.cells and table.done < len(table.cells):
            self._dialog.say(f"{table.done} of {len(table.cells)} places done …")
        self._show_chosen()

    # -- what is chosen ------------------------------------------------------------------------------------------------

    def _on_dialog_cells_chosen(self, numbers: Sequence[int]) -> None:
        self._chosen = list(numbers)
        self._show_chosen()

    def _on_dialog_part_chosen(self, part: str) -> None:
        self._part = Part(part)
        self._show_chosen()

    def _show_chosen(self) -> None:
        table, dialog = self._table, self._dialog
        if table is None or dialog is None:
            return
        chosen = [table.cells[number] for number in self._chosen if number < len(table.cells)]
        if len(chosen) == 1:
            dialog.show_reading(reading_of(table, chosen[0]))
        elif len(chosen) == 2 and all(cell.stage in (Stage.DONE, Stage.STOPPED) for cell in chosen):
            two, part = self._chosen[:2], self._part
            self._errands.start(lambda: self._show_difference(table, two, part))
        else:
            dialog.show_answers(answers_html(table) if len(chosen) < 2 else html.escape("Choose one cell, or two."))

    async def _show_difference(self, table: Comparison, numbers: Sequence[int], part: Part) -> None:
        one, other = (table.cells[number] for number in numbers)
        difference = await asyncio.to_thread(table.difference, one, other, part)
        is_wanted = (self._table, self._chosen[:2], self._part) == (table, list(numbers), part)
        if self._dialog is not None and is_wanted:
            same = "They say the same, but for what no two runs share."
            words = same if difference.same else "Words that only one of them has are marked."
            self._dialog.show_difference(difference.names, difference.pieces, words)

    # -- taking it away ------------------------------------------------------------------------------------------------

    async def _markdown(self) -> str:
        if self._table is None:
            raise MuseumError("there is no table yet: compare first")
        return await asyncio.to_thread(as_markdown, self._table)

    async def _copy_markdown(self) -> None:
        self._copy(await self._markdown())
        self._say("Copied as Markdown, without paths and names of this machine. Read it before you send it.", "good")

    async def _save_markdown(self, path: str) -> None:
        text = await self._markdown()
        await asyncio.to_thread(write_source, Path(path), text, "\n")
        self._say(f"Saved as {path}.", "good")

    def _say(self, words: str, role: str = "faint") -> None:
        if self._dialog is not None:
            self._dialog.say(words, role)

    def _on_dialog_finished(self) -> None:
        self._dialog = None
        self.stop()
        self._tables, self._chosen = {}, []

    async def close(self) -> None:
        """End everything and wait until nothing of it is alive."""
        await self._errands.close()

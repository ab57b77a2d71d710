"""Decides what the page of a pasted error shows: the latest text is explained, older answers are dropped."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gui.controllers.explainer import Explainer, Learning
from gui.controllers.records import RecordsController
from gui.controllers.subjects import document_of
from gui.widgets.diagnosis_page import DiagnosisPage
from gui.widgets.run_bar import Choice
from museum.catalog import Catalog
from museum.errors import MuseumError
from museum.exhibit import Half
from museum.history import History
from museum.mesh.document import StudioDocument
from museum.mesh.layout import resolve

if TYPE_CHECKING:
    from museum.diagnosis.answer import Answer

SETTLE = 0.15  # seconds without a key before the text is explained
PLACE = "diagnosis"  # of the text among the drafts
AS_TOLD = "as the text says"
_LONGEST_TITLE = 90
EXAMPLES = ("xla/indivisible-dimension", "xla/more-hbm-than-the-chip")


@dataclass(frozen=True, slots=True)
class Ways:
    """Where the page leads.

    Attributes:
        exhibit: Opens an exhibit.
        studio: Opens a layout in the studio.
        bench: Opens a snippet on the bench, by title and code.
        outside: Opens an address of the web.
    """

    exhibit: Callable[[str], object]
    studio: Callable[[StudioDocument], object]
    bench: Callable[[str, str], object]
    outside: Callable[[str], object]


class DiagnosisController:
    """Connects the page with the diagnosis.

    Args:
        page: The view.
        explainer: Answers.
        catalog: Gives the examples.
        history: Keeps the text.
        home: Where the records of others live.
        ways: Where the page leads.
    """

    def __init__(
        self, page: DiagnosisPage, explainer: Explainer, catalog: Catalog, history: History, home: Path, ways: Ways
    ) -> None:
        self._page, self._explainer, self._history, self._ways = page, explainer, history, ways
        self._examples = examples_of(catalog)
        self._jax = ""  # chosen by the visitor, or the run's
        self._is_run_s = False
        self._fault = ""
        self._answer: Answer | None = None
        self._learning: Learning | None = None
        self._wanted = 0  # number of the latest text
        self._settling: asyncio.TimerHandle | None = None
        self._asking: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self.records = RecordsController(page.records, home, ways.bench)
        explainer.on_learning = self._on_learning
        page.edited.connect(self._on_page_edited)
        page.text_given.connect(self.explain)
        page.file_given.connect(self.open_log)
        page.cleared.connect(lambda: self.explain(""))
        page.jax_chosen.connect(self._on_page_jax_chosen)
        page.example_chosen.connect(lambda name: self.explain(self._examples[name].text))
        page.exhibit_chosen.connect(ways.exhibit)
        page.studio_requested.connect(self._on_page_studio_requested)
        page.link_activated.connect(self._follow)
        page.records.link_activated.connect(self._follow)
        page.set_examples([Choice(name, one.title, one.below) for name, one in self._examples.items()])
        self.show_versions()
        kept = history.draft(PLACE)
        if kept:
            page.field.put(kept)
            self._ask()

    def explain(self, text: str, jax: str = "") -> None:
        """Explain a text in place of the one that stands there, which undo brings back.

        Args:
            text: Of any length; what is too long is cut, and said so.
            jax: The version that it came from; "" to go by what the text tells.
        """
        from museum.diagnosis.logs import bounded

        self._stop_reading()
        cut = bounded(text, "The pasted text")
        self._put(cut.text, cut.note, jax)

    def open_log(self, path: str) -> None:
        """Explain the end of a file."""
        self._stop_reading()
        self._page.say(f"Reading {Path(path).name} …")
        self._reading = asyncio.ensure_future(self._read(Path(path)))

    def ask_for_log(self) -> None:
        """Let the visitor choose a log."""
        self._page.ask_for_log()

    def ask_for_records(self) -> None:
        """Let the visitor choose files with records of others."""
        self.records.ask_for_files()

    def show_versions(self) -> None:
        """Offer the versions at hand now."""
        versions = dict.fromkeys((*self._explainer.versions, *((self._jax,) if self._jax else ())))
        tip = "The version that the text names, or else the newest that the museum knows"
        choices = [Choice("", AS_TOLD, tip), *(Choice(jax, jax, f"Raise sites of JAX {jax}") for jax in versions)]
        self._page.set_versions(choices, self._jax)

    def take_environments(self) -> None:
        """Others are at hand than before."""
        self.show_versions()
        if self._answer is not None:
            self._ask()  # its source may be at hand now, or its version

    async def close(self) -> None:
        """End everything and wait until nothing of it is alive."""
        self._stop_settling()
        self._stop_reading()
        self._wanted += 1
        tasks = [task for task in (self._asking, self._reading) if task is not None]
        await asyncio.gather(*tasks, self.records.close(), return_exceptions=True)

    # The text

    def _put(self, text: str, note: str, jax: str) -> None:
        self._page.field.put(text, note)
        self._set_jax(jax, is_run_s=bool(jax))
        self._page.say("")
        self._keep()
        self._ask()

    async def _read(self, file: Path) -> None:
        from museum.diagnosis.logs import read_log

        try:
            log = await asyncio.to_thread(read_log, file)
        except MuseumError as failure:
            self._page.say(str(failure), "bad")
            return
        self._put(log.text, log.note, "")

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
        self._page.say("")

    def _on_page_edited(self, whole: bool) -> None:
        self._stop_reading()
        self._keep()
        if whole and self._is_run_s:
            self._set_jax("", is_run_s=False)
        self._stop_settling()
        self._settling = asyncio.get_event_loop().call_later(SETTLE, self._ask)

    def _stop_settling(self) -> None:
        if self._settling is not None:
            self._settling.cancel()
            self._settling = None

    def _on_page_jax_chosen(self, jax: str) -> None:
        self._set_jax(jax, is_run_s=False)
        self._ask()

    def _set_jax(self, jax: str, *, is_run_s: bool) -> None:
        self._is_run_s = is_run_s
        if jax != self._jax:
            self._jax = jax
            self.show_versions()

    # The answer

    def _ask(self) -> None:
        """Explain what stands there now; what is being explained meanwhile is dropped when it comes."""
        self._stop_settling()
        self._wanted += 1
        if self._asking is None:
            self._asking = asyncio.ensure_future(self._answer_all())

    def _keep(self) -> None:
        try:
            text = self._page.field.shown
            if text:
                self._history.keep_draft(PLACE, text)
            else:
                self._history.drop_draft(PLACE)
        except MuseumError as failure:
            self._page.say(str(failure), "bad")

    async def _answer_all(self) -> None:
        """Explain the latest text until no later one has come."""
        answered = 0
        try:
            while answered != self._wanted:
                answered = self._wanted
                text = self._page.field.text
                if not text.strip():
                    self._show(None, "")
                    continue
                if not self._explainer.is_loaded:
                    self._page.show_notes(("Reading what the museum knows of JAX's errors, once …",))
                await self._answer_one(text, answered)
        finally:
            self._asking = None

    async def _answer_one(self, text: str, number: int) -> None:
        answer, fault = None, ""
        try:
            answer = await self._explainer.explain(text, self._jax)
        except MuseumError as failure:
            fault = str(failure)
        if number == self._wanted:
            self._show(answer, fault)

    def _show(self, answer: "Answer | None", fault: str) -> None:
        before, self._answer, self._fault = self._answer, answer, fault
        self._page.show_answer(answer)
        if before is None or answer is None or before.reading != answer.reading:
            self._page.reveal_answer()
        self.records.show_for(answer.reading if answer else None)
        if answer is not None:
            self._explainer.learn(self._version_of(answer))
        self._show_notes()

    def _version_of(self, answer: "Answer") -> str:
        return self._jax or answer.reading.jax

    def _show_notes(self) -> None:
        notes = [self._fault, self._left_out() if self._answer else ""]
        if self._answer is not None:
            notes.append(self._whose_sites(self._answer))
        self._page.show_notes(tuple(filter(None, notes)))

    def _left_out(self) -> str:
        """What was left out of the text that stands there now, and what of it is not shown."""
        field = self._page.field
        shown = f"{field.above:,} characters above what is shown here are read as well" if field.above else ""
        return "; ".join(filter(None, (field.note, shown)))

    def _whose_sites(self, answer: "Answer") -> str:
        """Which version was asked, where it is not the one that is wanted, and why."""
        wanted = self._version_of(answer)
        if not wanted or wanted == answer.jax:
            return ""
        meanwhile = f"JAX {answer.jax}, the nearest known, answers"
        if fault := self._explainer.fault(wanted):
            return f"{fault}; {meanwhile}"
        learning = self._learning
        if learning is not None and learning.jax == wanted and learning.share < 1:
            return f"Reading the raise sites of JAX {wanted}, once: {learning.share:.0%}. Meanwhile {meanwhile}."
        if wanted in self._explainer.versions:
            return f"Reading the raise sites of JAX {wanted}, once. Meanwhile {meanwhile}."
        return f"JAX {wanted} is not at hand here: {meanwhile}."

    def _on_learning(self, learning: Learning) -> None:
        self._learning = learning
        if self._answer is None or self._version_of(self._answer) != learning.jax:
            return
        if learning.share == 1 and not learning.fault:
            self._ask()
        else:
            self._show_notes()

    # Where it leads

    def _on_page_studio_requested(self) -> None:
        layout = self._answer.layout if self._answer else None
        if layout is None:
            return
        mesh, spec, shape = layout
        document = document_of("array", resolve(mesh, spec, shape))
        if document is None:
            self._page.say("the studio cannot hold this layout", "bad")
        else:
            self._ways.studio(document)

    def _follow(self, address: str) -> None:
        if address.startswith("https://"):
            self._ways.outside(address)


@dataclass(frozen=True, slots=True)
class PasteExample:
    """Something to paste, for those who have nothing at hand.

    Attributes:
        text: What to paste.
        title: Its beginning.
        below: Where it comes from.
    """

    text: str
    title: str
    below: str


def examples_of(catalog: Catalog) -> dict[str, PasteExample]:
    """What the failing halves of some exhibits raised, by their ids."""
    made: dict[str, PasteExample] = {}
    for exhibit in catalog.exhibits:
        captures = [one for one in exhibit.captures if one.half is Half.FAILING and one.message]
        if exhibit.id in EXAMPLES and captures:
            last = captures[-1]
            text = f"{last.error}: {last.message}"
            title = " ".join(f"{last.error.rpartition('.')[2]}: {last.message}".split())
            title = title if len(title) <= _LONGEST_TITLE else f"{title[:_LONGEST_TITLE].rpartition(' ')[0]} …"
            made[exhibit.id] = PasteExample(text, title, f"recorded on JAX {last.jax}")
    return made

"""Decides what the page shows of the open exhibit, before, while and after it runs."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from gui.controllers import accounts, subjects
from gui.controllers.finished_run import FinishedRun
from gui.controllers.half_differences import HalfDifferences
from gui.controllers.runs import RunController, Wish
from gui.models.catalog_model import CatalogModel
from gui.widgets.exhibit_page import ExhibitPage
from gui.widgets.mesh_panel import MeshPanel
from gui.widgets.reading import Reading
from museum.catalog import Catalog
from museum.errors import MuseumError
from museum.exhibit import Exhibit, Half, Origin
from museum.history import History
from museum.lab.header import asked_otherwise
from museum.lab.outcome import RunOutcome, RunStatus
from museum.lab.runner import Limits
from museum.lab.target import Target
from museum.lab.verify import Judged, hangs_after, judge
from museum.showing import place_in_wing, proven_on
from museum.strip import Place, Strip, strip_of


class ExhibitController:
    """Connects the exhibit page, the mesh panel and the visitor's drafts.

    Args:
        catalog: The collection.
        page: The page.
        panel: The mesh panel.
        model: The sidebar's model, whose marks follow the runs.
        history: Keeps drafts.
        make_runs: Makes the run controller, given where outcomes, live output and the running state go.
        say: Tells the visitor in one line what could not be kept.
        note_verdict: Hears what an unchanged half did: id of the exhibit, JAX version, verdict.
    """

    def __init__(
        self,
        catalog: Catalog,
        page: ExhibitPage,
        panel: MeshPanel,
        model: CatalogModel,
        history: History,
        make_runs: Callable[..., RunController],
        say: Callable[[str], object] = lambda _: None,
        note_verdict: Callable[[str, str, str], object] = lambda *_: None,
    ) -> None:
        self._say, self._note_verdict = say, note_verdict
        self._catalog, self._page, self._panel, self._model, self._history = catalog, page, panel, model, history
        self._exhibit: Exhibit | None = None
        self._texts: dict[Half, str] = {}
        self._ran: dict[Half, Reading] = {}
        self._proofs: dict[Place, tuple[Judged, Reading]] = {}
        self._outcomes: dict[Half, FinishedRun] = {}
        self._logged: tuple[Wish, int] | None = None  # the last run, with its number
        self._refused = False
        self.why_not: Callable[[Exhibit], str] = lambda _: ""
        """Says why an exhibit must not be run, as one line; "" where it may."""
        self._differences = HalfDifferences(self._show_changed)
        self.runs = make_runs(on_outcome=self._on_outcome, on_live=self._on_live, on_running=self._on_running)
        page.run_requested.connect(self.run)
        page.version_requested.connect(self.run_at)
        page.reset_requested.connect(self.reset)
        page.text_edited.connect(self._on_page_text_edited)

    @property
    def exhibit(self) -> Exhibit | None:
        """The open one."""
        return self._exhibit

    @property
    def texts(self) -> dict[Half, str]:
        """The code of both halves as it stands."""
        return dict(self._texts)

    @property
    def edited(self) -> tuple[Half, ...]:
        """The halves that the visitor changed."""
        return tuple(half for half in Half if self._is_edited(half))

    @property
    def finished(self) -> FinishedRun | None:
        """The run whose account is on show, else the last one that there was; None before any."""
        shown = self._page.shown_reading
        of_shown = [run for half, run in self._outcomes.items() if shown and shown.label == accounts.label_of(half)]
        return next(iter((*of_shown, *reversed(self._outcomes.values()))), None)

    def set_catalog(self, catalog: Catalog) -> None:
        """Another collection; what is open stays."""
        self._catalog = catalog

    def open(self, exhibit: Exhibit) -> None:
        """Show an exhibit; what runs for another is ended."""
        self.runs.abandon()
        self._exhibit = exhibit
        self._ran = {}
        self._outcomes = {}
        self._proofs = {}
        # Of what is not agreed to, the original is on show: it is the original that the visitor agrees to.
        refused = bool(self.why_not(exhibit))
        drafts = {half: None if refused else self._history.draft(_place(exhibit, half)) for half in Half}
        self._texts = {half: exhibit.scripts[half] if draft is None else draft for half, draft in drafts.items()}
        wing = self._catalog.wing(exhibit.wing)
        overline = f"{place_in_wing(exhibit, wing)}   {wing.title}"
        self._page.show_exhibit(exhibit, overline, facts_line(exhibit), self._texts)
        self._compare_halves()
        self._blame_recorded(exhibit)
        readings = accounts.of_captures(exhibit)
        self._show_readings(chosen=accounts.first_to_show(readings, self.runs.jax))
        asked = subjects.asked_for(exhibit)
        self._panel.show_subjects(asked, "What the failing code asks for" if asked else "")
        self.runs.set_target(Target.parse(exhibit.facts.targets[0]))
        self._follow_trust(exhibit)

    def _follow_trust(self, exhibit: Exhibit) -> None:
        """Let the open exhibit be run, or refuse every way of it, as `why_not` says now."""
        self._refused = refused = bool(self.why_not(exhibit))
        if refused:
            self.runs.abandon()
        self._page.set_refused(refused=refused)
        self._expect()

    def refresh(self, exhibit: Exhibit) -> None:
        """The open exhibit may be another one on the disk by now, or be trusted: show it as it is.

        The halves stay as they are where their code is the same; what the visitor wrote there is kept in any case.
        """
        if self._exhibit is None or exhibit.id != self._exhibit.id:
            return
        changed = exhibit.scripts != self._exhibit.scripts and exhibit.scripts != self._texts
        if changed or self._refused is not bool(self.why_not(exhibit)):
            self.open(exhibit)
            return
        if exhibit != self._exhibit:
            self._exhibit = exhibit
            self._page.show_placard(exhibit, facts_line(exhibit))
            self._compare_halves()
        self.show_versions()

    def _expect(self) -> None:
        refused = self._exhibit is None or self.why_not(self._exhibit)
        self.runs.expect(() if refused else tuple(self._texts.values()))

    def leave(self) -> None:
        """The visitor goes to a page without an exhibit."""
        self.runs.abandon()
        self._differences.cancel()
        self.runs.expect(())
        self._exhibit = None
        self._panel.show_subjects((), "")

    async def close(self) -> None:
        """End everything and wait until nothing of it is alive."""
        self._differences.cancel()
        await self.runs.close()

    def run(self, half: Half) -> None:
        """Run one half as it stands."""
        if self._exhibit is not None and not self._refuses(self._exhibit):
            self._page.set_blame(half, 0, "")
            self.runs.start(Wish(self._exhibit.id, half, self._texts[half], limits=self._limits(self._exhibit, half)))

    def _refuses(self, exhibit: Exhibit) -> bool:
        """Say why an exhibit must not be run, where it must not."""
        why = self.why_not(exhibit)
        if why:
            self._say(why)
        return bool(why)

    def _limits(self, exhibit: Exhibit, half: Half) -> Limits | None:
        """An original that is there to hang is given as long as it takes to see that it does."""
        seconds = None if self._is_edited(half) or not self.runs.jax else hangs_after(exhibit, half, self.runs.jax)
        return replace(self.runs.usual_limits(), seconds=seconds) if seconds else None

    def run_at(self, place: Place) -> None:
        """Run one half, as it stands, on another version and target than the chosen ones, which it becomes."""
        if self._exhibit is None or self._refuses(self._exhibit):
            return
        self.runs.set_target(Target.parse(place.target))
        self.runs.set_jax(place.jax)
        self.run(place.half)

    def show_versions(self) -> None:
        """Show which versions are at hand now; what the visitor reads stays."""
        self._show_readings(chosen=None)

    def _strip(self, exhibit: Exhibit) -> Strip:
        strip = strip_of(exhibit, () if self.why_not(exhibit) else self.runs.versions)
        for place, (judged, _) in self._proofs.items():
            strip = strip.with_verdict(
                place, judged.verdict, f"just now{': ' + judged.detail if judged.detail else ''}"
            )
        return strip

    def bring_back(self, half: Half, code: str) -> None:
        """Put an earlier text into the open exhibit, as an edit that can be undone."""
        if self._exhibit is not None and not self._refuses(self._exhibit):
            self._page.replace_text(half, code)
            self._on_page_text_edited(half, code)

    def reset(self, half: Half) -> None:
        """Bring the original back, as an edit that can be undone."""
        if self._exhibit is not None:
            self.bring_back(half, self._exhibit.scripts[half])

    def _is_edited(self, half: Half) -> bool:
        return self._exhibit is not None and self._texts[half] != self._exhibit.scripts[half]

    def _on_page_text_edited(self, half: Half, text: str) -> None:
        if self._exhibit is None or text == self._texts[half]:
            return
        self._texts[half] = text
        place = _place(self._exhibit, half)
        try:
            if self._is_edited(half):
                self._history.keep_draft(place, text)
            else:
                self._history.drop_draft(place)
        except MuseumError as failure:
            self._say(str(failure))
        self._compare_halves()
        self._expect()

    def _compare_halves(self) -> None:
        for half in Half:
            self._page.set_edited(half, edited=self._is_edited(half))
        self._differences.compare(self._texts[Half.FAILING], self._texts[Half.FIX])

    def _show_changed(self, failing: Iterable[int], fix: Iterable[int]) -> None:
        for half, changed in ((Half.FAILING, failing), (Half.FIX, fix)):
            self._page.set_marks(half, changed)

    def _blame_recorded(self, exhibit: Exhibit) -> None:
        """Mark the line that the newest capture blames, as long as the code is the original."""
        if self._is_edited(Half.FAILING):
            return
        blamed = [capture for capture in exhibit.captures if capture.half is Half.FAILING and capture.line]
        if blamed:
            self._page.set_blame(Half.FAILING, blamed[-1].line, f"{blamed[-1].error}: {blamed[-1].message}")

    def _show_readings(self, chosen: int | None) -> None:
        """Show all accounts there are; None leaves the visitor at the one they read."""
        if self._exhibit is not None:
            proofs = {place: reading for place, (_, reading) in self._proofs.items()}
            recorded = [proofs.pop(one.place, one) if one.place else one for one in accounts.of_captures(self._exhibit)]
            readings = [*self._ran.values(), *recorded, *proofs.values()]
            self._page.show_readings(readings, chosen, self._strip(self._exhibit))

    def _on_running(self, running: bool) -> None:
        self._page.set_running(running=running)

    def _on_live(self, wish: Wish, stage: str, out: str, err: str) -> None:
        if self._exhibit is not None and self._exhibit.id == wish.exhibit and (out or err):
            label = accounts.label_of(wish.half)
            self._show_run(wish.half, Reading(label, "", verdict=f"… {stage}", stdout=out, stderr=err, is_live=True))

    def _show_run(self, half: Half, reading: Reading) -> None:
        """Show an account of a run; one that goes on does not call the visitor back from another tab."""
        goes_on = half in self._ran and self._ran[half].is_live
        self._ran[half] = reading
        if goes_on and reading.is_live:
            self._page.update_reading(reading)
        else:
            self._show_readings(chosen=None if goes_on else list(self._ran).index(half))

    def _log(self, wish: Wish, outcome: RunOutcome, jax: str) -> None:
        if outcome.status is not RunStatus.NOT_STARTED:
            try:
                place, before = f"{wish.exhibit} {wish.half}", self._logged
                # The process's end may make its outcome another one: it is the same run.
                known = before[1] if before and before[0] is wish else 0
                self._logged = wish, self._history.runs.add(place, wish.script, outcome, jax, instead_of=known)
            except MuseumError as failure:
                self._say(str(failure))

    def _on_outcome(self, wish: Wish, outcome: RunOutcome, jax: str) -> None:
        self._log(wish, outcome, jax)
        exhibit = self._exhibit
        if exhibit is None or exhibit.id != wish.exhibit:
            return
        self._outcomes.pop(wish.half, None)  # so that the last run stands last
        self._outcomes[wish.half] = FinishedRun(exhibit.title, wish, outcome, jax)
        edited = wish.script != exhibit.scripts[wish.half]
        asks_for = asked_otherwise(wish.script, outcome.target)
        reading = accounts.of_run(exhibit, wish.half, outcome, jax, edited=edited, asks_for=asks_for)
        judged = None if edited or outcome.exit_code is None else judge(exhibit, wish.half, outcome, jax)
        if judged is not None:
            place = Place(wish.half, outcome.target, jax)
            self._proofs[place] = judged, replace(reading, label=f"{wish.half} on JAX {jax}, just now", place=place)
        self._show_run(wish.half, reading)
        self._page.reveal_reading()
        if outcome.exception and self._texts[wish.half] == wish.script:
            self._page.set_blame(wish.half, outcome.exception.blamed_line, str(outcome.exception))
        elif outcome.status is RunStatus.NOT_STARTED and wish.half is Half.FAILING:
            self._blame_recorded(exhibit)
        seen = subjects.seen_in(outcome)
        if seen and not edited and wish.half is Half.FAILING and not subjects.failed_on(outcome):
            seen = (*subjects.asked_for(exhibit), *seen)
        if seen:
            self._panel.show_subjects(seen, f"Seen in the run of the {wish.half} half")
        if judged is not None:
            self._note_verdict(exhibit.id, jax, judged.verdict)
            self._model.set_mark(exhibit.id, accounts.mark_of_verdict(judged.verdict, wish.half))


def _place(exhibit: Exhibit, half: Half) -> str:
    return f"{exhibit.id} {half}"


def short_facts(exhibit: Exhibit) -> str:
    """Kind and where it is proven."""
    proven = proven_on(exhibit)
    reported = any(capture.origin is Origin.REPORTED for capture in exhibit.captures)
    unproven = "reported by others, not run by the museum" if reported else "not proven yet"
    where = f"proven on JAX {', '.join(proven)}" if proven else unproven
    return f"{exhibit.facts.kind} · {where}"


def facts_line(exhibit: Exhibit) -> str:
    """Kind, where it is proven, on what, and what it needs."""
    parts = [short_facts(exhibit), " or ".join(Target.parse(target).words for target in exhibit.facts.targets)]
    if exhibit.facts.needs_jax:
        simple = "," not in exhibit.facts.needs_jax
        needs = f"needs JAX {exhibit.facts.needs_jax}" if simple else "not on every JAX"
        parts.append(f"{needs}: {exhibit.facts.needs_why}")
    return " · ".join(parts)

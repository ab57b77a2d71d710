"""Decides what one tab of the bench runs and shows."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace

import msgspec

from gui.controllers.bench_accounts import label_of, notes_of, of_live, of_run
from gui.controllers.finished_run import FinishedRun
from gui.controllers.runs import Lab, RunController, Wish
from gui.widgets.bench_view import BenchView, Inputs
from gui.widgets.finding_line import Finding, failure_of
from gui.widgets.reading import Reading
from museum.bench.flags import FlagChecker
from museum.bench.snippet import Snippet
from museum.bench.variables import read_arguments, read_variables
from museum.errors import MuseumError
from museum.exhibit import Half
from museum.lab.environments import Environment
from museum.lab.header import asked_otherwise, wanted_target
from museum.lab.outcome import RunOutcome, RunStatus
from museum.lab.runner import Limits
from museum.lab.target import Target
from museum.run_log import RunLog

Find = Callable[[Reading], AsyncIterator[Finding]]
"""Says in a line what explains a failed run, and says it better once more is known."""

MOST_READINGS = 6  # runs that a tab still shows
SETTLE = 0.6  # seconds without a key before flags are judged
AGAIN = "Run again to run it all the same."
ASKING = "Asking XLA about the flags …"


class BenchTab:
    """Connects the view of a snippet with the lab.

    Args:
        snippet: As it was kept.
        view: Made for it.
        lab: Runs things.
        checker: Knows which flags are refused.
        log: Keeps finished runs.
        on_changed: Hears of each change to the snippet.
        say: Tells the visitor in one line what could not be kept.
        limits: Tells what a run may use.
        find: Explains a failed run; None for nothing.
    """

    def __init__(
        self,
        snippet: Snippet,
        view: BenchView,
        lab: Lab,
        checker: FlagChecker,
        log: RunLog,
        on_changed: Callable[[Snippet], None],
        say: Callable[[str], object],
        limits: Callable[[], Limits] = Limits,
        find: Find | None = None,
    ) -> None:
        self._find = find
        self._finding: asyncio.Task[None] | None = None
        self._logged: tuple[Wish, int] | None = None  # the last run, with its number
        self.snippet, self.view = snippet, view
        self._checker, self._log, self._on_changed, self._say = checker, log, on_changed, say
        self._readings: list[Reading] = []
        self._finished: dict[str, FinishedRun] = {}  # by label
        self._number = 0
        self._agreed: object = None  # what the visitor was warned of
        self._wants_run = False
        self._asking: asyncio.Task[None] | None = None
        self._settling: asyncio.TimerHandle | None = None
        self.runs = RunController(
            view.bar, lab, self._on_outcome, self._on_live, self._on_running, self._on_chosen, limits
        )
        view.show_snippet(snippet.code, Inputs(snippet.arguments, snippet.variables))
        view.text_edited.connect(self._on_view_text_edited)
        view.inputs_edited.connect(self._on_view_inputs_edited)
        view.run_requested.connect(self.run)
        view.bar.stop_requested.connect(self._stop_asking)
        self._wanted = _wanted(snippet.code)
        try:
            self.runs.set_target(Target.parse(snippet.target))
        except MuseumError:
            self._change(target=str(self.runs.target))  # kept by a museum that knew other targets
        self.runs.expect((snippet.code,))
        self._warn()

    @property
    def finished(self) -> FinishedRun | None:
        """The run whose account is on show, else the last one; None before any."""
        shown = self.view.shown_reading
        return self._finished.get(shown.label if shown else "") or next(reversed(self._finished.values()), None)

    def take_environments(self, environments: Sequence[Environment]) -> None:
        """Offer what is at hand; the snippet's own version is chosen if it is there."""
        self.runs.take_environments(environments)
        self.runs.set_jax(self.snippet.jax)
        self._judge_soon()

    def replace_text(self, text: str) -> None:
        """Put another text there, as an edit that can be undone."""
        self.view.replace_text(text)
        self._on_view_text_edited(text)

    def change(self, **values: str) -> None:
        """Change what the snippet is called and where it lies."""
        self._change(**values)

    def run(self) -> None:
        """Run it as it stands; where something would go wrong, say so first and run at the next wish."""
        if not self._must_ask():
            self._run_unless_warned()
            return
        self._wants_run = True
        self.view.warn((ASKING,))
        self.view.set_running(running=True)
        self._start_asking()

    def stop(self) -> None:
        """End the run."""
        self._stop_asking()
        self.runs.stop()

    async def close(self) -> None:
        """End everything and wait until nothing of it is alive."""
        asking = self._asking
        self._stop_asking()
        if self._settling is not None:
            self._settling.cancel()
        await self.runs.close()
        self._stop_finding()
        await asyncio.gather(*filter(None, (asking, self._finding)), return_exceptions=True)

    def _change(self, **values: str) -> None:
        self.snippet = msgspec.structs.replace(self.snippet, **values)
        self._on_changed(self.snippet)

    def _on_view_text_edited(self, text: str) -> None:
        if text == self.snippet.code:
            return
        wanted = _wanted(text)
        if wanted is not None and wanted != self._wanted:
            self.runs.set_target(wanted)  # the header was written just now
        self._wanted = wanted
        self._change(code=text, target=str(self.runs.target))
        self.runs.expect((text,))

    def _on_view_inputs_edited(self, inputs: Inputs) -> None:
        self._change(arguments=inputs.arguments, variables=inputs.variables)
        self._warn()
        self._judge_soon()

    def _on_chosen(self) -> None:
        self._change(target=str(self.runs.target), jax=self.runs.jax)
        self._warn()
        self._judge_soon()

    # Warnings

    def _flags(self) -> str:
        return read_variables(self.snippet.variables).values.get("XLA_FLAGS", "")

    def _warnings(self) -> tuple[str, ...]:
        """All that is known to go wrong with a run."""
        _, fault = read_arguments(self.snippet.arguments)
        environment, flags = self.runs.environment, self._flags()
        known = self._checker.known(environment, flags) if environment and flags else None
        return (*((fault,) if fault else ()), *read_variables(self.snippet.variables).problems, *(known or ()))

    def _warn(self, behind: str = "") -> None:
        lines = self._warnings()
        self.view.warn((*lines, behind) if behind else lines)

    def _judge_soon(self) -> None:
        """Ask XLA about the flags once they are not typed at any more."""
        if self._settling is not None:
            self._settling.cancel()
            self._settling = None
        if self._flags():
            self._settling = asyncio.get_event_loop().call_later(SETTLE, self._judge)

    def _judge(self) -> None:
        self._settling = None
        if self._must_ask():
            self._start_asking()

    def _must_ask(self) -> bool:
        """Whether there are flags that nobody has judged yet."""
        environment, flags = self.runs.environment, self._flags()
        return bool(flags) and (environment is None or self._checker.known(environment, flags) is None)

    def _start_asking(self) -> None:
        if self._asking is None:
            self._asking = asyncio.ensure_future(self._ask())

    def _stop_asking(self) -> None:
        self._wants_run = False
        if self._asking is not None:
            self._asking.cancel()

    async def _ask(self) -> None:
        """Let XLA judge the flags, and run what was to be run meanwhile."""
        fault = ""
        try:
            if self.runs.environment is None:
                await self.runs.find_environments()
            if self.runs.environment is not None:
                await self._checker.complaints(self.runs.environment, self._flags())
        except MuseumError as error:
            fault = str(error)
        finally:
            self._asking = None
            self.view.set_running(running=self.runs.is_running)
            self._warn(fault)
        if self._wants_run and not fault:
            self._run_unless_warned()

    # Runs

    def _run_unless_warned(self) -> None:
        self._wants_run = False
        snippet = self.snippet
        arguments, fault = read_arguments(snippet.arguments)
        warnings = self._warnings()
        agreed = (snippet.arguments, snippet.variables, warnings)
        if fault or (warnings and agreed != self._agreed):
            self._agreed = agreed
            self._warn("" if fault else AGAIN)
            return
        self._warn()
        self._number += 1
        self._stop_finding()
        self.view.set_blame(0, "")
        self.view.set_notes({})
        values = read_variables(snippet.variables).values
        self.runs.start(Wish(snippet.id, Half.FAILING, snippet.code, arguments, values))

    def _label(self) -> str:
        return label_of(self._number, self.runs.jax, str(self.runs.target))

    def _on_running(self, running: bool) -> None:
        self.view.set_running(running=running)

    def _on_live(self, _wish: Wish, stage: str, out: str, err: str) -> None:
        if out or err:
            self._show(of_live(self._live_label(), stage, out, err))

    def _live_label(self) -> str:
        return self._readings[0].label if self._readings and self._readings[0].is_live else self._label()

    def _show(self, reading: Reading) -> None:
        """Show an account of the last run; one that goes on does not call the visitor back from another."""
        goes_on = bool(self._readings) and self._readings[0].is_live
        if goes_on:
            self._readings[0] = reading
        else:
            self._readings = [reading, *self._readings][:MOST_READINGS]
        if goes_on and reading.is_live:
            self.view.update_reading(reading)
        else:
            self.view.show_readings(tuple(self._readings), None if goes_on else 0)

    def _on_outcome(self, wish: Wish, outcome: RunOutcome, jax: str) -> None:
        self._log_run(wish, outcome, jax)
        label = self._live_label()
        again = f"run {self._number}:"
        if self._readings and not self._readings[0].is_live and self._readings[0].label.startswith(again):
            self._readings.pop(0)  # the process's end made its outcome another one
        self._finished[label] = FinishedRun(self.snippet.title, wish, outcome, jax)
        labels = {reading.label for reading in self._readings} | {label}
        self._finished = {one: run for one, run in self._finished.items() if one in labels}
        reading = of_run(label, outcome, jax, asked_otherwise(wish.script, outcome.target))
        self._show(reading)
        self._start_finding(reading)
        self.view.reveal_reading()
        if wish.script == self.snippet.code:
            self.view.set_notes(notes_of(outcome))
            if outcome.exception:
                self.view.set_blame(outcome.exception.blamed_line, str(outcome.exception))

    # What explains a failure

    def _start_finding(self, reading: Reading) -> None:
        self._stop_finding()
        if self._find is not None and failure_of(reading):
            self._finding = asyncio.ensure_future(self._explain(self._find, reading))

    def _stop_finding(self) -> None:
        if self._finding is not None:
            self._finding.cancel()

    async def _explain(self, find: Find, reading: Reading) -> None:
        """Say below the account of the last run what explains it; a later run ends this."""
        async for finding in find(reading):
            self._readings[0] = replace(reading, finding=finding)
            self.view.show_finding(self._readings[0])

    def _log_run(self, wish: Wish, outcome: RunOutcome, jax: str) -> None:
        if outcome.status is RunStatus.NOT_STARTED:
            return
        place = f"bench: {self.snippet.title}"
        known = self._logged[1] if self._logged and self._logged[0] is wish else 0  # another outcome of the same run
        try:
            number = self._log.add(
                *(place, wish.script, outcome, jax),
                arguments=wish.arguments,
                variables=wish.variables,
                instead_of=known,
            )
            self._logged = wish, number
        except MuseumError as failure:
            self._say(str(failure))


def _wanted(code: str) -> Target | None:
    try:
        return wanted_target(code)
    except MuseumError:
        return None  # half typed

"""Decides what the dialog of runs shows, and what becomes of a run."""

from collections.abc import Callable, Sequence
from datetime import datetime

from gui.widgets.history_dialog import HistoryDialog, HistoryRow
from gui.widgets.reading import Reading
from museum.errors import MuseumError
from museum.run_log import LoggedRun, RunLog, WholeRun


class RunHistoryController:
    """Connects the dialog with the log of runs.

    Args:
        make_dialog: Makes and shows the dialog.
        log: The runs.
        reopen: Brings a run's code back to where it ran.
    """

    def __init__(
        self, make_dialog: Callable[[], HistoryDialog], log: RunLog, reopen: Callable[[WholeRun], object]
    ) -> None:
        self._make_dialog, self._log, self._reopen = make_dialog, log, reopen
        self._dialog: HistoryDialog | None = None
        self._query, self._only_failed = "", False

    def open(self) -> None:
        """Show the dialog; a second one is not opened."""
        if self._dialog is not None:
            self._dialog.raise_()
            self.refresh()
            return
        self._query, self._only_failed = "", False
        self._dialog = dialog = self._make_dialog()
        dialog.query_changed.connect(self._on_dialog_query_changed)
        dialog.chosen.connect(self._on_dialog_chosen)
        dialog.open_requested.connect(self._on_dialog_open_requested)
        dialog.pin_requested.connect(self._on_dialog_pin_requested)
        dialog.delete_requested.connect(self._on_dialog_delete_requested)
        dialog.clear_requested.connect(self._on_dialog_clear_requested)
        dialog.finished.connect(self._on_dialog_finished)
        self.refresh()

    def refresh(self) -> None:
        """List the runs anew."""
        self._do(lambda: None)

    def _do(self, change: Callable[[], object]) -> None:
        """Change something and list what is there then; a history that cannot be used says so in the dialog."""
        if self._dialog is None:
            return
        try:
            change()
            runs = self._log.find(self._query, failed=True if self._only_failed else None)
            self._dialog.show_rows([row_of(run) for run in runs], self._log.count())
        except MuseumError as failure:
            self._dialog.say(str(failure), "bad")

    def _on_dialog_query_changed(self, words: str, only_failed: bool) -> None:
        self._query, self._only_failed = words, only_failed
        self.refresh()

    def _on_dialog_chosen(self, numbers: Sequence[int]) -> None:
        if self._dialog is None:
            return
        try:
            whole = [self._log.get(number) for number in numbers[:2]]
        except MuseumError as failure:
            self._dialog.say(str(failure), "bad")
            return
        if len(numbers) == 1:
            self._dialog.show_reading(reading_of(whole[0]))
        else:
            self._dialog.show_reading(comparison(*whole) if len(numbers) == 2 else None)

    def _on_dialog_open_requested(self, number: int) -> None:
        self._do(lambda: self._reopen(self._log.get(number)))

    def _on_dialog_pin_requested(self, number: int, on: bool) -> None:
        self._do(lambda: self._log.pin(number, on=on))

    def _on_dialog_delete_requested(self, numbers: Sequence[int]) -> None:
        self._do(lambda: self._log.delete(numbers))

    def _on_dialog_clear_requested(self) -> None:
        self._do(self._log.clear)

    def _on_dialog_finished(self) -> None:
        self._dialog = None


def row_of(run: LoggedRun) -> HistoryRow:
    """A run in words."""
    good = run.status == "ok"
    ended = ("✓ " if good else "✗ ") + run.words
    cells = ("pinned" if run.pinned else "", _when(run.at), run.place, run.jax, run.target, ended)
    return HistoryRow(run.id, cells, "good" if good else "bad", run.pinned)


def reading_of(whole: WholeRun) -> Reading:
    """What a run did, as the exhibit page shows such things."""
    run = whole.run
    facts = [
        run.place,
        f"JAX {run.jax}",
        run.target,
        f"environment {run.environment}",
        f"{run.seconds:.2f} s" if run.seconds else "",
        f"exit status {run.exit_code}" if run.exit_code is not None else "",
        f"{whole.dropped:,} bytes of output not kept" if whole.dropped else "",
    ]
    return Reading(
        label=f"{run.place} on JAX {run.jax}, {_when(run.at)}",
        provenance=" · ".join(filter(None, facts)),
        jax=run.jax,
        error=run.error,
        message=run.message if run.error else "",
        verdict=("✓ " if run.status == "ok" else "✗ ") + (run.status if run.error else run.words),
        role="good" if run.status == "ok" else "bad",
        stdout=whole.stdout,
        stderr=whole.stderr,
    )


def comparison(upper: WholeRun, lower: WholeRun) -> Reading:
    """Two runs against each other, by word, each side named."""
    from dataclasses import replace

    one, other = reading_of(upper), reading_of(lower)
    label = f"{one.label} above, {other.label} below; words that differ are marked:"
    return replace(one, recorded=other.words, recorded_label=label)


def _when(at: datetime) -> str:
    """In the visitor's own time zone."""
    return at.astimezone().strftime("%Y-%m-%d %H:%M:%S")

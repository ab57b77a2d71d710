"""Decides what the visitor hears of faults of the museum's own: one dialog at a time, each fault once."""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import SignalInstance

from museum.faults import Fault, report

MOST_TOLD = 8  # different ones in one report
SENTENCE = "Something in the museum itself went wrong. What you wrote is kept, and you can go on."


class FaultView(Protocol):
    """What the controller needs of the dialog."""

    quit_requested: SignalInstance
    finished: SignalInstance

    def show_fault(self, sentence: str, summary: str, often: str, report: str) -> None:
        """Show it, or another state of it."""


class FaultController:
    """Connects what hears of faults with a dialog.

    Args:
        make_dialog: Makes and shows the dialog.
        quit_now: Closes the museum.
        say: Tells something in one quiet line.
    """

    def __init__(
        self, make_dialog: Callable[[], FaultView], quit_now: Callable[[], object], say: Callable[[str], object]
    ) -> None:
        self._make_dialog, self._quit, self._say = make_dialog, quit_now, say
        self._dialog: FaultView | None = None
        self._times: dict[str, int] = {}
        self._told: dict[str, Fault] = {}  # in the dialog that is open
        self._further = 0

    def take(self, fault: Fault) -> None:
        """Tell of a fault; of one that was told of before, only that it happened again."""
        self._times[fault.key] = times = self._times.get(fault.key, 0) + 1
        if fault.is_refusal:
            self._say(fault.summary.partition(": ")[2] or fault.summary)
        elif self._dialog is not None:
            if len(self._told) < MOST_TOLD:
                self._told.setdefault(fault.key, fault)
            elif fault.key not in self._told:
                self._further += 1
            self._show()
        elif times > 1:
            self._say(f"It went wrong again, {times} times by now: {fault.summary}. Help, Show the log, has all of it.")
        else:
            self._told, self._further = {fault.key: fault}, 0
            self._dialog = dialog = self._make_dialog()
            dialog.quit_requested.connect(self._quit)
            dialog.finished.connect(self._on_dialog_finished)
            self._show()

    def _show(self) -> None:
        if self._dialog is None:
            return
        first, *others = self._told.values()
        words = []
        if self._times[first.key] > 1:
            words.append(f"It happened {self._times[first.key]} times.")
        if count := len(others) + self._further:
            words.append(f"{count} other {'fault' if count == 1 else 'faults'} since; the log has all of them.")
        text = report([(fault, self._times[fault.key]) for fault in self._told.values()])
        self._dialog.show_fault(SENTENCE, first.summary, " ".join(words), text)

    def _on_dialog_finished(self) -> None:
        self._dialog = None

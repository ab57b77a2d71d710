"""Decides what is shown of the museum's own log, and of crashes."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from gui.widgets.text_dialog import TextDialog
from museum.instances import Crash
from museum.log import last_entries, log_file
from museum.scrub import Private, scrubbed

NOTHING = "Nothing went wrong yet: the log is empty."


class LogController:
    """Shows the log, read in a thread.

    Args:
        make_dialog: Makes and shows a dialog with a title.
        home: Where the log lies.
    """

    def __init__(self, make_dialog: Callable[[str], TextDialog], home: Path) -> None:
        self._make_dialog, self._home = make_dialog, home
        self._dialog: TextDialog | None = None
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Show the newest entries; a second dialog is not opened."""
        if self._dialog is not None:
            self._dialog.raise_()
        else:
            self._dialog = self._make_dialog("Log of the museum")
            self._dialog.show_text("Reading the log …", "")
            self._dialog.finished.connect(self._on_dialog_finished)
        self._task = asyncio.ensure_future(self._read())

    def show_crashes(self, crashes: Sequence[Crash]) -> None:
        """Show what Python wrote when it ended hard."""
        text = "\n\n".join(f"{_when(crash)}\n{crash.text.strip()}" for crash in crashes)
        self._make_dialog("How the museum ended").show_text(text, scrubbed(text, Private.of_this_machine()))

    async def close(self) -> None:
        """Wait until nothing is under way."""
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    async def _read(self) -> None:
        text, copied = await asyncio.to_thread(_entries, self._home)
        if self._dialog is not None:
            self._dialog.show_text(text or NOTHING, copied, str(log_file(self._home)))

    def _on_dialog_finished(self) -> None:
        self._dialog = None


def _entries(home: Path) -> tuple[str, str]:
    text = last_entries(home)
    return text, scrubbed(text, Private.of_this_machine()) if text else ""


def words_of(crashes: Sequence[Crash]) -> str:
    """That the museum ended badly, in one line."""
    often = f", and {len(crashes) - 1} more" if len(crashes) > 1 else ""
    return f"The museum ended badly on {_when(crashes[-1])}{often}; what you wrote is kept."


def _when(crash: Crash) -> str:
    return datetime.fromtimestamp(crash.at, tz=UTC).astimezone().strftime("%Y-%m-%d at %H:%M")

"""A history whose drafts are written by a thread of their own, so that no key waits for the disk."""

import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from museum.errors import MuseumError
from museum.history import History

BEFORE_ANOTHER_TRY = 1.0  # seconds after a write that failed
LONGEST_WAIT = 2.0  # seconds that a take-over waits for drafts on their way
_Drafts = dict[str, str | None]  # by place; None for one that is dropped


class ThreadedHistory(History):
    """As `History`, but `keep_draft` and `drop_draft` return at once.

    A draft is on disk a few milliseconds later; of those that wait only the last one of each place is written. What
    waits is seen by `draft` and `drafts`, is written before the history is closed, and is tried again where it could
    not be written.
    """

    def __init__(
        self,
        file: Path | None = None,
        owner: str = "",
        others: Callable[[], frozenset[str]] = frozenset,
        tell: Callable[[str], object] = lambda _: None,
    ) -> None:
        """Open it as `History`.

        Args:
            file: As there.
            owner: As there.
            others: As there; called in the thread too.
            tell: Called in the thread, with one line, when drafts cannot be written.

        Raises:
            MuseumError: As there.
        """
        super().__init__(file, owner, others)
        self._tell = tell
        self._waiting: _Drafts = {}
        self._written: _Drafts = {}  # just now
        self._change = threading.Condition()
        self._is_closing = False
        self._thread: threading.Thread | None = None

    def keep_draft(self, place: str, text: str) -> None:
        """Remember what stands at a place now, soon."""
        self._write_soon(place, text)

    def drop_draft(self, place: str) -> None:
        """Forget it, soon: the original stands there again."""
        self._write_soon(place, None)

    def draft(self, place: str) -> str | None:
        """What the visitor wrote at a place, on disk or on its way there; None when they left it as it was."""
        with self._change:
            for drafts in (self._waiting, self._written):
                if place in drafts:
                    return drafts[place]
        return super().draft(place)

    def drafts(self) -> Mapping[str, str]:
        """All drafts by place, those on their way to the disk as well."""
        with self._change:
            under_way = {**self._written, **self._waiting}
        found = {**super().drafts(), **under_way}
        return {place: text for place, text in found.items() if text is not None}

    def take_over(self, reconcile: Callable[[str, Sequence[str]], Mapping[str, str]]) -> None:
        """As `History`, of what is on disk once nothing waits any more."""
        with self._change:
            self._change.wait_for(lambda: not self._waiting and not self._written, LONGEST_WAIT)
        super().take_over(reconcile)

    def close(self) -> None:
        """Write what waits, and let go of the file."""
        with self._change:
            self._is_closing = True
            self._change.notify_all()
        if self._thread is not None:
            self._thread.join()
        super().close()

    def _write_soon(self, place: str, text: str | None) -> None:
        with self._change:
            self._waiting[place] = text
            if self._thread is None:
                # A daemon, or a program that breaks before it closes the history would never end.
                self._thread = threading.Thread(target=self._write, name="drafts", daemon=True)
                self._thread.start()
            self._change.notify_all()

    def _write(self) -> None:
        failed = ""
        while self._take():
            try:
                self._write_taken()
                failed = ""
            except sqlite3.Error as failure:
                if str(failure) != failed:
                    failed = str(failure)
                    self._tell(str(MuseumError(f"{self.file}: drafts cannot be kept: {failure}")))
                self._put_back()

    def _take(self) -> bool:
        """Wait for drafts and take them; False when there are none and none will come."""
        with self._change:
            self._change.wait_for(lambda: self._waiting or self._is_closing)
            self._written, self._waiting = self._waiting, {}
            return bool(self._written)

    def _write_taken(self) -> None:
        # SQLite lets a connection work in the thread that made it only.
        base = sqlite3.connect(self.file, timeout=5.0, isolation_level=None)
        try:
            base.execute("pragma synchronous = normal")
            base.execute("begin immediate")
            for place, text in self._written.items():
                base.execute(*(self.dropping(place) if text is None else self.keeping(place, text)))
            base.execute("commit")
        finally:
            base.close()
        with self._change:
            self._written = {}
            self._change.notify_all()

    def _put_back(self) -> None:
        """Have another try later; at the end there is none."""
        with self._change:
            self._waiting = {} if self._is_closing else {**self._written, **self._waiting}
            self._written = {}
            self._change.wait_for(lambda: self._is_closing, BEFORE_ANOTHER_TRY)

"""Decides which records of others are kept and listed; they are never mixed with exhibits."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gui.widgets.records_view import RecordsView
from museum.errors import MuseumError

if TYPE_CHECKING:
    from museum.diagnosis.reading import Reading
    from museum.diagnosis.record_shelf import RecordSearch
    from museum.diagnosis.records import Record

FILE = "records.json"
MOST_TOLD = 3  # problems of a file that are told in full


class RecordsController:
    """Connects the list of records with their shelf; files are read and written in a thread, one after the other.

    Args:
        view: The view.
        home: Where the shelf is.
        open_snippet: Opens a snippet on the bench, by title and code.
    """

    def __init__(self, view: RecordsView, home: Path, open_snippet: Callable[[str, str], object]) -> None:
        from museum.diagnosis.record_shelf import RecordShelf

        self._view, self._open_snippet = view, open_snippet
        self._shelf = RecordShelf(home / FILE)
        self._records: Sequence[Record] = ()
        self._search: RecordSearch | None = None
        self._reading: Reading | None = None
        self._work: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Lock()
        view.import_requested.connect(self.take_in)
        view.remove_requested.connect(self._on_view_remove_requested)
        view.draft_requested.connect(self._on_view_draft_requested)
        self._start(self._load())

    def ask_for_files(self) -> None:
        """Let the visitor choose files with records."""
        self._view.ask_for_files()

    def take_in(self, paths: Sequence[str]) -> None:
        """Keep the records of these files; what is malformed is told, and keeps nothing else out."""
        self._view.say("Reading records …")
        self._start(self._take_in([Path(path) for path in paths]))

    def show_for(self, reading: "Reading | None") -> None:
        """List those that may be about an error; all of them for None."""
        self._reading = reading
        self._list()

    async def close(self) -> None:
        """Wait until what is being written is written."""
        await asyncio.gather(*self._work, return_exceptions=True)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _load(self) -> None:
        await self._change(self._shelf.load, "")

    async def _take_in(self, files: Sequence[Path]) -> None:
        from museum.diagnosis.records import load_sound_records

        records: list[Record] = []
        problems: list[str] = []
        for file in files:
            try:
                sound, faults = await asyncio.to_thread(load_sound_records, file)
            except MuseumError as failure:
                sound, faults = (), (str(failure),)
            records += sound
            problems += faults
        words = _taken(len(records), problems)
        if not records:
            self._view.say(words, "bad" if problems else "faint")
            return
        await self._change(lambda: self._shelf.add(records), words, "doubt" if problems else "faint")

    def _on_view_remove_requested(self, record: "Record") -> None:
        self._start(self._change(lambda: self._shelf.remove(record), "One record removed."))

    async def _change(self, work: "Callable[[], tuple[Record, ...]]", words: str, role: str = "faint") -> None:
        """Do something to the shelf, and list what is there then."""
        async with self._turn:
            try:
                self._records = await asyncio.to_thread(work)
            except MuseumError as failure:
                self._view.say(str(failure), "bad")
                return
            self._search = await asyncio.to_thread(_indexed, self._records)
        self._view.say(words, role)
        self._list()

    def _list(self) -> None:
        if self._reading is None or self._search is None:
            self._view.show_records(self._records, len(self._records))
        else:
            self._view.show_records(self._search.find(self._reading), len(self._records))

    def _on_view_draft_requested(self, record: "Record") -> None:
        from museum.diagnosis.record_draft import drafted, title_of

        self._open_snippet(title_of(record), drafted(record))


def _indexed(records: "Sequence[Record]") -> "RecordSearch":
    from museum.diagnosis.record_shelf import RecordSearch

    return RecordSearch(records)


def _taken(count: int, problems: Sequence[str]) -> str:
    """What became of an import, in as few lines as tell it."""
    taken = f"{count} record{'' if count == 1 else 's'} taken in" if count else "No record taken in"
    more = len(problems) - MOST_TOLD
    told = [*problems[:MOST_TOLD], *([f"and {more} more were left out"] if more > 0 else [])]
    return "\n".join([f"{taken}{', these were left out:' if told else '.'}", *told])

"""Records of others that the visitor took in: kept in the museum's home, and found again by what is pasted."""

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from museum.diagnosis.reading import Reading
from museum.diagnosis.records import Record
from museum.diagnosis.site_index import RaiseSite, SiteIndex
from museum.diagnosis.site_search import find_sites
from museum.errors import MuseumError

FORMAT = 1
MOST = 5_000  # records
LEAST = 14.0  # points below which a likeness is chance, as for raise sites
_LONGEST = 2_000  # characters of a message that are compared
_HOLE = re.compile(r"\{([^{}]*)\}")


class _File(msgspec.Struct, frozen=True):
    format: int
    records: tuple[Record, ...]


class RecordShelf:
    """Those records on disk; another window's are kept as well.

    Every write is whole or not at all.

    Attributes:
        file: Where they are.
    """

    def __init__(self, file: Path) -> None:
        """Nothing is read yet."""
        self.file = file

    def load(self) -> tuple[Record, ...]:
        """All of them, the last ones taken in first.

        Raises:
            MuseumError: The file cannot be read, or is damaged: it is set aside then, and the next time there is none.
        """
        try:
            content = self.file.read_bytes()
        except FileNotFoundError:
            return ()
        except OSError as failure:
            raise MuseumError(f"{self.file}: cannot be read: {failure.strerror or failure}") from failure
        try:
            kept = msgspec.json.decode(content, type=_File)
        except (msgspec.DecodeError, UnicodeDecodeError) as failure:
            raise MuseumError(f"{self._set_aside()}: {failure}") from failure
        if kept.format != FORMAT:
            raise MuseumError(f"{self.file}: has format {kept.format}; this museum reads format {FORMAT}")
        return kept.records

    def add(self, records: Iterable[Record]) -> tuple[Record, ...]:
        """Take records in; one that is there already is replaced. Gives back all.

        Raises:
            MuseumError: It cannot be written, or there are too many; what was kept before is still there.
        """
        new = {_key(record): record for record in records}
        kept = (*new.values(), *(record for record in self.load() if _key(record) not in new))
        if len(kept) > MOST:
            raise MuseumError(f"{len(kept):,} records are too many: at most {MOST:,} are kept; remove some first")
        return self._write(kept)

    def remove(self, record: Record) -> tuple[Record, ...]:
        """Forget one. Gives back the others.

        Raises:
            MuseumError: It cannot be written; what was kept before is still there.
        """
        return self._write(tuple(other for other in self.load() if _key(other) != _key(record)))

    def _write(self, records: tuple[Record, ...]) -> tuple[Record, ...]:
        beside = self.file.with_name(f".{self.file.name}.{os.getpid()}.new")
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with beside.open("wb") as stream:
                stream.write(msgspec.json.encode(_File(FORMAT, records)))
                stream.flush()
                os.fsync(stream.fileno())
            beside.replace(self.file)
        except OSError as failure:
            beside.unlink(missing_ok=True)
            raise MuseumError(f"{self.file}: cannot be written: {failure.strerror or failure}") from failure
        return records

    def _set_aside(self) -> str:
        aside = self.file.with_name(f"{self.file.name}.damaged")
        try:
            self.file.replace(aside)
        except OSError as failure:
            return f"{self.file}: is damaged and cannot be set aside ({failure.strerror or failure})"
        return f"the records of others were damaged and set aside as {aside}"


class RecordSearch:
    """Finds the records that a paste may be about, by their words and their class; patterns of theirs are never run.

    Args:
        records: What was taken in.
    """

    def __init__(self, records: Sequence[Record]) -> None:
        self._records = records
        templates = [tuple(_HOLE.split(record.error_message[:_LONGEST])) for record in records]
        sites = [
            RaiseSite("record", record.error_class, record.file_path, number, "", (number,))
            for number, record in enumerate(records)
        ]
        self._index = SiteIndex("", "", sites, templates)

    def find(self, reading: Reading, limit: int = 20) -> tuple[Record, ...]:
        """Those that may be about an error, the best first."""
        hits = find_sites(self._index, reading.message, reading.error, limit=limit)
        return tuple(self._records[hit.site.line] for hit in hits if hit.points >= LEAST)


def _key(record: Record) -> tuple[str, str]:
    return record.repo, record.id

"""What the visitor did and wrote, in SQLite, so that it survives a crash of anything."""

import datetime
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from museum.errors import MuseumError
from museum.places import data_directory
from museum.run_log import RunLog

MIGRATIONS: Sequence[str] = (
    """
    create table draft (
        place text not null,     -- exhibit id and half, "xla/unknown-axis failing"
        text text not null,
        changed text not null default (datetime('now')),
        primary key (place)
    ) strict;
    """,
    """
    create table run (
        id integer primary key,
        at text not null,        -- UTC, ISO 8601 with milliseconds
        place text not null,     -- as above, or the name of a bench tab
        code text not null,
        target text not null,
        environment text not null,
        jax text not null,
        arguments text not null, -- JSON: words
        variables text not null, -- JSON: by name
        status text not null,
        exit_code integer,
        error text not null,
        message text not null,
        stdout blob not null,    -- head and tail, zlib
        stderr blob not null,
        dropped integer not null,-- bytes missing in the two
        seconds real not null,
        pinned integer not null default 0,
        size integer not null    -- bytes that this row takes, about
    ) strict;
    create index run_by_time on run (at desc);
    """,
)
VERSION = len(MIGRATIONS)
KEEP_DRAFT = (
    "insert into draft (place, text) values (?, ?) "
    "on conflict (place) do update set text = excluded.text, changed = datetime('now')"
)
DROP_DRAFT = "delete from draft where place = ?"


class History:
    """The visitor's drafts and runs; a window and a second one may hold it open at once.

    A write takes about a millisecond and is on disk when the call returns.

    Attributes:
        file: Where it is.
        note: One line for the visitor when a damaged file was set aside; else "".
        runs: The runs.
    """

    def __init__(self, file: Path | None = None) -> None:
        """Open it, or make it; a damaged file is set aside, under a name that says when, and a new one begun.

        Args:
            file: Default: ``history.sqlite`` among the visitor's data.

        Raises:
            MuseumError: There can be no file, it is somebody else's, or it is from a later museum.
        """
        self.file = file or data_directory() / "history.sqlite"
        self.note = ""
        try:
            self._base = self._open()
        except _DamagedError as damage:
            aside = self._set_aside()
            self.note = f"the history was damaged ({damage}); it was set aside as {aside}, and a new one begun"
            self._base = self._open()
        self.runs = RunLog(self._base)

    def _open(self) -> sqlite3.Connection:
        with ExitStack() as at_refusal:
            try:
                self.file.parent.mkdir(parents=True, exist_ok=True)
                base = sqlite3.connect(self.file, timeout=5.0, isolation_level=None)
                at_refusal.callback(base.close)
                base.execute("pragma journal_mode = wal")
                base.execute("pragma synchronous = normal")
                self._check(base)
                self._migrate(base)
            except (sqlite3.Error, OSError) as failure:
                if isinstance(failure, sqlite3.DatabaseError) and _is_damage(failure):
                    raise _DamagedError(str(failure)) from failure
                raise MuseumError(
                    f"{self.file}: cannot keep drafts here: {failure}; move it away to start anew"
                ) from failure
            at_refusal.pop_all()
        return base

    def _set_aside(self) -> Path:
        """Rename the file, with what SQLite keeps beside it."""
        now = datetime.datetime.now(tz=datetime.UTC).strftime("%Y%m%d-%H%M%S")
        aside = self.file.with_name(f"{self.file.name}.damaged-{now}")
        number = 1
        while aside.exists():
            number += 1
            aside = self.file.with_name(f"{self.file.name}.damaged-{now}-{number}")
        try:
            self.file.rename(aside)
            for ending in ("-wal", "-shm"):
                self.file.with_name(self.file.name + ending).unlink(missing_ok=True)
        except OSError as failure:
            raise MuseumError(f"{self.file}: is damaged and cannot be set aside: {failure.strerror}") from failure
        return aside

    @staticmethod
    def _check(base: sqlite3.Connection) -> None:
        """A damaged page is told now, not when the draft on it is wanted."""
        if base.execute("pragma quick_check(1)").fetchone() != ("ok",):
            raise _DamagedError("a page of it is damaged")

    def _migrate(self, base: sqlite3.Connection) -> None:
        base.execute("begin immediate")  # two windows that open at once make one schema
        version = base.execute("pragma user_version").fetchone()[0]
        for migration in MIGRATIONS[version:]:
            for statement in filter(str.strip, migration.split(";\n")):
                base.execute(statement)
        if version < VERSION:
            base.execute(f"pragma user_version = {VERSION}")
        base.execute("commit")
        if version > VERSION:
            raise MuseumError(f"{self.file}: made by a later version of the museum; update it, or move the file away")

    def drafts(self) -> Mapping[str, str]:
        """All drafts by place."""
        return {str(place): str(text) for place, text in self._do("select place, text from draft")}

    def draft(self, place: str) -> str | None:
        """What the visitor wrote at a place; None when they left it as it was."""
        rows = self._do("select text from draft where place = ?", (place,))
        return str(rows[0][0]) if rows else None

    def keep_draft(self, place: str, text: str) -> None:
        """Remember what stands at a place now.

        Raises:
            MuseumError: It cannot be written; what was kept before is still there.
        """
        self._do(KEEP_DRAFT, (place, text))

    def drop_draft(self, place: str) -> None:
        """Forget it: the original stands there again."""
        self._do(DROP_DRAFT, (place,))

    def _do(self, statement: str, values: Sequence[str] = ()) -> list[tuple[str, ...]]:
        try:
            return self._base.execute(statement, values).fetchall()
        except sqlite3.Error as failure:
            raise MuseumError(f"{self.file}: drafts cannot be kept: {failure}") from failure

    def close(self) -> None:
        """Let go of the file."""
        self._base.close()


class _DamagedError(Exception):
    """The file is no database, or is one no longer."""


def _is_damage(failure: sqlite3.DatabaseError) -> bool:
    """Whether it is the file's contents that are at fault, and not its place, its owner or the disk."""
    codes = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    code = getattr(failure, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in codes

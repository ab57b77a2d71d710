"""What the visitor did and wrote, in SQLite, so that it survives a crash of anything."""

import sqlite3
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from museum.errors import MuseumError
from museum.places import data_directory

VERSION = 1
_SCHEMA = """
create table draft (
    place text not null,     -- exhibit id and half, "xla/unknown-axis failing"
    text text not null,
    changed text not null default (datetime('now')),
    primary key (place)
) strict;
"""


class History:
    """The visitor's drafts; a window and a second one may hold it open at once.

    A write takes about a millisecond and is on disk when the call returns.
    """

    def __init__(self, file: Path | None = None) -> None:
        """Open it, or make it.

        Args:
            file: Default: ``history.sqlite`` among the visitor's data.

        Raises:
            MuseumError: The file cannot be opened or is from a later museum.
        """
        self.file = file or data_directory() / "history.sqlite"
        self._base = self._open()

    def _open(self) -> sqlite3.Connection:
        with ExitStack() as at_refusal:
            try:
                self.file.parent.mkdir(parents=True, exist_ok=True)
                base = sqlite3.connect(self.file, timeout=5.0, isolation_level=None)
                at_refusal.callback(base.close)
                base.execute("pragma journal_mode = wal")
                base.execute("pragma synchronous = normal")
                self._migrate(base)
                self._check(base)
            except (sqlite3.Error, OSError) as failure:
                raise MuseumError(
                    f"{self.file}: cannot keep drafts here: {failure}; move it away to start anew"
                ) from failure
            at_refusal.pop_all()
        return base

    @staticmethod
    def _check(base: sqlite3.Connection) -> None:
        """A damaged page is told now, not when the draft on it is wanted."""
        if base.execute("pragma quick_check(1)").fetchone() != ("ok",):
            raise sqlite3.DatabaseError("the file is damaged")

    def _migrate(self, base: sqlite3.Connection) -> None:
        base.execute("begin immediate")  # two windows that open at once make one schema
        version = base.execute("pragma user_version").fetchone()[0]
        if version == 0:
            for statement in filter(str.strip, _SCHEMA.split(";\n")):
                base.execute(statement)
            base.execute(f"pragma user_version = {VERSION}")
        base.execute("commit")
        if version > VERSION:
            raise MuseumError(f"{self.file}: made by a later version of the museum; update it, or move the file away")

    def drafts(self) -> Mapping[str, str]:
        """All drafts by place."""
        return dict(self._base.execute("select place, text from draft"))

    def draft(self, place: str) -> str | None:
        """What the visitor wrote at a place; None when they left it as it was."""
        row = self._base.execute("select text from draft where place = ?", (place,)).fetchone()
        return None if row is None else str(row[0])

    def keep_draft(self, place: str, text: str) -> None:
        """Remember what stands at a place now."""
        statement = (
            "insert into draft (place, text) values (?, ?) "
            "on conflict (place) do update set text = excluded.text, changed = datetime('now')"
        )
        self._base.execute(statement, (place, text))

    def drop_draft(self, place: str) -> None:
        """Forget it: the original stands there again."""
        self._base.execute("delete from draft where place = ?", (place,))

    def close(self) -> None:
        """Let go of the file."""
        self._base.close()

"""The visitor's layouts by name, and the one at hand, in SQLite, so that they survive a crash of anything."""

import sqlite3
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from museum.errors import MuseumError
from museum.mesh.document import StudioDocument, from_json, to_json
from museum.places import data_directory

VERSION = 1
LONGEST_NAME = 100
_SCHEMA = (
    """
    create table layout (
        name text not null primary key,
        text text not null,      -- as `to_json` writes it
        changed text not null default (datetime('now'))
    ) strict
    """,
    """
    create table moment (
        number integer not null primary key check (number = 1),
        text text not null,      -- the document at hand
        changed text not null default (datetime('now'))
    ) strict
    """,
)


class Library:
    """Saved layouts; two windows may hold it open at once.

    A write takes about a millisecond and is on disk when the call returns.
    """

    def __init__(self, file: Path | None = None) -> None:
        """Open it, or make it.

        Args:
            file: Default: ``studio.sqlite`` among the visitor's data.

        Raises:
            MuseumError: The file cannot be opened or is from a later museum.
        """
        self.file = file or data_directory() / "studio.sqlite"
        try:
            self._base = self._open()
        except (sqlite3.Error, OSError) as failure:
            raise self._refusal("cannot keep layouts here", failure) from failure

    def _open(self) -> sqlite3.Connection:
        with ExitStack() as at_refusal:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            base = sqlite3.connect(self.file, timeout=5.0, isolation_level=None)
            at_refusal.callback(base.close)
            base.execute("pragma journal_mode = wal")
            base.execute("pragma synchronous = normal")
            base.execute("begin immediate")  # two windows that open at once make one schema
            version = base.execute("pragma user_version").fetchone()[0]
            if version == 0:
                for statement in _SCHEMA:
                    base.execute(statement)
                base.execute(f"pragma user_version = {VERSION}")
            base.execute("commit")
            if version > VERSION:
                raise MuseumError(f"{self.file}: made by a later version of the museum; update it, or move it away")
            if base.execute("pragma quick_check(1)").fetchone() != ("ok",):
                raise sqlite3.DatabaseError("the file is damaged")
            at_refusal.pop_all()
        return base

    def _refusal(self, what: str, failure: Exception) -> MuseumError:
        return MuseumError(f"{self.file}: {what}: {failure}; move the file away to start anew")

    def names(self) -> tuple[str, ...]:
        """Under which layouts are saved, in the order of the alphabet."""
        try:
            return tuple(str(name) for (name,) in self._base.execute("select name from layout order by lower(name)"))
        except sqlite3.Error as failure:
            raise self._refusal("cannot be read", failure) from failure

    def open(self, name: str) -> StudioDocument:
        """The layout saved under a name.

        Raises:
            MuseumError: There is none, or it cannot be read.
        """
        row = self._one("select text from layout where name = ?", name)
        if row is None:
            raise MuseumError(f"no layout is saved as {name!r}")
        return replace(from_json(row), name=name)

    def save(self, document: StudioDocument, name: str, *, over: bool = False) -> StudioDocument:
        """Save a layout under a name.

        Args:
            document: What to save.
            name: White space around it does not count.
            over: Whether it may take the place of another layout of that name.

        Returns:
            The document with its name.

        Raises:
            MuseumError: The name is empty, too long or taken, or nothing can be written.
        """
        name = " ".join(name.split())
        if not name:
            raise MuseumError("write a name to save the layout under")
        if len(name) > LONGEST_NAME:
            raise MuseumError(f"a name of {len(name)} characters is too long: at most {LONGEST_NAME}")
        named = replace(document, name=name)
        statement = "insert into layout (name, text) values (?, ?)"
        if over:
            statement += " on conflict (name) do update set text = excluded.text, changed = datetime('now')"
        try:
            self._base.execute(statement, (name, to_json(named).decode()))
        except sqlite3.IntegrityError:
            raise MuseumError(f"a layout is saved as {name!r} already: take another name, or save over it") from None
        except sqlite3.Error as failure:
            raise self._refusal(f"{name!r} cannot be saved", failure) from failure
        return named

    def remove(self, name: str) -> None:
        """Forget a layout.

        Raises:
            MuseumError: There is none of that name.
        """
        try:
            gone = self._base.execute("delete from layout where name = ?", (name,)).rowcount
        except sqlite3.Error as failure:
            raise self._refusal(f"{name!r} cannot be removed", failure) from failure
        if not gone:
            raise MuseumError(f"no layout is saved as {name!r}")

    def keep(self, document: StudioDocument) -> None:
        """Remember the document at hand, whatever becomes of the window.

        Raises:
            MuseumError: Nothing can be written.
        """
        statement = (
            "insert into moment (number, text) values (1, ?) "
            "on conflict (number) do update set text = excluded.text, changed = datetime('now')"
        )
        try:
            self._base.execute(statement, (to_json(document).decode(),))
        except sqlite3.Error as failure:
            raise self._refusal("the layout at hand cannot be kept", failure) from failure

    def kept(self) -> StudioDocument | None:
        """The document that was at hand last; None at the first time.

        Raises:
            MuseumError: It cannot be read.
        """
        text = self._one("select text from moment where number = 1")
        return None if text is None else from_json(text)

    def _one(self, statement: str, *values: str) -> str | None:
        try:
            row = self._base.execute(statement, values).fetchone()
        except sqlite3.Error as failure:
            raise self._refusal("cannot be read", failure) from failure
        return None if row is None else str(row[0])

    def close(self) -> None:
        """Let go of the file."""
        self._base.close()

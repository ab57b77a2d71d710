"""Where the visitor likes to be and was last: favourites and recent exhibits, in the history's base."""

import sqlite3

from museum.errors import MuseumError

MOST_RECENT = 12


class Visits:
    """Favourites and recent exhibits; a second window sees them as soon as it asks.

    Each change is one statement on one row, so that windows never undo each other's and a crash loses nothing.
    """

    def __init__(self, base: sqlite3.Connection) -> None:
        """Use an open base.

        Args:
            base: With the tables ``favourite`` and ``visit``.
        """
        self._base = base

    def favourites(self) -> tuple[str, ...]:
        """Ids in the order in which they were chosen."""
        return tuple(str(row[0]) for row in self._do("select exhibit from favourite order by number"))

    def set_favourite(self, exhibit: str, *, on: bool) -> None:
        """Make an exhibit a favourite, or no longer.

        Raises:
            MuseumError: It cannot be written; what was kept before is still there.
        """
        added = "insert into favourite (exhibit) values (?) on conflict do nothing"
        self._do(added if on else "delete from favourite where exhibit = ?", exhibit)

    def note(self, exhibit: str) -> None:
        """The visitor was at an exhibit.

        Raises:
            MuseumError: As `set_favourite`.
        """
        self._do("insert or replace into visit (exhibit) values (?)", exhibit)
        forgotten = "delete from visit where number not in (select number from visit order by number desc limit ?)"
        self._do(forgotten, MOST_RECENT)

    def recent(self) -> tuple[str, ...]:
        """Ids of the exhibits visited last, the latest first."""
        return tuple(str(row[0]) for row in self._do("select exhibit from visit order by number desc"))

    def _do(self, statement: str, *values: object) -> list[tuple[object, ...]]:
        try:
            return self._base.execute(statement, values).fetchall()
        except sqlite3.Error as failure:
            raise MuseumError(f"favourites and recent exhibits cannot be kept: {failure}") from failure

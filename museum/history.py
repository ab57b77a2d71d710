"""What the visitor did and wrote, in SQLite, so that it survives a crash of anything."""

import datetime
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from museum.errors import MuseumError
from museum.places import data_directory
from museum.run_log import RunLog
from museum.visits import Visits

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
    """
    create table kept (
        place text not null,
        owner text not null default '', -- the window that wrote it, see `museum.instances`
        text text not null,
        changed text not null default (strftime('%Y-%m-%d %H:%M:%f', 'now')),
        primary key (place, owner)
    ) strict;
    insert into kept (place, text, changed) select place, text, changed from draft;
    drop table draft;
    alter table kept rename to draft;
    """,
    """
    create table favourite (
        number integer primary key autoincrement, -- in the order in which they were chosen
        exhibit text not null unique
    ) strict;
    create table visit (
        number integer primary key autoincrement, -- later visits have larger ones
        exhibit text not null unique
    ) strict;
    """,
)
VERSION = len(MIGRATIONS)


class History:
    """The visitor's drafts and runs; a window and a second one may hold it open at once.

    A write takes about a millisecond and is on disk when the call returns. Two windows never write one draft: each has
    its own of a place, and what one that is gone has left belongs to the first that asks for it.

    Attributes:
        file: Where it is.
        note: One line for the visitor when a damaged file was set aside; else "".
        runs: The runs.
        visits: Favourites and recent exhibits.
    """

    def __init__(
        self, file: Path | None = None, owner: str = "", others: Callable[[], frozenset[str]] = frozenset
    ) -> None:
        """Open it, or make it; a damaged file is set aside, under a name that says when, and a new one begun.

        Args:
            file: Default: ``history.sqlite`` among the visitor's data.
            owner: Id of this window.
            others: Tells the ids of the other windows that live.

        Raises:
            MuseumError: There can be no file, it is somebody else's, or it is from a later museum.
        """
        self.file = file or data_directory() / "history.sqlite"
        self.note = ""
        self._owner, self._others = owner, others
        try:
            self._base = self._open()
        except _DamagedError as damage:
            aside = self._set_aside()
            self.note = f"the history was damaged ({damage}); it was set aside as {aside}, and a new one begun"
            self._base = self._open()
        self.runs = RunLog(self._base)
        self.visits = Visits(self._base)

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
        """All drafts by place, without those that another window is at."""
        others = self._others()
        rows = self._do("select place, owner, text from draft order by owner = ?, changed", (self._owner,))
        return {place: text for place, owner, text in rows if owner not in others}

    def draft(self, place: str) -> str | None:
        """What the visitor wrote at a place; None when they left it as it was.

        What a window that is gone has left there is this one's from now on; what another one is at is shown as it is.
        """
        owner = self._owner_of(place)
        newest = "select owner, text from draft where place = ? order by owner = ? desc, changed desc limit 1"
        rows = self._do(newest, (place, owner))
        if not rows:
            return None
        writer, text = rows[0]
        if writer != owner and writer not in self._others():
            self._do("update draft set owner = ? where place = ? and owner = ?", (owner, place, writer))
        return text

    def keep_draft(self, place: str, text: str) -> None:
        """Remember what stands at a place now.

        Raises:
            MuseumError: It cannot be written; what was kept before is still there.
        """
        self._do(*self.keeping(place, text))

    def drop_draft(self, place: str) -> None:
        """Forget it: the original stands there again."""
        self._do(*self.dropping(place))

    def keeping(self, place: str, text: str) -> tuple[str, Sequence[str]]:
        """The statement of `keep_draft`, with its values."""
        statement = (
            "insert into draft (place, owner, text) values (?, ?, ?) on conflict (place, owner) "
            "do update set text = excluded.text, changed = strftime('%Y-%m-%d %H:%M:%f', 'now')"
        )
        return statement, (place, self._owner_of(place), text)

    def dropping(self, place: str) -> tuple[str, Sequence[str]]:
        """The statement of `drop_draft`, with its values."""
        others = sorted(self._others())
        marks = ", ".join("?" * len(others))
        return f"delete from draft where place = ? and owner not in ({marks})", (place, *others)  # noqa: S608

    def take_over(self, reconcile: Callable[[str, Sequence[str]], Mapping[str, str]]) -> None:
        """Make this window's whatever those that are gone have left.

        Args:
            reconcile: Given a place and what was left there, the newest first, tells what is to stand where.

        Raises:
            MuseumError: It cannot be written; what was kept before is still there.
        """
        self._do("begin immediate")
        try:
            others, left = self._others(), dict[str, list[str]]()
            for place, owner, text in self._do("select place, owner, text from draft order by changed desc"):
                if owner not in others and self._owner_of(place) == self._owner:
                    left.setdefault(place, []).append(text)
            for place, texts in left.items():
                new = reconcile(place, texts)
                self._do(*self.dropping(place))
                for where, text in new.items():
                    self._do(*self.keeping(where, text))
            self._do("commit")
        except BaseException:
            self._do("rollback")
            raise

    def _owner_of(self, place: str) -> str:
        """Whose a draft is: code and tabs are a window's own, anything else is everybody's."""
        is_own = place.partition("/")[0] == "bench" or place.endswith((" failing", " fix"))
        return self._owner if is_own else ""

    def _do(self, statement: str, values: Sequence[str] = ()) -> list[tuple[str, ...]]:
        try:
            return self._base.execute(statement, values).fetchall()
        except sqlite3.Error as failure:
            raise MuseumError(f"{self.file}: drafts cannot be kept: {failure}") from failure

    def close(self) -> None:
        """Let go of the file."""
        self._base.close()


def prune_runs(file: Path, largest: int, most: int) -> None:
    """Bound the runs in a file that may be open elsewhere; for a thread, since it may take long."""
    base = sqlite3.connect(file, timeout=5.0, isolation_level=None)
    try:
        runs = RunLog(base, largest)
        runs.most = most
        runs.prune()
    finally:
        base.close()


class _DamagedError(Exception):
    """The file is no database, or is one no longer."""


def _is_damage(failure: sqlite3.DatabaseError) -> bool:
    """Whether it is the file's contents that are at fault, and not its place, its owner or the disk."""
    codes = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    code = getattr(failure, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in codes

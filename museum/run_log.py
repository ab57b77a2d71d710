"""Every run of the visitor: listed, searched, reopened, compared; bounded in size."""

import json
import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from museum.errors import MuseumError
from museum.lab.outcome import Output, RunOutcome

KEPT = 32 << 10  # bytes of each stream that the log keeps, half from its start
LARGEST = 64 << 20  # bytes of all runs together, unless the visitor says otherwise
MOST = 10_000  # of them, likewise
_SEARCHED = "(place || ' ' || error || ' ' || message || ' ' || target || ' ' || jax || ' ' || code)"
_LISTED = "id, at, place, target, environment, jax, status, exit_code, error, message, seconds, pinned"
_WHOLE = f"{_LISTED}, code, arguments, variables, stdout, stderr, dropped"


@dataclass(frozen=True, slots=True)
class LoggedRun:
    """One run as a list shows it.

    Attributes:
        id: Its number; later runs have larger ones.
        at: When it ended, with its time zone.
        place: Exhibit and half, or the bench tab.
        target: Where it ran.
        environment: Name of the environment.
        jax: JAX version.
        status: The outcome's status word.
        exit_code: None when it never started.
        error: Exception class, or "".
        message: Its message.
        seconds: To the end of its last line.
        pinned: Whether it is kept whatever the log's size.
    """

    id: int
    at: datetime
    place: str
    target: str
    environment: str
    jax: str
    status: str
    exit_code: int | None
    error: str
    message: str
    seconds: float
    pinned: bool

    @property
    def words(self) -> str:
        """How it ended, in one line."""
        first = self.message.strip().partition("\n")[0]
        return ": ".join(filter(None, (self.error, first))) or self.status


@dataclass(frozen=True, slots=True)
class WholeRun:
    """One run with what it takes to show it, or to run it again.

    Attributes:
        run: As in the list.
        code: The script.
        arguments: `sys.argv[1:]`.
        variables: The visitor's own.
        stdout: Its beginning and end.
        stderr: The same of the other stream.
        dropped: Bytes that are missing in the two.
    """

    run: LoggedRun
    code: str
    arguments: tuple[str, ...] = ()
    variables: dict[str, str] = field(default_factory=dict)
    stdout: str = ""
    stderr: str = ""
    dropped: int = 0


class RunLog:
    """The runs in an open history.

    A write is one transaction: a crash leaves a run whole or not at all.
    """

    def __init__(self, base: sqlite3.Connection, largest: int = LARGEST) -> None:
        """Use an open base.

        Args:
            base: With the table ``run``.
            largest: Bytes of all runs together; the oldest that are not pinned go first.
        """
        self._base = base
        self.largest = largest
        self.most = MOST

    def add(
        self,
        place: str,
        code: str,
        outcome: RunOutcome,
        jax: str,
        *,
        arguments: Sequence[str] = (),
        variables: Mapping[str, str] = MappingProxyType({}),
        at: datetime | None = None,
        instead_of: int = 0,
    ) -> int:
        """Remember a finished run; returns its number.

        Args:
            place: Exhibit and half, or the bench tab.
            code: The script.
            outcome: What it did.
            jax: Version of the environment.
            arguments: For its `sys.argv[1:]`.
            variables: The visitor's own.
            at: When; default now.
            instead_of: Number of the same run as it was known until now; 0 for none.

        Raises:
            MuseumError: It cannot be written; what was there before is still there.
        """
        streams = [_pack(output) for output in (outcome.stdout, outcome.stderr)]
        error, message = (outcome.exception.error, outcome.exception.message) if outcome.exception else ("", "")
        message = message or outcome.detail
        seconds = outcome.timings.get("finished", outcome.timings.get("ended", 0.0))
        size = len(code) + len(message) + sum(len(packed) for packed, _ in streams) + 300
        row = (
            (at or datetime.now(tz=UTC)).isoformat(timespec="milliseconds"),
            place,
            _storable(code),
            outcome.target,
            outcome.environment,
            jax,
            json.dumps(list(arguments)),
            json.dumps(dict(variables)),
            str(outcome.status),
            outcome.exit_code,
            error,
            _storable(message),
            *(packed for packed, _ in streams),
            sum(dropped for _, dropped in streams),
            seconds,
            size,
        )
        names = (
            "at, place, code, target, environment, jax, arguments, variables, status, exit_code, error, message, "
            "stdout, stderr, dropped, seconds, size"
        )
        marks = ", ".join("?" * len(row))
        statement = f"insert into run ({names}) values ({marks}) returning id"  # noqa: S608 - names and marks are ours
        number = int(self._do(statement, row)[0][0])
        if instead_of:
            self.delete([instead_of])
        self.prune()
        return number

    def find(
        self, words: str = "", *, failed: bool | None = None, jax: str = "", most: int = 200
    ) -> Sequence[LoggedRun]:
        """Runs, the pinned ones first, then the newest.

        Args:
            words: Each must occur in the place, code, error, message, target or version; capitals do not matter.
            failed: Only those that failed, or only those that did not.
            jax: Only those on this version.
            most: How many at most.
        """
        conditions, values = ["1"], []
        for word in words.split():
            conditions.append(f"{_SEARCHED} like ? escape '!'")
            values.append(f"%{_literal(word)}%")
        if failed is not None:
            conditions.append("status <> 'ok'" if failed else "status = 'ok'")
        if jax:
            conditions.append("jax = ?")
            values.append(jax)
        where = " and ".join(conditions)
        found: list[LoggedRun] = []
        for pinned in (1, 0):  # by turns, for SQLite would sort all runs by both
            query = f"select {_LISTED} from run where pinned = {pinned} and {where} order by id desc limit ?"  # noqa: S608
            found += [_listed(row) for row in self._do(query, (*values, most - len(found)))]
        return found

    def count(self) -> int:
        """How many runs there are."""
        return int(self._do("select count(*) from run")[0][0])

    def get(self, number: int) -> WholeRun:
        """One run whole.

        Raises:
            MuseumError: It is not there any more.
        """
        rows = self._do(f"select {_WHOLE} from run where id = ?", (number,))  # noqa: S608
        if not rows:
            raise MuseumError(f"run {number} is not in the history any more")
        code, arguments, variables, stdout, stderr, dropped = rows[0][12:]
        out, err = (zlib.decompress(stream).decode("utf-8", "replace") for stream in (stdout, stderr))
        words, named = tuple(json.loads(arguments)), json.loads(variables)
        return WholeRun(_listed(rows[0]), code, words, named, out, err, dropped)

    def pin(self, number: int, *, on: bool = True) -> None:
        """Keep a run whatever the log's size, or no longer."""
        self._do("update run set pinned = ? where id = ?", (int(on), number))

    def delete(self, numbers: Sequence[int]) -> None:
        """Forget runs; one that is not there is no fault."""
        for number in numbers:
            self._do("delete from run where id = ?", (number,))

    def clear(self) -> None:
        """Forget all that are not pinned."""
        self._do("delete from run where pinned = 0")

    def prune(self) -> None:
        """Let the oldest go until the others are within the bound; pinned ones stay."""
        [(count, size)] = self._do("select count(*), total(size) from run")
        while count > self.most or size > self.largest:
            oldest = self._do("select id, size from run where pinned = 0 order by id limit 100")
            if not oldest:
                return
            gone = 0
            while gone < len(oldest) and (count > self.most or size > self.largest):
                count, size, gone = count - 1, size - oldest[gone][1], gone + 1
            self._do("delete from run where pinned = 0 and id <= ?", (oldest[gone - 1][0],))

    def _do(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._base.execute(statement, values).fetchall()
        except sqlite3.Error as failure:
            raise MuseumError(f"the history cannot be used: {failure}") from failure


def _pack(output: Output) -> tuple[bytes, int]:
    """Head and tail of a stream, compressed, and how many bytes of it are missing."""
    text = output.text.encode("utf-8", "replace")
    dropped = output.dropped
    if len(text) > KEPT:
        left_out = len(text) - KEPT
        text = text[: KEPT // 2] + f"\n… {left_out:,} bytes left out …\n".encode() + text[-KEPT // 2 :]
        dropped += left_out
    return zlib.compress(text), dropped


def _storable(text: str) -> str:
    """SQLite keeps UTF-8: what an editor holds beside that is spelt out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _literal(word: str) -> str:
    return word.replace("!", "!!").replace("%", "!%").replace("_", "!_")


def _listed(row: Sequence[Any]) -> LoggedRun:
    values = dict(zip(LoggedRun.__dataclass_fields__, row, strict=False))
    return LoggedRun(**{**values, "at": datetime.fromisoformat(row[1]), "pinned": bool(values["pinned"])})

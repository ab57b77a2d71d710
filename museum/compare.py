"""One snippet on many environments and targets at once: a table of what it did where, and how the answers differ."""

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from museum.differences import Piece, word_difference
from museum.errors import MuseumError
from museum.exhibit import Exhibit, Half
from museum.lab.environments import Environment
from museum.lab.normalise import before_traceback, comparable, without_directories
from museum.lab.outcome import RunOutcome, RunStatus
from museum.lab.runner import Limits, RunRequest, why_not_here
from museum.lab.target import Target, TargetKind
from museum.lab.verify import WORKERS, Judged, Runs, Verdict, choose, judge
from museum.versions import check_versions, sort_versions

MOST_CELLS = 60
KEPT = 128 << 10  # bytes of each stream that a cell keeps
_LETTERS = {
    RunStatus.OK: "P",
    RunStatus.FAILED: "F",
    RunStatus.CRASHED: "X",
    RunStatus.TIMED_OUT: "T",
    RunStatus.STOPPED: "S",
    RunStatus.OUT_OF_MEMORY: "M",
    RunStatus.TOO_MUCH_OUTPUT: "O",
    RunStatus.TOO_MANY_PROCESSES: "N",
    RunStatus.NOT_STARTED: Verdict.NOT_RUNNABLE.letter,
}
LETTERS: Mapping[str, str] = MappingProxyType(
    {str(status): letter for status, letter in _LETTERS.items()} | {"ok": "P", "waiting": "·", "running": "…"}
)
"""Of each word that a cell of a free snippet may show."""


class Stage(StrEnum):
    """How far a cell is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"


class Part(StrEnum):
    """What of two cells can be held against each other."""

    MESSAGE = "message"
    STDOUT = "stdout"
    STDERR = "stderr"


@dataclass(frozen=True, slots=True)
class Place:
    """One cell's row and column.

    Attributes:
        jax: JAX version.
        target: Where.
        environment: What runs it; None where there is none.
        obstacle: Why it cannot run, as one clause; "" when it can.
    """

    jax: str
    target: Target
    environment: Environment | None
    obstacle: str = ""

    def __str__(self) -> str:
        return f"JAX {self.jax} on {self.target}"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is compared.

    Attributes:
        script: A file to run where it lies, or code.
        title: Its name.
        arguments: `sys.argv[1:]`.
        variables: The visitor's own.
        limits: Of each run.
        exhibit: The exhibit that it is a half of, unchanged; its verdicts then stand in the cells.
        half: Which half.
    """

    script: Path | str
    title: str
    arguments: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    limits: Limits = field(default_factory=lambda: Limits(kept=KEPT))
    exhibit: Exhibit | None = None
    half: Half = Half.FAILING

    @property
    def code(self) -> str:
        """The script's text; "" for a file that cannot be read."""
        if isinstance(self.script, str):
            return self.script
        try:
            return self.script.read_text("utf-8", "replace")
        except OSError:
            return ""


@dataclass(frozen=True, slots=True)
class Cell:
    """What the snippet did in one place.

    Attributes:
        place: Where.
        stage: How far it is.
        outcome: Once it is done; None where it could not run.
        judged: The verdict on an exhibit's half; None for a free snippet.
        essence: What makes two answers the same; "" where there is none.
        answer: Cells with the same number did the same, as far as a comparison can see; 0 before there is an answer.
    """

    place: Place
    stage: Stage = Stage.WAITING
    outcome: RunOutcome | None = None
    judged: Judged | None = None
    essence: str = ""
    answer: int = 0

    @property
    def letter(self) -> str:
        """One character, so that no colour tells alone."""
        return self.judged.verdict.letter if self.judged else LETTERS[self.words]

    @property
    def words(self) -> str:
        """The verdict, or how the run ended, or how far it is."""
        if self.judged:
            return str(self.judged.verdict)
        if self.outcome:
            return str(self.outcome.status)
        return str(RunStatus.NOT_STARTED) if self.place.obstacle else str(self.stage)

    @property
    def role(self) -> str:
        """What its colour says: "good", "bad", "doubt", or "faint" where nothing was shown."""
        if self.judged:
            doubt = "doubt" if self.judged.verdict is Verdict.MESSAGE_CHANGED else "bad"
            faint = self.judged.verdict is Verdict.NOT_RUNNABLE
            return "faint" if faint else "good" if self.judged.verdict.good else doubt
        if self.outcome is None or self.outcome.status in (RunStatus.NOT_STARTED, RunStatus.STOPPED):
            return "faint"
        return "bad" if self.outcome.failed else "good"

    @property
    def message(self) -> str:
        """``Class: message``, or why there is none, or how it ended; without directories."""
        if self.place.obstacle:
            return self.place.obstacle
        if self.outcome is None or self.outcome.status is RunStatus.OK:
            return ""
        return without_directories(str(self.outcome))

    @property
    def seconds(self) -> float:
        """To the end of its last line; 0 where it did not run."""
        timings = self.outcome.timings if self.outcome else {}
        return timings.get("finished", timings.get("ended", 0.0))

    def text(self, part: Part) -> str:
        """One part of what it did, without directories."""
        if part is Part.MESSAGE:
            return self.message
        if self.outcome is None:
            return ""
        return without_directories((self.outcome.stdout if part is Part.STDOUT else self.outcome.stderr).text)


@dataclass(frozen=True, slots=True)
class Difference:
    """Two cells held against each other.

    Attributes:
        names: Of both, each with version and target.
        pieces: Of both; those that differ are marked.
        same: Whether they say the same but for what no two runs share.
    """

    names: tuple[str, str]
    pieces: tuple[tuple[Piece, ...], tuple[Piece, ...]]
    same: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """The table, at one moment.

    Attributes:
        subject: What is compared.
        cells: Row by row.
    """

    subject: Subject
    cells: tuple[Cell, ...]

    @property
    def done(self) -> int:
        """How many cells will not change any more."""
        return sum(cell.stage in (Stage.DONE, Stage.STOPPED) for cell in self.cells)

    @property
    def targets(self) -> tuple[Target, ...]:
        """Columns."""
        return tuple(dict.fromkeys(cell.place.target for cell in self.cells))

    @property
    def rows(self) -> dict[str, dict[Target, Cell]]:
        """Each row's name with its cells."""
        rows: dict[str, dict[Target, Cell]] = {}
        for cell in self.cells:
            rows.setdefault(self._row(cell.place), {})[cell.place.target] = cell
        return rows

    @property
    def answers(self) -> dict[int, tuple[Cell, ...]]:
        """The cells that did the same, under the number of their answer."""
        numbers = sorted({cell.answer for cell in self.cells if cell.answer})
        return {number: tuple(cell for cell in self.cells if cell.answer == number) for number in numbers}

    def name(self, cell: Cell) -> str:
        """A cell's version and target, and its environment where the version does not tell."""
        return f"{self._row(cell.place)} on {cell.place.target}"

    def difference(self, one: Cell, other: Cell, part: Part = Part.MESSAGE) -> Difference:
        """Where two cells differ, by words."""
        texts = one.text(part), other.text(part)
        same = comparable(texts[0]) == comparable(texts[1])
        return Difference((self.name(one), self.name(other)), word_difference(*texts), same)

    def _row(self, place: Place) -> str:
        of_version = {cell.place.environment for cell in self.cells if cell.place.jax == place.jax}
        # One version may have an environment with libtpu for the one target and one without it for the others.
        doubled = {cell.place.target for cell in self.cells if cell.place.jax == place.jax}
        count = sum(cell.place.jax == place.jax for cell in self.cells)
        several = len(of_version) > 1 and count > len(doubled) and place.environment is not None
        return f"JAX {place.jax} ({place.environment.name})" if several and place.environment else f"JAX {place.jax}"

    def with_cell(self, number: int, cell: Cell) -> "Comparison":
        """The same with another cell, and the answers numbered anew, in the order of the table."""
        cells = (*self.cells[:number], cell, *self.cells[number + 1 :])
        numbers: dict[str, int] = {}
        numbered = []
        for one in cells:
            answer = numbers.setdefault(one.essence, len(numbers) + 1) if one.essence else 0
            numbered.append(one if one.answer == answer else replace(one, answer=answer))
        return replace(self, cells=tuple(numbered))


def essence_of(outcome: RunOutcome) -> str:
    """The same for two outcomes that differ only in what no two runs share; "" where the script did not run."""
    if outcome.status in (RunStatus.NOT_STARTED, RunStatus.STOPPED):
        return ""
    raised = outcome.exception
    said = (raised.error, comparable(raised.message)) if raised else ("", "")
    streams = comparable(outcome.stdout.text), comparable(before_traceback(outcome.stderr.text))
    whole = "\0".join((str(outcome.status), str(outcome.exit_code), *said, *streams))
    return hashlib.blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def places_for(environments: Sequence[Environment], versions: Sequence[str], targets: Sequence[Target]) -> list[Place]:
    """A place for each version and target, on the environments that `choose` takes; what is not at hand says so.

    Args:
        environments: What is at hand.
        versions: JAX versions; empty for every one at hand, oldest first.
        targets: At least one.

    Raises:
        MuseumError: A version that is none, or more cells than a comparison may have.
    """
    known = dict.fromkeys(environment.jax for environment in environments)
    wanted = list(dict.fromkeys(versions)) or sort_versions(known)
    check_versions(*wanted)
    places = []
    for jax in wanted:
        for target in dict.fromkeys(targets):
            found = choose(environments, jax, target)
            missing = f"no environment with JAX {jax} here; make one with: xla-museum env add {jax}"
            places.append(Place(jax, target, found, why_not_here(found, target) if found else missing))
    if len(places) > MOST_CELLS:
        raise MuseumError(f"{len(places)} cells are more than a comparison may have ({MOST_CELLS}); name fewer of them")
    return places


def table_of(subject: Subject, places: Sequence[Place]) -> Comparison:
    """The table before anything has run."""
    cells = []
    for place in places:
        judged = Judged(Verdict.NOT_RUNNABLE, place.obstacle) if place.obstacle and subject.exhibit else None
        cells.append(Cell(place, Stage.DONE if place.obstacle else Stage.WAITING, judged=judged))
    return Comparison(subject, tuple(cells))


async def compare(
    subject: Subject,
    places: Sequence[Place],
    lab: Runs,
    on_change: Callable[[Comparison], None] = lambda _: None,
    *,
    workers: int = WORKERS,
) -> Comparison:
    """Run a snippet in all places, `workers` at a time, TPU compilations one at a time.

    Cancelling the task ends what runs; `on_change` then hears of the table once more, with what was not done as
    stopped, and nothing of it is alive when the cancellation comes through.

    Args:
        subject: What to run.
        places: Where.
        lab: Runs it.
        on_change: Hears of the table at its start and at each change, on the event loop's thread.
        workers: How many at a time.
    """
    table = table_of(subject, places)
    room = asyncio.Semaphore(workers)
    one_compiler = asyncio.Semaphore(1)

    def change(number: int, cell: Cell) -> None:
        nonlocal table
        table = table.with_cell(number, cell)
        on_change(table)

    async def fill(number: int, place: Place, environment: Environment) -> None:
        async with one_compiler if place.target.kind is TargetKind.TPU_COMPILE else nullcontext(), room:
            change(number, replace(table.cells[number], stage=Stage.RUNNING))
            outcome = await lab.run(_request(subject, place, environment))
            judged = judge(subject.exhibit, subject.half, outcome, place.jax) if subject.exhibit else None
            # Long outputs take their time: in a thread, and in no more of them than there are runs.
            essence = await asyncio.to_thread(essence_of, outcome)
        done = replace(table.cells[number], stage=Stage.DONE, outcome=outcome, judged=judged, essence=essence)
        change(number, done)

    on_change(table)
    try:
        async with asyncio.TaskGroup() as group:
            for number, place in enumerate(places):
                if place.environment is not None and not place.obstacle:
                    group.create_task(fill(number, place, place.environment))
    except asyncio.CancelledError:
        for number, cell in enumerate(table.cells):
            if cell.stage is not Stage.DONE:
                change(number, replace(cell, stage=Stage.STOPPED))
        raise
    return table


def _request(subject: Subject, place: Place, environment: Environment) -> RunRequest:
    return RunRequest(
        subject.script, environment, place.target, subject.arguments, dict(subject.variables), subject.limits
    )

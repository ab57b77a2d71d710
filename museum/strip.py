"""The version strip: what each half of an exhibit did on each JAX version, one cell each."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from museum.exhibit import Capture, Exhibit, Half, Origin, OutcomeKind
from museum.lab.verify import Result, Verdict
from museum.promises import kind_on, why_ruled_out
from museum.versions import sort_versions

LEGEND = ", ".join(f"{verdict.letter} {verdict}" for verdict in Verdict) + ", · not run"


_ROLES = {
    Verdict.REPRODUCES: "good",
    Verdict.FIX_PASSES: "good",
    Verdict.NO_FAILURE_HERE: "faint",
    Verdict.NOT_RUNNABLE: "faint",
    Verdict.MESSAGE_CHANGED: "doubt",
}


class Place(NamedTuple):
    """Which cell: a half on a target with a JAX version."""

    half: Half
    target: str
    jax: str


@dataclass(frozen=True, slots=True)
class Cell:
    """What is known of one half on one JAX version.

    Attributes:
        verdict: None where it was never run.
        why: Where the verdict comes from, or why there is none, in a few words.
        is_new: Whether it was run just now, and not taken from a capture.
        can_run: Whether an environment for it is at hand.
    """

    verdict: Verdict | None
    why: str
    is_new: bool = False
    can_run: bool = False

    @property
    def letter(self) -> str:
        """One character, so that no colour tells alone."""
        return self.verdict.letter if self.verdict else "·"

    @property
    def role(self) -> str:
        """What its colour says: "good", "bad", "doubt", or "faint" where nothing was shown."""
        return _ROLES.get(self.verdict, "bad") if self.verdict else "faint"

    @property
    def words(self) -> str:
        """The verdict in words."""
        return str(self.verdict) if self.verdict else "never run"


@dataclass(frozen=True, slots=True)
class Strip:
    """The cells of one exhibit.

    Attributes:
        versions: Columns, oldest first.
        rows: Half and target of each row; the halves of one target stand together.
        cells: One for each row and column.
    """

    versions: tuple[str, ...]
    rows: tuple[tuple[Half, str], ...]
    cells: Mapping[Place, Cell]

    def with_verdict(self, place: Place, verdict: Verdict, why: str) -> "Strip":
        """The same with a cell that was just run; unchanged where the strip has no such cell."""
        if place not in self.cells:
            return self
        cell = replace(self.cells[place], verdict=verdict, why=why, is_new=True)
        return replace(self, cells={**self.cells, place: cell})


def strip_of(exhibit: Exhibit, at_hand: Iterable[str] = ()) -> Strip:
    """The strip as the captures tell it.

    Args:
        exhibit: Which.
        at_hand: JAX versions that an environment is there for; each gets a column.
    """
    at_hand = set(at_hand)
    captures = {
        Place(capture.half, capture.target, capture.jax): capture
        for capture in exhibit.captures
        if capture.origin is Origin.REPRODUCED
    }
    versions = tuple(sort_versions({*(place.jax for place in captures), *exhibit.facts.jax, *at_hand}))
    rows = tuple((half, target) for target in exhibit.facts.targets for half in Half)
    cells = {}
    for half, target in rows:
        for jax in versions:
            place = Place(half, target, jax)
            cell = _cell(exhibit, place, captures.get(place))
            can_run = jax in at_hand and cell.verdict is not Verdict.NOT_RUNNABLE
            cells[place] = replace(cell, can_run=can_run)
    return Strip(versions, rows, cells)


def _cell(exhibit: Exhibit, place: Place, capture: Capture | None) -> Cell:
    if ruled_out := why_ruled_out(exhibit.facts, place.half, place.jax):
        return Cell(Verdict.NOT_RUNNABLE, ruled_out)
    if capture is None:
        return Cell(None, "not run yet")
    why = f"recorded {capture.date.isoformat()}"
    if place.half is Half.FIX:
        return Cell(Verdict.FIX_PASSES, why)
    passes = kind_on(exhibit.facts, place.jax) is OutcomeKind.PASSES
    return Cell(Verdict.NO_FAILURE_HERE if passes else Verdict.REPRODUCES, why)


def matrix(results: Iterable[Result]) -> str:
    """The results of a verify as text: a line for each exhibit and target, two letters for each version."""
    letters: dict[tuple[str, str], dict[str, dict[Half, str]]] = {}
    for result in results:
        line = letters.setdefault((result.job.exhibit.id, str(result.job.target)), {})
        line.setdefault(result.job.jax, {})[result.job.half] = result.judged.verdict.letter
    versions = sort_versions({jax for line in letters.values() for jax in line})
    several = {name for name, _ in letters if sum(name == other for other, _ in letters) > 1}
    names = {key: f"{key[0]} {key[1]}" if key[0] in several else key[0] for key in letters}
    width = max(map(len, names.values()), default=0)
    columns = [max(len(version), 2) for version in versions]

    def row(name: str, words: Iterable[str]) -> str:
        return "  ".join([f"{name:<{width}}", *(f"{word:<{room}}" for word, room in zip(words, columns, strict=True))])

    lines = [row("", versions)]
    for key, line in letters.items():
        pairs = ["".join(line.get(version, {}).get(half, "·") for half in Half) for version in versions]
        lines.append(row(names[key], pairs))
    return "\n".join([*(line.rstrip() for line in lines), "", f"failing and fix: {LEGEND}"])

"""From an error to the exhibits that are about its raise site, whatever the version of JAX: by the site's own texts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from museum.diagnosis.alignment import Alignment
from museum.diagnosis.lineage import OldText
from museum.diagnosis.reading import Reading
from museum.diagnosis.site_index import RaiseSite, SiteIndex
from museum.diagnosis.site_search import SiteHit, find_sites, settles, worth

_LEAST = 22  # fixed characters below which a text fits too much
_SURE_FROM, _PER_CHARACTER = 0.6, 1 / 60  # how sure to be of one that accounts for few characters
_LITTLE, _OF_LITTLE = 0.25, 0.6  # a share of a message that is little to go by, and what that leaves of the score
_MOST, _LOOKS = 24, 32


@dataclass(frozen=True, slots=True)
class SiteOfExhibits:
    """A raise site that may have made a message, and how well it accounts for it.

    Attributes:
        text: What it says, and the exhibits that are about it.
        score: 0 to 1.
        is_whole: Whether it makes the very message, not only a part of it.
    """

    text: OldText
    score: float
    is_whole: bool


class LineageSearch:
    """The texts of the exhibits' raise sites on all versions, indexed."""

    def __init__(self, lineage: Iterable[OldText]) -> None:
        self._texts = tuple(lineage)
        sites = [
            RaiseSite("raise", text.error, text.file, number, text.function, (number,))
            for number, text in enumerate(self._texts)
        ]
        self._index = SiteIndex("", "", sites, [text.template for text in self._texts])

        self._by_runs: dict[tuple[str, ...], list[int]] = {}
        for number, runs in enumerate(self._index.runs):
            self._by_runs.setdefault(runs, []).append(number)

    def find(self, reading: Reading, index: SiteIndex, hits: Sequence[SiteHit]) -> Mapping[str, SiteOfExhibits]:
        """By exhibit, the site that accounts best for what was pasted.

        Args:
            reading: What was pasted.
            index: Of one version, which was asked already.
            hits: What it said: where that settles it, no other version is asked.
        """
        from_start, size = bool(reading.error), len(reading.message)
        found: dict[str, SiteOfExhibits] = {}
        if hits and settles(hits[0], index, size):
            known = ((hit, self._by_runs.get(index.runs[hit.template], ())) for hit in hits if hit.template >= 0)
            for hit, numbers in known:
                for number in numbers:
                    _note(found, self._texts[number], hit, size, from_start=from_start)
            return found
        # Which of its classes a site had when is not known: the words decide.
        for hit in find_sites(self._index, reading.message, limit=_MOST, least=_LEAST, looks=_LOOKS):
            _note(found, self._texts[hit.template], hit, size, from_start=from_start)
        return found


def _note(found: dict[str, SiteOfExhibits], text: OldText, hit: SiteHit, size: int, *, from_start: bool) -> None:
    score = _score(hit, size, from_start=from_start)
    if hit.alignment is None or score <= 0.0:
        return
    site = SiteOfExhibits(text, score, hit.alignment.is_whole)
    for exhibit in text.exhibits:
        if exhibit not in found or found[exhibit].score < score:
            found[exhibit] = site


def _score(hit: SiteHit, size: int, *, from_start: bool) -> float:
    """How well a site accounts for a message of a size."""
    alignment: Alignment | None = hit.alignment
    if alignment is None or alignment.covered < _LEAST:
        return 0.0
    points = min(hit.points, worth(alignment, from_start=from_start))
    sure = min(1.0, _SURE_FROM + _PER_CHARACTER * alignment.covered)
    if not alignment.is_whole and alignment.covered < _LITTLE * size:
        sure *= _OF_LITTLE
    return max(0.0, points / alignment.covered) * sure

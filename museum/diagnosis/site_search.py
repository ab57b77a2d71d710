"""From a message to the raise sites that may have made it, ranked, with the reasons."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from heapq import nlargest
from itertools import pairwise
from math import inf

from museum.diagnosis.alignment import Alignment, piece, whole
from museum.diagnosis.site_index import RaiseSite, SiteIndex, squeezed, words_in

READ_AT_MOST = 20_000
_ENOUGH = 24.0  # points of a whole message from which on no better account of it is looked for
_ENOUGH_OF_IT = 0.5  # of what a template can account for, below which it is laid on by another word as well
_ACCOUNTED = ((10, 0.8), (24, 0.5))  # templates after which to stop, when one accounts for that share of the message
_MOST_ALIGNED = 80
_LEAST_SHARED = 0.05  # of the most telling words that any template shares
_PUNCTUATION, _EDGES = 1.2, 8.0  # what common words have between and beside them
_HOPELESS = 0.5  # of the best one's points that another's fixed text must come to
_MOST_POSTINGS = 2_000
_MOST_RANKED = 30
_OWN_WORDS, _OWN_SHARE = 22, 0.4  # characters, and share of a message, that settle which site made it
_OUTER = 12  # characters of its own that a site must have to count as the one that raised around another
_SAME_CLASS, _OTHER_CLASS = 12.0, -24.0
_STRANGE, _LACKING, _MISSED = 0.6, 0.05, 0.6
_PLACES = 2  # of a word in a message that are tried
_PROSE = re.compile(r"(?<![\w.])[a-z]{2,} (?=[a-z]{2,}[ ,.:;])")
_PROSE_FREE, _PROSE_COST = 1, 4.0
_GLUED = 3.0  # what it costs that a value begins or ends within a word
_LINE, _FUNCTION, _FILE = 300.0, 120.0, 15.0


@dataclass(frozen=True, slots=True)
class FrameAt:
    """A frame inside JAX: its file as ``jax/…``, its line and its function (0 and "" where not said)."""

    file: str
    line: int = 0
    function: str = ""


@dataclass(frozen=True, slots=True)
class SiteHit:
    """A site that may have made a message.

    Attributes:
        site: The site.
        template: Number of its template, -1 where only a frame points at it.
        points: For ranking within one answer.
        alignment: How the template accounts for the message; None where only a frame points at it.
        same_class: Whether the classes agree; None where either is not known.
        by_frame: ``line``, ``function``, ``file`` or "".
    """

    site: RaiseSite
    template: int
    points: float
    alignment: Alignment | None
    same_class: bool | None
    by_frame: str = ""


def find_sites(
    index: SiteIndex,
    message: str,
    error: str = "",
    frames: Iterable[FrameAt] = (),
    limit: int = 8,
    least: float = 0.0,
    looks: int = _MOST_ALIGNED,
) -> list[SiteHit]:
    """The sites of one JAX that may have made a message, the best first.

    Args:
        index: That JAX's sites.
        message: Without the exception class; a part of it will do.
        error: The exception class, qualified or not; "" where it is not known.
        frames: Frames inside JAX, the innermost first.
        limit: The most to give back.
        least: Characters that a template must account for to be of any interest.
        looks: The most templates to lay on the message where none makes all of it.
    """
    message = squeezed(message[:READ_AT_MOST]).strip()
    alignments = _alignments(index, message, least, looks, from_start=bool(error)) if message else {}
    frames = list(frames)
    hits: dict[int, SiteHit] = {}
    likely = nlargest(_MOST_RANKED, alignments.items(), key=lambda item: worth(item[1], from_start=bool(error)))
    for template, alignment in likely:
        points = _value(index, message, template, alignment, from_start=bool(error))
        for number in index.sites_of[template]:
            hit = _hit(index.sites[number], template, points, alignment, error, frames)
            if number not in hits or hit.points > hits[number].points:
                hits[number] = hit
    _let_outer_win(index, message, hits)
    for frame in frames[:3]:
        for number in index.by_file.get(frame.file, ()):
            if number not in hits and index.sites[number].function == frame.function:
                hits[number] = _hit(index.sites[number], -1, -20.0, None, error, frames)
    return sorted((hit for hit in hits.values() if hit.points > 0), key=_rank)[:limit]


def settles(hit: SiteHit, index: SiteIndex, size: int) -> bool:
    """Whether a site accounts for all of a message, by its own words enough, so that it is that one and no other."""
    alignment = hit.alignment
    if alignment is None or alignment.strange or alignment.covered < max(_OWN_WORDS, _OWN_SHARE * size):
        return False
    return not any(index.open_holes[hit.template])


def _let_outer_win(index: SiteIndex, message: str, hits: dict[int, SiteHit]) -> None:
    """Where one site's words stand round all of another's, it is the one that caught the other's error and raised."""
    best = sorted(hits.items(), key=lambda item: -item[1].points)[:12]
    for number, outer in best:
        if outer.alignment is None or not outer.alignment.is_whole:
            continue
        if outer.alignment.covered < _OUTER or outer.same_class is False:
            continue
        for start, stop in _open_stretches(index.open_holes[outer.template], outer.alignment, len(message)):
            for _, inner in best:
                spans = [span for span in inner.alignment.spans if span[1] < span[2]] if inner.alignment else []
                if spans and inner.points >= hits[number].points and start <= spans[0][1] and spans[-1][2] <= stop:
                    hits[number] = replace(outer, points=inner.points + 1)


def _open_stretches(open_holes: tuple[bool, ...], alignment: Alignment, size: int) -> Iterator[tuple[int, int]]:
    """Where in the message the holes lie that may hold sentences."""
    edges = ((-1, 0, 0), *alignment.spans, (len(open_holes) + 1, size, size))
    for (number, _, start), (after, stop, _) in pairwise(edges):
        if any(open_holes[max(number, 0) : after]):
            yield start, stop


def _rank(hit: SiteHit) -> tuple[float, bool, bool, int, str, int]:
    private = _last(hit.site.function).startswith("_")
    inner = not hit.site.file.startswith("jax/_src/")
    return -hit.points, inner, private, -hit.site.importers, hit.site.file, hit.site.line


def _hit(
    site: RaiseSite, template: int, points: float, alignment: Alignment | None, error: str, frames: list[FrameAt]
) -> SiteHit:
    same = same_class(site.error, error)
    if same is not None:
        points += _SAME_CLASS if same else _OTHER_CLASS
    by_frame = ""
    for depth, frame in enumerate(frames[:3]):
        if frame.file != site.file:
            continue
        share = (1.0, 0.4, 0.2)[depth]
        if frame.function and _last(frame.function) == _last(site.function):
            by_frame = "line" if frame.line == site.line else "function"
            points += share * (_LINE if by_frame == "line" else _FUNCTION)
        elif frame.line == site.line:
            by_frame = "line"
            points += share * _LINE
        else:
            by_frame = "file"
            points += share * _FILE
        break
    return SiteHit(site, template, points, alignment, same, by_frame)


def _last(function: str) -> str:
    return function.rpartition(".")[2]


def same_class(one: str, other: str) -> bool | None:
    """Whether two names of exception classes may mean the same; None where either is not known."""
    if not one or not other:
        return None
    return _last(one) == _last(other)


def _alignments(index: SiteIndex, message: str, least: float, looks: int, *, from_start: bool) -> dict[int, Alignment]:
    words = list(words_in(message))
    found: dict[int, Alignment] = {}
    for word in words:
        for template in index.keyed.get(word, ()):
            made = whole(index.runs[template], message)
            if made and made.covered >= 4:
                found[template] = made
    best = max(
        (_value(index, message, template, one, from_start=from_start) for template, one in found.items()), default=0.0
    )
    if best >= _ENOUGH:
        return found
    for place, (template, word, other, most) in enumerate(_promising(index, words, looks)):
        if any(place >= looks and best >= share * len(message) for looks, share in _ACCOUNTED):
            break
        if template in found or min(most, index.fixed[template]) < max(least, _HOPELESS * best):
            continue
        found[template] = _piece(index, template, message, word, from_start=from_start)
        if found[template].covered < _ENOUGH_OF_IT * min(most, index.fixed[template]) and word != other:
            again = _piece(index, template, message, other, from_start=from_start)
            found[template] = max(found[template], again, key=partial(worth, from_start=from_start))
        best = max(best, worth(found[template], from_start=from_start))
    return found


def _promising(index: SiteIndex, words: list[str], looks: int) -> Iterator[tuple[int, str, str, float]]:
    """Templates that share telling words with a message, two of these, and about how many characters they can share."""
    frequency = index.frequency
    known = sorted((word for word in words if word in index.holding), key=frequency.__getitem__)
    shared: dict[int, float] = {}
    read = taken = 0
    for word in known:
        times = frequency[word]
        read += times
        if read > _MOST_POSTINGS and len(shared) > looks:
            break
        taken += 1
        weight = (len(word) + 1) / (1 + 0.02 * times)
        held = shared.get
        for template in index.holding[word]:
            shared[template] = held(template, 0.0) + weight
    least = _LEAST_SHARED * max(shared.values(), default=0.0)
    best = sorted((one for one, weight in shared.items() if weight >= least), key=shared.__getitem__, reverse=True)
    left = sum(len(word) + 1 for word in known[taken:])
    for template in best[:looks]:
        held_here = index.words[template]
        both = [word for word in known[:taken] if word in held_here]
        yield template, both[0], both[-1], _PUNCTUATION * (len("".join(both)) + len(both) + left) + _EDGES


def _value(index: SiteIndex, message: str, template: int, alignment: Alignment, *, from_start: bool) -> float:
    unlikely = _prose(index.open_holes[template], message, alignment) + _GLUED * _glued(message, alignment)
    return worth(alignment, from_start=from_start) - unlikely


def _glued(message: str, alignment: Alignment) -> int:
    """How often a value would begin or end within a word of the message."""
    edges = [(start, stop) for _, start, stop in alignment.spans if start < stop]
    befores = sum(start > 0 and message[start - 1 : start + 1].isalpha() for start, _ in edges)
    return befores + sum(stop < len(message) and message[stop - 1 : stop + 1].isalpha() for _, stop in edges)


def worth(alignment: Alignment, *, from_start: bool) -> float:
    """What a template accounts for, less what it does not, and less what the message lacks of it."""
    lacking = _LACKING * alignment.lacking + (_MISSED if from_start else _LACKING) * alignment.missed
    return alignment.covered - _STRANGE * alignment.strange - lacking


def _prose(open_holes: tuple[bool, ...], message: str, alignment: Alignment) -> float:
    """What it costs that sentences stand where only a value should."""
    cost = 0.0
    spans = alignment.spans
    for (number, _, start), (after, stop, _) in pairwise(((-1, 0, 0), *spans, (len(open_holes) + 1, len(message), 0))):
        if after <= number:
            continue
        # Behind the last words that are there, the rest stands in the very next hole; before the first, in the last.
        first, last = max(number, 0), after
        if after > len(open_holes):
            last = first + 1
        elif number < 0:
            first = max(0, after - 1)
        holes = open_holes[first:last]
        if not holes or any(holes) or stop - start < 24:
            continue
        words = len(_PROSE.findall(message, max(start - 1, 0), stop))
        cost += _PROSE_COST * max(0, words - _PROSE_FREE)
    return cost


def _piece(index: SiteIndex, template: int, message: str, word: str, *, from_start: bool) -> Alignment:
    """The best alignment in which both have the word at the same place; the template holds it."""
    runs = index.runs[template]
    best, most = Alignment(0, len(message), 0), -inf
    starts = _places_of(word, message)
    for joined in _places_of(word, index.joined[template]):
        number, place = index.place_in(template, joined)
        for start in starts:
            made = piece(runs, message, number, place, start)
            points = worth(made, from_start=from_start)
            if points > most:
                best, most = made, points
    return best


def _places_of(word: str, text: str) -> list[int]:
    """The first few places where a word stands."""
    places: list[int] = []
    place = text.find(word)
    while place >= 0 and len(places) < _PLACES:
        places.append(place)
        place = text.find(word, place + len(word))
    return places

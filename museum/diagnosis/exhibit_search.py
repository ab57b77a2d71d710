"""From an error to the exhibits that explain it: by class and wording of what they print on every JAX version."""

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from itertools import takewhile

from museum.diagnosis.calls import CallSearch, is_wordless
from museum.diagnosis.class_names import are_related, are_same
from museum.diagnosis.examples import LONGEST, Example, Traits, all_examples
from museum.diagnosis.lineage import OldText
from museum.diagnosis.lineage_search import LineageSearch, SiteOfExhibits
from museum.diagnosis.reading import Reading
from museum.diagnosis.site_index import SiteIndex
from museum.diagnosis.site_search import SiteHit
from museum.diagnosis.skeletons import HOLE, common, is_foreign_axis
from museum.diagnosis.wordings import Wording
from museum.exhibit import Exhibit

MATCH, NEAR = 0.62, 0.35
"""Scores from which on an exhibit explains the error, and from which on it is worth showing as a near miss."""

_NO_CLASS, _RELATED, _OTHER_CLASS, _ASIDE, _AT_ODDS = 0.98, 0.95, 0.8, 0.95, 0.75
_MORE_PARTIES, _OTHER_PARTIES = 0.97, 0.88  # arguments among each other are another case than one against a mesh
_NOT_VARYING = 0.6  # of an example about a varying type, where none of the pasted types varies
_LACKING = 0.45  # what the paste lacks counts less than what it has beyond an example: pastes are cut, examples are not
_ENOUGH_WORDS = 16.0  # weight of common words that is enough to be sure of them
_OPENING = 9.0  # weight from which on a first sentence alone tells which error it is
_OPENING_SCORE, _BEYOND_OPENING = 0.64, 0.1
_TIE, _RELATION_TIE = 0.02, 0.03  # what chooses among exhibits of the same message
_TWIN = 0.95  # of the pasted words and values, from which on an example is said to have them
_NAME_WEIGHT = 1.6  # of names of an interface, which tell more than words of a sentence
_SAME_SUBJECT, _OTHER_SUBJECT = 0.9, 0.6  # what a name that is missing or given up is worth, and another name
_WORDS_OF_SITE = 0.15  # weight of the words of the captures where the raise site is the same for several exhibits
_FOREIGN = 0.6  # what is left where the axis is none of the visitor's
_STRANGE, _UNKNOWN_NAME = 0.8, 0.4  # shares for words, and for names, that no exhibit speaks of
_MOST_BOUNDED, _MOST_COMPARED = 32, 12
_LEAST_SHARED = 0.3  # of the weight of the words that any example shares
_BEHIND = 0.2  # an exhibit that far behind the best is not looked at
_OLD_NAMES = {"in_axis_resources": "in_shardings", "out_axis_resources": "out_shardings"}
_OPPOSITES = (
    frozenset(("hbm", "HBM", "vmem", "smem", "cmem")),
    frozenset(("in_specs", "out_specs")),
    frozenset(("in_shardings", "out_shardings", *_OLD_NAMES)),
    frozenset(("arguments", "outputs")),
    frozenset(("lhs", "rhs")),
)


@dataclass(frozen=True, slots=True)
class ExhibitHit:
    """An exhibit and how well it explains an error.

    Attributes:
        id: The exhibit.
        title: Its title.
        score: 0 to 1; from `MATCH` on it explains the error.
        reasons: Why, in words.
        jax: The version whose capture is the nearest, "" for none.
        is_twin: Whether it has the pasted values as well, for choosing among equals.
    """

    id: str
    title: str
    score: float
    reasons: tuple[str, ...]
    jax: str = ""
    is_twin: bool = False

    @property
    def explains(self) -> bool:
        """Whether it is more than a near miss."""
        return self.score >= MATCH


class ExhibitSearch:
    """The wordings of all exhibits, indexed by word."""

    def __init__(
        self, exhibits: Iterable[Exhibit], wordings: Iterable[Wording] = (), lineage: Iterable[OldText] = ()
    ) -> None:
        known = {exhibit.id: exhibit for exhibit in exhibits}
        self._titles = {exhibit.id: exhibit.title for exhibit in known.values()}
        self._walk = {exhibit: place for place, exhibit in enumerate(known)}
        self._examples = all_examples(known, wordings, lineage)
        self._holding: dict[str, list[int]] = {}
        speaking: dict[str, set[str]] = {}
        for number, example in enumerate(self._examples):
            for word in set(example.traits.words) - {HOLE}:
                self._holding.setdefault(word, []).append(number)
                speaking.setdefault(word, set()).add(example.exhibit.id)
        many = max(2, len({one.exhibit.id for one in self._examples}))
        self._weights = {word: math.log(1 + many / len(ids)) * _share(word) for word, ids in speaking.items()}
        self._weights[HOLE] = 0.0
        self._strange = math.log(1 + many) * _STRANGE
        self._sums = [self._sum(one.traits.words) for one in self._examples]
        self._alphabet = sorted(self._weights)
        self._sites = LineageSearch(lineage)
        self._calls = CallSearch(known.values())
        self._about: dict[str, set[int]] = {}
        for number, example in enumerate(self._examples):
            for name in example.traits.subjects:
                self._about.setdefault(name, set()).add(number)

    def find(
        self, reading: Reading, index: SiteIndex, sites: Sequence[SiteHit] = (), limit: int = 5
    ) -> list[ExhibitHit]:
        """The exhibits nearest to an error, the best first, near misses included.

        Args:
            reading: What was pasted.
            index: The raise sites of the version that it comes from.
            sites: Those that may have raised it.
            limit: The most to give back.
        """
        traits = Traits.of(reading.message)
        traits = replace(traits, words=self._completed(traits.words, reading.message))
        own = self._sum(traits.words)
        if is_wordless(reading.error, reading.message):
            return self._in_order(self._by_calls(reading))[:limit]
        if not own:
            return []
        hits = self._by_words(reading, traits, own)
        for exhibit, site in self._sites.find(reading, index, sites).items():
            if exhibit in self._walk:
                by_words = hits.get(exhibit)
                score = (1 - _WORDS_OF_SITE) * site.score + _WORDS_OF_SITE * (by_words.score if by_words else 0.0)
                if score >= NEAR and (by_words is None or score > by_words.score):
                    hits[exhibit] = self._hit_by_site(exhibit, site, score, by_words)
        if is_foreign_axis(reading.message):
            hits = {exhibit: replace(hit, score=round(_FOREIGN * hit.score, 3)) for exhibit, hit in hits.items()}
        return self._in_order(hits)[:limit]

    def _in_order(self, hits: Mapping[str, ExhibitHit]) -> list[ExhibitHit]:
        """The best first; of equals the one with the same values, then the one that the visitor meets first."""
        best = max((hit.score for hit in hits.values()), default=0.0)
        return sorted(hits.values(), key=lambda hit: (round(best - hit.score, 2), not hit.is_twin, self._walk[hit.id]))

    def _by_calls(self, reading: Reading) -> dict[str, ExhibitHit]:
        found = {}
        for exhibit, call in self._calls.find(reading).items():
            reason = f"the same class at a line of yours with {' and '.join(call.names)}, on JAX {call.jax}"
            found[exhibit] = ExhibitHit(exhibit, self._titles[exhibit], call.score, (reason,), call.jax)
        return found

    def _by_words(self, reading: Reading, traits: Traits, own: float) -> dict[str, ExhibitHit]:
        bounds = self._bounds(traits.words, own)
        about = {number for name in traits.subjects for number in self._about.get(name, ())}
        likely = sorted(bounds, key=lambda number: -bounds[number])[:_MOST_COMPARED]
        hits: dict[str, ExhibitHit] = {}
        best = 0.0
        for number in dict.fromkeys((*about, *likely)):
            example = self._examples[number]
            is_alike = number in about or example.traits.opening == traits.opening
            if not is_alike and bounds[number] < max(NEAR, best - _BEHIND):
                continue
            hit = self._hit(example, self._sums[number], reading, traits, own)
            best = max(best, hit.score)
            held = hits.get(hit.id)
            if hit.score >= NEAR and (held is None or (hit.score, hit.is_twin) > (held.score, held.is_twin)):
                hits[hit.id] = hit
        return hits

    def _hit_by_site(self, exhibit: str, site: SiteOfExhibits, score: float, by_words: ExhibitHit | None) -> ExhibitHit:
        made = "this very message" if site.is_whole else "a message with this in it"
        reason = f"its raise site makes {made} ({site.text.when})"
        reasons = (reason, *(by_words.reasons if by_words else ()))
        if by_words:
            return replace(by_words, score=round(score, 3), reasons=reasons)
        return ExhibitHit(exhibit, self._titles[exhibit], round(score, 3), reasons)

    def _bounds(self, words: tuple[str, ...], own: float) -> dict[int, float]:
        """By example, the most that a comparison word by word can come to; only for those with the most in common."""
        shared: dict[int, float] = {}
        for word in set(words) - {HOLE}:
            places = self._holding.get(word, ())
            if 3 * len(places) > len(self._examples):
                continue  # "the" and the like
            held, weight = shared.get, self._weights.get(word, 0.0)
            for number in places:
                shared[number] = held(number, 0.0) + weight
        least = max(shared.values(), default=0.0) * _LEAST_SHARED
        likely = [one for one, weight in shared.items() if weight >= least]
        bounds = {}
        for number in nlargest(_MOST_BOUNDED, likely, key=shared.__getitem__):
            whole = self._sums[number]
            # A word that stands there twice was counted once.
            bounds[number] = _likeness(min(1.1 * shared[number], own, whole), own, whole)
        return bounds

    def _completed(self, words: tuple[str, ...], message: str) -> tuple[str, ...]:
        """The words, the last one whole where the paste was cut in the middle of it."""
        if not words or not message[-1:].isalpha() or words[-1] in self._weights or len(words[-1]) < 3:
            return words
        first = bisect_left(self._alphabet, words[-1])
        longer = list(takewhile(lambda word: word.startswith(words[-1]), self._alphabet[first:]))
        return (*words[:-1], min(longer, key=len)) if longer else words

    def _weight(self, word: str) -> float:
        known = self._weights.get(word)
        if known is not None:
            return known
        return self._strange * (_UNKNOWN_NAME if _share(word) > 1 else 1.0)

    def _sum(self, words: Sequence[str]) -> float:
        return sum(map(self._weight, words[:LONGEST]))

    def _hit(self, example: Example, whole: float, reading: Reading, traits: Traits, own: float) -> ExhibitHit:
        words, theirs = traits.words, example.traits.words
        both = common(words, theirs, self._weights, self._strange)
        score = _likeness(both, own, whole) * min(1.0, 0.5 + both / _ENOUGH_WORDS)
        if both > _OPENING and (words == theirs[: len(words)] or example.traits.opening == traits.opening):
            score = max(score, _OPENING_SCORE + _BEYOND_OPENING * score)
        if traits.subjects and not traits.subjects.isdisjoint(example.traits.subjects):
            score = max(score, _SAME_SUBJECT)
        same = are_same(reading.error, example.error)
        score = min(1.0, score * _doubt(same, reading, example, traits) + _tie(traits, example.traits))
        reasons = [_wording(reading, traits, example, same, (both / own, both / max(whole, 0.01)))]
        if same is False:
            reasons.append(f"the class is {example.error} there")
        if example.reported:
            reasons.append("seen by others where the museum has not run it")
        exhibit, is_twin = example.exhibit, _is_within(traits.raw, example.traits.raw)
        return ExhibitHit(exhibit.id, exhibit.title, round(score, 3), tuple(reasons), example.jax, is_twin)


def _likeness(both: float, own: float, whole: float) -> float:
    """How much of two messages is common, from the weights of the common words and of each."""
    return both / (both + (own - both) + _LACKING * (whole - both)) if both else 0.0


def _doubt(same: bool | None, reading: Reading, example: Example, traits: Traits) -> float:
    """A factor for what speaks against an example in spite of its words."""
    factor = 1.0
    if traits.subjects and example.traits.subjects:
        # What a missing name raises depends on how it is asked for: the name is what counts.
        return 1.0 if not traits.subjects.isdisjoint(example.traits.subjects) else _OTHER_SUBJECT
    if same is None:
        factor *= _NO_CLASS
    elif not same:
        factor *= _RELATED if are_related(reading.error, example.error) else _OTHER_CLASS
    if example.aside:
        factor *= _ASIDE
    if example.traits.varies and not traits.varies and not reading.is_part:
        factor *= _NOT_VARYING
    if traits.parties and example.traits.parties and traits.parties != example.traits.parties:
        factor *= _MORE_PARTIES if example.traits.parties < traits.parties else _OTHER_PARTIES
    return factor * _AT_ODDS if at_odds(traits.words, example.traits.words) else factor


def at_odds(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two messages that read alike are about opposite things: inputs and outputs, this memory and that."""
    for group in _OPPOSITES:
        ours, theirs = ({_OLD_NAMES.get(word, word) for word in group.intersection(words)} for words in (one, other))
        if ours and theirs and ours.isdisjoint(theirs):
            return True
    return False


def _tie(one: Traits, other: Traits) -> float:
    """What chooses among exhibits of the same message: names and values in common."""
    score = 0.0
    if one.names and other.names:
        score += _TIE * _overlap(one.names, other.names)
    if one.raw or other.raw:
        score += _TIE * _overlap(one.raw, other.raw)
    return score + _RELATION_TIE if one.relation and one.relation == other.relation else score


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))


def _is_within(paste: frozenset[str], example: frozenset[str]) -> bool:
    return len(paste & example) >= _TWIN * len(paste)


def _wording(reading: Reading, traits: Traits, example: Example, same: bool | None, shares: tuple[float, float]) -> str:
    """How two messages compare, in words; `shares` are those of the paste and of the example that are common."""
    of_paste, of_example = shares
    head = "same class and " if same else "same "
    if traits.words == example.traits.words:
        if " ".join(reading.message.split()) == " ".join(example.message.split()):
            return f"{head}message, word for word{example.where}"
        return f"{head}message{example.where}, only {_differing(traits, example.traits)}"
    if of_paste > 0.97 and of_example < 0.97:
        return f"{head}words{example.where}, as far as the pasted part goes"
    if of_paste > 0.8:
        but = f"{head}message{example.where} but for some words"
        return but if of_example > 0.8 else f"part of the message{example.where}"
    return f"{of_paste:.0%} of the pasted words occur in the message{example.where}"


def _differing(one: Traits, other: Traits) -> str:
    """What differs between two messages of the same words."""
    names = one.names ^ other.names
    others = {word.strip("'\"`,.:;()[]") for word in one.raw ^ other.raw}
    own = one.names - other.names
    if own and len(names) <= 2 and others <= names | {""}:
        return f"the name {min(own)!r} differs"
    return "the values differ"


def _share(word: str) -> float:
    return _NAME_WEIGHT if "_" in word or any(letter.isupper() for letter in word[1:]) else 1.0

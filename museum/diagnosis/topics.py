"""From a description in someone's own words to exhibits: what titles, tags, sources and placards speak of."""

import math
import re
from collections import Counter
from collections.abc import Iterable
from heapq import nlargest
from itertools import pairwise
from operator import itemgetter

from museum.exhibit import Exhibit, Half

_WORD = re.compile(r"[^\W\d_]\w*")
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_FIELDS = (3.0, 2.5, 1.2, 1.0, 0.6)
_COMMON = frozenset(
    (
        *(
            "the",
            "an",
            "of",
            "to",
            "in",
            "is",
            "it",
            "that",
            "this",
            "for",
            "and",
            "or",
            "not",
            "be",
            "with",
            "on",
            "as",
            "by",
        ),
        *(
            "at",
            "from",
            "was",
            "are",
            "if",
            "when",
            "which",
            "but",
            "we",
            "you",
            "my",
            "has",
            "have",
            "can",
            "no",
            "will",
            "do",
        ),
        *("does", "any", "all", "been", "so", "using", "use"),
        *("error", "errors", "jax", "file", "line", "py", "python", "text", "cut", "final", "message"),
    )
)


class Topics:
    """What each exhibit speaks of, by word, the more prominent the heavier."""

    def __init__(self, exhibits: Iterable[Exhibit]) -> None:
        self._places: dict[str, dict[str, float]] = {}
        self._titles: dict[str, str] = {}
        count = 0
        for exhibit in exhibits:
            count += 1
            self._titles[exhibit.id] = exhibit.title
            for weight, text in zip(_FIELDS, _fields_of(exhibit), strict=True):
                for word, times in Counter(_words(text)).items():
                    held = self._places.setdefault(word, {})
                    held[exhibit.id] = max(held.get(exhibit.id, 0.0), weight * min(1.5, 1 + 0.1 * (times - 1)))
        self._many = max(count, 2)
        # A word that a third of them speak of tells nothing.
        self._places = {word: held for word, held in self._places.items() if 3 * len(held) <= self._many}

    def find(self, text: str, limit: int = 5) -> list[tuple[str, float]]:
        """Ids with a score from 0 to 1: how much of what the text speaks of the exhibit speaks of too."""
        words = {word for word in _words(text[:4_000]) if word in self._places}
        scores: dict[str, float] = {}
        most = 0.0
        for word in words:
            held = self._places[word]
            rarity = math.log(self._many / len(held))
            most += rarity * _FIELDS[0]
            for exhibit, weight in held.items():
                scores[exhibit] = scores.get(exhibit, 0.0) + rarity * weight
        if not scores:
            return []
        # A text of few words says too little to be sure of.
        trust = most / (most + 25.0)
        return [
            (exhibit, trust * score / most) for exhibit, score in nlargest(limit, scores.items(), key=itemgetter(1))
        ]

    def title_of(self, exhibit: str) -> str:
        """An exhibit's title."""
        return self._titles[exhibit]


def _fields_of(exhibit: Exhibit) -> tuple[str, str, str, str, str]:
    facts, placard = exhibit.facts, exhibit.placard
    heading = " ".join((facts.title, exhibit.id.replace("/", " "), *facts.tags))
    said = " ".join((*(one.message for one in exhibit.captures), *(says for one in facts.expect for says in one.says)))
    prose = " ".join((placard.what_it_means, placard.when_you_meet_it, placard.ways_out))
    code = " ".join(exhibit.scripts.get(half, "") for half in Half)
    return heading, " ".join(source.title for source in facts.sources), said, prose, code


def _words(text: str) -> Iterable[str]:
    """Words, the parts of names, and dotted names two by two, small."""
    for name in _DOTTED.findall(text):
        yield from map(".".join, pairwise(name.lower().split(".")))
    for word in _WORD.findall(text):
        small = word.lower()
        if small not in _COMMON and len(small) > 1:
            yield small
            parts = [part.lower() for part in _PARTS.findall(word)]
            if len(parts) > 1:
                yield from (part for part in parts if part not in _COMMON and len(part) > 2)

"""From words to ranked exhibits: an index made once, asked at every key."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from museum.catalog import Catalog
from museum.exhibit import Exhibit, Half

# A higher field outranks any match in a lower one, as `_PREFIX_SHARE` keeps the beginning of a word above the next.
_TITLE, _TAG, _MESSAGE, _TEXT, _CODE = 81.0, 27.0, 9.0, 3.0, 1.0
_PREFIX_SHARE = 0.5

_WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*")
_INNER_START = re.compile(r"(?<=_)(?=[^_])|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@dataclass(frozen=True, slots=True)
class Hit:
    """An exhibit that a query found.

    Attributes:
        exhibit: The exhibit.
        score: Higher is better; comparable within one answer only.
    """

    exhibit: Exhibit
    score: float


class Index:
    """The words of every exhibit, sorted, with the best place that each one stands in.

    Words are matched from their start, without regard to case or accents; ``IndivisibleError`` and
    ``with_sharding_constraint`` are found by their parts as well.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._exhibits = catalog.exhibits
        places: dict[str, dict[int, float]] = {}
        for number, exhibit in enumerate(self._exhibits):
            # From the least to the most telling field, so that the best weight stays.
            for weight, texts in reversed(_fields_of(exhibit)):
                for word in _indexed_words(texts):
                    places.setdefault(word, {})[number] = weight
        self._words = sorted(places)
        self._places = [places[word] for word in self._words]

    def find(self, query: str) -> list[Hit]:
        """Exhibits in which every word of the query occurs, the best first, equals in walking order.

        Args:
            query: What the visitor typed; without a word in it, everything matches.
        """
        scores: dict[int, float] | None = None
        for word in dict.fromkeys(_words(query)):
            found = self._find_word(word)
            if scores is None:
                scores = found
            else:
                scores = {number: score + found[number] for number, score in scores.items() if number in found}
        if scores is None:
            return [Hit(exhibit, 0.0) for exhibit in self._exhibits]
        ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
        return [Hit(self._exhibits[number], score) for number, score in ranked]

    def _find_word(self, wanted: str) -> dict[int, float]:
        found: dict[int, float] = {}
        for place in range(bisect_left(self._words, wanted), len(self._words)):
            word = self._words[place]
            if not word.startswith(wanted):
                break
            share = 1.0 if word == wanted else _PREFIX_SHARE
            for number, weight in self._places[place].items():
                if weight * share > found.get(number, 0.0):
                    found[number] = weight * share
        return found


def search(catalog: Catalog, query: str) -> list[Hit]:
    """Ask once; keep an `Index` to ask again.

    Args:
        catalog: Where to look.
        query: As for `Index.find`.
    """
    return Index(catalog).find(query)


def _fields_of(exhibit: Exhibit) -> list[tuple[float, Iterable[str]]]:
    """The texts of an exhibit with their weights, the most telling first."""
    facts, placard = exhibit.facts, exhibit.placard
    failures = [capture for capture in exhibit.captures if capture.half is Half.FAILING]
    messages = [(capture.error, capture.message, capture.stdout, capture.stderr) for capture in failures]
    promised = [text for expectation in facts.expect for text in (expectation.error, *expectation.says)]
    return [
        (_TITLE, (exhibit.title, exhibit.id.partition("/")[2])),
        (_TAG, (exhibit.wing, facts.kind, *facts.tags)),
        (_MESSAGE, (*promised, *chain.from_iterable(messages))),
        (_TEXT, (placard.what_it_means, placard.when_you_meet_it, placard.ways_out, placard.see_also)),
        (_CODE, exhibit.scripts.values()),
    ]


def _indexed_words(texts: Iterable[str]) -> set[str]:
    """Every word of the texts, and what follows each ``_`` or capital inside it: prefixes then find the parts."""
    found: set[str] = set()
    # Captures of several JAX versions repeat most of their words.
    for raw in {match for text in texts for match in _WORD.findall(_without_accents(text))}:
        word = raw.casefold()
        found.add(word)
        # Places in `raw` are places in `word` unless folding lengthened it (ß).
        if len(raw) == len(word) and (raw != word or "_" in raw):
            found.update(word[match.start() :] for match in _INNER_START.finditer(raw))
    return found


def _words(query: str) -> list[str]:
    return _WORD.findall(_without_accents(query).casefold())


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))

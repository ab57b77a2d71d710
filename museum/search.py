"""From words to ranked exhibits: an index made once, asked at every key."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType

from museum.catalog import Catalog
from museum.errors import MuseumError
from museum.exhibit import Exhibit, Half, Origin
from museum.search_query import Filter, meant, read_query
from museum.typos import Dictionary

# A higher field outranks any match in a lower one, as `_PREFIX_SHARE` keeps the beginning of a word above the next.
_TITLE, _TAG, _MESSAGE, _TEXT, _CODE = 81.0, 27.0, 9.0, 3.0, 1.0
_PREFIX_SHARE = 0.5
_TYPO_SHARES = (0.0, 0.45, 0.2)  # by slips; only for a word that nothing else matches
_MOST_KEPT = 256  # answers for single words: what was typed before the last word is asked again at every key

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


@dataclass(frozen=True, slots=True)
class Answer:
    """What a query came to.

    Attributes:
        hits: The best first.
        notice: One line about a filter whose value nothing has; "" when all is well.
        corrections: Words that occur nowhere, with the word that was looked for instead.
    """

    hits: tuple[Hit, ...]
    notice: str = ""
    corrections: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


class Index:
    """The words of every exhibit, sorted, with the best place that each one stands in.

    Words are matched from their start, without regard to case or accents; ``IndivisibleError`` and
    ``with_sharding_constraint`` are found by their parts as well. A word that is found nowhere is taken for a mistyped
    one.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._exhibits = catalog.exhibits
        places: dict[str, dict[int, float]] = {}
        self._beginnings: dict[str, dict[int, float]] = {}  # of one and two letters, which too many words have
        forms: dict[str, tuple[str, ...]] = {}
        for number, exhibit in enumerate(self._exhibits):
            # From the least to the most telling field, so that the best weight stays.
            for weight, texts in reversed(_fields_of(exhibit)):
                words = _indexed_words(texts, forms)
                for word in words:
                    places.setdefault(word, {})[number] = weight
                for beginning in {word[:size] for word in words for size in (1, 2)}:
                    self._beginnings.setdefault(beginning, {})[number] = weight * _PREFIX_SHARE
        self._words = sorted(places)
        self._places = [places[word] for word in self._words]
        self._dictionary = Dictionary(self._words)
        self._answers: dict[str, tuple[dict[int, float], str]] = {}
        self._facts = _Facts(self._exhibits)

    @property
    def size(self) -> int:
        """How many words it knows."""
        return len(self._words)

    def find(self, query: str) -> list[Hit]:
        """Exhibits in which every word of the query occurs, the best first, equals in walking order.

        Args:
            query: What the visitor typed; without a word or filter in it, everything matches.
        """
        return list(self.ask(query).hits)

    def ask(self, query: str) -> Answer:
        """As `find`, with what there is to say about the query."""
        read = read_query(query)
        allowed, notice = self._facts.allowed(read.filters)
        scores: dict[int, float] | None = None
        corrections: dict[str, str] = {}
        for word in dict.fromkeys(_words(read.words)):
            found, instead = self._found(word)
            if instead:
                corrections[word] = instead
            if scores is None:
                scores = found
            else:
                scores = {number: score + found[number] for number, score in scores.items() if number in found}
        if scores is None:
            scores = dict.fromkeys(range(len(self._exhibits)), 0.0)
        ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
        hits = [Hit(self._exhibits[number], score) for number, score in ranked if allowed is None or number in allowed]
        return Answer(tuple(hits), notice, MappingProxyType(corrections))

    def values(self, key: str) -> tuple[str, ...]:
        """What a filter's key can be asked for, for completion and for chips."""
        return tuple(self._facts.known(key))

    def counts(self, key: str) -> Mapping[str, int]:
        """How many exhibits each value of a key lets through, in the order of `values`."""
        return self._facts.counts(key)

    def note_those(self, value: str, exhibit_ids: Iterable[str]) -> None:
        """Let ``is:`` find what the visitor made of exhibits.

        Args:
            value: "favourite" or "recent".
            exhibit_ids: All that are it now; those that are not in the index are passed over.
        """
        wanted = set(exhibit_ids)
        self._facts.note_those(value, {n for n, exhibit in enumerate(self._exhibits) if exhibit.id in wanted})

    def note_verdict(self, exhibit_id: str, jax: str, verdict: str) -> None:
        """Let ``verdict:`` find what an exhibit did just now.

        Args:
            exhibit_id: One that is not in the index is passed over.
            jax: On which version.
            verdict: In words, as `museum.lab.verify.Verdict`.
        """
        for number, exhibit in enumerate(self._exhibits):
            if exhibit.id == exhibit_id:
                self._facts.note(number, jax, verdict)

    def _found(self, wanted: str) -> tuple[dict[int, float], str]:
        known = self._answers.get(wanted)
        if known is None:
            known = self._find_word(wanted), ""
            if not known[0]:
                known = self._find_mistyped(wanted)
            if len(self._answers) >= _MOST_KEPT:
                self._answers.clear()
            self._answers[wanted] = known
        return known

    def _find_word(self, wanted: str) -> dict[int, float]:
        first = bisect_left(self._words, wanted)
        if len(wanted) <= 2:
            found = dict(self._beginnings.get(wanted, {}))
            if self._words[first : first + 1] == [wanted]:
                self._add(found, first, 1.0)
            return found
        found = {}
        for place in range(first, len(self._words)):
            word = self._words[place]
            if not word.startswith(wanted):
                break
            self._add(found, place, 1.0 if word == wanted else _PREFIX_SHARE)
        return found

    def _find_mistyped(self, wanted: str) -> tuple[dict[int, float], str]:
        found: dict[int, float] = {}
        near = self._dictionary.near(wanted)
        for place, number in near:
            self._add(found, place, _TYPO_SHARES[number])
        if not near:
            return found, ""
        # Of the nearest, the one that is about as long as what was typed.
        place = min(near, key=lambda pair: (pair[1], abs(len(self._words[pair[0]]) - len(wanted)), pair[0]))[0]
        return found, self._words[place]

    def _add(self, found: dict[int, float], place: int, share: float) -> None:
        for number, weight in self._places[place].items():
            if weight * share > found.get(number, 0.0):
                found[number] = weight * share


class _Facts:
    """Which exhibits have which wing, kind, tag, JAX version and verdict, and what the visitor made of them."""

    def __init__(self, exhibits: Iterable[Exhibit]) -> None:
        self._having: dict[str, dict[str, set[int]]] = {key: {} for key in ("wing", "kind", "tag", "jax")}
        self._having["is"] = {"favourite": set(), "recent": set()}
        self._did: dict[tuple[str, str], set[int]] = {}
        for number, exhibit in enumerate(exhibits):
            facts = exhibit.facts
            proven = {capture.jax for capture in exhibit.captures if capture.origin is Origin.REPRODUCED}
            kinds = {facts.kind, *(expectation.kind for expectation in facts.expect if expectation.kind)}
            of_key: dict[str, Iterable[str]] = {"wing": (exhibit.wing,), "kind": kinds, "tag": facts.tags}
            of_key["jax"] = {*proven, *facts.jax}
            for key, values in of_key.items():
                for value in values:
                    self._having[key].setdefault(str(value).casefold(), set()).add(number)
            for jax, verdict in _verdicts(exhibit):
                self.note(number, jax, verdict)
        self._having["jax"] = dict(sorted(self._having["jax"].items(), key=lambda item: _by_number(item[0])))

    def note(self, number: int, jax: str, verdict: str) -> None:
        self._did.setdefault((jax, _typed(verdict)), set()).add(number)

    def note_those(self, value: str, numbers: set[int]) -> None:
        self._having["is"][value] = numbers

    def counts(self, key: str) -> dict[str, int]:
        if key != "verdict":
            return {value: len(numbers) for value, numbers in self._having[key].items()}
        did: dict[str, set[int]] = {verdict: set() for verdict in self.known(key)}
        for (_, verdict), numbers in self._did.items():
            did.setdefault(verdict, set()).update(numbers)
        return {verdict: len(numbers) for verdict, numbers in did.items()}

    def known(self, key: str) -> list[str]:
        if key == "verdict":
            from museum.lab.verify import Verdict

            return [_typed(verdict) for verdict in Verdict]
        return list(self._having[key])

    def allowed(self, filters: Iterable[Filter]) -> tuple[set[int] | None, str]:
        """Exhibits that every filter lets through, None for all; and a notice."""
        allowed: set[int] | None = None
        excluded: set[int] = set()
        asked = [(one, *self._meant(one)) for one in filters]
        versions = [values for one, values, _ in asked if one.key == "jax" and not one.excludes]
        for one, values, _ in asked:
            for fitting in self._fitting(one, values, versions):
                if one.excludes:
                    excluded |= fitting
                else:
                    allowed = fitting if allowed is None else allowed & fitting
        if excluded:
            everything = set[int]().union(*(having for having in self._having["wing"].values()))
            allowed = (everything if allowed is None else allowed) - excluded
        return allowed, next((notice for _, _, notice in asked if notice), "")

    def _meant(self, one: Filter) -> tuple[frozenset[str], str]:
        found: frozenset[str] = frozenset()
        notices = []
        for typed in one.values:
            values, notice = meant(one.key, typed, self.known(one.key))
            found |= values
            notices.append(notice)
        return found, next(filter(None, notices), "")

    def _fitting(self, one: Filter, values: frozenset[str], versions: list[frozenset[str]]) -> list[set[int]]:
        """For a verdict one set for each JAX version asked for, since it is the verdict on that version."""
        if one.key != "verdict":
            return [set[int]().union(*(self._having[one.key][value] for value in values))]
        every = frozenset(jax for jax, _ in self._did)
        return [
            set[int]().union(
                *(numbers for (jax, verdict), numbers in self._did.items() if verdict in values and jax in on)
            )
            for on in versions or [every]
        ]


def search(catalog: Catalog, query: str) -> list[Hit]:
    """Ask once; keep an `Index` to ask again.

    Args:
        catalog: Where to look.
        query: As for `Index.find`.
    """
    return Index(catalog).find(query)


def _verdicts(exhibit: Exhibit) -> Iterator[tuple[str, str]]:
    """JAX version and verdict of each half, as the captures tell it; none where a version is none."""
    from museum.strip import strip_of

    try:
        cells = strip_of(exhibit).cells
    except MuseumError:
        return
    for place, cell in cells.items():
        if cell.verdict:
            yield place.jax, cell.verdict


def _by_number(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def _typed(verdict: str) -> str:
    """A verdict as one word."""
    return str(verdict).replace(" ", "-")


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


def _indexed_words(texts: Iterable[str], forms: dict[str, tuple[str, ...]]) -> set[str]:
    """Every word of the texts, and what follows each ``_`` or capital inside it: prefixes then find the parts.

    Args:
        texts: Of one field.
        forms: What is known of words already; grows.
    """
    found: set[str] = set()
    # Captures of several JAX versions repeat most of their words.
    for raw in {match for text in texts for match in _WORD.findall(_without_accents(text))}:
        known = forms.get(raw)
        if known is None:
            known = forms[raw] = _forms_of(raw)
        found.update(known)
    return found


def _forms_of(raw: str) -> tuple[str, ...]:
    word = raw.casefold()
    # Places in `raw` are places in `word` unless folding lengthened it (ß).
    if len(raw) == len(word) and (raw != word or "_" in raw):
        return word, *(word[match.start() :] for match in _INNER_START.finditer(raw))
    return (word,)


def _words(query: str) -> list[str]:
    return _WORD.findall(_without_accents(query).casefold())


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))

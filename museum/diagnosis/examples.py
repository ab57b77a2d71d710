"""The wordings that an exhibit is known by: its captures on every JAX version, and other words for the same error."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from museum.diagnosis.lineage import OldText
from museum.diagnosis.reading import read
from museum.diagnosis.skeletons import parties, quoted, relation, skeleton
from museum.diagnosis.subjects import subjects
from museum.diagnosis.wordings import Wording
from museum.exhibit import Capture, Exhibit, Half, Origin, OutcomeKind

LONGEST = 160
"""Words of a skeleton that are compared."""

_RAW_AT_MOST = 2_000
_VARYING = re.compile(r"\]\{(?:V:)?[A-Za-z_]")  # float32[2]{data}, and with a V since 0.6.2
_SENTENCE_END = re.compile(r"(?<=[\d)'`\"\]:;.])\n|(?<=[a-z)'`\"\]]\.) ")
# First sentences under which any error of their kind stands.
_HEADINGS = {
    skeleton(text)
    for text in (
        "Cannot lower jaxpr with verifier errors:",
        "Exception while lowering eqn:",
        "Verification failed:",
        "Mosaic failed to compile TPU kernel:",
    )
}


@dataclass(frozen=True, slots=True)
class Traits:
    """By what two messages are compared.

    Attributes:
        words: The skeleton.
        opening: The skeleton of the first sentence; of everything where that is only a heading.
        names: What stands in quotes.
        relation: How the lists of device ids in it stand to each other.
        raw: Everything as it stands, for choosing among exhibits of the same message.
        parties: What it sets against each other where devices do not fit.
        subjects: The names that it says are missing or given up.
        varies: Whether it is about a type that varies over a mesh axis, ``float32[2]{V:data}``.
    """

    words: tuple[str, ...]
    opening: tuple[str, ...]
    names: frozenset[str]
    relation: str
    raw: frozenset[str]
    parties: frozenset[str]
    subjects: frozenset[str]
    varies: bool

    @classmethod
    def of(cls, message: str) -> "Traits":
        """Those of a message."""
        opening = skeleton(_SENTENCE_END.split(message.lstrip(), maxsplit=1)[0])
        words = skeleton(message)[:LONGEST]
        raw = frozenset(message[:_RAW_AT_MOST].split())
        return cls(
            words,
            words if opening in _HEADINGS else opening,
            quoted(message),
            relation(message),
            raw,
            parties(message),
            subjects(message),
            _VARYING.search(message[:_RAW_AT_MOST]) is not None,
        )


@dataclass(frozen=True, slots=True)
class Example:
    """One wording that an exhibit is known by.

    Attributes:
        exhibit: The exhibit.
        error: Exception class, "" where it was only logged.
        message: As printed.
        traits: By what it is compared.
        jax: The version that words it so, "" where it is not one of those at hand.
        when: Where else it is worded so.
        reported: Whether it was seen by others only.
        aside: Whether the exhibit shows itself by something else, and this was only printed as well.
    """

    exhibit: Exhibit
    error: str
    message: str
    traits: Traits
    jax: str = ""
    when: str = ""
    reported: bool = False
    aside: bool = False

    @property
    def where(self) -> str:
        """Where it is worded so, in words."""
        if self.jax:
            return f" on JAX {self.jax}"
        return f" ({self.when})" if self.when else ""


def all_examples(
    exhibits: dict[str, Exhibit], wordings: Iterable[Wording], lineage: Iterable[OldText] = ()
) -> list[Example]:
    """Every wording of every exhibit; wordings of exhibits that are not there are passed over."""
    found = [one for exhibit in exhibits.values() for one in _of_exhibit(exhibit)]
    found += [
        Example(exhibits[one.exhibit], one.error, one.text, Traits.of(one.text), when=one.when)
        for one in wordings
        if one.exhibit in exhibits
    ]
    held = {(one.exhibit.id, one.traits.words) for one in found}
    for text in lineage:
        traits = Traits.of(text.fixed)
        found += [
            Example(exhibits[exhibit], text.error, text.message, traits, when=text.when)
            for exhibit in text.exhibits
            if exhibit in exhibits and (exhibit, traits.words) not in held
        ]
    return found


def printed(exhibit: Exhibit) -> Iterator[tuple[str, str, str]]:
    """JAX version, class and message of everything by which an exhibit shows itself in what was reproduced."""
    for capture in exhibit.captures:
        if capture.half is Half.FAILING and capture.origin is Origin.REPRODUCED and not _is_aside(capture, exhibit):
            for error, message in _said(capture, exhibit.facts.kind):
                yield capture.jax, error, message


def _is_aside(capture: Capture, exhibit: Exhibit) -> bool:
    return not capture.message and exhibit.facts.kind not in (OutcomeKind.WARNS, OutcomeKind.ABORTS)


def _of_exhibit(exhibit: Exhibit) -> Iterator[Example]:
    seen: set[tuple[str, tuple[str, ...], bool]] = set()
    for capture in reversed(exhibit.captures):
        if capture.half is not Half.FAILING:
            continue
        reported = capture.origin is Origin.REPORTED
        aside = _is_aside(capture, exhibit)
        for error, message in _said(capture, exhibit.facts.kind):
            traits = Traits.of(message)
            key = (error, traits.words, traits.varies)
            if len(traits.words) >= 2 and key not in seen:
                seen.add(key)
                yield Example(exhibit, error, message, traits, capture.jax, reported=reported, aside=aside)
    if not seen:
        yield from _expected(exhibit)


def _said(capture: Capture, kind: OutcomeKind) -> Iterator[tuple[str, str]]:
    """Class and message of a capture: of the exception, or of the first warning or log line."""
    if capture.message:
        yield capture.error, capture.message
    if capture.stderr and (not capture.message or kind in (OutcomeKind.ABORTS, OutcomeKind.HANGS)):
        reading = read(capture.stderr)
        if not reading.is_part:
            yield reading.error, reading.message


def _expected(exhibit: Exhibit) -> Iterator[Example]:
    """Of an exhibit that was not captured yet, the words that it promises."""
    for expectation in exhibit.facts.expect:
        message = " … ".join(expectation.says)
        traits = Traits.of(message)
        if (expectation.kind or exhibit.facts.kind) is not OutcomeKind.SILENT and len(traits.words) > 3:
            yield Example(exhibit, expectation.error, message, traits)

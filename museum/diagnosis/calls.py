"""What the visitor's own line calls: all that tells where an error has no words, or only Python's."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from museum.diagnosis.class_names import are_same
from museum.diagnosis.reading import Reading
from museum.diagnosis.skeletons import HOLE, skeleton
from museum.exhibit import Capture, Exhibit, Half, OutcomeKind

_PYTHONS = re.compile(r"'\w+' object is not (?:iterable|callable|subscriptable)")
_OF_JAX = re.compile(r"(?<![\w.])(?:jax|jnp|lax|pl|plgpu|pltpu)(?:\.\w+)*\.(\w+)")
_KEYWORD = re.compile(r"[(,\s](\w+_\w+)=(?!=)")
_NAME = re.compile(r"\w+")
_LEAST_SHARE = 0.5  # of what an exhibit's line calls, by rarity, that the visitor's must call too
_SURE, _LEAST = 0.92, 0.62  # scores for all of it, and for the least


@dataclass(frozen=True, slots=True)
class _Line:
    """The line at which an exhibit fails without words of its own."""

    exhibit: str
    error: str
    jax: str
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Call:
    """An exhibit that fails in the same class at a line that calls the same.

    Attributes:
        score: 0 to 1.
        names: What both lines call.
        jax: The version whose capture it is.
    """

    score: float
    names: tuple[str, ...]
    jax: str


def is_wordless(error: str, message: str) -> bool:
    """Whether an error alone tells nothing: it has no message, a value for one, or what Python says of any object."""
    if error == "KeyError" or not set(skeleton(message)) - {HOLE}:
        return True
    return _PYTHONS.fullmatch(message.strip()) is not None


class CallSearch:
    """The lines at which exhibits fail without words."""

    def __init__(self, exhibits: Iterable[Exhibit]) -> None:
        known = list(exhibits)
        self._lines = [line for exhibit in known for line in _lines_of(exhibit)]
        calling: dict[str, int] = {}
        for exhibit in known:
            for name in _names(exhibit.scripts[Half.FAILING]):
                calling[name] = calling.get(name, 0) + 1
        self._weights = {name: math.log(1 + len(known) / number) for name, number in calling.items()}

    def find(self, reading: Reading) -> dict[str, Call]:
        """The exhibits whose class and line fit a wordless error; none where the paste shows no line."""
        if reading.own is None or not is_wordless(reading.error, reading.message):
            return {}
        theirs = set(_NAME.findall(reading.own.code))
        found: dict[str, Call] = {}
        for line in self._lines:
            both = line.names & theirs
            share = self._weight(both) / self._weight(line.names)
            if share >= _LEAST_SHARE and are_same(reading.error, line.error):
                score = round(_LEAST + (_SURE - _LEAST) * (share - _LEAST_SHARE) / (1 - _LEAST_SHARE), 3)
                if line.exhibit not in found or score > found[line.exhibit].score:
                    found[line.exhibit] = Call(score, tuple(sorted(both)), line.jax)
        return found

    def _weight(self, names: Iterable[str]) -> float:
        return sum(self._weights.get(name, 0.0) for name in names)


def _lines_of(exhibit: Exhibit) -> Iterable[_Line]:
    if exhibit.facts.kind is not OutcomeKind.RAISES:
        return
    script = exhibit.scripts[Half.FAILING].splitlines()
    for capture in reversed(exhibit.captures):
        names = _names(_code(capture, script))
        if names:
            yield _Line(exhibit.id, capture.error, capture.jax, names)


def _code(capture: Capture, script: list[str]) -> str:
    """The line of a wordless failure; "" for any other capture."""
    if capture.half is not Half.FAILING or not capture.error or not is_wordless(capture.error, capture.message):
        return ""
    return script[capture.line - 1] if 0 < capture.line <= len(script) else ""


def _names(code: str) -> frozenset[str]:
    """Functions of JAX, and keywords, that some code names."""
    return frozenset((*_OF_JAX.findall(code), *_KEYWORD.findall(code)))

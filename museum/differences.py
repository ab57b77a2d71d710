"""Where two texts differ: by line for code, by word for messages.

Both answers come from an alignment that keeps the order of each text. The time is bounded: texts whose alignment would
take too long are compared by their common beginning and end only, which marks too much rather than too little.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile

# Brackets and signs stand alone and numbers stay whole, so that `(16, 2.5)` differs from `(17, 2.5)` in `16` only.
_TOKEN = re.compile(r"\n|[^\S\n]+|\d+(?:\.\d+)*|\w+|[^\w\s]")

_MOST_TOKENS = 20_000
# SequenceMatcher walks all pairs of equal tokens, some ten times over for texts that share little.
_MOST_PAIRS = 300_000


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of characters of one text.

    Attributes:
        text: The characters, verbatim, never empty.
        differs: Whether the other text lacks them here.
    """

    text: str
    differs: bool


@dataclass(frozen=True, slots=True)
class _Hunk:
    """Tokens of both texts that stand against each other; equal ones, or else those that have no partner."""

    left: Sequence[str]
    right: Sequence[str]
    equal: bool


def changed_lines(a: str, b: str) -> tuple[frozenset[int], frozenset[int]]:
    r"""The lines of each text that have no equal partner in the other one.

    Lines end at ``\n`` only, as in the editor, and a text that ends with one has an empty line after it.

    Args:
        a: One text.
        b: The other.

    Returns:
        Line numbers of `a` and of `b`, from 1.
    """
    changed_a: set[int] = set()
    changed_b: set[int] = set()
    line_a = line_b = 1
    for hunk in _hunks(a.split("\n"), b.split("\n"), _Budget()):
        if not hunk.equal:
            changed_a.update(range(line_a, line_a + len(hunk.left)))
            changed_b.update(range(line_b, line_b + len(hunk.right)))
        line_a += len(hunk.left)
        line_b += len(hunk.right)
    return frozenset(changed_a), frozenset(changed_b)


def word_difference(recorded: str, seen: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """What differs between two messages, by words, numbers, signs and white space.

    Equal lines are matched first and words only between them, so that long outputs stay quick and a word does not find
    its partner half a page away.

    Args:
        recorded: One text.
        seen: The other.

    Returns:
        The pieces of `recorded` and of `seen`. The texts of each, joined, are the input; so are, in both alike, the
        pieces that do not differ. Neighbours never have the same `differs`.
    """
    left: list[Piece] = []
    right: list[Piece] = []
    budget = _Budget()
    for lines in _hunks(recorded.splitlines(keepends=True), seen.splitlines(keepends=True), _Budget()):
        for hunk in [lines] if lines.equal else _hunks(_tokens(lines.left), _tokens(lines.right), budget):
            _append(left, hunk.left, differs=not hunk.equal)
            _append(right, hunk.right, differs=not hunk.equal)
    return tuple(left), tuple(right)


def _tokens(lines: Sequence[str]) -> list[str]:
    return _TOKEN.findall("".join(lines))


def _append(pieces: list[Piece], tokens: Sequence[str], *, differs: bool) -> None:
    text = "".join(tokens)
    if pieces and pieces[-1].differs == differs:
        text = pieces.pop().text + text
    if text:
        pieces.append(Piece(text, differs))


class _Budget:
    """How much one question may still cost, shared by all alignments that answer it."""

    def __init__(self) -> None:
        self._tokens = _MOST_TOKENS
        self._pairs = _MOST_PAIRS

    def spend(self, a: Sequence[str], b: Sequence[str]) -> bool:
        """Whether the alignment of `a` with `b` is affordable; if so, it is paid for."""
        tokens = max(len(a), len(b))
        if tokens > self._tokens:
            return False
        count_b = Counter(b)
        pairs = sum(count * count_b[token] for token, count in Counter(a).items())
        if pairs > self._pairs:
            return False
        self._tokens -= tokens
        self._pairs -= pairs
        return True


def _hunks(a: Sequence[str], b: Sequence[str], budget: _Budget) -> Iterator[_Hunk]:
    """The alignment of two token lists, front to back, without empty hunks."""
    head = _common(a, b)
    yield from _hunk(a[:head], b[:head], equal=True)
    a, b = a[head:], b[head:]
    tail = _common(a[::-1], b[::-1])
    middle_a, middle_b = a[: len(a) - tail], b[: len(b) - tail]
    if budget.spend(middle_a, middle_b):
        for kind, a_from, a_to, b_from, b_to in SequenceMatcher(None, middle_a, middle_b, autojunk=False).get_opcodes():
            yield from _hunk(middle_a[a_from:a_to], middle_b[b_from:b_to], equal=kind == "equal")
    else:
        yield from _hunk(middle_a, middle_b, equal=False)
    yield from _hunk(a[len(a) - tail :], b[len(b) - tail :], equal=True)


def _hunk(a: Sequence[str], b: Sequence[str], *, equal: bool) -> Iterator[_Hunk]:
    if a or b:
        yield _Hunk(a, b, equal)


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    """How many tokens the two lists share at their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))

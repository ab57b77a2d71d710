"""Where two texts differ: by line for code, by word for messages.

Both answers come from an alignment that keeps the order of each text. The time is bounded: where an alignment would
take too long, what stands once in both texts divides them, and pieces that are still too long are compared by their
common beginning and end only, which marks too much rather than too little.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from itertools import takewhile

# Brackets and signs stand alone and numbers stay whole, so that `(16, 2.5)` differs from `(17, 2.5)` in `16` only.
_TOKEN = re.compile(r"\n|[^\S\n]+|\d+(?:\.\d+)*|\w+|[^\w\s]")

_MOST_TOKENS = 20_000
# SequenceMatcher walks all pairs of equal tokens, and most of them again for each match that it finds.
_MOST_PAIRS = 300_000
_MOST_STEPS = 600_000  # of such walks; a twentieth of a second


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
        self.steps = _MOST_STEPS

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
    yield from _middle(a[: len(a) - tail], b[: len(b) - tail], budget)
    yield from _hunk(a[len(a) - tail :], b[len(b) - tail :], equal=True)


def _middle(a: Sequence[str], b: Sequence[str], budget: _Budget) -> Iterator[_Hunk]:
    """The alignment of two token lists that neither begin nor end alike."""
    try:
        codes = _Matcher(a, b, budget).get_opcodes() if budget.spend(a, b) else None
    except _TooLongError:
        codes = None
    if codes is not None:
        for kind, a_from, a_to, b_from, b_to in codes:
            yield from _hunk(a[a_from:a_to], b[b_from:b_to], equal=kind == "equal")
    elif anchors := _anchors(a, b):
        a_from = b_from = 0
        for at_a, at_b in (*anchors, (len(a), len(b))):
            yield from _hunks(a[a_from:at_a], b[b_from:at_b], budget)
            yield from _hunk(a[at_a : at_a + 1], b[at_b : at_b + 1], equal=True)
            a_from, b_from = at_a + 1, at_b + 1
    else:
        yield from _hunk(a, b, equal=False)


class _TooLongError(Exception):
    """The alignment costs more than is left."""


class _Matcher(SequenceMatcher[str]):
    """Gives up when half of the budget's steps are spent, before it has given any answer."""

    def __init__(self, a: Sequence[str], b: Sequence[str], budget: _Budget) -> None:
        super().__init__(None, a, b, autojunk=False)
        self._budget = budget
        self._least = budget.steps // 2  # the rest is for the pieces, should this give up
        count_b = Counter(b)
        self._walked = [0]  # pairs that the tokens before each one have
        for token in a:
            self._walked.append(self._walked[-1] + count_b[token])

    def find_longest_match(self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None) -> Match:
        """As SequenceMatcher, on account.

        Raises:
            _TooLongError: It would be overdrawn.
        """
        steps = self._walked[-1 if ahi is None else ahi] - self._walked[alo]
        if self._budget.steps - steps < self._least:
            raise _TooLongError
        self._budget.steps -= steps
        return super().find_longest_match(alo, ahi, blo, bhi)


def _anchors(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Places in both of tokens that stand once in each, as many as keep their order (patience sorting)."""
    once_a, once_b = ({token for token, count in Counter(tokens).items() if count == 1} for tokens in (a, b))
    place_in_b = {token: at for at, token in enumerate(b) if token in once_b}
    pairs = [(at, place_in_b[token]) for at, token in enumerate(a) if token in once_a and token in once_b]
    ends: list[int] = []  # of the chain of each length, the one that ends first in b
    chains: list[int] = []  # which pair that is
    before: list[int] = []
    for number, (_, at_b) in enumerate(pairs):
        length = bisect_left(ends, at_b)
        before.append(chains[length - 1] if length else -1)
        ends[length : length + 1] = [at_b]
        chains[length : length + 1] = [number]
    chain, number = [], chains[-1] if chains else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]


def _hunk(a: Sequence[str], b: Sequence[str], *, equal: bool) -> Iterator[_Hunk]:
    if a or b:
        yield _Hunk(a, b, equal)


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    """How many tokens the two lists share at their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))

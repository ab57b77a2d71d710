"""Which known words a mistyped one may have meant: within one or two slips of a word, or of its beginning."""

from collections import Counter
from collections.abc import Sequence

SHORTEST = 4  # letters; any shorter word is near to too many
LONG = 8  # letters from which two slips are forgiven
_MOST_TRIED = 400  # words that are looked at letter by letter
_PAD = "\0\0"  # makes the first letters count, as three letters of their own


def slips_forgiven(typed: str) -> int:
    """How many slips a word may hold: none where it is short or has digits in it, for those are not slips."""
    if len(typed) < SHORTEST or any(letter.isdigit() for letter in typed):
        return 0
    return 2 if len(typed) >= LONG else 1


def slips(typed: str, word: str, most: int) -> int:
    """How many slips lead from `typed` to `word` or to a beginning of it; more than `most` is `most` + 1.

    A slip is a letter too many, too few or wrong, or two neighbours that have changed places.

    Args:
        typed: What was typed.
        word: What may have been meant.
        most: Where to give up.
    """
    # A beginning is all that is asked for, so letters of the word that were not typed yet cost nothing at its end.
    # A row holds what it costs to have come to a column; further than `most` from the diagonal it costs too much.
    far = most + 1
    width = min(len(word), len(typed) + most) + 1
    before: list[int] = []
    row = [min(column, far) for column in range(width)]
    for place, letter in enumerate(typed, 1):
        next_row = [far] * width
        first = max(0, place - most)
        if not first:
            next_row[0] = place
            first = 1
        for column in range(first, min(width, place + far)):
            if letter == word[column - 1]:
                next_row[column] = row[column - 1]
                continue
            cost = min(row[column - 1], row[column], next_row[column - 1]) + 1
            swapped = place > 1 and column > 1 and letter == word[column - 2] and typed[place - 2] == word[column - 1]
            next_row[column] = min(cost, before[column - 2] + 1) if swapped else cost
        if min(next_row) > most and min(row) > most:
            return far
        before, row = row, next_row
    return min(*row, far)


class Dictionary:
    """Words by the three-letter pieces in them.

    Args:
        words: Known ones; `near` answers with their places.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._letters = [frozenset(word) for word in words]
        self._places: dict[str, list[int]] = {}
        for place, word in enumerate(words):
            for piece in set(_pieces(word)):
                self._places.setdefault(piece, []).append(place)

    def near(self, typed: str) -> list[tuple[int, int]]:
        """Places of the words that `typed` may mean, with their slips, the fewest first."""
        for most in range(1, slips_forgiven(typed) + 1):
            found = self._within(typed, most)
            if found:
                return found
        return []

    def _within(self, typed: str, most: int) -> list[tuple[int, int]]:
        shared: Counter[int] = Counter()
        for piece in set(_pieces(typed)):
            shared.update(self._places.get(piece, ()))
        # A slip spoils three pieces, or four where letters changed places.
        least = max(1, len(typed) - 4 * most) if most == 1 else max(2, len(typed) - 3 * most)
        letters = frozenset(typed)
        likely = [
            place for place, count in shared.items() if count >= least and len(letters - self._letters[place]) <= most
        ]
        likely.sort(key=lambda place: -shared[place])
        found = []
        for place in likely[:_MOST_TRIED]:
            number = slips(typed, self._words[place], most)
            if number <= most:
                found.append((place, number))
        return sorted(found, key=lambda pair: (pair[1], pair[0]))


def _pieces(word: str) -> list[str]:
    padded = _PAD + word
    return [padded[start : start + 3] for start in range(len(word))]

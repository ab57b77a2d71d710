"""Which bracket belongs to the one at the caret."""

import re
from collections.abc import Iterator
from time import perf_counter

from PySide6.QtGui import QTextBlock, QTextDocument, QTextFormat

NOT_CODE = QTextFormat.Property.UserProperty + 1
"""Set in the format of strings and comments, whose brackets do not count."""

PAIRS = dict(zip("([{", ")]}", strict=True))
_BACK = {close: opening for opening, close in PAIRS.items()}
_BUDGET = 0.001  # seconds; a bracket whose partner is farther away is shown without it


def pair_at(document: QTextDocument, position: int) -> tuple[int, int] | None:
    """Positions of the bracket before or after a position and of its partner; None where there are no two.

    The bracket before the position is looked at first, as the one that was typed last.
    """
    for place in (position - 1, position):
        block = document.findBlock(place)
        if place < 0 or not block.isValid():
            continue
        column = place - block.position()
        letter = _at(block, column)
        if letter in PAIRS and is_code(block, column):
            partner = _search(block, column, letter, PAIRS[letter], forward=True)
        elif letter in _BACK and is_code(block, column):
            partner = _search(block, column, letter, _BACK[letter], forward=False)
        else:
            continue
        return None if partner is None else (place, partner)
    return None


def _search(block: QTextBlock, column: int, own: str, other: str, *, forward: bool) -> int | None:
    """Where the depth comes back to zero."""
    pattern = re.compile(f"[{re.escape(own + other)}]")
    deadline = perf_counter() + _BUDGET
    depth, first = 0, True
    while block.isValid():
        for at, letter in _brackets(block, pattern, forward=forward):
            if first and (at < column if forward else at > column):
                continue
            depth += 1 if letter == own else -1
            if depth == 0:
                return block.position() + at
        if perf_counter() > deadline:
            return None
        first = False
        block = block.next() if forward else block.previous()
    return None


def _brackets(block: QTextBlock, pattern: re.Pattern[str], *, forward: bool) -> Iterator[tuple[int, str]]:
    """Column, in UTF-16 units, and letter of each bracket of the block's code."""
    text = _units(block.text())
    found = [(match.start(), match[0]) for match in pattern.finditer(text)]
    if not found:
        return
    for column, letter in found if forward else reversed(found):
        if is_code(block, column):
            yield column, letter


def is_code(block: QTextBlock, column: int) -> bool:
    """Whether a character is neither in a string nor in a comment, as far as the block has its colours.

    Args:
        block: Where.
        column: As Qt counts.
    """
    for piece in block.layout().formats():
        if piece.start <= column < piece.start + piece.length:
            return not piece.format.boolProperty(NOT_CODE)
    return True


def _at(block: QTextBlock, column: int) -> str:
    return _units(block.text())[column : column + 1]


def _units(text: str) -> str:
    """The text with two characters for each one that Qt counts twice."""
    return text if text.isascii() else "".join(letter if letter < "\U00010000" else "??" for letter in text)

"""What text takes, and which of several labels fits into a box, so that nothing in a picture ever overlaps."""

from collections.abc import Iterable
from typing import NamedTuple

LABEL_MARGIN = 4.0
"""What stays free beside a label inside its box, both sides together, in the painter's units."""


class TextSize(NamedTuple):
    """What text takes, in the painter's units: one character's width (fonts of equal width are meant), one line."""

    character: float = 6.7
    line: float = 14.0

    def width(self, text: str) -> float:
        """Width of the longest line."""
        return max(map(len, text.split("\n"))) * self.character


def has_room(width: float, height: float, letters: int, lines: int, text: TextSize) -> bool:
    """Whether so many lines of so many letters fit into a box."""
    return letters * text.character <= width - LABEL_MARGIN and lines * text.line <= height - LABEL_MARGIN / 2


def fitting(candidates: Iterable[tuple[str, ...]], width: float, height: float, text: TextSize) -> tuple[str, ...]:
    """The first of several labels whose lines fit into a box; none when none does."""
    for lines in candidates:
        if has_room(width, height, max(map(len, lines)), len(lines), text):
            return lines
    return ()

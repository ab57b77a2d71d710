"""The lines of an editor: their marks, and where they are on the screen."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from PySide6.QtGui import QTextBlock


@dataclass(frozen=True, slots=True)
class Row:
    """A line on the screen: its number from 1, and its top and height in the viewport, in pixels."""

    line: int
    top: float
    height: float


@dataclass(frozen=True, slots=True)
class LineMarks:
    """What is marked, by line from 1.

    Attributes:
        changed: Lines that differ from the other half.
        blamed: The line that raised.
        blame: What it raised.
        notes: What messages say of lines.
    """

    changed: frozenset[int] = frozenset()
    blamed: int | None = None
    blame: str = ""
    notes: Mapping[int, str] = field(default_factory=dict)

    def moved(self, first: int, shift: int) -> "LineMarks":
        """The marks after lines came or went: those from line `first` on move, and vanish with their line.

        Args:
            first: The first line that moved.
            shift: By how many lines, negative where lines went.
        """

        def place(line: int) -> int | None:
            if line < first:
                return line
            return line + shift if line + shift >= first else None

        blamed = None if self.blamed is None else place(self.blamed)
        changed = frozenset(line for line in map(place, self.changed) if line is not None)
        notes = {line: text for old, text in self.notes.items() if (line := place(old)) is not None}
        return LineMarks(changed, blamed, self.blame if blamed is not None else "", notes)

    def spoken_of(self) -> list[int]:
        """The lines of which something is said, from the top."""
        return sorted({*self.notes, *([] if self.blamed is None else [self.blamed])})

    def words(self, line: int) -> str:
        """What is said of a line, "" for nothing."""
        blame = self.blame if line == self.blamed else ""
        return "\n\n".join(filter(None, (blame, self.notes.get(line, ""))))

    @staticmethod
    def within(lines: Iterable[int], count: int) -> Iterator[int]:
        """Those lines that a text of so many has."""
        return (line for line in lines if 1 <= line <= count)


def blocks_from(block: QTextBlock) -> Iterator[QTextBlock]:
    """A block and those below it."""
    while block.isValid():
        yield block
        block = block.next()


def utf16_length(text: str) -> int:
    """Length of a text in UTF-16 units, in which Qt counts positions."""
    return len(text) if text.isascii() else len(text) + sum(character > "\uffff" for character in text)

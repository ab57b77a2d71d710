"""What a picture is put together from: rectangles, words and lines at places in pixels, in colour roles."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from museum.mesh.labels import TextSize
from museum.mesh.shades import Shade

Pattern = Literal["", "copy", "summand", "homeless", "missing"]
Role = Literal["ink", "faint", "bad"]
Anchor = Literal["start", "middle", "end"]

TEXT = TextSize(6.05, 14.0)
"""What a character and a line take at `FONT_SIZE`, in a font of equal widths."""
FONT_SIZE = 10.0
MARGIN = 16.0


@dataclass(frozen=True, slots=True)
class Tile:
    """A rectangle: a device, a slice, or what has no home. Without a shade it is empty."""

    x: float
    y: float
    w: float
    h: float
    shade: Shade | None
    pattern: Pattern = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text; `x`, `y` is its anchor on the middle of the line. Turned words run upwards."""

    x: float
    y: float
    text: str
    role: Role = "ink"
    anchor: Anchor = "start"
    turned: bool = False
    bold: bool = False
    plate: bool = False

    @property
    def room(self) -> tuple[float, float, float, float]:
        """The rectangle (x, y, w, h) that it takes."""
        wide, high = TEXT.width(self.text), TEXT.line - 1
        before = {"start": 0.0, "middle": wide / 2, "end": wide}[self.anchor]
        if self.turned:
            return self.x - high / 2, self.y - (wide - before), high, wide
        return self.x - before, self.y - high / 2, wide, high


@dataclass(frozen=True, slots=True)
class Span:
    """A thin line with ends, from one place to another: how far an axis or an index reaches."""

    x1: float
    y1: float
    x2: float
    y2: float
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Outline:
    """A frame around devices that belong together: those of one host."""

    x: float
    y: float
    w: float
    h: float
    title: str


@dataclass(slots=True)
class Sheet:
    """Collects them, the later above the earlier."""

    tiles: list[Tile] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    outlines: list[Outline] = field(default_factory=list)
    right: float = 0.0

    def say(self, words: Words) -> None:
        """Put words somewhere."""
        self.words.append(words)
        x, _, w, _ = words.room
        self.right = max(self.right, x + w)

    def right_below(self, y: float) -> float:
        """The right edge of everything that was put from `y` on."""
        rooms = [words.room for words in self.words]
        edges = [x + w for x, top, w, high in rooms if top + high > y]
        return max([*edges, *(tile.x + tile.w for tile in self.tiles if tile.y + tile.h > y)], default=0.0)


def say_lines(
    sheet: Sheet, lines: Sequence[str], x: float, y: float, *, bold_first: bool = False, plate: bool = False
) -> None:
    """Some lines around a point."""
    first = y - (len(lines) - 1) * TEXT.line / 2
    for number, line in enumerate(lines):
        bold = bold_first and number == 0
        sheet.say(Words(x, first + number * TEXT.line, line, "ink", "middle", bold=bold, plate=plate))


def wrapped(text: str, room: float) -> Iterator[str]:
    """Lines of whole words that keep within a width, where each word does."""
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and TEXT.width(longer) > room:
            yield line
            line = word
        else:
            line = longer
    yield line

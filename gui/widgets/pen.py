"""How canvases put things on pixels: one font with its sizes, and tiles on whole pixels."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from museum.mesh.labels import TextSize


@dataclass(frozen=True, slots=True)
class Pen:
    """What text takes, and where its baseline is."""

    font: QFont
    size: TextSize
    ascent: float

    @classmethod
    def of(cls, font: QFont) -> "Pen":
        """As the font is on this screen."""
        metrics = QFontMetricsF(font)
        return cls(font, TextSize(metrics.horizontalAdvance("0"), metrics.height()), metrics.ascent())

    def say(self, painter: QPainter, left: float, middle: float, text: str) -> None:
        """One line from `left` on, around `middle`."""
        painter.drawText(QPointF(left, middle - self.size.line / 2 + self.ascent), text)

    def say_centred(self, painter: QPainter, centre: QPointF, lines: Sequence[str]) -> None:
        """Some lines around a point."""
        top = centre.y() - len(lines) * self.size.line / 2
        for number, line in enumerate(lines):
            left = centre.x() - len(line) * self.size.character / 2
            painter.drawText(QPointF(left, top + number * self.size.line + self.ascent), line)


def pixels_along(
    spans: Iterable[tuple[float, float]],
    origin: float,
    scale: float,
    sight: tuple[float, float],
    *,
    less: bool = False,
) -> dict[tuple[float, float], tuple[int, int]]:
    """Where spans (start, extent) begin and how long they are, on whole pixels, at least one; only those in sight.

    Thousands of tiles share the spans of a few rows and columns, so that these are worth working out once.

    Args:
        spans: In units of the picture.
        origin: Pixel of 0.
        scale: Pixels of 1.
        sight: First and last pixel that can be seen.
        less: One pixel shorter each.
    """
    first, last = sight
    found = {}
    for span in spans:
        start, stop = origin + span[0] * scale, origin + (span[0] + span[1]) * scale
        if start < last and stop > first:
            begin = round(start)
            found[span] = (begin, max(round(stop) - begin, 1) - less)
    return found

"""Two texts held against each other by word, each under its name."""

from collections.abc import Iterable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.rich_text import difference_html
from gui.theme import Theme
from gui.widgets.flow_text import FlowText
from gui.widgets.labels import RoleLabel
from museum.differences import Piece

MOST, MOST_LINES = 12_000, 1_000  # characters and lines of a side that are laid out


class DifferenceView(QWidget):
    """What differs is underlined and tinted on both sides, which come one after the other, each in a turn of the loop.

    Args:
        theme: Colours and sizes.
        parent: The widget that it is a part of.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sides = [(RoleLabel("plain"), FlowText(name, paper=True)) for name in ("One side", "Other side")]
        self._words = RoleLabel("faint")
        self._coming: list[tuple[FlowText, str]] = []
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._show_next)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.sizes.space // 2)
        for label, text in self._sides:
            layout.addWidget(label)
            layout.addWidget(text)
        layout.addWidget(self._words)
        layout.addStretch(1)

    def show_sides(self, names: Iterable[str], sides: Iterable[Iterable[Piece]], words: str) -> None:
        """Show two texts.

        Args:
            names: Of both.
            sides: The pieces of both.
            words: What there is to say about them, in one line.
        """
        cut = False
        self._coming = []
        for (label, text), name, pieces in zip(self._sides, names, sides, strict=True):
            shown, left = _first(pieces)
            cut = cut or left
            label.say(name)
            text.setAccessibleName(name)
            self._coming.append((text, difference_html(shown, self._theme) or "<i>(nothing)</i>"))
        more = f"; of each the first {MOST:,} characters or {MOST_LINES:,} lines are shown" if cut else ""
        self._words.say(f"{words}{more}")
        self._show_next()
        self._timer.start()

    def _show_next(self) -> None:
        if self._coming:
            text, html = self._coming.pop(0)
            text.show_html(html, self._theme.code_font())
        if not self._coming:
            self._timer.stop()


def _first(pieces: Iterable[Piece]) -> tuple[list[Piece], bool]:
    """The first characters and lines, and whether there are more."""
    shown: list[Piece] = []
    characters, lines = MOST, MOST_LINES
    for piece in pieces:
        if not (characters and lines):
            return shown, True
        text = "\n".join(piece.text[:characters].split("\n", lines)[:lines])
        shown.append(Piece(text, piece.differs))
        if text != piece.text:
            return shown, True
        characters, lines = characters - len(text), lines - text.count("\n")
    return shown, False

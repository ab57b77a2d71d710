"""Two texts held against each other by word, each under its name."""

from collections.abc import Iterable

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.rich_text import difference_html
from gui.theme import Theme
from gui.widgets.flow_text import FlowText
from gui.widgets.labels import RoleLabel
from museum.differences import Piece

MOST = 12_000  # characters of a side that are laid out


class DifferenceView(QWidget):
    """What differs is underlined and tinted on both sides.

    Args:
        theme: Colours and sizes.
        parent: The widget that it is a part of.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sides = [(RoleLabel("plain"), FlowText(name, paper=True)) for name in ("One side", "Other side")]
        self._words = RoleLabel("faint")
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
        for (label, text), name, pieces in zip(self._sides, names, sides, strict=True):
            shown, left = _first(pieces, MOST)
            cut = cut or left
            label.say(name)
            text.setAccessibleName(name)
            empty = "<i>(nothing)</i>"
            text.show_html(difference_html(shown, self._theme) or empty, self._theme.code_font())
        more = f"; of each the first {MOST:,} characters are shown" if cut else ""
        self._words.say(f"{words}{more}")


def _first(pieces: Iterable[Piece], most: int) -> tuple[list[Piece], bool]:
    """The first characters, and whether there are more."""
    shown: list[Piece] = []
    for piece in pieces:
        if most <= 0:
            return shown, True
        shown.append(Piece(piece.text[:most], piece.differs))
        if len(piece.text) > most:
            return shown, True
        most -= len(piece.text)
    return shown, False

"""Small pieces of HTML for Qt's rich text: error messages with their telling parts, and differences by word."""

import html
from collections.abc import Iterable

from gui.theme import Theme
from museum.diagnosis.parts import Role, read_parts
from museum.differences import Piece

_COLOUR_OF = {
    Role.CLASS: "bad",
    Role.NUMBER: "number",
    Role.SIZE: "number",
    Role.SHAPE: "number",
    Role.AXIS: "name",
    Role.SPEC: "name",
    Role.MESH: "name",
}
_HEAVY = {Role.CLASS, Role.NUMBER, Role.SIZE, Role.AXIS}
MOST_DRESSED = 20_000
"""Characters of a message that get colours; the rest is shown plain."""


def escaped(text: str) -> str:
    """Verbatim text as HTML that keeps its spaces and line ends."""
    return html.escape(text, quote=False).replace("\n", "<br/>").replace("  ", "&nbsp; ")


def _styled(text: str, style: str) -> str:
    return f'<span style="{style}">{escaped(text)}</span>'


def error_html(error: str, message: str, theme: Theme) -> str:
    """``Class: message`` with class, numbers, shapes and axis names told apart by colour and weight."""
    text = f"{error}: {message}" if error and message else error or message
    dressed, rest = text[:MOST_DRESSED], text[MOST_DRESSED:]
    pieces, position = [], 0
    for span in read_parts(dressed).spans:
        weight = "font-weight:600;" if span.role in _HEAVY else ""
        colour = getattr(theme.colours, _COLOUR_OF[span.role])
        pieces.append(escaped(dressed[position : span.start]))
        pieces.append(_styled(dressed[span.start : span.stop], f"color:{colour};{weight}"))
        position = span.stop
    return "".join([*pieces, escaped(dressed[position:] + rest)])


def difference_html(pieces: Iterable[Piece], theme: Theme) -> str:
    """A text with the words that the other text lacks underlined and tinted."""
    style = f"background-color:{theme.colours.failing_wash}; text-decoration:underline;"
    return "".join(_styled(piece.text, style) if piece.differs else escaped(piece.text) for piece in pieces)

"""A picture as SVG, with a palette: nothing is decided here but how it is written down."""

from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape

from museum.mesh.picture import Picture
from museum.mesh.shades import HUES, TONES, Shade
from museum.mesh.sheet import FONT_SIZE, Outline, Role, Span, Tile, Words


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours as ``#rrggbb``.

    Attributes:
        paper: Behind everything.
        ink: Text and edges.
        faint: Captions; still 4.5 to 1 on the paper.
        rule: Edges of tiles.
        bad: Problems, in words and hatching; 4.5 to 1 on the paper.
        empty: A device that holds nothing.
        shades: By tone, then by hue; tones differ in lightness alone as greyscale shows it.
    """

    paper: str
    ink: str
    faint: str
    rule: str
    bad: str
    empty: str
    shades: tuple[tuple[str, ...], ...]

    def fill(self, shade: Shade | None) -> str:
        """The colour of a slice, or of nothing."""
        return self.empty if shade is None else self.shades[shade.tone % TONES][shade.hue % HUES]


LIGHT = Palette(
    paper="#fffefc",
    ink="#1d2126",
    faint="#5c636b",
    rule="#4a5058",
    bad="#a9342a",
    empty="#f1eee8",
    shades=(
        ("#d3e8fe", "#fee0c4", "#a5f6cb", "#fedceb", "#f4e798", "#e8e2ff", "#8bf6fc", "#fededb"),
        ("#9fcefe", "#f9be84", "#89daaf", "#ffb3d6", "#d8cb7c", "#cfc1fe", "#6dd9df", "#ffb8b1"),
        ("#79b0e8", "#d9a067", "#6bbb92", "#e095b8", "#b9ac5f", "#b2a1e7", "#4cbbc0", "#e8968f"),
    ),
)
DARK = Palette(
    paper="#1c1f22",
    ink="#f2efe9",
    faint="#a9adb3",
    rule="#8b9198",
    bad="#f08a7c",
    empty="#2a2e33",
    shades=(
        ("#08365e", "#4f2d02", "#023d26", "#57223e", "#3d3501", "#3b2c5d", "#033b3e", "#5c2220"),
        ("#26517b", "#704514", "#135a3c", "#743d58", "#5a4f07", "#55477b", "#01585c", "#7a3d39"),
        ("#426e9a", "#8e6133", "#357757", "#935975", "#766b2b", "#706299", "#0d767b", "#995954"),
    ),
)


def svg(picture: Picture, palette: Palette = LIGHT) -> str:
    """The picture as one SVG document, with a title and a description for those who don't see it.

    Args:
        picture: What to write.
        palette: In which colours.
    """
    return "\n".join(_lines(picture, palette)) + "\n"


def _lines(picture: Picture, palette: Palette) -> Iterator[str]:
    width, height = _number(picture.width), _number(picture.height)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'role="img" aria-labelledby="title desc" '
        f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{_number(FONT_SIZE)}">'
    )
    yield f'<title id="title">{escape(picture.title)}</title>'
    yield f'<desc id="desc">{escape(picture.description)}</desc>'
    yield from _patterns(palette)
    yield f'<rect width="{width}" height="{height}" fill="{palette.paper}"/>'
    for tile in picture.tiles:
        yield from _tile(tile, palette)
    for outline in picture.outlines:
        yield _outline(outline, palette)
    for span in picture.spans:
        yield _span(span, palette)
    for words in picture.words:
        yield from _words(words, palette)
    yield "</svg>"


def _patterns(palette: Palette) -> Iterator[str]:
    """Thin hatching for a copy, upright for a summand; in the colour of problems for what has no home or is lacking."""
    yield "<defs>"
    yield (
        '<pattern id="copy" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        f'<path d="M0 0V7" stroke="{palette.ink}" stroke-opacity="0.28" stroke-width="1.4"/></pattern>'
    )
    yield (
        '<pattern id="homeless" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">'
        f'<path d="M0 0V5" stroke="{palette.bad}" stroke-opacity="0.75" stroke-width="1.6"/></pattern>'
    )
    yield (
        '<pattern id="summand" width="6" height="6" patternUnits="userSpaceOnUse">'
        f'<path d="M3 0V6" stroke="{palette.ink}" stroke-opacity="0.2" stroke-width="1.2"/></pattern>'
    )
    yield (
        '<pattern id="missing" width="8" height="8" patternUnits="userSpaceOnUse">'
        f'<circle cx="4" cy="4" r="0.9" fill="{palette.bad}" fill-opacity="0.7"/></pattern>'
    )
    yield "</defs>"


def _tile(tile: Tile, palette: Palette) -> Iterator[str]:
    inset = min(0.5, tile.w / 8, tile.h / 8)
    x, y, w, h = (tile.x + inset, tile.y + inset, tile.w - 2 * inset, tile.h - 2 * inset)
    box = f'x="{_number(x)}" y="{_number(y)}" width="{_number(w)}" height="{_number(h)}"'
    bad = tile.pattern in ("homeless", "missing")
    edge = palette.bad if bad else palette.rule
    thin = f'stroke="{edge}" stroke-width="{_number(min(0.8, inset))}"'
    dashes = ' stroke-dasharray="4 3"' if bad else ""
    title = f"<title>{escape(tile.title)}</title>" if tile.title else ""
    fill = palette.paper if bad else palette.fill(tile.shade)
    yield f'<rect {box} fill="{fill}" {thin}{dashes}>{title}</rect>'
    if tile.pattern:
        yield f'<rect {box} fill="url(#{tile.pattern})" pointer-events="none"/>'


def _outline(outline: Outline, palette: Palette) -> str:
    x, y, w, h = map(_number, (outline.x, outline.y, outline.w, outline.h))
    box = f'x="{x}" y="{y}" width="{w}" height="{h}" rx="1.5"'
    title = f"<title>{escape(outline.title)}</title>"
    return f'<rect {box} fill="none" stroke="{palette.ink}" stroke-width="1.6" pointer-events="stroke">{title}</rect>'


def _span(span: Span, palette: Palette) -> str:
    dashes = ' stroke-dasharray="4 3"' if span.dashed else ""
    ends = f'x1="{_number(span.x1)}" y1="{_number(span.y1)}" x2="{_number(span.x2)}" y2="{_number(span.y2)}"'
    colour = palette.bad if span.dashed else palette.faint
    return f'<line {ends} stroke="{colour}" stroke-width="1"{dashes}/>'


def _words(words: Words, palette: Palette) -> Iterator[str]:
    if words.plate:
        x, y, w, h = words.room
        box = f'x="{_number(x - 3)}" y="{_number(y)}" width="{_number(w + 6)}" height="{_number(h)}"'
        yield f'<rect {box} rx="2" fill="{palette.paper}"/>'
    turn = f' transform="rotate(-90 {_number(words.x)} {_number(words.y)})"' if words.turned else ""
    weight = ' font-weight="bold"' if words.bold else ""
    anchor = "" if words.anchor == "start" else f' text-anchor="{words.anchor}"'
    # Middle of the line by hand: renderers disagree about dominant-baseline and dy.
    place = f'x="{_number(words.x)}" y="{_number(words.y + 0.35 * FONT_SIZE)}"'
    yield f'<text {place} fill="{_colour(words.role, palette)}"{anchor}{weight}{turn}>{escape(words.text)}</text>'


def _colour(role: Role, palette: Palette) -> str:
    return {"ink": palette.ink, "faint": palette.faint, "bad": palette.bad}[role]


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")

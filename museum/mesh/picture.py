"""Layouts composed into one picture: rectangles, words and lines at places in pixels, in colour roles.

What paints it (SVG, the window, a PNG) adds colours and nothing else. Every word has its own room: nothing touches.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from museum.mesh.arrangement import Arrangement
from museum.mesh.array_drawing import draw_array
from museum.mesh.dtypes import in_words
from museum.mesh.layout import ShardLayout
from museum.mesh.mesh_drawing import draw_mesh
from museum.mesh.picture_array import put_array
from museum.mesh.picture_mesh import put_mesh
from museum.mesh.sheet import MARGIN, TEXT, Outline, Pattern, Sheet, Span, Tile, Words

_GAP = 28.0  # between the mesh and the array


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything to paint, later things above earlier ones.

    Attributes:
        title: What it shows, in a line.
        description: All of it in words, for those who don't see it.
    """

    width: float
    height: float
    tiles: tuple[Tile, ...]
    words: tuple[Words, ...]
    spans: tuple[Span, ...]
    outlines: tuple[Outline, ...]
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class Shown:
    """One array to draw.

    Attributes:
        name: "" when it has none.
        at: A slice of the outer dimensions; None to stack them.
    """

    layout: ShardLayout
    name: str = ""
    dtype: str = ""
    at: tuple[int, ...] | None = None

    @property
    def heading(self) -> str:
        """``x: float32[16,16] on P('data', 'model')``."""
        name = f"{self.name}: " if self.name else ""
        spec = f" on {self.layout.spec}" if self.layout.spec is not None else ""
        return f"{name}{self.dtype}[{','.join(map(str, self.layout.shape))}]{spec}"

    @property
    def facts(self) -> str:
        """What every device holds of it, in a line."""
        if 0 in self.layout.shard_shape:
            return "each device: nothing"
        shape = "x".join(map(str, self.layout.shard_shape)) or "a scalar"
        size = f", {in_words(self.layout.bytes_per_device(self.dtype))}" if self.dtype else ""
        copies = f", {self.layout.copies} copies" if self.layout.copies > 1 else ""
        due = f", a summand: the sum over {' and '.join(self.layout.summands)} is due" if self.layout.summands else ""
        return f"each device: {shape}{size}{copies}{due}"


def compose(shown: Sequence[Shown], arrangement: Arrangement | None = None, width: float = 960.0) -> Picture:
    """Each array with its mesh beside it, one below the other, and the problems of each under it.

    Args:
        shown: At least one; all on one mesh.
        arrangement: Of the mesh.
        width: To fit into, in pixels; the picture may be narrower, and wider where a word needs it.
    """
    sheet = Sheet()
    mesh = shown[0].layout.mesh
    title = f"mesh {', '.join(map(str, mesh.axes)) or 'of one device'}"
    y = MARGIN + TEXT.line / 2
    sheet.say(Words(MARGIN, y, title, bold=True))
    y += TEXT.line
    described = [title]
    for one in shown:
        y = _compose_one(sheet, one, arrangement, width, y)
        described += [one.heading, one.facts, *(f"problem: {problem}" for problem in one.layout.problems)]
    return Picture(
        max(sheet.right, max((tile.x + tile.w for tile in sheet.tiles), default=0.0)) + MARGIN,
        y + MARGIN - TEXT.line / 2,
        tuple(sheet.tiles),
        tuple(sheet.words),
        tuple(sheet.spans),
        tuple(sheet.outlines),
        f"{title}: {'; '.join(one.heading for one in shown)}",
        ". ".join(described),
    )


def _compose_one(sheet: Sheet, one: Shown, arrangement: Arrangement | None, width: float, y: float) -> float:
    """One array from `y` on; where the next one may begin."""
    layout = one.layout
    y += TEXT.line / 2
    sheet.say(Words(MARGIN, y, one.heading, bold=True))
    sheet.say(Words(MARGIN, y + TEXT.line, one.facts, "faint"))
    y += 2 * TEXT.line
    mesh = draw_mesh(layout, arrangement)
    array = draw_array(layout, one.at)
    room = width - 2 * MARGIN
    beside = mesh.width <= 2.2 * mesh.height or mesh.width <= 8
    mesh_room = (room - _GAP) / 2 if beside else room
    right, bottom = put_mesh(sheet, layout, mesh, MARGIN, y, mesh_room)
    left, top = (max(right + _GAP, MARGIN), y) if beside else (MARGIN, bottom + TEXT.line / 2)
    shared: Pattern = "summand" if layout.summands else "copy"
    bottom = max(bottom, put_array(sheet, array, shared, left, top, (room - _GAP) / 2))
    bottom += 6
    for problem in layout.problems:
        bottom += TEXT.line
        sheet.say(Words(MARGIN, bottom - TEXT.line / 2, f"✗ {problem.text}", "bad"))
    return bottom + TEXT.line

"""Layouts as plain text, for a terminal or a docstring: devices in their grid, the array in boxes, problems in words.

The mesh keeps its arrangement; axes further out make blocks with a heading each. Beyond `MOST_CELLS` devices, or a
width that no terminal has, a summary stands in for the boxes.
"""

import itertools
from collections.abc import Iterator, Sequence

from museum.mesh.arrangement import Arrangement
from museum.mesh.array_drawing import ArrayDrawing, Box, Strip, draw_array
from museum.mesh.layout import ShardLayout
from museum.mesh.mesh import Mesh
from museum.mesh.mesh_drawing import Cell, MeshDrawing, draw_mesh
from museum.mesh.picture import Shown

MOST_CELLS = 256
MOST_LINES = 120  # of an array's boxes
WIDEST = 160

_BOX = "─│┌┬┐├┼┤└┴┘"
_ASCII = "-|+++++++++"


def as_text(shown: Sequence[Shown], arrangement: Arrangement | None = None, *, ascii_only: bool = False) -> str:
    """Each array with its mesh, one below the other.

    Args:
        shown: At least one; all on one mesh.
        arrangement: Of the mesh.
        ascii_only: Whether to draw with ``+-|`` and to write plain letters only.
    """
    mesh = shown[0].layout.mesh
    lines = [f"mesh {', '.join(map(str, mesh.axes)) or 'of one device'}"]
    for one in shown:
        lines += ["", one.heading, f"  {one.facts}", ""]
        lines += _indented(mesh_lines(one.layout, arrangement, ascii_only=ascii_only))
        lines += ["", *_indented(array_lines(one.layout, one.at, ascii_only=ascii_only))]
        if one.layout.problems:
            lines += ["", *(f"  ✗ {problem.text}" for problem in one.layout.problems)]
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    return text.translate(_PLAIN) if ascii_only else text


_PLAIN = str.maketrans({"✗": "x", "→": ">", "↓": "v", "…": "~", "░": "/"})


def _indented(lines: Sequence[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)


def mesh_lines(
    subject: ShardLayout | Mesh, arrangement: Arrangement | None = None, *, ascii_only: bool = False
) -> list[str]:
    """The devices in their grid, each with the slice that it holds."""
    mesh = subject if isinstance(subject, Mesh) else subject.mesh
    # Blocks with headings take many lines: only an axis that somebody put there makes them.
    drawing = draw_mesh(subject, arrangement or Arrangement.alternating(mesh.axis_names))
    ways = {"columns": "→", "rows": "↓", "outer": "in blocks"}
    lines = [f"{caption.text} {ways[caption.direction]}" for caption in drawing.captions]
    lines = ["   ".join(lines)] if lines else []
    lines += [f"✗ {absent.text}" for absent in drawing.absent]
    if drawing.problem:
        lines.append(f"✗ {drawing.problem}")
    if len(drawing.cells) > MOST_CELLS:
        return [*lines, drawing.summary]
    summands = not isinstance(subject, Mesh) and bool(subject.summands)
    blocks = list(_blocks(drawing, summands=summands))
    drawn = [line for heading, rows in blocks for line in (*heading, *_grid(rows, ascii_only=ascii_only))]
    if max(map(len, drawn)) > WIDEST:
        return [*lines, drawing.summary]
    return [*lines, *drawn]


def _blocks(drawing: MeshDrawing, *, summands: bool) -> Iterator[tuple[list[str], list[list[list[str]]]]]:
    """Each innermost grid with its heading: rows of cells of lines."""
    inner = {caption.direction: caption.size for caption in drawing.captions if caption.level == 0}
    hosts = len({cell.host for cell in drawing.cells}) > 1
    outer = [caption for caption in drawing.captions if caption.level > 0]
    wide, high = inner.get("columns", 1), inner.get("rows", 1)
    axes = [caption.name for caption in drawing.captions]
    sizes = [caption.size for caption in drawing.captions]
    by_block: dict[tuple[int, ...], list[Cell]] = {}
    for cell, place in zip(drawing.cells, itertools.product(*map(range, sizes)), strict=True):
        key = tuple(place[axes.index(caption.name)] for caption in outer)
        by_block.setdefault(key, []).append(cell)
    for key in sorted(by_block):
        cells = sorted(by_block[key], key=lambda cell: (cell.y, cell.x))
        rows = [
            [_cell_lines(cell, summands=summands, host=hosts) for cell in cells[row * wide : (row + 1) * wide]]
            for row in range(high)
        ]
        heading = ", ".join(f"{caption.name}={index}" for caption, index in zip(outer, key, strict=True))
        yield ([heading] if heading else []), rows


def _cell_lines(cell: Cell, *, summands: bool, host: bool) -> list[str]:
    if cell.missing:
        return [cell.label, "missing"]
    copy = " summand" if summands and cell.lines else f" copy {cell.replica}" if cell.replica > 0 else ""
    lines = [f"{cell.label}{copy}"]
    return [*lines, *([", ".join(cell.lines)] if cell.lines else []), *([f"host {cell.host}"] if host else [])]


def _grid(rows: Sequence[Sequence[Sequence[str]]], *, ascii_only: bool) -> list[str]:
    """A table of cells of lines, every column as wide as its widest line."""
    marks = _ASCII if ascii_only else _BOX
    flat, upright = marks[0], marks[1]
    widths = [max(len(line) for row in rows for line in row[column]) + 2 for column in range(len(rows[0]))]

    def rule(left: str, between: str, right: str) -> str:
        return left + between.join(flat * width for width in widths) + right

    lines = [rule(*marks[2:5])]
    for number, row in enumerate(rows):
        if number:
            lines.append(rule(*marks[5:8]))
        for place in range(max(map(len, row))):
            texts = (cell[place] if place < len(cell) else "" for cell in row)
            lines.append(
                upright + upright.join(text.center(width) for text, width in zip(texts, widths, strict=True)) + upright
            )
    return [*lines, rule(*marks[8:11])]


def array_lines(layout: ShardLayout, at: Sequence[int] | None = None, *, ascii_only: bool = False) -> list[str]:
    """The array cut into its boxes, not to scale; what has no home is hatched and says so."""
    drawing = draw_array(layout, at)
    lines = [f"{'✗ ' if edge.problems else ''}{edge.text}" for edge in drawing.edges]
    lines = ["   ".join(lines)] if lines else []
    lines.append(drawing.caption)
    drawn = _boxes(drawing, ascii_only=ascii_only) if drawing.boxes or drawing.homeless else []
    if len(drawn) > MOST_LINES or max(map(len, drawn), default=0) > WIDEST:
        return [*lines, drawing.summary, *sorted({f"✗ {strip.text}" for strip in drawing.homeless})]
    return [*lines, *drawn]


def _boxes(drawing: ArrayDrawing, *, ascii_only: bool) -> list[str]:
    """Boxes and strips on a grid of the places where any of them begins or ends."""
    pieces: list[Box | Strip] = [*drawing.boxes, *drawing.homeless]
    across = sorted({round(edge, 9) for piece in pieces for edge in (piece.x, piece.x + piece.w)})
    down = sorted({round(edge, 9) for piece in pieces for edge in (piece.y, piece.y + piece.h)})
    texts: list[list[str]] = [[*_holders(box.text, box.device_ids)] for box in drawing.boxes]
    texts += [[strip.text] for strip in drawing.homeless]
    spans = [
        (
            (across.index(round(piece.x, 9)), across.index(round(piece.x + piece.w, 9))),
            (down.index(round(piece.y, 9)), down.index(round(piece.y + piece.h, 9))),
        )
        for piece in pieces
    ]
    columns = _room([span[0] for span in spans], [max(map(len, text)) + 3 for text in texts], len(across) - 1)
    rows = _room([span[1] for span in spans], [len(text) + 1 for text in texts], len(down) - 1)
    sheet = _Sheet(columns[-1] + 1, rows[-1] + 1, ascii_only=ascii_only)
    for number, (span, text) in enumerate(zip(spans, texts, strict=True)):
        left, right, top, bottom = columns[span[0][0]], columns[span[0][1]], rows[span[1][0]], rows[span[1][1]]
        sheet.box(left, top, right, bottom, hatched=number >= len(drawing.boxes))
        first = top + 1 + max(0, (bottom - top - 1 - len(text)) // 2)
        for place, line in enumerate(text):
            sheet.write((left + right + 1 - len(line)) // 2, first + place, line)
    return sheet.lines()


def _holders(text: str, ids: Sequence[int]) -> Iterator[str]:
    if text:
        yield text
    some = ", ".join(map(str, ids)) if len(ids) <= 8 else f"{ids[0]}, {ids[1]} … {ids[-1]} ({len(ids)})"
    yield f"device {some}" if len(ids) == 1 else f"devices {some}"


def _room(spans: Sequence[tuple[int, int]], wanted: Sequence[int], count: int) -> list[int]:
    """Where each edge goes so that every piece has the room that it wants."""
    room = [2] * count
    for (start, stop), need in sorted(zip(spans, wanted, strict=True), key=lambda item: item[0][1] - item[0][0]):
        lacking = need - sum(room[start:stop])
        for place in range(start, stop):
            more = -(-lacking // (stop - place)) if lacking > 0 else 0
            room[place] += more
            lacking -= more
    return [0, *itertools.accumulate(room)]


# By arms upwards (8), rightwards (4), downwards (2) and leftwards (1).
_JOINTS = dict(zip((5, 10, 6, 7, 3, 14, 15, 11, 12, 13, 9), _BOX, strict=True))


class _Sheet:
    """Characters on a grid; lines that meet are joined."""

    def __init__(self, width: int, height: int, *, ascii_only: bool) -> None:
        self._ascii = ascii_only
        self._arms = [[0] * width for _ in range(height)]
        self._text = [[" "] * width for _ in range(height)]

    def box(self, left: int, top: int, right: int, bottom: int, *, hatched: bool) -> None:
        """A frame, filled with hatching or not."""
        for x in range(left, right):
            for y in (top, bottom):
                self._arms[y][x] |= 0b0100
                self._arms[y][x + 1] |= 0b0001
        for y in range(top, bottom):
            for x in (left, right):
                self._arms[y][x] |= 0b0010
                self._arms[y + 1][x] |= 0b1000
        for y in range(top + 1, bottom) if hatched else ():
            for x in range(left + 1, right):
                self._text[y][x] = "░"

    def write(self, x: int, y: int, text: str) -> None:
        """Words, with a space on both sides to stand clear of hatching."""
        for place, letter in enumerate(f" {text} ", x - 1):
            if not self._arms[y][place]:
                self._text[y][place] = letter

    def lines(self) -> list[str]:
        """Everything as text."""
        return ["".join(map(self._character, arms, texts)) for arms, texts in zip(self._arms, self._text, strict=True)]

    def _character(self, arms: int, text: str) -> str:
        if not arms:
            return text
        joint = _JOINTS.get(arms, "┼")
        return {"─": "-", "│": "|"}.get(joint, "+") if self._ascii else joint

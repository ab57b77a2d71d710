"""The array of a picture: its slices in their places, what has no home, and what cuts each dimension."""

from dataclasses import dataclass, replace

from museum.mesh.array_drawing import ArrayDrawing, Box, Edge, Strip
from museum.mesh.labels import fitting
from museum.mesh.sheet import TEXT, Pattern, Role, Sheet, Tile, Words, say_lines, wrapped


@dataclass(frozen=True, slots=True)
class _Frame:
    """An array at its place."""

    array: ArrayDrawing
    x: float
    y: float
    w: float
    h: float

    def rectangle(self, part: Box | Strip) -> tuple[float, float, float, float]:
        """A part of it in pixels."""
        return self.x + part.x * self.w, self.y + part.y * self.h, part.w * self.w, part.h * self.h


def put_array(sheet: Sheet, array: ArrayDrawing, shared: Pattern, left: float, top: float, room: float) -> float:
    """The array in a width of `room`, what several devices share in the pattern `shared`; its bottom edge."""
    turned = [edge for edge in array.edges if edge.direction == "rows"]
    inset = TEXT.line + 4 if turned else 0.0
    wide, high = _array_size(array, room - inset)
    aside = [edge for edge in turned if TEXT.width(_turned_text(edge)) <= high]
    top += TEXT.line / 2
    for edge in array.edges:
        if edge not in aside:
            sheet.say(Words(left, top, _edge_text(array, edge), _edge_role(edge)))
            top += TEXT.line
    frame = _Frame(array, left + inset, top - TEXT.line / 2 + 2, wide, high)
    for edge in aside:
        place = (left + TEXT.line / 2, frame.y + high)
        sheet.say(Words(*place, _turned_text(edge), _edge_role(edge), turned=True))
    complete = _put_boxes(sheet, frame, shared)
    unsaid = _put_strips(sheet, frame)
    if not array.boxes and not array.homeless:
        sheet.tiles.append(Tile(frame.x, frame.y, wide, high, None, "", array.caption))
        unsaid.append((array.caption, "faint"))
    elif not complete:
        unsaid.append((array.summary, "faint"))
    bottom = frame.y + high + 4
    for line, role in unsaid:
        for part in wrapped(line, room):
            sheet.say(Words(left, bottom + TEXT.line / 2, part, role))
            bottom += TEXT.line
    return bottom


def _put_boxes(sheet: Sheet, frame: _Frame, shared: Pattern) -> bool:
    """The slices; whether each could carry a label."""
    labels = frame.array.labels_at(frame.w, frame.h, TEXT)
    for box, lines in zip(frame.array.boxes, labels, strict=True):
        x, y, w, h = frame.rectangle(box)
        ids = ", ".join(map(str, box.device_ids[:12])) + (" …" if len(box.device_ids) > 12 else "")
        several = len(box.device_ids) > 1
        title = f"[{box.text}] on {'devices' if several else 'device'} {ids}"
        sheet.tiles.append(Tile(x, y, w, h, box.shade, shared if several else "", title))
        say_lines(sheet, lines, x + w / 2, y + h / 2)
    return all(labels)


def _put_strips(sheet: Sheet, frame: _Frame) -> list[tuple[str, Role]]:
    """What has no home; the words that find no room in it."""
    unsaid: list[tuple[str, Role]] = []
    for strip in frame.array.homeless:
        x, y, w, h = frame.rectangle(strip)
        sheet.tiles.append(Tile(x, y, w, h, None, "homeless", strip.text))
        words = Words(x + w / 2, y + h / 2, strip.text, "bad", "middle", plate=True)
        if fitting([(strip.text,)], w, h, TEXT):
            sheet.say(words)
        elif fitting([(strip.text,)], h, w, TEXT):
            sheet.say(replace(words, turned=True))
        elif (f"✗ {strip.text}", "bad") not in unsaid:
            unsaid.append((f"✗ {strip.text}", "bad"))
    return unsaid


def _edge_role(edge: Edge) -> Role:
    return "bad" if edge.problems else "faint"


def _turned_text(edge: Edge) -> str:
    return f"← {edge.text}{' ✗' if edge.problems else ''}"


def _edge_text(array: ArrayDrawing, edge: Edge) -> str:
    mark = "✗ " if edge.problems else ""
    where = {"columns": " →", "rows": " ↓"}.get(edge.direction) or f", {_outer_words(array, edge.dimension)}"
    return f"{mark}{edge.text}{where}"


def _outer_words(array: ArrayDrawing, dimension: int) -> str:
    if dimension >= sum(not edge.text.startswith("no dim") for edge in array.edges):
        return "which the array has not"
    if not array.caption.startswith("slice ["):
        return "in bands"
    index = array.caption.partition("[")[2].partition("]")[0].split(", ")[dimension]
    return f"at {index}"


def _array_size(array: ArrayDrawing, room: float) -> tuple[float, float]:
    """About the array's own proportions, within reason, and room for every band's words where that can be."""
    columns = len({(round(box.x, 9), round(box.w, 9)) for box in array.boxes}) or 1
    wide = min(room, max(columns * 74.0, 240.0))
    lowest = min([*(box.h / 2.4 for box in array.boxes), *(strip.h / 1.5 for strip in array.homeless)], default=1.0)
    shape = array.rows / max(array.columns, 1) if array.rows > 1 else 0.0
    high = min(max(wide * shape, TEXT.line / lowest, 46.0), 460.0)
    return wide, high

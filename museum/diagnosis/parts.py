"""The telling parts of one error message: numbers, shapes, axes, specs, meshes, and the layout that it talks about.

Spans cover the finest useful pieces. Inside a mesh the axis names are `Role.AXIS` and the sizes `Role.NUMBER`, inside a
spec or a typed shape the axis names are `Role.AXIS`; what is left of the whole, brackets and commas included, keeps the
role of the whole. So spans never overlap, and yet a whole can be tinted from end to end.

Messages can be megabytes of anything: every pattern here is bounded or gives nothing back, so that reading is linear.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from museum.errors import MuseumError
from museum.mesh.layout import parse_shape
from museum.mesh.mesh import Axis, AxisType, Mesh
from museum.mesh.spec import Spec

READ_AT_MOST = 100_000
"""Characters of a message that are read; what matters comes early."""


class Role(StrEnum):
    """What a piece of a message is."""

    CLASS = "class"
    NUMBER = "number"
    SHAPE = "shape"
    AXIS = "axis"
    SPEC = "spec"
    MESH = "mesh"
    SIZE = "size"


@dataclass(frozen=True, slots=True)
class Span:
    """``text[start:stop]`` and what it is."""

    start: int
    stop: int
    role: Role


@dataclass(frozen=True, slots=True)
class MessageParts:
    """The telling pieces of a message, from left to right, never overlapping."""

    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Division:
    """A division that does not come out even.

    Attributes:
        dimension: The array dimension.
        size: Its size.
        parts: Into how many equal parts it should be cut.
    """

    dimension: int
    size: int
    parts: int


_CLASS = re.compile(r"\s*+((?:(?:[^\W\d]\w*+|<locals>)\.)*+[^\W\d]\w*+)(?=:|\s*+\Z|\s*+\n)")
_CLASS_ENDINGS = ("Error", "Exception", "Warning", "Interrupt", "Exit", "Iteration")

_MARKED = r"[`'\"](?P<{0}>[\w.-]++)[`'\"]"
_TYPED_SHAPE = (
    r"\b(?:bool|pred|bfloat16|bf16|(?:float|uint|int|complex|[fsuci])\d{1,3}(?:_?e\w{1,12})?)"
    r"\[(?P<dims>[\w@(), .+*]{0,300})\](?:\{[^{}\n]{0,80}\})?"
)
_TOKEN = re.compile(
    "|".join(
        (
            r"(?P<spec>\b(?:P|PartitionSpec)\()",
            r"(?P<mesh>\b(?:Abstract)?Mesh\()",
            rf"(?P<shape>{_TYPED_SHAPE})",
            r"(?P<bracket>(?<!\w)\()",
            r"(?P<size>(?<![\w.])\d++(?:\.\d++)?+(?: ?[KMGTPE]i?B|[KMGTPE]| ?bytes|B)\b)",
            rf"(?P<quoted>(?<!\w){_MARKED.format('word')})",
            r"(?P<axis>\b[Aa]x(?:is|es)(?: names?)?: (?P<name>[^\W\d]\w*+)(?!\())",
            # Not what belongs to a name, a path, a place in a file, a version or an index range.
            r"(?P<number>(?<![\w.:/#@-])-?\d++(?:\.\d++)?+(?!\.?\w))",
        )
    )
)
_AXIS_SAID_BEFORE = re.compile(r"\b[Aa]x(?:is|es)(?: names?)?:? \Z")
_INNER = {
    Role.MESH: re.compile(rf"{_MARKED.format('axis')}|(?P<number>(?<![\w.])\d++(?!\w))"),
    Role.SPEC: re.compile(_MARKED.format("axis")),
}
_AXES_OF_DIMENSION = re.compile(r"@(?:\([\w, ]*+\)|\w++)")
_WORD = re.compile(r"[^\W\d]\w*+")


def read_parts(text: str) -> MessageParts:
    """Find the telling parts of one message, with or without its exception class in front.

    A tuple of quoted names counts as a mesh's axes, one with None among them as a spec, one of whole numbers as a
    shape. A lone quoted word is an axis when the message says "axis" before it or names it in a mesh or a spec; others
    are functions and parameters. Never raises; of a very long text only the first `READ_AT_MOST` characters are read.
    """
    text = text[:READ_AT_MOST]
    closing = _closing_brackets(text)
    spans: list[Span] = []
    doubtful: list[Span] = []
    position = 0
    if (match := _CLASS.match(text)) and match[1].endswith(_CLASS_ENDINGS):
        spans.append(Span(match.start(1), match.end(1), Role.CLASS))
        position = match.end(1)

    while match := _TOKEN.search(text, position):
        position = match.end()
        found = _recognise(text, match, closing)
        if found is None:
            continue
        position = max(position, found.stop)
        if match["quoted"] and not _AXIS_SAID_BEFORE.search(text, max(0, match.start() - 20), match.start()):
            doubtful.append(found)
        else:
            spans += _pieces(text, found)

    axes = {text[span.start : span.stop] for span in spans if span.role is Role.AXIS}
    spans += [span for span in doubtful if text[span.start : span.stop] in axes]
    return MessageParts(tuple(sorted(spans, key=lambda span: span.start)))


def _recognise(text: str, token: re.Match[str], closing: dict[int, int]) -> Span | None:
    """The whole that a token starts or is; None for a bracket that is never closed or holds a remark."""
    match token.lastgroup:
        case "spec" | "mesh" as kind:
            stop = closing.get(token.end() - 1)
            return Span(token.start(), stop, Role(kind)) if stop else None
        case "bracket":
            stop = closing.get(token.start(), 0)
            role = _role_of_tuple(text[token.start() : stop])
            return Span(token.start(), stop, role) if role else None
        case "axis":
            return Span(*token.span("name"), Role.AXIS)
        case "quoted":
            return Span(*token.span("word"), Role.AXIS)
        case kind:
            return Span(*token.span(), Role(str(kind)))


def _closing_brackets(text: str) -> dict[int, int]:
    """Where each round bracket that is closed opens, to just behind its end."""
    opened: list[int] = []
    closing = {}
    for match in re.finditer(r"[()]", text):
        if match[0] == "(":
            opened.append(match.start())
        elif opened:
            closing[opened.pop()] = match.end()
    return closing


def _role_of_tuple(text: str) -> Role | None:
    """What ``(…)`` is when it is a tuple of names, of names and None, or of whole numbers; None for a remark."""
    if not 2 <= len(text) <= 300:
        return None
    items = [item.strip() for item in text[1:-1].split(",")]
    if items == [""]:
        return Role.SHAPE
    if len(items) == 1:
        return None
    if not items[-1]:
        items.pop()
    if all(item.isdecimal() for item in items):
        return Role.SHAPE
    if all(item == "None" or re.fullmatch(r"(['\"])[\w.-]++\1", item) for item in items):
        return Role.SPEC if "None" in items else Role.MESH
    return None


def _pieces(text: str, whole: Span) -> Iterator[Span]:
    """The names and sizes inside a whole, and the stretches between them in its own role."""
    start = whole.start
    for inner in _inside(text, whole):
        if start < inner.start:
            yield Span(start, inner.start, whole.role)
        yield inner
        start = inner.stop
    if start < whole.stop:
        yield Span(start, whole.stop, whole.role)


def _inside(text: str, whole: Span) -> Iterator[Span]:
    if whole.role in _INNER:
        for match in _INNER[whole.role].finditer(text, whole.start, whole.stop):
            kind = "axis" if match["axis"] else "number"
            yield Span(*match.span(kind), Role(kind))
    elif whole.role is Role.SHAPE:
        for dimension in _AXES_OF_DIMENSION.finditer(text, whole.start, whole.stop):
            for word in _WORD.finditer(text, *dimension.span()):
                yield Span(*word.span(), Role.AXIS)


_WHOLE = r"\d{1,18}\b"
_DIVISIONS = (
    # device_put, jit and with_sharding_constraint on 0.4.38
    re.compile(
        rf"dimension (?P<dimension>{_WHOLE}) should be divisible by (?P<parts>{_WHOLE}), "
        rf"but it is equal to (?P<size>{_WHOLE})"
    ),
    # the same on 0.10.2 and 0.12.0.1, and shard_shape on all three; the second form is that of Explicit axes
    re.compile(
        rf"array axis (?P<dimension>{_WHOLE}) is partitioned (?P<parts>{_WHOLE}) times, "
        rf"but (?:the dimension size is|does not evenly divide the dimension size) (?P<size>{_WHOLE})"
    ),
    # shard_map on all three
    re.compile(
        rf"array axis (?P<dimension>{_WHOLE}) \(of size (?P<size>{_WHOLE})\) to mesh ax.{{1,300}}?"
        rf" \(of (?:total )?size (?P<parts>{_WHOLE})\), but"
    ),
)
_MESH_AXIS = re.compile(r"['\"]([\w.-]{1,100})['\"]: (\d{1,9})\b")
_MESH_TYPES = re.compile(r"axis_types=\(([\w, ]{0,1000})\)")
_MESH_TUPLES = re.compile(
    r"(?:mesh given has shape |axis_sizes=)(\([\d, ]{1,200}\)),? (?:with corresponding axis names |axis_names=)"
    r"(\([\w.'\", -]{1,1000}\))"
)
_SHAPE_SAID = re.compile(r"(?:full shape|Got shape): (\([\d, ]{0,200}\))")
_TYPED = re.compile(_TYPED_SHAPE)


def division_in(text: str) -> Division | None:
    """The division that a message says does not come out even, in the words of JAX 0.4.38 to 0.12; the first."""
    text = _one_line(text)
    for pattern in _DIVISIONS:
        if match := pattern.search(text):
            return Division(int(match["dimension"]), int(match["size"]), int(match["parts"]))
    return None


def layout_in(text: str) -> tuple[Mesh, Spec, tuple[int, ...]] | None:
    """The layout that a message talks about, if it states all three: a mesh with sizes, a spec and an array's shape.

    Of several the first counts. A spec with a keyword that `Spec.parse` does not know gives None.
    """
    text = _one_line(text)
    try:
        mesh, spec, shape = _mesh_in(text), _spec_in(text), _shape_in(text)
    except MuseumError:  # stated, but nothing that could be drawn
        return None
    return None if mesh is None or spec is None or shape is None else (mesh, spec, shape)


def _one_line(text: str) -> str:
    """Undo the line breaks that a terminal or an issue tracker put in."""
    return " ".join(text[:READ_AT_MOST].split())


def _mesh_in(text: str) -> Mesh | None:
    if match := _MESH_TUPLES.search(text):
        sizes = parse_shape(match[1])
        names = re.findall(r"[\w.-]+", match[2])
        return Mesh(tuple(map(Axis, names, sizes))) if len(names) == len(sizes) else None
    for stated in _called(text, "mesh"):
        pairs = _MESH_AXIS.findall(stated)
        types_stated = _MESH_TYPES.search(stated)
        types = [name.lower() for name in re.findall(r"\w+", types_stated[1])] if types_stated else []
        if len(types) != len(pairs) or not set(types) <= set(AxisType):
            types = [AxisType.AUTO] * len(pairs)
        if pairs:
            return Mesh(
                tuple(Axis(name, int(size), AxisType(kind)) for (name, size), kind in zip(pairs, types, strict=True))
            )
    return None


def _spec_in(text: str) -> Spec | None:
    return next((Spec.parse(stated) for stated in _called(text, "spec")), None)


def _shape_in(text: str) -> tuple[int, ...] | None:
    if match := _SHAPE_SAID.search(text):
        return parse_shape(match[1])
    if match := _TYPED.search(text):
        return parse_shape(_AXES_OF_DIMENSION.sub("", match["dims"]))
    return None


def _called(text: str, kind: str) -> Iterator[str]:
    """Each ``Mesh(…)`` or ``P(…)`` in the text, whole."""
    closing = _closing_brackets(text)
    for match in _TOKEN.finditer(text):
        if match.lastgroup == kind and (stop := closing.get(match.end() - 1)):
            yield text[match.start() : stop]

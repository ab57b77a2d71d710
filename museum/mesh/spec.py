"""A partition spec as a value: which mesh axes cut which array dimension, and over which a sum is still due."""

import ast
import warnings
from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal, Self

from museum.errors import MuseumError
from museum.mesh.mesh import is_axis_name


class Unconstrained(Enum):
    """The type of `UNCONSTRAINED`, so that a type checker can tell it from the other entries."""

    UNCONSTRAINED = "UNCONSTRAINED"


UNCONSTRAINED: Final = Unconstrained.UNCONSTRAINED
"""The entry that leaves a dimension to the compiler (`jax.sharding.PartitionSpec.UNCONSTRAINED`)."""

Entry = tuple[str, ...] | Literal[Unconstrained.UNCONSTRAINED] | None
"""What becomes of one dimension: cut along axes (the first one slowest), left to the compiler, or not cut (None)."""

_CONSTRUCTORS = ("P", "PartitionSpec")
_UNREDUCED = "unreduced"
_LONGEST = 1_000  # characters; what people write has a hundred


@dataclass(frozen=True, slots=True)
class Spec:
    """One entry a dimension, as `jax.sharding.PartitionSpec` has them; those that are left out at the end are None.

    Attributes:
        entries: By dimension.
        unreduced: Axes over which each device holds only a summand (``unreduced={'model'}``), sorted.
    """

    entries: tuple[Entry, ...] = ()
    unreduced: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "unreduced", tuple(sorted(set(self.unreduced))))

    def __str__(self) -> str:
        parts = [*map(_entry_text, self.entries)]
        if self.unreduced:
            parts.append(f"unreduced={{{', '.join(map(repr, self.unreduced))}}}")
        return f"P({', '.join(parts)})"

    @property
    def command(self) -> str:
        """The command form, which `parse` reads back: ``data,-,model+seq,unreduced=stage``."""
        parts = ["-" if entry is None else "?" if entry is UNCONSTRAINED else "+".join(entry) for entry in self.entries]
        if self.unreduced:
            parts.append(f"{_UNREDUCED}={'+'.join(self.unreduced)}")
        return ",".join(parts)

    @property
    def axes(self) -> tuple[str, ...]:
        """Every axis that cuts, in order, repeats included."""
        return tuple(axis for number in range(len(self.entries)) for axis in self.axes_at(number))

    def axes_at(self, dimension: int) -> tuple[str, ...]:
        """The axes that cut a dimension; none for one beyond the entries."""
        entry = self.entries[dimension] if dimension < len(self.entries) else None
        return () if entry is None or entry is UNCONSTRAINED else entry

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a spec as people type it or as JAX prints it.

        The command form has one entry a dimension: ``data,-,model+seq``, ``-`` for None, ``?`` for an unconstrained
        one, ``+`` between the axes of a tuple, empty for a spec without entries; ``unreduced=model+seq`` may stand at
        the end. The JAX form is ``P('data', None, ('model', 'seq'), unreduced={'stage'})`` or ``PartitionSpec(...)``;
        nothing in it is evaluated.

        Raises:
            MuseumError: It is neither, or it uses another keyword.
        """
        stripped = text.strip()
        if len(stripped) > _LONGEST:
            raise MuseumError(f"a spec of {len(stripped)} characters is too long: at most {_LONGEST}")
        if "(" in stripped:
            return cls(*_parse_call(stripped))
        if not stripped:
            return cls()
        parts = [part.strip() for part in stripped.split(",")]
        unreduced: tuple[str, ...] = ()
        keyword, equals, names = (piece.strip() for piece in parts[-1].partition("="))
        if equals and keyword == _UNREDUCED:
            parts.pop()
            unreduced = _names_in(names, names, stripped)
        return cls(tuple(_parse_part(part, stripped) for part in parts), unreduced)


def _entry_text(entry: Entry) -> str:
    if entry is None:
        return "None"
    if entry is UNCONSTRAINED:
        return "P.UNCONSTRAINED"
    return repr(entry[0]) if len(entry) == 1 else repr(entry)


def _parse_part(part: str, whole: str) -> Entry:
    if part == "-":
        return None
    return UNCONSTRAINED if part == "?" else _names_in(part, part, whole)


def _names_in(names_text: str, part: str, whole: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in names_text.split("+"))
    if all(map(is_axis_name, names)):
        return names
    raise MuseumError(f"spec {whole!r}: {part!r} is no axis name, no data+model and no - (an uncut dimension)")


def _parse_call(text: str) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    advice = "a spec reads P('data', None, ('model', 'seq')) or data,-,model+seq"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the parser warns of odd escapes and numbers, which are refused below
            call = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise MuseumError(f"spec {text!r} cannot be read: {advice}") from None
    if not isinstance(call, ast.Call) or _last_name(call.func) not in _CONSTRUCTORS:
        raise MuseumError(f"spec {text!r} cannot be read: {advice}")
    unreduced: tuple[str, ...] = ()
    for keyword in call.keywords:
        if keyword.arg == "unreduced_kind" and _last_name(keyword.value) in ("", "sum"):
            continue  # newer versions print how the summands are to be reduced
        if keyword.arg != _UNREDUCED:
            name = keyword.arg or "**"
            raise MuseumError(f"spec {text!r}: {name!r} is not supported, only entries and unreduced={{...}}")
        unreduced = _parse_set(keyword.value, text)
    return tuple(_parse_argument(argument, text) for argument in call.args), unreduced


def _parse_set(value: ast.expr, text: str) -> tuple[str, ...]:
    match value:
        case ast.Call(func=ast.Name(id="frozenset" | "set"), args=[inner]):
            return _parse_set(inner, text)
        case ast.Call(func=ast.Name(id="frozenset" | "set"), args=[]):
            return ()
        case ast.Set(elts=elements) | ast.Tuple(elts=elements) | ast.List(elts=elements):
            names = [element.value for element in elements if isinstance(element, ast.Constant)]
            if len(names) == len(elements) and all(isinstance(name, str) and name for name in names):
                return tuple(map(str, names))
    raise MuseumError(f"spec {text!r}: {_source(value, text)} is no set of axis names, as in unreduced={{'model'}}")


def _parse_argument(argument: ast.expr, text: str) -> Entry:
    match argument:
        case ast.Constant(value=None):
            return None
        case ast.Constant(value=str(name)) if name:
            return (name,)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            names = tuple(
                element.value
                for element in elements
                if isinstance(element, ast.Constant) and isinstance(element.value, str)
            )
            if len(names) == len(elements) and all(names):
                return names or None  # JAX takes an empty tuple for None
        case ast.Name() | ast.Attribute() if _last_name(argument) == "UNCONSTRAINED":
            return UNCONSTRAINED
    raise MuseumError(
        f"spec {text!r}: {_source(argument, text)} is no entry: an axis name in quotes, a tuple of them, None or "
        "P.UNCONSTRAINED"
    )


def _source(node: ast.expr, text: str) -> str:
    return ast.get_source_segment(text, node) or "an argument"


def _last_name(node: ast.expr) -> str:
    """``PartitionSpec`` of ``PartitionSpec`` and of ``jax.sharding.PartitionSpec``; "" for what is no name."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""

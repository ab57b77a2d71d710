"""A partition spec as a value: which mesh axes cut which array dimension."""

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
_LONGEST = 1_000  # characters; what people write has a hundred


@dataclass(frozen=True, slots=True)
class Spec:
    """One entry a dimension, as `jax.sharding.PartitionSpec` has them; those that are left out at the end are None."""

    entries: tuple[Entry, ...] = ()

    def __str__(self) -> str:
        return f"P({', '.join(map(_entry_text, self.entries))})"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a spec as people type it or as JAX prints it.

        The command form has one entry a dimension: ``data,-,model+seq``, ``-`` for None, ``+`` between the axes of a
        tuple, empty for a spec without entries. The JAX form is ``P('data', None, ('model', 'seq'))`` or
        ``PartitionSpec(...)``; nothing in it is evaluated.

        Raises:
            MuseumError: It is neither, or it uses keywords (``unreduced=``), which have no picture yet.
        """
        stripped = text.strip()
        if len(stripped) > _LONGEST:
            raise MuseumError(f"a spec of {len(stripped)} characters is too long: at most {_LONGEST}")
        if "(" in stripped:
            return cls(_parse_call(stripped))
        if not stripped:
            return cls()
        return cls(tuple(_parse_part(part.strip(), stripped) for part in stripped.split(",")))


def _entry_text(entry: Entry) -> str:
    if entry is None:
        return "None"
    if entry is UNCONSTRAINED:
        return "P.UNCONSTRAINED"
    return repr(entry[0]) if len(entry) == 1 else repr(entry)


def _parse_part(part: str, whole: str) -> Entry:
    if part == "-":
        return None
    names = tuple(name.strip() for name in part.split("+"))
    for name in names:
        if not is_axis_name(name):
            raise MuseumError(f"spec {whole!r}: {part!r} is no axis name, no data+model and no - (an uncut dimension)")
    return names


def _parse_call(text: str) -> tuple[Entry, ...]:
    advice = "a spec reads P('data', None, ('model', 'seq')) or data,-,model+seq"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the parser warns of odd escapes and numbers, which are refused below
            call = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise MuseumError(f"spec {text!r} cannot be read: {advice}") from None
    if not isinstance(call, ast.Call) or _last_name(call.func) not in _CONSTRUCTORS:
        raise MuseumError(f"spec {text!r} cannot be read: {advice}")
    if call.keywords:
        keyword = call.keywords[0].arg or "**"
        raise MuseumError(f"spec {text!r}: {keyword!r} is not supported, only one entry a dimension")
    return tuple(_parse_argument(argument, text) for argument in call.args)


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

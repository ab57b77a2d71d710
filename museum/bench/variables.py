"""What a visitor types to run a snippet with: arguments as in a shell, variables as NAME=VALUE lines."""

import re
import shlex
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

FLAGS = ("XLA_FLAGS", "LIBTPU_INIT_ARGS")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_EXPORT = re.compile(r"export\s+")


@dataclass(frozen=True, slots=True)
class Variables:
    """Lines of variables, read.

    Attributes:
        values: By name.
        problems: Lines for the visitor, each with its place; a run would not do what it should.
    """

    values: dict[str, str]
    problems: tuple[str, ...]


def read_variables(text: str) -> Variables:
    """Read lines of NAME=VALUE as a shell would take them; ``export`` and quotes around a value are let go."""
    values: dict[str, str] = {}
    problems: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = _EXPORT.sub("", line.strip(), count=1)
        if not words or words.startswith("#"):
            continue
        name, equals, value = words.partition("=")
        if not equals:
            problems.append(f"variables, line {number}: {words!r} has no =; write NAME=VALUE")
            continue
        if not _NAME.fullmatch(name):
            problems.append(f"variables, line {number}: {name!r} is no name of a variable")
            continue
        if name in values:
            problems.append(f"variables, line {number}: {name} is set twice; the last one counts")
        values[name] = _unquoted(value)
        if name in FLAGS:
            problems += (f"variables, line {number}: {fault}" for fault in flag_faults(name, values[name]))
    return Variables(values, tuple(problems))


def _unquoted(value: str) -> str:
    value = value.strip()
    quoted = len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if quoted else value


def flag_faults(name: str, value: str) -> Iterator[str]:
    """What no compiler reads as a flag, whatever its version, one clause each.

    Args:
        name: The variable.
        value: Its flags.
    """
    for character in sorted(set(value)):
        if ord(character) > 127 and unicodedata.category(character)[0] in "PZ":
            words = unicodedata.name(character, "a character").lower()
            instead = {"Pd": "write -", "Zs": "write a plain space"}.get(
                unicodedata.category(character), "write ASCII quotes or none"
            )
            yield f"{name} holds {character!r} ({words}), which is no ASCII character; {instead}"
            return
    for word in value.split():
        if not word.startswith("--"):
            yield f"{name}: {word} is no flag; write --name=value, without a space in it"


def read_arguments(text: str) -> tuple[tuple[str, ...], str]:
    """Words as a shell divides them, and a problem, "" for none."""
    try:
        return tuple(shlex.split(text)), ""
    except ValueError as failure:
        return (), f"arguments: {str(failure).lower()}; close the quotes"

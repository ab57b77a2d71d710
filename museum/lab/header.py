"""What a script itself asks for, in a comment at its top: ``# museum: target=cpu:8``."""

import re

from museum.errors import MuseumError
from museum.lab.target import Target

LINES = 20  # of the script's top that are looked at
_HEADER = re.compile(r"#\s*museum:\s*(.*)")
_KEYS = ("target",)


def wanted_target(script: str) -> Target | None:
    """The target that a script asks for; None when it asks for none.

    Raises:
        MuseumError: The header cannot be read: names its line.
    """
    for number, line in enumerate(script.split("\n", LINES)[:LINES], 1):
        if line.strip() and not line.startswith("#"):
            return None
        match = _HEADER.fullmatch(line.strip())
        if match:
            return _read(match[1], number)
    return None


def _read(words: str, number: int) -> Target | None:
    found = None
    for word in words.split():
        key, equals, value = word.partition("=")
        if key not in _KEYS or not equals:
            raise MuseumError(f"line {number}: {word!r} is nothing that a museum header knows; write target=cpu:8")
        try:
            found = Target.parse(value)
        except MuseumError as error:
            raise MuseumError(f"line {number}: {error}") from None
    return found


def asked_otherwise(script: str, target: str) -> str:
    """What the script's header asks for, if it is not the target where it ran, or why it cannot be read; else ""."""
    try:
        wanted = wanted_target(script)
    except MuseumError as error:
        return str(error)
    return "" if wanted is None or str(wanted) == target else str(wanted)

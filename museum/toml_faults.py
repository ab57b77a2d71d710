"""Every fault of a TOML file, each with its key: msgspec stops at the first."""

import datetime
import re
import tomllib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from msgspec import inspect

_LONGEST_QUOTE = 60


def faults_of_toml(text: str, file_type: type[msgspec.Struct]) -> list[tuple[str, str]]:
    """Key and words of each thing that keeps a text from being a file of that type; nothing where there is none."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error), re.DOTALL)
        if message is None:
            return [("", f"is not TOML: {error}")]
        line = int(message[2] or text.rstrip().count("\n") + 1)
        where = f" at column {message[3]}" if message[3] else ", where the file ends"
        return [(f"line {line}", f"is not TOML: {message[1][0].lower()}{message[1][1:]}{where}")]
    from msgspec import inspect

    shape = inspect.type_info(file_type)
    return list(_faults_of_table(table, shape, "")) if isinstance(shape, inspect.StructType) else []


def _faults_of_table(table: dict[str, object], shape: "inspect.StructType", prefix: str) -> Iterator[tuple[str, str]]:
    known = {field.encode_name: field for field in shape.fields}
    for key in table:
        if key not in known:
            from difflib import get_close_matches

            near = get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"known here: {', '.join(known)}"
            yield prefix + (key if key.isprintable() else repr(key)), f"unknown key; {hint}"
    for key, field in known.items():
        if key in table:
            yield from _faults_of_value(table[key], field.type, prefix + key)
        elif field.required:
            yield prefix + key, "is missing"


def _faults_of_value(value: object, shape: "inspect.Type", key: str) -> Iterator[tuple[str, str]]:
    from msgspec import inspect

    if isinstance(shape, inspect.UnionType):
        shape = next(member for member in shape.types if not isinstance(member, inspect.NoneType))
    if isinstance(shape, inspect.VarTupleType) and isinstance(value, list):
        for place, item in enumerate(value):
            yield from _faults_of_value(item, shape.item_type, f"{key}[{place}]")
    elif isinstance(shape, inspect.StructType) and isinstance(value, dict):
        yield from _faults_of_table(value, shape, f"{key}.")
    else:
        words, fits = _meaning_of(shape, value, key)
        if not fits:
            yield key, f"must be {words}, not {_words_of_value(value)}"


def _meaning_of(shape: "inspect.Type", value: object, key: str) -> tuple[str, bool]:
    """What a key holds, in words, and whether `value` is that."""
    from msgspec import inspect

    plain = not isinstance(value, bool)
    match shape:
        case inspect.EnumType():
            members = [str(member) for member in shape.cls]
            return f"one of {', '.join(members)}", value in members
        case inspect.StrType():
            return "text in quotes", isinstance(value, str)
        case inspect.IntType():
            return "a whole number", plain and isinstance(value, int)
        case inspect.FloatType():
            return "a number", plain and isinstance(value, int | float)
        case inspect.DateType():
            return "a date like 2026-11-30", type(value) is datetime.date
        case inspect.VarTupleType(item_type=inspect.StructType()):
            return f"a list of tables, each under [[{key}]]", False
        case inspect.VarTupleType():
            return "a list in brackets", False
        case _:
            return f"a table, under [{key}]", False


def _words_of_value(value: object) -> str:
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "a table"
    words = repr(value) if isinstance(value, str) else str(value).lower()
    return words if len(words) <= _LONGEST_QUOTE else f"{words[:_LONGEST_QUOTE]}…"

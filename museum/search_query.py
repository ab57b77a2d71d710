"""What stands in the search box: words, and filters typed as words (``kind:silent wing:memory jax:0.10.2``)."""

import re
from collections.abc import Collection
from dataclasses import dataclass

KEYS = ("wing", "kind", "tag", "jax", "verdict", "is")
_FILTER = re.compile(rf"(?P<no>-?)(?P<key>{'|'.join(KEYS)}):(?P<values>.*)", re.IGNORECASE)
_MOST_NAMED = 8  # values that a notice lists


@dataclass(frozen=True, slots=True)
class Filter:
    """One condition.

    Attributes:
        key: One of `KEYS`.
        values: As typed, in small letters; any of them will do.
        excludes: Whether it takes away what fits (``-kind:silent``).
    """

    key: str
    values: tuple[str, ...]
    excludes: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A query, read.

    Attributes:
        words: What is left without the filters.
        filters: All must hold.
    """

    words: str
    filters: tuple[Filter, ...] = ()


def read_query(text: str) -> Query:
    """Tell filters from words; a filter without a value yet is none, and an unknown key is a word."""
    words, filters = [], []
    for chunk in text.split():
        match = _FILTER.fullmatch(chunk)
        if match is None:
            words.append(chunk)
            continue
        values = tuple(value for value in match["values"].casefold().split(",") if value)
        if values:
            filters.append(Filter(match["key"].casefold(), values, bool(match["no"])))
    return Query(" ".join(words), tuple(filters))


def with_value(text: str, key: str, value: str) -> str:
    """The query with one more value that a filter lets through: beside the others of its key, else at the end."""
    chunks = text.split()
    for place, chunk in enumerate(chunks):
        match = _FILTER.fullmatch(chunk)
        if match is not None and not match["no"] and match["key"].casefold() == key:
            values = [one for one in match["values"].split(",") if one]
            if value not in map(str.casefold, values):
                chunks[place] = f"{key}:{','.join([*values, value])}"
            return " ".join(chunks)
    return " ".join([*chunks, f"{key}:{value}"])


def without_value(text: str, key: str, value: str, *, excludes: bool = False) -> str:
    """The query without a value of a filter, and without the filter where that was its last.

    Args:
        text: The query.
        key: Of the filter.
        value: In small letters.
        excludes: Whether it is one that takes away.
    """
    chunks = []
    for chunk in text.split():
        match = _FILTER.fullmatch(chunk)
        if match is None or match["key"].casefold() != key or bool(match["no"]) is not excludes:
            chunks.append(chunk)
            continue
        values = [one for one in match["values"].split(",") if one and one.casefold() != value]
        if values:
            chunks.append(f"{match['no']}{key}:{','.join(values)}")
    return " ".join(chunks)


def without_filters(text: str) -> str:
    """Only the words of a query."""
    return read_query(text).words


def meant(key: str, typed: str, known: Collection[str]) -> tuple[frozenset[str], str]:
    """The known values that one may stand for: itself, or those that begin with it.

    Args:
        key: Of the filter.
        typed: The value.
        known: All that there are.

    Returns:
        The values, and one line where there are none.
    """
    if typed in known:
        return frozenset((typed,)), ""
    begun = frozenset(value for value in known if value.startswith(typed))
    if begun:
        return begun, ""
    from difflib import get_close_matches

    named = [value for value in known if value]
    near = [] if key == "jax" else get_close_matches(typed, named, n=2)  # numbers are no slips
    if near:
        hint = f"did you mean {' or '.join(near)}?"
    elif len(named) > _MOST_NAMED:
        hint = f"there are {', '.join(named[:_MOST_NAMED])} and {len(named) - _MOST_NAMED} more"
    else:
        hint = f"there are {', '.join(named)}" if named else "there are none"
    return frozenset(), f"no {key} {typed}; {hint}"

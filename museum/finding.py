"""Finding and replacing in a text: what is looked for, and where it is."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from museum.answering import AnsweringChild, SilentError
from museum.errors import MuseumError

LONGEST = 2.0  # seconds of an expression's search
TOO_LONG = f"this expression takes too long: more than {LONGEST:.0f} seconds; nothing was done"


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for.

    Attributes:
        text: Words, or a regular expression.
        case: Whether capitals count.
        words: Whether only whole words count.
        regex: Whether it is a regular expression.
    """

    text: str
    case: bool = False
    words: bool = False
    regex: bool = False

    def compiled(self) -> re.Pattern[str]:
        """As a pattern.

        Raises:
            MuseumError: It is no regular expression: says where and why.
        """
        pattern = self.text if self.regex else re.escape(self.text)
        if self.words:
            # Not \\b, which wants a word character at the ends of what is looked for.
            pattern = rf"(?<!\w)(?:{pattern})(?!\w)"
        try:
            return re.compile(pattern, re.MULTILINE | (0 if self.case else re.IGNORECASE))
        except re.error as fault:
            raise MuseumError(f"no regular expression: {fault.msg}") from fault

    def found_in(self, text: str) -> Iterator[re.Match[str]]:
        """Where it is, from the beginning; what is empty counts for nothing.

        Raises:
            MuseumError: As `compiled`.
        """
        if self.text:
            yield from (match for match in self.compiled().finditer(text) if match.end() > match.start())

    def replacement(self, match: re.Match[str], by: str) -> str:
        """What stands in the place of a match.

        Raises:
            MuseumError: The replacement speaks of a group that the expression does not have.
        """
        if not self.regex:
            return by
        try:
            return match.expand(by)
        except (re.error, IndexError) as fault:
            raise MuseumError(f"no replacement: {fault}") from fault


def replaced(query: Query, text: str, by: str) -> tuple[str, int]:
    """The text with every match replaced, and how many there were.

    Raises:
        MuseumError: As `Query.compiled` and `Query.replacement`.
    """
    pieces, end, count = [], 0, 0
    for match in query.found_in(text):
        pieces += [text[end : match.start()], query.replacement(match, by)]
        end, count = match.end(), count + 1
    return "".join((*pieces, text[end:])), count


class Wish(msgspec.Struct, frozen=True):
    """What is wanted of a text.

    Attributes:
        query: What is looked for.
        text: Where.
        by: What it is replaced by; None for finding only.
        at: Start and end of the one that is replaced; None for all.
    """

    query: Query
    text: str
    by: str | None = None
    at: tuple[int, int] | None = None


class Found(msgspec.Struct, frozen=True):
    """What became of a wish.

    Attributes:
        places: Start and end of each, in characters, in order.
        text: What stands in the place of the one, or of all of the text; None where nothing is replaced.
        count: How many are replaced.
        fault: Why there is nothing, in one line.
    """

    places: tuple[tuple[int, int], ...] = ()
    text: str | None = None
    count: int = 0
    fault: str = ""


def fulfil(wish: Wish) -> Found:
    """Look, or replace."""
    try:
        if wish.by is None:
            return Found(tuple(match.span() for match in wish.query.found_in(wish.text)))
        if wish.at is None:
            text, count = replaced(wish.query, wish.text, wish.by)
            return Found(text=text, count=count)
        for match in wish.query.found_in(wish.text):
            if match.span() == wish.at:
                return Found(text=wish.query.replacement(match, wish.by), count=1)
        return Found()
    except MuseumError as fault:
        return Found(fault=str(fault))


class Finder:
    """Looks for expressions in a child: there are some that take for ever, and Python lets nobody interrupt them."""

    def __init__(self) -> None:
        self._child = AnsweringChild(["-m", "museum.finding_child"], LONGEST)

    @property
    def process_id(self) -> int | None:
        """The child's; None while there is none."""
        return self._child.process_id

    async def fulfil(self, wish: Wish) -> Found:
        """As the function."""
        try:
            answer = await self._child.ask(wish)
        except TimeoutError:
            return Found(fault=TOO_LONG)
        except SilentError as silence:
            return Found(fault=f"the search broke off: {silence}")
        return Found() if answer is None else msgspec.json.decode(answer, type=Found)

    async def close(self) -> None:
        """End the child and wait until it is gone."""
        await self._child.close()

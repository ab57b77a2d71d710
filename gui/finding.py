"""Finding and replacing in a text: what is looked for, and where it is."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from museum.errors import MuseumError


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

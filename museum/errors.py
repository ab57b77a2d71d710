"""The one way the core says no: a clear line for a person, never a traceback of ours."""

from dataclasses import dataclass
from pathlib import Path


class MuseumError(Exception):
    """Something the visitor can act on, worded as one line: what, where, what to do."""


@dataclass(frozen=True, slots=True)
class ContentProblem:
    """One thing that is wrong with a file of the collection.

    Attributes:
        file: The file at fault, relative to the collection's root where it lies below it.
        key: The key in that file (``expect[0].class``), a heading, or "" for the file itself.
        text: What is wrong and what to do, without a full stop at the end.
    """

    file: Path
    key: str
    text: str

    def __str__(self) -> str:
        place = f"{self.file}: {self.key}" if self.key else str(self.file)
        return f"{place}: {self.text}"

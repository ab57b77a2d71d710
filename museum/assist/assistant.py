"""Asks a child about code: names that may stand somewhere, and help about what stands there."""

from pathlib import Path
from typing import Literal

import msgspec

from museum.answering import AnsweringChild, SilentError

CHILD = Path(__file__).with_name("child.py")
LONGEST = 8.0  # seconds, after which the child is ended; the first look at JAX takes one or two

Kind = Literal["complete", "explain"]


class Answer(msgspec.Struct, frozen=True):
    """What the child knows.

    Attributes:
        names: For a completion.
        signature: For help, how the thing is called; "" where nothing is known.
        words: The first paragraph of its documentation.
        fault: What jedi broke at.
    """

    names: tuple[str, ...] = ()
    signature: str = ""
    words: str = ""
    fault: str = ""


class Assistant:
    """Asks one question at a time; of those that wait, only the last one is asked."""

    def __init__(self) -> None:
        self._child = AnsweringChild([str(CHILD)], LONGEST)

    @property
    def process_id(self) -> int | None:
        """The child's; None while there is none."""
        return self._child.process_id

    async def ask(self, kind: Kind, python: Path, code: str, line: int, column: int) -> Answer | None:
        """What is known about a place in code; None where another question was asked meanwhile.

        Args:
            kind: Names that may stand there, or help about what stands there.
            python: The environment's interpreter.
            code: All of it.
            line: From 1.
            column: From 0, in characters.
        """
        question = {"kind": kind, "python": str(python), "code": code, "line": line, "column": column}
        try:
            answer = await self._child.ask(question)
            return None if answer is None else msgspec.json.decode(answer, type=Answer)
        except (SilentError, TimeoutError, msgspec.DecodeError) as failure:
            return Answer(fault=str(failure) or "no answer in time")

    async def close(self) -> None:
        """End the child and wait until it is gone."""
        await self._child.close()

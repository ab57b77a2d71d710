"""Asks a child about code: started when it is first asked, started again when it died, never waited for by others."""

import asyncio
import sys
from pathlib import Path
from typing import Literal

import msgspec

CHILD = Path(__file__).with_name("child.py")
LONGEST = 20.0  # seconds; the first look at JAX takes a few
LARGEST = 1 << 22  # bytes of an answer

Kind = Literal["complete", "explain"]


class Item(msgspec.Struct, frozen=True):
    """One name that may stand at the caret, and what it is."""

    name: str
    kind: str = ""


class Answer(msgspec.Struct, frozen=True):
    """What the child knows.

    Attributes:
        id: Of the question.
        items: Names, for a completion.
        signature: For help, how the thing is called; "" where nothing is known.
        words: The first line of its documentation.
        fault: What jedi broke at.
    """

    id: int = 0
    items: tuple[Item, ...] = ()
    signature: str = ""
    words: str = ""
    fault: str = ""


class Assistant:
    """Asks one question at a time; of those that wait, only the last one is asked."""

    def __init__(self) -> None:
        self._child: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._number = 0

    @property
    def process_id(self) -> int | None:
        """The child's; None while there is none."""
        return self._child.pid if self._child is not None and self._child.returncode is None else None

    async def ask(self, kind: Kind, python: Path, code: str, line: int, column: int) -> Answer:
        """What is known about a place in code; an empty answer where it cannot be had, or another was asked meanwhile.

        Args:
            kind: Names that may stand there, or help about what stands there.
            python: The environment's interpreter.
            code: All of it.
            line: From 1.
            column: From 0, in characters.
        """
        self._number += 1
        number = self._number
        async with self._turn:
            if number != self._number:
                return Answer()
            question: dict[str, object] = {
                "id": number,
                "kind": kind,
                "python": str(python),
                "code": code,
                "line": line,
                "column": column,
            }
            try:
                return await asyncio.wait_for(self._exchange(question), LONGEST)
            except (OSError, TimeoutError, ValueError, msgspec.DecodeError):
                await self._end()  # it died, hangs, or answers nonsense: the next question gets another one
                return Answer()
            except asyncio.CancelledError:
                await self._end()  # its answer would be taken for that of the next question
                raise

    async def _exchange(self, question: dict[str, object]) -> Answer:
        child = await self._started()
        if child.stdin is None or child.stdout is None:
            raise OSError("the child has no pipes")
        child.stdin.write(msgspec.json.encode(question) + b"\n")
        await child.stdin.drain()
        while True:
            line = await child.stdout.readline()
            if not line:
                raise OSError("the child died")
            answer = msgspec.json.decode(line, type=Answer)
            if answer.id == question["id"]:
                return answer

    async def _started(self) -> asyncio.subprocess.Process:
        if self._child is None or self._child.returncode is not None:
            pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
            self._child = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", str(CHILD)), stdin=pipe, stdout=pipe, stderr=nothing, limit=LARGEST, cwd="/"
            )
        return self._child

    async def _end(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            if child.returncode is None:
                child.kill()
            await child.wait()

    async def close(self) -> None:
        """End the child and wait until it is gone."""
        self._number += 1
        async with self._turn:
            await self._end()

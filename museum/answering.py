"""A child that answers questions, a line of JSON each: started when it is first asked, and again when it died."""

import asyncio
import sys
from collections.abc import Sequence

import msgspec

LARGEST = 1 << 24  # bytes of an answer


class SilentError(Exception):
    """The child died, hangs, or answers nonsense; the next question gets another one."""


class AnsweringChild:
    """Asks one question at a time; of those that wait, only the last one is asked.

    Args:
        words: What Python is started with.
        longest: Seconds that an answer may take.
    """

    def __init__(self, words: Sequence[str], longest: float) -> None:
        self._words, self._longest = words, longest
        self._child: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._number = 0

    @property
    def process_id(self) -> int | None:
        """The child's; None while there is none."""
        return self._child.pid if self._child is not None and self._child.returncode is None else None

    async def ask(self, question: object) -> bytes | None:
        """The answer; None where another question was asked meanwhile.

        Raises:
            SilentError: There is none.
            TimeoutError: It takes too long.
        """
        self._number += 1
        number = self._number
        async with self._turn:
            if number != self._number:
                return None
            try:
                return await asyncio.wait_for(self._exchange(question), self._longest)
            except TimeoutError:
                await self._end()
                raise
            except (OSError, ValueError) as failure:
                await self._end()
                raise SilentError(str(failure)) from failure
            except asyncio.CancelledError:
                await self._end()  # its answer would be taken for that of the next question
                raise

    async def _exchange(self, question: object) -> bytes:
        child = await self._started()
        if child.stdin is None or child.stdout is None:
            raise OSError("the child has no pipes")
        child.stdin.write(msgspec.json.encode(question) + b"\n")
        await child.stdin.drain()
        line = await child.stdout.readline()
        if not line.endswith(b"\n"):
            raise OSError("the child died")
        return line

    async def _started(self) -> asyncio.subprocess.Process:
        if self._child is None or self._child.returncode is not None:
            pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
            self._child = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", *self._words), stdin=pipe, stdout=pipe, stderr=nothing, limit=LARGEST, cwd="/"
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

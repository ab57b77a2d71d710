"""Runs both halves of an exhibit on every version at hand, and records what good runs print."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from museum.errors import MuseumError
from museum.exhibit import Exhibit
from museum.lab.environments import Environment
from museum.lab.recording import record
from museum.lab.verify import Result, Runs, counts, plan, verify

Follow = Callable[[str, str, bool], object]
"""Hears how it goes: words, their role, and whether it goes on."""


class Recorder:
    """One recording at a time.

    Args:
        lab: Runs things.
        environments: Gives what is at hand.
    """

    def __init__(self, lab: Runs, environments: Callable[[], Sequence[Environment]]) -> None:
        self._lab, self._environments = lab, environments
        self._running: asyncio.Task[list[Result]] | None = None

    def stop(self) -> None:
        """End it; nothing is recorded."""
        if self._running is not None:
            self._running.cancel()

    async def record(self, exhibit: Exhibit, root: Path, follow: Follow) -> bool:
        """Run and record; returns whether the captures changed.

        Args:
            exhibit: As it is on the disk.
            root: The folder that holds its wing.
            follow: Hears how it goes.

        Raises:
            MuseumError: One is going on, there is no JAX, or the captures cannot be written.
        """
        if self._running is not None:
            raise MuseumError("stop the recording that goes on first")
        versions = dict.fromkeys((one.jax for one in self._environments() if one.jax), "")
        jobs = plan([exhibit], self._environments(), versions)
        if not jobs:
            raise MuseumError("there is no JAX here to run it with; build an environment first")
        done: list[Result] = []

        def note(result: Result) -> None:
            done.append(result)
            follow(f"Recording: {len(done)} of {len(jobs)} runs done …", "faint", True)

        follow(f"Recording: 0 of {len(jobs)} runs done …", "faint", True)
        self._running = asyncio.ensure_future(verify(jobs, self._lab, note, against_capture=False))
        try:
            results = await self._running
            changed = await asyncio.to_thread(record, exhibit, results, root)
        except asyncio.CancelledError:
            follow("Stopped; nothing was recorded.", "faint", False)
            if self._running.cancelled():
                return False
            raise
        except OSError as error:
            follow("", "faint", False)
            raise MuseumError(f"{root / exhibit.id}: captures cannot be written: {error.strerror or error}") from error
        finally:
            self._running = None
        follow(*_words(results), False)
        return changed


def _words(results: Sequence[Result]) -> tuple[str, str]:
    told = ", ".join(f"{number} {verdict}" for verdict, number in counts(results).items())
    bad = [result for result in results if not result.judged.verdict.good]
    if not bad:
        return f"Recorded: {told}.", "good"
    first = bad[0]
    where = f"{first.job.half} on JAX {first.job.jax}, {first.job.target}: {first.judged.verdict}"
    detail = f" ({first.judged.detail[:300]})" if first.judged.detail else ""
    return f"Recorded what is good of: {told}. Not recorded: {where}{detail}", "doubt"

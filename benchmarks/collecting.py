"""Pauses of the garbage collector in the open window, by generation, while the visitor goes through the museum.

uv run --no-sync python benchmarks/collecting.py [--json]
"""

import argparse
import asyncio
import gc
import json
import statistics
import time

from window import opened

from gui.app import Museum

STAY = 0.1  # seconds at each exhibit


class Pauses:
    """Milliseconds of the processor that each collection took."""

    def __init__(self) -> None:
        self.taken: dict[int, list[float]] = {0: [], 1: [], 2: []}
        self._begun = 0.0
        gc.callbacks.append(self._on_collection)

    def _on_collection(self, phase: str, about: dict[str, int]) -> None:
        if phase == "start":
            self._begun = time.thread_time()
        else:
            self.taken[about["generation"]].append((time.thread_time() - self._begun) * 1000)


async def visit(museum: Museum) -> None:
    """One exhibit after the other, and some snippets; at the end the oldest generation, which seldom has its turn."""
    staying = asyncio.ensure_future(museum.stay())
    for number, exhibit in enumerate(museum.catalog.exhibits * 3):
        museum.navigation.go(exhibit.id)
        if number % 10 == 0:
            museum.show_bench().new()
        if number % 10 == 9:
            museum.show_bench().close_current()
        await asyncio.sleep(STAY)
    gc.collect()
    museum.window.close()
    await staying


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with opened() as room:
        pauses = Pauses()
        room.loop.run_until_complete(visit(room.museum))
    rows = {
        f"generation_{generation}": {"times": len(taken), "median_ms": statistics.median(taken), "most_ms": max(taken)}
        for generation, taken in pauses.taken.items()
        if taken
    }
    if arguments.json:
        print(json.dumps(rows))
        return
    for name, row in rows.items():
        print(f"{name}: {row['times']} times, median {row['median_ms']:.2f} ms, most {row['most_ms']:.2f} ms")


if __name__ == "__main__":
    main()

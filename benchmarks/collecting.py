"""Pauses of the garbage collector in the open window, by generation, while the visitor goes through the museum.

uv run --no-sync python benchmarks/collecting.py [--json]
"""

import argparse
import asyncio
import gc
import json
import os
import statistics
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from gui.app import Museum
from gui.collecting import Collector
from gui.loop import QEventLoop
from museum.catalog import load_catalog
from museum.lab.lab import Lab

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
    with tempfile.TemporaryDirectory() as home:
        os.environ["XLA_MUSEUM_HOME"] = home
        application = QApplication([])
        application.setQuitOnLastWindowClosed(False)
        collector = Collector()
        collector.start()
        loop = QEventLoop(application)
        asyncio.set_event_loop(loop)
        with loop:
            museum = Museum(application, load_catalog(check=False), Lab(spares=0), Path(home))
            collector.settle()
            pauses = Pauses()
            loop.run_until_complete(visit(museum))
        collector.stop()
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

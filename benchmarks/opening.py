"""Opening exhibits and searching in the window, over a collection of 500 exhibits made of the real one's words.

    uv run --no-sync python benchmarks/opening.py [--exhibits 500] [--opened 100] [--json]

An exhibit is opened as a click in the list does it, and is open when its page is painted (at most 50 ms). A key is
typed into the search box, and is answered when list and box are painted (at most 16 ms). Both hold up the event loop
for all of that time, so it is the time of this thread that counts: what others do on the machine does not.
"""

import argparse
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from search import QUERIES, collection
from window import Room, opened

from gui.app import Museum


def painted(application: QApplication) -> None:
    """Let everything that was asked for be laid out and painted."""
    for _ in range(3):
        application.processEvents()


def timed(application: QApplication, work: Callable[[], object]) -> float:
    """Milliseconds of this thread until the work is done and painted."""
    begun = time.thread_time()
    work()
    painted(application)
    return (time.thread_time() - begun) * 1000


async def typing(application: QApplication, museum: Museum, rounds: int) -> dict[str, float]:
    """Milliseconds of each key of each query, by the query so far; each round with an index that remembers nothing."""
    box = museum.window.bar.search
    keys: dict[str, list[float]] = {}
    for _ in range(rounds):
        museum.search.take_catalog(museum.catalog)
        await museum.search.close()
        for query in QUERIES:
            box.clear()
            painted(application)
            for end, letter in enumerate(query, 1):
                took = timed(application, lambda letter=letter: QTest.keyClicks(box, letter))
                keys.setdefault(query[:end], []).append(took)
    return {query: statistics.median(times) for query, times in keys.items()}


async def measure(room: Room, options: argparse.Namespace) -> dict[str, object]:
    """Visit a museum of that many exhibits."""
    application, museum = room.application, room.museum
    catalog = museum.catalog
    museum.window.show()
    museum.search.prepare()
    await museum.search.close()
    painted(application)
    dice = random.Random(11)  # noqa: S311 - the same at each call
    places = dice.sample([exhibit.id for exhibit in catalog.exhibits], min(options.opened, len(catalog.exhibits)))
    opening = [timed(application, lambda place=place: museum.navigation.go(place)) for place in places]
    keys = await typing(application, museum, options.rounds)
    emptied = []
    for _ in range(options.rounds):
        QTest.keyClicks(museum.window.bar.search, "x")
        painted(application)
        emptied.append(timed(application, lambda: QTest.keyClick(museum.window.bar.search, Qt.Key.Key_Escape)))
    museum.window.close()
    slowest = max(keys, key=lambda query: keys[query])
    return {
        "exhibits": len(catalog.exhibits),
        "open_median_ms": round(statistics.median(opening), 1),
        "open_slowest_ms": round(max(opening), 1),
        "key_median_ms": round(statistics.median(keys.values()), 2),
        "key_slowest_ms": round(keys[slowest], 1),
        "key_slowest": slowest,
        "emptied_ms": round(statistics.median(emptied), 1),
    }


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--exhibits", type=int, default=500)
    parser.add_argument("--opened", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    catalog = collection(options.exhibits)
    with opened(catalog.exhibits[0].id, catalog=catalog) as room:
        result = room.loop.run_until_complete(measure(room, options))
    print(json.dumps(result) if options.json else f"{result} (at most 50 ms to open, 16 ms a key)")
    sys.stdout.flush()
    os._exit(0)  # processes of the lab are none, and Qt's own end is not measured


if __name__ == "__main__":
    main()

"""What a visitor opens for the first time, and again: how long each holds the event loop.

    uv run --no-sync python benchmarks/first_openings.py [--runs 3] [--quiet 6] [--json]

Each run is a process of its own, in which the window is open and has been quiet for a while, as it is before somebody
goes to the studio. What counts is the longest turn of the loop, in the processor's time (at most 50 ms), until the page
or dialog is painted and all that was left to later turns is done.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
from collections.abc import Callable

from PySide6.QtWidgets import QApplication
from window import Turns, opened

from gui.app import Museum

BOUND = 50.0
SETTLE = 0.6  # seconds for what is left to later turns


def doors(museum: Museum) -> dict[str, Callable[[], object]]:
    """What is opened, by name."""
    asked = museum.window.action_requested.emit
    names = {
        "Bench": "show-bench",
        "Studio": "show-studio",
        "Diagnose": "show-diagnosis",
        "Compare": "compare",
        "Settings": "settings",
        "Environments": "environments",
        "History": "history",
        "Palette": "palette",
        "Filters": "filter",
        "Welcome": "welcome",
        "Log": "log",
    }
    return {what: lambda name=name: asked(name) for what, name in names.items()}


async def visit(museum: Museum, quiet: float) -> dict[str, tuple[float, float]]:
    """Milliseconds of the longest turn at the first opening and at the second."""
    staying = asyncio.ensure_future(museum.stay())
    turns, figures = Turns(), {}
    turns.begin()
    await asyncio.sleep(quiet)
    figures["(while it is quiet)"] = (turns.most, 0.0)
    for what, open_it in doors(museum).items():
        taken = []
        for _ in range(2):
            museum.window.show_exhibits()
            await asyncio.sleep(SETTLE)
            turns.begin()
            open_it()
            await asyncio.sleep(SETTLE)
            taken.append(turns.most)
            for dialog in QApplication.topLevelWidgets():
                if dialog is not museum.window and dialog.isVisible():
                    dialog.close()
        figures[what] = (taken[0], taken[1])
    museum.window.close()
    await staying
    return figures


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quiet", type=float, default=6.0, help="seconds before the first opening")
    parser.add_argument("--once", action="store_true", help="one run, in this process")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.once:
        with opened("xla/unknown-axis") as room:
            print(json.dumps(room.loop.run_until_complete(visit(room.museum, options.quiet))))
        return
    runs = []
    for _ in range(options.runs):
        words = [sys.executable, __file__, "--once", "--quiet", str(options.quiet)]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        runs.append(json.loads(done.stdout.splitlines()[-1]))
    rows = {
        what: {
            "first_ms": round(statistics.median(run[what][0] for run in runs), 1),
            "again_ms": round(statistics.median(run[what][1] for run in runs), 1),
        }
        for what in runs[0]
    }
    if options.json:
        print(json.dumps({"bound_ms": BOUND, "rows": rows}))
        return
    for what, row in rows.items():
        bad = " <--" if row["first_ms"] > BOUND else ""
        print(f"{what:22} first {row['first_ms']:6.1f} ms, again {row['again_ms']:6.1f} ms{bad}")


if __name__ == "__main__":
    main()

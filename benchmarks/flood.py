"""A snippet that prints 100 MB, or 10,000 lines, in the open window: how late the event loop gets, what memory stays.

uv run --no-sync python benchmarks/flood.py [--megabytes 100] [--lines] [--json]
uv run --no-sync python benchmarks/flood.py --short [--bench] [--json]    10,000 lines, on the page or on the bench
"""

import argparse
import asyncio
import json
import time
from functools import partial

import psutil
from window import Room, Turns, opened

from museum.exhibit import Half

TICK = 0.01
BLOCKS = "import sys\nblock = ('x' * 99 + chr(10)) * 10_000\nfor _ in range({mb}): sys.stdout.write(block)\n"
SHORT = "import sys\nfor n in range(10_000): print('line', n, flush=True); n % 3 or print('e', n, file=sys.stderr)\n"
LINES = "line = 'x' * 99\nfor _ in range({mb} * 10_000): print(line)\n"


async def measure(room: Room, script: str, *, on_bench: bool = False) -> dict[str, float]:
    """Run the script as the failing half, or on the bench, and watch the loop."""
    museum, turns = room.museum, Turns()
    staying = asyncio.ensure_future(museum.stay())
    await asyncio.sleep(1.5)
    worst = 0.0
    running = True

    async def tick() -> None:
        nonlocal worst
        while running:
            due = time.monotonic() + TICK
            await asyncio.sleep(TICK)
            worst = max(worst, time.monotonic() - due)

    await museum.exhibits.runs.find_environments()
    if on_bench:
        museum.show_bench().open_text("", script)
        tab = museum.show_bench().current
        runs, readings, start = tab.runs, tab.view.readings, tab.run
    else:
        museum.exhibits.bring_back(Half.FAILING, script)
        runs, readings = museum.exhibits.runs, museum.window.exhibit_page.readings
        start = partial(museum.exhibits.run, Half.FAILING)
    await asyncio.sleep(1.0)
    before = psutil.Process().memory_info().rss
    ticking = asyncio.ensure_future(tick())
    begun = time.monotonic()
    turns.begin()
    start()
    while runs.is_running:  # noqa: ASYNC110 - the controller has no event to wait for
        await asyncio.sleep(TICK)
    took = time.monotonic() - begun
    await asyncio.sleep(0.5)
    running = False
    await ticking
    grown = psutil.Process().memory_info().rss - before
    shown = readings.chosen
    assert shown is not None
    assert "bytes dropped" in shown.stdout or "line 9999" in shown.stdout, shown.verdict
    museum.window.close()
    await staying
    return {
        "seconds": round(took, 2),
        "worst_stall_ms": round(worst * 1000, 1),
        "busiest_ms": round(turns.most, 1),
        "memory_grown_mb": round(grown / 2**20, 1),
    }


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--lines", action="store_true", help="a print for each line, not blocks")
    parser.add_argument("--short", action="store_true", help="10,000 lines, each flushed, on both streams")
    parser.add_argument("--bench", action="store_true", help="on the bench, not on an exhibit's page")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    script = SHORT if options.short else (LINES if options.lines else BLOCKS).format(mb=options.megabytes)
    with opened("xla/unknown-axis", spares=2) as room:
        result = room.loop.run_until_complete(measure(room, script, on_bench=options.bench))
    print(json.dumps(result) if options.json else result)


if __name__ == "__main__":
    main()

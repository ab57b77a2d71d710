"""Resident memory at rest: the window, its keepers, and the spares that wait at the gate.

uv run --no-sync python benchmarks/memory.py [--json]
"""

import argparse
import asyncio
import json

import psutil
from window import opened

from gui.app import Museum


def resident(processes: list[psutil.Process]) -> float:
    """MiB that the processes hold."""
    return sum(process.memory_info().rss for process in processes) / 2**20


async def measure(museum: Museum) -> dict[str, float]:
    """Open an exhibit and look once its spare stands at the gate."""
    staying = asyncio.ensure_future(museum.stay())
    await asyncio.sleep(2.0)
    await museum.lab.settled()
    own = psutil.Process()
    below = own.children(recursive=True)
    spares = [process for process in below if process.cmdline()[-1:] == ["snippet.py"]]
    result = {
        "window_mib": round(resident([own])),
        "spares": len(spares),
        "spares_mib": round(resident(spares)),
        "keepers_mib": round(resident([process for process in below if process not in spares])),
    }
    museum.window.close()
    await staying
    return result


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with opened("xla/indivisible-dimension", spares=2) as room:
        result = room.loop.run_until_complete(measure(room.museum))
    print(json.dumps(result) if options.json else result)


if __name__ == "__main__":
    main()

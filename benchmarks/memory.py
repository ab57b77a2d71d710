"""Resident memory at rest: the window, its keepers, and the spares that wait at the gate.

uv run --no-sync python benchmarks/memory.py [--json]
"""

import argparse
import asyncio
import json
import os
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import psutil
from PySide6.QtWidgets import QApplication

from gui.app import Museum
from gui.loop import QEventLoop
from museum.catalog import load_catalog
from museum.lab.lab import Lab


def resident(processes: list[psutil.Process]) -> float:
    """MiB that the processes hold."""
    return sum(process.memory_info().rss for process in processes) / 2**20


async def measure(museum: Museum, lab: Lab) -> dict[str, float]:
    """Open an exhibit and look once its spare stands at the gate."""
    staying = asyncio.ensure_future(museum.stay())
    await asyncio.sleep(2.0)
    await lab.settled()
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
    with tempfile.TemporaryDirectory() as home:
        os.environ["XLA_MUSEUM_HOME"] = home
        application = QApplication([])
        application.setQuitOnLastWindowClosed(False)
        loop = QEventLoop(application)
        asyncio.set_event_loop(loop)
        lab = Lab()
        with loop:
            museum = Museum(application, load_catalog(check=False), lab, Path(home), "xla/indivisible-dimension")
            result = loop.run_until_complete(measure(museum, lab))
    print(json.dumps(result) if options.json else result)


if __name__ == "__main__":
    main()

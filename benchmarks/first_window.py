"""Time from process start to the first painted frame: the museum against a bare window with the same Qt modules.

    uv run --no-sync python benchmarks/first_window.py [--runs 15] [--json]

Both are started by turns, so that a noisy machine disturbs both alike; the ratio of the medians counts.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

BARE = """
import os, sys, time
from PySide6 import QtCore, QtGui, QtWidgets

class Window(QtWidgets.QMainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        print(time.monotonic(), flush=True)
        os._exit(0)

application = QtWidgets.QApplication([])
window = Window()
window.resize(1280, 800)
window.show()
application.exec()
"""

MUSEUM = """
import os, sys, time
sys.dont_write_bytecode = False  # as `gui.__main__.main` does before it imports anything
import gui.front
from gui.__main__ import main

class Window(gui.front.MainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        print(time.monotonic(), flush=True)
        os._exit(0)

gui.front.MainWindow = Window
sys.argv = ["xla-museum"]
main()
"""


def first_frame(code: str, variables: dict[str, str]) -> float:
    """Milliseconds from the start of a process to its first frame."""
    begun = time.monotonic()
    done = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=True)
    return (float(done.stdout) - begun) * 1000


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        variables = os.environ | {"QT_QPA_PLATFORM": "offscreen", "XLA_MUSEUM_HOME": home}
        times: dict[str, list[float]] = {"bare": [], "museum": []}
        for code in (BARE, MUSEUM):
            first_frame(code, variables)  # fills the file cache
        for _ in range(options.runs):
            times["bare"].append(first_frame(BARE, variables))
            times["museum"].append(first_frame(MUSEUM, variables))
    result = {f"{name}_ms": round(statistics.median(values)) for name, values in times.items()}
    ratio = {"museum_over_bare": round(statistics.median(times["museum"]) / statistics.median(times["bare"]), 2)}
    print(json.dumps(result | ratio) if options.json else f"{result} ratio {ratio['museum_over_bare']} (at most 1.7)")


if __name__ == "__main__":
    main()

"""Time from process start to the first painted frame: the museum against a bare window with the same Qt modules.

    uv run --no-sync python benchmarks/first_window.py [--runs 15] [--json]
    uv run --no-sync python benchmarks/first_window.py --exhibits 500 --history 10000    a larger museum as well

They are started by turns, so that a noisy machine disturbs all alike; the ratio of the medians counts. The first page
is that of an exhibit, painted in the window with the whole collection beside it.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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

PAGE = """
import os, sys, time
sys.dont_write_bytecode = False
import gui.front
from gui.__main__ import main

class Window(gui.front.MainWindow):
    def show_exhibit_page(self):
        from PySide6.QtCore import QEvent, QObject
        super().show_exhibit_page()

        class Watch(QObject):
            def eventFilter(self, page, event):
                if event.type() == QEvent.Type.Paint:
                    print(time.monotonic(), flush=True)
                    os._exit(0)
                return False

        self.watch = Watch()
        self.exhibit_page.viewport().installEventFilter(self.watch)

gui.front.MainWindow = Window
sys.argv = ["xla-museum", "--exhibit", "xla/unknown-axis"]
main()
"""


def painted(code: str, variables: dict[str, str], folder: Path) -> float:
    """Milliseconds from the start of a process in a folder until it has painted."""
    begun = time.monotonic()
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=variables, cwd=folder, capture_output=True, text=True, check=True)
    return (float(done.stdout.splitlines()[-1]) - begun) * 1000


def copy_collection(folder: Path, size: int) -> None:
    """That many exhibits: the real ones, then copies of them under other ids, as a package that is found first."""
    from museum.catalog import collection_root, load_catalog

    shutil.copytree(collection_root().parent, folder.parent)
    real = [exhibit.id for exhibit in load_catalog(check=False).exhibits]
    names: dict[str, list[str]] = {}
    for number in range(size - len(real)):
        name = f"{real[number % len(real)]}-{number}"
        shutil.copytree(folder / real[number % len(real)], folder / name)
        wing, _, slug = name.partition("/")
        names.setdefault(wing, []).append(slug)
    for wing, slugs in names.items():
        file = folder / wing / "wing.toml"
        before, opening, after = file.read_text("utf-8").partition("exhibits = [")
        file.write_text(f"{before}{opening}{''.join(f'{json.dumps(slug)}, ' for slug in slugs)}{after}", "utf-8")


def fill_history(home: Path, runs: int) -> None:
    """As many runs as a visitor's history may hold."""
    from museum.catalog import load_catalog
    from museum.history import History
    from museum.lab.outcome import Output, RunOutcome, RunStatus

    exhibits = load_catalog(check=False).exhibits
    history = History(home / "history.sqlite")
    history.runs.most = 2 * runs
    for number in range(runs):
        exhibit = exhibits[number % len(exhibits)]
        printed = exhibit.captures[0].stderr if exhibit.captures else ""
        outcome = RunOutcome(RunStatus.FAILED, 1, "own", "cpu:8", stderr=Output(printed.encode()))
        history.runs.add(f"{exhibit.id} failing", exhibit.scripts["failing"], outcome, "0.10.2")
    history.close()


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--exhibits", type=int, default=0, help="also measure with so many exhibits")
    parser.add_argument("--history", type=int, default=0, help="and with so many runs in the history")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        usual, large = Path(folder) / "usual", Path(folder) / "large"
        usual.mkdir()
        codes = {"bare": (BARE, usual), "museum": (MUSEUM, usual), "page": (PAGE, usual)}
        if options.exhibits or options.history:
            large.mkdir()
            copy_collection(large / "exhibits" / "wings", options.exhibits)
            fill_history(large / "home", options.history)
            codes |= {"large_museum": (MUSEUM, large), "large_page": (PAGE, large)}
        times: dict[str, list[float]] = {name: [] for name in codes}
        for number in range(options.runs + 1):
            for name, (code, at) in codes.items():
                variables = os.environ | {"QT_QPA_PLATFORM": "offscreen", "XLA_MUSEUM_HOME": str(at / "home")}
                taken = painted(code, variables, at)
                if number:  # the first one fills the file cache
                    times[name].append(taken)
    medians = {name: statistics.median(values) for name, values in times.items()}
    result = {f"{name}_ms": round(value) for name, value in medians.items()}
    ratios = {f"{name}_over_bare": round(value / medians["bare"], 2) for name, value in medians.items()}
    del ratios["bare_over_bare"]
    print(json.dumps(result | ratios) if options.json else f"{result} ratios {ratios} (first frames at most 1.7)")


if __name__ == "__main__":
    main()

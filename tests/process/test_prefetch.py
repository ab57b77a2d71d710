"""What the first opening of a page would have to import is there by then."""

import json
import os
import subprocess
import sys
from pathlib import Path

OPENED = """
import asyncio, json, sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from gui.app import Museum
from gui.loop import QEventLoop
from gui.prefetch import MODULES, prefetch
from museum.catalog import load_catalog
from museum.lab.lab import Lab

application = QApplication([])
application.setQuitOnLastWindowClosed(False)
loop = QEventLoop(application)
asyncio.set_event_loop(loop)
museum = Museum(application, load_catalog(check=False), Lab(spares=0), Path(sys.argv[1]), "xla/unknown-axis")
there = {"first": [name for name in MODULES if name in sys.modules]}

async def visit():
    staying = asyncio.ensure_future(museum.stay())
    await prefetch(quiet=0, between=0)
    await museum.search.close()  # it loads its completion once its index is there
    before = set(sys.modules)
    for action in ("show-studio", "show-bench", "show-diagnosis", "compare", "settings", "history", "log"):
        museum.window.action_requested.emit(action)
        await asyncio.sleep(0)
    controller = museum.show_diagnosis()
    controller.explain("ValueError: no such axis")
    while controller._settling or controller._asking:  # there is no event to wait for
        await asyncio.sleep(0.01)
    there["late"] = sorted(name for name in set(sys.modules) - before if name.startswith(("gui.", "museum.")))
    there["barred"] = sorted({"jax", "jaxlib", "numpy"} & set(sys.modules))
    museum.window.close()
    await staying

with loop:
    loop.run_until_complete(visit())
print(json.dumps(there), flush=True)
"""


def test_a_first_opening_imports_nothing_and_the_window_no_more_than_before(tmp_path: Path) -> None:
    variables = os.environ | {"QT_QPA_PLATFORM": "offscreen", "XLA_MUSEUM_HOME": str(tmp_path)}
    command = [sys.executable, "-c", OPENED, str(tmp_path)]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True, timeout=120)
    assert json.loads(done.stdout.splitlines()[-1]) == {"first": [], "late": [], "barred": []}

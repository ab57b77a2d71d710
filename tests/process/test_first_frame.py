"""What must not be loaded before the first frame: each of these costs it more than all that the museum does there."""

import os
import subprocess
import sys
from pathlib import Path

SHOWN = """
import os, sys
import gui.front
from PySide6 import QtCore
from gui.__main__ import main

class Window(gui.front.MainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        large = ("asyncio", "json", "sqlite3", "msgspec", "numpy", "museum.cli")
        print("Qt" in vars(QtCore), [name for name in large if name in sys.modules], flush=True)
        os._exit(0)

gui.front.MainWindow = Window
sys.argv = ["xla-museum"]
main()
"""


def test_the_first_frame_waits_for_nothing_large(tmp_path: Path) -> None:
    variables = os.environ | {"QT_QPA_PLATFORM": "offscreen", "XLA_MUSEUM_HOME": str(tmp_path)}
    command = [sys.executable, "-c", SHOWN]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split(maxsplit=1) == ["False", "[]\n"]

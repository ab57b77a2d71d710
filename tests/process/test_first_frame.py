"""What must not be loaded before the first frame: each of these costs it more than all that the museum does there."""

import os
import subprocess
import sys
from pathlib import Path

SHOWN = """
import pathlib, sys
from PySide6 import QtCore, QtWidgets
import gui.entrance
from gui.front import Front

application = QtWidgets.QApplication([])
window = Front(application, pathlib.Path(sys.argv[1])).window
window.painted.connect(application.quit)
window.show()
application.exec()
large = ("asyncio", "json", "sqlite3", "msgspec", "numpy")
print("Qt" in vars(QtCore), [name for name in large if name in sys.modules])
"""


def test_the_first_frame_waits_for_nothing_large(tmp_path: Path) -> None:
    variables = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", SHOWN, str(tmp_path)]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split(maxsplit=1) == ["False", "[]\n"]

"""A layout made by a real mouse on an X screen of its own: axes are dragged on and off, and the code runs."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from museum.lab.environments import Environment
from museum.lab.outcome import RunStatus
from museum.lab.runner import RunRequest, run
from museum.lab.target import Target

ROOT = Path(__file__).parents[2]
MISSING = [program for program in ("Xvfb", "xdotool") if shutil.which(program) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"needs {' and '.join(MISSING)}")


class Screen:
    """An X server of its own with the studio on it, and a mouse."""

    def __init__(self, home: Path) -> None:
        read, write = os.pipe()
        server = ("Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp")
        self._server = subprocess.Popen(server, pass_fds=(write,), stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as told:
            display = f":{told.readline().strip()}"
        self._variables = os.environ | {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "PYTHONPATH": str(ROOT)}
        child = (sys.executable, str(Path(__file__).with_name("studio_child.py")), str(home))
        self._studio = subprocess.Popen(child, env=self._variables, stdout=subprocess.PIPE, text=True)
        self.state: dict[str, Any] = {}

    def read(self) -> str:
        """Wait for the next document; its spec."""
        assert self._studio.stdout is not None
        line = self._studio.stdout.readline()
        assert line, "the studio ended"
        self.state = json.loads(line)
        return str(self.state["spec"])

    def drag(self, start: str, end: str) -> None:
        """Press on one thing, let go on another, in steps as a hand does."""
        (x, y), (to_x, to_y) = self.state["where"][start], self.state["where"][end]
        steps = [(x + (to_x - x) * step // 12, y + (to_y - y) * step // 12) for step in range(1, 13)]
        moves = [word for step in steps for word in ("mousemove", "--sync", *map(str, step))]
        words = ["mousemove", "--sync", str(x), str(y), "mousedown", "1", *moves]
        # A pointer that is where it was told to be does not say so again, so the last move goes there and back.
        words += ["mousemove_relative", "--sync", "1", "0", "mouseup", "1"]
        subprocess.run(["xdotool", *words], env=self._variables, check=True)

    def end(self) -> None:
        """Take everything away."""
        for process in (self._studio, self._server):
            process.kill()
            process.wait()
        assert self._studio.stdout is not None
        self._studio.stdout.close()


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    made = Screen(tmp_path)
    yield made
    made.end()


def test_axes_are_dragged_on_and_off_and_the_code_runs(screen: Screen, own_environment: Environment) -> None:
    assert screen.read() == "P('data', 'model')"
    screen.drag("model@1", "Mesh")
    assert screen.read() == "P('data', None)"
    screen.drag("data@0", "Dimension 1 of x")
    assert screen.read() == "P(None, 'data')"
    screen.drag("model@None", "Dimension 0 of x")
    assert screen.read() == "P('model', 'data')"
    outcome = asyncio.run(run(RunRequest(screen.state["code"], own_environment, Target.cpu(8))))
    assert outcome.status is RunStatus.OK, outcome.stderr.text
    assert outcome.stdout.text == "x: (16, 16) is (8, 4) on each of 8 devices\n"

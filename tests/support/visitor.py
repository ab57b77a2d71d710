"""The real command in a process of its own, with a script in place of the visitor."""

import json
import signal
import subprocess
import sys
import textwrap
from typing import Any

PROGRAM = """
import asyncio, dataclasses, json, os, pathlib, sys
import gui.app, psutil
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog
from gui.__main__ import main
from museum.exhibit import Half
from museum.lab.environments import own
from museum.lab.lab import Lab
stay = gui.app.Museum.stay

async def two_environments(lab):
    here = await own()
    return [here, dataclasses.replace(here, name="second", jax="0.0.1")]

Lab.environments = two_environments

def dialog():
    (shown,) = [one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible()]
    return shown

def press(key, *modifiers):
    flags = Qt.KeyboardModifier.NoModifier
    for modifier in modifiers:
        flags |= modifier
    QTest.keyClick(museum.window.focusWidget() or museum.window, key, flags)

def below():
    living = set()
    for one in psutil.Process().children(recursive=True):
        try:
            living |= {one} if one.status() != psutil.STATUS_ZOMBIE else set()
        except psutil.NoSuchProcess:
            pass  # it ended while it was looked at
    return living

def told(bar):
    return bar._words.text(), bar._trust.isVisibleTo(bar)

async def turn():
    await asyncio.sleep(0.05)  # Qt's, whose events must not be handled from within a task

async def ran():
    while museum.exhibits.runs.is_running:
        await asyncio.sleep(0.02)

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier

async def visit(open_museum):
    global museum
    museum = open_museum
    staying = asyncio.ensure_future(stay(museum))
    await museum.exhibits.runs.find_environments()
    await museum.workshop.my_exhibits.load()
    museum.window.activateWindow()
    await turn()
    page, mine = museum.window.exhibit_page, museum.workshop.my_exhibits
{code}
    museum.window.close()
    await staying
    print(json.dumps(answer))

gui.app.Museum.stay = visit
sys.exit(main())
"""


def visit(code: str, *arguments: str) -> Any:
    """What `answer` is once the window's command has run with `code` in place of the visitor.

    Args:
        code: Of a coroutine: it has `museum`, `page`, `mine`, and the helpers of `PROGRAM`.
        arguments: Of the command.
    """
    ended = _run(code, arguments)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout.splitlines()[-1])


def visit_that_is_killed(code: str, *arguments: str) -> list[str]:
    """As `visit`, but at the end the process is killed where it stands; returns the lines that it printed."""
    ended = _run(f"{textwrap.dedent(code)}\nimport signal\nos.kill(os.getpid(), signal.SIGKILL)\n", arguments)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    return ended.stdout.splitlines()


def _run(code: str, arguments: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    program = PROGRAM.replace("{code}", textwrap.indent(textwrap.dedent(code), "    "))
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=150)

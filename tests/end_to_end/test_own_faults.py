"""Faults of the museum's own in the real command: none is silent, none ends it, and a crash is told later."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import asyncio, faulthandler, json, os, signal, threading
import gui.app
from PySide6.QtCore import QTimer, QtMsgType, qCritical
from PySide6.QtWidgets import QApplication, QPushButton
from gui.__main__ import main
from gui.widgets.fault_dialog import FaultDialog
from gui.widgets.text_dialog import TextDialog
stay = gui.app.Museum.stay

def dialogs(kind=FaultDialog):
    return [one for one in QApplication.topLevelWidgets() if isinstance(one, kind) and one.isVisible()]

async def until(holds):
    async with asyncio.timeout(20):
        while not holds():
            await asyncio.sleep(0.02)

def press(dialog, words):
    next(one for one in dialog.findChildren(QPushButton) if one.text() == words).click()

def fail():
    raise ValueError("from " + os.environ.get("WHERE", "nowhere"))

async def visit(museum):
    staying = asyncio.ensure_future(stay(museum))
    await asyncio.sleep(0)
    {code}
    if not staying.done():
        museum.window.close()
    await staying

gui.app.Museum.stay = visit
print("exit status", main(), flush=True)
"""

WAYS = {
    "slot": "QTimer.singleShot(0, fail)",
    "task": "task = asyncio.ensure_future(asyncio.to_thread(fail)); await asyncio.wait([task]); del task",
    "callback": "asyncio.get_running_loop().call_soon(fail)",
    "thread": "threading.Thread(target=fail, name='mine').start()",
    "qt": "qCritical('from qt')",
}


def child(code: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", PROGRAM.replace("{code}", code.strip())]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("way", WAYS)
def test_a_fault_is_told_logged_and_survived(way: str, museum_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHERE", way)
    ended = child(f"""
    {WAYS[way]}
    await until(dialogs)
    (dialog,) = dialogs()
    said = dialog._summary.text(), dialog._report.toPlainText()
    press(dialog, "Continue")
    await until(lambda: not dialogs())
    print(json.dumps(said))
    """)
    assert ended.returncode == 0, ended.stderr
    lines = ended.stdout.splitlines()
    summary, report = json.loads(lines[0])
    assert lines[1:] == ["exit status 0"]
    assert f"from {way}" in summary
    assert report.startswith("XLA Museum ")
    assert str(museum_home) not in report
    assert f"from {way}" in (museum_home / "museum.log").read_text()
    assert f"from {way}" in ended.stderr  # whoever started it from a terminal sees it there


def test_a_fault_at_each_frame_is_one_dialog_and_quit_works() -> None:
    ended = child("""
    timer = QTimer()
    timer.timeout.connect(fail)
    timer.start(5)
    await until(lambda: dialogs() and "times" in dialogs()[0]._often.text())
    assert len(dialogs()) == 1
    press(dialogs()[0], "Quit")
    await staying
    """)
    assert ended.stdout == "exit status 0\n", ended.stderr


def test_a_museum_that_cannot_be_loaded_says_so_in_a_dialog() -> None:
    program = """
import museum.catalog
from PySide6.QtWidgets import QDialog
from gui.__main__ import main
def fail(**_):
    raise ValueError("from loading")
museum.catalog.load_catalog = fail
QDialog.exec = lambda dialog: print(dialog._summary.text(), dialog._report.toPlainText().count("Traceback"))
print("exit status", main(), flush=True)
"""
    ended = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True, timeout=60)
    assert ended.stdout == "ValueError: from loading 1\nexit status 1\n", ended.stderr


def test_a_hard_crash_is_told_at_the_next_start_in_one_quiet_line() -> None:
    crashed = child("    faulthandler._sigsegv()")
    assert crashed.returncode == -signal.SIGSEGV
    ended = child("""
    await until(lambda: museum.window.notices.texts)
    print(museum.window.notices.texts)
    press(museum.window.notices, "Show")
    (dialog,) = dialogs(TextDialog)
    print("Segmentation fault" in dialog._pane.toPlainText(), "Segmentation fault" in dialog._copied)
    """)
    told, shown, end = ended.stdout.splitlines()
    assert told.startswith("['The museum ended badly on ")
    assert (shown, end) == ("True True", "exit status 0"), ended.stderr
    again = child("    await asyncio.sleep(0.3); print(museum.window.notices.texts)")
    assert again.stdout == "[]\nexit status 0\n", again.stderr


def test_the_log_can_be_shown(museum_home: Path) -> None:
    museum_home.mkdir()
    (museum_home / "museum.log").write_text(f"something in {museum_home}/x\n")
    ended = child("""
    museum.window.action_requested.emit("log")
    (dialog,) = dialogs(TextDialog)
    await until(lambda: dialog._copied)
    print(json.dumps([dialog._pane.toPlainText(), dialog._copied]))
    """)
    text, copied = json.loads(ended.stdout.splitlines()[0])
    assert text.startswith(f"something in {museum_home}/x\n")
    assert str(museum_home) not in copied

"""The bench in the real program: killed in the middle of a word, it comes back as it was, and runs."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import psutil
from processes import is_dead

PROGRAM = """
import asyncio, json, os, signal, time
import gui.app
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from gui.__main__ import main
stay = gui.app.Museum.stay

async def visit(museum):
    staying = asyncio.ensure_future(stay(museum))
    await museum.exhibits.runs.find_environments()
    museum.window.activateWindow()
    QApplication.processEvents()
    QTest.keyClick(museum.window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    bench, page = museum.show_bench(), museum.window.bench_page
    {code}
    museum.window.close()
    await staying

gui.app.Museum.stay = visit
main()
"""

LEAVE = """
    bench.open_file({file!r})
    view = bench.current.view
    view.bar.devices_chosen.emit(4)
    view._arguments.setFocus()
    QTest.keyClicks(view._arguments, "--steps 3")
    view._variables.setPlainText("MINE=yes")
    QTest.keyClick(museum.window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(bench.current.view.editor, "# free ")
    bench.choose(bench.snippets[1].id)
    view.editor.setFocus()
    QTest.keyClicks(view.editor, "# mi")
    time.sleep(0.2)  # as long as a draft may take to the disk; the event loop stands still
    os.kill(os.getpid(), signal.SIGKILL)
"""

COME_BACK = """
    tab = bench.current
    QTest.keyClick(museum.window.focusWidget(), Qt.Key.Key_F5)
    await asyncio.wait([tab.runs._task])
    reading = tab.view.readings.chosen
    snippets = [(one.title, one.code, one.path, one.target) for one in bench.snippets]
    print(json.dumps([snippets, reading.stdout, reading.verdict, museum.history.runs.find("")[0].place]))
"""

HELPED = """
    import psutil
    editor = bench.current.view.editor
    editor.setFocus()
    QTest.keyClick(editor, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    for _ in range(20):  # until it is warm enough to answer in time
        QTest.keyClicks(editor, "jax.device_p")
        QTest.keyClick(editor, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
        await asyncio.gather(*museum.assist._asking)
        if editor.popup_is_open():
            break
        editor.undo()
    QTest.keyClick(QApplication.activePopupWidget(), Qt.Key.Key_Tab)
    QTest.keyClick(editor, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    bar = bench.current.view.find_bar
    bar._regex.setChecked(True)
    QTest.keyClicks(bar._find, "(d[a-z]+_)+p")
    await asyncio.gather(*museum.finder._tasks, return_exceptions=True)
    children = [one.pid for one in psutil.Process().children(recursive=True)]
    print(json.dumps([editor.text(), editor.textCursor().selectedText(), children]))
"""

CODE = "\nimport os, sys\nimport jax\nprint(sys.argv[1:], os.environ['MINE'], jax.device_count())\n"


def child(code: str) -> subprocess.CompletedProcess[str]:
    """Runs the window's command with `code` in place of the visitor."""
    command = [sys.executable, "-c", PROGRAM.replace("{code}", code.strip())]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)


def test_all_tabs_come_back_after_a_kill_and_run(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(CODE)
    killed = child(LEAVE.format(file=str(file)))
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert file.read_text() == CODE  # nobody saved
    back = child(COME_BACK)
    assert back.returncode == 0, back.stderr
    snippets, printed, verdict, place = json.loads(back.stdout)
    assert snippets[0][:2] == ["Snippet 1", "import jax\n\nprint(jax.devices())\n"]
    assert snippets[1] == ["train.py", "# mi" + CODE, str(file), "cpu:4"]
    assert snippets[2][0] == "Snippet 2"
    assert snippets[2][1].startswith("# free import jax")
    assert printed == "['--steps', '3'] yes 4\n"
    assert verdict == "✓ Runs to its end"
    assert place == "bench: train.py"


def test_names_and_expressions_are_found_by_children_that_end_with_the_window() -> None:
    done = child(HELPED)
    assert done.returncode == 0, done.stderr
    text, selected, children = json.loads(done.stdout)
    assert text.endswith("jax.device_put")
    assert selected == "device_p"
    assert len(children) >= 2
    for number in children:
        if psutil.pid_exists(number):
            assert is_dead(psutil.Process(number))

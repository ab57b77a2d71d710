"""The whole museum in its window: the real lab, real keys, and an event loop that both Qt and asyncio run in."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import psutil
import pytest
from hands import Hands, OwnLab
from processes import is_dead
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QSpinBox

from gui.app import Museum
from gui.loop import QEventLoop
from gui.models.catalog_model import MARK_ROLE
from gui.widgets.code_editor import CodeEditor
from gui.widgets.mesh_view import ArraySheet
from gui.widgets.reading import Reading
from museum.catalog import Catalog, load_catalog
from museum.exhibit import Half
from museum.history import History
from museum.lab.environments import Environment
from museum.lab.outcome import RunOutcome
from museum.lab.runner import Progress, RunRequest

EXHIBIT = "xla/indivisible-dimension"
OTHER = "xla/unknown-axis"


class HeardLab(OwnLab):
    """The real lab, with an ear at what its runs print."""

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        self.printed: asyncio.Queue[bytes] = asyncio.Queue()
        self.outcomes: list[RunOutcome] = []

    async def run(self, request: RunRequest, on_progress: Callable[[Progress], None]) -> RunOutcome:
        def hear(progress: Progress) -> None:
            if progress.block:
                self.printed.put_nowait(progress.block)
            on_progress(progress)

        self.outcomes.append(await super().run(request, hear))
        return self.outcomes[-1]


class Visit(Hands):
    """One who edits and runs."""

    def __init__(self, museum: Museum, lab: HeardLab) -> None:
        super().__init__(museum)
        self.lab, self.page = lab, museum.window.exhibit_page

    def editor(self, half: Half = Half.FAILING) -> CodeEditor:
        return self.page.halves[half].editor

    def write(self, text: str, half: Half = Half.FAILING) -> None:
        """Put a script in place of what stands in a half, as pasting does."""
        self.editor(half).setFocus()
        self.press(Qt.Key.Key_A, ctrl=True)
        QApplication.clipboard().setText(text)
        self.press(Qt.Key.Key_V, ctrl=True)

    @property
    def run(self) -> "asyncio.Task[None]":
        """The run that is going."""
        assert self.museum.exhibits.runs._task is not None
        return self.museum.exhibits.runs._task

    async def run_through(self, key: Qt.Key) -> Reading:
        """Press F5 or F6 and wait until the account of the run is on show."""
        self.press(key)
        await asyncio.wait([self.run])
        assert self.page.readings.chosen is not None
        return self.page.readings.chosen

    def sign(self, name: str) -> str:
        return self.museum.model.index_of(name).data(MARK_ROLE).sign


Story = Callable[[Visit], Coroutine[Any, Any, None]]
Play = Callable[..., None]


@pytest.fixture
def play(
    loop: QEventLoop, qapp: QApplication, catalog: Catalog, museum_home: Path, own_environment: Environment
) -> Play:
    """Opens the museum at a place, lets a story happen in it, and closes it."""

    def play(story: Story, place: str = EXHIBIT) -> None:
        async def visit() -> None:
            lab = HeardLab(own_environment)
            museum = Museum(qapp, catalog, lab, museum_home, place)
            visit = Visit(museum, lab)
            try:
                async with asyncio.timeout(120):  # so that a fault fails instead of hanging
                    await visit.begun()
                    await story(visit)
            finally:
                await visit.leave()
                museum.window.deleteLater()

        loop.run_until_complete(visit())

    return play


def test_a_visitor_who_left_no_place_begins_at_the_first_wing(play: Play, catalog: Catalog, museum_home: Path) -> None:
    async def story(visit: Visit) -> None:
        first = catalog.wings[0]
        assert visit.museum.navigation.place == first.id
        assert first.title in visit.said(visit.window.wing_page)
        assert visit.window.sidebar.currentIndex().data() == first.title
        assert not visit.window.mesh_panel.isVisible()

    History(museum_home / "history.sqlite").close()
    play(story, place="")


def test_f5_reproduces_the_error(play: Play) -> None:
    async def story(visit: Visit) -> None:
        visit.museum.model.set_mark(EXHIBIT, visit.museum.model.index_of(OTHER).data(MARK_ROLE))
        visit.press(Qt.Key.Key_F5)
        assert visit.editor().blamed_line() is None
        assert "starting …" in visit.said(visit.window.bar)
        await asyncio.wait([visit.run])
        reading = visit.page.readings.chosen
        assert reading is not None
        assert reading.label == "this run: failing"
        assert reading.verdict.startswith("✓ Reproduces")
        assert "exit status 1" in reading.provenance
        assert visit.sign(EXHIBIT) == "✓"
        assert visit.museum.model.index_of(EXHIBIT).data(MARK_ROLE).words == "failing half just now: reproduces"
        assert visit.editor().text().splitlines()[visit.editor().blamed_line() - 1].startswith("batch = jax.device_put")
        panel = visit.window.mesh_panel
        assert panel.findChild(QComboBox).currentText() == "the array that failed"
        assert "✗ dimension 0 of size 10 is not divisible by 4 (data=4): remainder 2" in visit.said(panel)
        array = panel.findChild(ArraySheet)
        assert array.isVisible()
        assert [strip.text for strip in array._drawing.homeless] == ["rows 8, 9: no home"]

    play(story)


def test_f6_runs_the_fix(play: Play) -> None:
    async def story(visit: Visit) -> None:
        reading = await visit.run_through(Qt.Key.Key_F6)
        assert reading.label == "this run: fix"
        assert reading.verdict == "✓ The fix passes"
        assert "batch (12, 16) shard (3, 8)" in reading.stdout
        assert visit.sign(EXHIBIT) == "✓"
        assert "8 devices seen" in reading.provenance

    play(story)


def test_thirteen_rows_instead_of_ten_differ_by_a_word(play: Play, museum_home: Path) -> None:
    async def story(visit: Visit) -> None:
        mark = visit.sign(EXHIBIT)
        editor = visit.editor()
        editor.setFocus()
        cursor = editor.document().find("(10, 16)")
        cursor.setPosition(cursor.selectionStart() + 1)
        cursor.setPosition(cursor.position() + 2, QTextCursor.MoveMode.KeepAnchor)
        editor.setTextCursor(cursor)
        visit.press(Qt.Key.Key_1, Qt.Key.Key_3)
        assert "jnp.ones((13, 16))" in editor.text()
        reading = await visit.run_through(Qt.Key.Key_F5)
        assert reading.verdict.startswith("✗ Your version raises ")
        assert reading.recorded is not None
        assert "the dimension size is 10" in reading.recorded
        assert "the dimension size is 13" in reading.message
        assert "Differs by word from what was recorded on JAX" in visit.said(visit.page.readings)
        assert visit.sign(EXHIBIT) == mark
        assert "rows 12: no home" in [
            strip.text.replace("row ", "rows ")
            for strip in visit.window.mesh_panel.findChild(ArraySheet)._drawing.homeless
        ]

    play(story)
    history = History(museum_home / "history.sqlite")
    draft = history.draft(f"{EXHIBIT} failing")
    history.close()
    assert draft is not None
    assert "jnp.ones((13, 16))" in draft


def test_on_four_devices_it_is_another_error(play: Play) -> None:
    async def story(visit: Visit) -> None:
        devices = next(box for box in visit.window.bar.findChildren(QSpinBox) if "devices" in box.accessibleName())
        devices.setFocus()
        devices.selectAll()
        visit.press(Qt.Key.Key_4, Qt.Key.Key_Return)
        reading = await visit.run_through(Qt.Key.Key_F5)
        assert reading.verdict == "✗ Another error than the museum shows"
        assert "cannot reshape array of size 4" in reading.message
        assert "cpu:4" in reading.provenance
        assert reading.recorded is None
        assert visit.sign(EXHIBIT) == "✗"

    play(story)


def test_ctrl_k_then_words_then_enter_opens_what_was_found(play: Play) -> None:
    async def story(visit: Visit) -> None:
        visit.editor().setFocus()
        visit.press(Qt.Key.Key_K, ctrl=True)
        assert visit.window.focusWidget() is visit.window.bar.search
        QTest.keyClicks(visit.window.bar.search, "unknown axis")
        visit.press(Qt.Key.Key_Return)
        await visit.museum.search.close()  # the museum was opened just now: the search is ready in a moment
        assert visit.museum.navigation.place == OTHER
        assert visit.museum.exhibits.exhibit is not None
        assert visit.museum.exhibits.exhibit.id == OTHER
        visit.press(Qt.Key.Key_Escape)
        assert visit.museum.model.index_of(EXHIBIT).isValid()

    play(story)


SLEEPER = "import os, time\nos.write(1, b'%d\\n' % os.getpid())\ntime.sleep(600)\n"  # in one piece


async def sleeping(visit: Visit) -> psutil.Process:
    """A run that prints its process id and would last for ten minutes."""
    visit.write(SLEEPER)
    visit.press(Qt.Key.Key_F5)
    return psutil.Process(int(await visit.lab.printed.get()))


def test_closing_the_window_ends_the_run_and_leaves_no_process(play: Play) -> None:
    begun: list[psutil.Process] = []

    async def story(visit: Visit) -> None:
        process = await sleeping(visit)
        begun.extend([process, *process.parents()[: [one.pid for one in process.parents()].index(os.getpid())]])
        assert not any(map(is_dead, begun))
        await visit.leave()
        assert [process for process in begun if not is_dead(process)] == []

    play(story)
    assert len(begun) > 1


def test_what_is_not_in_front_is_not_run(play: Play) -> None:
    async def story(visit: Visit) -> None:
        visit.press(Qt.Key.Key_2, ctrl=True)
        visit.press(Qt.Key.Key_F5)
        assert not visit.museum.exhibits.runs.is_running
        visit.press(Qt.Key.Key_1, ctrl=True)
        visit.press(Qt.Key.Key_F5)
        assert visit.museum.exhibits.runs.is_running
        await asyncio.wait([visit.run])

    play(story)


def test_esc_in_the_code_stops_the_run_and_shows_what_it_printed(play: Play) -> None:
    async def story(visit: Visit) -> None:
        process = await sleeping(visit)
        run = visit.run
        visit.press(Qt.Key.Key_Escape)
        await asyncio.wait([run])
        assert is_dead(process)
        reading = visit.page.readings.chosen
        assert reading is not None
        assert reading.verdict.startswith("■ Stopped: after ")
        assert reading.stdout == f"{process.pid}\n"

    play(story)


def test_going_to_another_exhibit_ends_the_run_and_drops_it(play: Play) -> None:
    async def story(visit: Visit) -> None:
        process = await sleeping(visit)
        run = visit.run
        visit.museum.navigation.go(OTHER)
        await asyncio.wait([run])
        assert is_dead(process)
        assert not any(reading.label.startswith("this run") for reading in visit.page.readings._readings)
        visit.museum.navigation.back()
        assert not any(reading.label.startswith("this run") for reading in visit.page.readings._readings)

    play(story)


def test_a_draft_and_the_place_are_there_the_next_time(play: Play) -> None:
    async def first(visit: Visit) -> None:
        visit.write("# mine\n", Half.FIX)

    async def second(visit: Visit) -> None:
        assert visit.museum.navigation.place == EXHIBIT
        assert visit.editor(Half.FIX).text() == "# mine\n"
        assert visit.editor(Half.FAILING).text() == visit.museum.catalog.exhibit(EXHIBIT).scripts[Half.FAILING]
        assert "edited" in visit.said(visit.page.halves[Half.FIX])

    play(first)
    play(second, place="")


def test_a_flood_leaves_the_window_answering_and_the_result_honest(play: Play) -> None:
    async def story(visit: Visit) -> None:
        visit.write("print('first')\nfor _ in range(1000): print('x' * 99_999)\nprint('last')\n")
        visit.press(Qt.Key.Key_F5)
        run, answers = visit.run, 0
        await visit.lab.printed.get()
        while not run.done():
            answered = asyncio.get_running_loop().create_future()
            QTimer.singleShot(0, lambda answered=answered: answered.set_result(None))
            await answered
            answers += 1
        assert answers > 3
        (outcome,) = visit.lab.outcomes
        assert outcome.stdout.size == 100_000_000 + len("first\nlast\n")
        reading = visit.page.readings.chosen
        assert reading is not None
        assert reading.verdict == "✓ Your version runs to its end"
        assert reading.stdout.startswith("first\nxxx")
        assert reading.stdout.endswith("xxx\nlast\n")
        assert f"… {outcome.stdout.dropped:,} bytes dropped …" in reading.stdout

    play(story)


# The real command, in a child


def child(code: str, *arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """Runs the window's command, with `code` in place of the visitor: it gets `museum` and `stay`."""
    program = f"""
import asyncio, os, signal, sys, time
import gui.app, gui.front
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from gui.__main__ import main
stay = gui.app.Museum.stay
async def visit(museum):
    {code}
gui.app.Museum.stay = visit
{before}
print("exit status", main(), flush=True)
"""
    command = [sys.executable, "-c", program, *arguments]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    ended.stderr = ended.stderr.replace("This plugin does not support propagateSizeHints()\n", "")
    return ended


def test_a_draft_survives_that_the_museum_is_killed(museum_home: Path) -> None:
    code = """
    editor = museum.window.exhibit_page.halves["failing"].editor
    museum.window.show()
    editor.setFocus()
    QTest.keyClicks(editor, "# mine")
    time.sleep(0.2)  # as long as a draft may take to the disk; the event loop stands still
    os.kill(os.getpid(), signal.SIGKILL)
    """
    ended = child(code, "--exhibit", OTHER)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    history = History(museum_home / "history.sqlite")
    draft = history.draft(f"{OTHER} failing")
    history.close()
    original = load_catalog(check=False).exhibit(OTHER).scripts[Half.FAILING]
    assert draft == "# mine" + original


def test_the_window_opens_and_closes_without_jax_or_numpy_in_its_process() -> None:
    code = """
    assert museum.window.isVisible()  # since its first frame
    asyncio.get_running_loop().call_later(0, museum.window.close)
    await stay(museum)
    print([name for name in ("jax", "jaxlib", "numpy", "libtpu") if name in sys.modules])
    """
    ended = child(code)
    assert ended.stdout.splitlines() == ["[]", "exit status 0"], ended.stderr
    assert ended.returncode == 0


def test_a_window_that_is_closed_before_the_museum_is_loaded_stays_closed() -> None:
    before = """
make = gui.front.Front.__init__
def make_and_close(front, application, home):
    make(front, application, home)
    front.window.painted.connect(front.window.close, Qt.ConnectionType.QueuedConnection)
gui.front.Front.__init__ = make_and_close
"""
    ended = child("raise AssertionError('the window came back')", before=before)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("exit status 0\n", "", 0)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("xla/nowhere", "no exhibit xla/nowhere; "),
        ("xla/unknown-axes", "no exhibit xla/unknown-axes; did you mean xla/unknown-axis?"),
        ("unknown-axis", "no exhibit unknown-axis; did you mean xla/unknown-axis?"),
        ("shard-mpa", "no wing shard-mpa; did you mean shard-map?"),
        ("", "no wing ''; `xla-museum list` names what there is"),
    ],
)
def test_an_unknown_exhibit_is_said_in_one_line_before_a_window_opens(place: str, words: str) -> None:
    before = "def refuse(*_): raise AssertionError('a window opened')\ngui.front.Front.__init__ = refuse"
    ended = child("raise AssertionError('no window was wanted')", "--exhibit", place, before=before)
    assert ended.stdout == "exit status 2\n"
    assert ended.stderr.startswith(f"xla-museum: {words}")
    assert ended.stderr.count("\n") == 1

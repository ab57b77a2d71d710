"""The whole museum, opened once for many looks at it, and all that can be looked at: every page and every dialog.

A new page or dialog is checked by `test_accessibility.py` and `test_text_scale.py` once it is in `MAKERS`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QSize
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from gui.app import Museum
from gui.loop import QEventLoop
from gui.widgets import screen
from gui.widgets.code_editor import Asked, CodeEditor
from gui.widgets.find_bar import FindBar
from museum.catalog import load_catalog
from museum.exhibit import Half
from museum.faults import fault_in_words
from museum.lab.environments import Environment
from museum.lab.lab import Lab
from museum.lab.outcome import Output, RaisedException, RunOutcome, RunStatus

SIZE = QSize(1280, 800)
EXHIBIT = "xla/indivisible-dimension"
FAILED = RunOutcome(
    RunStatus.FAILED,
    1,
    "own",
    "cpu:8",
    RaisedException("ValueError", "One of the sizes 10 is not divisible by 4", (), blamed_line=3),
    stdout=Output(b"printed\n"),
    stderr=Output(b"Traceback (most recent call last):\n  ...\nValueError: no\n"),
    timings={"ended": 0.4},
)


class OneEnvironment(Lab):
    """The lab without spares, and without a look at the rest of this machine."""

    def __init__(self, environment: Environment) -> None:
        super().__init__(spares=0)
        self._environment = environment

    async def environments(self) -> Sequence[Environment]:
        return [self._environment]


class Whole:
    """An open museum at 1280 by 800; its loop runs only while something is looked at.

    Args:
        application: Qt's.
        home: The museum's home.
        environment: The one there is.
    """

    def __init__(self, application: QApplication, home: Path, environment: Environment) -> None:
        self._application = application
        self._dress = application.style().name(), application.styleSheet(), application.palette(), application.font()
        self._quits = application.quitOnLastWindowClosed()
        application.setQuitOnLastWindowClosed(False)
        self._room = screen.room_for
        screen.room_for = lambda _window: SIZE
        self.loop = QEventLoop(application)
        asyncio.set_event_loop(self.loop)
        self.museum = Museum(application, load_catalog(check=False), OneEnvironment(environment), home, EXHIBIT)
        self.window = self.museum.window
        self.window.resize(SIZE)
        self._staying = self.do(self._open())

    async def _open(self) -> "asyncio.Task[None]":
        staying = asyncio.ensure_future(self.museum.stay())
        await self.museum.exhibits.runs.find_environments()
        self.window.activateWindow()
        await settled()
        return staying

    def do(self, work: Awaitable[Any]) -> Any:
        """Let something happen."""
        return self.loop.run_until_complete(asyncio.wait_for(work, 60))

    def show(self, name: str) -> QWidget:
        """Bring a page or a dialog to the front."""
        return self.do(self._show(name))

    async def _show(self, name: str) -> QWidget:
        shown = await MAKERS[name](self.museum)
        shown.activateWindow()
        await settled()
        return shown

    def clear(self) -> None:
        """Close every dialog."""
        self.do(self._clear())

    async def _clear(self) -> None:
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, QDialog):
                widget.close()
        await settled()

    def close(self) -> None:
        """Close the museum, and let the application look as it did."""
        self.window.close()
        self.do(self._staying)
        self.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self.loop.close()
        asyncio.set_event_loop(None)
        screen.room_for = self._room
        style, sheet, palette, font = self._dress
        self._application.setStyleSheet(sheet)
        self._application.setStyle(style)
        self._application.setPalette(palette)
        self._application.setFont(font)
        self._application.setQuitOnLastWindowClosed(self._quits)


async def settled() -> None:
    """Until layouts and what follows from them are done."""
    for _ in range(4):
        await asyncio.sleep(0.01)


async def _exhibit(museum: Museum) -> QWidget:
    museum.window.show_exhibits()
    museum.navigation.go(EXHIBIT)
    return museum.window


async def _exhibit_that_ran(museum: Museum) -> QWidget:
    await _exhibit(museum)
    museum.exhibits.bring_back(Half.FAILING, "# mine\n" + museum.exhibits._texts[Half.FAILING])
    wish = museum.exhibits.runs
    wish._on_outcome(_wish(museum), FAILED, "0.10.2")
    return museum.window


def _wish(museum: Museum) -> Any:
    from gui.controllers.runs import Wish

    return Wish(EXHIBIT, Half.FAILING, museum.exhibits._texts[Half.FAILING])


async def _find_bar(museum: Museum) -> QWidget:
    await _exhibit(museum)
    editor = museum.window.exhibit_page.halves[Half.FAILING].editor
    editor.asked.emit(Asked.REPLACE)
    return museum.window


async def _wing(museum: Museum) -> QWidget:
    museum.window.show_exhibits()
    museum.navigation.go("xla")
    return museum.window


async def _nothing_found(museum: Museum) -> QWidget:
    await _exhibit(museum)
    museum.window.bar.search.setText("zzzz")
    museum.window.bar.query_edited.emit("zzzz")
    return museum.window


async def _studio(museum: Museum) -> QWidget:
    museum._actions["show-studio"]()
    return museum.window


async def _bench(museum: Museum) -> QWidget:
    museum.show_bench()
    return museum.window


async def _bench_that_ran(museum: Museum) -> QWidget:
    from gui.controllers.runs import Wish

    tab = museum.show_bench().current
    tab.runs._on_outcome(Wish(tab.snippet.id, Half.FAILING, tab.snippet.code), FAILED, "0.10.2")
    tab.view.warn(["--n 'x: no closing quotation", "FLAG: not NAME=VALUE"])
    tab.view.ask_about_file("train.py was changed by another program.", "Load train.py")
    return museum.window


async def _notices(museum: Museum) -> QWidget:
    await _exhibit(museum)
    museum.window.notices.say("The museum ended badly on 2026-01-01 at 10:00; what you wrote is kept.", "Show")
    return museum.window


def _dialog_of(action: str) -> Callable[[Museum], Awaitable[QWidget]]:
    async def make(museum: Museum) -> QWidget:
        museum._actions[action]()
        await asyncio.sleep(0.1)
        found = [one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible()]
        return found[-1]

    return make


async def _history(museum: Museum) -> QWidget:
    if not museum.history.runs.count():
        for place in (f"{EXHIBIT} failing", "bench: Snippet 1"):
            museum.history.runs.add(place, "import jax\n", FAILED, "0.10.2")
    dialog = await _dialog_of("history")(museum)
    dialog._table.selectRow(0)  # type: ignore[attr-defined]
    return dialog


async def _fault(museum: Museum) -> QWidget:
    dialog = museum._make_fault_dialog()
    fault = fault_in_words("in a task", "ValueError: something\nTraceback …\n")
    dialog.show_fault("Something in the museum itself went wrong.", fault.summary, "It happened 2 times.", fault.trace)
    return dialog


MAKERS: dict[str, Callable[[Museum], Awaitable[QWidget]]] = {
    "exhibit": _exhibit,
    "exhibit that ran": _exhibit_that_ran,
    "find bar": _find_bar,
    "wing": _wing,
    "nothing found": _nothing_found,
    "studio": _studio,
    "bench": _bench,
    "bench that ran": _bench_that_ran,
    "notices": _notices,
    "palette": _dialog_of("palette"),
    "environments": _dialog_of("environments"),
    "history": _history,
    "settings": _dialog_of("settings"),
    "fault": _fault,
    "log": _dialog_of("log"),
}


def editors(root: QWidget) -> list[CodeEditor]:
    """The editors of code that are on show."""
    return [one for one in root.findChildren(CodeEditor) if one.isVisible()]


def find_bars(root: QWidget) -> list[FindBar]:
    """The find bars that are on show."""
    return [one for one in root.findChildren(FindBar) if one.isVisible()]

"""The whole museum, opened once for many looks at it; `makers.py` lists what can be looked at."""

import asyncio
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Any

from looks import keep_look
from makers import EXHIBIT, MAKERS, settled
from PySide6.QtCore import QCoreApplication, QEvent, QSize
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from gui.app import Museum
from gui.loop import QEventLoop
from gui.widgets import screen
from gui.widgets.code_editor import CodeEditor
from gui.widgets.filter_panel import FilterPanel
from gui.widgets.find_bar import FindBar
from museum.catalog import load_catalog
from museum.lab.environments import Environment
from museum.lab.lab import Lab

SIZE = QSize(1280, 800)


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
        self._give_look_back = keep_look(application)
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
            if isinstance(widget, QDialog | FilterPanel) and widget.isVisible():
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
        self._give_look_back()


def editors(root: QWidget) -> list[CodeEditor]:
    """The editors of code that are on show."""
    return [one for one in root.findChildren(CodeEditor) if one.isVisible()]


def find_bars(root: QWidget) -> list[FindBar]:
    """The find bars that are on show."""
    return [one for one in root.findChildren(FindBar) if one.isVisible()]

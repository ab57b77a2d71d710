"""The open window for the other benchmarks, and what a turn of its event loop costs."""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QAbstractEventDispatcher
from PySide6.QtWidgets import QApplication

from gui.app import Museum
from gui.collecting import Collector
from gui.entrance import LONGEST_TURN
from gui.loop import QEventLoop
from museum.catalog import Catalog, load_catalog
from museum.lab.lab import Lab


@dataclass(frozen=True, slots=True)
class Room:
    """A museum with all that it stands on."""

    application: QApplication
    loop: QEventLoop
    museum: Museum
    home: Path


@contextmanager
def opened(place: str = "", *, spares: int = 0, catalog: Catalog | None = None) -> Iterator[Room]:
    """A museum in a new home, with garbage and threads handled as the program does.

    Args:
        place: Where to open.
        spares: Processes of the lab that wait at the gate.
        catalog: Another collection than the real one.
    """
    with tempfile.TemporaryDirectory() as home:
        os.environ["XLA_MUSEUM_HOME"] = home
        application = QApplication([])
        application.setQuitOnLastWindowClosed(False)
        collector = Collector(application)
        collector.start()
        sys.setswitchinterval(LONGEST_TURN)
        loop = QEventLoop(application)
        asyncio.set_event_loop(loop)
        with loop:
            shown = load_catalog(check=False) if catalog is None else catalog
            museum = Museum(application, shown, Lab(spares=spares), Path(home), place)
            collector.settle()
            yield Room(application, loop, museum, Path(home))
        collector.stop()


class Turns:
    """Notes what the turns of the event loop cost.

    It is the time of the processor in this thread that counts: what others do on the machine adds nothing.
    """

    def __init__(self) -> None:
        self._most = 0.0
        self._last = time.thread_time()
        dispatcher = QAbstractEventDispatcher.instance()
        assert dispatcher is not None
        for signal in (dispatcher.awake, dispatcher.aboutToBlock):  # before a turn, behind it, or both
            signal.connect(self._note)

    def _note(self) -> None:
        now = time.thread_time()
        self._most = max(self._most, now - self._last)
        self._last = now

    def begin(self) -> None:
        """Forget what was before."""
        self._note()
        self._most = 0.0

    @property
    def most(self) -> float:
        """Milliseconds of the longest turn since then."""
        return self._most * 1000

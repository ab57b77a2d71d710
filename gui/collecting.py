"""Collects cyclic garbage on the thread of the window alone.

Python collects on whatever thread happens to allocate. There are widgets and timers in that garbage, and Qt's objects
must end on their own thread: elsewhere they complain, go on ticking, or take the program with them.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, QTimer

EVERY = 400  # milliseconds between two looks at how much there is
LATE = 8_000  # milliseconds after which what is loaded late is there


class Collector(QObject):
    """Takes the place of Python's own collections until it is stopped.

    A look costs a microsecond, a collection a few milliseconds at most, because what is there once the window is made
    is out of its way.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY)
        self._timer.timeout.connect(self._on_timer_timeout)

    def start(self) -> None:
        """Begin; call it on the thread of the window."""
        gc.disable()
        self._timer.start()

    def settle(self) -> None:
        """What is there by now stays, as does what is loaded soon after: no later collection walks through it."""
        gc.freeze()
        QTimer.singleShot(LATE, self, self._settle_again)

    def _settle_again(self) -> None:
        if self._timer.isActive():
            gc.collect(1)  # what was short-lived is no part of it
            gc.freeze()

    def stop(self) -> None:
        """Leave it to Python again."""
        self._timer.stop()
        gc.enable()

    def _on_timer_timeout(self) -> None:
        """Collect the oldest generation that Python would collect now."""
        full = [count > most for count, most in zip(gc.get_count(), gc.get_threshold(), strict=True)]
        if any(full):
            gc.collect(max(number for number, is_full in enumerate(full) if is_full))


@contextmanager
def held_off() -> Iterator[None]:
    """Nothing is collected meanwhile, on whichever thread; afterwards it is as it was before."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()

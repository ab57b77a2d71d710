"""asyncio on Qt's event loop, where Qt may turn its loop within a callback."""

import asyncio

import qasync
from PySide6.QtCore import QObject, QTimerEvent
from PySide6.QtWidgets import QApplication


class _Timer(QObject):
    """Runs each handle once and one at a time, whatever happens meanwhile.

    qasync's own runs them within each other where one turns Qt's loop (the clipboard of X11 does, a modal dialog),
    which asyncio refuses for tasks; and it forgets a handle only when it has run, by a number that another timer may
    have by then. Either way somebody waits for ever. Here what comes due meanwhile is run afterwards.
    """

    def __init__(self) -> None:
        super().__init__()
        self._handles: dict[int, asyncio.Handle] = {}
        self._late: list[asyncio.Handle] = []
        self._is_running = self._is_stopped = False

    def add_callback(self, handle: asyncio.Handle, delay: float = 0) -> asyncio.Handle:
        """Run a handle in `delay` seconds."""
        self._handles[self.startTimer(int(max(0, delay) * 1000))] = handle
        return handle

    def timerEvent(self, event: QTimerEvent) -> None:
        """Forget, then run."""
        self.killTimer(event.timerId())
        handle = self._handles.pop(event.timerId(), None)
        if handle is None or self._is_stopped or handle.cancelled():
            return
        if self._is_running:
            self._late.append(handle)
            return
        self._is_running = True
        try:
            handle._run()  # noqa: SLF001 - as asyncio's own loops do
        finally:
            self._is_running = False
            late, self._late = self._late, []
            for one in late:
                self.add_callback(one)

    def stop(self) -> None:
        """Run nothing any more."""
        self._is_stopped = True

    def set_debug(self, _enabled: bool) -> None:
        """As qasync asks for."""


class QEventLoop(qasync.QEventLoop):  # type: ignore[misc]
    """qasync's loop with timers that bear a loop within the loop."""

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self._timer = _Timer()

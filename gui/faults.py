"""Hears of every fault that nobody caught: of slots, threads, tasks and Qt; logs it, and passes it on."""

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QMessageLogContext, QObject, QTimer, QtMsgType, Signal, Slot, qInstallMessageHandler

if TYPE_CHECKING:
    import asyncio
    import logging

    from museum.faults import Fault

MOST_HEARD = 200  # different warnings of Qt that are logged, each once


class Faults(QObject):
    """The ends of all hooks. Does nothing before `install` and `watch` are called.

    Args:
        home: Where the log lies.

    Signals:
        happened: Carries a `museum.faults.Fault`; on the window's thread, and never in the middle of what failed.
        interrupted: Ctrl+C was pressed in the terminal.
    """

    happened = Signal(object)
    interrupted = Signal()
    _taken = Signal(object)  # on any thread

    def __init__(self, home: Path) -> None:
        super().__init__()
        self._home = home
        self._busy = threading.local()
        self._taken.connect(self._on_taken)
        self._heard: dict[str, bool] = {}  # warnings of Qt, and whether they are in the log

    def install(self) -> None:
        """Hear of what Python and Qt cannot give to anybody."""
        sys.excepthook = self._on_exception
        sys.unraisablehook = self._on_unraisable
        threading.excepthook = self._on_thread_exception
        qInstallMessageHandler(self._on_qt_message)

    def watch(self, loop: "asyncio.AbstractEventLoop") -> None:
        """Hear of what an event loop cannot give to anybody."""
        loop.set_exception_handler(self._on_loop_exception)
        self._log_warnings()

    def _logger(self) -> "logging.Logger":
        from museum.log import LOGGER, open_log

        return LOGGER if LOGGER.handlers else open_log(self._home)

    def _log_warnings(self) -> None:
        for words in [words for words, is_logged in self._heard.items() if not is_logged]:
            self._heard[words] = True
            self._logger().warning("Qt: %s", words)

    def take(self, where: str, error: BaseException) -> None:
        """Log an exception and pass it on."""
        from museum.faults import fault_of

        self._tell(lambda: fault_of(where, error))

    def take_words(self, where: str, words: str) -> None:
        """The same for what is no exception."""
        from museum.faults import fault_in_words

        self._tell(lambda: fault_in_words(where, words))

    def _tell(self, make: "Callable[[], Fault]") -> None:
        """A fault of what is done here is not told of by what is done here: it goes to the terminal alone."""
        if getattr(self._busy, "now", False):
            return
        self._busy.now = True
        try:
            fault = make()
            _write(fault.trace if fault.trace.endswith("\n") else f"{fault.trace}\n")
            self._logger().error("%s: %s", fault.where, fault.trace.rstrip())
            self._taken.emit(fault)
        except Exception as failure:  # noqa: BLE001 - nothing above could do better
            _write(f"xla-museum: a fault could not be told of: {type(failure).__name__}: {failure}\n")
        finally:
            self._busy.now = False

    @Slot(object)
    def _on_taken(self, fault: "Fault") -> None:
        QTimer.singleShot(0, lambda: self.happened.emit(fault))  # on this thread, when what failed is over

    def _on_exception(self, kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self.interrupted.emit()
        else:
            self.take("in the window", error)

    def _on_thread_exception(self, arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None:
            name = arguments.thread.name if arguments.thread is not None else "that is gone"
            self.take(f"in the thread {name}", arguments.exc_value)

    def _on_unraisable(self, arguments: "sys.UnraisableHookArgs") -> None:
        """What fails while an object goes harms nobody: it is logged."""
        self._logger().warning(
            "%s: %r: %r", arguments.err_msg or "exception ignored", arguments.object, arguments.exc_value
        )

    def _on_loop_exception(self, _loop: "asyncio.AbstractEventLoop", context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, KeyboardInterrupt):
            self.interrupted.emit()
        elif error is not None:
            self.take("in a task", error)
        else:
            self.take_words("in the event loop", str(context.get("message", "unknown")))

    def _on_qt_message(self, kind: QtMsgType, context: QMessageLogContext, words: str) -> None:
        if kind in (QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg):
            self.take_words("in Qt", f"{context.category}: {words}")
            return
        _write(f"{words}\n")
        if kind is QtMsgType.QtWarningMsg and words not in self._heard and len(self._heard) < MOST_HEARD:
            self._heard[words] = False
            if "museum.log" in sys.modules:  # before the first frame it is not worth the time to load it
                self._log_warnings()


def _write(text: str) -> None:
    """To the terminal, if there is one."""
    if sys.stderr is not None:
        sys.stderr.write(text)

"""Opens the window: the front first, the rest while the visitor already sees it, then the event loop.

The first frame needs a fifth of what the whole needs to be imported. The rest is imported and read in a thread, so that
the window answers meanwhile; widgets are made where Qt wants them, on the main thread.
"""

import faulthandler
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication

from gui.collecting import Collector
from gui.front import Front
from museum.errors import MuseumError
from museum.places import data_directory

if TYPE_CHECKING:
    from museum.catalog import Catalog


LONGEST_TURN = 0.001  # seconds that a thread that computes keeps a key waiting; Python's own are five times as many


class Loading(QObject):
    """Imports the program and reads the collection beside the event loop.

    Signals:
        ended: Everything is loaded, or the reason why not is known.
    """

    ended = Signal()

    def __init__(self, home: Path) -> None:
        super().__init__()
        self._home = home
        self.catalog: Catalog | None = None
        self.fault: BaseException | None = None
        self._thread = threading.Thread(target=self._load, name="loading", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wait(self) -> None:
        """Until the thread has ended: at the interpreter's end it would still use what is torn down."""
        if self._thread.is_alive():
            self._thread.join()

    @Slot()
    def end_loop(self) -> None:
        """End the first event loop; `quit` would close the window as well."""
        QApplication.exit(0)

    def _load(self) -> None:
        try:
            import qasync  # noqa: F401 - imported here so that it is there when the loop is made

            import gui.app  # noqa: F401 - likewise
            from museum.catalog import load_catalog
            from museum.log import open_log

            open_log(self._home)
            self.catalog = load_catalog(check=False)
        except BaseException as fault:  # noqa: BLE001 - raised again on the main thread
            self.fault = fault
        self.ended.emit()


def open_window(place: str) -> int:
    """Open the window and stay until it is closed.

    Args:
        place: Exhibit or wing to open at; "" for where the visitor left.

    Returns:
        The exit code.

    Raises:
        MuseumError: There is no such exhibit, or the visitor's data cannot be opened.
    """
    application = QApplication(sys.argv[:1])
    application.setApplicationName("XLA Museum")
    application.setDesktopFileName("xla-museum")
    application.setQuitOnLastWindowClosed(False)  # the loop ends when the runs have ended, not before
    home = data_directory()
    collector = Collector(application)
    collector.start()  # before there is a second thread
    sys.setswitchinterval(LONGEST_TURN)
    front = Front(application, home)
    front.faults.install()
    if front.instance.crash_file is not None:
        faulthandler.enable(front.instance.crash_file)
    try:
        return _open(application, front, home, place, collector)
    finally:
        faulthandler.disable()  # before the file goes
        front.instance.close()


def _open(application: QApplication, front: Front, home: Path, place: str, collector: Collector) -> int:
    loading = Loading(home)
    loading.ended.connect(loading.end_loop)
    front.window.painted.connect(lambda: front.window.bar)  # a frame later, before anything else
    front.window.painted.connect(loading.start)
    front.window.closing.connect(application.quit)
    front.window.show()
    application.exec()
    loading.wait()
    front.window.closing.disconnect(application.quit)  # from here on the loop ends when the runs have ended
    if isinstance(loading.fault, MuseumError):
        raise loading.fault
    if loading.fault is not None:
        return _tell_of_end(front, loading.fault)
    if loading.catalog is None or not front.window.isVisible():
        return 0  # closed before it was open
    if place:
        _check_place(loading.catalog, place)
    return _stay(application, front, loading.catalog, place, home, collector)


def _tell_of_end(front: Front, fault: BaseException) -> int:
    """The museum cannot open: say so where the visitor looks, not only in a terminal that may not be there."""
    from gui.widgets.fault_dialog import FaultDialog
    from museum.faults import fault_of, report

    front.faults.take("while the museum was loaded", fault)
    found = fault_of("while the museum was loaded", fault)
    dialog = FaultDialog(front.appearance.theme, front.window)
    dialog.show_fault("The museum cannot open.", found.summary, "", report([(found, 1)]))
    dialog.exec()
    return 1


def _check_place(catalog: "Catalog", place: str) -> None:
    from museum.mine import WING, load_mine

    if place.partition("/")[0] == WING:
        catalog = load_mine().catalog
    if "/" in place:
        catalog.exhibit(place)
    else:
        catalog.wing(place)


def _stay(
    application: QApplication, front: Front, catalog: "Catalog", place: str, home: Path, collector: Collector
) -> int:
    import asyncio

    from gui.app import Museum
    from gui.loop import QEventLoop
    from museum.lab.lab import Lab

    loop = QEventLoop(application)
    asyncio.set_event_loop(loop)
    front.faults.watch(loop)
    with loop:
        museum = Museum(application, catalog, Lab(), home, place, front)
        collector.settle()
        loop.run_until_complete(museum.stay())
    return 0

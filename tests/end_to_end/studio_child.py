"""The studio in a window of its own, for a mouse from outside: tells where things are after every change."""

import asyncio
import json
import sys
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from gui.controllers.studio import StudioController
from gui.theme import Theme
from gui.widgets.dimension_board import AxisChip
from gui.widgets.studio_page import StudioPage
from museum.mesh.code import as_code


class Teller(QObject):
    """Writes one line of JSON whenever the document has changed and is painted."""

    def __init__(self, page: StudioPage, studio: StudioController) -> None:
        super().__init__()
        self._page, self._studio = page, studio
        self._told: object = None
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.look)
        self._timer.start(10)

    def look(self) -> None:
        """Tell, if there is something new."""
        document = self._studio.document
        if document is self._told:
            return
        self._told = document
        QApplication.processEvents()  # so that everything is where it stays
        chips = {f"{chip.axis}@{chip.dimension}": middle(chip) for chip in self._page.findChildren(AxisChip)}
        names = ("Dimension 0 of x", "Dimension 1 of x", "Mesh")
        parts = {part.accessibleName(): middle(part) for part in self._page.findChildren(QWidget)}
        where = chips | {name: parts[name] for name in names}
        told = {"spec": str(document.arrays[0].spec), "where": where, "code": as_code(document)}
        sys.stdout.write(f"{json.dumps(told)}\n")
        sys.stdout.flush()


def middle(part: QWidget) -> tuple[int, int]:
    """On the screen; a little right of the middle of a row, where no chip lies."""
    share = 0.5 if isinstance(part, AxisChip) else 0.6
    place = part.mapToGlobal(QPoint(round(part.width() * share), part.height() // 2))
    return place.x(), place.y()


def main() -> None:
    """Until the mouse's owner ends it."""
    application = QApplication(sys.argv[:1])
    asyncio.set_event_loop(asyncio.new_event_loop())
    theme = Theme(dark=False)
    theme.apply(application)
    page = StudioPage(theme)
    studio = StudioController(page, None, Path(sys.argv[1]))
    page.setGeometry(0, 0, 1280, 800)
    page.show()
    teller = Teller(page, studio)
    application.exec()
    del teller


if __name__ == "__main__":
    main()

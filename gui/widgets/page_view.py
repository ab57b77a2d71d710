"""How a page that scrolls is looked at, so that a visitor who comes back finds it as they left it."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QAbstractScrollArea, QPlainTextEdit

from museum.exhibit import Half

SETTLE = 300  # milliseconds in which a page that was just filled may still grow


@dataclass(frozen=True, slots=True)
class View:
    """What the visitor sees of a page.

    Attributes:
        scroll: Pixels from its top.
        half: Which half has the caret; None where the focus is elsewhere.
        caret: Where in that half, in characters.
    """

    scroll: int = 0
    half: Half | None = None
    caret: int = 0


def look_of(page: QAbstractScrollArea, editors: Mapping[Half, QPlainTextEdit] | None = None) -> View:
    """How a page is looked at now."""
    scroll = page.verticalScrollBar().value()
    for half, editor in (editors or {}).items():
        if editor.hasFocus():
            return View(scroll, half, editor.textCursor().position())
    return View(scroll)


def look_again(page: QAbstractScrollArea, editors: Mapping[Half, QPlainTextEdit], view: View) -> None:
    """Look at a page as before; the code may be shorter by now."""
    if view.half is not None:
        editor = editors[view.half]
        cursor = editor.textCursor()
        cursor.setPosition(min(view.caret, max(editor.document().characterCount() - 1, 0)))
        editor.setTextCursor(cursor)
        editor.setFocus()
    _Scrolling(page, view.scroll)


class _Scrolling(QObject):
    """Keeps a page at its place while it is being laid out: what grows only then has no such place before."""

    def __init__(self, page: QAbstractScrollArea, wanted: int) -> None:
        super().__init__(page)
        for earlier in page.findChildren(_Scrolling):
            if earlier is not self:
                earlier.end()
        self._bar, self._wanted = page.verticalScrollBar(), wanted
        self._is_over = False
        self._bar.setValue(wanted)
        self._bar.rangeChanged.connect(self._on_range_changed)
        self._bar.actionTriggered.connect(self.end)  # the visitor scrolls
        QTimer.singleShot(SETTLE, self, self.end)

    def end(self) -> None:
        """Let the page go where it will."""
        if not self._is_over:
            self._is_over = True
            self.deleteLater()

    def _on_range_changed(self) -> None:
        if not self._is_over:
            self._bar.setValue(self._wanted)

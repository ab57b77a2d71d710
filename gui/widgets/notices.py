"""Quiet lines at the foot of the window, each with what can be done about it."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.widgets.labels import PathLabel, button

MOST = 3  # lines at once; an older one gives way


class Notices(QWidget):
    """Takes no room while there is nothing to say."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notices")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self.hide()

    def say(self, text: str, verb: str = "", act: Callable[[], object] = lambda: None) -> None:
        """Say one line more; one that stands there already is not said again.

        Args:
            text: The line.
            verb: On its button; "" for none.
            act: What the button does.
        """
        for line in self._lines():
            if line.text == text:
                return
        if len(self._lines()) == MOST:
            self._drop(self._lines()[0])
        self._layout.addWidget(_Line(text, verb, act, self._drop))
        self.show()

    @property
    def texts(self) -> list[str]:
        """What is said now."""
        return [line.text for line in self._lines()]

    def _lines(self) -> "list[_Line]":
        items = [self._layout.itemAt(number) for number in range(self._layout.count())]
        return [line for item in items if item is not None and isinstance(line := item.widget(), _Line)]

    def _drop(self, line: "_Line") -> None:
        self._layout.removeWidget(line)
        line.hide()
        line.deleteLater()
        self.setVisible(bool(self._lines()))


class _Line(QWidget):
    """One line with its buttons."""

    def __init__(self, text: str, verb: str, act: Callable[[], object], drop: "Callable[[_Line], None]") -> None:
        super().__init__()
        self.text = text
        words = PathLabel(role="text")
        words.say_path(text)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 2, 16, 2)
        layout.addWidget(words, 1)
        if verb:
            layout.addWidget(button(verb, act, role="quiet", name=f"{verb}: {text}"))
        layout.addWidget(button("Dismiss", lambda: drop(self), role="quiet", name=f"Dismiss: {text}"))

"""Panes beside or above each other, whose sizes are remembered."""

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QSplitter, QWidget


class Panes(QSplitter):
    """A splitter that knows its first sizes.

    Args:
        direction: How the panes follow each other.
        panes: The panes, each with its first size and its share of what is left over.
    """

    def __init__(self, direction: Qt.Orientation, panes: Sequence[tuple[QWidget, int, int]]) -> None:
        super().__init__(direction)
        self._first = [size for _, size, _ in panes]
        self.setChildrenCollapsible(False)
        self.setHandleWidth(1)
        for number, (pane, _, share) in enumerate(panes):
            self.addWidget(pane)
            self.setStretchFactor(number, share)
        self.reset()

    def reset(self) -> None:
        """The first sizes."""
        self.setSizes(self._first)

    def restore(self, state: object) -> None:
        """Sizes that were remembered; what is none leaves them as they are."""
        if isinstance(state, QByteArray) and not state.isEmpty():
            self.restoreState(state)

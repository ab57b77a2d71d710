"""A row that scrolls sideways where it is wider than the page, which must not get wider for it."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget


class SidewaysRow(QScrollArea):
    """As tall as what it holds, and as wide as that wants to be if there is room.

    Args:
        row: What it holds.
    """

    def __init__(self, row: QWidget) -> None:
        super().__init__()
        row.setObjectName("page")
        self._row = row
        self.setWidget(row)
        row.installEventFilter(self)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def fit(self) -> None:
        """What it holds has another size."""
        self.updateGeometry()
        self.setFixedHeight(self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The bar takes room of its own."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What it holds is laid out anew, also when its parts have just come to be seen."""
        if watched is self._row and event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.ShowToParent):
            self.fit()
        return super().eventFilter(watched, event)

    def sizeHint(self) -> QSize:
        """All of the row, and the bar where it is needed."""
        wanted = self._row.minimumSizeHint()
        bar = self.horizontalScrollBar().sizeHint().height() if wanted.width() > self.width() else 0
        return QSize(wanted.width(), wanted.height() + bar)

    def minimumSizeHint(self) -> QSize:
        """Any width will do."""
        return QSize(1, self.sizeHint().height())

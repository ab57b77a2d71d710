"""The popup in which filters are switched by hand: one row of values for each key."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from gui.theme import Theme
from gui.widgets.labels import RoleLabel, button
from gui.widgets.wrap_layout import WrapLayout

WIDTH = 52  # in units of space
MOST_HEIGHT = 620


@dataclass(frozen=True, slots=True)
class Facet:
    """One key of the filters.

    Attributes:
        key: As it is typed.
        title: As it is read.
        values: What it may be, with how many exhibits each lets through.
        note: What else there is to say, "" for nothing.
    """

    key: str
    title: str
    values: tuple[tuple[str, int], ...]
    note: str = ""


class FilterPanel(QFrame):
    """Offers the values as buttons that are on or off; stays until the visitor is done.

    Args:
        facets: What there is.
        theme: Colours and sizes.
        parent: The widget that opened it.

    Signals:
        switched: Key, value, whether it is on now.
    """

    switched = Signal(str, str, bool)

    def __init__(self, facets: Sequence[Facet], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("filterPanel")
        self.setAccessibleName("Filters")
        self._values: dict[tuple[str, str], QPushButton] = {}
        space = theme.sizes.space
        # Rooms first, furniture afterwards: Qt styles all there is in a widget again at each move of it.
        layout = QVBoxLayout(self)
        scrolled, body = QScrollArea(), QWidget()
        body.setObjectName("filterPanel")
        scrolled.setWidget(body)
        layout.addWidget(scrolled)
        rows = QVBoxLayout(body)
        rows.setContentsMargins(space * 2, space * 2, space * 2, space * 2)
        rows.setSpacing(space // 2)
        for number, facet in enumerate(facets):
            if number:
                rows.addSpacing(space)
            rows.addWidget(RoleLabel("overline", facet.title))
            rows.addWidget(self._row(facet, space))
            if facet.note:
                rows.addWidget(RoleLabel("faint", facet.note))
        rows.addStretch(1)
        scrolled.setWidgetResizable(True)
        scrolled.setFrameShape(QFrame.Shape.NoFrame)
        scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layout.setContentsMargins(1, 1, 1, 1)
        self._body, self._width = body, space * WIDTH

    def _row(self, facet: Facet, space: int) -> QWidget:
        row = QWidget()
        flow = WrapLayout(space // 2, row, yields=True)
        for value, count in facet.values:
            words = value.replace("-", " ") if facet.key in ("verdict", "is") else value
            made = button(
                f"{words}  {count}", lambda: None, role="chip", name=f"{facet.title}: {words}, {count} exhibits"
            )
            made.setCheckable(True)
            made.clicked.connect(lambda on, key=facet.key, value=value: self.switched.emit(key, value, on))
            made.installEventFilter(self)
            flow.addWidget(made)
            self._values[facet.key, value] = made
        return row

    def set_chosen(self, chosen: Mapping[str, frozenset[str]]) -> None:
        """Tick what is on."""
        for (key, value), made in self._values.items():
            made.setChecked(value in chosen.get(key, ()))

    def open_at(self, place: QPoint) -> None:
        """Show it with its upper left corner there, as far as the screen has room."""
        room = self.screen().availableGeometry()
        width = min(self._width, room.width())
        height = min(self._body.heightForWidth(width - 14) + 4, MOST_HEIGHT, room.height())
        left = max(room.left(), min(place.x(), room.right() + 1 - width))
        top = max(room.top(), min(place.y(), room.bottom() + 1 - height))
        self.setGeometry(left, top, width, height)
        self.show()
        if first := next(iter(self._values.values()), None):
            first.setFocus(Qt.FocusReason.PopupFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows walk from value to value, Return switches as the space bar does."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and isinstance(watched, QPushButton):
            made = list(self._values.values())
            steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}
            if step := steps.get(Qt.Key(event.key())):
                made[(made.index(watched) + step) % len(made)].setFocus(Qt.FocusReason.TabFocusReason)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                watched.click()
                return True
        return super().eventFilter(watched, event)

"""What stands above the list: how many were found, what narrows the search, and what there is to say about it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.theme import Theme
from gui.widgets.filter_panel import Facet, FilterPanel
from gui.widgets.labels import RoleLabel, button
from gui.widgets.wrap_layout import WrapLayout


@dataclass(frozen=True, slots=True)
class Chip:
    """One condition that the search has now.

    Attributes:
        key: Of the filter, "wing".
        value: As typed.
        excludes: Whether it takes away.
    """

    key: str
    value: str
    excludes: bool = False

    @property
    def words(self) -> str:
        """For the visitor."""
        return f"{'not ' if self.excludes else ''}{self.key} {self.value}"


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to, in words.

    Attributes:
        count: "12 found", or how many there are.
        chips: The conditions.
        notes: Lines about the query, "" for none: what it was taken for, what is unknown.
        empty: What to do where nothing was found; "" where something was.
    """

    count: str
    chips: tuple[Chip, ...] = ()
    notes: tuple[str, ...] = ()
    empty: str = ""


@dataclass
class _Asking:
    """What the popup offers, and what of it is on."""

    facets: Sequence[Facet] = ()
    chosen: Mapping[str, frozenset[str]] = field(default_factory=lambda: MappingProxyType({}))


class Finder(QWidget):
    """The head of the list.

    Args:
        theme: Colours and sizes.
        parent: The widget that it is a part of.

    Signals:
        filter_switched: A value of a filter, on or off: key, value, whether it is on.
        chip_removed: A condition is to go; carries its `Chip`.
        cleared: The visitor ends the search.
        filters_cleared: The visitor wants the words without the conditions.
    """

    filter_switched = Signal(str, str, bool)
    chip_removed = Signal(object)
    cleared = Signal()
    filters_cleared = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._theme = theme
        self._asking = _Asking()
        self._panel: FilterPanel | None = None
        self._count = RoleLabel("overline")
        self._filter = button("Filter", self.open_filters, role="quiet", tip="Narrow the list: wing, kind, version, …")
        self._filter.setEnabled(False)
        self._chips: list[QPushButton] = []
        self._chip_room = QWidget()
        self._flow = WrapLayout(theme.sizes.space // 2, self._chip_room, yields=True)
        self._chip_room.hide()
        self._notes = RoleLabel("note")
        self._notes.hide()
        self._empty = RoleLabel("faint")
        self._empty.hide()
        self._clear = button("Clear the search", self.cleared.emit, role="link", tip="Esc")
        self._drop = button("Drop the filters", self.filters_cleared.emit, role="link")
        self._ways = QWidget()
        ways = WrapLayout(theme.sizes.space, self._ways, yields=True)
        for way in (self._clear, self._drop):
            ways.addWidget(way)
        self._ways.hide()
        top = QHBoxLayout()
        top.addWidget(self._count, 1)
        top.addWidget(self._filter)
        self._layout = QVBoxLayout(self)
        self._layout.addLayout(top)
        for part in (self._chip_room, self._notes, self._empty, self._ways):
            self._layout.addWidget(part)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        self._theme = theme
        space = theme.sizes.space
        self._layout.setContentsMargins(space, space // 2, space // 2, space // 2)
        self._layout.setSpacing(space // 2)

    def show_found(self, found: Found) -> None:
        """Say what a search came to."""
        self._count.setText(found.count)
        self._notes.say("\n".join(found.notes))
        self._empty.say(found.empty)
        self._ways.setVisible(bool(found.empty))
        self._drop.setVisible(bool(found.empty and found.chips))
        self._show_chips(found.chips)

    def _show_chips(self, chips: Sequence[Chip]) -> None:
        if [chip.property("words") for chip in self._chips] == [chip.words for chip in chips]:
            return
        while item := self._flow.takeAt(0):
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        self._chips = []
        before: QPushButton = self._filter
        for chip in chips:
            made = button(
                f"{chip.words}  ✕",
                partial(self.chip_removed.emit, chip),
                role="chip",
                tip=f"Remove this filter: {chip.words}",
                name=f"Remove the filter {chip.words}",
            )
            made.setProperty("words", chip.words)
            self._flow.addWidget(made)
            QWidget.setTabOrder(before, made)
            before = made
            self._chips.append(made)
        self._chip_room.setVisible(bool(chips))
        self._chip_room.updateGeometry()

    def offer(self, facets: Sequence[Facet], chosen: Mapping[str, frozenset[str]]) -> None:
        """Offer filters.

        Args:
            facets: Every key with its values.
            chosen: By key, the values that are on.
        """
        self._asking = _Asking(facets, chosen)
        self._filter.setEnabled(bool(facets))
        if self._panel is not None:
            self._panel.set_chosen(chosen)

    def open_filters(self) -> None:
        """Open the popup in which filters are switched; nothing is there before the index is."""
        if not self._asking.facets:
            return
        self._panel = panel = FilterPanel(self._asking.facets, self._theme, self)
        panel.set_chosen(self._asking.chosen)
        panel.switched.connect(self.filter_switched)
        panel.destroyed.connect(self._forget_panel)
        panel.open_at(self._filter.mapToGlobal(QPoint(0, self._filter.height())))

    def _forget_panel(self) -> None:
        self._panel = None

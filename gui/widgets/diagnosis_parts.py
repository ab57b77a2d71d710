"""Parts of the page of a pasted error: headings, values, exhibits, places in the source."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QTextOption
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QTableWidgetItem, QVBoxLayout, QWidget

from gui.theme import Theme
from gui.widgets.flow_text import FlowText
from gui.widgets.labels import RoleLabel, button, plain_tip
from gui.widgets.row_button import RowButton
from gui.widgets.row_table import RowTable
from gui.widgets.source_view import SourceView

if TYPE_CHECKING:
    from museum.diagnosis.answer import SiteAnswer, Value
    from museum.diagnosis.exhibit_search import ExhibitHit

_SLACK = 7  # pixels of a row of one line that other tables need, being lists to choose from
CELL = 3  # pixels that Qt leaves before the words of a cell
MEASURE = 100  # characters of a line of prose


def column(theme: Theme, *, spacing: float = 0.5) -> QVBoxLayout:
    """A column without margins."""
    made = QVBoxLayout()
    made.setContentsMargins(0, 0, 0, 0)
    made.setSpacing(round(theme.sizes.space * spacing))
    return made


def chain(before: QWidget, parts: Iterable[QWidget]) -> QWidget:
    """Have Tab walk through what was made late as it is read: behind `before`. Gives back the last stop."""
    for part in parts:
        for stop in (part, *part.findChildren(QWidget)):
            if stop.focusPolicy() & Qt.FocusPolicy.TabFocus:
                QWidget.setTabOrder(before, stop)
                before = stop
    return before


def inset(part: QWidget, theme: Theme) -> QWidget:
    """Have the words of a part without a frame begin where those of rows and of boxes do."""
    part.setContentsMargins(theme.sizes.space, 0, 0, 0)
    return part


def inset_row(part: QWidget, theme: Theme, *, less: int = 0) -> QHBoxLayout:
    """The same for a part that has no margins of its own, as wide as it wants to be.

    Args:
        part: The part.
        theme: Sizes.
        less: Pixels that the part has of itself before its words.
    """
    row = QHBoxLayout()
    row.setContentsMargins(theme.sizes.space - less, 0, 0, 0)
    row.addWidget(part)
    if part.sizePolicy().horizontalPolicy() is not QSizePolicy.Policy.Ignored:
        row.addStretch(1)
    return row


class Section(QWidget):
    """A heading, a line below it, and what belongs to it.

    Args:
        heading: What it is about.
        below: One line more; "" for none.
        theme: Colours and sizes.
    """

    def __init__(self, heading: str, below: str, theme: Theme) -> None:
        super().__init__()
        self.parts = column(theme)
        self.setLayout(self.parts)
        self.parts.addWidget(inset(RoleLabel("heading", heading), theme))
        if below:
            self.parts.addWidget(inset(RoleLabel("faint", below), theme))


def exhibit_row(hit: "ExhibitHit", chosen: Callable[[str], object], theme: Theme) -> RowButton:
    """An exhibit, how well it fits and why; opens it."""
    below = f"{hit.score:.0%} match · {hit.id} · {'; '.join(hit.reasons)}"
    return RowButton(hit.title, below, lambda: chosen(hit.id), theme, tip="Open this exhibit")


class ValueTable(RowTable):
    """Names and what the message states for them, as tall as its rows.

    Args:
        values: The rows.
        theme: Colours and sizes.
    """

    def __init__(self, values: "Sequence[Value]", theme: Theme) -> None:
        super().__init__("Values in the message", ("Name", "Value"))
        self.setObjectName("valueTable")
        self.horizontalHeader().hide()
        self.setWordWrap(True)
        self.verticalHeader().setMinimumSectionSize(1)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setRowCount(len(values))
        for row, value in enumerate(values):
            name, stated = QTableWidgetItem(value.name), QTableWidgetItem(value.text)
            name.setForeground(theme.colour("faint"))
            stated.setFont(theme.code_font())
            for place, item in enumerate((name, stated)):
                item.setToolTip(plain_tip(item.text()))
                self.setItem(row, place, item)
        self.resizeColumnToContents(0)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Rows wrap at another width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        widest = max(80, self.width() // 3)
        if self.columnWidth(0) > widest:
            self.setColumnWidth(0, widest)
        self.resizeRowsToContents()
        for row in range(self.rowCount()):
            if self.rowHeight(row) < 2 * self.fontMetrics().lineSpacing() + _SLACK:
                self.setRowHeight(row, self.rowHeight(row) - _SLACK)
        height = sum(self.rowHeight(row) for row in range(self.rowCount())) + 2 * self.frameWidth()
        if height != self.height():
            self.setFixedHeight(height)


class SiteBlock(QWidget):
    """A place that may have raised it: where, what it says there, why it is thought of, and the lines round it.

    Args:
        site: The place.
        is_open: Whether its source shows at once.
        follow: Opens an address of the web.
        theme: Colours and sizes.
    """

    def __init__(self, site: "SiteAnswer", *, is_open: bool, follow: Callable[[str], object], theme: Theme) -> None:
        super().__init__()
        self._site, self._theme = site, theme
        self._view: SourceView | None = None
        place = f"{site.file}:{site.line}" if site.line else site.file
        where = RoleLabel("plain", f"{place} in {site.function}" if site.function else place)
        reasons = "; ".join(site.reasons)
        self._source = button("Show source", self._toggle, role="quiet", name=f"Show source of {place}")
        self._source.setVisible(site.source is not None)
        layout = self._parts = column(theme)
        layout.setContentsMargins(theme.sizes.space, 0, 0, theme.sizes.space)
        self.setLayout(layout)
        layout.addWidget(where)
        layout.addWidget(RoleLabel("faint", f"{site.score:.0%} match · {reasons}"))
        if site.template:
            template = RoleLabel("", f"{site.error}: {site.template}" if site.error else site.template)
            template.setFont(theme.code_font())
            template.setAccessibleName(f"What {place} says")
            layout.addWidget(template)
        row = QHBoxLayout()
        row.addWidget(self._source)
        self._last = self._source
        if site.url:
            words = f"Open JAX {site.jax} on GitHub"
            self._last = button(words, lambda: follow(site.url), role="quiet", tip=site.url, name=f"{words}: {place}")
            row.addWidget(self._last)
        row.addStretch(1)
        layout.addLayout(row)
        if is_open and site.source is not None:
            self._toggle()

    def _toggle(self) -> None:
        if self._view is None:
            self._view = self._made()
            self._parts.addWidget(self._view)
            self._view.show()
            chain(self._last, (self._view,))
        else:
            self._view.setVisible(self._view.isHidden())
        place = f"{self._site.file}:{self._site.line}"
        words = "Show source" if self._view.isHidden() else "Hide source"
        self._source.setText(words)
        self._source.setAccessibleName(f"{words} of {place}")

    def _made(self) -> SourceView:
        site = self._site
        view = SourceView(f"Source around {site.file}:{site.line}", self._theme)
        if site.source is not None:
            view.show_lines(site.source.start, "\n".join(site.source.lines), site.line, "raised here")
        return view


class InertText(FlowText):
    """Text that others wrote, as it stands: nothing in it is markup, a link or a picture.

    Args:
        name: Accessible name.
        text: All of it.
        theme: Colours and sizes.
        code: Whether it is code.
    """

    def __init__(self, name: str, text: str, theme: Theme, *, code: bool = False) -> None:
        super().__init__(name, paper=code)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        if not code:
            self.set_measure(MEASURE)
        self.show_plain(text, theme.code_font() if code else theme.font())

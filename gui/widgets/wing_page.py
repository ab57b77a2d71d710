"""A wing's page: its intro, what its captures prove, and the way to each exhibit."""

import html
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from gui.theme import Theme
from gui.widgets.exhibit_page import MEASURE
from gui.widgets.flow_text import FlowText
from gui.widgets.labels import RoleLabel
from gui.widgets.page_view import View, look_again, look_of
from museum.exhibit import Wing

EMPTY = "No exhibit is in this wing yet."


class WingPage(QScrollArea):
    """Also the first page, when no exhibit is open.

    Args:
        theme: Colours and sizes.
        parent: The widget that it is a part of.

    Signals:
        link_activated: A link was followed; exhibits are ``museum:wing/slug``.
    """

    link_activated = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: tuple[Wing, str, Sequence[str]] | None = None
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Wing")
        self._overline = RoleLabel("overline", "Wing")
        self._title = RoleLabel("title")
        self._summary = RoleLabel("faint")
        self._exhibits = FlowText("Exhibits of this wing")
        self._intro = FlowText("About this wing")
        for text in (self._exhibits, self._intro):
            text.link_activated.connect(self.link_activated)
        self._intro.set_measure(MEASURE)
        body = QWidget()
        body.setObjectName("page")
        space = theme.sizes.space
        layout = QVBoxLayout(body)
        layout.setContentsMargins(space * 3, space * 3, space * 3, space * 6)
        layout.setSpacing(space)
        for part in (self._overline, self._title, self._summary):
            layout.addWidget(part)
        layout.addSpacing(space)
        layout.addWidget(self._intro)
        layout.addSpacing(space)
        layout.addWidget(self._exhibits)
        layout.addStretch(1)
        self.setWidget(body)

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        self._theme = theme
        if self._shown:
            self.show_wing(*self._shown)

    def look(self) -> View:
        """How the wing is looked at now."""
        return look_of(self)

    def look_again(self, view: View) -> None:
        """Look at the wing as before."""
        look_again(self, {}, view)

    def show_wing(self, wing: Wing, summary: str, asides: Sequence[str]) -> None:
        """Show a wing from its top.

        Args:
            wing: The wing.
            summary: One line, computed from the captures.
            asides: For each exhibit, what stands at the right of its title.
        """
        self._shown = (wing, summary, asides)
        self._title.setText(wing.title)
        self._summary.setText(summary)
        self._intro.show_markdown(wing.intro, self._theme.font())
        colours = self._theme.colours
        rows = []
        for exhibit, aside in zip(wing.exhibits, asides, strict=True):
            number = f'<td style="color:{colours.faint}; padding-right:16px;">{exhibit.number:02}</td>'
            link = f'<a style="color:{colours.ink}; text-decoration:none;" href="museum:{exhibit.id}">'
            title = f'<td style="padding-right:24px;">{link}{html.escape(exhibit.title)}</a></td>'
            rows.append(f'<tr>{number}{title}<td style="color:{colours.faint};">{html.escape(aside)}</td></tr>')
        words = f'<table cellpadding="5">{"".join(rows)}</table>' if rows else html.escape(EMPTY)
        self._exhibits.show_html(words, self._theme.font())
        self.verticalScrollBar().setValue(0)

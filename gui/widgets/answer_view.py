"""What the museum says of a pasted error: the error, exhibits, values, and where it is raised."""

from collections.abc import Iterable, Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.rich_text import error_html
from gui.theme import Theme
from gui.widgets.diagnosis_parts import Section, SiteBlock, ValueTable, chain, column, exhibit_row
from gui.widgets.flow_text import FlowText
from gui.widgets.labels import RoleLabel, button
from museum.diagnosis.answer import Answer
from museum.diagnosis.cpp_sites import KnownSite
from museum.diagnosis.exhibit_search import ExhibitHit
from museum.diagnosis.reading import Reading

MOST_MESSAGE = 4_000
"""Characters of a message that are shown; all of it stands in the field beside."""


class AnswerView(QWidget):
    """Shows one answer, from the error down to the source.

    Args:
        theme: Colours and sizes.
        parent: The widget that it is a part of.

    Signals:
        exhibit_chosen: Open this exhibit.
        studio_requested: Draw the layout that the message states.
        link_activated: Open this address of the web.
        jax_requested: Ask the raise sites of this version.
    """

    exhibit_chosen = Signal(str)
    studio_requested = Signal()
    link_activated = Signal(str)
    jax_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._answer: Answer | None = None
        self._parts: list[QWidget] = []
        self._message = FlowText("The error", paper=True)
        self._facts = RoleLabel("faint")
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(theme.sizes.space * 2)
        head = column(theme)
        head.addWidget(self._message)
        head.addWidget(self._facts)
        self._layout.addLayout(head)

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        self._theme = theme
        if self._answer is not None:
            self._show(self._answer)

    def show_answer(self, answer: Answer) -> None:
        """Show another answer; the same one again changes nothing, so that the visitor may go on reading."""
        if answer != self._answer:
            self._answer = answer
            self._show(answer)

    def _show(self, answer: Answer) -> None:
        reading, theme = answer.reading, self._theme
        message = reading.message
        if len(message) > MOST_MESSAGE:
            message = f"{message[:MOST_MESSAGE]} …"
        self._message.set_most_height(theme.sizes.space * 28)
        self._message.show_html(error_html(reading.error, message, theme), theme.code_font())
        self._facts.say(" · ".join(_facts(reading)))
        for part in self._parts:
            self._layout.removeWidget(part)
            part.hide()
            part.deleteLater()
        self._parts = list(self._sections(answer))
        for part in self._parts:
            self._layout.addWidget(part)
        chain(self._message, self._parts)

    def _sections(self, answer: Answer) -> Iterator[QWidget]:
        explained = [hit for hit in answer.exhibits if hit.explains]
        near = [hit for hit in (*answer.exhibits, *answer.near) if not hit.explains]
        if explained:
            yield self._exhibits("Explained by", "", explained)
        else:
            yield Section("No exhibit yet", "The museum has no exhibit of this error.", self._theme)
        if near:
            words = "These come near, and are about something else."
            yield self._exhibits("Near misses", words, near)
        if answer.values or answer.layout:
            yield self._values(answer)
        if answer.known:
            yield self._family(answer.known)
        if answer.sites:
            yield self._sites(answer)
        elif not answer.known:
            yield self._no_site(answer)

    def _exhibits(self, heading: str, below: str, hits: Iterable[ExhibitHit]) -> Section:
        section = Section(heading, below, self._theme)
        for hit in hits:
            section.parts.addWidget(exhibit_row(hit, self.exhibit_chosen.emit, self._theme))
        return section

    def _values(self, answer: Answer) -> Section:
        section = Section("What the message states", "", self._theme)
        if answer.values:
            section.parts.addWidget(ValueTable(answer.values, self._theme))
        if answer.layout:
            tip = "Open the studio with this mesh, spec and shape"
            draw = button("Draw it in the studio", self.studio_requested.emit, role="main", tip=tip)
            section.parts.addWidget(draw)
            section.parts.setAlignment(draw, Qt.AlignmentFlag.AlignLeft)
        return section

    def _family(self, known: KnownSite) -> Section:
        name = f"{known.code} {known.name}" if known.code else known.name
        section = Section("Raised in C++", f"{name}, by {known.where}", self._theme)
        if known.see.startswith("https://"):
            see = button(f"Open {known.see}", lambda: self.link_activated.emit(known.see), role="quiet")
            section.parts.addWidget(see)
            section.parts.setAlignment(see, Qt.AlignmentFlag.AlignLeft)
        return section

    def _sites(self, answer: Answer) -> Section:
        section = Section(f"Raised in JAX {answer.jax}", _how_many(len(answer.sites)), self._theme)
        for number, site in enumerate(answer.sites):
            block = SiteBlock(site, is_open=number == 0, follow=self.link_activated.emit, theme=self._theme)
            section.parts.addWidget(block)
        return section

    def _no_site(self, answer: Answer) -> Section:
        """Where nothing in this JAX says it: another one may, if an exhibit recorded it there."""
        section = Section(f"Not raised in JAX {answer.jax}", "No place there is known to say this.", self._theme)
        recorded = answer.exhibits[0].jax if answer.exhibits else ""
        if recorded and recorded != answer.jax:
            tip = "An exhibit recorded this message there"
            ask = button(f"Ask JAX {recorded}", lambda: self.jax_requested.emit(recorded), role="quiet", tip=tip)
            section.parts.addWidget(ask)
            section.parts.setAlignment(ask, Qt.AlignmentFlag.AlignLeft)
        return section


def _facts(reading: Reading) -> Iterator[str]:
    """What the text gives away beside the message."""
    if len(reading.names) > 1:
        yield f"also named {', '.join(reading.names[1:])}"
    if reading.code:
        yield f"XLA code {reading.code}"
    if reading.status:
        yield f"status {reading.status}"
    if reading.logged_at:
        yield f"logged at {reading.logged_at}"
    if reading.jax:
        yield f"JAX {reading.jax}, as the text says"
    if reading.own:
        yield f"your code: {reading.own}"
    if reading.is_part:
        yield "no class was recognised: read as a part of a message"


def _how_many(sites: int) -> str:
    return "" if sites == 1 else f"{sites} places may have raised it, the likeliest first"

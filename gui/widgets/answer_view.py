"""What the museum says of a pasted error: the error, exhibits, values, and where it is raised."""

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.rich_text import error_html
from gui.theme import Theme
from gui.widgets.diagnosis_parts import (
    CELL,
    Section,
    SiteBlock,
    ValueTable,
    chain,
    column,
    exhibit_row,
    inset,
    inset_row,
)
from gui.widgets.flow_text import FlowText
from gui.widgets.labels import RoleLabel, button

if TYPE_CHECKING:
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
        self._parts: dict[Hashable, QWidget] = {}
        self._plan: deque[tuple[Hashable, Callable[[], QWidget]]] = deque()
        self._building = QTimer(self)
        self._building.setSingleShot(True)
        self._building.setInterval(0)
        self._building.timeout.connect(self._build)
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
        inset(self._facts, theme)
        for key in list(self._parts):
            self._drop(key)
        if self._answer is not None:
            self._show(self._answer)

    def show_answer(self, answer: "Answer") -> None:
        """Show another answer; the same one again changes nothing, so that the visitor may go on reading."""
        if answer != self._answer:
            self._answer = answer
            self._show(answer)

    def _show(self, answer: "Answer") -> None:
        reading, theme = answer.reading, self._theme
        message = reading.message
        if len(message) > MOST_MESSAGE:
            message = f"{message[:MOST_MESSAGE]} …"
        self._message.set_most_height(theme.sizes.space * 28)
        self._message.show_html(error_html(reading.error, message, theme), theme.code_font())
        self._facts.say(" · ".join(_facts(reading)))
        self._plan = deque(self._planned(answer))
        wanted = [key for key, _ in self._plan]
        for key in [key for key in self._parts if key not in wanted]:
            self._drop(key)
        self._build()

    @property
    def is_complete(self) -> bool:
        """Whether all of the answer is on the page."""
        return not self._plan

    def _drop(self, key: Hashable) -> None:
        part = self._parts.pop(key)
        self._layout.removeWidget(part)
        part.hide()
        part.deleteLater()

    def _build(self) -> None:
        """Make the next section that is not there yet; one at a time, so that a key is never kept waiting."""
        while self._plan:
            key, make = self._plan.popleft()
            if key not in self._parts:
                self._parts[key] = part = make()
                self._layout.addWidget(part)
                break
            self._layout.addWidget(self._parts[key])  # behind the one before
        if self._plan:
            self._building.start()
        else:
            self._building.stop()
            chain(self._message, [self._parts[key] for key, _ in self._planned(self._answer)] if self._answer else ())

    def _planned(self, answer: "Answer") -> Iterator[tuple[Hashable, Callable[[], QWidget]]]:
        """The sections in order: what each is made of, by which one of the answer before is known again, and how."""
        explained = tuple(hit for hit in answer.exhibits if hit.explains)
        near = tuple(hit for hit in (*answer.exhibits, *answer.near) if not hit.explains)
        if explained:
            yield ("explained", explained), lambda: self._exhibits("Explained by", "", explained)
        else:
            words = "The museum has no exhibit of this error."
            yield ("none",), lambda: Section("No exhibit yet", words, self._theme)
        if near:
            about = "These come near, and are about something else."
            yield ("near", near), lambda: self._exhibits("Near misses", about, near)
        if answer.values or answer.layout:
            yield ("values", answer.values, answer.layout is None), lambda: self._values(answer)
        known = answer.known
        if known:
            yield ("family", known), lambda: self._family(known)
        if answer.sites:
            yield ("sites", answer.sites), lambda: self._sites(answer)
        elif not known:
            yield ("no site", answer.jax, answer.exhibits[:1]), lambda: self._no_site(answer)

    def _exhibits(self, heading: str, below: str, hits: "Iterable[ExhibitHit]") -> Section:
        section = Section(heading, below, self._theme)
        for hit in hits:
            section.parts.addWidget(exhibit_row(hit, self.exhibit_chosen.emit, self._theme))
        return section

    def _values(self, answer: "Answer") -> Section:
        section = Section("What the message states", "", self._theme)
        if answer.values:
            section.parts.addLayout(inset_row(ValueTable(answer.values, self._theme), self._theme, less=CELL))
        if answer.layout:
            tip = "Open the studio with this mesh, spec and shape"
            draw = button("Draw it in the studio", self.studio_requested.emit, role="main", tip=tip)
            section.parts.addLayout(inset_row(draw, self._theme))
        return section

    def _family(self, known: "KnownSite") -> Section:
        name = f"{known.code} {known.name}" if known.code else known.name
        where = f" ({known.where})" if known.where != known.name else ""
        section = Section("Raised in C++", f"{name}{where}", self._theme)
        if known.see.startswith("https://"):
            see = button(f"Open {known.see}", lambda: self.link_activated.emit(known.see), role="quiet")
            section.parts.addWidget(see)
            section.parts.setAlignment(see, Qt.AlignmentFlag.AlignLeft)
        return section

    def _sites(self, answer: "Answer") -> Section:
        section = Section(f"Raised in JAX {answer.jax}", _how_many(len(answer.sites)), self._theme)
        for number, site in enumerate(answer.sites):
            block = SiteBlock(site, is_open=number == 0, follow=self.link_activated.emit, theme=self._theme)
            section.parts.addWidget(block)
        return section

    def _no_site(self, answer: "Answer") -> Section:
        """Where nothing in this JAX says it: another one may, if an exhibit recorded it there."""
        section = Section(f"Not found in JAX {answer.jax}", "No place there is known to say this.", self._theme)
        recorded = answer.exhibits[0].jax if answer.exhibits else ""
        if recorded and recorded != answer.jax:
            tip = "An exhibit recorded this message there"
            ask = button(f"Ask JAX {recorded}", lambda: self.jax_requested.emit(recorded), role="quiet", tip=tip)
            section.parts.addWidget(ask)
            section.parts.setAlignment(ask, Qt.AlignmentFlag.AlignLeft)
        return section


def _facts(reading: "Reading") -> Iterator[str]:
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

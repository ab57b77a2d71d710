"""An exhibit: the object in the centre, its label around it."""

from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from gui.theme import Theme
from gui.widgets.code_half import CodeHalf
from gui.widgets.flow_text import FlowText
from gui.widgets.labels import RoleLabel
from gui.widgets.mine_bar import MineBar
from gui.widgets.page_view import View, look_again, look_of
from gui.widgets.reading import Reading, Readings
from gui.widgets.star_button import StarButton
from museum.exhibit import Exhibit, Half
from museum.strip import Strip

MEASURE = 100  # characters of a line of prose
SIDE_BY_SIDE = 44  # characters of code that a half must have room for


class ExhibitPage(QScrollArea):
    """Placard, both halves, and what they did.

    Args:
        theme: Colours and sizes.
        parent: The widget that it is a part of.

    Signals:
        run_requested: Run this half.
        version_requested: Run a half on a JAX version where it was not run yet; carries a `museum.strip.Place`.
        reset_requested: Bring back the original of this half.
        text_edited: The visitor changed this half; carries all of its text.
        bench_requested: Put a copy of this half on the bench.
        compare_requested: Run this half on other versions and targets.
        link_activated: A link of the placard was followed.
        zoom_requested: Larger or smaller type.
        favourite_switched: Make the exhibit a favourite, or no longer.
    """

    run_requested = Signal(Half)
    version_requested = Signal(object)
    reset_requested = Signal(Half)
    text_edited = Signal(Half, str)
    bench_requested = Signal(Half)
    compare_requested = Signal(Half)
    link_activated = Signal(str)
    zoom_requested = Signal(int)
    favourite_switched = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._exhibit: Exhibit | None = None
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Exhibit")
        # Rooms first, furniture afterwards: Qt styles all there is in a widget again at each move of it.
        self._body = body = QWidget()
        body.setObjectName("page")
        self.setWidget(body)
        layout = QVBoxLayout(body)
        self._overline = RoleLabel("overline")
        self._title = RoleLabel("title")
        self._facts = RoleLabel("faint")
        self.mine_bar = MineBar(theme)
        self._meaning = FlowText("What it means")
        self.halves = {half: CodeHalf(half, theme) for half in Half}
        self._code = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._code.setSpacing(round(theme.sizes.space * 1.5))
        for half, widget in self.halves.items():
            self._code.addWidget(widget, 1)
            widget.run_requested.connect(lambda half=half: self.run_requested.emit(half))
            widget.reset_requested.connect(lambda half=half: self.reset_requested.emit(half))
            widget.text_edited.connect(lambda text, half=half: self.text_edited.emit(half, text))
            widget.bench_requested.connect(lambda half=half: self.bench_requested.emit(half))
            widget.compare_requested.connect(lambda half=half: self.compare_requested.emit(half))
            widget.zoom_requested.connect(self.zoom_requested)
            widget.caret_moved.connect(lambda widget=widget: self._keep_in_sight(widget))
        self.readings = Readings(theme)
        self.readings.run_requested.connect(self.version_requested)
        self._rest = FlowText("When you meet it, ways out, see also")
        for text in (self._meaning, self._rest):
            text.link_activated.connect(self.link_activated)
            text.set_measure(MEASURE)
        space = theme.sizes.space
        layout.setContentsMargins(space * 3, space * 3, space * 3, space * 6)
        layout.setSpacing(space)
        self._star = StarButton()
        self._star.switched.connect(self.favourite_switched)
        top = QHBoxLayout()
        top.addWidget(self._overline, 1)
        top.addWidget(self._star, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(top)
        for part in (self._title, self._facts):
            layout.addWidget(part)
        layout.addWidget(self.mine_bar)
        layout.addSpacing(space)
        layout.addWidget(self._meaning)
        layout.addSpacing(space)
        layout.addLayout(self._code)
        layout.addSpacing(space)
        layout.addWidget(RoleLabel("heading", "Verbatim"))
        layout.addWidget(self.readings)
        layout.addSpacing(space)
        layout.addWidget(self._rest)
        layout.addStretch(1)

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        self._theme = theme
        for half in self.halves.values():
            half.set_theme(theme)
        self.readings.set_theme(theme)
        self.mine_bar.set_theme(theme)
        self._dress_placard()
        self._arrange()

    def show_exhibit(self, exhibit: Exhibit, overline: str, facts: str, texts: Mapping[Half, str]) -> None:
        """Show another exhibit, from its top.

        Args:
            exhibit: Placard and sources are taken from it.
            overline: Number and wing.
            facts: What it is and where it is proven, in one line.
            texts: The code of each half, the visitor's own where they changed it.
        """
        self._overline.setText(overline)
        for half, text in texts.items():
            self.halves[half].editor.set_text(text)
            self.halves[half].set_edited(edited=text != exhibit.scripts[half])
        self.show_placard(exhibit, facts)
        self.verticalScrollBar().setValue(0)

    def show_placard(self, exhibit: Exhibit, facts: str) -> None:
        """Show what is said of an exhibit, and leave its halves alone."""
        self._exhibit = exhibit
        self._title.setText(exhibit.title)
        self._facts.setText(facts)
        self._dress_placard()

    def _dress_placard(self) -> None:
        if self._exhibit is None:
            return
        placard, font = self._exhibit.placard, self._theme.font()
        self._meaning.show_markdown(placard.what_it_means, font)
        parts = [f"### When you meet it\n\n{placard.when_you_meet_it}", f"### Ways out\n\n{placard.ways_out}"]
        sources = [
            f"- [{source.title}]({source.url})"
            for source in self._exhibit.facts.sources
            if source.url not in placard.see_also  # the placard says in its own words what is there
        ]
        if placard.see_also or sources:
            parts.append("\n".join(["### See also\n", placard.see_also, *([""] if placard.see_also else []), *sources]))
        self._rest.show_markdown("\n\n".join(parts), font)

    def set_marks(self, half: Half, changed: Iterable[int]) -> None:
        """Tint the lines of a half that differ from the other half."""
        self.halves[half].editor.set_changed_lines(changed)

    def set_edited(self, half: Half, *, edited: bool) -> None:
        """Say whether a half differs from its original."""
        self.halves[half].set_edited(edited=edited)

    def set_blame(self, half: Half, line: int, message: str) -> None:
        """Mark the line at fault; 0 for none."""
        self.halves[half].editor.set_blamed_line(line or None, message)

    def replace_text(self, half: Half, text: str) -> None:
        """Put another text there, in one step that can be undone."""
        self.halves[half].editor.replace_text(text)

    def show_readings(self, readings: Sequence[Reading], chosen: int | None = 0, strip: Strip | None = None) -> None:
        """Show what the halves did; without a choice the visitor stays at the account that they read."""
        self.readings.show_readings(readings, chosen, strip)

    def update_reading(self, reading: Reading) -> None:
        """Put a newer account in the place of the one with the same label."""
        self.readings.update_reading(reading)

    def reveal_reading(self) -> None:
        """Scroll so far that what a run did is seen, if it is not."""
        self.ensureWidgetVisible(self.readings, 0, self._theme.sizes.space * 2)

    def _keep_in_sight(self, half: CodeHalf) -> None:
        """Scroll with the caret: an editor that shows all its lines does not scroll by itself."""
        editor = half.editor
        if editor.hasFocus():
            place = editor.viewport().mapTo(self._body, editor.cursorRect().center())
            self.ensureVisible(place.x(), place.y(), 0, 3 * editor.fontMetrics().lineSpacing())

    def set_favourite(self, *, on: bool) -> None:
        """Fill the star, or not."""
        self._star.set_on(on=on)

    def look(self) -> View:
        """How the exhibit is looked at now."""
        return look_of(self, {half: widget.editor for half, widget in self.halves.items()})

    def look_again(self, view: View) -> None:
        """Look at the exhibit as before."""
        look_again(self, {half: widget.editor for half, widget in self.halves.items()}, view)

    @property
    def shown_reading(self) -> Reading | None:
        """The account that the visitor reads."""
        return self.readings.chosen

    @property
    def focused_half(self) -> Half | None:
        """The half in which the caret stands."""
        return next((half for half, widget in self.halves.items() if widget.editor.hasFocus()), None)

    def set_refused(self, *, refused: bool) -> None:
        """What others made is not run before the visitor agreed to it."""
        for half in self.halves.values():
            half.set_refused(refused=refused)

    def set_running(self, *, running: bool) -> None:
        """Nothing else is started while something runs."""
        for half in self.halves.values():
            half.set_running(running=running)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Halves stand side by side where there is room, else one above the other."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        each = (self.viewport().width() - self._theme.sizes.space * 7.5) / 2
        needed = (SIDE_BY_SIDE + 5) * self.halves[Half.FAILING].editor.fontMetrics().horizontalAdvance("0")
        wide = QBoxLayout.Direction.LeftToRight if each >= needed else QBoxLayout.Direction.TopToBottom
        if wide is not self._code.direction():
            self._code.setDirection(wide)

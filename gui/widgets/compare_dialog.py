"""One snippet in many places: choose versions and targets, see the table fill, hold two answers against each other."""

from collections.abc import Iterable, Sequence
from functools import cached_property, partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from gui.theme import Theme
from gui.widgets.answer_table import AnswerRows, AnswerTable
from gui.widgets.check_list import CheckList
from gui.widgets.difference_view import DifferenceView
from gui.widgets.flow_text import FlowText
from gui.widgets.labels import RoleLabel, allow, button, name_choices
from gui.widgets.reading import Reading, ReadingView
from gui.widgets.run_bar import Choice
from gui.widgets.screen import resize_within_screen
from museum.differences import Piece

NOTHING_YET = (
    "<p>Nothing was run yet.</p><p>Each version and each target that is ticked becomes a row and a column here. "
    "Cells with the same number gave the same answer.</p>"
)
MARKDOWN_FILTER = "Markdown (*.md)"
COPIED = "For an issue; without paths and names of this machine"
MOST_TABLE = 240  # pixels of its height at first
MEASURE = 100  # characters of a line of prose


class CompareDialog(QDialog):
    """Asks for comparisons and shows how they go.

    Args:
        theme: Colours and sizes.
        parts: What of two answers can be held against each other, by key.
        parent: The window.

    Signals:
        half_chosen: Another half of the exhibit; carries its key.
        target_typed: A target by name, to be offered as well.
        compare_requested: Run it: JAX versions and targets.
        stop_requested: End what runs.
        cells_chosen: Numbers of cells, the first one chosen first.
        part_chosen: Another part of the two is wanted; carries its key.
        copy_requested: The table, to the clipboard.
        save_requested: The table, to a file; carries its path.
    """

    half_chosen = Signal(str)
    target_typed = Signal(str)
    compare_requested = Signal(list, list)
    stop_requested = Signal()
    cells_chosen = Signal(list)
    part_chosen = Signal(str)
    copy_requested = Signal()
    save_requested = Signal(str)

    def __init__(self, theme: Theme, parts: Sequence[Choice], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._parts = theme, parts
        self._running = self._has_answers = False
        self._wanted = 0  # height of the table
        self.setWindowTitle("Compare")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        resize_within_screen(self, 130 * theme.sizes.space, 90 * theme.sizes.space)
        self._make_fields(theme)
        # Rooms first, furniture afterwards: Qt styles all there is in a widget again at each move of it.
        layout = QVBoxLayout(self)
        space = theme.sizes.space
        layout.setContentsMargins(space * 2, space * 2, space * 2, space * 2)
        layout.setSpacing(space)
        top = QHBoxLayout()
        top.addWidget(self._title, 1)
        top.addWidget(self._half)
        layout.addLayout(top)
        panes, choices, answers = QSplitter(Qt.Orientation.Horizontal), QWidget(), QWidget()
        layout.addWidget(panes, 1)
        panes.setChildrenCollapsible(False)
        panes.setHandleWidth(1)
        panes.addWidget(choices)
        panes.addWidget(answers)
        panes.setStretchFactor(1, 1)
        self._furnish_choices(choices, theme)
        self._furnish_answers(answers, theme)
        layout.addWidget(self._state)
        below = QHBoxLayout()
        for part in (self._compare, self._stop, self._copy, self._save):
            below.addWidget(part)
        below.addStretch(1)
        below.addWidget(button("Close", self.close, tip="What runs is ended"))
        layout.addLayout(below)
        self.set_running(running=False)

    def _make_fields(self, theme: Theme) -> None:
        self._title = RoleLabel("heading")
        self._half = QComboBox()
        name_choices(self._half, "Half to compare")
        self._half.activated.connect(lambda number: self.half_chosen.emit(self._half.itemData(number)))
        self._versions, self._targets = CheckList("JAX versions"), CheckList("Targets")
        for one in (self._versions, self._targets):
            one.changed.connect(self._follow_choices)
        self._target = QLineEdit()
        self._target.setAccessibleName("Add a target")
        self._target.setPlaceholderText("add one: cpu:4, cpu:2x4")
        self._target.returnPressed.connect(self._add_target)
        self._table = AnswerTable(theme)
        self._table.cells_chosen.connect(self.cells_chosen)
        self._state = RoleLabel("faint")
        self._compare = button("Compare", self._ask_to_compare, role="main")
        self._compare.setDefault(True)
        self._stop = button("Stop", self.stop_requested.emit, tip="End what runs; what is done stays (Esc)")
        self._copy = button("Copy as Markdown", self.copy_requested.emit)
        self._save = button("Save as Markdown…", self._ask_where)

    def _furnish_choices(self, body: QWidget, theme: Theme) -> None:
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, theme.sizes.space, 0)
        layout.setSpacing(theme.sizes.space)
        for title, part in (("JAX versions", self._versions), ("Targets", self._targets)):
            layout.addWidget(RoleLabel("faint-line", title))
            layout.addWidget(part)
        layout.addWidget(self._target)
        layout.addStretch(1)
        body.setMinimumWidth(22 * theme.sizes.space)
        body.setMaximumWidth(36 * theme.sizes.space)

    def _furnish_answers(self, body: QWidget, theme: Theme) -> None:
        space = theme.sizes.space
        around = QVBoxLayout(body)
        around.setContentsMargins(space, 0, 0, 0)
        self._storeys = below = QSplitter(Qt.Orientation.Vertical)
        around.addWidget(below)
        self._answers = FlowText("Answers")
        self._answers.set_measure(MEASURE)
        self._below = QStackedWidget()
        self._below.addWidget(_scrolled(self._answers, space))
        below.setChildrenCollapsible(False)
        below.setHandleWidth(1)
        below.addWidget(self._table)
        below.addWidget(self._below)
        below.setStretchFactor(1, 1)

    @cached_property
    def _reading(self) -> ReadingView:
        """What happened in one place, made when it is first wanted."""
        view = ReadingView(self._theme)
        self._below.addWidget(_scrolled(view, self._theme.sizes.space))
        return view

    @cached_property
    def _difference(self) -> DifferenceView:
        """Two places against each other, with the choice of the part, made when it is first wanted."""
        view = DifferenceView(self._theme)
        self._part_group = QButtonGroup(self)
        row = QHBoxLayout()
        row.setSpacing(self._theme.sizes.space)
        for number, choice in enumerate(self._parts):
            tab = button(choice.text, partial(self.part_chosen.emit, choice.key), role="tab")
            tab.setAccessibleName(f"Compare {choice.text}")
            tab.setCheckable(True)
            tab.setChecked(not number)
            self._part_group.addButton(tab)
            row.addWidget(tab)
        row.addStretch(1)
        both = QWidget()
        layout = QVBoxLayout(both)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(row)
        layout.addWidget(view)
        self._below.addWidget(_scrolled(both, self._theme.sizes.space))
        return view

    # -- what is compared ----------------------------------------------------------------------------------------------

    def show_subject(self, title: str, halves: Sequence[Choice], half: str) -> None:
        """Say what is compared.

        Args:
            title: Its name.
            halves: Of an exhibit; none for a snippet.
            half: Key of the chosen one.
        """
        self._title.say(title)
        self._half.clear()
        for choice in halves:
            self._half.addItem(choice.text, choice.key)
        self._half.setCurrentIndex(self._half.findData(half))
        self._half.setVisible(bool(halves))

    def show_places(
        self, versions: Sequence[Choice], ticked: Iterable[str], targets: Sequence[Choice], chosen: Iterable[str]
    ) -> None:
        """Offer versions and targets, some of them ticked."""
        self._versions.show_choices(versions, ticked)
        self._targets.show_choices(targets, chosen)
        self._follow_choices()

    def add_target(self, choice: Choice) -> None:
        """Offer another target, ticked."""
        self._target.clear()
        self._targets.tick(choice)
        self._follow_choices()

    # -- how it goes ---------------------------------------------------------------------------------------------------

    def show_rows(self, rows: AnswerRows, *, has_answers: bool) -> None:
        """Show the table as it is now."""
        self._has_answers = has_answers
        self._table.show_rows(rows)
        self._give_table_room()
        self._follow_choices()

    def _give_table_room(self) -> None:
        """As much as its rows take; where that is as before, the visitor may have drawn the line elsewhere."""
        wanted = min(self._table.maximumHeight(), MOST_TABLE)
        if wanted != self._wanted:
            self._wanted = wanted
            self._storeys.setSizes([wanted, max(1, self._storeys.height() - wanted)])

    def set_running(self, *, running: bool) -> None:
        """While it runs, only Stop helps."""
        self._running = running
        self._stop.setEnabled(running)
        for part in (self._versions, self._targets, self._target, self._half):
            allow(part, not running, tip=part.accessibleName(), why="Stop what runs first")
        self._follow_choices()

    def say(self, text: str, role: str = "faint") -> None:
        """One line on how it stands."""
        self._state.say(text or " ", role)

    def clear_choice(self) -> None:
        """Choose no cell."""
        self._table.clear_choice()

    def show_answers(self, html: str) -> None:
        """Show which places gave which answer, while no cell is chosen."""
        self._answers.show_html(html or NOTHING_YET, self._theme.font())
        self._show_page(self._answers)

    def show_reading(self, reading: Reading) -> None:
        """Show what happened in the one place that is chosen."""
        self._reading.show_reading(reading)
        self._show_page(self._reading)

    def show_difference(self, names: Sequence[str], sides: Sequence[Sequence[Piece]], words: str) -> None:
        """Show the two places that are chosen against each other."""
        self._difference.show_sides(names, sides, words)
        self._show_page(self._difference)

    def _show_page(self, part: QWidget) -> None:
        for area in self._below.findChildren(QScrollArea):
            if area.isAncestorOf(part):
                if self._below.currentWidget() is not area:
                    area.verticalScrollBar().setValue(0)
                self._below.setCurrentWidget(area)

    # -- what the visitor asks for -------------------------------------------------------------------------------------

    def _follow_choices(self) -> None:
        places = len(self._versions.ticked) * len(self._targets.ticked)
        why = "It runs already" if self._running else "Tick a version and a target first"
        allow(self._compare, bool(places) and not self._running, tip="Run it in every place ticked", why=why)
        words = f"Compare in {places} place{'s' if places > 1 else ''}" if places else "Compare"
        self._compare.setText(words)
        self._compare.setAccessibleName(words)
        for part, tip in ((self._copy, COPIED), (self._save, "The same, to a file")):
            allow(part, self._has_answers, tip=tip, why="Nothing has answered yet")

    def _ask_to_compare(self) -> None:
        self.compare_requested.emit(list(self._versions.ticked), list(self._targets.ticked))

    def _add_target(self) -> None:
        if self._target.text().strip():
            self.target_typed.emit(self._target.text().strip())

    def _ask_where(self) -> None:
        dialog = QFileDialog(self, "Save as Markdown", "comparison.md", MARKDOWN_FILTER)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("md")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.save_requested)
        dialog.open()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return in the field adds a target and compares nothing; Esc stops what runs before it closes."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._target.hasFocus():
            event.accept()
            return
        if event.key() == Qt.Key.Key_Escape and self._running:
            self.stop_requested.emit()
            return
        super().keyPressEvent(event)


def _scrolled(page: QWidget, space: int) -> QScrollArea:
    body = QWidget()
    body.setObjectName("page")
    layout = QVBoxLayout(body)
    layout.setContentsMargins(0, space, space, space)
    layout.addWidget(page)
    layout.addStretch(1)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(body)
    return area

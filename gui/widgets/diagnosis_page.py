"""The page of a pasted error: the text on one side, what the museum says of it on the other. Asks, decides nothing."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QScrollArea, QSplitter, QVBoxLayout, QWidget

import resources
from gui.theme import Theme
from gui.widgets.answer_view import AnswerView
from gui.widgets.diagnosis_parts import column, inset
from gui.widgets.labels import RoleLabel, button
from gui.widgets.paste_field import PasteField, give
from gui.widgets.records_view import RecordsView
from gui.widgets.row_button import RowButton
from gui.widgets.run_bar import Choice, fill

if TYPE_CHECKING:
    from museum.diagnosis.answer import Answer

SIDE_BY_SIDE = 100  # characters that both sides together must have room for
_WHAT_TO_PASTE = (
    "A traceback, a log of a whole run, or a line of either, as it comes: from a terminal, a notebook, a test runner "
    "or a browser. The museum tells which error it is, which exhibit explains it, and where JAX raises it. Nothing "
    "leaves this machine."
)


class DiagnosisPage(QWidget):
    """A field for the paste; the answer, then records of others beside it.

    Args:
        theme: Colours and sizes.
        parent: The widget that it is a part of.

    Attributes:
        field: Where the text stands.
        records: The records of others.

    Signals:
        edited: The text changed by hand; carries whether all that stood there gave way.
        text_given: A long text was pasted or let go here.
        file_given: A file was let go here or chosen.
        cleared: Take the text away.
        jax_chosen: The version that it came from; "" to go by the text.
        example_chosen: Explain the example of this name.
        exhibit_chosen: Open this exhibit.
        studio_requested: Draw the layout that the message states.
        link_activated: Open this address of the web.
    """

    edited = Signal(bool)
    text_given = Signal(str)
    file_given = Signal(str)
    cleared = Signal()
    jax_chosen = Signal(str)
    example_chosen = Signal(str)
    exhibit_chosen = Signal(str)
    studio_requested = Signal()
    link_activated = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAcceptDrops(True)
        self.field = PasteField()
        self.field.edited.connect(self.edited)
        self.field.text_given.connect(self.text_given)
        self.field.file_given.connect(self.file_given)
        self._jax = QComboBox()
        self._jax.setAccessibleName("JAX version that the text came from")
        self._jax.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._jax.activated.connect(lambda number: self.jax_chosen.emit(self._jax.itemData(number)))
        self._state = RoleLabel("faint")
        self._notes = RoleLabel("faint")
        self._notes.hide()
        self._answer = AnswerView(theme)
        self._answer.exhibit_chosen.connect(self.exhibit_chosen)
        self._answer.studio_requested.connect(self.studio_requested)
        self._answer.link_activated.connect(self.link_activated)
        self._answer.jax_requested.connect(self.jax_chosen)
        self._empty = QWidget()
        self._examples = column(theme)
        self._offered: Sequence[Choice] = ()
        self.records = RecordsView(theme)
        self.records.link_activated.connect(self.link_activated)
        self._lay_out(theme)
        self.set_theme(theme)
        self.show_answer(None)

    def _lay_out(self, theme: Theme) -> None:
        space = theme.sizes.space
        # Rooms first, furniture afterwards: Qt styles all there is in a widget again at each move of it.
        bar, left, body, self._scroll = QWidget(), QWidget(), QWidget(), QScrollArea()
        bar.setObjectName("bar")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        body.setObjectName("page")
        self._scroll.setWidget(body)
        self._panes = QSplitter(Qt.Orientation.Horizontal)
        self._panes.addWidget(left)
        self._panes.addWidget(self._scroll)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(bar)
        layout.addWidget(self._panes, 1)
        row = QHBoxLayout(bar)
        row.setContentsMargins(space * 2, space, space * 2, space)
        row.setSpacing(space)
        row.addWidget(self._state, 1)
        label = RoleLabel("faint", "JAX")
        label.setWordWrap(False)
        label.setBuddy(self._jax)
        row.addWidget(label)
        row.addWidget(self._jax)
        row.addWidget(button("Open a log…", self.ask_for_log, tip="Read the end of a log file; or drag one in"))
        row.addWidget(button("Clear", self.cleared.emit, tip="Take the text away; undo brings it back"))
        empty = column(theme)
        self._empty.setLayout(empty)
        self._lines = (
            RoleLabel("title", "Paste an error"),
            RoleLabel("", _WHAT_TO_PASTE),
            RoleLabel("heading", "Or see what comes of one"),
        )
        for line in self._lines:
            empty.addWidget(line)
        empty.insertSpacing(2, space * 2)
        empty.addLayout(self._examples)
        beside = QVBoxLayout(left)
        beside.setContentsMargins(space * 2, space * 2, space * 2, space * 2)
        beside.addWidget(self.field)
        room = QVBoxLayout(body)
        room.setContentsMargins(space * 2, space * 2, space * 3, space * 6)
        room.setSpacing(space * 2)
        for part in (self._notes, self._empty, self._answer, self.records):
            room.addWidget(part)
        room.addStretch(1)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAccessibleName("What the museum says of it")
        self._panes.setChildrenCollapsible(False)
        self._panes.setHandleWidth(1)
        self._panes.setStretchFactor(0, 2)
        self._panes.setStretchFactor(1, 3)
        self._panes.setSizes([420, 860])

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        self._theme = theme
        text = (Path(resources.__file__).parent / "styles" / "diagnosis.qss").read_text("utf-8")
        for name, value in (asdict(theme.colours) | {"small_pt": f"{theme.sizes.small:.1f}pt"}).items():
            text = text.replace(f"@{name}@", str(value))
        self.setStyleSheet(text)
        self.field.setFont(theme.code_font())
        for line in (self._notes, *self._lines):
            inset(line, theme)
        self.set_examples(self._offered)
        self._answer.set_theme(theme)
        self.records.set_theme(theme)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Both sides stand beside each other where there is room, else one above the other."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        is_wide = self.width() >= SIDE_BY_SIDE * self.fontMetrics().averageCharWidth()
        wanted = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        if wanted is not self._panes.orientation():
            self._panes.setOrientation(wanted)
            self._panes.setSizes([420, 860] if is_wide else [220, 580])

    def set_versions(self, choices: Sequence[Choice], chosen: str) -> None:
        """Offer JAX versions."""
        fill(self._jax, choices, chosen)

    def set_examples(self, examples: Sequence[Choice]) -> None:
        """Offer examples: what they are called, what they say, and what kind of paste they are."""
        self._offered = examples
        while item := self._examples.takeAt(0):
            if old := item.widget():
                old.hide()
                old.deleteLater()
        for example in examples:
            choose = partial(self.example_chosen.emit, example.key)
            row = RowButton(example.text, example.tip, choose, self._theme)
            self._examples.addWidget(row)

    def show_answer(self, answer: "Answer | None") -> None:
        """Show what the museum says; None where there is nothing to speak of."""
        self._empty.setVisible(answer is None)
        self._answer.setVisible(answer is not None)
        if answer is not None:
            self._answer.show_answer(answer)

    def reveal_answer(self) -> None:
        """Let the answer to another text be seen from its beginning."""
        self._scroll.verticalScrollBar().setValue(0)

    def say(self, text: str, role: str = "faint") -> None:
        """Tell how it goes, or what went wrong, in one line; or nothing."""
        self._state.set_role(role)
        self._state.setText(text)

    def show_notes(self, notes: Sequence[str]) -> None:
        """Say what must be known of the answer: what was left out, whose raise sites were asked."""
        self._notes.say("\n".join(notes))

    def ask_for_log(self) -> None:
        """Let the visitor choose a log."""
        dialog = QFileDialog(self, "Open a log", "", "Logs (*.log *.txt *.err *.out);;All files (*)")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.file_given)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files and texts may be let go anywhere here."""
        if self.field.canInsertFromMimeData(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Explain what was let go in place of what stands there."""
        give(event.mimeData(), self.file_given.emit, self.text_given.emit)
        event.acceptProposedAction()

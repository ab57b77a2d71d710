"""One tab of the bench: a snippet, what it is run with, and what it did."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gui.theme import Theme
from gui.widgets.code_editor import CodeEditor
from gui.widgets.find_bar import FindBar
from gui.widgets.labels import PathLabel, RoleLabel, button
from gui.widgets.mark_line import MarkLine
from gui.widgets.panes import Panes
from gui.widgets.prompted_edit import PromptedEdit
from gui.widgets.reading import Reading, Readings
from gui.widgets.run_bar import RunChoices

EMPTY = "Run it to see here what it prints, what it raises, and where."
MOST_ROWS = 4  # of the field of variables


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the visitor typed to run a snippet with."""

    arguments: str
    variables: str


class BenchView(QWidget):
    """Choices above, the code in the middle, readings below.

    Args:
        theme: Colours and sizes.
        most_devices: The largest device count.
        parent: The widget that it is a part of.

    Signals:
        text_edited: The visitor changed the code; carries all of it.
        inputs_edited: The visitor changed arguments or variables; carries `Inputs`.
        run_requested: Run it.
        reload_requested: Take what the file holds now.
        keep_requested: Stay with what stands here, whatever the file holds.
        zoom_requested: Larger or smaller type, by this many steps.
    """

    text_edited = Signal(str)
    inputs_edited = Signal(object)
    run_requested = Signal()
    reload_requested = Signal()
    keep_requested = Signal()
    zoom_requested = Signal(int)

    def __init__(self, theme: Theme, most_devices: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar = RunChoices(theme, most_devices)
        self._place = PathLabel()
        self._run = button("Run", self.run_requested.emit, role="main", tip="Run this snippet (F5)")
        self.bar.row.insertWidget(0, self._place, 3)
        self.bar.row.addWidget(self._run)
        self._arguments = QLineEdit()
        self._arguments.setPlaceholderText("none")
        self._arguments.setAccessibleName("Arguments")
        self._arguments.setToolTip("What the snippet finds in sys.argv[1:], quoted as in a shell")
        self._arguments.textEdited.connect(self._on_inputs_edited)
        self._variables = VariablesField()
        self._variables.textChanged.connect(self._on_inputs_edited)
        self._warning = RoleLabel("doubt")
        self._warning.hide()
        self._question = _Question(theme, self.reload_requested.emit, self.keep_requested.emit)
        self.editor = CodeEditor(theme.editor_colours("failing"), theme.syntax_colours())
        self.editor.setAccessibleName("Code of the snippet")
        self.editor.text_edited.connect(self.text_edited)
        self.editor.zoom_requested.connect(self.zoom_requested)
        self.find_bar = FindBar(self.editor)
        self.readings = Readings(theme)
        self.readings.hide()
        self._labels: list[RoleLabel] = []
        self._empty = RoleLabel("faint", EMPTY)
        self._lay_out(theme)
        self.set_theme(theme)

    def _lay_out(self, theme: Theme) -> None:
        space = theme.sizes.space
        # Rooms first, furniture afterwards: Qt styles all there is in a widget again at each move of it.
        above, below, self._below = QWidget(), QWidget(), QScrollArea()
        below.setObjectName("page")
        self._below.setWidget(below)
        self.panes = Panes(Qt.Orientation.Vertical, [(above, 400, 3), (self._below, 260, 2)])
        inputs, notes = QHBoxLayout(), QVBoxLayout()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addLayout(inputs)
        layout.addLayout(notes)
        layout.addWidget(self.panes, 1)
        inputs.setContentsMargins(space * 2, space, space * 2, space)
        inputs.setSpacing(space)
        for name, field in (("Arguments", self._arguments), ("Variables", self._variables)):
            label = RoleLabel("faint", name)
            label.setWordWrap(False)
            label.setBuddy(field)
            self._labels.append(label)
            inputs.addWidget(label, 0, Qt.AlignmentFlag.AlignTop)
            inputs.addWidget(field, 1, Qt.AlignmentFlag.AlignTop)
        notes.setContentsMargins(space * 2, 0, space * 2, 0)
        self._warning.setContentsMargins(0, 0, 0, space)
        notes.addWidget(self._warning)
        notes.addWidget(self._question)
        code = QVBoxLayout(above)
        code.setContentsMargins(space * 2, 0, space * 2, space)
        code.addWidget(self.editor)
        code.addWidget(MarkLine(self.editor))
        code.addWidget(self.find_bar)
        room = QVBoxLayout(below)
        room.setContentsMargins(space * 2, space, space * 2, space * 2)
        room.addWidget(self._empty)
        room.addWidget(self.readings)
        room.addStretch(1)
        self._below.setWidgetResizable(True)
        self._below.setFrameShape(QScrollArea.Shape.NoFrame)
        self._below.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._below.setAccessibleName("What the runs did")

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        self.bar.set_still(theme.still)
        self.editor.set_colours(theme.editor_colours("failing"), theme.syntax_colours())
        self.editor.setFont(theme.code_font())
        self._variables.setFont(theme.code_font())
        self._arguments.setFont(theme.code_font())
        for label in self._labels:  # level with one line of its field
            label.setFixedHeight(self._arguments.sizeHint().height())
        self._variables.set_least_height(self._arguments.sizeHint().height())
        self.readings.set_theme(theme)

    def show_snippet(self, code: str, inputs: Inputs) -> None:
        """Show a snippet."""
        self.editor.set_text(code)
        self._arguments.setText(inputs.arguments)
        self._variables.blockSignals(True)
        self._variables.setPlainText(inputs.variables)
        self._variables.blockSignals(False)
        self._variables.fit()

    def replace_text(self, text: str) -> None:
        """Put another text there, in one step that can be undone."""
        self.editor.replace_text(text)

    def show_place(self, words: str) -> None:
        """Say which file it is, and how it stands to it."""
        self._place.say_path(words)

    def set_blame(self, line: int, message: str) -> None:
        """Mark the line at fault; 0 for none."""
        self.editor.set_blamed_line(line or None, message)

    def set_notes(self, notes: Mapping[int, str]) -> None:
        """Mark the lines that messages speak of, with what they say."""
        self.editor.set_notes(notes)

    def warn(self, lines: Sequence[str]) -> None:
        """Say what would go wrong with a run; nothing takes no room."""
        self._warning.say("\n".join(lines))

    def ask_about_file(self, text: str, reload: str = "") -> None:
        """Ask what is to become of the snippet now that its file is another one; nothing takes the question away.

        Args:
            text: What happened.
            reload: What the button that takes the file's text says; "" for no such button.
        """
        self._question.ask(text, reload)

    def set_running(self, *, running: bool) -> None:
        """Nothing else is started here while something runs."""
        self._run.setEnabled(not running)

    def show_readings(self, readings: Sequence[Reading], chosen: int | None) -> None:
        """Show what the runs did."""
        self._empty.setVisible(not readings)
        self.readings.setVisible(bool(readings))
        self.readings.show_readings(readings, chosen)

    @property
    def shown_reading(self) -> Reading | None:
        """The account that the visitor reads."""
        return self.readings.chosen

    def update_reading(self, reading: Reading) -> None:
        """Put a newer account in the place of the one with the same label."""
        self.readings.update_reading(reading)

    def show_finding(self, reading: Reading) -> None:
        """Say what explains a failed run, below its account."""
        self.readings.show_finding(reading)

    def reveal_reading(self) -> None:
        """Let what the last run did be seen from its beginning."""
        self._below.verticalScrollBar().setValue(0)

    def _on_inputs_edited(self) -> None:
        self._variables.fit()
        self.inputs_edited.emit(Inputs(self._arguments.text(), self._variables.toPlainText()))


class VariablesField(PromptedEdit):
    """Lines of NAME=VALUE, as high as they are, up to `MOST_ROWS`."""

    def __init__(self) -> None:
        super().__init__("NAME=VALUE")
        self._least = 0
        self.setAccessibleName("Environment variables")
        self.setToolTip("One NAME=VALUE on a line, set before JAX starts")
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_least_height(self, height: int) -> None:
        """Be at least as high as a field of one line."""
        self._least = height
        self.fit()

    def changeEvent(self, event: QEvent) -> None:
        """Keep up with the font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.fit()

    def fit(self) -> None:
        """Be as high as the lines; one alone stands where that of a field of one line does."""
        line = QFontMetrics(self.font()).lineSpacing()
        self.document().setDocumentMargin(max(4, (self._least - line) // 2 - self.frameWidth()))
        self.setFixedHeight(self.sizeHint().height())

    def sizeHint(self) -> QSize:
        """Room for the lines."""
        rows = min(max(1, self.blockCount()), MOST_ROWS)
        margins = 2 * (round(self.document().documentMargin()) + self.frameWidth())
        return QSize(200, max(rows * QFontMetrics(self.font()).lineSpacing() + margins + 2, self._least))


class _Question(QWidget):
    """What happened to the file, and the answers."""

    def __init__(self, theme: Theme, reload: Callable[[], object], keep: Callable[[], object]) -> None:
        super().__init__()
        self._words = RoleLabel("doubt")
        self._reload = button("Load it", reload, tip="Take the file's text; what stands here can be had back by undo")
        keeping = button("Keep this text", keep, tip="Stay with this text; saving writes it over the file")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, theme.sizes.space)
        layout.setSpacing(theme.sizes.space)
        layout.addWidget(self._words, 1)
        layout.addWidget(self._reload)
        layout.addWidget(keeping)
        self.hide()

    def ask(self, text: str, reload: str) -> None:
        """Show it, or nothing."""
        self._words.setText(text)
        self._reload.setText(reload)
        self._reload.setAccessibleName(reload)
        self._reload.setVisible(bool(reload))
        self.setVisible(bool(text))

"""One account of what a script did, recorded or just run, and the row of all the accounts of an exhibit."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QButtonGroup, QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from gui.rich_text import difference_html, error_html
from gui.theme import Theme
from gui.widgets.finding_line import Finding, FindingLine, failure_of
from gui.widgets.flow_text import FlowText
from gui.widgets.labels import RoleLabel, button, name_choices
from gui.widgets.output_pane import OutputPane
from gui.widgets.sideways import SidewaysRow
from gui.widgets.version_strip import VersionStrip
from gui.widgets.wrap_layout import WrapLayout
from museum.diagnosis.folding import fold_traceback
from museum.differences import word_difference
from museum.strip import Place, Strip

MOST_TEXT = 200_000
"""Characters of a stream that a pane lays out; copying gives all that was kept."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a script did, ready to be shown.

    Attributes:
        label: On its tab, "this run" or a JAX version.
        provenance: Where it comes from, in one line.
        jax: JAX version, "" where it is not known.
        error: Exception class, or "".
        message: Its message.
        verdict: One line with its mark ("✓ …"), or "".
        role: Of the verdict: "good", "bad", "doubt" or "plain".
        recorded: The recorded message, where it differs from `message`.
        recorded_label: What that record is, a line above it.
        stdout: What was printed.
        stderr: The other stream, with the traceback.
        is_live: Whether the run still goes on.
        place: The cell of the version strip that it belongs to; None for one that has a tab of its own.
        finding: What explains its failure, where that was asked.
    """

    label: str
    provenance: str
    jax: str = ""
    error: str = ""
    message: str = ""
    verdict: str = ""
    role: str = "plain"
    recorded: str | None = None
    recorded_label: str = ""
    stdout: str = ""
    stderr: str = ""
    is_live: bool = False
    place: Place | None = None
    finding: Finding | None = None

    @property
    def words(self) -> str:
        """What is compared with another account: the error, else what was printed."""
        error = ": ".join(filter(None, (self.error, self.message)))
        return error or self.stdout.rstrip("\n") or self.stderr.rstrip("\n")


class ReadingView(QWidget):
    """Shows one reading: the message first, then output and traceback.

    Args:
        theme: Colours and sizes.
        parent: The widget that it is a part of.
        explains: Whether a failure can be taken to Diagnose from here.

    Signals:
        explain_requested: Take what it printed to Diagnose; carries the `Reading`.
        exhibit_requested: Open the exhibit that explains it.
    """

    explain_requested = Signal(object)
    exhibit_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, explains: bool = False) -> None:
        super().__init__(parent)
        self._theme, self._explains = theme, explains
        self._reading: Reading | None = None
        self._verdict = RoleLabel("plain")
        self._provenance = RoleLabel("faint")
        self._message = FlowText("Error message", paper=True)
        self._recorded_label = RoleLabel("faint")
        self._recorded = FlowText("Recorded message", paper=True)
        self._copy = button("Copy message", self._copy_message, role="quiet", tip="Copy the class and the message")
        self._explain = button("Explain", self._ask_to_explain, role="quiet", tip="Take what it printed to Diagnose")
        self._finding = FindingLine()
        self._finding.opened.connect(self._on_finding_opened)
        self._silence = RoleLabel("faint", "It printed nothing.")
        self._output = _Stream("stdout", theme)
        self._trace = _Stream("stderr", theme, folds=True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.sizes.space)
        below = QHBoxLayout()
        below.addWidget(self._provenance, 1)
        below.addWidget(self._copy)
        below.addWidget(self._explain)
        above: tuple[QWidget, ...] = (self._verdict, self._message)
        for part in above:
            layout.addWidget(part)
        layout.addLayout(below)
        for part in (self._finding, self._recorded_label, self._recorded, self._silence, self._output, self._trace):
            layout.addWidget(part)

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        self._theme = theme
        self._output.set_theme(theme)
        self._trace.set_theme(theme)
        if self._reading:
            self.show_reading(self._reading)

    def show_reading(self, reading: Reading) -> None:
        """Show another account."""
        self._reading = reading
        self._verdict.say(reading.verdict, reading.role)
        self._provenance.say(reading.provenance)
        has_error = bool(reading.error or reading.message)
        self._message.setVisible(has_error or reading.recorded is not None)
        self._copy.setVisible(has_error)
        self._explain.setVisible(self._explains and bool(failure_of(reading)))
        self.show_finding(reading.finding)
        differs = reading.recorded is not None
        self._recorded.setVisible(differs)
        self._recorded_label.say(reading.recorded_label if differs else "")
        font = self._theme.code_font()
        if reading.recorded is not None:
            recorded, seen = word_difference(reading.recorded, reading.words)
            self._message.show_html(difference_html(seen, self._theme), font)
            self._recorded.show_html(difference_html(recorded, self._theme), font)
        elif has_error:
            self._message.show_html(error_html(reading.error, reading.message, self._theme), font)
        printed = reading.stdout.strip() or reading.stderr.strip()
        self._silence.setVisible(reading.verdict.startswith("✓") and not printed and not has_error)
        self._output.show_text(reading.stdout)
        self._trace.show_text(reading.stderr)

    def show_finding(self, finding: Finding | None) -> None:
        """Say what explains the failure, or nothing; all else stays as the visitor has it."""
        self._finding.show_finding(finding, self._theme)

    def _ask_to_explain(self) -> None:
        if self._reading:
            self.explain_requested.emit(self._reading)

    def _on_finding_opened(self, finding: Finding) -> None:
        if finding.exhibit:
            self.exhibit_requested.emit(finding.exhibit)
        else:
            self._ask_to_explain()

    def _copy_message(self) -> None:
        if self._reading:
            text = ": ".join(filter(None, (self._reading.error, self._reading.message)))
            QGuiApplication.clipboard().setText(text)


class _Stream(QWidget):
    """What came on one stream, verbatim; a traceback has the libraries' frames folded until asked for.

    Args:
        name: "stdout" or "stderr".
        theme: Colours and sizes.
        folds: Whether it holds tracebacks.
    """

    def __init__(self, name: str, theme: Theme, *, folds: bool = False) -> None:
        super().__init__()
        self._theme = theme
        self._folds = folds
        self._whole = False
        self._text = ""
        self._title = RoleLabel("faint", name)
        self._title.setWordWrap(False)
        self._more = button("Show whole traceback", self._toggle, role="quiet")
        self._copy = button(f"Copy {name}", lambda: QGuiApplication.clipboard().setText(self._text), role="quiet")
        self._pane = OutputPane(name)
        top = QHBoxLayout()
        top.addWidget(self._title, 1)
        top.addWidget(self._more)
        top.addWidget(self._copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(top)
        layout.addWidget(self._pane)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        self._theme = theme
        self._lay_out()

    def show_text(self, text: str) -> None:
        """Show what the stream carried; nothing takes no room."""
        self._text = text
        self._whole = False
        self.setVisible(bool(text.strip()))
        self._lay_out()

    def _toggle(self) -> None:
        self._whole = not self._whole
        self._lay_out()

    def _lay_out(self) -> None:
        text = self._text[:MOST_TEXT]
        if len(self._text) > MOST_TEXT:
            gap = "\n… the middle is not shown here; copy to have it …\n"
            text = text[: MOST_TEXT // 2] + gap + self._text[-MOST_TEXT // 2 :]
        folded = fold_traceback(text) if self._folds else text
        self._more.setVisible(self._folds and folded != text.rstrip("\n"))
        words = "Fold traceback" if self._whole else "Show whole traceback"
        self._more.setText(words)
        self._more.setAccessibleName(words)
        self._pane.show_text(text if self._whole else folded, self._theme.code_font())


class Readings(QWidget):
    """The accounts of one exhibit, one at a time, chosen in the version strip or by a row of tabs.

    Args:
        theme: Colours and sizes.
        parent: The widget that it is a part of.

    Signals:
        run_requested: A cell of the strip asks for a run; carries its `Place`.
        explain_requested: Take what a failed run printed to Diagnose; carries its `Reading`.
        exhibit_requested: Open the exhibit that explains it.
    """

    run_requested = Signal(object)
    explain_requested = Signal(object)
    exhibit_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._readings: Sequence[Reading] = ()
        self._chosen = 0
        self._tabs = QHBoxLayout()
        self._tabs.setSpacing(theme.sizes.space)
        self._tabs.setContentsMargins(0, 0, 0, 0)
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self.choose)
        self._strip = VersionStrip(theme, self._group)
        self._strip.run_requested.connect(self.run_requested)
        self._against = QComboBox()
        name_choices(self._against, "Compare with another account")
        self._against.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._against.setMinimumContentsLength(16)
        self._against.activated.connect(self._on_against_activated)
        self._empty = RoleLabel("faint", "Nothing was recorded yet. Run the failing half to see what it does here.")
        self._view = ReadingView(theme, explains=True)
        self._view.explain_requested.connect(self.explain_requested)
        self._view.exhibit_requested.connect(self.exhibit_requested)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.sizes.space)
        # Rows that scroll: with large text they are wider than a narrow page.
        row = QWidget()
        row.setLayout(self._tabs)
        self._row, self._cells = SidewaysRow(row), SidewaysRow(self._strip)
        top = WrapLayout(theme.sizes.space)
        top.addWidget(self._cells)
        top.add_gap()
        top.addWidget(self._against)
        layout.addLayout(top)
        layout.addWidget(self._row)
        layout.addWidget(self._empty)
        layout.addWidget(self._view)

    @property
    def chosen(self) -> Reading | None:
        """The reading on show."""
        return self._readings[self._chosen] if self._readings else None

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        self._view.set_theme(theme)
        self._fit_rows()

    def show_readings(self, readings: Sequence[Reading], chosen: int | None = 0, strip: Strip | None = None) -> None:
        """Offer these, and show the one numbered `chosen`.

        Args:
            readings: The accounts; those whose place is in the strip are chosen there, the others have a tab.
            chosen: Number of the one to show; None for the one on show, as far as it is still there.
            strip: What is known of each version.
        """
        if chosen is None:
            chosen = self._number_of(self.chosen, readings)
        self._readings = readings
        for tab in self._group.buttons():
            self._group.removeButton(tab)
            if tab.property("role") == "tab":  # cells belong to the strip
                tab.hide()
                tab.deleteLater()
        self._tabs.takeAt(self._tabs.count() - 1)  # the stretch
        places = strip.cells if strip else {}
        numbers = {one.place: number for number, one in enumerate(readings) if one.place and one.place in places}
        cells = self._strip.show_strip(strip, numbers)
        before: QWidget = self._empty
        for cell in cells:
            QWidget.setTabOrder(before, cell)  # else whatever is made late comes last
            before = cell
        QWidget.setTabOrder(before, self._against)
        before = self._against
        for number, reading in enumerate(readings):
            if number in numbers.values():
                continue
            tab = button(reading.label, lambda: None, role="tab", name=f"Show {reading.label}")
            tab.setCheckable(True)
            self._group.addButton(tab, number)
            self._tabs.addWidget(tab)
            QWidget.setTabOrder(before, tab)
            before = tab
        self._tabs.addStretch(1)
        self._cells.setVisible(strip is not None)
        self._fit_rows()
        self._empty.setVisible(not readings)
        self._view.setVisible(bool(readings))
        self._against.setVisible(len(readings) > 1)
        if readings:
            self.choose(min(chosen, len(readings) - 1))

    @staticmethod
    def _number_of(shown: Reading | None, readings: Sequence[Reading]) -> int:
        """Where an account is among others: the same one, else the one of its label, else of its cell."""
        if shown is not None:
            for number, reading in enumerate(readings):
                if reading.label == shown.label or (shown.place is not None and reading.place == shown.place):
                    return number
        return 0

    def _fit_rows(self) -> None:
        for shown in self._group.buttons():
            shown.ensurePolished()
        self._row.setVisible(any(tab.property("role") == "tab" for tab in self._group.buttons()))
        for row in (self._row, self._cells):
            row.fit()

    def update_reading(self, reading: Reading) -> None:
        """Put a newer account in the place of the one with the same label, wherever the visitor is."""
        labels = [one.label for one in self._readings]
        if reading.label in labels:
            number = labels.index(reading.label)
            self._readings = [*self._readings[:number], reading, *self._readings[number + 1 :]]
            if number == self._chosen:
                self._view.show_reading(reading)

    def show_finding(self, reading: Reading) -> None:
        """Take what explains a failure into the account of the same label, without touching what the visitor reads."""
        labels = [one.label for one in self._readings]
        if reading.label in labels:
            number = labels.index(reading.label)
            self._readings = [*self._readings[:number], reading, *self._readings[number + 1 :]]
            if number == self._chosen:
                self._view.show_finding(reading.finding)

    def choose(self, number: int) -> None:
        """Show one of them, compared with none."""
        self._chosen = number
        if tab := self._group.button(number):
            tab.setChecked(True)
        self._against.clear()
        self._against.addItem("Compare with …", -1)
        for other, reading in enumerate(self._readings):
            if other != number and reading.words:
                self._against.addItem(reading.label, other)
        self._against.setEnabled(self._against.count() > 1 and bool(self._readings[number].words))
        self._view.show_reading(self._readings[number])

    def _on_against_activated(self, row: int) -> None:
        """Show where the chosen account differs, word by word, from another one."""
        shown, other = self._readings[self._chosen], self._against.itemData(row)
        if other >= 0:
            against = self._readings[other]
            label = f"{shown.label} above, {against.label} below; words that differ are marked:"
            shown = replace(shown, recorded=against.words, recorded_label=label)
        self._view.show_reading(shown)

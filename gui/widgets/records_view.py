"""Records of others about errors: unproven, labelled so, apart from the exhibits, and inert."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from gui.theme import Theme
from gui.widgets.diagnosis_parts import InertText, chain, column, inset
from gui.widgets.labels import RoleLabel, button
from gui.widgets.row_button import RowButton
from gui.widgets.row_table import RowTable

if TYPE_CHECKING:
    from museum.diagnosis.records import Record

COLUMNS = ("Class", "Message", "From")
MOST_TEXT = 6_000
"""Characters of each part of a record that are laid out."""

MOST_LISTED = 100
"""Records that are listed at once; what is pasted finds the others."""

_MOST_ROWS = 6  # seen at once
_LONGEST_CELL = 200
_FILTER = "Records (*.json *.jsonl *.txt);;All files (*)"


class RecordsView(QWidget):
    """A list of records, and the chosen one below it.

    Args:
        theme: Colours and sizes.
        parent: The widget that it is a part of.

    Signals:
        import_requested: Take in the records of these files.
        remove_requested: Forget this record; carries a `Record`.
        draft_requested: Begin an exhibit from it; carries a `Record`.
        link_activated: Open this address of the web.
    """

    import_requested = Signal(list)
    remove_requested = Signal(object)
    draft_requested = Signal(object)
    link_activated = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("records")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._records: Sequence[Record] = ()
        self._chosen: Record | None = None
        self._heading = RoleLabel("heading", "Records of others")
        self._heading.setWordWrap(False)
        self._unproven = RoleLabel("unproven", "Unproven: made by others, nothing of them was run here.")
        self._count = RoleLabel("faint")
        self._state = RoleLabel("faint")
        self._state.hide()
        self._table = RowTable("Records of others, unproven", COLUMNS)
        self._table.setWordWrap(False)
        self._table.itemSelectionChanged.connect(self._on_selection_changed)
        self._room = column(theme)
        self._detail: QWidget | None = None
        top = QHBoxLayout()
        top.addWidget(self._heading, 1)
        tip = "Read error records from JSON files and keep them here"
        top.addWidget(button("Import records…", self.ask_for_files, role="quiet", tip=tip))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, theme.sizes.space * 2, 0, 0)
        layout.setSpacing(theme.sizes.space // 2)
        layout.addLayout(top)
        for part in (self._unproven, self._count, self._state, self._table):
            layout.addWidget(part)
        layout.addLayout(self._room)
        self._inset()
        self.show_records((), 0)

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        self._theme = theme
        self._inset()
        self._fit()
        self._show_detail()

    def _inset(self) -> None:
        for label in (self._heading, self._unproven, self._count, self._state):
            inset(label, self._theme)

    def show_records(self, records: "Sequence[Record]", count: int) -> None:
        """List records; the chosen one stays if it is among them.

        Args:
            records: Those that what was pasted may be about; all of them where nothing is pasted.
            count: How many there are in all.
        """
        listed = len(records)
        self._records = records = records[:MOST_LISTED]
        self._unproven.setVisible(bool(count))
        if not count:
            self._count.say("None yet. What others wrote about errors can be imported; it stays apart from exhibits.")
        elif not records:
            self._count.say(f"No record speaks of this error; {count:,} {'is' if count == 1 else 'are'} kept.")
        elif listed > len(records):
            self._count.say(
                f"The first {len(records)} of {listed:,} are listed; paste an error to find those about it."
            )
        else:
            self._count.say(f"{listed} of {count} speak of this error" if listed < count else "")
        kept = self._chosen
        self._table.blockSignals(True)
        self._table.clearSelection()
        self._table.setRowCount(len(records))
        for row, record in enumerate(records):
            self._table.fill_row(row, [_cell(text) for text in (record.error_class, record.title, record.repo)])
        self._table.blockSignals(False)
        self._table.setVisible(bool(records))
        self._fit()
        if kept is not None and kept in records:
            self._table.selectRow(list(records).index(kept))
        else:
            self._on_selection_changed()

    def say(self, text: str, role: str = "faint") -> None:
        """Tell what became of an import, or nothing."""
        self._state.say(text, role)

    def ask_for_files(self) -> None:
        """Let the visitor choose files with records."""
        dialog = QFileDialog(self, "Import records", "", _FILTER)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda paths: self.import_requested.emit(list(paths)))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Columns keep their shares."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        rows = min(self._table.rowCount(), _MOST_ROWS)
        height = self._table.horizontalHeader().sizeHint().height() + 2 * self._table.frameWidth() + 2
        self._table.setFixedHeight(height + sum(self._table.rowHeight(row) for row in range(rows)))
        for number, share in enumerate((0.22, 0.52)):
            self._table.setColumnWidth(number, round(max(300, self._table.width()) * share))

    def _on_selection_changed(self) -> None:
        rows = {index.row() for index in self._table.selectedIndexes()}
        chosen = self._records[rows.pop()] if len(rows) == 1 else None
        if chosen != self._chosen or chosen is None:
            self._chosen = chosen
            self._show_detail()

    def _show_detail(self) -> None:
        if self._detail is not None:
            self._room.removeWidget(self._detail)
            self._detail.hide()
            self._detail.deleteLater()
            self._detail = None
        if self._chosen is not None:
            self._detail = self._made(self._chosen)
            self._room.addWidget(self._detail)
            chain(self._table, (self._detail,))

    def _made(self, record: "Record") -> QWidget:
        theme, space = self._theme, self._theme.sizes.space
        made = QWidget()
        made.setObjectName("record")
        made.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        layout = column(theme)
        layout.setContentsMargins(space * 2, space, 0, space)
        made.setLayout(layout)
        layout.addWidget(RoleLabel("unproven", record.label[:1].upper() + record.label[1:]))
        message = f"{record.error_class}: {record.error_message}"
        layout.addWidget(InertText("Message of the record", _cut(message), theme, code=True))
        layout.addWidget(RoleLabel("faint", f"{record.file_path}:{record.line_number}"))
        for heading, text, code in _texts(record):
            if text.strip():
                layout.addSpacing(space // 2)
                layout.addWidget(RoleLabel("faint", heading))
                layout.addWidget(InertText(f"{heading}, by the record", _cut(text), theme, code=code))
        if record.github_url.startswith("https://"):
            address = _cell(record.github_url)
            follow = self.link_activated
            layout.addWidget(RowButton(f"Open {address}", "", lambda: follow.emit(record.github_url), theme))
        layout.addSpacing(space)
        layout.addLayout(self._buttons(record))
        return made

    def _buttons(self, record: "Record") -> QHBoxLayout:
        row = QHBoxLayout()
        tip = "A new tab of the bench, with what the record says as comments"
        row.addWidget(button("Make an exhibit of it", lambda: self.draft_requested.emit(record), tip=tip))
        row.addWidget(button("Remove it", lambda: self.remove_requested.emit(record), tip="Forget this record"))
        row.addStretch(1)
        return row


def _texts(record: "Record") -> tuple[tuple[str, str, bool], ...]:
    """Heading, text, and whether it is code."""
    return (
        ("What they say it means", record.documentation, False),
        ("When, by their account", record.trigger_scenarios, False),
        ("Who meets it", record.common_situations, False),
        ("Their ways out", _listed(record.solutions), False),
        ("Their example", record.example_fix, True),
        ("What keeps it away", _listed(record.prevention_tips), False),
        ("Tags", ", ".join(record.tags), False),
    )


def _listed(texts: Sequence[str]) -> str:
    return "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))


def _cell(text: str) -> str:
    return " ".join(text[:_LONGEST_CELL].split())


def _cut(text: str) -> str:
    return text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]} …"

"""The dialog of runs: what it lists, what it asks for, that the keyboard reaches it."""

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QPushButton, QTableWidget
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.history_dialog import COLUMNS, HistoryDialog, HistoryRow
from gui.widgets.reading import Reading

ROWS = (
    HistoryRow(7, ("pinned", "2026-11-30 12:00:00", "xla/one failing", "0.4.38", "cpu:8", "✗ E: no"), "bad", True),
    HistoryRow(9, ("", "2026-11-30 12:00:01", "xla/one fix", "0.10.2", "cpu:8", "✓ ok"), "good", False),
)


@pytest.fixture
def dialog(qtbot: QtBot, theme: Theme) -> HistoryDialog:
    dialog = HistoryDialog(theme)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(dialog)
    dialog.show_rows(ROWS, 20)
    with qtbot.waitExposed(dialog):
        dialog.show()
    return dialog


@pytest.fixture
def asked(dialog: HistoryDialog) -> list[tuple[str, tuple[Any, ...]]]:
    asked: list[tuple[str, tuple[Any, ...]]] = []
    for name in ("query_changed", "open_requested", "pin_requested", "delete_requested", "clear_requested"):
        getattr(dialog, name).connect(lambda *values, name=name: asked.append((name, values)))
    return asked


def table(dialog: HistoryDialog) -> QTableWidget:
    return dialog.findChild(QTableWidget)


def press(qtbot: QtBot, dialog: HistoryDialog, name: str) -> None:
    (found,) = [one for one in dialog.findChildren(QPushButton) if one.accessibleName() == name]
    qtbot.mouseClick(found, Qt.MouseButton.LeftButton)


def says(dialog: HistoryDialog) -> list[str]:
    return [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]


def test_rows_reach_to_the_edge(qtbot: QtBot, theme: Theme) -> None:
    dialog = HistoryDialog(theme)
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    dialog.show_rows(ROWS, 20)  # they come after the dialog is there
    shown = table(dialog)
    assert shown.horizontalHeader().length() == shown.viewport().width()
    assert shown.columnWidth(1) >= shown.fontMetrics().horizontalAdvance("2026-11-30 12:00:00")


def test_it_lists_runs_and_says_how_many_there_are(dialog: HistoryDialog) -> None:
    shown = table(dialog)
    assert [shown.horizontalHeaderItem(column).text() for column in range(len(COLUMNS))] == list(COLUMNS)
    assert [shown.item(row, 2).text() for row in range(2)] == ["xla/one failing", "xla/one fix"]
    assert "2 of 20 runs" in says(dialog)
    dialog.show_rows((), 20)
    assert "Nothing found. Other words, or fewer?" in says(dialog)
    dialog.show_rows((), 0)
    assert "No run yet. What you run in the museum is kept here." in says(dialog)


def test_a_selected_run_can_be_opened_pinned_and_deleted(dialog: HistoryDialog, asked: list, qtbot: QtBot) -> None:
    table(dialog).selectRow(0)
    press(qtbot, dialog, "Open")
    press(qtbot, dialog, "Unpin")
    table(dialog).selectRow(1)
    press(qtbot, dialog, "Pin")
    press(qtbot, dialog, "Delete")
    assert asked == [
        ("open_requested", (7,)),
        ("pin_requested", (7, False)),
        ("pin_requested", (9, True)),
        ("delete_requested", ([9],)),
    ]


def test_two_are_chosen_in_the_order_of_the_list(dialog: HistoryDialog, qtbot: QtBot) -> None:
    table(dialog).selectRow(1)
    with qtbot.waitSignal(dialog.chosen) as chosen:
        table(dialog).selectAll()
    assert chosen.args == [[7, 9]]
    opens = next(one for one in dialog.findChildren(QPushButton) if one.text() == "Open")
    assert not opens.isEnabled()


def test_forgetting_all_asks_once_more(dialog: HistoryDialog, asked: list, qtbot: QtBot) -> None:
    press(qtbot, dialog, "Clear…")
    assert asked == []
    press(qtbot, dialog, "Forget all but the pinned")
    assert asked == [("clear_requested", ())]


def test_the_list_follows_what_is_typed(dialog: HistoryDialog, qtbot: QtBot) -> None:
    with qtbot.waitSignal(dialog.query_changed) as asked:
        qtbot.keyClicks(dialog.findChild(QLineEdit), "rows")
    assert asked.args == ["rows", False]
    with qtbot.waitSignal(dialog.query_changed) as asked:
        dialog.findChild(QCheckBox).click()
    assert asked.args == ["rows", True]


def test_a_new_list_keeps_the_selection(dialog: HistoryDialog) -> None:
    table(dialog).selectRow(1)
    dialog.show_rows(tuple(reversed(ROWS)), 20)
    assert [index.row() for index in table(dialog).selectionModel().selectedRows()] == [0]


def test_a_reading_stands_below_the_list(dialog: HistoryDialog) -> None:
    dialog.show_reading(Reading("one", "where it ran", error="ValueError", message="no"))
    assert "where it ran" in says(dialog)
    dialog.show_reading(None)
    assert "where it ran" not in says(dialog)


def test_every_control_has_a_name(dialog: HistoryDialog) -> None:
    controls = [*dialog.findChildren(QPushButton), *dialog.findChildren(QLineEdit), *dialog.findChildren(QTableWidget)]
    assert [one for one in controls if not one.accessibleName()] == []

"""The dialog of a comparison: what it offers, what it asks for, what the keyboard does, what is shown of answers."""

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.answer_table import AnswerCell, AnswerRows
from gui.widgets.compare_dialog import CompareDialog
from gui.widgets.difference_view import MOST, MOST_LINES
from gui.widgets.reading import Reading
from gui.widgets.run_bar import Choice
from museum.differences import Piece

PARTS = (Choice("message", "message"), Choice("stdout", "stdout"))
VERSIONS = (Choice("0.4.38", "JAX 0.4.38"), Choice("0.10.2", "JAX 0.10.2"))
TARGETS = (Choice("cpu:8", "cpu:8"), Choice("cpu:1", "cpu:1"))
CELLS = [AnswerCell(number, f"F {number + 1}  failed", "bad", f"place {number}") for number in range(4)]
ROWS = AnswerRows(("cpu:8", "cpu:1"), {"JAX 0.4.38": CELLS[:2], "JAX 0.10.2": CELLS[2:]})


@pytest.fixture
def dialog(qtbot: QtBot, theme: Theme) -> CompareDialog:
    dialog = CompareDialog(theme, PARTS)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(dialog)
    dialog.show_subject("Rows", [Choice("failing", "Failing"), Choice("fix", "Fix")], "failing")
    dialog.show_places(VERSIONS, ["0.4.38", "0.10.2"], TARGETS, ["cpu:8"])
    with qtbot.waitExposed(dialog):
        dialog.show()
    dialog.activateWindow()
    return dialog


@pytest.fixture
def asked(dialog: CompareDialog) -> list[tuple[str, tuple[Any, ...]]]:
    asked: list[tuple[str, tuple[Any, ...]]] = []
    names = ("half_chosen", "target_typed", "compare_requested", "stop_requested", "cells_chosen", "part_chosen")
    for name in (*names, "copy_requested"):
        getattr(dialog, name).connect(lambda *values, name=name: asked.append((name, values)))
    return asked


def pressable(dialog: CompareDialog) -> dict[str, bool]:
    buttons = dialog.findChildren(QPushButton)
    return {one.text(): one.isEnabled() for one in buttons if one.isVisible() and one.property("role") != "quiet"}


def select(dialog: CompareDialog, *places: tuple[int, int]) -> None:
    for row, column in places:
        dialog._table.item(row, column).setSelected(True)


def test_the_button_says_in_how_many_places(dialog: CompareDialog, asked: list[Any], qtbot: QtBot) -> None:
    assert pressable(dialog)["Compare in 2 places"]
    dialog._targets.item(1).setCheckState(Qt.CheckState.Checked)
    assert pressable(dialog)["Compare in 4 places"]
    qtbot.mouseClick(dialog._compare, Qt.MouseButton.LeftButton)
    assert asked == [("compare_requested", (["0.4.38", "0.10.2"], ["cpu:8", "cpu:1"]))]
    for number in range(2):
        dialog._versions.item(number).setCheckState(Qt.CheckState.Unchecked)
    assert not pressable(dialog)["Compare"]


def test_the_table_takes_the_room_of_its_rows(dialog: CompareDialog) -> None:
    assert not dialog._table.isVisible()
    dialog.show_answers("")
    assert dialog._answers.toPlainText().startswith("Nothing was run yet")
    dialog.show_rows(ROWS, has_answers=True)
    QApplication.processEvents()
    assert dialog._table.isVisible()
    last = dialog._table.item(1, 2)
    below = dialog._table.viewport().height() - dialog._table.visualItemRect(last).bottom()
    assert 0 <= below < 3 * dialog._table.rowHeight(0)
    dialog._storeys.setSizes([60, 400])
    drawn = dialog._storeys.sizes()
    dialog.show_rows(ROWS, has_answers=True)
    assert dialog._storeys.sizes() == drawn


def test_space_ticks_and_tab_leaves_a_list(dialog: CompareDialog, qtbot: QtBot) -> None:
    dialog._targets.setFocus()
    qtbot.keyClick(dialog._targets, Qt.Key.Key_Down)
    qtbot.keyClick(dialog._targets, Qt.Key.Key_Space)
    assert dialog._targets.ticked == ("cpu:8", "cpu:1")
    qtbot.keyClick(dialog._targets, Qt.Key.Key_Tab)
    assert dialog._target.hasFocus()


def test_return_in_the_field_adds_a_target_and_compares_nothing(
    dialog: CompareDialog, asked: list[Any], qtbot: QtBot
) -> None:
    dialog._target.setFocus()
    qtbot.keyClicks(dialog._target, " cpu:2 ")
    qtbot.keyClick(dialog._target, Qt.Key.Key_Return)
    assert asked == [("target_typed", ("cpu:2",))]
    dialog.add_target(Choice("cpu:2", "cpu:2"))
    assert dialog._target.text() == ""
    assert dialog._targets.ticked == ("cpu:8", "cpu:2")
    dialog.add_target(Choice("cpu:1", "cpu:1"))
    assert dialog._targets.ticked == ("cpu:8", "cpu:1", "cpu:2")
    assert dialog._targets.count() == 3


def test_while_it_runs_only_stop_helps_and_esc_stops(dialog: CompareDialog, asked: list[Any], qtbot: QtBot) -> None:
    dialog.set_running(running=True)
    assert pressable(dialog)["Stop"]
    assert not pressable(dialog)["Compare in 2 places"]
    assert not dialog._versions.isEnabled()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert asked == [("stop_requested", ())]
    assert dialog.isVisible()
    dialog.set_running(running=False)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_cells_are_chosen_in_order_and_stay_chosen_while_the_table_fills(
    dialog: CompareDialog, asked: list[Any]
) -> None:
    dialog.show_rows(ROWS, has_answers=False)
    select(dialog, (1, 2), (0, 1))
    assert [values for name, values in asked if name == "cells_chosen"] == [([3],), ([3, 0],)]
    dialog.show_rows(ROWS, has_answers=True)
    assert dialog._table._order == [3, 0]
    assert pressable(dialog)["Copy as Markdown"]
    dialog.clear_choice()
    assert asked[-1] == ("cells_chosen", ([],))


def test_names_of_rows_are_no_cells(dialog: CompareDialog) -> None:
    dialog.show_rows(ROWS, has_answers=True)
    assert not dialog._table.item(0, 0).flags() & Qt.ItemFlag.ItemIsSelectable
    assert dialog._table.item(0, 0).text() == "JAX 0.4.38"
    assert dialog._table.item(1, 1).text() == "F 3  failed"
    assert dialog._table.item(1, 1).toolTip() == "place 2"


def test_a_table_of_other_places_is_made_anew(dialog: CompareDialog) -> None:
    dialog.show_rows(ROWS, has_answers=True)
    dialog.show_rows(AnswerRows(("cpu:2",), {"JAX 0.4.38": [CELLS[0]]}), has_answers=False)
    table = dialog._table
    assert (table.rowCount(), table.columnCount()) == (1, 2)
    assert [table.horizontalHeaderItem(column).text() for column in range(2)] == ["JAX", "cpu:2"]


def test_nothing_one_and_two_chosen_are_three_pages(dialog: CompareDialog, qtbot: QtBot) -> None:
    dialog.show_answers("<p><b>1</b> everywhere</p>")
    assert dialog._answers.isVisible()
    assert dialog._answers.toPlainText() == "1 everywhere"
    dialog.show_reading(Reading("JAX 0.4.38", "", error="ValueError", message="no", verdict="F failed", role="bad"))
    assert dialog._reading.isVisible()
    assert not dialog._answers.isVisible()
    sides = [[Piece("rows 10", differs=False)], [Piece("rows ", differs=False), Piece("<b>13", differs=True)]]
    dialog.show_difference(["JAX 0.4.38 on cpu:8", "JAX 0.10.2 on cpu:8"], sides, "Marked.")
    (one, _), (other, text) = dialog._difference._sides
    assert (one.text(), other.text()) == ("JAX 0.4.38 on cpu:8", "JAX 0.10.2 on cpu:8")
    qtbot.waitUntil(lambda: text.toPlainText() == "rows <b>13")
    assert text.accessibleName() == "JAX 0.10.2 on cpu:8"


def test_a_side_without_end_is_cut_and_says_so(dialog: CompareDialog, qtbot: QtBot) -> None:
    sides = [[Piece("x" * (2 * MOST), differs=True)], []]
    dialog.show_difference(["one", "other"], sides, "Marked")
    (_, one), (_, other) = dialog._difference._sides
    assert len(one.toPlainText()) == MOST
    qtbot.waitUntil(lambda: other.toPlainText() == "(nothing)")
    assert "the first 12,000 characters" in dialog._difference._words.text()


def test_a_side_of_many_lines_is_cut_as_well(dialog: CompareDialog, qtbot: QtBot) -> None:
    line = [Piece("a\n", differs=False), Piece("b\n", differs=True)]
    dialog.show_difference(["one", "other"], [line * MOST_LINES, line * (MOST_LINES // 2)], "Marked")
    (_, one), (_, other) = dialog._difference._sides
    assert one.toPlainText().rstrip("\n") == ("a\nb\n" * (MOST_LINES // 2)).rstrip("\n")
    qtbot.waitUntil(lambda: other.toPlainText().startswith("a\nb"))
    assert "or 1,000 lines" in dialog._difference._words.text()
    dialog.show_difference(["one", "other"], [line, line], "Marked")
    assert "lines" not in dialog._difference._words.text()


def test_the_sides_come_one_by_one_and_late_ones_are_dropped(dialog: CompareDialog, qtbot: QtBot) -> None:
    first, second = ([[Piece(word, differs=True)] for word in words] for words in (("a", "b"), ("c", "d")))
    dialog.show_difference(["one", "other"], first, "")
    dialog.show_difference(["one", "other"], second, "")
    (_, one), (_, other) = dialog._difference._sides
    assert (one.toPlainText(), other.toPlainText()) == ("c", "")
    qtbot.waitUntil(lambda: other.toPlainText() == "d")


def test_parts_and_halves_are_asked_for(dialog: CompareDialog, asked: list[Any], qtbot: QtBot) -> None:
    dialog.show_difference(["a", "b"], [[], []], "")
    tab = next(one for one in dialog.findChildren(QPushButton) if one.accessibleName() == "Compare stdout")
    qtbot.mouseClick(tab, Qt.MouseButton.LeftButton)
    dialog._half.setFocus()
    qtbot.keyClick(dialog._half, Qt.Key.Key_Down)
    assert asked[0] == ("part_chosen", ("stdout",))
    dialog.show_subject("Snippet 1", [], "")
    assert not dialog._half.isVisible()


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_nothing_is_cut_off(qtbot: QtBot, qapp: QApplication, scale: float) -> None:
    look = Theme(dark=True, scale=scale)
    dialog = CompareDialog(look, PARTS)
    dialog.setStyleSheet(look.style_sheet())
    dialog.setFont(look.font())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(dialog)
    dialog.show_places(VERSIONS, ["0.4.38"], TARGETS, ["cpu:8"])
    dialog.show_rows(ROWS, has_answers=True)
    with qtbot.waitExposed(dialog):
        dialog.show()
    assert dialog.width() <= 1280
    for one in dialog.findChildren(QPushButton):
        assert one.accessibleName()
        if one.isVisible():
            assert one.width() >= one.sizeHint().width()
    widths = [dialog._table.columnWidth(column) for column in range(3)]
    assert all(width >= dialog._table.sizeHintForColumn(column) for column, width in enumerate(widths))

"""What explains a failed run, below its account, and the way from there to Diagnose."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.finding_line import Finding, failure_of
from gui.widgets.reading import Reading, Readings
from gui.widgets.row_button import RowButton

FAILED = Reading(
    "run 2",
    "exit status 1",
    jax="0.10.2",
    error="ValueError",
    message="no",
    role="bad",
    stderr="Traceback\nValueError: no\n",
)
FINE = Reading("run 1", "exit status 0", role="good", verdict="✓ Runs to its end", stdout="ValueError: printed")


@pytest.fixture
def readings(theme: Theme, qtbot: QtBot) -> Readings:
    readings = Readings(theme)
    qtbot.addWidget(readings)
    readings.resize(600, 500)
    with qtbot.waitExposed(readings):
        readings.show()
    return readings


def explain(readings: Readings) -> QPushButton:
    [button] = [one for one in readings.findChildren(QPushButton) if one.text() == "Explain"]
    return button


def rows(readings: Readings) -> list[RowButton]:
    QApplication.processEvents()
    return [row for row in readings.findChildren(RowButton) if row.isVisible()]


@pytest.mark.parametrize(
    ("reading", "text"),
    [
        (FAILED, FAILED.stderr),
        (FINE, ""),
        (replace(FAILED, is_live=True), ""),
        (replace(FAILED, stderr=""), "ValueError: no"),
        (replace(FAILED, stderr="noise\n", message="other"), "noise\n\nValueError: other"),
        (replace(FAILED, error="", message="", stderr="", stdout="aborted"), "aborted"),
        (replace(FAILED, error="", message="", stderr="*** Check failed\n"), "*** Check failed\n"),
        (replace(FAILED, role="good"), FAILED.stderr),  # it failed as it should
    ],
)
def test_what_a_run_printed_when_it_failed(reading: Reading, text: str) -> None:
    assert failure_of(reading) == text


def test_a_failure_can_be_explained(readings: Readings) -> None:
    told: list[Reading] = []
    readings.explain_requested.connect(told.append)
    readings.show_readings((FAILED, FINE))
    explain(readings).click()
    assert told == [FAILED]
    readings.choose(1)
    assert not explain(readings).isVisible()


def test_a_finding_comes_without_a_word_to_the_visitor(readings: Readings) -> None:
    readings.show_readings((FAILED, FINE))
    [whole] = [one for one in readings.findChildren(QPushButton) if one.text() == "Copy message"]
    whole.setFocus()
    assert rows(readings) == []
    readings.show_finding(replace(FAILED, finding=Finding("Explained by: A title", "xla/one")))
    assert [row.text() for row in rows(readings)] == ["Explained by: A title"]
    assert readings.focusWidget() is whole
    readings.choose(1)
    assert rows(readings) == []
    readings.choose(0)
    assert len(rows(readings)) == 1


def test_a_finding_for_another_account_waits_there(readings: Readings) -> None:
    readings.show_readings((FAILED, FINE), 1)
    readings.show_finding(replace(FAILED, finding=Finding("No exhibit yet")))
    assert rows(readings) == []
    readings.show_finding(replace(FAILED, label="run 9", finding=Finding("No exhibit yet")))
    readings.choose(0)
    assert [row.text() for row in rows(readings)] == ["No exhibit yet"]


def test_a_finding_opens_what_it_speaks_of(readings: Readings) -> None:
    opened: list[str] = []
    asked: list[Reading] = []
    readings.exhibit_requested.connect(opened.append)
    readings.explain_requested.connect(asked.append)
    readings.show_readings((replace(FAILED, finding=Finding("Explained by: A title", "xla/one")),))
    QTest.mouseClick(rows(readings)[0], Qt.MouseButton.LeftButton)
    assert (opened, asked) == (["xla/one"], [])
    alone = replace(FAILED, finding=Finding("No exhibit yet"))
    readings.show_readings((alone,))
    QTest.keyClick(rows(readings)[0], Qt.Key.Key_Return)
    assert (opened, asked) == (["xla/one"], [alone])

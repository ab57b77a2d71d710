"""Records of others are set apart, labelled, and do nothing of themselves."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QPushButton, QTableWidget
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.diagnosis_parts import InertText
from gui.widgets.records_view import MOST_LISTED, MOST_TEXT, RecordsView
from gui.widgets.row_button import RowButton
from museum.diagnosis.records import Record


def record(name: str = "one", **values: Any) -> Record:
    parts: dict[str, Any] = {
        "id": name,
        "repo": "example/repo",
        "error_message": f"message {name}\nmore of it",
        "error_class": "ValueError",
        "file_path": "a.py",
        "line_number": 3,
        "documentation": "It <b>means</b> ![x](https://example.org/x.png) this.",
        "schema_version": 2,
    }
    return Record(**(parts | values))


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> RecordsView:
    view = RecordsView(theme)
    qtbot.addWidget(view)
    view.resize(700, 900)
    with qtbot.waitExposed(view):
        view.show()
    return view


def table(view: RecordsView) -> QTableWidget:
    return view._table


def choose(view: RecordsView, row: int) -> None:
    table(view).selectRow(row)
    QApplication.processEvents()


def said(view: RecordsView) -> str:
    return "\n".join(label.text() for label in view.findChildren(QLabel) if label.isVisibleTo(view))


def texts(view: RecordsView) -> dict[str, str]:
    return {one.accessibleName(): one.toPlainText() for one in view.findChildren(InertText) if one.isVisible()}


def button(view: RecordsView, words: str) -> QPushButton:
    return next(one for one in view.findChildren(QPushButton) if one.text() == words and one.isVisible())


def test_none_yet(view: RecordsView) -> None:
    assert "None yet." in said(view)
    assert "Unproven" not in said(view)
    assert not table(view).isVisible()


def test_they_are_listed_as_unproven(view: RecordsView) -> None:
    view.show_records((record("one"), record("two")), 2)
    assert "Unproven: made by others, nothing of them was run here." in said(view)
    cells = [table(view).item(0, column).text() for column in range(3)]
    assert cells == ["ValueError", "message one", "example/repo"]
    view.show_records((record("two"),), 2)
    assert "1 of 2 speak of this error" in said(view)
    view.show_records((), 2)
    assert "No record speaks of this error; 2 are kept." in said(view)
    assert not table(view).isVisible()


def test_of_many_the_first_are_listed(view: RecordsView) -> None:
    view.show_records(tuple(record(str(number)) for number in range(MOST_LISTED + 1)), MOST_LISTED + 1)
    assert f"The first {MOST_LISTED} of {MOST_LISTED + 1} are listed" in said(view)
    assert table(view).rowCount() == MOST_LISTED


def test_all_of_one_is_shown_as_it_stands(view: RecordsView) -> None:
    one = record(trigger_scenarios="when", solutions=("pad", "drop"), example_fix="a = 1", tags=("x", "y"))
    view.show_records((one,), 1)
    choose(view, 0)
    assert "Unproven: a record of example/repo made by others, nothing of it was run here" in said(view)
    shown = texts(view)
    assert shown["Message of the record"] == "ValueError: message one\nmore of it"
    assert shown["What they say it means, by the record"] == one.documentation
    assert shown["Their ways out, by the record"] == "1. pad\n2. drop"
    assert shown["Their example, by the record"] == "a = 1"
    assert shown["Tags, by the record"] == "x, y"
    assert "Who meets it, by the record" not in shown  # it says nothing of that


def test_their_text_is_inert(view: RecordsView) -> None:
    html = "<a href='https://example.org'>x</a><img src='file:///etc/passwd'>"
    one = record(documentation=html, error_class=html, repo=html, file_path=html)
    view.show_records((one,), 1)
    choose(view, 0)
    assert texts(view)["What they say it means, by the record"] == html
    for text in view.findChildren(InertText):
        assert not text.textInteractionFlags() & Qt.TextInteractionFlag.LinksAccessibleByMouse
        assert "href" not in text.document().toHtml().replace("&lt;a href", "")
    for label in view.findChildren(QLabel):
        assert label.textFormat() is Qt.TextFormat.PlainText
    for column in range(3):
        tip = table(view).item(0, column).toolTip()
        document = QTextDocument()
        document.setHtml(tip)
        assert document.toPlainText() == table(view).item(0, column).text()  # and no picture of it


@pytest.mark.parametrize("address", ["", "http://example.org", "file:///etc/passwd", "javascript:alert(1)"])
def test_only_an_https_address_can_be_opened(view: RecordsView, address: str) -> None:
    view.show_records((record(github_url=address),), 1)
    choose(view, 0)
    assert view.findChildren(RowButton) == []


def test_an_address_is_shown_before_it_is_followed(view: RecordsView) -> None:
    told: list[str] = []
    view.link_activated.connect(told.append)
    view.show_records((record(github_url="https://example.org/a#L3"),), 1)
    choose(view, 0)
    [row] = [row for row in view.findChildren(RowButton) if row.isVisible()]
    assert row.text() == "Open https://example.org/a#L3"
    row.click()
    assert told == ["https://example.org/a#L3"]


def test_what_can_be_done_with_one(view: RecordsView) -> None:
    told: list[tuple[str, Record]] = []
    view.remove_requested.connect(lambda one: told.append(("remove", one)))
    view.draft_requested.connect(lambda one: told.append(("draft", one)))
    view.show_records((record("one"), record("two")), 2)
    choose(view, 1)
    button(view, "Make an exhibit of it").click()
    button(view, "Remove it").click()
    assert told == [("draft", record("two")), ("remove", record("two"))]


def test_the_chosen_one_stays_as_long_as_it_is_listed(view: RecordsView) -> None:
    view.show_records((record("one"), record("two")), 2)
    choose(view, 1)
    view.show_records((record("two"), record("three")), 3)
    QApplication.processEvents()
    assert texts(view)["Message of the record"].startswith("ValueError: message two")
    view.show_records((record("three"),), 3)
    QApplication.processEvents()
    assert texts(view) == {}


def test_of_an_endless_text_the_beginning_is_laid_out(view: RecordsView) -> None:
    view.show_records((record(documentation="word " * 1_000_000),), 1)
    choose(view, 0)
    assert len(texts(view)["What they say it means, by the record"]) == MOST_TEXT + 2


def test_files_are_asked_for(view: RecordsView, tmp_path: Path) -> None:
    told: list[list[str]] = []
    view.import_requested.connect(told.append)
    button(view, "Import records…").click()
    [dialog] = view.findChildren(QFileDialog)
    dialog.filesSelected.emit([str(tmp_path / "a.json")])
    dialog.close()
    assert told == [[str(tmp_path / "a.json")]]


def test_what_became_of_an_import_is_told(view: RecordsView) -> None:
    view.say("2 records taken in.")
    assert "2 records taken in." in said(view)
    view.say("")
    assert not view._state.isVisible()


def test_other_colours(view: RecordsView, dark: Theme) -> None:
    view.show_records((record("one"),), 1)
    choose(view, 0)
    view.set_theme(dark)
    QApplication.processEvents()
    assert texts(view)["Message of the record"].startswith("ValueError: message one")

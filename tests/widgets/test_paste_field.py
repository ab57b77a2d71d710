"""Fields that errors are pasted into: of any length, as plain text, and nothing that was typed is lost."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.widgets.paste_field import LONGEST_LINE, MOST_KEPT, MOST_SHOWN, PasteField, SearchField, is_error

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def field(qtbot: QtBot) -> PasteField:
    field = PasteField()
    qtbot.addWidget(field)
    return field


@pytest.fixture
def search(qtbot: QtBot) -> SearchField:
    search = SearchField()
    qtbot.addWidget(search)
    search.show()
    search.setFocus()
    return search


def paste(widget: PasteField | SearchField, text: str, html: str = "") -> None:
    data = QMimeData()
    data.setText(text)
    if html:
        data.setHtml(html)
    QApplication.clipboard().setMimeData(data)
    QTest.keyClick(widget, Qt.Key.Key_V, CTRL)


def heard(field: PasteField) -> list[bool]:
    told: list[bool] = []
    field.edited.connect(told.append)
    return told


def rows_with_ink(field: PasteField) -> int:
    image = field.viewport().grab().toImage()
    paper = image.pixel(image.width() - 1, image.height() - 1)
    return sum(any(image.pixel(x, y) != paper for x in range(image.width())) for y in range(image.height()))


def test_the_prompt_is_as_large_as_the_text_and_gives_way_to_it(field: PasteField) -> None:
    field.setStyleSheet("QPlainTextEdit { color: black; background: white; }")
    field.resize(900, 200)
    field.show()
    heights = []
    for size in (10, 30):
        font = field.font()
        font.setPointSizeF(size)
        field.setFont(font)
        heights.append(rows_with_ink(field))
    assert heights[1] > 2 * heights[0] > 0
    field.put(".")
    assert 0 < rows_with_ink(field) < heights[0]


def test_typing_and_pasting_are_told(field: PasteField) -> None:
    told = heard(field)
    QTest.keyClicks(field, "ab")
    paste(field, "ValueError: <b>x</b>", "<b>ValueError</b>")
    assert field.text == "abValueError: <b>x</b>"  # as text, whatever markup comes with it
    assert told == [False, False, False]
    field.selectAll()
    paste(field, "other")
    assert told == [False, False, False, True]
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Delete)
    assert (field.text, told[-1]) == ("", True)


def test_what_the_program_puts_there_is_not_told_and_can_be_undone(field: PasteField) -> None:
    told = heard(field)
    QTest.keyClicks(field, "mine")
    field.put("ValueError: x\nmore")
    assert field.above == 0
    assert field.text == "ValueError: x\nmore"
    assert told == [False] * 4
    field.undo()
    assert field.text == "mine"
    assert told[4:] == [True]


def test_of_a_long_text_the_end_is_laid_out_and_the_rest_is_kept(field: PasteField) -> None:
    text = "".join(f"line {number}\n" for number in range(10_000))
    field.put(text, "cut somewhere")
    assert field.note == "cut somewhere"
    assert 0 < len(field.shown) <= MOST_SHOWN
    assert field.shown.startswith("line ")
    assert field.above == len(text) - len(field.shown)
    assert field.text == text
    QTest.keyClicks(field, "x")
    assert field.text == text + "x"
    field.selectAll()
    paste(field, "short")
    assert (field.text, field.note) == ("short", "")


def long(name: str) -> str:
    return "".join(f"{name} {number}\n" for number in range(10_000))


def test_undo_and_redo_bring_back_the_whole_text(field: PasteField) -> None:
    one, two = long("one"), long("two")
    QTest.keyClicks(field, "mine")
    field.put(one, "first")
    QTest.keyClicks(field, "x")
    field.put(two)
    field.selectAll()
    QTest.keyClicks(field, "short")
    states = [(field.text, field.note)]
    for _ in range(8):
        QTest.keyClick(field, Qt.Key.Key_Z, CTRL)
        if (field.text, field.note) != states[-1]:
            states.append((field.text, field.note))
    wanted = [("short", ""), (two, ""), (one + "x", "first"), (one, "first"), ("mine", ""), ("", "")]
    assert [state for state in states if state in wanted] == wanted
    assert all(text in ("short", two, one + "x", one, "mine", "") for text, _ in states)
    for _ in range(8):
        field.redo()
    assert (field.text, field.note) == ("short", "")
    for _ in range(2):
        field.undo()
    assert field.text in (one + "x", two)


def test_what_was_undone_is_forgotten_once_something_else_is_written(field: PasteField) -> None:
    field.put("x" * 300_000)
    field.undo()
    assert field.text == ""
    for letter in "dcba":
        QTest.keyClicks(field, letter)
        QTest.keyClick(field, Qt.Key.Key_Home)  # so that each is a step of its own
    assert field.text == "abcd"
    field.undo()
    field.redo()
    assert field.text == "abcd"


def test_what_is_above_goes_with_the_last_letter_that_is_shown(field: PasteField) -> None:
    text = "x" * 300_000
    field.put(text)
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    assert field.text == ""
    field.undo()
    assert field.text == text


def test_of_many_long_texts_the_latest_come_back_whole(field: PasteField) -> None:
    texts = [long(f"text {number}") for number in range(MOST_KEPT + 2)]
    for text in texts:
        field.put(text)
    for text in reversed(texts[2:]):
        assert field.text == text
        field.undo()
    assert texts[1].endswith(field.text)
    assert field.above == 0


def test_of_an_endless_line_little_is_laid_out(field: PasteField) -> None:
    text = "x" * 300_000
    field.put(text)
    assert (len(field.shown), field.text) == (LONGEST_LINE, text)


@pytest.mark.parametrize("text", ["line\n" * MOST_SHOWN, "x" * (LONGEST_LINE + 1)])
def test_a_paste_too_long_to_lay_out_is_handed_on(field: PasteField, text: str) -> None:
    given: list[str] = []
    field.text_given.connect(given.append)
    QTest.keyClicks(field, "mine")
    paste(field, text)
    assert given == [text]
    assert field.text == "mine"


def test_a_file_is_handed_on(field: PasteField, tmp_path: Path) -> None:
    files: list[str] = []
    field.file_given.connect(files.append)
    data = QMimeData()
    data.setUrls([QUrl("https://example.org/a.log"), QUrl.fromLocalFile(str(tmp_path / "a.log"))])
    assert field.canInsertFromMimeData(data)
    field.insertFromMimeData(data)
    assert files == [str(tmp_path / "a.log")]
    assert field.text == ""


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("indivisible dimension", False),
        ("kind:silent wing:memory -tag:pmap", False),
        ("ShardingTypeError", False),
        ("not divisible", False),
        ("jax:0.10.2", False),
        ("ValueError: x", True),
        ("jax._src.core.ShardingTypeError: add got", True),
        ("RESOURCE_EXHAUSTED: Out of memory", True),
        ("INTERNAL: Mosaic failed", True),
        ("E0318 17:45:05.166686 139645018964352 sharding.py:426] The", True),
        ("Traceback (most recent call last):", True),
        ("one\ntwo", True),
        ("words " * 40, True),
        ("  one line \n", False),
    ],
)
def test_what_reads_like_an_error(text: str, error: bool) -> None:
    assert is_error(text) is error


def test_an_error_that_is_pasted_into_the_search_box_goes_elsewhere(search: SearchField) -> None:
    given: list[str] = []
    search.error_given.connect(given.append)
    QTest.keyClicks(search, "axis")
    paste(search, "Traceback\nValueError: x")
    assert given == ["Traceback\nValueError: x"]
    assert search.text() == "axis"
    paste(search, " size")
    assert search.text() == "axis size"
    assert len(given) == 1


def test_so_does_one_that_is_let_go_there(search: SearchField) -> None:
    given: list[str] = []
    search.error_given.connect(given.append)
    how = (Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    for text in ("ValueError: x", "words"):
        data = QMimeData()
        data.setText(text)
        search.dropEvent(QDropEvent(QPointF(5, 5), how[0], data, how[1], how[2]))
    assert given == ["ValueError: x"]
    assert search.text() == "words"


def test_so_does_one_that_the_menu_pastes(search: SearchField) -> None:
    given: list[str] = []
    search.error_given.connect(given.append)
    for text in ("ValueError: x", "words"):
        QApplication.clipboard().setText(text)
        menu = search.made_menu()
        [action] = [action for action in menu.actions() if action.objectName() == "edit-paste"]
        action.trigger()
        menu.deleteLater()
    assert given == ["ValueError: x"]
    assert search.text() == "words"


def test_so_does_one_that_the_middle_button_pastes(search: SearchField, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []
    search.error_given.connect(given.append)
    selected = QMimeData()
    monkeypatch.setattr("gui.widgets.paste_field._selected", lambda: selected)
    for text in ("ValueError: x", "words", ""):
        selected.setText(text)
        QTest.mouseClick(search, Qt.MouseButton.MiddleButton)
    assert given == ["ValueError: x"]
    selected.setText("ValueError: y")
    QTest.mouseClick(search, Qt.MouseButton.LeftButton)
    assert given == ["ValueError: x"]

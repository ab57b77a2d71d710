"""The page of an exhibit and its halves, read, edited and run by hand."""

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QTextBrowser
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.exhibit_page import ExhibitPage
from gui.widgets.reading import Reading
from gui.widgets.wing_page import WingPage
from museum.catalog import Catalog
from museum.exhibit import Exhibit, Half, Placard, Source

Make = Callable[..., Exhibit]


@pytest.fixture
def page(qtbot: QtBot, theme: Theme, make_exhibit: Make) -> ExhibitPage:
    page = ExhibitPage(theme)
    qtbot.addWidget(page)
    page.resize(1300, 900)
    exhibit = make_exhibit()
    page.show_exhibit(exhibit, "01/02   XLA", "raises · proven", exhibit.scripts)
    with qtbot.waitExposed(page):
        page.show()
    return page


@pytest.fixture
def asked(page: ExhibitPage) -> list[tuple[Any, ...]]:
    """What the page asks for, in order."""
    asked: list[tuple[Any, ...]] = []
    page.run_requested.connect(lambda half: asked.append(("run", half)))
    page.reset_requested.connect(lambda half: asked.append(("reset", half)))
    page.text_edited.connect(lambda half, text: asked.append(("edited", half, text)))
    page.link_activated.connect(lambda address: asked.append(("link", address)))
    page.zoom_requested.connect(lambda steps: asked.append(("zoom", steps)))
    return asked


def button(page: ExhibitPage, half: Half, name: str) -> QPushButton:
    (found,) = [one for one in page.halves[half].findChildren(QPushButton) if one.accessibleName().startswith(name)]
    return found


def text(page: ExhibitPage | WingPage, name: str) -> QTextBrowser:
    (found,) = [one for one in page.findChildren(QTextBrowser) if one.accessibleName() == name]
    return found


def labels(page: ExhibitPage | WingPage) -> list[str]:
    return [label.text() for label in page.findChildren(QLabel) if label.isVisible() and label.text()]


def test_title_facts_and_placard_are_shown(page: ExhibitPage) -> None:
    assert labels(page)[:3] == ["01/02   XLA", "Exhibit number 1 of the wing", "raises · proven"]
    assert text(page, "What it means").toPlainText() == "You asked for 4 parts of 10 rows."
    rest = text(page, "When you meet it, ways out, see also").toPlainText().splitlines()
    assert [line for line in rest if line in ("When you meet it", "Ways out", "See also")] == [
        "When you meet it",
        "Ways out",
        "See also",
    ]
    assert "An issue" in rest


def test_a_placard_without_links_and_sources_has_no_see_also(page: ExhibitPage, make_exhibit: Make) -> None:
    exhibit = make_exhibit(sources=())
    page.show_exhibit(exhibit, "", "", exhibit.scripts)
    assert "See also" not in text(page, "When you meet it, ways out, see also").toPlainText()


def test_links_written_in_the_placard_and_links_to_sources_stand_in_one_list(
    page: ExhibitPage, make_exhibit: Make
) -> None:
    placard = Placard("M.", "W.", "1. O.", "- [kept](https://example.org/kept)")
    exhibit = make_exhibit(placard=placard, sources=(Source("https://example.org/a", "source"),))
    page.show_exhibit(exhibit, "", "", exhibit.scripts)
    shown = text(page, "When you meet it, ways out, see also").toPlainText().splitlines()
    assert shown[-2:] == ["kept", "source"]


def test_a_link_of_the_placard_is_told(page: ExhibitPage, asked: list, qtbot: QtBot) -> None:
    rest = text(page, "When you meet it, ways out, see also")
    rest.setFocus()
    for _ in range(2):
        qtbot.keyClick(rest, Qt.Key.Key_Tab)
        qtbot.keyClick(rest, Qt.Key.Key_Return)
    assert asked == [("link", "museum:xla/two"), ("link", "https://example.org/issue")]


def test_halves_stand_side_by_side_where_there_is_room_and_else_one_above_the_other(
    page: ExhibitPage, qtbot: QtBot, dark: Theme
) -> None:
    failing, fix = page.halves[Half.FAILING], page.halves[Half.FIX]
    QApplication.processEvents()
    assert failing.geometry().right() < fix.geometry().left()
    assert abs(failing.width() - fix.width()) <= 1
    page.resize(700, 900)
    qtbot.waitUntil(lambda: failing.geometry().bottom() < fix.geometry().top())
    assert failing.width() == fix.width()
    page.resize(1000, 900)
    qtbot.waitUntil(lambda: failing.geometry().right() < fix.geometry().left())
    page.set_theme(dark)  # larger type needs more room
    qtbot.waitUntil(lambda: failing.geometry().bottom() < fix.geometry().top())


@pytest.mark.parametrize("width", [320, 500, 900, 1300, 2400])
def test_the_page_is_never_wider_than_its_room(page: ExhibitPage, width: int) -> None:
    page.show_readings([Reading("JAX", "words " * 60, error="E", message="x" * 3000, stdout="y" * 3000)])
    page.resize(width, 700)
    for _ in range(4):
        QApplication.processEvents()
    assert page.widget().width() <= max(page.viewport().width(), page.widget().minimumSizeHint().width())
    assert page.horizontalScrollBar().maximum() == 0 or width < 500


@pytest.mark.parametrize("half", list(Half))
def test_run_and_reset_ask_for_their_half(page: ExhibitPage, asked: list, qtbot: QtBot, half: Half) -> None:
    qtbot.mouseClick(button(page, half, "Run"), Qt.MouseButton.LeftButton)
    page.set_marks(half, {2})
    page.set_edited(half, edited=True)
    qtbot.keyClick(button(page, half, "Reset"), Qt.Key.Key_Space)
    assert asked == [("run", half), ("reset", half)]


def test_nothing_is_started_while_something_runs(page: ExhibitPage, asked: list, qtbot: QtBot) -> None:
    page.set_running(running=True)
    for half in Half:
        assert not button(page, half, "Run").isEnabled()
        qtbot.mouseClick(button(page, half, "Run"), Qt.MouseButton.LeftButton)
    assert asked == []
    page.set_running(running=False)
    assert all(button(page, half, "Run").isEnabled() for half in Half)


def test_typing_is_told_with_all_of_the_text(page: ExhibitPage, asked: list, qtbot: QtBot) -> None:
    editor = page.halves[Half.FIX].editor
    editor.setFocus()
    qtbot.keyClicks(editor, "#!")
    assert asked == [
        ("edited", Half.FIX, "#import jax\nx = 12\nfail(x)\n"),
        ("edited", Half.FIX, "#!import jax\nx = 12\nfail(x)\n"),
    ]


def test_only_an_edited_half_says_so_and_can_be_reset(page: ExhibitPage, make_exhibit: Make) -> None:
    exhibit = make_exhibit()
    assert not any(button(page, half, "Reset").isVisible() for half in Half)
    page.show_exhibit(exhibit, "", "", {Half.FAILING: "mine", Half.FIX: exhibit.scripts[Half.FIX]})
    assert [button(page, half, "Reset").isVisible() for half in Half] == [True, False]
    assert "edited" in labels(page)
    page.set_edited(Half.FAILING, edited=False)
    assert "edited" not in labels(page)


def test_marks_and_blame_go_to_their_half(page: ExhibitPage) -> None:
    page.set_marks(Half.FAILING, {2})
    page.set_blame(Half.FAILING, 3, "ValueError: no")
    failing, fix = (page.halves[half].editor for half in Half)
    assert (failing.changed_lines(), failing.blamed_line()) == ({2}, 3)
    assert (fix.changed_lines(), fix.blamed_line()) == (frozenset(), None)
    page.set_blame(Half.FAILING, 0, "")
    assert failing.blamed_line() is None


def test_a_replaced_text_can_be_taken_back(page: ExhibitPage, asked: list) -> None:
    page.replace_text(Half.FAILING, "original")
    assert asked == []
    page.halves[Half.FAILING].editor.undo()
    assert page.halves[Half.FAILING].editor.text().startswith("import jax\nx = 10")


def test_another_exhibit_is_shown_from_its_top_and_its_own_text_cannot_be_undone(
    page: ExhibitPage, make_exhibit: Make, asked: list, qtbot: QtBot
) -> None:
    page.resize(800, 300)
    QApplication.processEvents()
    page.verticalScrollBar().setValue(200)
    assert page.verticalScrollBar().value() == 200
    other = make_exhibit("xla/two", 2)
    page.show_exhibit(other, "", "", other.scripts)
    assert page.verticalScrollBar().value() == 0
    editor = page.halves[Half.FAILING].editor
    editor.undo()
    assert editor.text() == other.scripts[Half.FAILING]
    assert asked == []


def test_what_a_run_did_is_brought_into_sight(page: ExhibitPage) -> None:
    page.resize(900, 300)
    page.show_readings([Reading("this run", "p", error="E", message="m")])
    for _ in range(3):
        QApplication.processEvents()
    page.verticalScrollBar().setValue(0)
    page.reveal_reading()
    top = page.readings.mapTo(page.viewport(), page.readings.rect().topLeft()).y()
    assert 0 <= top < page.viewport().height()


def test_the_line_with_the_caret_stays_in_sight(page: ExhibitPage, make_exhibit: Make, qtbot: QtBot) -> None:
    page.resize(900, 300)
    exhibit = make_exhibit()
    page.show_exhibit(exhibit, "", "", {Half.FAILING: "x = 1\n" * 80, Half.FIX: ""})
    QApplication.processEvents()
    editor = page.halves[Half.FAILING].editor
    editor.setFocus()
    for key in (Qt.Key.Key_End, Qt.Key.Key_Home):
        qtbot.keyClick(editor, key, Qt.KeyboardModifier.ControlModifier)
        caret = editor.viewport().mapTo(page.viewport(), editor.cursorRect().center()).y()
        assert 0 <= caret < page.viewport().height()


def test_tab_goes_from_a_half_to_the_next_once_esc_was_pressed(page: ExhibitPage, qtbot: QtBot) -> None:
    page.activateWindow()
    page.halves[Half.FAILING].editor.setFocus()
    qtbot.keyClick(page.halves[Half.FAILING].editor, Qt.Key.Key_Escape)
    QTest.keyClick(page.halves[Half.FAILING].editor, Qt.Key.Key_Tab)
    for name in ("Use", "Run"):
        assert page.focusWidget() is button(page, Half.FIX, name)
        QTest.keyClick(page.focusWidget(), Qt.Key.Key_Tab)
    assert page.focusWidget() is page.halves[Half.FIX].editor


def test_another_theme_reaches_code_and_placard(page: ExhibitPage, dark: Theme) -> None:
    size = page.halves[Half.FIX].editor.font().pointSizeF()
    height = text(page, "What it means").height()
    page.set_theme(dark)
    assert page.halves[Half.FIX].editor.font().pointSizeF() == pytest.approx(1.5 * size)
    assert text(page, "What it means").height() > height


def test_an_empty_page_takes_another_theme(qtbot: QtBot, theme: Theme, dark: Theme) -> None:
    for kind in (ExhibitPage, WingPage):
        page = kind(theme)
        qtbot.addWidget(page)
        page.set_theme(dark)


# A wing


@pytest.fixture
def wing_page(qtbot: QtBot, theme: Theme, catalog: Catalog) -> WingPage:
    page = WingPage(theme)
    qtbot.addWidget(page)
    page.resize(800, 500)
    page.show_wing(catalog.wings[0], "2 exhibits", ["raises · proven", "a <b> & c"])
    with qtbot.waitExposed(page):
        page.show()
    return page


def test_a_wing_shows_its_intro_and_the_way_to_each_exhibit(wing_page: WingPage, qtbot: QtBot) -> None:
    told: list[str] = []
    wing_page.link_activated.connect(told.append)
    assert {"XLA", "2 exhibits"} <= set(labels(wing_page))
    assert text(wing_page, "About this wing").toPlainText() == "Of XLA."
    exhibits = text(wing_page, "Exhibits of this wing")
    for words in ("01", "A dimension that the mesh axis does not divide", "raises · proven", "a <b> & c"):
        assert words in exhibits.toPlainText()
    exhibits.setFocus()
    for _ in range(2):
        qtbot.keyClick(exhibits, Qt.Key.Key_Tab)
        qtbot.keyClick(exhibits, Qt.Key.Key_Return)
    assert told == ["museum:xla/one", "museum:xla/two"]


def test_another_wing_takes_its_place(wing_page: WingPage, catalog: Catalog) -> None:
    wing_page.show_wing(catalog.wings[1], "1 exhibit", ["raises"])
    assert "Meshes & more" in labels(wing_page)
    assert "divide" not in text(wing_page, "Exhibits of this wing").toPlainText()


def test_every_exhibit_needs_its_aside(wing_page: WingPage, catalog: Catalog) -> None:
    with pytest.raises(ValueError, match="zip"):
        wing_page.show_wing(catalog.wings[0], "", ["only one"])


def test_another_theme_reaches_the_wing(wing_page: WingPage, dark: Theme) -> None:
    height = text(wing_page, "About this wing").height()
    wing_page.set_theme(dark)
    assert text(wing_page, "About this wing").height() > height
    assert dark.colours.ink in text(wing_page, "Exhibits of this wing").toHtml()

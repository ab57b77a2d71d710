"""A page is found again as it was left: where it is scrolled to, which half has the caret; and the star."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.exhibit_page import ExhibitPage
from gui.widgets.page_view import View
from gui.widgets.star_button import StarButton
from gui.widgets.wing_page import WingPage
from museum.catalog import Catalog
from museum.exhibit import Exhibit, Half, Placard

LONG = Placard("\n\n".join(["What it means, at some length."] * 30), "Often.", "1. Wait.")


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> ExhibitPage:
    page = ExhibitPage(theme)
    qtbot.addWidget(page)
    page.resize(700, 300)
    with qtbot.waitExposed(page):
        page.show()
    page.activateWindow()
    return page


def show(page: ExhibitPage, exhibit: Exhibit) -> None:
    page.show_exhibit(exhibit, "01/02", "raises", exhibit.scripts)


def test_who_comes_back_finds_the_page_scrolled_and_the_caret_in_its_half(
    page: ExhibitPage, make_exhibit: Callable[..., Exhibit], qtbot: QtBot
) -> None:
    long, short = make_exhibit(placard=LONG), make_exhibit("xla/two", 2)
    show(page, long)
    QApplication.processEvents()
    editor = page.halves[Half.FIX].editor
    editor.setFocus()
    for _ in range(9):
        QTest.keyClick(editor, Qt.Key.Key_Right)
    page.verticalScrollBar().setValue(333)
    view = page.look()
    assert view == View(333, Half.FIX, 9)
    show(page, short)
    QApplication.processEvents()
    page.setFocus()
    show(page, long)
    page.look_again(view)
    qtbot.waitUntil(lambda: page.verticalScrollBar().value() == 333)
    for _ in range(3):
        QApplication.processEvents()
    assert page.look() == view
    assert page.focusWidget() is editor


def test_a_page_that_grows_late_still_comes_to_its_place(
    page: ExhibitPage, make_exhibit: Callable[..., Exhibit], qtbot: QtBot
) -> None:
    show(page, make_exhibit())
    QApplication.processEvents()
    least = page.verticalScrollBar().maximum()
    page.look_again(View(least + 200))
    show_at = page.verticalScrollBar().value()
    assert show_at <= least
    page._meaning.show_markdown(LONG.what_it_means, page.font())
    qtbot.waitUntil(lambda: page.verticalScrollBar().value() == least + 200)


def test_a_visitor_who_scrolls_is_not_pulled_back(
    page: ExhibitPage, make_exhibit: Callable[..., Exhibit], qtbot: QtBot
) -> None:
    show(page, make_exhibit(placard=LONG))
    QApplication.processEvents()
    bar = page.verticalScrollBar()
    page.look_again(View(333))
    bar.triggerAction(bar.SliderAction.SliderPageStepAdd)
    scrolled = bar.value()
    assert scrolled > 333
    page._rest.show_markdown("more\n\n" * 30, page.font())
    for _ in range(3):
        QApplication.processEvents()
    assert bar.value() == scrolled


def test_code_that_is_shorter_by_now_takes_the_caret_at_its_end(
    page: ExhibitPage, make_exhibit: Callable[..., Exhibit]
) -> None:
    show(page, make_exhibit())
    page.look_again(View(0, Half.FAILING, 10_000))
    editor = page.halves[Half.FAILING].editor
    assert editor.textCursor().atEnd()


def test_a_wing_is_found_again_as_it_was_left(qtbot: QtBot, theme: Theme, catalog: Catalog) -> None:
    page = WingPage(theme)
    qtbot.addWidget(page)
    page.resize(400, 120)
    with qtbot.waitExposed(page):
        page.show()
    wing = catalog.wings[0]
    page.show_wing(wing, "summary", [""] * len(wing.exhibits))
    QApplication.processEvents()
    page.verticalScrollBar().setValue(20)
    view = page.look()
    assert view == View(20)
    page.show_wing(wing, "summary", [""] * len(wing.exhibits))
    assert page.verticalScrollBar().value() == 0
    page.look_again(view)
    assert page.verticalScrollBar().value() == 20
    qtbot.wait(350)  # until it keeps still by itself


def test_the_star_says_what_a_press_would_do(page: ExhibitPage, qtbot: QtBot) -> None:
    star = page.findChild(StarButton)
    assert (star.text(), star.accessibleName()) == ("☆", "Add to the favourites")
    with qtbot.waitSignal(page.favourite_switched) as switched:
        star.click()
    assert switched.args == [True]
    with qtbot.assertNotEmitted(page.favourite_switched):
        page.set_favourite(on=True)
    assert (star.text(), star.accessibleName()) == ("★", "Remove from the favourites")
    with qtbot.waitSignal(page.favourite_switched) as switched:
        QTest.keyClick(star, Qt.Key.Key_Space)
    assert switched.args == [False]

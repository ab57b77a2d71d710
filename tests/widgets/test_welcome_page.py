"""The first page of a first visit."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.welcome_page import WAYS, WelcomePage


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> WelcomePage:
    page = WelcomePage(theme)
    qtbot.addWidget(page)
    page.resize(1000, 700)
    page.show_first("A dimension that the mesh axis does not divide")
    page.show_environments(None)
    with qtbot.waitExposed(page):
        page.show()
    page.activateWindow()
    page.take_focus()
    return page


def said(page: WelcomePage) -> str:
    return "\n".join(label.text() for label in page.findChildren(QLabel) if label.isVisibleTo(page))


def buttons(page: WelcomePage) -> list[QPushButton]:
    return [one for one in page.findChildren(QPushButton) if one.isVisibleTo(page)]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_the_first_key_runs_the_first_exhibit(page: WelcomePage, qtbot: QtBot, key: Qt.Key) -> None:
    assert page.focusWidget().text() == "Run your first exhibit"
    assert "A dimension that the mesh axis does not divide" in said(page)
    with qtbot.waitSignal(page.run_requested):
        QTest.keyClick(page.focusWidget(), key)


def test_tab_reaches_every_way_on_and_each_leads_somewhere(page: WelcomePage) -> None:
    asked: list[str] = []
    page.way_requested.connect(asked.append)
    for _ in WAYS:
        QTest.keyClick(page.focusWidget(), Qt.Key.Key_Tab)
        QTest.keyClick(page.focusWidget(), Qt.Key.Key_Space)
    assert asked == [name for name, *_ in WAYS]


def test_it_says_where_code_can_run(page: WelcomePage) -> None:
    assert "Looking for Pythons with JAX" in said(page)
    page.show_environments(["JAX 0.10.2 on Python 3.11.7 (own)", "JAX 0.4.38 on Python 3.11.7 (jax-0.4.38)"])
    assert "JAX 0.10.2 on Python 3.11.7 (own); JAX 0.4.38" in said(page)
    assert "Make an environment…" not in [one.text() for one in buttons(page)]


def test_without_jax_it_says_how_to_come_by_it(page: WelcomePage, qtbot: QtBot) -> None:
    page.show_environments([])
    assert "There is no Python with JAX here yet." in said(page)
    run, make = buttons(page)[0], next(one for one in buttons(page) if one.text() == "Make an environment…")
    assert not run.isEnabled()
    with qtbot.waitSignal(page.way_requested) as asked:
        make.click()
    assert asked.args == ["environments"]
    page.show_environments(["JAX 0.10.2"])
    assert run.isEnabled()


def test_a_museum_without_exhibits_offers_none(page: WelcomePage) -> None:
    page.show_first("")
    assert "Run your first exhibit" not in [one.text() for one in buttons(page)]


def test_nothing_is_cut_off_with_large_text(page: WelcomePage, dark: Theme) -> None:
    page.set_theme(dark)
    page.setStyleSheet("QLabel, QPushButton { font-size: 20pt; }")
    for _ in range(3):
        QApplication.processEvents()
    for part in (*buttons(page), *(one for one in page.findChildren(QLabel) if one.isVisibleTo(page))):
        assert part.width() <= page.viewport().width()
        needed = part.heightForWidth(part.width()) if part.hasHeightForWidth() else part.minimumSizeHint().height()
        assert part.height() >= needed

"""Keys of the menus on every page: each gets through wherever the focus is, and does what its entry says there."""

from collections import Counter
from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import pytest
from controls import controls, words
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from whole_window import Whole

from gui.actions import PAGES, menu_actions
from museum.exhibit import Half

SHOWN = {
    "exhibit": "exhibit",
    "wing": "wing",
    "welcome": "welcome",
    "studio": "studio",
    "bench": "bench",
    "diagnosis": "error explained",
}
SPECS = {spec.name: spec for specs in menu_actions().values() for spec in specs if spec is not None}


@pytest.fixture(params=PAGES, scope="module")
def page(request: pytest.FixtureRequest, whole: Whole) -> str:
    whole.show(SHOWN[request.param])
    return str(request.param)


def entry(whole: Whole, name: str) -> QAction:
    words = {SPECS[name].text, SPECS[name].bench_text}
    return next(one for _menu, one in whole.window.menu_entries() if one.text() in words)


@pytest.fixture
def heard(whole: Whole) -> Iterator[list[QAction]]:
    """Entries that were triggered; nothing comes of it."""
    heard: list[QAction] = []
    links = [
        (one, one.triggered.connect(lambda _on=False, one=one: heard.append(one)))
        for _menu, one in whole.window.menu_entries()
    ]
    whole.window.blockSignals(True)
    yield heard
    whole.window.blockSignals(False)
    for one, link in links:
        one.triggered.disconnect(link)


def of_each_kind(root: QWidget) -> list[QWidget]:
    """One control of each kind that can have the focus now."""
    return list({type(one): one for one in controls(root) if one.isEnabled()}.values())


def test_every_key_gets_through_wherever_the_focus_is(page: str, whole: Whole, heard: list[QAction]) -> None:
    lost = []
    entries = [one for _menu, one in whole.window.menu_entries()]
    for widget in of_each_kind(whole.window):
        for one in entries:
            for keys in one.shortcuts():
                widget.setFocus()
                heard.clear()
                QTest.keyClick(whole.window.focusWidget(), keys[0].key(), keys[0].keyboardModifiers())
                if heard != [one] * one.isEnabled():
                    lost.append((page, words(widget), keys.toString(), [other.text() for other in heard]))
                if one.isCheckable() and heard:
                    one.setChecked(not one.isChecked())
    assert lost == []


def test_an_entry_that_does_nothing_on_a_page_is_not_offered_there(page: str, whole: Whole) -> None:
    assert whole.window.front == page
    wrong = [name for name, spec in SPECS.items() if entry(whole, name).isEnabled() != (page in (spec.where or PAGES))]
    assert wrong == []
    assert entry(whole, "run-failing").text() == ("Run the s&nippet" if page == "bench" else "Run &failing")
    offered = {one.text for one in whole.museum.palette.entries()}
    assert ("Run failing" in offered, "Run the snippet" in offered) == (page == "exhibit", page == "bench")


def test_no_letter_of_a_menu_stands_for_two_entries(page: str, whole: Whole) -> None:
    letters = [(menu, one.text().partition("&")[2][:1].lower()) for menu, one in whole.window.menu_entries()]
    twice = [letter for letter, times in Counter(letters).items() if times > 1 and letter[1]]
    assert twice == []


def test_what_is_said_can_be_read_on_the_page_in_front(page: str, whole: Whole) -> None:
    whole.museum.workshop.say(f"said on {page}")
    read = [one.text() for one in whole.window.findChildren(QLabel) if one.isVisible()]
    assert f"said on {page}" in read


def test_f5_runs_what_is_in_front_and_esc_stops_it(page: str, whole: Whole, monkeypatch: pytest.MonkeyPatch) -> None:
    museum: Any = whole.museum
    done = Mock()
    monkeypatch.setattr(museum.exhibits, "run", lambda half: done(f"exhibit {half}"))
    monkeypatch.setattr(museum.exhibits.runs, "stop", lambda: done("stop exhibit"))
    bench = museum._bench_controller
    if page == "bench":
        monkeypatch.setattr(bench, "run", lambda: done("bench"))
        monkeypatch.setattr(bench, "stop", lambda: done("stop bench"))
    for key in (Qt.Key.Key_F5, Qt.Key.Key_F6, Qt.Key.Key_Escape):
        whole.window.setFocus()
        QTest.keyClick(whole.window, key)
    told = [call.args[0] for call in done.call_args_list]
    runs = {"exhibit": [f"exhibit {Half.FAILING}", f"exhibit {Half.FIX}"], "bench": ["bench"]}.get(page, [])
    assert told == [*runs, "stop bench" if page == "bench" else "stop exhibit"]

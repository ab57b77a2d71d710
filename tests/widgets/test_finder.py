"""The head of the list: count, chips, what is said, and the popup of filters; values while one types."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.filter_panel import Facet, FilterPanel
from gui.widgets.finder import Chip, Finder, Found
from gui.widgets.run_bar import RunBar

pytestmark = pytest.mark.qt_log_ignore("does not support")
FACETS = (
    Facet("wing", "Wing", (("xla", 10), ("memory", 16))),
    Facet("verdict", "Verdict", (("fix-passes", 3),)),
    Facet("tag", "Tag", (("psum", 2),), "and 3 more: type tag:"),
)
CHIPS = (Chip("wing", "memory"), Chip("kind", "a-kind-with-a-name-that-is-far-longer-than-the-list-is-wide"))


@pytest.fixture
def finder(qtbot: QtBot, theme: Theme) -> Finder:
    finder = Finder(theme)
    qtbot.addWidget(finder)
    finder.resize(200, 300)
    with qtbot.waitExposed(finder):
        finder.show()
    return finder


def said(finder: Finder) -> list[str]:
    return [label.text() for label in finder.findChildren(QLabel) if label.isVisibleTo(finder)]


def shown(finder: Finder) -> list[str]:
    """Names of the buttons that are seen."""
    return [one.accessibleName() for one in finder.findChildren(QPushButton) if one.isVisibleTo(finder)]


def press(finder: Finder, name: str) -> None:
    next(one for one in finder.findChildren(QPushButton) if one.accessibleName() == name).click()


def test_it_says_how_many_and_what_there_is_to_say(finder: Finder) -> None:
    finder.show_found(Found("12 found", notes=("No wing memori; did you mean memory?", "Showing results for b.")))
    assert said(finder) == ["12 found", "No wing memori; did you mean memory?\nShowing results for b."]
    finder.show_found(Found("168 exhibits"))
    assert said(finder) == ["168 exhibits"]
    assert shown(finder) == ["Filter"]


def test_where_nothing_was_found_it_says_what_to_do_and_offers_it(finder: Finder, qtbot: QtBot) -> None:
    finder.show_found(Found("none found", empty="Try fewer words."))
    assert said(finder) == ["none found", "Try fewer words."]
    assert shown(finder) == ["Filter", "Clear the search"]
    with qtbot.waitSignal(finder.cleared):
        press(finder, "Clear the search")
    finder.show_found(Found("none found", CHIPS, empty="Drop a filter."))
    with qtbot.waitSignal(finder.filters_cleared):
        press(finder, "Drop the filters")


def test_a_chip_is_removed_by_a_press_and_tab_reaches_it(finder: Finder, qtbot: QtBot) -> None:
    finder.offer(FACETS, {})
    finder.show_found(Found("1 found", CHIPS))
    QApplication.processEvents()
    assert shown(finder)[1:] == [f"Remove the filter {chip.words}" for chip in CHIPS]
    finder.activateWindow()
    finder._filter.setFocus()
    QTest.keyClick(finder._filter, Qt.Key.Key_Tab)
    with qtbot.waitSignal(finder.chip_removed) as removed:
        QTest.keyClick(finder.focusWidget(), Qt.Key.Key_Space)
    assert removed.args == [CHIPS[0]]


def test_chips_stay_the_same_buttons_while_the_words_change(finder: Finder) -> None:
    finder.show_found(Found("1 found", CHIPS))
    before = list(finder._chips)
    finder.show_found(Found("2 found", CHIPS))
    assert finder._chips == before
    finder.show_found(Found("2 found", CHIPS[:1]))
    assert [chip.text() for chip in finder._chips] == ["wing memory  ✕"]


def test_a_long_chip_widens_nothing_and_chips_that_find_no_room_begin_another_line(finder: Finder) -> None:
    before = finder.minimumSizeHint().width()
    finder.show_found(Found("1 found", (*CHIPS, Chip("jax", "0.10.2"))))
    QApplication.processEvents()
    assert finder.minimumSizeHint().width() == before < finder.width() == 200
    places = [chip.geometry() for chip in finder._chips]
    assert all(place.right() <= finder.width() for place in places)
    assert places[0].top() < places[1].top() < places[2].top()
    room = finder._chips[0].parentWidget()
    assert room.height() >= places[2].bottom()


def test_there_is_nothing_to_filter_before_the_index_is_there(finder: Finder) -> None:
    assert not finder._filter.isEnabled()
    finder.open_filters()
    assert finder._panel is None
    finder.offer(FACETS, {})
    assert finder._filter.isEnabled()


def test_the_popup_switches_filters_and_follows_the_query(finder: Finder, qtbot: QtBot) -> None:
    finder.offer(FACETS, {"wing": frozenset({"memory"})})
    finder._filter.click()
    panel = finder._panel
    assert isinstance(panel, FilterPanel)
    assert panel.isVisible()
    on = [one.accessibleName() for one in panel.findChildren(QPushButton) if one.isChecked()]
    assert on == ["Wing: memory, 16 exhibits"]
    with qtbot.waitSignal(finder.filter_switched) as switched:
        panel._values["wing", "xla"].click()
    assert switched.args == ["wing", "xla", True]
    finder.offer(FACETS, {"wing": frozenset({"xla"})})
    assert panel._values["wing", "xla"].isChecked()
    assert not panel._values["wing", "memory"].isChecked()
    with qtbot.waitSignal(finder.filter_switched) as switched:
        panel._values["wing", "xla"].click()
    assert switched.args == ["wing", "xla", False]
    with qtbot.waitSignal(panel.destroyed):
        QTest.keyClick(panel, Qt.Key.Key_Escape)
    assert finder._panel is None


def test_the_popup_is_walked_with_arrows_and_return(qtbot: QtBot, theme: Theme) -> None:
    panel = FilterPanel(FACETS, theme)
    panel.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(panel)
    panel.open_at(QPoint(10, 10))
    panel.activateWindow()
    assert panel._values["wing", "xla"].text() == "xla  10"
    assert panel._values["verdict", "fix-passes"].text() == "fix passes  3"
    assert panel.focusWidget() is panel._values["wing", "xla"]
    QTest.keyClick(panel.focusWidget(), Qt.Key.Key_Down)
    QTest.keyClick(panel.focusWidget(), Qt.Key.Key_Right)
    with qtbot.waitSignal(panel.switched) as switched:
        QTest.keyClick(panel.focusWidget(), Qt.Key.Key_Return)
    assert switched.args == ["verdict", "fix-passes", True]
    for _ in range(3):
        QTest.keyClick(panel.focusWidget(), Qt.Key.Key_Left)
    assert panel.focusWidget() is panel._values["tag", "psum"]
    assert "and 3 more: type tag:" in [label.text() for label in panel.findChildren(QLabel)]


def test_the_popup_stays_on_the_screen(qtbot: QtBot, theme: Theme, dark: Theme) -> None:
    panel = FilterPanel(FACETS, dark)
    panel.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(panel)
    screen = panel.screen().availableGeometry()
    panel.open_at(screen.bottomRight())
    assert screen.contains(panel.geometry())


# Values while one types


@pytest.fixture
def bar(qtbot: QtBot, theme: Theme) -> RunBar:
    bar = RunBar(theme, 512)
    qtbot.addWidget(bar)
    bar.offer_values({"kind": ("raises", "silent", "warns"), "wing": ("xla", "shard-map")})
    with qtbot.waitExposed(bar):
        bar.show()
    bar.activateWindow()
    bar.search.setFocus()
    return bar


def offered(bar: RunBar) -> list[str]:
    completion = bar._completion
    assert completion is not None
    if not completion._popup.isVisible():
        return []
    model = completion._completer.completionModel()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def test_values_are_offered_behind_a_key_and_narrowed_as_one_types(bar: RunBar) -> None:
    QTest.keyClicks(bar.search, "axis kin")
    assert offered(bar) == []
    QTest.keyClicks(bar.search, "d:")
    assert offered(bar) == ["raises", "silent", "warns"]
    QTest.keyClicks(bar.search, "s")
    assert offered(bar) == ["raises", "silent", "warns"]  # in each there is an s
    QTest.keyClicks(bar.search, "il")
    assert offered(bar) == ["silent"]
    QTest.keyClicks(bar.search, "x")
    assert offered(bar) == []


@pytest.mark.parametrize("typed", ["-kind:si", "Kind:si", "kind:raises,si"])
def test_values_are_offered_however_the_filter_is_written(bar: RunBar, typed: str) -> None:
    QTest.keyClicks(bar.search, typed)
    assert offered(bar) == ["silent"]


@pytest.mark.parametrize("typed", ["kind:silent", "mankind:si", "tag:si", "kind si"])
def test_nothing_is_offered_where_nothing_is_to_be_completed(bar: RunBar, typed: str) -> None:
    QTest.keyClicks(bar.search, typed)
    assert offered(bar) == []


def test_a_value_that_is_chosen_stands_in_the_query_as_if_typed(bar: RunBar) -> None:
    typed: list[str] = []
    bar.query_edited.connect(typed.append)
    QTest.keyClicks(bar.search, "-kind:raises,wa rows")
    bar.search.setCursorPosition(len("-kind:raises,wa"))
    QTest.keyClicks(bar.search, "r")
    assert offered(bar) == ["warns"]
    popup = bar._completion._popup
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Return)
    assert bar.search.text() == "-kind:raises,warns  rows"
    assert typed[-1] == "-kind:raises,warns  rows"
    assert offered(bar) == []


def test_a_query_that_is_written_for_the_visitor_is_not_told_as_typed(bar: RunBar, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(bar.query_edited):
        bar.set_query("kind:silent")
        bar.set_query("")
    bar.set_query("axis")
    bar.take_focus()
    assert bar.search.selectedText() == "axis"


def test_a_long_line_is_cut_and_the_search_box_keeps_its_room(bar: RunBar) -> None:
    bar.resize(1000, bar.height())
    bar.say("")
    QApplication.processEvents()
    bar.say("a word that goes on and on " * 20)
    QApplication.processEvents()
    assert bar.search.width() >= bar.search.minimumWidth() > 100
    assert bar.width() == 1000
    assert bar._state.text().endswith("…")
    assert bar._state.toolTip() == "a word that goes on and on " * 20
    bar.say("short")
    QApplication.processEvents()
    assert bar._state.text() == "short"

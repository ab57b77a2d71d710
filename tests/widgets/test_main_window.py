"""The main window as a whole: keys, menus, what it remembers, and that keyboard and screen reader find everything."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QObject, QSettings, Qt
from PySide6.QtGui import QAccessible, QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QMessageBox, QSplitter, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from gui.actions import EXHIBIT, menu_actions
from gui.main_window import DEFAULT_PANES, GEOMETRY, PANES, MainWindow
from gui.models.catalog_model import CatalogModel
from gui.theme import Scheme, Theme
from gui.widgets.code_editor import CodeEditor
from gui.widgets.mesh_panel import Subject
from gui.widgets.reading import Reading
from gui.widgets.run_bar import Choice
from museum.catalog import Catalog
from museum.exhibit import Exhibit, Half
from museum.mesh.layout import resolve
from museum.mesh.mesh import Mesh
from museum.mesh.spec import Spec


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def make_window(qtbot: QtBot, theme: Theme, catalog: Catalog) -> Callable[[], MainWindow]:
    def make() -> MainWindow:
        window = MainWindow(theme, 512)
        qtbot.addWidget(window)
        window.sidebar.set_catalog_model(CatalogModel(catalog, {}, window))
        return window

    return make


@pytest.fixture
def window(make_window: Callable[[], MainWindow], qtbot: QtBot, make_exhibit: Callable[..., Exhibit]) -> MainWindow:
    """Furnished as it is in the middle of a visit."""
    window = make_window()
    exhibit = make_exhibit()
    window.bar.set_targets([Choice("cpu", "fake CPU devices")], "cpu")
    window.bar.set_environments([Choice("0.10.2", "JAX 0.10.2")], "0.10.2")
    window.exhibit_page.show_exhibit(exhibit, "01/02", "raises", {**exhibit.scripts, Half.FIX: "mine"})
    readings = [
        Reading("this run", "p", error="E", message="m", stdout="out", stderr="err"),
        Reading("JAX 0.10.2", "q"),
    ]
    window.exhibit_page.show_readings(readings)
    layout = resolve(Mesh.parse("data=4"), Spec.parse("data"), (8, 8))
    window.mesh_panel.show_subjects([Subject("x", "f", layout), Subject("y", "g", layout.mesh)], "a run")
    window.show_exhibit_page()
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    for _ in range(3):
        QApplication.processEvents()
    return window


@pytest.fixture
def asked(window: MainWindow) -> list[str]:
    asked: list[str] = []
    window.action_requested.connect(asked.append)
    window.switch_requested.connect(lambda name, _on: asked.append(name))
    return asked


OFFERED = [
    spec for specs in menu_actions().values() for spec in specs if spec and EXHIBIT in (spec.where or (EXHIBIT,))
]
"""What does something on the page of an exhibit."""


def actions(window: MainWindow) -> list[QAction]:
    """Every entry of every menu."""
    menus = [entry.menu() for entry in window.menuBar().actions()]
    return [action for menu in menus for action in menu.actions() if not action.isSeparator()]


# Menus and keys


def test_no_key_stands_for_two_things(window: MainWindow) -> None:
    keys = Counter(key.toString() for action in actions(window) for key in action.shortcuts())
    assert keys
    assert [key for key, times in keys.items() if times > 1] == []


def test_no_letter_of_a_menu_stands_for_two_entries(window: MainWindow) -> None:
    def letters(entries: list[QAction]) -> list[str]:
        texts = [entry.text() for entry in entries if "&" in entry.text()]
        return [text[text.index("&") + 1].lower() for text in texts]

    bar = window.menuBar()
    menus = [entry.menu() for entry in bar.actions()]
    assert len(menus) == len(menu_actions())
    for entries in (bar.actions(), *(menu.actions() for menu in menus if isinstance(menu, QMenu))):
        found = letters(entries)
        assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    ("name", "keys"),
    [(spec.name, keys) for spec in OFFERED for keys in spec.keys],
)
@pytest.mark.parametrize("place", ["search", "code", "list"])
def test_every_key_works_wherever_the_visitor_is(
    window: MainWindow, asked: list[str], name: str, keys: str, place: str
) -> None:
    there = {
        "search": window.bar.search,
        "code": window.exhibit_page.halves[Half.FAILING].editor,
        "list": window.sidebar,
    }[place]
    code = window.exhibit_page.halves[Half.FAILING].editor.text()
    there.setFocus()
    combination = QKeySequence(keys)[0]
    QTest.keyClick(there, combination.key(), combination.keyboardModifiers())
    assert asked == [name]
    assert window.exhibit_page.halves[Half.FAILING].editor.text() == code


@pytest.mark.parametrize("place", ["code", "list", "mesh"])
def test_esc_stops_the_run_from_everywhere(window: MainWindow, asked: list[str], place: str) -> None:
    there = {
        "code": window.exhibit_page.halves[Half.FIX].editor,
        "list": window.sidebar,
        "mesh": window.mesh_panel,
    }[place]
    there.setFocus()
    QTest.keyClick(there, Qt.Key.Key_Escape)
    assert asked == ["stop"]


def test_esc_first_empties_the_search_and_then_stops_the_run(window: MainWindow, asked: list[str]) -> None:
    window.bar.search.setFocus()
    QTest.keyClicks(window.bar.search, "axis")
    QTest.keyClick(window.bar.search, Qt.Key.Key_Escape)
    assert (window.bar.search.text(), asked) == ("", [])
    QTest.keyClick(window.bar.search, Qt.Key.Key_Escape)
    assert asked == ["stop"]


def test_entries_of_the_menus_ask_by_name(window: MainWindow, asked: list[str]) -> None:
    named = [spec.name for spec in OFFERED if not spec.is_switch]
    for action in actions(window):
        if not action.isCheckable():
            action.trigger()
    assert asked == named


def test_the_schemes_are_a_choice_of_one(window: MainWindow) -> None:
    chosen: list[Scheme] = []
    window.scheme_requested.connect(chosen.append)
    schemes = [action for action in actions(window) if action.actionGroup()]
    window.set_scheme(Scheme.DARK)
    assert [action.isChecked() for action in schemes] == [scheme is Scheme.DARK for scheme in Scheme]
    assert chosen == []
    schemes[1].trigger()
    assert chosen == [Scheme.LIGHT]
    assert [action.isChecked() for action in schemes] == [False, True, False]


def test_a_tab_that_is_clicked_asks_once(window: MainWindow, asked: list[str], qtbot: QtBot) -> None:
    [tabs] = window.findChildren(QTabBar)
    for number in (1, 1, 0):
        qtbot.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(number).center())
    assert asked == ["show-studio", "show-exhibits"]
    window.show_studio()
    window.show_exhibits()
    assert asked == ["show-studio", "show-exhibits"]


def test_an_entry_with_a_tick_tells_whether_it_is_on(window: MainWindow) -> None:
    told: list[tuple[str, bool]] = []
    window.switch_requested.connect(lambda name, on: told.append((name, on)))
    window.set_switch("cache", on=True)
    assert told == []
    switches = [action for action in actions(window) if action.isCheckable() and not action.actionGroup()]
    [switch] = [action for action in switches if "cache" in action.text()]
    assert switch.isChecked()
    switch.trigger()
    switch.trigger()
    assert told == [("cache", False), ("cache", True)]


def test_recent_exhibits_stand_in_a_menu_and_lead_there(window: MainWindow) -> None:
    chosen: list[str] = []
    window.place_requested.connect(chosen.append)
    [recent] = [action.menu() for action in actions(window) if action.menu()]
    assert [(action.text(), action.isEnabled()) for action in recent.actions()] == [("No exhibit yet", False)]
    window.set_recent([("xla/one", "Ins & outs"), ("xla/two", "Two")])
    assert [action.text() for action in recent.actions()] == ["Ins && outs", "Two"]
    recent.actions()[0].trigger()
    assert chosen == ["xla/one"]
    assert not {action.text() for _, action in window.menu_entries()} & {"Two", "&Recent"}


def test_a_page_that_comes_to_the_front_is_told_and_can_be_asked_for(window: MainWindow, asked: list[str]) -> None:
    shown: list[int] = []
    window.page_shown.connect(shown.append)
    window.show_studio()
    window.show_page(1)  # it is there
    window.show_page(0)
    window.show_page(2)
    assert shown == [1]
    assert asked == ["show-exhibits", "show-bench"]


def test_the_window_tells_when_the_visitor_comes_to_it(window: MainWindow, qtbot: QtBot) -> None:
    other = QWidget()
    qtbot.addWidget(other)
    with qtbot.waitExposed(other):
        other.show()
    other.activateWindow()
    qtbot.waitUntil(lambda: not window.isActiveWindow())
    with qtbot.waitSignal(window.activated):
        window.activateWindow()


def test_the_welcome_has_no_mesh_beside_it(window: MainWindow) -> None:
    window.show_welcome_page()
    assert window.welcome_page.isVisible()
    assert not window.mesh_panel.isVisible()
    assert window.look() is None
    window.look_again(None)
    window.show_exhibit_page()
    assert window.mesh_panel.isVisible()
    assert window.look() == window.exhibit_page.look()


def test_search_takes_the_focus_and_selects_what_stands_there(window: MainWindow) -> None:
    window.bar.search.setText("axis")
    window.focus_search()
    assert window.focusWidget() is window.bar.search
    assert window.bar.search.selectedText() == "axis"


# Keyboard and screen reader


def stop_of(widget: QWidget) -> QObject:
    """Where Tab stops for a widget: a row of tabs is one stop, and arrow keys walk within it."""
    group = widget.group() if isinstance(widget, QAbstractButton) else None
    return group or widget


def focusable(window: MainWindow) -> list[QWidget]:
    """Whatever Tab must reach."""
    return [
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisibleTo(window)
        and widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
    ]


def test_every_control_has_a_name_for_the_screen_reader(window: MainWindow) -> None:
    controls = focusable(window)
    assert len(controls) > 15
    nameless = []
    for widget in controls:
        interface = QAccessible.queryAccessibleInterface(widget)
        if not interface or not interface.text(QAccessible.Text.Name).strip():
            nameless.append(widget)
    assert nameless == []


def test_names_tell_controls_of_the_same_kind_apart(window: MainWindow) -> None:
    names = Counter((type(widget).__name__, widget.accessibleName()) for widget in focusable(window))
    assert [name for name, times in names.items() if times > 1] == []


@pytest.mark.parametrize("key", [Qt.Key.Key_Tab, Qt.Key.Key_Backtab])
def test_tab_reaches_every_control(window: MainWindow, key: Qt.Key) -> None:
    wanted = {stop_of(widget) for widget in focusable(window)}
    shift = Qt.KeyboardModifier.ShiftModifier if key == Qt.Key.Key_Backtab else Qt.KeyboardModifier.NoModifier
    window.bar.search.setFocus()
    reached = {stop_of(window.focusWidget())}
    for _ in range(4 * len(wanted)):
        here = window.focusWidget()
        if isinstance(here, CodeEditor):
            QTest.keyClick(here, Qt.Key.Key_Escape)
        QTest.keyClick(here, key, shift)
        reached.add(stop_of(window.focusWidget()))
    assert wanted - reached == set()


def test_tab_walks_the_page_as_it_is_read(window: MainWindow) -> None:
    page = window.exhibit_page
    page.show_readings([Reading("JAX 0.10.2", "q", error="E", message="m")])
    QApplication.processEvents()
    page.halves[Half.FIX].editor.setFocus()
    QTest.keyClick(page.halves[Half.FIX].editor, Qt.Key.Key_Escape)
    walked = []
    for _ in range(3):
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        walked.append(window.focusWidget().accessibleName())
    assert walked == ["Show JAX 0.10.2", "Error message", "Copy message"]


# What it remembers


def test_size_and_panes_come_back(make_window: Callable[[], MainWindow], settings: QSettings, qtbot: QtBot) -> None:
    first = make_window()
    first.show_exhibit_page()
    first.mesh_panel.show()
    first.resize(780, 640)  # no larger than the pretended screen
    with qtbot.waitExposed(first):
        first.show()
    panes = first.findChild(QSplitter)
    panes.setSizes([190, 370, 220])
    sizes = panes.sizes()
    first.remember(settings)
    first.close()
    second = make_window()
    second.restore(settings)
    second.show_exhibit_page()
    second.mesh_panel.show()
    with qtbot.waitExposed(second):
        second.show()
    assert (second.width(), second.height()) == (780, 640)
    assert second.findChild(QSplitter).sizes() == sizes


def test_leaving_from_a_wing_does_not_lose_the_mesh_panel(
    make_window: Callable[[], MainWindow], settings: QSettings, qtbot: QtBot
) -> None:
    first = make_window()
    first.show_wing_page()
    with qtbot.waitExposed(first):
        first.show()
    first.remember(settings)
    first.close()
    second = make_window()
    second.restore(settings)
    with qtbot.waitExposed(second):
        second.show()
    second.show_exhibit_page()
    second.mesh_panel.show()
    QApplication.processEvents()
    assert second.mesh_panel.isVisible()
    assert second.findChild(QSplitter).sizes()[2] >= second.mesh_panel.minimumWidth()


@pytest.mark.parametrize("stored", [b"", b"nonsense", "text", 7, ["a", "b"]])
def test_unreadable_settings_are_passed_over(
    make_window: Callable[[], MainWindow], settings: QSettings, stored: object
) -> None:
    for key in (GEOMETRY, PANES):
        settings.setValue(key, QByteArray(stored) if isinstance(stored, bytes) else stored)
    window = make_window()
    size = window.size()
    window.restore(settings)
    assert window.size() == size


def test_panes_can_be_reset(window: MainWindow) -> None:
    panes = window.findChild(QSplitter)
    first = panes.sizes()
    panes.setSizes([400, 500, 300])
    assert panes.sizes() != first
    window.reset_panes()
    assert abs(panes.sizes()[0] - DEFAULT_PANES[0]) < 30


def test_panes_of_the_studio_and_the_bench_come_back_and_can_be_reset(
    make_window: Callable[[], MainWindow], settings: QSettings, qtbot: QtBot
) -> None:
    first = make_window()
    with qtbot.waitExposed(first):
        first.show()
    first.show_studio()
    first.bench_page.add_tab("a", "A", "")
    view = first.bench_page.make_view("a")
    first.show_bench()
    first.bench_page.show_tab("a")
    QApplication.processEvents()
    usual = view.panes.sizes(), first.studio_page.panes.sizes()
    view.panes.moveSplitter(150, 1)
    first.show_studio()
    first.studio_page.panes.moveSplitter(400, 1)
    moved = view.panes.sizes(), first.studio_page.panes.sizes()
    assert all(one != other for one, other in zip(usual, moved, strict=True))
    first.remember(settings)
    first.close()
    second = make_window()
    second.restore(settings)
    with qtbot.waitExposed(second):
        second.show()
    second.bench_page.add_tab("b", "B", "")
    later = second.bench_page.make_view("b")
    second.show_bench()
    second.bench_page.show_tab("b")
    second.show_studio()
    QApplication.processEvents()
    assert abs(later.panes.sizes()[0] - moved[0][0]) < 40  # some lines of text more or less
    assert abs(second.studio_page.panes.sizes()[0] - moved[1][0]) < 3
    second.reset_panes()
    assert abs(later.panes.sizes()[0] - usual[0][0]) < 40
    assert abs(second.studio_page.panes.sizes()[0] - usual[1][0]) < 3


# The rest


def test_a_wing_has_no_mesh_beside_it(window: MainWindow) -> None:
    window.show_wing_page()
    assert window.wing_page.isVisible()
    assert not window.mesh_panel.isVisible()
    assert not window.exhibit_page.isVisible()
    window.show_exhibit_page()
    assert window.mesh_panel.isVisible()
    assert window.exhibit_page.isVisible()


def test_closing_is_told(window: MainWindow) -> None:
    told: list[bool] = []
    window.closing.connect(lambda: told.append(window.isVisible()))
    window.close()
    assert told == [True]
    assert not window.isVisible()


def test_something_told_holds_up_nothing_else_and_leaves_nothing(window: MainWindow, qtbot: QtBot) -> None:
    window.tell("About", "one\ntwo")
    (box,) = window.findChildren(QMessageBox)
    assert box.isVisible()
    assert (box.windowTitle(), box.text()) == ("About", "one\ntwo")
    with qtbot.waitSignal(box.destroyed):
        qtbot.keyClick(box, Qt.Key.Key_Escape)


def test_another_theme_reaches_every_part_also_those_made_later(
    make_window: Callable[[], MainWindow], dark: Theme
) -> None:
    window = make_window()
    early = window.exhibit_page
    window.set_theme(dark)
    for page in (early, window.wing_page, window.mesh_panel):
        assert page._theme is dark


def test_nothing_is_lost_when_the_window_is_as_small_as_it_gets(window: MainWindow) -> None:
    window.resize(window.minimumSizeHint())
    for _ in range(5):
        QApplication.processEvents()
    assert window.width() <= 1024
    for widget in (window.bar.search, window.sidebar, window.exhibit_page, window.mesh_panel):
        assert widget.width() > 20

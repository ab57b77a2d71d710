"""Settings in the whole window: by real keys, each at once, in the menu as well as in the dialog."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextOption
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMenu
from whole_window import SIZE, Whole, settled

from gui.widgets.settings_dialog import SettingsDialog
from museum.exhibit import Half
from museum.lab.environments import Environment
from museum.settings import MOTION, PROCESSES, SCALE, SCHEME, SECONDS, TARGET, USE_CACHE, WHITESPACE


@pytest.fixture
def whole(
    qapp: QApplication, own_environment: Environment, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Whole]:
    whole = Whole(qapp, tmp_path_factory.mktemp("home"), own_environment)
    yield whole
    whole.clear()
    whole.close()


def dialog() -> SettingsDialog:
    (found,) = [one for one in QApplication.topLevelWidgets() if isinstance(one, SettingsDialog) and one.isVisible()]
    return found


def ticked(whole: Whole, words: str) -> bool:
    (action,) = [
        action
        for menu in whole.window.findChildren(QMenu)
        for action in menu.actions()
        if action.text().replace("&", "") == words
    ]
    return action.isChecked()


def test_the_dialog_opens_by_its_key_and_changes_everything_at_once(whole: Whole) -> None:
    QTest.keyClick(whole.window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    whole.do(settled())
    controls = dialog()._controls
    whitespace = controls[WHITESPACE.key]
    QTest.keyClick(whitespace, Qt.Key.Key_Space)
    editor = whole.window.exhibit_page.halves[Half.FAILING].editor
    shows = QTextOption.Flag.ShowTabsAndSpaces
    assert editor.document().defaultTextOption().flags() & shows
    assert ticked(whole, "Show whitespace")
    box = controls[SCHEME.key]
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_End)
    assert whole.museum.appearance.theme.dark
    assert ticked(whole, "Dark")
    field = controls[SECONDS.key]
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "7")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert whole.museum.exhibits.runs.usual_limits().seconds == 7.0
    assert dialog().isVisible()


def test_what_the_menu_changes_is_seen_in_the_dialog_and_the_other_way_round(whole: Whole) -> None:
    whole.show("settings")
    controls = dialog()._controls
    assert controls[USE_CACHE.key].isChecked()
    whole.window.switch_requested.emit("cache", False)
    assert not controls[USE_CACHE.key].isChecked()
    assert not whole.museum._lab._spares._use_cache
    whole.museum.appearance.zoom(1)
    assert controls[SCALE.key].currentText() == "110 %"
    whole.museum.kept.choose(USE_CACHE, value=True)
    assert ticked(whole, "Use the compilation cache")


def test_new_snippets_run_where_the_visitor_wants_and_within_their_limits(whole: Whole) -> None:
    whole.museum.kept.choose(TARGET, "cpu:2x4")
    whole.museum.kept.choose(PROCESSES, 10)
    bench = whole.museum.show_bench()
    assert bench.current.snippet.target == "cpu:2x4"
    assert bench.current.runs.usual_limits().processes == 10
    bench.open_text("asks", "# museum: target=cpu:3\n")
    assert bench.current.snippet.target == "cpu:3"


def test_reduced_motion_stops_the_caret_and_the_tenths_of_a_second(whole: Whole, qapp: QApplication) -> None:
    blinks = qapp.cursorFlashTime()
    whole.museum.kept.choose(MOTION, "reduced")
    assert qapp.cursorFlashTime() == 0
    bar = whole.window.bar
    assert bar._tick.interval() == 1000
    bar.set_stage("running", 0.0)
    assert "." not in bar._state.text()
    bar.set_stage("")
    whole.museum.kept.choose(MOTION, "full")
    assert (qapp.cursorFlashTime(), bar._tick.interval()) == (blinks, 100)


def test_one_key_saves_what_is_in_front(whole: Whole) -> None:
    whole.show("studio")
    page = whole.window.studio_page
    page._bar._name.setText("mine")
    QTest.keyClick(page.mesh_canvas, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert whole.museum._studio().document.name == "mine"
    whole.show("bench")
    QTest.keyClick(whole.museum.show_bench().current.view.editor, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    asked = [one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible()]
    assert [one.windowTitle() for one in asked] == ["Save as"]


def test_a_broken_file_of_settings_is_told_in_one_quiet_line(
    qapp: QApplication, own_environment: Environment, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("home")
    (home / "window.ini").write_text("[run]\nseconds=soon\n")
    whole = Whole(qapp, home, own_environment)
    (said,) = whole.window.notices.texts
    assert said.startswith("settings: Time: a whole number, 1 to 86,400 s, not 'soon'; the default is used; ")
    assert whole.window.size() == SIZE
    whole.close()

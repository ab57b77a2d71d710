"""The bench's page: tabs, files that are dragged in and change, what a tab shows and asks for."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QTabBar

from gui.theme import Theme
from gui.widgets.bench_page import BenchPage
from gui.widgets.bench_view import EMPTY, BenchView, Inputs
from gui.widgets.labels import RoleLabel
from gui.widgets.reading import Reading

pytestmark = pytest.mark.qt_log_ignore("does not support")


@pytest.fixture
def page(qtbot, theme: Theme) -> BenchPage:
    page = BenchPage(theme, 512)
    qtbot.addWidget(page)
    page.resize(1280, 760)
    for name, title in (("a", "Snippet 1"), ("b", "b.py")):
        page.add_tab(name, title, "")
        page.make_view(name)
    page.show_tab("a")
    with qtbot.waitExposed(page):
        page.show()
    return page


def press(part, text: str) -> None:
    QTest.mouseClick(
        next(one for one in part.findChildren(QPushButton) if one.text() == text), Qt.MouseButton.LeftButton
    )


def view_of(page: BenchPage, name: str = "a") -> BenchView:
    return page._views[name]


def test_tabs_ask_and_do_not_act(page, qtbot):
    tabs = page.findChild(QTabBar)
    with qtbot.waitSignal(page.chosen) as chosen:
        tabs.setCurrentIndex(1)
    assert chosen.args == ["b"]
    close = tabs.tabButton(1, QTabBar.ButtonPosition.RightSide)
    with qtbot.waitSignal(page.close_requested) as closed:
        QTest.mouseClick(close, Qt.MouseButton.LeftButton)
    assert closed.args == ["b"]
    assert tabs.count() == 2
    with qtbot.waitSignal(page.moved) as moved:
        tabs.moveTab(0, 1)
    assert moved.args == [["b", "a"]]


def test_a_tab_that_goes_takes_its_view_along(page):
    page.show_tab("b")
    page.remove_tab("b")
    assert page.findChild(QTabBar).count() == 1
    assert list(page._views) == ["a"]


def test_a_file_can_be_dragged_in_and_a_word_cannot(page, qtbot, tmp_path: Path):
    file, word = QMimeData(), QMimeData()
    file.setUrls([QUrl.fromLocalFile(str(tmp_path / "x.py")), QUrl("https://example.org")])
    word.setText("x")
    action, buttons, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    for data, taken in ((file, True), (word, False)):
        event = QDragEnterEvent(QPointF(5, 5).toPoint(), action, data, buttons, keys)
        event.ignore()
        page.dragEnterEvent(event)
        assert event.isAccepted() is taken
    opened: list[str] = []
    page.open_requested.connect(opened.append)
    page.dropEvent(QDropEvent(QPointF(5, 5), action, file, buttons, keys))
    assert opened == [str(tmp_path / "x.py")]


def test_a_file_is_watched_through_being_replaced(page, qtbot, tmp_path: Path):
    file = tmp_path / "x.py"
    file.write_text("1")
    page.watch([str(file)])
    for number in range(2):
        (tmp_path / "new").write_text(str(number))
        with qtbot.waitSignal(page.file_changed) as changed:
            (tmp_path / "new").replace(file)
        assert changed.args == [str(file)]
        QApplication.processEvents()
    page.watch([])
    assert page._watcher.files() + page._watcher.directories() == []


def test_dialogs_of_files_hold_up_nothing(page, qtbot, tmp_path: Path):
    opened: list[str] = []
    page.open_requested.connect(opened.append)
    press(page, "Open…")
    dialog = page.findChild(QFileDialog)
    dialog.filesSelected.emit(["/x.py", "/y.py"])
    dialog.close()
    assert opened == ["/x.py", "/y.py"]
    with qtbot.waitSignal(page.place_requested):
        press(page, "Save as…")
    page.show_recent(["/a&b.py"])
    page._recent.actions()[0].trigger()
    assert opened[2:] == ["/a&b.py"]


def test_a_view_tells_what_is_typed_and_pressed(page, qtbot):
    view = view_of(page)
    view.show_snippet("x = 1\n", Inputs("-n 1", "A=1\nB=2"))
    with qtbot.waitSignal(view.inputs_edited) as edited:
        QTest.keyClicks(view._arguments, "2")
    assert edited.args == [Inputs("-n 12", "A=1\nB=2")]
    one = view._variables.height()
    with qtbot.waitSignal(view.inputs_edited):
        view._variables.setPlainText("A=1\nB=2\nC=3")
    assert view._variables.height() > one
    with qtbot.waitSignal(view.run_requested):
        press(view, "Run")
    with qtbot.waitSignal(view.text_edited) as text:
        QTest.keyClicks(view.editor, "#")
    assert text.args == ["#x = 1\n"]


def test_what_is_shown_takes_no_room_when_it_is_gone(page):
    view = view_of(page)
    view.warn(["one", "two"])
    assert view._warning.text() == "one\ntwo"
    view.warn([])
    assert not view._warning.isVisible()
    view.ask_about_file("x.py was changed.", "Load x.py")
    buttons = [one.text() for one in view._question.findChildren(QPushButton) if one.isVisible()]
    assert buttons == ["Load x.py", "Keep this text"]
    view.ask_about_file("x.py is gone.")
    assert [one.text() for one in view._question.findChildren(QPushButton) if one.isVisible()] == ["Keep this text"]
    view.ask_about_file("")
    assert not view._question.isVisible()


def test_readings_stand_in_the_place_of_the_hint(page):
    view = view_of(page)
    hint = next(label for label in view.findChildren(RoleLabel) if label.text() == EMPTY)
    assert hint.isVisible()
    view.show_readings([Reading("run 1: cpu:8", "", stdout="hello\n")], 0)
    assert not hint.isVisible()
    assert view.readings.chosen.stdout == "hello\n"
    view.update_reading(Reading("run 1: cpu:8", "", stdout="hello again\n"))
    assert view.readings.chosen.stdout == "hello again\n"


def test_a_long_path_leaves_out_its_middle(page):
    view = view_of(page)
    path = "/very/long" * 40 + "/train.py"
    view.show_place(path)
    assert "…" in view._place.text()
    assert view._place.text().endswith("train.py")
    assert view._place.toolTip() == path


def test_another_look_reaches_every_view(page, dark: Theme):
    page.set_theme(dark)
    sizes = {view_of(page, name).editor.font().pointSizeF() for name in "ab"}
    assert sizes == {dark.sizes.code}


def test_every_control_has_a_name(page):
    from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit

    kinds = (QPushButton, QComboBox, QAbstractSpinBox, QLineEdit, QPlainTextEdit)
    parts = [part for kind in kinds for part in view_of(page).findChildren(kind) if part.isVisible()]
    parts = [part for part in parts if part.objectName() != "qt_spinbox_lineedit"]
    assert [part for part in parts if not part.accessibleName()] == []

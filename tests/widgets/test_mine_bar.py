"""The bar above an exhibit of the personal wing, the dialogs of sharing, and files let go over a view."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QInputDialog, QLabel, QMessageBox, QPushButton, QTreeView, QWidget
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.code_half import CodeHalf
from gui.widgets.file_drop import FileDrop
from gui.widgets.mine_bar import MineBar, MineView
from gui.widgets.share_dialogs import KeepDialog, ReportDialog
from museum.exhibit import Half

OWN = MineView("Odd rows", "One of your own exhibits.", is_own=True, is_trusted=True)
TRUSTED = MineView("Odd rows", "Made by others; you agreed.", is_own=False, is_trusted=True)
UNTRUSTED = MineView("<b>Odd</b> rows", "Made by others: look.", is_own=False, is_trusted=False)


@pytest.fixture
def bar(qtbot: QtBot, theme: Theme) -> MineBar:
    bar = MineBar(theme)
    qtbot.addWidget(bar)
    bar.show_view(OWN)
    with qtbot.waitExposed(bar):
        bar.show()
    return bar


def shown(bar: QWidget) -> list[str]:
    return [one.text() for one in bar.findChildren(QPushButton) if one.isVisible()]


def entries(bar: MineBar) -> dict[str, Any]:
    return {one.text(): one for one in bar._manage.menu().actions() if one.isVisible()}


def dialog_of(bar: QWidget, kind: type) -> Any:
    (found,) = bar.findChildren(kind)
    return found


def test_each_kind_of_exhibit_has_its_buttons(bar: MineBar) -> None:
    assert shown(bar) == ["Save edits", "Record captures", "Manage ▾"]
    assert list(entries(bar)) == ["Rename…", "Show its files", "Export as a zip…", "Remove…"]
    bar.show_view(TRUSTED)
    assert shown(bar) == ["Record captures", "Manage ▾"]
    assert "Rename…" not in entries(bar)
    bar.show_view(UNTRUSTED)
    assert shown(bar) == ["Trust and allow running", "Manage ▾"]
    assert bar._words.property("role") == "doubt"
    bar.show_view(None)
    assert not bar.isVisible()


def test_edits_can_be_saved_once_there_are_any(bar: MineBar) -> None:
    assert not bar._save.isEnabled()
    bar.show_view(MineView("Odd rows", "", is_own=True, is_trusted=True, is_edited=True))
    assert bar._save.isEnabled()
    bar.show_progress("Recording …", running=True)
    assert not bar._save.isEnabled()
    assert "Stop recording" in shown(bar)
    bar.show_progress("Recorded.", "good")
    assert bar._save.isEnabled()
    assert "Stop recording" not in shown(bar)


@pytest.mark.parametrize(
    ("name", "signal"),
    [
        ("_trust", "trust_requested"),
        ("_save", "save_requested"),
        ("_record", "record_requested"),
        ("_stop", "stop_requested"),
    ],
)
def test_buttons_ask(bar: MineBar, qtbot: QtBot, name: str, signal: str) -> None:
    with qtbot.waitSignal(getattr(bar, signal)):
        getattr(bar, name).setEnabled(True)
        getattr(bar, name).click()


def test_removing_is_asked_about_first_and_kept_by_default(bar: MineBar, qtbot: QtBot) -> None:
    gone: list[bool] = []
    bar.remove_requested.connect(lambda: gone.append(True))
    bar.show_view(UNTRUSTED)
    entries(bar)["Remove…"].trigger()
    box = dialog_of(bar, QMessageBox)
    assert "“<b>Odd</b> rows”" in box.text()
    assert box.textFormat() is Qt.TextFormat.PlainText
    assert box.defaultButton().text() == "Keep it"
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert gone == []
    QApplication.sendPostedEvents()
    entries(bar)["Remove…"].trigger()
    box = bar.findChildren(QMessageBox)[-1]
    next(one for one in box.buttons() if one.text() == "Remove").click()
    assert gone == [True]


def test_another_title_is_asked_for(bar: MineBar, qtbot: QtBot) -> None:
    entries(bar)["Rename…"].trigger()
    dialog = dialog_of(bar, QInputDialog)
    assert dialog.textValue() == "Odd rows"
    dialog.setTextValue("Better")
    with qtbot.waitSignal(bar.renamed) as told:
        dialog.accept()
    assert told.args == ["Better"]


def test_a_refused_half_is_read_only(qtbot: QtBot, theme: Theme) -> None:
    half = CodeHalf(Half.FIX, theme)
    qtbot.addWidget(half)
    half.editor.set_text("a\n")
    half.set_refused(refused=True)
    half.set_running(running=False)
    assert not half._run.isEnabled()
    assert not half._use.isEnabled()
    qtbot.keyClicks(half.editor, "typed")
    assert half.editor.text() == "a\n"
    half.set_refused(refused=False)
    assert half._run.isEnabled()
    qtbot.keyClicks(half.editor, "b")
    assert half.editor.text() == "ba\n"


def test_a_half_goes_elsewhere_by_its_menu(qtbot: QtBot, theme: Theme) -> None:
    half = CodeHalf(Half.FIX, theme)
    qtbot.addWidget(half)
    bench, compare = half._use.menu().actions()
    with qtbot.waitSignal(half.bench_requested):
        bench.trigger()
    with qtbot.waitSignal(half.compare_requested):
        compare.trigger()


def test_a_report_is_copied_as_the_visitor_left_it(qtbot: QtBot, theme: Theme) -> None:
    dialog = ReportDialog(theme, "## A report\n")
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(dialog)
    QGuiApplication.clipboard().setText("before")
    with qtbot.waitExposed(dialog):
        dialog.show()
    dialog._text.appendPlainText("more")
    with qtbot.waitSignal(dialog.copy_requested) as told:
        next(one for one in dialog.findChildren(QPushButton) if one.text() == "Copy").click()
    assert told.args == ["## A report\n\nmore"]
    assert any(label.text().startswith("Copied") for label in dialog.findChildren(QLabel))


def test_the_id_follows_the_title_until_the_visitor_writes_one(qtbot: QtBot, theme: Theme) -> None:
    dialog = KeepDialog(theme, "Odd rows", "odd-rows")
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    titles: list[str] = []
    dialog.title_edited.connect(titles.append)
    qtbot.keyClicks(dialog._title, "Ten")
    assert titles[-1] == "Ten"
    dialog.show_slug("ten")
    assert dialog._slug.text() == "ten"
    dialog._slug.selectAll()
    qtbot.keyClicks(dialog._slug, "mine")
    dialog.show_slug("other")
    assert dialog._slug.text() == "mine"
    with qtbot.waitSignal(dialog.keep_requested) as told:
        qtbot.keyClick(dialog._title, Qt.Key.Key_Return)
    assert told.args == ["Ten", "mine", ""]
    dialog.say("this does not become an exhibit")
    assert any(label.text().startswith("this does not") and label.isVisible() for label in dialog.findChildren(QLabel))


def test_files_let_go_over_a_view_are_told_and_nothing_else(qtbot: QtBot, tmp_path: Path) -> None:
    view = QTreeView()
    qtbot.addWidget(view)
    dropped: list[list[str]] = []
    FileDrop(view.viewport()).dropped.connect(dropped.append)
    files, words, link = QMimeData(), QMimeData(), QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.zip")), QUrl("https://example.org/b.zip")])
    words.setText("words")
    link.setUrls([QUrl("https://example.org/b.zip")])
    for data in (files, words, link):
        actions, button, key = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        enter = QDragEnterEvent(QPoint(5, 5), actions, data, button, key)
        QApplication.sendEvent(view.viewport(), enter)
        assert enter.isAccepted() is (data is files)
        if data is files:
            QApplication.sendEvent(view.viewport(), QDropEvent(QPointF(5, 5), actions, data, button, key))
    assert dropped == [[str(tmp_path / "a.zip")]]

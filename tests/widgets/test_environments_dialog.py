"""The dialog of environments: what it shows, what it asks for, and that the keyboard reaches it."""

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QFileDialog, QLabel, QLineEdit, QPlainTextEdit, QPushButton, QTableWidget
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.environments_dialog import COLUMNS, LOOKING, NONE, EnvironmentRow, EnvironmentsDialog

SIGNALS = ("build_requested", "cancel_requested", "remove_requested", "named")
ROWS = (
    EnvironmentRow("own", ("own", "0.10.2", "3.11.7", "fake CPU devices", "the museum itself"), "/own/python", False),
    EnvironmentRow("mine", ("mine", "0.6.2", "3.10.4", "fake CPU devices", "you"), "/mine/python", True),
)


@pytest.fixture
def dialog(qtbot: QtBot, theme: Theme) -> EnvironmentsDialog:
    dialog = EnvironmentsDialog(theme, ["0.4.38", "0.12.0.1"])
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(dialog)
    dialog.show_rows(ROWS)
    with qtbot.waitExposed(dialog):
        dialog.show()
    return dialog


@pytest.fixture
def asked(dialog: EnvironmentsDialog) -> list[tuple[str, tuple[Any, ...]]]:
    """What the dialog asks for, in order."""
    asked: list[tuple[str, tuple[Any, ...]]] = []
    for name in SIGNALS:
        getattr(dialog, name).connect(lambda *values, name=name: asked.append((name, values)))
    return asked


def part(dialog: EnvironmentsDialog, kind: type, name: str = "") -> Any:
    """The control of that kind whose accessible name begins so."""
    found = [one for one in dialog.findChildren(kind) if (one.accessibleName() or one.text()).startswith(name)]
    assert len(found) == 1, found
    return found[0]


def table(dialog: EnvironmentsDialog) -> QTableWidget:
    return part(dialog, QTableWidget, "Environments")


def press(qtbot: QtBot, dialog: EnvironmentsDialog, name: str) -> None:
    qtbot.mouseClick(part(dialog, QPushButton, name), Qt.MouseButton.LeftButton)


def says(dialog: EnvironmentsDialog, text: str) -> bool:
    return text in [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]


def test_it_lists_environments_with_where_they_lie(dialog: EnvironmentsDialog) -> None:
    shown = table(dialog)
    assert [shown.horizontalHeaderItem(number).text() for number in range(shown.columnCount())] == list(COLUMNS)
    for number, row in enumerate(ROWS):
        assert tuple(shown.item(number, column).text() for column in range(len(COLUMNS))) == row.cells
        assert {shown.item(number, column).toolTip() for column in range(len(COLUMNS))} == {row.tip}
    dialog.show_rows(ROWS[:1])
    assert shown.rowCount() == 1


def test_every_control_has_a_name(dialog: EnvironmentsDialog) -> None:
    controls = [
        *dialog.findChildren(QPushButton),
        *dialog.findChildren(QLineEdit),
        *dialog.findChildren(QTableWidget),
        *dialog.findChildren(QPlainTextEdit),
    ]
    assert len(controls) >= 7
    assert [control for control in controls if not control.accessibleName()] == []
    assert part(dialog, QCheckBox).text().startswith("with libtpu")
    assert part(dialog, QLineEdit, "JAX version").placeholderText() == "JAX version, for example 0.12.0.1"


def test_tab_reaches_every_control_once(dialog: EnvironmentsDialog, qtbot: QtBot) -> None:
    dialog.activateWindow()
    table(dialog).setFocus()
    reached = []
    for _ in range(12):
        focused = dialog.focusWidget()
        if focused in reached:
            break
        reached.append(focused)
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
    names = [(one.accessibleName() or one.text()).split()[0] for one in reached]
    assert names == ["Environments", "JAX", "with", "Build", "Name", "Close"]


def test_only_what_may_go_can_be_removed(dialog: EnvironmentsDialog, asked: list, qtbot: QtBot) -> None:
    remove = part(dialog, QPushButton, "Remove")
    assert not remove.isEnabled()
    table(dialog).selectRow(0)
    assert not remove.isEnabled()
    table(dialog).selectRow(1)
    assert remove.isEnabled()
    press(qtbot, dialog, "Remove")
    assert asked == [("remove_requested", ("mine",))]
    dialog.show_rows(ROWS[:1])
    assert not remove.isEnabled()


def test_arrows_select(dialog: EnvironmentsDialog, qtbot: QtBot) -> None:
    table(dialog).setFocus()
    table(dialog).setCurrentCell(0, 0)
    qtbot.keyClick(table(dialog), Qt.Key.Key_Down)
    assert part(dialog, QPushButton, "Remove").isEnabled()


@pytest.mark.parametrize("with_tpu", [False, True])
@pytest.mark.parametrize("by_key", [False, True])
def test_a_version_is_asked_for_once(
    by_key: bool, with_tpu: bool, dialog: EnvironmentsDialog, asked: list, qtbot: QtBot
) -> None:
    version = part(dialog, QLineEdit, "JAX version")
    qtbot.keyClicks(version, " 0.4.38 ")
    part(dialog, QCheckBox).setChecked(with_tpu)
    if by_key:
        qtbot.keyClick(version, Qt.Key.Key_Return)
    else:
        press(qtbot, dialog, "Build")
    assert asked == [("build_requested", ("0.4.38", with_tpu))]
    assert dialog.isVisible()


@pytest.mark.parametrize("text", ["", "   "])
def test_an_empty_version_is_told_and_not_asked_for(
    text: str, dialog: EnvironmentsDialog, asked: list, qtbot: QtBot
) -> None:
    qtbot.keyClicks(part(dialog, QLineEdit, "JAX version"), text)
    press(qtbot, dialog, "Build")
    assert asked == []
    assert says(dialog, "Write a JAX version first.")


def test_while_building_only_cancel_helps(dialog: EnvironmentsDialog, asked: list, qtbot: QtBot) -> None:
    cancel, build = (part(dialog, QPushButton, name) for name in ("Cancel", "Build"))
    assert not cancel.isVisible()
    dialog.set_building(building=True)
    assert cancel.isVisible()
    assert not build.isEnabled()
    assert not part(dialog, QLineEdit, "JAX version").isEnabled()
    assert not part(dialog, QCheckBox).isEnabled()
    press(qtbot, dialog, "Cancel")
    assert asked == [("cancel_requested", ())]
    dialog.set_building(building=False)
    assert build.isEnabled()
    assert not cancel.isVisible()


def test_what_is_said_takes_room_only_while_it_is_said(dialog: EnvironmentsDialog) -> None:
    dialog.say("uv failed: no network", "bad")
    assert says(dialog, "uv failed: no network")
    dialog.say("")
    assert not says(dialog, "")


def test_the_log_shows_its_end(dialog: EnvironmentsDialog, qtbot: QtBot) -> None:
    log = part(dialog, QPlainTextEdit, "Progress")
    assert not log.isVisible()
    dialog.show_log("\n".join(f"line {number}" for number in range(200)))
    assert log.isVisible()
    assert log.toPlainText().endswith("line 199")
    assert log.verticalScrollBar().value() == log.verticalScrollBar().maximum()
    dialog.show_log("")
    assert not log.isVisible()


def test_a_folder_is_named(dialog: EnvironmentsDialog, asked: list, qtbot: QtBot, tmp_path: Any) -> None:
    press(qtbot, dialog, "Name")
    (chooser,) = dialog.findChildren(QFileDialog)
    assert chooser.fileMode() == QFileDialog.FileMode.Directory
    chooser.fileSelected.emit(str(tmp_path))
    chooser.close()
    assert asked == [("named", (str(tmp_path),))]


def test_without_known_versions_the_hint_is_short(qtbot: QtBot, theme: Theme) -> None:
    dialog = EnvironmentsDialog(theme, [])
    qtbot.addWidget(dialog)
    assert part(dialog, QLineEdit, "JAX version").placeholderText() == "JAX version"


def test_it_says_that_it_looks_and_what_to_do_where_nothing_is_found(theme: Theme, qtbot: QtBot) -> None:
    dialog = EnvironmentsDialog(theme, ("0.12.0.1",))
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    assert dialog._state.text() == LOOKING
    dialog.show_rows([])
    assert dialog._state.text() == NONE
    dialog.say("uv failed: no package index can be reached", "bad")
    dialog.show_rows([])
    assert dialog._state.text() == "uv failed: no package index can be reached"

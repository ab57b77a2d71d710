"""The palette: what a few letters find, and what Return, arrows and a click do."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.palette import MOST, Entries, Entry, Palette

ENTRIES = (
    Entry("run-failing", "Run failing", "F5"),
    Entry("run-fix", "Run fix", "F6"),
    Entry("larger", "Larger text", "Ctrl+="),
    Entry("xla/unknown-axis", "A spec naming an axis that the mesh does not have", "xla/unknown-axis"),
)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("", ["run-failing", "run-fix", "larger", "xla/unknown-axis"]),
        ("run", ["run-failing", "run-fix"]),
        ("fix run", ["run-fix"]),
        ("AXIS", ["xla/unknown-axis"]),
        ("unknown-axis", ["xla/unknown-axis"]),
        ("xt", ["larger"]),
        ("rnfx", ["run-fix"]),
        ("zzz", []),
        ("namimg axsi", ["xla/unknown-axis"]),
        ("larger tetx", ["larger"]),
        ("failnig", ["run-failing"]),
        ("nmaing zzzzz", []),
    ],
)
def test_words_find_else_letters_in_order_else_words_with_slips(typed: str, found: list[str]) -> None:
    assert [entry.key for entry in Entries(ENTRIES).matching(typed)] == found


def test_what_begins_with_a_word_comes_first() -> None:
    entries = [Entry("a", "Show text"), Entry("b", "Extend"), Entry("c", "Text size")]
    assert [entry.key for entry in Entries(entries).matching("te")] == ["a", "c", "b"]


@pytest.fixture
def palette(qtbot: QtBot, theme: Theme) -> Palette:
    palette = Palette(ENTRIES, theme)
    palette.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(palette)
    with qtbot.waitExposed(palette):
        palette.show()
    return palette


def test_return_does_the_first_that_was_found(palette: Palette, qtbot: QtBot) -> None:
    field = palette.findChild(QLineEdit)
    qtbot.keyClicks(field, "axis")
    with qtbot.waitSignal(palette.chosen) as chosen:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert chosen.args == ["xla/unknown-axis"]
    assert not palette.isVisible()


def test_arrows_move_while_one_types(palette: Palette, qtbot: QtBot) -> None:
    field = palette.findChild(QLineEdit)
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        qtbot.keyClick(field, key)
    with qtbot.waitSignal(palette.chosen) as chosen:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert chosen.args == ["run-fix"]


def test_a_click_does_it(palette: Palette, qtbot: QtBot) -> None:
    shown = palette.findChild(QListWidget)
    with qtbot.waitSignal(palette.chosen) as chosen:
        qtbot.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=shown.visualItemRect(shown.item(2)).center())
    assert chosen.args == ["larger"]


def test_nothing_found_is_said_and_return_does_nothing(palette: Palette, qtbot: QtBot) -> None:
    field = palette.findChild(QLineEdit)
    qtbot.keyClicks(field, "zzz")
    assert palette.findChild(QLabel).isVisible()
    with qtbot.assertNotEmitted(palette.chosen):
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert palette.isVisible()


def test_of_many_entries_only_so_many_are_listed(qtbot: QtBot, theme: Theme) -> None:
    palette = Palette([Entry(str(number), f"entry {number}") for number in range(700)], theme)
    qtbot.addWidget(palette)
    assert palette.findChild(QListWidget).count() == MOST

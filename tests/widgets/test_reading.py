"""Accounts of runs: tabs, message, streams, and what is copied."""

from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QPlainTextEdit, QPushButton, QTextBrowser, QWidget
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.reading import MOST_TEXT, Reading, Readings, ReadingView
from museum.exhibit import Half
from museum.lab.verify import Verdict
from museum.strip import Cell, Place, Strip

TRACEBACK = """a log line
Traceback (most recent call last):
  File "failing.py", line 3, in <module>
    fail(x)
  File "/opt/python/lib/python3.11/site-packages/jax/_src/api.py", line 10, in f
    raise
  File "/opt/python/lib/python3.11/site-packages/jax/_src/core.py", line 20, in g
    raise
ValueError: no
"""


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> ReadingView:
    view = ReadingView(theme)
    qtbot.addWidget(view)
    view.resize(700, 500)
    with qtbot.waitExposed(view):
        view.show()
    return view


@pytest.fixture
def readings(qtbot: QtBot, theme: Theme) -> Readings:
    readings = Readings(theme)
    readings.resize(700, 400)  # room for the tabs
    qtbot.addWidget(readings)
    readings.resize(700, 500)
    with qtbot.waitExposed(readings):
        readings.show()
    return readings


def shown(widget: QWidget, kind: type, name: str) -> Any:
    """The visible part of that kind and accessible name, or None."""
    found = [one for one in widget.findChildren(kind) if name in (one.accessibleName(), getattr(one, "text", str)())]
    return next((one for one in found if one.isVisible()), None)


def settle() -> None:
    """Lets what was added to a layout appear, and what was taken from it go."""
    QApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def said(widget: QWidget) -> list[str]:
    return [label.text() for label in widget.findChildren(QLabel) if label.isVisible() and label.text()]


def press(qtbot: QtBot, widget: QWidget, name: str) -> None:
    button = shown(widget, QPushButton, name)
    assert button is not None
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


# One account


def test_an_error_is_shown_verbatim_with_where_it_comes_from(view: ReadingView) -> None:
    view.show_reading(Reading("JAX 0.10.2", "failing on JAX 0.10.2", error="a.B", message="x  <y>\n  & (10, 16) of 4"))
    message = shown(view, QTextBrowser, "Error message")
    assert message.toPlainText().replace("\xa0", " ") == "a.B: x  <y>\n  & (10, 16) of 4"
    assert said(view) == ["failing on JAX 0.10.2"]
    for name in ("Recorded message", "stdout", "stderr"):
        assert shown(view, QTextBrowser, name) is None
        assert shown(view, QPlainTextEdit, name) is None


def test_a_run_without_an_error_shows_only_what_it_printed(view: ReadingView) -> None:
    view.show_reading(Reading("this run", "exit status 0", verdict="✓ The fix passes", role="good", stdout="fine\n"))
    assert said(view) == ["✓ The fix passes", "exit status 0", "stdout"]
    assert shown(view, QTextBrowser, "Error message") is None
    assert shown(view, QPushButton, "Copy message") is None
    assert shown(view, QPlainTextEdit, "stdout").toPlainText() == "fine\n"


@pytest.mark.parametrize(
    ("error", "message", "copied"),
    [("a.B", "x\n y", "a.B: x\n y"), ("KeyboardInterrupt", "", "KeyboardInterrupt"), ("", "words", "words")],
)
def test_class_and_message_are_copied(view: ReadingView, qtbot: QtBot, error: str, message: str, copied: str) -> None:
    view.show_reading(Reading("r", "p", error=error, message=message))
    press(qtbot, view, "Copy message")
    assert clipboard() == copied


def test_a_difference_stands_word_by_word_beside_the_record(view: ReadingView) -> None:
    view.show_reading(
        Reading(
            "r",
            "p",
            error="E",
            message="13 rows",
            recorded="E: 10 rows",
            recorded_label="Differs by word from what was recorded on JAX 0.10.2:",
        )
    )
    new, old = (shown(view, QTextBrowser, name) for name in ("Error message", "Recorded message"))
    assert (new.toPlainText(), old.toPlainText()) == ("E: 13 rows", "E: 10 rows")
    assert "Differs by word from what was recorded on JAX 0.10.2:" in said(view)
    for browser, number in ((new, "13"), (old, "10")):
        cursor = browser.document().find(number)
        assert cursor.charFormat().fontUnderline()
        assert not browser.document().find("rows").charFormat().fontUnderline()
    view.show_reading(Reading("r", "p", error="E", message="13 rows"))
    assert shown(view, QTextBrowser, "Recorded message") is None
    assert not new.document().find("13").charFormat().fontUnderline()


def test_a_traceback_is_folded_until_it_is_asked_for(view: ReadingView, qtbot: QtBot) -> None:
    view.show_reading(Reading("r", "p", error="ValueError", message="no", stderr=TRACEBACK))
    pane = shown(view, QPlainTextEdit, "stderr")
    assert "site-packages" not in pane.toPlainText()
    assert "… 2 frames of JAX …" in pane.toPlainText()
    assert 'File "failing.py", line 3' in pane.toPlainText()
    press(qtbot, view, "Show whole traceback")
    assert pane.toPlainText() == TRACEBACK
    assert shown(view, QPushButton, "Fold traceback").accessibleName() == "Fold traceback"
    press(qtbot, view, "Fold traceback")
    assert "site-packages" not in pane.toPlainText()


def test_copying_a_folded_stream_copies_all_of_it(view: ReadingView, qtbot: QtBot) -> None:
    view.show_reading(Reading("r", "p", stdout="out\n", stderr=TRACEBACK))
    press(qtbot, view, "Copy stderr")
    assert clipboard() == TRACEBACK
    press(qtbot, view, "Copy stdout")
    assert clipboard() == "out\n"


def test_what_has_nothing_to_fold_offers_no_folding(view: ReadingView) -> None:
    view.show_reading(Reading("r", "p", stdout=TRACEBACK, stderr="a warning\n"))
    assert shown(view, QPushButton, "Show whole traceback") is None
    assert shown(view, QPlainTextEdit, "stdout").toPlainText() == TRACEBACK


def test_another_account_starts_folded(view: ReadingView, qtbot: QtBot) -> None:
    view.show_reading(Reading("r", "p", stderr=TRACEBACK))
    press(qtbot, view, "Show whole traceback")
    view.show_reading(Reading("s", "p", stderr=TRACEBACK))
    assert shown(view, QPushButton, "Show whole traceback") is not None


def test_blank_streams_take_no_room(view: ReadingView) -> None:
    view.show_reading(Reading("r", "p", stdout=" \n\n", stderr=""))
    assert shown(view, QPlainTextEdit, "stdout") is None


def test_a_huge_stream_is_laid_out_in_part_and_copied_whole(view: ReadingView, qtbot: QtBot) -> None:
    text = "first\n" + "x" * 99 * 10_000 + "\n" * 10 + "last"
    view.show_reading(Reading("r", "p", stdout=text))
    pane = shown(view, QPlainTextEdit, "stdout")
    qtbot.waitUntil(lambda: pane.toPlainText().endswith("\nlast"))  # it comes by slices
    laid_out = pane.toPlainText()
    assert laid_out.startswith("first\nxxx")
    assert "the middle is not shown here" in laid_out
    assert len(laid_out) < MOST_TEXT + 200
    press(qtbot, view, "Copy stdout")
    assert clipboard() == text


def test_a_huge_message_keeps_its_end(view: ReadingView) -> None:
    view.show_reading(Reading("r", "p", error="E", message="axis 0 " * 5_000 + "end"))
    assert shown(view, QTextBrowser, "Error message").toPlainText().endswith("end")


@pytest.mark.parametrize("text", ["<b>bold</b>", "<img src='x.png'>", "a\tb", "\u202egnp", "🦀" * 50, "\x1b[31mred"])
def test_output_is_text_whatever_stands_in_it(view: ReadingView, text: str) -> None:
    view.show_reading(Reading("r", text, error="E", message=text, verdict=text, stdout=text))
    assert shown(view, QPlainTextEdit, "stdout").toPlainText() == text
    assert "<b>" not in text or "<b>" in shown(view, QTextBrowser, "Error message").toPlainText()
    assert said(view)[0] == text


def test_another_theme_keeps_what_is_shown(view: ReadingView, dark: Theme) -> None:
    view.show_reading(Reading("r", "p", error="E", message="m", stderr=TRACEBACK))
    before = shown(view, QPlainTextEdit, "stderr").font().pointSizeF()
    view.set_theme(dark)
    assert shown(view, QTextBrowser, "Error message").toPlainText() == "E: m"
    assert shown(view, QPlainTextEdit, "stderr").font().pointSizeF() > before


# All accounts of an exhibit


def test_without_an_account_it_says_what_to_do(readings: Readings) -> None:
    readings.show_readings([])
    assert said(readings) == ["Nothing was recorded yet. Run the failing half to see what it does here."]
    assert readings.chosen is None


def test_a_tab_shows_its_account(readings: Readings, qtbot: QtBot) -> None:
    accounts = [Reading(f"JAX {version}", f"on {version}") for version in ("0.12", "0.10", "0.4")]
    readings.show_readings(accounts, chosen=1)
    assert readings.chosen is accounts[1]
    assert said(readings) == ["on 0.10"]
    settle()
    tabs = [shown(readings, QPushButton, f"Show {account.label}") for account in accounts]
    assert [tab.isChecked() for tab in tabs] == [False, True, False]
    qtbot.mouseClick(tabs[2], Qt.MouseButton.LeftButton)
    assert [tab.isChecked() for tab in tabs] == [False, False, True]
    assert said(readings) == ["on 0.4"]
    qtbot.keyClick(tabs[2], Qt.Key.Key_Left)
    qtbot.keyClick(tabs[1], Qt.Key.Key_Space)
    assert readings.chosen is accounts[1]


def test_a_choice_beyond_the_last_account_shows_the_last(readings: Readings) -> None:
    readings.show_readings([Reading("a", "pa"), Reading("b", "pb")], chosen=7)
    assert said(readings) == ["pb"]


def test_new_accounts_take_the_place_of_the_old_ones(readings: Readings) -> None:
    for number in range(5):
        readings.show_readings([Reading(f"{number} {place}", "p") for place in range(3)])
        settle()
    tabs = [one for one in readings.findChildren(QPushButton) if one.isCheckable()]
    assert [tab.text() for tab in tabs] == ["4 0", "4 1", "4 2"]
    assert [tab.isVisible() for tab in tabs] == [True] * 3
    readings.show_readings([])
    settle()
    assert said(readings)[0].startswith("Nothing was recorded")
    assert not any(one.isCheckable() for one in readings.findChildren(QPushButton))


def test_many_tabs_do_not_widen_the_page(qtbot: QtBot, theme: Theme) -> None:
    view = Readings(theme)
    qtbot.addWidget(view)
    view.show_readings([Reading(f"JAX 0.{number}.0, tpu-compile", "") for number in range(30)])
    assert view.minimumSizeHint().width() < 400
    view.resize(400, 300)
    view.show()
    qtbot.waitExposed(view)
    view.choose(29)
    assert view.chosen is not None
    assert view.chosen.label == "JAX 0.29.0, tpu-compile"


# -- the version strip -------------------------------------------------------------------------------------------------


def cell(readings: Readings, half: str, jax: str) -> QPushButton:
    found = [
        one for one in readings.findChildren(QPushButton) if one.accessibleName().startswith(f"{half} on JAX {jax},")
    ]
    return next(one for one in found if one.isVisible())


@pytest.fixture
def with_strip(readings: Readings) -> Readings:
    """Both halves on two versions, one of them never run, one ruled out, and a run of now."""
    place = partial(Place, target="cpu:8")
    cells = {
        place(half=Half.FAILING, jax="0.4.38"): Cell(Verdict.REPRODUCES, "recorded 2026-11-30"),
        place(half=Half.FAILING, jax="0.10.2"): Cell(None, "not run yet", can_run=True),
        place(half=Half.FIX, jax="0.4.38"): Cell(Verdict.NOT_RUNNABLE, "needs more"),
        place(half=Half.FIX, jax="0.10.2"): Cell(Verdict.FIX_FAILS, "just now", is_new=True),
    }
    strip = Strip(("0.4.38", "0.10.2"), ((Half.FAILING, "cpu:8"), (Half.FIX, "cpu:8")), cells)
    old, new = place(half=Half.FAILING, jax="0.4.38"), place(half=Half.FIX, jax="0.10.2")
    accounts = [
        Reading("this run: fix", "now"),
        Reading("JAX 0.4.38", "then", error="E", message="10 rows", place=old),
        Reading("fix on JAX 0.10.2, just now", "again", error="E", message="12 rows", place=new),
    ]
    readings.show_readings(accounts, 1, strip)
    settle()
    return readings


def test_a_cell_is_told_by_its_letter_and_its_name(with_strip: Readings) -> None:
    cells = [cell(with_strip, half, jax) for half in ("failing", "fix") for jax in ("0.4.38", "0.10.2")]
    assert [one.text() for one in cells] == ["R", "·", "–", "F"]  # noqa: RUF001
    assert cells[0].accessibleName() == "failing on JAX 0.4.38, cpu:8: reproduces"
    assert "needs more" in cells[2].toolTip()
    assert [one.isEnabled() for one in cells] == [True, True, False, True]
    assert [one.isChecked() for one in cells] == [True, False, False, False]


def test_a_cell_shows_its_account_and_the_tabs_hold_the_others(with_strip: Readings, qtbot: QtBot) -> None:
    tabs = [one.text() for one in with_strip.findChildren(QPushButton) if one.property("role") == "tab"]
    assert tabs == ["this run: fix"]
    qtbot.mouseClick(cell(with_strip, "fix", "0.10.2"), Qt.MouseButton.LeftButton)
    assert with_strip.chosen is not None
    assert with_strip.chosen.provenance == "again"
    assert not cell(with_strip, "failing", "0.4.38").isChecked()


def test_a_strip_with_the_same_versions_keeps_its_cells_and_says_something_else_in_them(
    with_strip: Readings, theme: Theme, qtbot: QtBot
) -> None:
    before = {jax: cell(with_strip, "failing", jax) for jax in ("0.4.38", "0.10.2")}
    with_strip.setStyleSheet(theme.style_sheet())
    colour = before["0.4.38"].palette().buttonText().color()
    cells = {
        Place(half, "cpu:8", jax): Cell(Verdict.OTHER_ERROR, "recorded")
        for half in Half
        for jax in ("0.4.38", "0.10.2")
    }
    shape = ("0.4.38", "0.10.2"), ((Half.FAILING, "cpu:8"), (Half.FIX, "cpu:8"))
    new = Place(Half.FAILING, "cpu:8", "0.10.2")
    with_strip.show_readings([Reading("JAX 0.10.2", "p", error="E", message="m", place=new)], 0, Strip(*shape, cells))
    settle()
    old, now = (cell(with_strip, "failing", jax) for jax in ("0.4.38", "0.10.2"))
    assert (old, now) == tuple(before.values())
    assert old.accessibleName() == "failing on JAX 0.4.38, cpu:8: other error"
    assert old.palette().buttonText().color() != colour
    assert (old.isEnabled(), old.isCheckable(), now.isChecked()) == (False, False, True)
    with qtbot.assertNotEmitted(with_strip.run_requested):
        qtbot.mouseClick(now, Qt.MouseButton.LeftButton)  # it was there to be run, and has an account now
    other = Strip(("0.6.2",), ((Half.FAILING, "cpu:8"),), {Place(Half.FAILING, "cpu:8", "0.6.2"): Cell(None, "")})
    with_strip.show_readings([], 0, other)
    settle()
    shown_now = [one for one in with_strip.findChildren(QPushButton) if one.property("role") == "cell"]
    assert [one.accessibleName() for one in shown_now if one.isVisible()] == ["failing on JAX 0.6.2, cpu:8: never run"]


def test_a_cell_that_was_never_run_asks_for_its_run(with_strip: Readings, qtbot: QtBot) -> None:
    with qtbot.waitSignal(with_strip.run_requested) as asked:
        qtbot.mouseClick(cell(with_strip, "failing", "0.10.2"), Qt.MouseButton.LeftButton)
    assert asked.args == [Place(Half.FAILING, "cpu:8", "0.10.2")]
    assert with_strip.chosen is not None
    assert with_strip.chosen.label == "JAX 0.4.38"


def test_any_two_accounts_are_compared_by_word_with_each_side_named(with_strip: Readings) -> None:
    box = shown(with_strip, QComboBox, "Compare with another account")
    assert [box.itemText(row) for row in range(box.count())] == ["Compare with …", "fix on JAX 0.10.2, just now"]
    box.setCurrentIndex(1)
    box.activated.emit(1)
    old, new = (shown(with_strip, QTextBrowser, name) for name in ("Error message", "Recorded message"))
    assert (old.toPlainText(), new.toPlainText()) == ("E: 10 rows", "E: 12 rows")
    assert "JAX 0.4.38 above, fix on JAX 0.10.2, just now below; words that differ are marked:" in said(with_strip)
    box.activated.emit(0)
    assert shown(with_strip, QTextBrowser, "Recorded message") is None


def test_other_accounts_do_not_move_the_visitor(with_strip: Readings) -> None:
    with_strip.show_readings([Reading("new", "n"), *with_strip._readings], None)
    assert with_strip.chosen is not None
    assert with_strip.chosen.label == "JAX 0.4.38"
    with_strip.show_readings([Reading("quite", "other")], None)
    assert with_strip.chosen.label == "quite"


@pytest.mark.parametrize(
    ("reading", "silent"),
    [
        (Reading("run 1", "p", verdict="✓ Runs to its end", role="good"), True),
        (Reading("run 1", "p", verdict="✓ Runs to its end", role="good", stdout="x"), False),
        (Reading("run 1", "p", verdict="✗ Not started", role="bad"), False),
        (Reading("run 1", "", verdict="… running", is_live=True), False),
    ],
)
def test_a_run_that_printed_nothing_says_so(view: ReadingView, reading: Reading, silent: bool) -> None:
    view.show_reading(reading)
    assert ("It printed nothing." in said(view)) == silent

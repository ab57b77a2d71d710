"""The page of a pasted error: what it shows of an answer, and what it asks for."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAccessible, QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QPushButton, QTableWidget, QWidget
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.diagnosis_page import DiagnosisPage
from gui.widgets.row_button import RowButton
from gui.widgets.run_bar import Choice
from gui.widgets.source_view import SourceView
from museum.diagnosis.answer import Answer, SiteAnswer, Value
from museum.diagnosis.cpp_sites import KnownSite
from museum.diagnosis.exhibit_search import ExhibitHit
from museum.diagnosis.frames import Frame
from museum.diagnosis.reading import Reading
from museum.diagnosis.source import SourceLines
from museum.mesh.mesh import Mesh
from museum.mesh.spec import Spec

READING = Reading(
    "ValueError",
    ("ValueError", "OtherError"),
    "dimension 0 of <b>10</b>",
    own=Frame("train.py", 12, "step"),
    jax="0.10.2",
    code="E1000",
    status="INTERNAL",
)
HIT = ExhibitHit("xla/one", "A dimension", 0.98, ("same class and message", "only the values differ"), "0.8.3")
NEAR = ExhibitHit("xla/two", "Another thing", 0.4, ("40% of the pasted words",), "0.8.3")
SITE = SiteAnswer(
    "ValueError",
    "jax/_src/a.py",
    120,
    "f.g",
    "dimension {dim} of {size}",
    0.9,
    ("it makes this very message",),
    "0.12.0.1",
    "https://github.com/jax-ml/jax/blob/jax-v0.12.0.1/jax/_src/a.py#L120",
    SourceLines(118, ("def f():", "  def g():", "    raise ValueError(msg)", "")),
)
LAYOUT = (Mesh.parse("x=4"), Spec.parse("x"), (10,))
WHOLE = Answer(READING, (HIT, NEAR), (), (SITE, replace(SITE, line=7, source=None)), None, (), None, "0.12.0.1")


@pytest.fixture
def page(theme: Theme, qtbot: QtBot) -> DiagnosisPage:
    theme.apply(QApplication.instance())  # type: ignore[arg-type]
    page = DiagnosisPage(theme)
    qtbot.addWidget(page)
    page.resize(1100, 760)
    with qtbot.waitExposed(page):
        page.show()
    return page


def show(page: DiagnosisPage, answer: Answer) -> str:
    """Show an answer; all that is said then."""
    page.show_answer(answer)
    while not page._answer.is_complete:
        QApplication.processEvents()
    QApplication.processEvents()
    return said(page)


def said(part: QWidget) -> str:
    return "\n".join(label.text() for label in part.findChildren(QLabel) if label.isVisibleTo(part))


def rows(page: DiagnosisPage) -> list[RowButton]:
    return [row for row in page.findChildren(RowButton) if row.isVisible()]


def button(page: QWidget, words: str) -> QPushButton:
    return next(one for one in page.findChildren(QPushButton) if one.text() == words and one.isVisible())


def listen(signal: Any) -> list[Any]:
    told: list[Any] = []
    signal.connect(lambda *values: told.append(*values) if values else told.append(None))
    return told


def test_without_a_text_it_says_what_to_paste(page: DiagnosisPage) -> None:
    page.set_examples([Choice("one", "ValueError: x", "recorded"), Choice("two", "OOM: y", "recorded")])
    QApplication.processEvents()
    assert "A traceback, a log of a whole run" in said(page)
    told = listen(page.example_chosen)
    rows(page)[1].click()
    assert told == ["two"]


def test_an_explained_error(page: DiagnosisPage) -> None:
    words = show(page, WHOLE)
    assert page._answer._message.toPlainText() == "ValueError: dimension 0 of <b>10</b>"
    facts = "also named OtherError · XLA code E1000 · status INTERNAL · JAX 0.10.2, as the text says"
    assert f"{facts} · your code: train.py:12 in step" in words
    assert words.index("Explained by") < words.index("Near misses") < words.index("Raised in JAX 0.12.0.1")
    assert "98% match · xla/one · same class and message; only the values differ" in words
    assert "These come near, and are about something else." in words
    assert "No exhibit yet" not in words
    assert "Paste an error" not in words
    assert "jax/_src/a.py:120 in f.g" in words
    assert "ValueError: dimension {dim} of {size}" in words
    assert "2 places may have raised it, the likeliest first" in words


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space, None])
def test_exhibits_open(page: DiagnosisPage, key: Qt.Key | None) -> None:
    show(page, WHOLE)
    told = listen(page.exhibit_chosen)
    for row in rows(page):
        if key is None:
            QTest.mouseClick(row, Qt.MouseButton.LeftButton)
        else:
            QTest.keyClick(row, key)
    assert told == ["xla/one", "xla/two"]


def test_no_exhibit_is_said_honestly(page: DiagnosisPage) -> None:
    words = show(page, replace(WHOLE, exhibits=(), near=(NEAR,), sites=()))
    assert "No exhibit yet\nThe museum has no exhibit of this error." in words
    assert "Near misses" in words
    assert "Explained by" not in words
    assert "Not found in JAX 0.12.0.1\nNo place there is known to say this." in words


def test_the_version_that_recorded_it_can_be_asked(page: DiagnosisPage) -> None:
    show(page, replace(WHOLE, sites=()))
    told = listen(page.jax_chosen)
    button(page, "Ask JAX 0.8.3").click()
    assert told == ["0.8.3"]


def test_values_and_the_layout(page: DiagnosisPage) -> None:
    values = (Value("dimension", "0"), Value("<img src=x>", "x " * 150))
    show(page, replace(WHOLE, values=values, layout=LAYOUT))
    [table] = [one for one in page.findChildren(QTableWidget) if one.isVisible() and one.accessibleName() != "Records"]
    assert [[table.item(row, column).text() for column in (0, 1)] for row in (0, 1)] == [
        [value.name, value.text] for value in values
    ]
    assert table.item(1, 0).toolTip().startswith('<p style="white-space: pre-wrap">&lt;img')
    assert table.rowHeight(1) > 2 * table.rowHeight(0)  # it wraps
    assert not table.verticalScrollBar().isVisible()
    told = listen(page.studio_requested)
    button(page, "Draw it in the studio").click()
    assert len(told) == 1


def test_without_a_layout_there_is_nothing_to_draw(page: DiagnosisPage) -> None:
    show(page, replace(WHOLE, values=(Value("a", "b"),)))
    assert [one for one in page.findChildren(QPushButton) if one.text() == "Draw it in the studio"] == []


def test_the_source_of_the_first_place_stands_open(page: DiagnosisPage) -> None:
    show(page, WHOLE)
    [view] = page.findChildren(SourceView)
    assert view.isVisible()
    assert view.isReadOnly()
    assert (view.first_line, view.blamed_line()) == (118, 3)
    assert "Line 120: raised here" in view.accessibleDescription()
    QApplication.processEvents()  # the colours come after the first paint
    assert view.verticalScrollBar().maximum() == 0
    button(page, "Hide source").click()
    assert not view.isVisible()
    button(page, "Show source").click()
    assert view.isVisible()
    told = listen(page.link_activated)
    button(page, "Open JAX 0.12.0.1 on GitHub").click()
    assert told == [SITE.url]


def test_a_family_of_errors_from_c(page: DiagnosisPage) -> None:
    known = KnownSite("Host offloading", "XLA", ("x",), "E1000", "", "https://openxla.org/e1000")
    words = show(page, replace(WHOLE, sites=(), known=known))
    assert "Raised in C++\nE1000 Host offloading (XLA)" in words
    assert "Not found in JAX" not in words
    told = listen(page.link_activated)
    button(page, "Open https://openxla.org/e1000").click()
    assert told == ["https://openxla.org/e1000"]


def test_the_same_sections_stay_while_the_rest_changes(page: DiagnosisPage) -> None:
    show(page, WHOLE)
    [view] = page.findChildren(SourceView)
    show(page, replace(WHOLE, reading=replace(READING, message="dimension 1"), exhibits=(), near=(NEAR,)))
    assert view.isVisible()
    labels = {label.text(): label for label in page.findChildren(QLabel) if label.isVisible()}
    headings = ("No exhibit yet", "Near misses", "Raised in JAX 0.12.0.1")
    places = [labels[heading].mapTo(page, QPoint()).y() for heading in headings]
    assert places == sorted(places)
    assert page._answer._message.toPlainText() == "ValueError: dimension 1"


def test_another_answer_in_the_middle_of_one(page: DiagnosisPage) -> None:
    page.show_answer(WHOLE)
    assert not page._answer.is_complete
    words = show(page, replace(WHOLE, exhibits=(), sites=(), near=()))
    assert "Explained by" not in words
    assert "Raised in" not in words


def test_other_colours_dress_the_answer_anew(page: DiagnosisPage, dark: Theme) -> None:
    show(page, WHOLE)
    page.set_theme(dark)
    while not page._answer.is_complete:
        QApplication.processEvents()
    QApplication.processEvents()
    [view] = [view for view in page.findChildren(SourceView) if view.isVisible()]
    assert view.colours.background == dark.colour("paper")


def test_tab_walks_the_answer_as_it_is_read(page: DiagnosisPage) -> None:
    show(page, replace(WHOLE, values=(Value("a", "b"),), layout=LAYOUT))
    page._answer._message.setFocus()
    walked = []
    for _ in range(8):
        QTest.keyClick(page.focusWidget(), Qt.Key.Key_Tab)
        walked.append(page.focusWidget().accessibleName())
    assert walked == [
        "A dimension",
        "Another thing",
        "Values in the message",
        "Draw it in the studio",
        "Hide source of jax/_src/a.py:120",
        "Open JAX 0.12.0.1 on GitHub: jax/_src/a.py:120",
        "Source around jax/_src/a.py:120",
        "Open JAX 0.12.0.1 on GitHub: jax/_src/a.py:7",
    ]


def test_every_control_has_a_name(page: DiagnosisPage) -> None:
    page.set_versions([Choice("", "as the text says")], "")
    show(page, replace(WHOLE, values=(Value("a", "b"),), layout=LAYOUT))
    for widget in page.findChildren(QWidget):
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            interface = QAccessible.queryAccessibleInterface(widget)
            assert interface.text(QAccessible.Text.Name).strip(), widget
    row = rows(page)[0]
    assert QAccessible.queryAccessibleInterface(row).role() in (QAccessible.Role.Button, QAccessible.Role.PushButton)
    assert row.accessibleDescription().startswith("98% match")


def test_versions(page: DiagnosisPage) -> None:
    page.set_versions([Choice("", "as the text says"), Choice("0.10.2", "0.10.2")], "0.10.2")
    [box] = page.findChildren(QComboBox)
    told = listen(page.jax_chosen)
    assert box.currentText() == "0.10.2"
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Up)
    assert told == [""]


def test_notes_and_the_state(page: DiagnosisPage) -> None:
    page.show_notes(("one", "two"))
    page.say("<b>it</b> failed", "bad")
    assert "one\ntwo" in said(page)
    assert "<b>it</b> failed" in said(page)
    page.show_notes(())
    assert not page._notes.isVisible()


def test_files_and_texts_are_let_go_anywhere(page: DiagnosisPage, tmp_path: Path) -> None:
    files, texts = listen(page.file_given), listen(page.text_given)
    file, text = QMimeData(), QMimeData()
    file.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.log"))])
    text.setText("ValueError: x")
    for data in (file, text):
        how = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
        entering = QDragEnterEvent(QPoint(5, 5), *how)
        page.dragEnterEvent(entering)
        assert entering.isAccepted()
        page.dropEvent(QDropEvent(QPointF(5, 5), *how))
    assert (files, texts) == ([str(tmp_path / "a.log")], ["ValueError: x"])


def test_a_log_is_asked_for(page: DiagnosisPage, qtbot: QtBot, tmp_path: Path) -> None:
    told = listen(page.file_given)
    button(page, "Open a log…").click()
    dialog = page.findChild(QWidget, "QFileDialog")
    assert dialog is not None
    dialog.fileSelected.emit(str(tmp_path / "a.log"))  # type: ignore[attr-defined]
    dialog.close()
    assert told == [str(tmp_path / "a.log")]


@pytest.mark.parametrize("width", [500, 1100])
def test_nothing_is_wider_than_the_page(page: DiagnosisPage, dark: Theme, width: int) -> None:
    page.resize(width, 700)
    page.set_theme(dark)
    page.set_examples([Choice("one", "ValueError: " + "x" * 300, "recorded")])
    show(page, replace(WHOLE, values=(Value("name" * 20, "y" * 390),), layout=LAYOUT))
    body = page._scroll.widget()
    assert body.width() <= page._scroll.viewport().width()
    expected = Qt.Orientation.Vertical if width == 500 else Qt.Orientation.Horizontal
    assert page._panes.orientation() is expected


def test_rows_have_room_for_all_their_words(page: DiagnosisPage, make_long: Callable[[], Answer]) -> None:
    show(page, make_long())
    [row] = rows(page)
    labels = row.findChildren(QLabel)
    assert [label.height() >= label.heightForWidth(label.width()) for label in labels] == [True, True]
    assert isinstance(row, QAbstractButton)


@pytest.fixture
def make_long() -> Callable[[], Answer]:
    return lambda: replace(WHOLE, exhibits=(replace(HIT, reasons=("many words of a reason " * 20,)),), sites=())

"""Rich text and verbatim output as parts of a page."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QImage, QTextDocument, QWheelEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.flow_text import FlowText
from gui.widgets.output_pane import TALLEST, OutputPane

WORDS = "You asked JAX to cut dimension 0 into 4 equal parts. " * 12


def wheel(widget: QWidget) -> bool:
    """Turns the wheel over a widget; whether it took the turn."""
    event = QWheelEvent(
        QPointF(5, 5),
        QPointF(widget.mapToGlobal(QPoint(5, 5))),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    page = QWidget()
    qtbot.addWidget(page)
    QVBoxLayout(page)
    page.resize(600, 400)
    with qtbot.waitExposed(page):
        page.show()
    return page


@pytest.fixture
def text(page: QWidget) -> FlowText:
    text = FlowText("What it means")
    page.layout().addWidget(text)
    page.layout().addStretch(1)
    return text


def test_the_height_follows_the_width(page: QWidget, text: FlowText, theme: Theme, qtbot: QtBot) -> None:
    text.show_markdown(WORDS, theme.font())
    heights = []
    for width in (600, 250, 1200):
        page.resize(width, 400)
        qtbot.waitUntil(lambda: text.height() - 4 <= text.document().size().height() <= text.height())
        heights.append(text.height())
    assert heights[1] > heights[0] > heights[2]
    assert text.verticalScrollBar().maximum() == 0


def test_the_height_follows_the_text_and_its_size(text: FlowText, theme: Theme, dark: Theme) -> None:
    text.show_plain("one", theme.font())
    one = text.height()
    text.show_plain("one\ntwo\nthree", theme.font())
    three = text.height()
    text.show_plain("one\ntwo\nthree", dark.font())
    assert one < three < text.height()
    text.show_plain("one", theme.font())
    assert text.height() == one


def test_a_measure_keeps_lines_short_however_wide_the_page(page: QWidget, text: FlowText, theme: Theme) -> None:
    text.set_measure(40)
    text.show_markdown(WORDS, theme.font())
    page.resize(1600, 400)
    QApplication.processEvents()
    assert text.width() < 600


def test_beyond_its_most_height_it_scrolls_inside(text: FlowText, theme: Theme) -> None:
    text.set_most_height(60)
    text.show_plain("line\n" * 100, theme.font())
    assert text.height() == 60
    assert wheel(text.viewport())
    text.show_plain("line", theme.font())
    assert text.height() < 60
    assert not wheel(text.viewport())


def test_the_wheel_is_left_to_the_page(text: FlowText, theme: Theme) -> None:
    text.show_markdown(WORDS, theme.font())
    assert not wheel(text.viewport())


def test_images_are_never_loaded(text: FlowText, theme: Theme, tmp_path: Path) -> None:
    image = QImage(40, 40, QImage.Format.Format_RGB32)
    image.fill(QColor("#ff00ff"))
    file = tmp_path / "magenta.png"
    assert image.save(str(file))
    for show in (text.show_markdown, text.show_html):
        show(f"![picture]({file.as_uri()}) <img src='{file.as_uri()}'> <img src='{file}'>", theme.font())
        drawn = text.grab().toImage()
        colours = {drawn.pixelColor(x, y).name() for x in range(drawn.width()) for y in range(drawn.height())}
        assert "#ff00ff" not in colours
    style = QTextDocument.ResourceType.StyleSheetResource.value
    assert text.loadResource(style, QUrl("https://example.org/page.css")) is None


def test_a_link_is_told_and_not_followed(text: FlowText, theme: Theme, qtbot: QtBot) -> None:
    told: list[str] = []
    text.link_activated.connect(told.append)
    text.show_markdown("[one](museum:xla/two) and [two](https://example.org/a?b=c#d)", theme.font())
    text.setFocus()
    for _ in range(2):
        qtbot.keyClick(text, Qt.Key.Key_Tab)
        qtbot.keyClick(text, Qt.Key.Key_Return)
    assert told == ["museum:xla/two", "https://example.org/a?b=c#d"]
    assert text.toPlainText() == "one and two"


def test_text_can_be_selected_by_keyboard(text: FlowText, theme: Theme, qtbot: QtBot) -> None:
    text.show_plain("words to copy", theme.font())
    text.setFocus()
    qtbot.keyClick(text, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert text.textCursor().selectedText() == "words to copy"


# Verbatim output


@pytest.fixture
def pane(page: QWidget) -> OutputPane:
    pane = OutputPane("stdout")
    page.layout().addWidget(pane)
    page.layout().addStretch(1)
    QApplication.processEvents()
    return pane


def test_output_is_as_tall_as_its_lines_up_to_a_limit(pane: OutputPane, theme: Theme) -> None:
    heights = []
    for lines in (1, 3, TALLEST, 1000):
        pane.show_text("\n".join(["line"] * lines), theme.code_font())
        heights.append(pane.height())
    assert heights[0] < heights[1] < heights[2] == heights[3]


def test_short_output_leaves_the_wheel_to_the_page_and_long_output_scrolls(pane: OutputPane, theme: Theme) -> None:
    pane.show_text("line\n" * 3, theme.code_font())
    assert not wheel(pane.viewport())
    pane.show_text("line\n" * 500, theme.code_font())
    assert wheel(pane.viewport())
    assert pane.verticalScrollBar().value() > 0


def test_a_long_line_is_wrapped_and_counts_as_many(pane: OutputPane, theme: Theme) -> None:
    pane.show_text("x", theme.code_font())
    one = pane.height()
    pane.show_text("x" * 400, theme.code_font())
    assert pane.height() > one
    assert pane.horizontalScrollBar().maximum() == 0


def test_the_same_text_again_keeps_the_place(pane: OutputPane, theme: Theme) -> None:
    text = "line\n" * 500
    pane.show_text(text, theme.code_font())
    pane.verticalScrollBar().setValue(100)
    pane.show_text(text, theme.code_font())
    assert pane.verticalScrollBar().value() == 100
    pane.show_text(text + "more", theme.code_font())
    assert pane.verticalScrollBar().value() == 100
    pane.show_text("another " + text, theme.code_font())
    assert pane.verticalScrollBar().value() == 0


LONG_TEXTS = [
    "".join(f"line {number}\n" for number in range(10_000)),
    "\n" * 20_000 + "end",
    "🦀x" * 60_000,
    "12 %\r\n" * 15_000,  # a slice must not end within a line's end
    "12 %\r" * 15_000,
    "x" * 39_999 + "\r\n" + "y" * 50_000,
]


def complete(pane: OutputPane, text: str, theme: Theme, qtbot: QtBot) -> str:
    """What a pane shows of a text in the end."""
    with qtbot.waitSignal(pane.completed):
        pane.show_text(text, theme.code_font())
    return pane.toPlainText()


@pytest.mark.parametrize(
    "text", LONG_TEXTS, ids=["lines", "blank", "one line", "returns", "a bar", "an end at the cut"]
)
def test_a_long_text_comes_by_slices_and_is_whole_in_the_end(
    pane: OutputPane, theme: Theme, qtbot: QtBot, text: str
) -> None:
    pane.show_text(text, theme.code_font())
    assert pane.blockCount() <= 1_001
    assert len(pane.toPlainText()) <= 40_001
    qtbot.waitUntil(lambda: len(pane.toPlainText()) >= len(text.replace("\r\n", "\n")))
    assert pane.toPlainText() == text.replace("\r\n", "\n").replace("\r", "\n")


def test_output_that_goes_on_is_added_to_what_is_there(pane: OutputPane, theme: Theme, qtbot: QtBot) -> None:
    begun = "".join(f"line {number}\n" for number in range(3_000))
    assert complete(pane, begun, theme, qtbot) == begun
    pane.verticalScrollBar().setValue(50)
    cleared: list[int] = []
    pane.document().contentsChange.connect(lambda _at, removed, _added: cleared.append(removed))
    assert complete(pane, begun + "more", theme, qtbot) == begun + "more"
    assert not any(cleared)
    assert pane.verticalScrollBar().value() == 50


def test_another_text_takes_the_place_of_one_that_is_not_whole_yet(
    pane: OutputPane, theme: Theme, qtbot: QtBot
) -> None:
    pane.show_text("line\n" * 10_000, theme.code_font())
    assert complete(pane, "short", theme, qtbot) == "short"
    assert complete(pane, "", theme, qtbot) == ""


def test_a_return_at_the_end_may_be_half_of_what_comes(pane: OutputPane, theme: Theme, qtbot: QtBot) -> None:
    assert complete(pane, "12 %\r", theme, qtbot) == "12 %\n"
    assert complete(pane, "12 %\r\n13 %", theme, qtbot) == "12 %\n13 %"


def test_output_cannot_be_changed_and_tab_leaves_it(pane: OutputPane, theme: Theme, qtbot: QtBot) -> None:
    pane.show_text("fixed", theme.code_font())
    pane.setFocus()
    qtbot.keyClicks(pane, "typed\b")
    assert pane.toPlainText() == "fixed"
    assert pane.tabChangesFocus()
    assert not pane.isUndoRedoEnabled()


def test_output_inside_a_page_takes_no_more_width_than_there_is(qtbot: QtBot, theme: Theme) -> None:
    area = QScrollArea()
    qtbot.addWidget(area)
    pane = OutputPane("stdout")
    area.setWidget(pane)
    area.setWidgetResizable(True)
    area.resize(300, 200)
    with qtbot.waitExposed(area):
        area.show()
    pane.show_text("x" * 5000, theme.code_font())
    assert pane.width() <= area.viewport().width()


def test_a_long_line_of_code_wraps_instead_of_being_cut_off(qtbot: QtBot, theme: Theme) -> None:
    flow = FlowText("Placard")
    qtbot.addWidget(flow)
    flow.resize(300, 100)
    with qtbot.waitExposed(flow):
        flow.show()
    flow.show_markdown("Before.\n\n```text\n" + "word " * 60 + "\n```\n\nAfter.", theme.font())
    assert flow.document().idealWidth() <= flow.viewport().width()
    assert flow.toPlainText() == "Before.\n" + "word " * 60 + "\nAfter."

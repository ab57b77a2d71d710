"""Text from 100 to 200 % in a window of 1280 by 800: every word of every page and dialog can be read."""

from collections.abc import Iterator
from itertools import product

import pytest
from makers import MAKERS
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QTabBar,
    QToolButton,
    QWidget,
)
from whole_window import SIZE, Whole

from museum.settings import SCALE

SCALES = (1.0, 1.5, 2.0)
SLACK = 2  # pixels that rounding may cost


@pytest.fixture(params=product(SCALES, MAKERS), ids=lambda one: f"{one[0]:.0%}-{one[1]}", scope="module")
def shown(request: pytest.FixtureRequest, whole: Whole) -> Iterator[QWidget]:
    """Another size takes long: it is changed as seldom as can be."""
    scale, name = request.param
    whole.museum.kept.choose(SCALE, scale)
    whole.window.resize(SIZE)
    yield whole.show(name)
    whole.clear()


def seen(root: QWidget, kind: type) -> list[QWidget]:
    return [one for one in root.findChildren(kind) if one.isVisible() and one.window() is root.window()]


def name_of(widget: QWidget) -> str:
    words = widget.accessibleName() or (widget.text() if hasattr(widget, "text") else "")
    return f"{type(widget).__name__} {words[:40]!r}"


def tip_of(widget: QWidget) -> str:
    return widget.toolTip()


def cut_label(label: QLabel) -> str:
    """How a label is cut; "" when it is not."""
    if not label.text() or label.width() == 0:
        return ""
    if label.wordWrap():
        needed = label.heightForWidth(label.width())
        return f"{label.height()} high, needs {needed}" if label.height() + SLACK < needed else ""
    needed = label.sizeHint().width()
    is_cut = label.width() + SLACK < needed and "…" not in label.text()
    return f"{label.width()} wide, needs {needed}" if is_cut and not tip_of(label) else ""


def cut_button(button: QAbstractButton) -> str:
    if not button.text():
        return ""
    needed = button.minimumSizeHint() if isinstance(button, QToolButton) else button.sizeHint()
    if button.width() + SLACK < needed.width() or button.height() + SLACK < needed.height():
        return f"{button.width()}x{button.height()}, needs {needed.width()}x{needed.height()}"
    return ""


def cut_box(box: QComboBox) -> str:
    words = box.currentText() or box.placeholderText()
    needed = box.fontMetrics().horizontalAdvance(words) + 24
    return f"{box.width()} wide, needs {needed}: {words}" if box.width() < needed and not tip_of(box) else ""


def cut_placeholder(field: QLineEdit) -> str:
    words = "" if field.text() else field.placeholderText()
    needed = field.fontMetrics().horizontalAdvance(words) + 10
    return f"{field.width()} wide, needs {needed}: {words}" if words and field.width() < needed else ""


def cut_tabs(bar: QTabBar) -> str:
    wide = bar.sizeHint().width() > bar.width() + SLACK
    return f"{bar.width()} wide, needs {bar.sizeHint().width()}" if wide and not bar.usesScrollButtons() else ""


def cut_header(header: QHeaderView) -> str:
    if header.orientation() is Qt.Orientation.Vertical:
        return ""
    cut = [
        str(header.model().headerData(number, Qt.Orientation.Horizontal))
        for number in range(header.count())
        if header.sectionSize(number) + SLACK < header.sectionSizeHint(number)
    ]
    return f"headings {cut}" if cut else ""


CHECKS = (
    (QLabel, cut_label),
    (QPushButton, cut_button),
    (QToolButton, cut_button),
    (QComboBox, cut_box),
    (QLineEdit, cut_placeholder),
    (QTabBar, cut_tabs),
    (QHeaderView, cut_header),
)


def test_no_words_are_cut(shown: QWidget) -> None:
    cut = {name_of(widget): how for kind, check in CHECKS for widget in seen(shown, kind) if (how := check(widget))}
    assert cut == {}


def test_nothing_is_wider_than_the_window_or_hidden_behind_an_edge(shown: QWidget) -> None:
    assert shown.width() <= SIZE.width()
    assert shown.height() <= SIZE.height()
    behind = {}
    for kind in (QLabel, QAbstractButton, QComboBox, QLineEdit, QAbstractScrollArea):
        for widget in seen(shown, kind):
            room = frame_of(widget, shown)
            left = widget.mapTo(room, QPoint(0, 0)).x()
            if left < -SLACK or left + widget.width() > room.width() + SLACK:
                behind[name_of(widget)] = f"{left} to {left + widget.width()} of {room.width()}"
    assert behind == {}


def frame_of(widget: QWidget, root: QWidget) -> QWidget:
    """What bounds a widget at left and right: the nearest around it that scrolls sideways by hand, or never."""
    around = widget.parentWidget()
    while around is not None and around is not root:
        scroll = around.parentWidget()
        if isinstance(scroll, QAbstractScrollArea) and around is scroll.viewport():
            never = scroll.horizontalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            if not never:
                inner = scroll.widget() if isinstance(scroll, QScrollArea) else None
                return inner or around
            return around
        around = around.parentWidget()
    return root


def test_pages_scroll_up_and_down_only(shown: QWidget) -> None:
    sideways = [
        name_of(one)
        for one in seen(shown, QScrollArea)
        if one.accessibleName() in ("Exhibit", "Wing", "What the runs did", "Mesh panel", "Settings")
        and one.horizontalScrollBar().maximum() > 0
    ]
    assert sideways == []

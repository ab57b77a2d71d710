"""Rows that wrap, and rows that scroll sideways."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QRect
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.sideways import SidewaysRow
from gui.widgets.wrap_layout import WrapLayout


class Block(QWidget):
    """Of a fixed size."""

    def __init__(self, width: int, height: int = 20) -> None:
        super().__init__()
        self.setFixedSize(width, height)


@pytest.fixture
def room(qtbot: QtBot) -> QWidget:
    room = QWidget()
    qtbot.addWidget(room)
    outer = QVBoxLayout(room)
    outer.setContentsMargins(0, 0, 0, 0)
    outer.addLayout(WrapLayout(10))
    outer.addStretch(1)
    return room


def filled(room: QWidget, width: int, *parts: QWidget | None) -> list[QRect]:
    """Where the parts are; None is a gap."""
    row = room.layout().itemAt(0)
    assert isinstance(row, WrapLayout)
    for part in parts:
        if part is None:
            row.add_gap()
        else:
            row.addWidget(part)
    room.resize(width, 300)
    room.show()
    QApplication.processEvents()
    return [part.geometry() for part in parts if part is not None]


def test_what_fits_is_in_one_line_and_the_rest_goes_on_below(room: QWidget) -> None:
    places = filled(room, 250, Block(100), Block(100, 30), Block(100))
    assert [(place.x(), place.y()) for place in places] == [(0, 5), (110, 0), (0, 40)]
    room.resize(320, 300)
    QApplication.processEvents()
    assert room.layout().itemAt(0).heightForWidth(320) == 30


def test_a_gap_sends_what_follows_to_the_right_end(room: QWidget) -> None:
    places = filled(room, 300, Block(50), None, Block(50))
    assert places[1].right() == 299


def test_a_field_takes_what_is_left_over_up_to_its_most(room: QWidget) -> None:
    wide, narrow = QLineEdit(), QLineEdit()
    narrow.setMaximumWidth(narrow.sizeHint().width())
    places = filled(room, 700, Block(50), wide, narrow)
    assert places[2].right() == 699
    assert places[1].width() > places[2].width() == narrow.sizeHint().width()


def test_what_is_hidden_takes_no_room_and_what_is_gone_is_forgotten(room: QWidget) -> None:
    hidden, gone = Block(100), Block(100)
    filled(room, 250, hidden, gone, Block(100))
    row = room.layout().itemAt(0)
    hidden.hide()
    gone.setParent(None)
    gone.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QApplication.processEvents()
    assert (row.count(), row.sizeHint().width()) == (2, 100)


def test_something_wider_than_the_window_is_cut_to_it(room: QWidget) -> None:
    field = QLineEdit()
    field.setMinimumWidth(400)
    assert room.layout().itemAt(0).minimumSize().width() == 0
    (place,) = filled(room, 250, field)
    assert place.width() == 400  # Qt lets nothing be smaller than its minimum: the window grows
    assert room.width() >= 400


def test_a_row_is_as_tall_as_it_must_be_and_never_widens_the_page(qtbot: QtBot) -> None:
    inner = QWidget()
    row = QHBoxLayout(inner)
    row.setContentsMargins(0, 0, 0, 0)
    label = QLabel("words " * 40)
    row.addWidget(label)
    sideways = SidewaysRow(inner)
    qtbot.addWidget(sideways)
    sideways.resize(200, 100)
    with qtbot.waitExposed(sideways):
        sideways.show()
    QApplication.processEvents()
    bar = sideways.horizontalScrollBar()
    assert bar.maximum() > 0
    assert sideways.height() == label.sizeHint().height() + bar.sizeHint().height()
    assert sideways.minimumSizeHint().width() == 1
    label.setText("short")
    QApplication.processEvents()
    assert (bar.maximum(), sideways.height()) == (0, label.sizeHint().height())

"""The Qt binding itself: what a museum that stays open all day relies on."""

import sys

import pytest
from PySide6.QtCore import QModelIndex, QObject, QSettings, QStringListModel, Signal
from pytestqt.qtbot import QtBot


class _Sender(QObject):
    sent = Signal(str)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None and True are immortal from Python 3.12 on")
def test_calls_that_return_none_or_true_give_back_no_reference_too_many(qtbot: QtBot) -> None:
    model, sender, settings = QStringListModel(["a"]), _Sender(), QSettings()
    sender.sent.connect(lambda _: None)
    before = [sys.getrefcount(None), sys.getrefcount(True)]
    for _ in range(200):
        QObject().property("nothing")
        QModelIndex().data()
        model.index(0).data(9999)
        sender.sent.emit("x")
        settings.value("nothing")
    after = [sys.getrefcount(None), sys.getrefcount(True)]
    assert all(now >= then - 20 for now, then in zip(after, before, strict=True))

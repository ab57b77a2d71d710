"""Garbage with Qt's objects in it ends on the thread of the window."""

import gc
import threading
import weakref

import pytest
from PySide6.QtCore import QObject, QTimer

from gui import collecting
from gui.collecting import Collector


class Knot(QObject):
    """Nobody but itself holds it, and a timer of Qt's runs in it."""

    def __init__(self) -> None:
        super().__init__()
        self.timer = QTimer()
        self.timer.start(100_000)
        self.itself = self


@pytest.fixture
def collector(qapp):
    collector = Collector()
    collector.start()
    yield collector
    collector.stop()
    assert gc.isenabled()


def test_no_other_thread_collects(collector: Collector, qtbot) -> None:
    gone = threading.Event()
    by: list[threading.Thread] = []
    knot = Knot()
    weakref.finalize(knot, lambda: (by.append(threading.current_thread()), gone.set()))
    del knot
    made: list[list[int]] = []  # what the collector counts
    other = threading.Thread(target=lambda: made.extend([number] for number in range(300_000)))
    other.start()
    other.join()
    assert not gone.is_set()
    for _ in range(200):  # Python would collect its oldest generation after a hundred times of its youngest
        made.extend([number] for number in range(1000))
        collector._timer.timeout.emit()
    assert gone.is_set()
    assert by == [threading.main_thread()]


def test_it_looks_by_itself(collector: Collector, qtbot) -> None:
    kept = [[number] for number in range(100_000)]
    assert gc.get_count()[0] > gc.get_threshold()[0]
    qtbot.waitUntil(lambda: gc.get_count()[0] <= gc.get_threshold()[0])
    assert len(kept) == 100_000


@pytest.mark.parametrize("stops", [False, True])
def test_what_is_loaded_late_is_out_of_its_way_too(collector: Collector, qtbot, monkeypatch, stops: bool) -> None:
    monkeypatch.setattr(collecting, "LATE", 0)
    try:
        collector.settle()
        late = [[number] for number in range(1000)]
        if stops:
            collector.stop()
        qtbot.wait(5)
        assert any(kept is late[0] for kept in gc.get_objects()) is stops  # what is frozen is not listed
    finally:
        gc.unfreeze()

"""What every story in the whole window stands on."""

import asyncio
import gc
from collections.abc import Iterator

import pytest
from looks import keep_look
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from whole_window import Whole

from gui.loop import QEventLoop
from museum.catalog import Catalog, load_catalog
from museum.lab.environments import Environment


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(check=False)


@pytest.fixture(scope="module")
def whole(
    qapp: QApplication, own_environment: Environment, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Whole]:
    """One museum for all of a module."""
    whole = Whole(qapp, tmp_path_factory.mktemp("home"), own_environment)
    yield whole
    whole.clear()
    whole.close()


@pytest.fixture
def loop(qapp: QApplication) -> Iterator[QEventLoop]:
    """Qt's loop as asyncio's; the application gets its looks back, and no window may be left."""
    give_look_back = keep_look(qapp)
    qapp.setQuitOnLastWindowClosed(False)
    gc.collect()  # here, and not by chance in a thread of the lab, where Qt's objects may not die
    before = QApplication.topLevelWidgets()
    loop = QEventLoop(qapp)
    asyncio.set_event_loop(loop)
    yield loop
    loop.close()
    asyncio.set_event_loop(None)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert [widget for widget in QApplication.topLevelWidgets() if widget not in before] == []
    give_look_back()

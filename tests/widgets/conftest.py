"""What the tests of the window's parts share: a look, a small collection, and a check that nothing is left behind."""

import asyncio
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication

from gui.theme import Theme
from museum.catalog import Catalog
from museum.exhibit import Exhibit, ExhibitFile, Half, OutcomeKind, Placard, Source, Wing


@pytest.fixture(autouse=True)
def nothing_is_left(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fails a test that leaves a top-level widget, a running timer or a pending task behind.

    What a test hands to qtbot is closed before this looks.
    """
    before = QApplication.topLevelWidgets()
    started: weakref.WeakSet[QTimer] = weakref.WeakSet()
    tasks: weakref.WeakSet[asyncio.Task[Any]] = weakref.WeakSet()
    start, init = QTimer.start, asyncio.ensure_future

    def start_and_remember(timer: QTimer, *interval: Any) -> None:
        started.add(timer)
        start(timer, *interval)

    def make_and_remember(work: Any, **where: Any) -> Any:
        made = init(work, **where)
        tasks.add(made)
        return made

    monkeypatch.setattr(QTimer, "start", start_and_remember)
    monkeypatch.setattr(asyncio, "ensure_future", make_and_remember)
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    widgets = [widget for widget in QApplication.topLevelWidgets() if widget not in before]
    running = [timer for timer in started if shiboken6.isValid(timer) and timer.isActive()]
    pending = [task for task in tasks if not task.done()]
    assert (widgets, running, pending) == ([], [], [])


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    """The light look at its usual size."""
    return Theme(dark=False)


@pytest.fixture
def dark(qapp: QApplication) -> Theme:
    """The dark look, half as large again."""
    return Theme(dark=True, scale=1.5)


@pytest.fixture
def make_exhibit() -> Callable[..., Exhibit]:
    """Makes an exhibit of the given id and number; what else is given goes into its parts."""

    def make(name: str = "xla/one", number: int = 1, **parts: Any) -> Exhibit:
        facts = ExhibitFile(
            title=parts.get("title", f"Exhibit number {number} of the wing"),
            kind=OutcomeKind.RAISES,
            targets=("cpu:8",),
            jax=("0.10.2",),
            tags=(),
            expect=(),
            sources=parts.get("sources", (Source("https://example.org/issue", "An issue"),)),
        )
        placard = parts.get("placard") or Placard(
            "You asked for **4 parts** of `10` rows.", "In the [last batch](museum:xla/two).", "1. Pad.\n2. Drop."
        )
        scripts = {Half.FAILING: "import jax\nx = 10\nfail(x)\n", Half.FIX: "import jax\nx = 12\nfail(x)\n"}
        return Exhibit(name, number, facts, placard, scripts, ())

    return make


@pytest.fixture
def catalog(make_exhibit: Callable[..., Exhibit]) -> Catalog:
    """Two wings, of two exhibits and of one."""
    xla = (
        make_exhibit("xla/one", 1, title="A dimension that the mesh axis does not divide"),
        make_exhibit("xla/two", 2),
    )
    mesh = (make_exhibit("mesh/torus", 1, title="A torus"),)
    return Catalog((Wing("xla", "XLA", "Of *XLA*.", xla), Wing("mesh", "Meshes & more", "Of meshes.", mesh)))

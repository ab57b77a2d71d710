"""What is loaded late is fetched once the window is quiet: beside the event loop, one at a time."""

import asyncio
import sys
import threading
from pathlib import Path

import pytest

from gui.prefetch import prefetch

NOTES = """
import sys, threading
sys.fetched.append((__name__, threading.current_thread() is threading.main_thread()))
"""


@pytest.fixture
def fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """Names of modules as they are imported, with whether that was on the main thread."""
    fetched: list[tuple[str, bool]] = []
    monkeypatch.setattr(sys, "fetched", fetched, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("late_one", "late_two"):
        (tmp_path / f"{name}.py").write_text(NOTES)
        monkeypatch.delitem(sys.modules, name, raising=False)
    return fetched


def test_modules_are_fetched_in_order_on_another_thread(fetched: list[tuple[str, bool]]) -> None:
    asyncio.run(prefetch(("late_two", "late_one", "late_two"), quiet=0, between=0))
    assert fetched == [("late_two", False), ("late_one", False)]
    assert threading.current_thread() is threading.main_thread()


def test_nothing_is_fetched_before_the_window_is_quiet(fetched: list[tuple[str, bool]]) -> None:
    async def leave_early() -> None:
        task = asyncio.ensure_future(prefetch(("late_one",), quiet=60))
        for _ in range(10):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(leave_early())
    assert fetched == []

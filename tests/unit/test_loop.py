"""The event loop loses nothing when Qt turns its loop within a callback."""

import asyncio
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from gui.loop import QEventLoop


@pytest.fixture
def loop(qapp: QApplication) -> Iterator[QEventLoop]:
    loop = QEventLoop(qapp)
    asyncio.set_event_loop(loop)
    yield loop
    loop.close()
    asyncio.set_event_loop(None)


def test_whoever_waits_is_woken_though_a_callback_turns_the_loop(loop: QEventLoop, qapp: QApplication) -> None:
    async def ticks(count: int) -> int:
        for _ in range(count):
            await asyncio.sleep(0)
        return count

    async def turns() -> None:
        for _ in range(50):
            await asyncio.sleep(0)
            qapp.processEvents()

    async def both() -> list[int | None]:
        return await asyncio.wait_for(asyncio.gather(ticks(300), turns(), ticks(200)), 20)

    assert loop.run_until_complete(both()) == [300, None, 200]


def test_what_is_cancelled_does_not_run(loop: QEventLoop) -> None:
    ran: list[str] = []
    loop.call_later(0.01, ran.append, "cancelled").cancel()
    loop.call_later(0.02, ran.append, "late")
    loop.call_soon(ran.append, "soon")
    loop.run_until_complete(asyncio.sleep(0.05))
    assert ran == ["soon", "late"]

"""Errors and logs put into Diagnose in the open window: how late the event loop gets, and how long an answer takes.

uv run --no-sync python benchmarks/diagnose_page.py [--megabytes 50] [--json]

`stall` is the latest that a tick came; `work` the most processor time that the window's own thread spent in a turn of
the loop, which a busy machine does not change.
"""

import argparse
import asyncio
import json
import os
import time
from collections.abc import Callable

from PySide6.QtTest import QTest
from window import Room, Turns, opened

from gui.controllers.diagnosis import DiagnosisController

TICK = 0.002
LINE = "2026-01-01 00:00:00 step 12345 loss 0.1234 all is well in the training loop of this model\n"
ERROR = (
    "ValueError: One of device_put args was given the sharding of NamedSharding(mesh=Mesh('rows': 4, 'cols': 2), "
    "spec=PartitionSpec('rows', 'cols'), memory_kind=unpinned_host), which implies that the global size of its "
    "dimension 0 should be divisible by 4, but it is equal to 10 (full shape: (10, 16))"
)


class Watch:
    """Looks at the loop while something happens in it."""

    def __init__(self) -> None:
        self.results: dict[str, dict[str, float]] = {}
        self._turns = Turns()

    async def during(self, name: str, controller: DiagnosisController, begin: Callable[[], object]) -> None:
        """Begin, and watch until the answer is on the page."""
        await asyncio.sleep(0.3)
        stall = 0.0
        begun = last = time.monotonic()
        self._turns.begin()
        begin()
        while True:
            now = time.monotonic()
            stall = max(stall, now - last - TICK)
            if not _is_busy(controller):
                break
            last = now
            await asyncio.sleep(TICK)
        took = time.monotonic() - begun
        figures = {"answer_ms": took * 1000, "stall_ms": stall * 1000, "work_ms": self._turns.most}
        self.results[name] = {key: round(value, 1) for key, value in figures.items()}


def _is_busy(controller: DiagnosisController) -> bool:
    reading = controller._reading  # noqa: SLF001 - there is no event to wait for
    page = controller._page  # noqa: SLF001
    waiting = controller._settling or controller._asking or (reading and not reading.done())  # noqa: SLF001
    return bool(waiting) or not page._answer.is_complete  # noqa: SLF001


async def measure(room: Room, megabytes: int) -> dict[str, dict[str, float]]:
    """Everything in turn."""
    museum = room.museum
    staying = asyncio.ensure_future(museum.stay())
    await asyncio.sleep(2.0)
    controller = museum.show_diagnosis()
    await asyncio.sleep(0.5)
    field = museum.window.diagnosis_page.field
    log = LINE * (megabytes * 1_000_000 // len(LINE)) + ERROR
    file = room.home / "train.log"
    with file.open("w") as stream:
        stream.write(log)
        stream.flush()
        os.fsync(stream.fileno())  # else the next draft waits for this file
    watch = Watch()
    await watch.during("first error, with the loading", controller, lambda: controller.explain(ERROR))
    await watch.during("another error", controller, lambda: controller.explain(ERROR.replace("10", "14")))
    await watch.during("a key", controller, lambda: QTest.keyClicks(field, "x"))
    await watch.during(f"a paste of {megabytes} MB", controller, lambda: controller.explain(log))
    await watch.during(f"a log of {megabytes} MB", controller, lambda: controller.open_log(str(file)))
    await watch.during("one line of 1 MB", controller, lambda: controller.explain("x" * 1_000_000 + "\n" + ERROR))
    museum.window.close()
    await staying
    return watch.results


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=50)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with opened("xla/unknown-axis") as room:
        results = room.loop.run_until_complete(measure(room, options.megabytes))
    if options.json:
        print(json.dumps(results))
        return
    for name, figures in results.items():
        print(f"{name:32}", "  ".join(f"{key} {value:7}" for key, value in figures.items()))


if __name__ == "__main__":
    main()

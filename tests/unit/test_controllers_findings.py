"""A run on the bench that fails is explained by itself, and what comes too late is dropped."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import pytest
from stand_ins import pretended

from gui.controllers.bench import BenchController
from gui.widgets.bench_page import BenchPage
from gui.widgets.bench_view import BenchView
from gui.widgets.finding_line import Finding
from gui.widgets.reading import Reading
from gui.widgets.run_bar import RunChoices
from museum.bench.flags import FlagChecker
from museum.history import History
from museum.lab.environments import Environment, EnvironmentKind
from museum.lab.outcome import Output, RaisedException, RunOutcome, RunStatus
from museum.lab.runner import Progress, RunRequest

RAISED = RunOutcome(
    RunStatus.FAILED, 1, "own", "cpu:8", RaisedException("ValueError", "no", ()), stderr=Output(b"ValueError: no\n")
)


class Lab:
    """Hands out one outcome, once it may."""

    def __init__(self) -> None:
        self.outcome = RAISED
        self.gate = asyncio.Event()
        self.gate.set()

    async def environments(self) -> Sequence[Environment]:
        return [Environment("own", EnvironmentKind.OWN, Path("python"), "3.11", "0.10.2", "0.10.2")]

    async def run(self, _request: RunRequest, _tell: Callable[[Progress], None]) -> RunOutcome:
        await self.gate.wait()
        return self.outcome

    def prepare(self, *_: object) -> None:
        """Nothing to have ready."""


class Bench:
    """A bench whose findings come when they are let go."""

    def __init__(self, history: History) -> None:
        self.page, self.lab = pretended(BenchPage), Lab()
        self.page.make_view.side_effect = self._make_view
        self.asked: list[Reading] = []
        self.gates: list[asyncio.Event] = []
        self.controller = BenchController(self.page, self.lab, history, FlagChecker(), find=self._find)

    def _make_view(self, _name: str) -> Any:
        self.view = pretended(BenchView)
        self.view.bar = pretended(RunChoices)
        return self.view

    async def _find(self, reading: Reading) -> AsyncIterator[Finding]:
        self.asked.append(reading)
        gate = asyncio.Event()
        self.gates.append(gate)
        yield Finding("first")
        await gate.wait()
        yield Finding("better")

    async def run_through(self) -> None:
        self.view.run_requested.emit()
        while (task := self.controller.current.runs._task) is not None:
            await asyncio.wait([task])
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    @property
    def shown(self) -> list[tuple[str, str]]:
        readings = [call.args[0] for call in self.view.show_finding.call_args_list]
        return [(reading.label.partition(":")[0], reading.finding.words) for reading in readings]


@pytest.fixture
def play(tmp_path: Path) -> Callable[[Callable[[Bench], Coroutine[Any, Any, None]]], None]:
    def go(story: Callable[[Bench], Coroutine[Any, Any, None]]) -> None:
        history = History(tmp_path / "history.sqlite")

        async def visit() -> None:
            async with asyncio.timeout(60):
                bench = Bench(history)
                await bench.controller.find_environments()
                await story(bench)
                await bench.controller.close()
            assert asyncio.all_tasks() == {asyncio.current_task()}

        asyncio.run(visit())
        history.close()

    return go


def test_a_failed_run_is_explained_and_better_once_more_is_known(play: Callable[..., None]) -> None:
    async def story(bench: Bench) -> None:
        await bench.run_through()
        assert [(reading.error, reading.jax) for reading in bench.asked] == [("ValueError", "0.10.2")]
        assert bench.shown == [("run 1", "first")]
        bench.gates[0].set()
        await asyncio.wait([bench.controller.current._finding])
        assert bench.shown == [("run 1", "first"), ("run 1", "better")]

    play(story)


def test_a_later_run_drops_it(play: Callable[..., None]) -> None:
    async def story(bench: Bench) -> None:
        await bench.run_through()
        await bench.run_through()
        bench.gates[0].set()
        bench.gates[1].set()
        await asyncio.wait([bench.controller.current._finding])
        assert bench.shown == [("run 1", "first"), ("run 2", "first"), ("run 2", "better")]

    play(story)


def test_it_is_dropped_as_soon_as_a_later_run_begins(play: Callable[..., None]) -> None:
    async def story(bench: Bench) -> None:
        await bench.run_through()
        bench.lab.gate.clear()
        bench.view.run_requested.emit()
        bench.gates[0].set()
        await asyncio.wait([bench.controller.current._finding])
        assert bench.shown == [("run 1", "first")]
        bench.lab.gate.set()

    play(story)


def test_a_run_that_ends_well_is_not_asked_about(play: Callable[..., None]) -> None:
    async def story(bench: Bench) -> None:
        bench.lab.outcome = RunOutcome(RunStatus.OK, 0, "own", "cpu:8", stdout=Output(b"hello\n"))
        await bench.run_through()
        assert (bench.asked, bench.shown) == ([], [])

    play(story)


def test_closing_does_not_wait_for_it(play: Callable[..., None]) -> None:
    async def story(bench: Bench) -> None:
        await bench.run_through()
        assert bench.shown == [("run 1", "first")]

    play(story)

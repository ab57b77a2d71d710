"""What is run when, what the bar says of it, and which results count: a fake lab, no window, no waiting."""

import asyncio
import functools
from collections.abc import Callable, Coroutine, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from stand_ins import pretended

from gui.controllers.runs import BROWSING, LIVE_BYTES, REFRESH, RunController, Wish
from gui.widgets.run_bar import RunChoices
from museum.errors import MuseumError
from museum.exhibit import Half
from museum.lab.environments import Environment, EnvironmentKind
from museum.lab.outcome import Output, RunOutcome, RunStatus
from museum.lab.runner import Progress, RunRequest
from museum.lab.target import Target

WISH = Wish("xla/one", Half.FAILING, "print('hello')\n")
OTHER = Wish("xla/two", Half.FIX, "print('other')\n")
OK = RunOutcome(RunStatus.OK, 0, "own", "cpu:8", stdout=Output(b"hello\n"))


def story(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Runs an asynchronous test to its end, after which nothing of it may be left."""

    async def play(*fixtures: Any, **named: Any) -> None:
        async with asyncio.timeout(60):  # so that a fault fails instead of hanging
            await test(*fixtures, **named)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    @functools.wraps(test)
    def run(*fixtures: Any, **named: Any) -> None:
        asyncio.run(play(*fixtures, **named))

    return run


def environment(jax: str, name: str = "own", libtpu: str = "") -> Environment:
    return Environment(name, EnvironmentKind.OWN, Path("python"), "3.11.7", jax, jax, libtpu)


class Run:
    """A run in the fake lab: ends when it is told to."""

    def __init__(self, request: RunRequest, tell: Callable[[Progress], None]) -> None:
        self.request = request
        self.tell = tell
        self.result: asyncio.Future[RunOutcome] = asyncio.get_running_loop().create_future()
        self.cancelled = False


class Lab:
    """Hands out canned outcomes."""

    def __init__(self) -> None:
        self.found: Sequence[Environment] = [environment("0.12.0.1"), environment("0.10.2", "jax-0.10.2")]
        self.refuses_to_look = ""
        self.runs: list[Run] = []
        self.begun = asyncio.Event()
        self.may_die = asyncio.Event()  # what a cancelled run waits for, as a real one waits for its processes
        self.may_die.set()
        self.prepared: list[tuple[str, str, tuple[str, ...]]] = []

    def prepare(self, environment: Environment, target: Target, scripts: Iterable[str]) -> None:
        self.prepared.append((environment.name, str(target), tuple(scripts)))

    async def environments(self) -> Sequence[Environment]:
        if self.refuses_to_look:
            raise MuseumError(self.refuses_to_look)
        return self.found

    async def run(self, request: RunRequest, on_progress: Callable[[Progress], None]) -> RunOutcome:
        run = Run(request, on_progress)
        self.runs.append(run)
        self.begun.set()
        try:
            return await run.result
        except asyncio.CancelledError:
            await self.may_die.wait()
            run.cancelled = True
            raise

    async def next_run(self) -> Run:
        """The run that begins next, or that has begun since the last call."""
        await self.begun.wait()
        self.begun.clear()
        return self.runs[-1]


class Desk:
    """The controller between a pretended bar and the fake lab, and all that it told."""

    def __init__(self) -> None:
        self.bar = pretended(RunChoices)
        self.lab = Lab()
        self.outcomes: list[tuple[Wish, RunOutcome, str]] = []
        self.live: list[tuple[Wish, str, str, str]] = []
        self.running: list[bool] = []
        self.concluded = asyncio.Event()
        self.runs = RunController(self.bar, self.lab, self._hear_outcome, self._hear_live, self.running.append)

    def _hear_outcome(self, wish: Wish, outcome: RunOutcome, jax: str) -> None:
        self.outcomes.append((wish, outcome, jax))
        self.concluded.set()

    def _hear_live(self, wish: Wish, stage: str, out: str, err: str) -> None:
        self.live.append((wish, stage, out, err))

    async def outcome(self) -> RunOutcome:
        """The one that is told next."""
        await self.concluded.wait()
        self.concluded.clear()
        return self.outcomes[-1][1]

    @property
    def stages(self) -> list[str]:
        return [call.args[0] for call in self.bar.set_stage.call_args_list]

    @property
    def offered(self) -> tuple[list[str], str]:
        """Texts of the environments offered last, and the key of the chosen one."""
        choices, chosen = self.bar.set_environments.call_args.args
        return [choice.text for choice in choices], chosen


class Clock:
    """In place of the loop's `call_later`: time goes on when the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.timers: list[tuple[float, asyncio.TimerHandle]] = []
        self._loop = asyncio.get_running_loop()
        monkeypatch.setattr(self._loop, "call_later", self._call_later)

    def _call_later(self, delay: float, callback: Callable[..., object], *values: object) -> asyncio.TimerHandle:
        timer = asyncio.TimerHandle(self._loop.time() + delay, callback, values, self._loop)
        self.timers.append((delay, timer))
        return timer

    def ring(self) -> None:
        """Let all the time pass that anybody waits for."""
        waiting, self.timers = self.timers, []
        for _, timer in waiting:
            if not timer.cancelled():
                timer._run()


@story
async def test_a_run_goes_from_its_wish_to_its_outcome() -> None:
    desk = Desk()
    await desk.runs.find_environments()
    desk.runs.start(WISH)
    run = await desk.lab.next_run()
    assert desk.running == [True]
    assert desk.stages == ["starting"]
    run.result.set_result(OK)
    assert await desk.outcome() is OK
    assert desk.outcomes == [(WISH, OK, "0.12.0.1")]
    assert desk.running == [True, False]
    assert desk.stages == ["starting", ""]
    assert run.request.script == WISH.script
    assert run.request.environment == desk.lab.found[0]
    assert run.request.target == Target.cpu(8)


@story
async def test_each_stage_is_shown_with_the_time_of_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    desk, clock = Desk(), Clock(monkeypatch)
    desk.runs.start(WISH)
    run = await desk.lab.next_run()
    for stage in ("importing", "running", "finished"):
        run.tell(Progress(stage))
        clock.ring()
    run.result.set_result(OK)
    await desk.outcome()
    assert desk.stages == ["starting", "importing", "running", "finished", ""]
    since = [call.args[1] for call in desk.bar.set_stage.call_args_list[1:-1]]
    assert len(set(since)) == 1
    assert since[0] - desk.bar.set_stage.call_args_list[0].args[1] >= 0


@story
async def test_a_flood_is_shown_at_most_once_a_refresh_and_keeps_its_newest_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk, clock = Desk(), Clock(monkeypatch)
    desk.runs.start(WISH)
    run = await desk.lab.next_run()
    for look in range(3):
        for number in range(5000):
            run.tell(Progress("running", "stdout", b"%d line %d\n" % (look, number)))
        assert [delay for delay, _ in clock.timers if delay != BROWSING] == [REFRESH]
        assert len(desk.live) == look
        clock.ring()
        wish, stage, out, err = desk.live[-1]
        assert (wish, stage, err) == (WISH, "running", "")
        assert out.startswith("0 line 0\n")
        assert out.endswith(f"{look} line 4999\n")
        assert len(out.encode()) < 1.1 * LIVE_BYTES
    run.result.set_result(OK)
    await desk.outcome()


@story
async def test_both_streams_are_shown_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    desk, clock = Desk(), Clock(monkeypatch)
    desk.runs.start(WISH)
    run = await desk.lab.next_run()
    run.tell(Progress("running", "stdout", b"out"))
    run.tell(Progress("running", "stderr", b"err"))
    clock.ring()
    assert desk.live == [(WISH, "running", "out", "err")]
    run.result.set_result(OK)
    await desk.outcome()


@story
async def test_nothing_live_is_shown_once_the_outcome_is(monkeypatch: pytest.MonkeyPatch) -> None:
    desk, clock = Desk(), Clock(monkeypatch)
    desk.runs.start(WISH)
    run = await desk.lab.next_run()
    run.tell(Progress("running", "stdout", b"late"))
    run.result.set_result(OK)
    await desk.outcome()
    clock.ring()
    assert desk.live == []
    assert desk.stages[-1] == ""


@story
async def test_stop_cancels_and_shows_what_was_printed_until_then() -> None:
    desk = Desk()
    desk.runs.start(WISH)
    run = await desk.lab.next_run()
    run.tell(Progress("running", "stdout", b"so far\n"))
    run.tell(Progress("running", "stderr", b"a warning\n"))
    desk.bar.stop_requested.emit()
    outcome = await desk.outcome()
    assert run.cancelled
    assert outcome.status is RunStatus.STOPPED
    assert (outcome.stdout.text, outcome.stderr.text) == ("so far\n", "a warning\n")
    assert outcome.exit_code is None
    assert outcome.detail.startswith("after ")
    assert desk.running == [True, False]
    assert desk.stages[-1] == ""


@story
async def test_stop_in_the_moment_of_the_start_is_told_too() -> None:
    desk = Desk()
    desk.runs.start(WISH)
    desk.runs.stop()
    assert (await desk.outcome()).status is RunStatus.STOPPED
    assert all(run.cancelled for run in desk.lab.runs)
    assert desk.running == [True, False]


@story
async def test_stop_twice_is_one_stop() -> None:
    desk = Desk()
    desk.lab.may_die.clear()
    desk.runs.start(WISH)
    await desk.lab.next_run()
    desk.runs.stop()
    desk.runs.stop()
    desk.lab.may_die.set()
    await desk.outcome()
    desk.runs.stop()
    await desk.runs.close()
    assert [outcome.status for _, outcome, _ in desk.outcomes] == [RunStatus.STOPPED]


@story
async def test_stop_without_a_run_does_nothing() -> None:
    desk = Desk()
    desk.runs.stop()
    assert desk.outcomes == []
    assert desk.running == []


@story
async def test_a_second_start_drops_the_result_of_the_first() -> None:
    desk = Desk()
    desk.lab.may_die.clear()
    desk.runs.start(WISH)
    first = await desk.lab.next_run()
    desk.runs.start(OTHER)
    second = await desk.lab.next_run()
    desk.lab.may_die.set()
    second.result.set_result(OK)
    await desk.outcome()
    assert first.cancelled
    assert [wish for wish, _, _ in desk.outcomes] == [OTHER]
    assert desk.running == [True, False, True, False]


@story
async def test_a_result_that_comes_although_the_run_was_given_up_is_dropped() -> None:
    desk = Desk()
    desk.runs.start(WISH)
    first = await desk.lab.next_run()
    first.result.set_result(OK)  # ended, and not yet told
    desk.runs.start(OTHER)
    second = await desk.lab.next_run()
    second.result.set_result(OK)
    await desk.outcome()
    assert [wish for wish, _, _ in desk.outcomes] == [OTHER]


@story
async def test_what_a_run_that_was_given_up_still_prints_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    desk, clock = Desk(), Clock(monkeypatch)
    desk.lab.may_die.clear()
    desk.runs.start(WISH)
    first = await desk.lab.next_run()
    desk.runs.start(OTHER)
    second = await desk.lab.next_run()
    first.tell(Progress("running", "stdout", b"from the grave"))
    clock.ring()
    assert desk.live == []
    assert desk.stages[-1] == "starting"
    desk.lab.may_die.set()
    second.result.set_result(OK)
    await desk.outcome()


@story
async def test_abandoning_ends_the_run_and_tells_no_outcome() -> None:
    desk = Desk()
    desk.runs.start(WISH)
    run = await desk.lab.next_run()
    desk.runs.abandon()
    assert desk.running == [True, False]
    assert desk.stages[-1] == ""
    await desk.runs.close()
    assert run.cancelled
    assert desk.outcomes == []


@story
async def test_closing_waits_until_every_run_is_dead() -> None:
    desk = Desk()
    desk.lab.may_die.clear()
    desk.runs.start(WISH)
    await desk.lab.next_run()
    desk.runs.start(OTHER)
    await desk.lab.next_run()
    closing = asyncio.ensure_future(desk.runs.close())
    for _ in range(10):
        await asyncio.sleep(0)
    assert not closing.done()
    desk.lab.may_die.set()
    await closing
    assert [run.cancelled for run in desk.lab.runs] == [True, True]
    assert desk.outcomes == []


@story
async def test_a_run_before_the_environments_are_known_looks_for_them_itself() -> None:
    desk = Desk()
    assert desk.offered == (["looking for JAX …"], "")
    desk.runs.start(WISH)
    run = await desk.lab.next_run()
    run.result.set_result(OK)
    await desk.outcome()
    assert desk.outcomes[0][2] == "0.12.0.1"
    assert desk.offered == (["JAX 0.12.0.1", "JAX 0.10.2"], "0.12.0.1")


@story
async def test_without_any_environment_the_outcome_says_how_to_get_one() -> None:
    desk = Desk()
    desk.lab.found = []
    desk.runs.start(WISH)
    outcome = await desk.outcome()
    assert outcome.status is RunStatus.NOT_STARTED
    assert "no environment with JAX here; make one with: xla-museum env add " in outcome.detail
    assert desk.outcomes[0][2] == ""
    assert desk.offered == (["no JAX here"], "")
    assert desk.running == [True, False]


@story
async def test_a_python_without_jax_is_not_offered() -> None:
    desk = Desk()
    desk.lab.found = [environment("")]
    await desk.runs.find_environments()
    assert desk.offered == (["no JAX here"], "")


@story
async def test_a_lab_that_cannot_look_says_why() -> None:
    desk = Desk()
    desk.lab.refuses_to_look = "environment own: cannot run it"
    desk.runs.start(WISH)
    outcome = await desk.outcome()
    assert (outcome.status, outcome.detail) == (RunStatus.NOT_STARTED, "environment own: cannot run it")
    assert desk.running == [True, False]
    desk.lab.refuses_to_look = ""
    desk.runs.start(WISH)
    (await desk.lab.next_run()).result.set_result(OK)
    assert await desk.outcome() is OK


@story
async def test_a_lab_that_cannot_run_says_why_and_keeps_what_was_printed() -> None:
    desk = Desk()
    desk.runs.start(WISH)
    run = await desk.lab.next_run()
    run.tell(Progress("running", "stdout", b"before"))
    run.result.set_exception(MuseumError("the keeper is gone"))
    outcome = await desk.outcome()
    assert (outcome.status, outcome.detail) == (RunStatus.NOT_STARTED, "the keeper is gone")
    assert outcome.stdout.text == "before"
    assert desk.running == [True, False]


@story
async def test_each_version_is_offered_once_with_its_environments_as_its_tip() -> None:
    desk = Desk()
    desk.lab.found = [environment("0.10.2"), environment("0.12.0.1", "new"), environment("0.10.2", "tpu", "0.0.42.1")]
    await desk.runs.find_environments()
    assert desk.offered == (["JAX 0.10.2", "JAX 0.12.0.1"], "0.10.2")
    assert desk.runs.jax == "0.10.2"
    tip = desk.bar.set_environments.call_args.args[0][0].tip
    assert tip.splitlines() == [str(desk.lab.found[0]), str(desk.lab.found[2])]


@story
async def test_looking_again_keeps_the_chosen_version_as_long_as_it_is_there() -> None:
    desk = Desk()
    await desk.runs.find_environments()
    desk.bar.environment_chosen.emit("0.10.2")
    await desk.runs.find_environments()
    assert desk.offered[1] == desk.runs.jax == "0.10.2"
    desk.lab.found = desk.lab.found[:1]
    await desk.runs.find_environments()
    assert desk.offered[1] == desk.runs.jax == "0.12.0.1"


@pytest.mark.parametrize(
    ("target", "name"), [("cpu:8", "plain"), ("tpu-compile", "with libtpu")], ids=["on the CPU", "for the TPU"]
)
@story
async def test_the_environment_fits_the_target(target: str, name: str) -> None:
    desk = Desk()
    desk.lab.found = [environment("0.10.2", "with libtpu", "0.0.42.1"), environment("0.10.2", "plain")]
    desk.runs.set_target(Target.parse(target))
    desk.runs.start(WISH)
    run = await desk.lab.next_run()
    assert (str(run.request.target), run.request.environment.name) == (target, name)
    run.result.set_result(OK)
    await desk.outcome()


@story
async def test_the_chosen_version_and_device_count_are_those_of_the_next_run() -> None:
    desk = Desk()
    await desk.runs.find_environments()
    desk.bar.devices_chosen.emit(4)
    desk.bar.environment_chosen.emit("0.10.2")
    desk.runs.start(WISH)
    run = await desk.lab.next_run()
    assert (str(run.request.target), run.request.environment.jax) == ("cpu:4", "0.10.2")
    run.result.set_result(OK)
    await desk.outcome()
    assert desk.outcomes[0][2] == "0.10.2"


@story
async def test_the_bar_shows_each_target_that_is_chosen() -> None:
    desk = Desk()
    desk.bar.devices_chosen.emit(3)
    desk.bar.target_chosen.emit("tpu-compile")
    desk.bar.target_chosen.emit("cpu")
    shown = [call.args for call in desk.bar.set_target.call_args_list]
    assert shown == [("cpu", 8, None), ("cpu", 3, None), ("tpu-compile", None, None), ("cpu", 8, None)]
    assert desk.runs.target == Target.cpu(8)


@story
async def test_an_exhibits_own_target_is_taken() -> None:
    desk = Desk()
    desk.runs.set_target(Target.parse("cpu:2x4"))
    assert desk.runs.target == Target.parse("cpu:2x4")
    assert desk.bar.set_target.call_args.args == ("processes", 4, 2)

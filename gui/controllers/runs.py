"""Decides what runs: one snippet at a time, the latest wish wins, late results are dropped."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from gui.widgets.run_bar import Choice, RunBar
from museum.errors import MuseumError
from museum.exhibit import Half
from museum.lab.environments import NEWEST, Environment
from museum.lab.outcome import OutputKeeper, RunOutcome, RunStatus
from museum.lab.runner import Progress, RunRequest
from museum.lab.target import Target, TargetKind
from museum.lab.verify import choose

LIVE_BYTES = 1 << 14  # of each stream, while it runs
REFRESH = 0.12  # seconds between two looks at the live output


class Lab(Protocol):
    """What the controller needs of the lab."""

    async def environments(self) -> Sequence[Environment]:
        """What is at hand, the museum's own first."""

    async def run(self, request: RunRequest, on_progress: Callable[[Progress], None]) -> RunOutcome:
        """Run to the end."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What to run, and for whom the result is."""

    exhibit: str
    half: Half
    script: str


class RunController:
    """Connects the run bar with the lab.

    Args:
        bar: The view.
        lab: Runs things.
        on_outcome: Gets a finished run that nobody gave up meanwhile, with the JAX version of its environment.
        on_live: Gets stdout and stderr so far, while it runs.
        on_running: Hears when a run begins and ends.
    """

    def __init__(
        self,
        bar: RunBar,
        lab: Lab,
        on_outcome: Callable[[Wish, RunOutcome, str], None],
        on_live: Callable[[Wish, str, str, str], None],
        on_running: Callable[[bool], None],
    ) -> None:
        self._bar, self._lab = bar, lab
        self._on_outcome, self._on_live, self._on_running = on_outcome, on_live, on_running
        self._target = Target.parse("cpu:8")
        self._environments: Sequence[Environment] = ()
        self._jax = ""
        self._generation = 0
        self._task: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()
        bar.stop_requested.connect(self.stop)
        bar.target_chosen.connect(self._on_target_chosen)
        bar.devices_chosen.connect(self._on_devices_chosen)
        bar.environment_chosen.connect(self._on_environment_chosen)
        bar.set_targets([Choice("cpu", "fake CPU devices"), Choice("tpu-compile", "TPU compiler, no TPU")], "cpu")
        bar.set_environments([Choice("", "looking for JAX …")], "")
        self.set_target(self._target)

    @property
    def target(self) -> Target:
        """Where the next run goes."""
        return self._target

    @property
    def jax(self) -> str:
        """The JAX version chosen; "" until environments are known."""
        return self._jax

    async def find_environments(self) -> None:
        """Ask what is at hand, and offer it; keeps the chosen version if it is still there."""
        self._environments = await self._lab.environments()
        versions = list(dict.fromkeys(environment.jax for environment in self._environments if environment.jax))
        if self._jax not in versions:
            self._jax = versions[0] if versions else ""
        self._bar.set_environments([self._choice(jax) for jax in versions] or [Choice("", "no JAX here")], self._jax)

    def _choice(self, jax: str) -> Choice:
        here = [environment for environment in self._environments if environment.jax == jax]
        return Choice(jax, f"JAX {jax}", "\n".join(map(str, here)))

    def set_target(self, target: Target) -> None:
        """Another place to run, as an exhibit wants it."""
        self._target = target
        is_cpu = target.kind is TargetKind.CPU
        self._bar.set_target("cpu" if is_cpu else str(target), target.devices if is_cpu else None)

    def _on_target_chosen(self, key: str) -> None:
        devices = self._target.devices if self._target.kind is TargetKind.CPU else 8
        self.set_target(Target.cpu(devices) if key == "cpu" else Target.parse(key))

    def _on_devices_chosen(self, devices: int) -> None:
        self.set_target(Target.cpu(devices))

    def _on_environment_chosen(self, jax: str) -> None:
        self._jax = jax

    def start(self, wish: Wish) -> None:
        """Run it now; what runs already is given up."""
        self.abandon()
        self._generation += 1
        self._bar.set_stage("starting", time.monotonic())
        self._on_running(True)
        self._task = asyncio.ensure_future(self._follow(wish, self._generation))

    def stop(self) -> None:
        """End the run; its result, that it was stopped, is shown."""
        if self._task is not None:
            # Not at once: a task that is cancelled before its first step never comes to say that it was stopped.
            asyncio.get_running_loop().call_soon(self._task.cancel)

    def abandon(self) -> None:
        """End the run and drop its result: the visitor went elsewhere."""
        self._generation += 1
        if self._task is not None:
            self._task.cancel()
            self._ending.add(self._task)
            self._task.add_done_callback(self._ending.discard)
            self._finish()

    async def close(self) -> None:
        """End everything and wait until nothing of it is alive."""
        self.abandon()
        await asyncio.gather(*self._ending, return_exceptions=True)

    def _finish(self) -> None:
        self._task = None
        self._bar.set_stage("")
        self._on_running(False)

    async def _follow(self, wish: Wish, generation: int) -> None:
        begun = time.monotonic()
        live = _Live(lambda stage, out, err: self._show_live(wish, generation, begun, stage, out, err))
        environment = None
        try:
            if not self._environments:
                await self.find_environments()
            environment = choose(self._environments, self._jax, self._target)
            if environment is None:
                words = f"no environment with JAX here; make one with: xla-museum env add {NEWEST}"
                outcome = live.outcome(RunStatus.NOT_STARTED, words, str(self._target))
            else:
                outcome = await self._run(wish, environment, live.hear)
        except asyncio.CancelledError:
            outcome = live.outcome(RunStatus.STOPPED, f"after {time.monotonic() - begun:.1f} s", str(self._target))
        except MuseumError as error:
            outcome = live.outcome(RunStatus.NOT_STARTED, str(error), str(self._target))
        finally:
            live.close()
        if generation == self._generation:
            self._finish()
            self._on_outcome(wish, outcome, environment.jax if environment else self._jax)

    def _run(self, wish: Wish, environment: Environment, hear: Callable[[Progress], None]) -> Awaitable[RunOutcome]:
        request = RunRequest(wish.script, environment, self._target, name=f"{wish.half}.py")
        return self._lab.run(request, hear)

    def _show_live(self, wish: Wish, generation: int, begun: float, stage: str, out: str, err: str) -> None:
        if generation == self._generation:
            self._bar.set_stage(stage, begun)
            self._on_live(wish, stage, out, err)


class _Live:
    """Gathers what a run says and shows it at most every `REFRESH` seconds, so that a flood cannot hold the window."""

    def __init__(self, show: Callable[[str, str, str], None]) -> None:
        self._show = show
        self._stage = "starting"
        self._streams = {"stdout": OutputKeeper(LIVE_BYTES), "stderr": OutputKeeper(LIVE_BYTES)}
        self._timer: asyncio.TimerHandle | None = None

    def hear(self, progress: Progress) -> None:
        """Take one piece of progress."""
        self._stage = progress.stage
        if progress.block:
            self._streams[progress.stream].take(progress.block)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(REFRESH, self._refresh)

    def _refresh(self) -> None:
        self._timer = None
        self._show(self._stage, self._streams["stdout"].output().text, self._streams["stderr"].output().text)

    def outcome(self, status: RunStatus, detail: str, target: str) -> RunOutcome:
        """The outcome of a run that was ended from here, with what it printed."""
        out, err = (self._streams[name].output() for name in ("stdout", "stderr"))
        return RunOutcome(status, None, "", target, stdout=out, stderr=err, detail=detail)

    def close(self) -> None:
        """Show nothing any more."""
        if self._timer is not None:
            self._timer.cancel()

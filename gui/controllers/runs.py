"""Decides what runs: one snippet at a time, the latest wish wins, late results are dropped."""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from gui.widgets.run_bar import Choice, RunChoices
from museum.errors import MuseumError
from museum.exhibit import Half
from museum.lab.building import NEWEST
from museum.lab.environments import Environment
from museum.lab.outcome import OutputKeeper, RunOutcome, RunStatus
from museum.lab.runner import Limits, Progress, RunRequest
from museum.lab.target import Target, TargetKind
from museum.lab.verify import choose

LIVE_BYTES = 1 << 14  # of each stream, while it runs
REFRESH = 0.12  # seconds between two looks at the live output
BROWSING = 0.4  # seconds that a visitor must stay before processes are made ready for the exhibit
PROCESSES = (2, 4)  # the first of them where none was chosen, and the devices of each


TARGETS = (
    Choice("cpu", "fake CPU devices", "One process that sees this many CPU devices"),
    Choice(
        "processes", "processes", "Several processes of fake CPU devices, joined by jax.distributed on this machine"
    ),
    Choice("tpu-compile", "TPU compiler, no TPU", "libtpu compiles for chips that are not there; nothing is executed"),
    Choice("local", "local accelerator", "The GPU or TPU of this machine, one run at a time"),
)


class Lab(Protocol):
    """What the controller needs of the lab."""

    async def environments(self) -> Sequence[Environment]:
        """What is at hand, the museum's own first."""

    async def run(self, request: RunRequest, on_progress: Callable[[Progress], None] | None = None) -> RunOutcome:
        """Run to the end."""

    def prepare(self, environment: Environment, target: Target, scripts: Iterable[str]) -> None:
        """Have processes ready for scripts that may be run next."""

    def use_cache(self, use: bool) -> None:
        """Whether warm runs use the compilation cache."""

    async def close(self) -> None:
        """End all that it started."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What to run, and for whom the result is.

    Attributes:
        exhibit: Id of an exhibit, or of a snippet on the bench.
        half: Which one; all of a snippet counts as the failing one.
        script: The code.
        arguments: Its `sys.argv[1:]`.
        variables: The visitor's own environment variables.
        limits: What it may use; None for what runs usually may.
    """

    exhibit: str
    half: Half
    script: str
    arguments: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    limits: Limits | None = None


class RunController:
    """Connects the run bar with the lab.

    Args:
        bar: The view.
        lab: Runs things.
        on_outcome: Gets a finished run that nobody gave up meanwhile, with the JAX version of its environment.
        on_live: Gets stdout and stderr so far, while it runs.
        on_running: Hears when a run begins and ends.
        on_chosen: Hears that the visitor chose another target or version.
        limits: Tells what a run may use.
    """

    def __init__(
        self,
        bar: RunChoices,
        lab: Lab,
        on_outcome: Callable[[Wish, RunOutcome, str], None],
        on_live: Callable[[Wish, str, str, str], None],
        on_running: Callable[[bool], None],
        on_chosen: Callable[[], None] = lambda: None,
        limits: Callable[[], Limits] = Limits,
    ) -> None:
        self._bar, self._lab = bar, lab
        self._on_outcome, self._on_live, self._on_running = on_outcome, on_live, on_running
        self._on_chosen, self._limits = on_chosen, limits
        self._target = Target.parse("cpu:8")
        self._environments: Sequence[Environment] = ()
        self._jax = ""
        self._generation = 0
        self._task: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self._expected: tuple[str, ...] = ()
        self._preparing: asyncio.TimerHandle | None = None
        bar.stop_requested.connect(self.stop)
        bar.target_chosen.connect(self._on_target_chosen)
        bar.devices_chosen.connect(self._on_devices_chosen)
        bar.processes_chosen.connect(self._on_processes_chosen)
        bar.environment_chosen.connect(self._on_environment_chosen)
        bar.set_targets(TARGETS, "cpu")
        bar.set_environments([Choice("", "looking for JAX …")], "")
        self.set_target(self._target)

    @property
    def target(self) -> Target:
        """Where the next run goes."""
        return self._target

    @property
    def environments(self) -> Sequence[Environment]:
        """What is at hand; nothing until it is known."""
        return self._environments

    @property
    def environment(self) -> Environment | None:
        """The environment that the next run would use; None where there is none."""
        return choose(self._environments, self._jax, self._target) if self._environments else None

    @property
    def is_running(self) -> bool:
        """Whether a run goes on, as far as the visitor can tell."""
        return self._task is not None

    @property
    def jax(self) -> str:
        """The JAX version chosen; "" until environments are known."""
        return self._jax

    @property
    def versions(self) -> tuple[str, ...]:
        """The JAX versions at hand, in the order in which they are offered."""
        return tuple(dict.fromkeys(environment.jax for environment in self._environments if environment.jax))

    def usual_limits(self) -> Limits:
        """What a run may use that has no limits of its own."""
        return self._limits()

    def set_jax(self, jax: str) -> None:
        """Another version to run with; one that is not at hand changes nothing."""
        if jax in self.versions:
            self._jax = jax
            self._offer()
            self._prepare_soon()

    async def find_environments(self) -> None:
        """Ask what is at hand, and offer it; keeps the chosen version if it is still there."""
        self.take_environments(await self._lab.environments())

    def take_environments(self, environments: Sequence[Environment]) -> None:
        """Offer what is at hand; keeps the chosen version if it is still there."""
        self._environments = environments
        if self._jax not in self.versions:
            self._jax = self.versions[0] if self.versions else ""
        self._offer()
        self._prepare_soon()

    def _offer(self) -> None:
        choices = [self._choice(jax) for jax in self.versions] or [Choice("", "no JAX here")]
        self._bar.set_environments(choices, self._jax)

    def _choice(self, jax: str) -> Choice:
        here = [environment for environment in self._environments if environment.jax == jax]
        return Choice(jax, f"JAX {jax}", "\n".join(map(str, here)))

    def set_target(self, target: Target) -> None:
        """Another place to run, as an exhibit wants it."""
        self._target = target
        counts = target.kind in (TargetKind.CPU, TargetKind.PROCESSES)
        several = target.kind is TargetKind.PROCESSES
        devices, processes = target.devices if counts else None, target.processes if several else None
        self._bar.set_target(str(target.kind), devices, processes)
        self._prepare_soon()

    def _on_target_chosen(self, key: str) -> None:
        if key == TargetKind.CPU:
            self.set_target(Target.cpu(8))
        elif key == TargetKind.PROCESSES:
            self.set_target(Target(TargetKind.PROCESSES, devices=PROCESSES[1], processes=PROCESSES[0]))
        else:
            self.set_target(Target.parse(key))
        self._on_chosen()

    def _on_devices_chosen(self, devices: int) -> None:
        self.set_target(replace(self._target, devices=devices))
        self._on_chosen()

    def _on_processes_chosen(self, processes: int) -> None:
        self.set_target(replace(self._target, processes=processes))
        self._on_chosen()

    def _on_environment_chosen(self, jax: str) -> None:
        self._jax = jax
        self._prepare_soon()
        self._on_chosen()

    def expect(self, scripts: Sequence[str]) -> None:
        """What the visitor may run next; nothing, on a page without code."""
        self._expected = tuple(scripts)
        self._prepare_soon()

    def _prepare_soon(self) -> None:
        """Prepare once the visitor stays: who leafs through the museum must not start a process at every page."""
        if self._preparing is not None:
            self._preparing.cancel()
        self._preparing = asyncio.get_event_loop().call_later(BROWSING, self._prepare)

    def _prepare(self) -> None:
        self._preparing = None
        environment = choose(self._environments, self._jax, self._target) if self._environments else None
        if environment is not None and self._task is None:
            self._lab.prepare(environment, self._target, self._expected)

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
        for task in self._ending:
            if not task.cancelling():  # on its way out by itself
                task.cancel()
        if self._task is not None:
            self._task.cancel()
            self._finish()

    async def close(self) -> None:
        """End everything and wait until nothing of it is alive."""
        self.abandon()
        if self._preparing is not None:
            self._preparing.cancel()
        await asyncio.gather(*self._ending, return_exceptions=True)

    def _finish(self) -> None:
        """The run is over for the visitor; its process may still be on its way out."""
        if self._task is not None and not self._task.done():
            self._ending.add(self._task)
            self._task.add_done_callback(self._ending.discard)
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
                showing = _Showing(wish, environment.jax, generation)
                how = (wish.arguments, wish.variables, wish.limits or self.usual_limits())
                request = RunRequest(wish.script, environment, self._target, *how)
                outcome = await self._lab.run(request, lambda progress: self._hear(progress, live, showing))
                if showing.shown == outcome:
                    return
        except asyncio.CancelledError:
            outcome = live.outcome(RunStatus.STOPPED, f"after {time.monotonic() - begun:.1f} s", str(self._target))
        except MuseumError as error:
            outcome = live.outcome(RunStatus.NOT_STARTED, str(error), str(self._target))
        except Exception as error:  # noqa: BLE001 - whatever the lab breaks of, the window must say so and go on
            words = f"the lab itself broke: {type(error).__name__}: {error}"
            outcome = live.outcome(RunStatus.NOT_STARTED, words, str(self._target))
        finally:
            live.close()
        self._show(_Showing(wish, environment.jax if environment else self._jax, generation), outcome)

    def _hear(self, progress: Progress, live: "_Live", showing: "_Showing") -> None:
        live.hear(progress)
        if progress.outcome is not None:
            live.close()
            showing.shown = progress.outcome
            self._show(showing, progress.outcome)

    def _show(self, showing: "_Showing", outcome: RunOutcome) -> None:
        """Show an outcome: of the last line, and again when the process's end made it another one."""
        if showing.generation == self._generation:
            self._finish()
            self._on_outcome(showing.wish, outcome, showing.jax)
            self._prepare_soon()

    def _show_live(self, wish: Wish, generation: int, begun: float, stage: str, out: str, err: str) -> None:
        if generation == self._generation:
            self._bar.set_stage(stage, begun)
            self._on_live(wish, stage, out, err)


@dataclass(slots=True)
class _Showing:
    """For whom an outcome is, and what of it is on show already."""

    wish: Wish
    jax: str
    generation: int
    shown: RunOutcome | None = None


class _Live:
    """Gathers what a run says and shows it at most every `REFRESH` seconds, so that a flood cannot hold the window."""

    def __init__(self, show: Callable[[str, str, str], None]) -> None:
        self._show = show
        self._stage = "starting"
        self._streams = {"stdout": OutputKeeper(LIVE_BYTES), "stderr": OutputKeeper(LIVE_BYTES)}
        self._timer: asyncio.TimerHandle | None = None
        self._is_closed = False

    def hear(self, progress: Progress) -> None:
        """Take one piece of progress."""
        self._stage = progress.stage
        if progress.block:
            self._streams[progress.stream].take(progress.block)
        if self._timer is None and not self._is_closed:
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
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()

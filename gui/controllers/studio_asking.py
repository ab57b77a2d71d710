"""Asks JAX about the studio's layout: whether it agrees, and in what order it lays the devices out."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from gui.controllers.machine_facts import many
from gui.widgets.run_bar import Choice
from gui.widgets.studio_page import StudioPage
from museum.errors import MuseumError
from museum.lab.environments import Environment
from museum.lab.outcome import RunOutcome, RunStatus
from museum.lab.physical import PhysicalOrder, Question
from museum.lab.runner import Progress, RunRequest
from museum.lab.target import Target
from museum.lab.verify import choose
from museum.mesh import edits
from museum.mesh.check import differences
from museum.mesh.code import ANY_JAX, as_code
from museum.mesh.document import StudioDocument
from museum.mesh.slices import across_slices
from museum.mesh.torus import NEWEST_JAX, make_mesh_splits

EVERY = Choice(ANY_JAX, "any JAX", "Code that means the same on every version")
MOST_CHECKED = 512  # devices; more fake ones on a CPU take too long

Ask = Callable[[Environment, Sequence[Question]], Awaitable[tuple[PhysicalOrder, ...]]]
Verdict = tuple[str, str, dict[str, frozenset[int]]]
"""Words, their role, and by array the devices that JAX says otherwise about."""


class Lab(Protocol):
    """What the controller needs of the lab."""

    async def environments(self) -> Sequence[Environment]:
        """What is at hand, the museum's own first."""

    async def run(self, request: RunRequest, on_progress: Callable[[Progress], None]) -> RunOutcome:
        """Run to the end."""


class StudioAsking:
    """One question at a time; a new one, or another document, ends the one before.

    Args:
        page: The view.
        lab: Runs the check.
        ask: Asks JAX for device orders.
        document: Gives the one at hand.
        laid_out: Takes the document in JAX's device order.
    """

    def __init__(
        self,
        page: StudioPage,
        lab: Lab,
        ask: Ask,
        document: Callable[[], StudioDocument],
        laid_out: Callable[[StudioDocument], None],
    ) -> None:
        self._page, self._lab, self._ask = page, lab, ask
        self._document, self._laid_out = document, laid_out
        self._environments: Sequence[Environment] = ()
        self._jax = ""
        self._task: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()
        page.set_versions([Choice("", f"JAX {NEWEST_JAX}"), EVERY], "")
        page.jax_chosen.connect(self._on_page_jax_chosen)
        page.check_requested.connect(lambda: self._start(self._check))
        page.order_requested.connect(lambda: self._start(self._lay_out))
        page.stop_requested.connect(self.stop)

    @property
    def jax(self) -> str:
        """The version that code is written for, or `ANY_JAX`."""
        return self._jax or NEWEST_JAX

    async def find_environments(self) -> None:
        """Ask what is at hand, and offer its versions; keeps the chosen one if it is still there."""
        self._environments = await self._lab.environments()
        versions = list(dict.fromkeys(environment.jax for environment in self._environments if environment.jax))
        if self._jax not in (*versions, ANY_JAX):
            self._jax = versions[0] if versions else ""
        choices = [Choice(version, f"JAX {version}") for version in versions]
        self._page.set_versions([*(choices or [Choice("", f"JAX {NEWEST_JAX}")]), EVERY], self._jax)

    def _on_page_jax_chosen(self, version: str) -> None:
        self._jax = version
        self.give_up()
        self._page.show_check("")

    async def _environment(self) -> Environment:
        if not self._environments:
            await self.find_environments()
        version = "" if self._jax == ANY_JAX else self._jax
        environment = choose(self._environments, version, Target.cpu(1))
        if environment is None:
            raise MuseumError("no environment with JAX is at hand to ask")
        return environment

    def _start(self, work: Callable[[], Awaitable[None]]) -> None:
        self.give_up()
        self._task = asyncio.ensure_future(self._guarded(work))

    async def _guarded(self, work: Callable[[], Awaitable[None]]) -> None:
        """Ask JAX; whatever comes of it, the page is free again."""
        task = asyncio.current_task()
        try:
            await work()
        except MuseumError as error:
            if self._task is task:
                self._page.say(str(error), "bad")
        finally:
            if self._task is task:
                self._task = None
                self._page.set_busy("")

    def stop(self) -> None:
        """End what was asked of JAX."""
        if self._task is not None:
            self.give_up()
            self._page.say("Stopped.")

    def give_up(self) -> None:
        """Whatever was asked counts no more."""
        task = self._task
        if task is not None and task is not asyncio.current_task():  # which would be an answer that is being shown
            self._task = None
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)
            task.cancel()
            self._page.set_busy("")

    async def _check(self) -> None:
        document = self._document()
        self._page.show_check("")
        self._page.set_busy("Looking for JAX …")
        environment = await self._environment()
        if document.mesh.size > MOST_CHECKED:
            raise MuseumError(f"JAX is asked about {MOST_CHECKED} fake CPU devices at most, not {document.mesh.size:,}")
        code = as_code(document, environment.jax, check=True)
        self._page.set_busy(f"JAX {environment.jax} runs the layout on {document.mesh.size} fake CPU devices …")
        request = RunRequest(code, environment, Target.cpu(document.mesh.size))
        outcome = await self._lab.run(request, lambda _progress: None)
        self._page.say("")
        self._page.show_check(*_verdict(document, environment.jax, outcome))

    async def _lay_out(self) -> None:
        document = self._document()
        topology = document.topology
        if topology is None:
            raise MuseumError("choose a machine first")
        self._page.set_busy("Asking JAX for its device order …")
        environment = await self._environment()
        across = across_slices(document)
        if across is None:
            question = Question(topology, document.mesh.shape, split=make_mesh_splits(topology))
        else:
            question = Question(topology, across.inside, across.split, across=across.between)
        (order,) = await self._ask(environment, [question])
        if order.error:
            raise MuseumError(f"JAX {environment.jax} refuses: {order.message}")
        self._laid_out(edits.set_order(document, order.device_ids))
        self._page.say(f"In the order of JAX {environment.jax}.", "good")

    async def close(self) -> None:
        """End everything, and wait until nothing of it is alive."""
        self.give_up()
        await asyncio.gather(*self._ending, return_exceptions=True)


def _verdict(document: StudioDocument, jax: str, outcome: RunOutcome) -> Verdict:
    """What the check came to."""
    refused = any(layout.problems for layout in document.layouts)
    if outcome.exception is not None:
        first = outcome.exception.message.splitlines()[:1] or [""]
        words = f"JAX {jax} refuses it: {outcome.exception.error}: {first[0]}"
        return (words, "faint", {}) if refused else (f"✗ {words}", "bad", {})
    if outcome.status is not RunStatus.OK:
        return f"✗ the run {outcome.status}: {outcome.detail}", "bad", {}
    found = differences(document, outcome.stdout.text)
    if found:
        more = f"\n… and {len(found) - 5} more" if len(found) > 5 else ""
        marks: dict[str, set[int]] = defaultdict(set)
        for one in found:
            marks[one.array].update(document.mesh.device_ids if one.device_id is None else [one.device_id])
        words = "\n".join(f"✗ {line}" for line in found[:5]) + more
        return words, "bad", {name: frozenset(devices) for name, devices in marks.items()}
    if refused:
        return f"✗ JAX {jax} takes it, though it has problems here", "bad", {}
    some = f"{many(len(document.arrays), 'array')} on {many(document.mesh.size, 'device')}"
    return f"✓ JAX {jax} agrees in everything: {some}.", "good", {}

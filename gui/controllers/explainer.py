"""Explains pasted errors beside the event loop, and learns the raise sites of more JAX versions as they are needed."""

import asyncio
import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gui.collecting import held_off
from museum.catalog import Catalog
from museum.errors import MuseumError
from museum.lab.environments import Environment

if TYPE_CHECKING:
    from museum.diagnosis.answer import Answer
    from museum.diagnosis.diagnose import Diagnosis
    from museum.diagnosis.sites import Installed


@dataclass(frozen=True, slots=True)
class Learning:
    """How far the raise sites of a version are read.

    Attributes:
        jax: The version.
        share: What is done of it, 0 to 1; 1 when they are known.
        fault: Why they could not be read; "" otherwise.
    """

    jax: str
    share: float
    fault: str = ""


class Explainer:
    """The one diagnosis of the window: loaded when it is first asked, in a thread; asked one text at a time.

    Args:
        catalog: The collection.

    Attributes:
        on_learning: Hears how far the raise sites of a version are read.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self.on_learning: Callable[[Learning], None] = lambda _learning: None
        self._environments: Sequence[Environment] = ()
        self._diagnosis: Diagnosis | None = None
        self._turn = asyncio.Lock()
        self._placed: set[str] = set()
        self._learning: dict[str, asyncio.Task[None]] = {}
        self._faults: dict[str, str] = {}

    @property
    def is_loaded(self) -> bool:
        """Whether the next answer waits for nothing to be loaded."""
        return self._diagnosis is not None

    @property
    def versions(self) -> tuple[str, ...]:
        """The JAX versions at hand, in the order in which environments are offered."""
        return tuple(dict.fromkeys(environment.jax for environment in self._environments if environment.jax))

    def take_environments(self, environments: Sequence[Environment]) -> None:
        """These are at hand now."""
        self._environments = environments
        self._placed.clear()
        self._faults.clear()  # a version that failed may lie elsewhere now

    async def explain(self, text: str, jax: str = "") -> "Answer":
        """Everything about one paste.

        Args:
            text: Whatever was pasted.
            jax: The version that it came from; "" to go by what the text tells.

        Raises:
            MuseumError: `jax` is no version, or the museum's data is damaged.
        """
        async with self._turn:
            diagnosis = await self._loaded()
            return await asyncio.to_thread(diagnosis.explain, text, jax)

    def fault(self, jax: str) -> str:
        """Why the raise sites of a version could not be read; "" where nothing is known to hinder it."""
        return self._faults.get(jax, "")

    def learn(self, jax: str) -> bool:
        """See to it that the raise sites of a version are known, in the background.

        Returns:
            Whether they are being read now; if not, they are known already, or cannot be had.
        """
        if not jax or jax in self._faults or jax not in self.versions or self._knows(jax):
            return False
        if jax not in self._learning:
            task = asyncio.ensure_future(self._learn(jax))
            self._learning[jax] = task
            task.add_done_callback(lambda _task: self._learning.pop(jax, None))
        return True

    async def learned(self, jax: str) -> None:
        """Wait until the raise sites of a version are read, or cannot be."""
        if task := self._learning.get(jax):
            await asyncio.wait([task])

    async def close(self) -> None:
        """End what is being read and wait until nothing of it is alive."""
        tasks = list(self._learning.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _knows(self, jax: str) -> bool:
        return self._diagnosis is not None and jax in self._diagnosis.versions

    async def _loaded(self) -> "Diagnosis":
        if self._diagnosis is None:
            self._diagnosis = await asyncio.to_thread(_load, self._catalog)
        for jax in self._diagnosis.versions:
            if jax not in self._placed and (place := await asyncio.to_thread(_place_of, jax, self._environments)):
                self._diagnosis.add_source(jax, place.root)
                self._placed.add(jax)
        return self._diagnosis

    async def _learn(self, jax: str) -> None:
        from museum.diagnosis.sites import build_index

        try:
            place = await asyncio.to_thread(_found_place, jax, self._environments)
            self.on_learning(Learning(jax, 0.0))
            index = await build_index(place, lambda share: self.on_learning(Learning(jax, min(share, 0.99))))
        except (MuseumError, OSError) as failure:
            self._faults[jax] = str(failure)
            self.on_learning(Learning(jax, 0.0, str(failure)))
            return
        async with self._turn:  # nobody asks while the diagnosis learns
            diagnosis = await self._loaded()
            diagnosis.add(index, place.root)
            self._placed.add(jax)
        if index.jax != jax:
            self._faults[jax] = f"what lies there as JAX {jax} is JAX {index.jax}"
        self.on_learning(Learning(jax, 1.0, self.fault(jax)))


def _load(catalog: Catalog) -> "Diagnosis":
    from museum.diagnosis.diagnose import Diagnosis

    # What is there by then stays: at a long paste the collector would walk through it for a fifth of a second.
    with held_off():
        diagnosis = Diagnosis(catalog)
        gc.freeze()
    return diagnosis


def _found_place(jax: str, environments: Sequence[Environment]) -> "Installed":
    """As `_place_of`.

    Raises:
        MuseumError: It lies nowhere.
    """
    place = _place_of(jax, environments)
    if place is None:
        raise MuseumError(f"the raise sites of JAX {jax} could not be read: its files were not found")
    return place


def _place_of(jax: str, environments: Sequence[Environment]) -> "Installed | None":
    """Where a version lies, found without starting it."""
    from museum.diagnosis.sites import installed

    for environment in environments:
        if environment.jax == jax:
            try:
                return installed(environment)
            except MuseumError:
                continue
    return None

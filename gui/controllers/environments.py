"""Decides what the dialog of environments shows, and builds and removes them."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from gui.widgets.environments_dialog import EnvironmentRow, EnvironmentsDialog
from museum.errors import MuseumError
from museum.lab import building
from museum.lab.environments import Environment, EnvironmentKind, name_python
from museum.lab.outcome import OutputKeeper

BELONGS = {
    EnvironmentKind.OWN: "the museum itself",
    EnvironmentKind.MANAGED: "the museum, which built it",
    EnvironmentKind.NAMED: "you",
    EnvironmentKind.FOUND: "this machine",
}
CAN = {"cpu": "fake CPU devices", "processes": "", "tpu-compile": "TPU compiler"}
LOG = 20_000  # bytes of an installer's words that are kept


class EnvironmentsController:
    """Connects the dialog with the lab.

    Args:
        make_dialog: Makes and shows the dialog.
        environments: Asks what is at hand.
        on_changed: Called when there are others than before.
    """

    def __init__(
        self,
        make_dialog: Callable[[], EnvironmentsDialog],
        environments: Callable[[], Awaitable[Sequence[Environment]]],
        on_changed: Callable[[], Awaitable[None]],
    ) -> None:
        self._make_dialog, self._environments, self._on_changed = make_dialog, environments, on_changed
        self._dialog: EnvironmentsDialog | None = None
        self._task: asyncio.Task[None] | None = None
        self._log = OutputKeeper(LOG)

    def open(self) -> None:
        """Show the dialog; a second one is not opened."""
        if self._dialog is not None:
            self._dialog.raise_()
            return
        self._dialog = dialog = self._make_dialog()
        dialog.build_requested.connect(self._on_dialog_build_requested)
        dialog.cancel_requested.connect(self.cancel)
        dialog.remove_requested.connect(self._on_dialog_remove_requested)
        dialog.named.connect(self._on_dialog_named)
        dialog.finished.connect(self._on_dialog_finished)
        if self._is_busy:
            dialog.set_building(building=True)
        else:
            self._start(self._refresh())

    @property
    def _is_busy(self) -> bool:
        return self._task is not None and not self._task.done()

    def cancel(self) -> None:
        """Stop what is being built; nothing half-made stays behind."""
        if self._task is not None:
            self._task.cancel()

    async def close(self) -> None:
        """Stop and wait until nothing is alive."""
        self.cancel()
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    def _start(self, work: Awaitable[None]) -> None:
        self._task = asyncio.ensure_future(work)

    async def _refresh(self) -> None:
        found = await self._environments()
        if self._dialog is not None:
            self._dialog.show_rows([row_of(environment) for environment in found])

    def _on_dialog_build_requested(self, version: str, tpu: bool) -> None:
        if not self._is_busy:
            self._start(self._build(version, tpu))

    def _on_dialog_remove_requested(self, name: str) -> None:
        if not self._is_busy:
            self._start(self._change(lambda: asyncio.to_thread(building.remove, name), f"{name} is gone."))

    def _on_dialog_named(self, place: str) -> None:
        if not self._is_busy:
            self._start(self._change(lambda: name_python(Path(place)), f"{place} is listed."))

    def _on_dialog_finished(self) -> None:
        self._dialog = None

    async def _build(self, version: str, tpu: bool) -> None:
        self._log = OutputKeeper(LOG)
        self._say(f"Building an environment with JAX {version} …")
        self._set_building(building=True)
        try:
            environment = await building.add(version, tpu=tpu, say=self._hear)
            self._say(f"{environment} is ready.", "good")
        except asyncio.CancelledError:
            self._say("Cancelled; nothing half-made stayed behind.")
            return
        except MuseumError as error:
            self._say(str(error), "bad")
        finally:
            self._set_building(building=False)
        await self._refresh()
        await self._on_changed()

    async def _change(self, work: Callable[[], Awaitable[object]], words: str) -> None:
        try:
            await work()
            self._say(words, "good")
        except MuseumError as error:
            self._say(str(error), "bad")
        await self._refresh()
        await self._on_changed()

    def _hear(self, line: str) -> None:
        self._log.take(line.encode() + b"\n")
        if self._dialog is not None:
            self._dialog.show_log(self._log.output().text)

    def _say(self, text: str, role: str = "faint") -> None:
        if self._dialog is not None:
            self._dialog.say(text, role)

    def _set_building(self, *, building: bool) -> None:
        if self._dialog is not None:
            self._dialog.set_building(building=building)


def row_of(environment: Environment) -> EnvironmentRow:
    """An environment in words."""
    can = ", ".join(filter(None, (CAN[target] for target in environment.targets)))
    jax = f"{environment.jax} with libtpu {environment.libtpu}" if environment.libtpu else environment.jax
    removable = environment.kind in (EnvironmentKind.MANAGED, EnvironmentKind.NAMED)
    cells = (environment.name, jax, environment.python_version, can, BELONGS[environment.kind])
    return EnvironmentRow(environment.name, cells, str(environment.python), removable)

"""Decides what the settings do: to the lab, to the history, and in their dialog."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

from PySide6.QtGui import QFontDatabase

from gui.kept_settings import KeptSettings
from gui.widgets.settings_dialog import SettingsDialog
from museum.errors import MuseumError
from museum.history import History, prune_runs
from museum.lab import building, cache
from museum.lab.environments import name_python, named_environments
from museum.lab.lab import Lab
from museum.lab.runner import Limits
from museum.settings import (
    CACHE,
    CODE_FAMILY,
    FAMILY,
    HISTORY_RUNS,
    HISTORY_SIZE,
    IDLE,
    MEMORY,
    OUTPUT,
    PROCESSES,
    SECONDS,
    SPARES,
    TARGET,
    USE_CACHE,
    Setting,
)

FONTS = {FAMILY.key, CODE_FAMILY.key}


class LabSettings:
    """Lets the lab and the history follow the settings; what was never chosen leaves them as they were made.

    Args:
        settings: Say how.
        lab: Follows.
        history: Likewise.
    """

    def __init__(self, settings: KeptSettings, lab: Lab, history: History) -> None:
        self._settings, self._lab, self._history = settings, lab, history
        self._pruning: set[asyncio.Task[None]] = set()
        lab.use_cache(settings.value(USE_CACHE))
        if settings.is_chosen(SPARES) or settings.is_chosen(IDLE):
            self._keep_spares()
        if settings.is_chosen(CACHE):
            self._bound_cache()
        self._bound_history()
        settings.changed.connect(self._on_settings_changed)

    def limits(self) -> Limits:
        """What a run may use."""
        value = self._settings.value
        return Limits(
            seconds=float(value(SECONDS)),
            memory=value(MEMORY) << 30,
            processes=value(PROCESSES),
            output=value(OUTPUT) << 20,
        )

    def target(self) -> str:
        """Where a snippet runs that does not ask for a target."""
        return self._settings.value(TARGET)

    async def close(self) -> None:
        """Wait until nothing is under way."""
        await asyncio.gather(*self._pruning, return_exceptions=True)

    def _on_settings_changed(self, key: str) -> None:
        if key in (SPARES.key, IDLE.key):
            self._keep_spares()
        elif key == USE_CACHE.key:
            self._lab.use_cache(self._settings.value(USE_CACHE))
        elif key == CACHE.key:
            self._bound_cache()
        elif key in (HISTORY_RUNS.key, HISTORY_SIZE.key):
            self._bound_history()
            task = asyncio.ensure_future(self._prune())
            self._pruning.add(task)
            task.add_done_callback(self._pruning.discard)

    def _keep_spares(self) -> None:
        self._lab.keep_spares(self._settings.value(SPARES), self._settings.value(IDLE) * 60.0)

    def _bound_cache(self) -> None:
        self._lab.bound_cache(self._settings.value(CACHE) << 20)

    def _bound_history(self) -> None:
        runs = self._history.runs
        runs.most, runs.largest = self._settings.value(HISTORY_RUNS), self._settings.value(HISTORY_SIZE) << 20

    async def _prune(self) -> None:
        runs = self._history.runs
        await asyncio.to_thread(prune_runs, self._history.file, runs.largest, runs.most)


class SettingsController:
    """Connects the dialog with the settings, the cache and the named environments.

    Args:
        make_dialog: Makes and shows the dialog.
        settings: What it shows and changes.
        manage_environments: Shows all environments.
        on_environments_changed: Called when there are others than before.
    """

    def __init__(
        self,
        make_dialog: Callable[[], SettingsDialog],
        settings: KeptSettings,
        manage_environments: Callable[[], object],
        on_environments_changed: Callable[[], Awaitable[None]],
    ) -> None:
        self._make_dialog, self._settings = make_dialog, settings
        self._manage_environments, self._on_environments_changed = manage_environments, on_environments_changed
        self._dialog: SettingsDialog | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        settings.changed.connect(self._on_settings_changed)

    def open(self) -> None:
        """Show the dialog; a second one is not opened."""
        if self._dialog is not None:
            self._dialog.raise_()
            return
        self._dialog = dialog = self._make_dialog()
        dialog.show_values(self._text_of)
        dialog.edited.connect(self._on_dialog_edited)
        dialog.reset_requested.connect(self._on_dialog_reset_requested)
        dialog.clear_requested.connect(lambda: self._start(self._clear()))
        dialog.named.connect(lambda path: self._start(self._name(path)))
        dialog.remove_requested.connect(lambda name: self._start(self._remove(name)))
        dialog.environments_requested.connect(self._manage_environments)
        dialog.finished.connect(self._on_dialog_finished)
        self._start(self._measure())
        self._start(self._list_names())

    async def close(self) -> None:
        """End what is under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _text_of(self, setting: Setting[Any]) -> str:
        return setting.write(self._settings.value(setting))

    def _on_settings_changed(self, _key: str) -> None:
        if self._dialog is not None:
            self._dialog.show_values(self._text_of)  # also what was changed by a menu or a key

    def _on_dialog_edited(self, setting: Setting[Any], text: str) -> None:
        if self._dialog is None:
            return
        try:
            self._settings.choose(setting, _read(setting, text))
        except MuseumError as refusal:
            self._say(str(refusal), "bad")
            self._dialog.set_bad(setting, bad=True)
            return
        self._dialog.set_bad(setting, bad=False)
        self._dialog.show_value(setting, self._text_of(setting))
        self._say("")

    def _on_dialog_reset_requested(self) -> None:
        self._settings.reset()
        if self._dialog is not None:
            self._dialog.forget_typed()
            self._dialog.show_values(self._text_of)
        self._say("Every setting has its default again.", "good")

    def _on_dialog_finished(self) -> None:
        self._dialog = None

    def _say(self, text: str, role: str = "faint") -> None:
        if self._dialog is not None:
            self._dialog.say(text, role)

    async def _measure(self) -> None:
        held = await asyncio.to_thread(cache.held)
        if self._dialog is not None:
            self._dialog.show_held(f"{held / 2**20:,.1f} MiB" if held else "nothing", empty=not held)

    async def _clear(self) -> None:
        gone = await asyncio.to_thread(cache.prune, 0)
        self._say(f"{gone:,} programs are gone from the compilation cache.", "good")
        await self._measure()

    async def _list_names(self) -> None:
        named = await asyncio.to_thread(named_environments)
        if self._dialog is not None:
            self._dialog.show_names([(name, str(python)) for name, python in named.items()])

    async def _name(self, path: str) -> None:
        self._say(f"Asking the Python in {path} …")
        try:
            environment = await name_python(Path(os.path.expanduser(path)))  # noqa: ASYNC240, PTH111 - asks no disk
        except MuseumError as refusal:
            self._say(str(refusal), "bad")
            return
        if self._dialog is not None:
            self._dialog.set_path("")
        self._say(f"{environment} is listed.", "good")
        await self._list_names()
        await self._on_environments_changed()

    async def _remove(self, name: str) -> None:
        try:
            await asyncio.to_thread(building.remove, name)
        except MuseumError as refusal:
            self._say(str(refusal), "bad")
            return
        self._say(f"{name} is not listed any more; the folder stays as it is.", "good")
        await self._list_names()
        await self._on_environments_changed()


def _read(setting: Setting[Any], text: str) -> Any:  # noqa: ANN401 - of each kind
    value = setting.read(text)
    if setting.key in FONTS and value and value not in QFontDatabase.families():
        raise MuseumError(f"{setting.title}: no font {value!r} is installed; empty is the system's")
    return value

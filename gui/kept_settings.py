"""The visitor's settings as they are kept: read once, checked, told to whoever follows them."""

from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QSettings, Signal

from museum.errors import MuseumError
from museum.settings import FORMAT, SETTINGS, Setting

Value = TypeVar("Value")
FORMAT_KEY = "settings/format"


class KeptSettings(QObject):
    """Settings in a file that several windows may share.

    Args:
        store: The file.

    Attributes:
        store: The same, for what is no setting: where the visitor was, how wide the panes were.
        note: One line on what could not be read; "" when all is well.

    Signals:
        changed: Another value holds; carries the setting's key.
    """

    changed = Signal(str)

    def __init__(self, store: QSettings) -> None:
        super().__init__()
        self.store = store
        self.note = ""
        self._values: dict[str, Any] = {}
        self._read()

    def value(self, setting: Setting[Value]) -> Value:
        """What holds now."""
        held: Value = self._values.get(setting.key, setting.default)
        return held

    def is_chosen(self, setting: Setting[Value]) -> bool:
        """Whether the visitor chose something else than the default."""
        return setting.key in self._values

    def choose(self, setting: Setting[Value], value: Value) -> None:
        """Another value from now on; it is on disk when this returns.

        Raises:
            MuseumError: It is none that the setting takes; what held before holds.
        """
        value = setting.read(setting.write(value))
        if value == self.value(setting):
            return
        if value == setting.default:
            self._values.pop(setting.key, None)
            self.store.remove(setting.key)
        else:
            self._values[setting.key] = value
            self.store.setValue(setting.key, setting.write(value))
            self.store.setValue(FORMAT_KEY, max(FORMAT, self._format()))
        self.store.sync()
        self.changed.emit(setting.key)

    def reset(self) -> None:
        """The default of every setting."""
        gone = list(self._values)
        self._values.clear()
        for key in gone:
            self.store.remove(key)
        self.store.sync()
        for key in gone:  # when all hold: who follows several of them changes once
            self.changed.emit(key)

    def _read(self) -> None:
        if self.store.status() is not QSettings.Status.NoError or self._is_garbage():
            aside = self._keep_aside("damaged")
            self.note = f"settings: {self.store.fileName()} cannot be read; the defaults are used{aside}"
            return
        bad: dict[str, str] = {}
        for setting in SETTINGS:
            kept = self.store.value(setting.key)
            if kept is None:
                continue
            try:
                text = kept if isinstance(kept, str) else setting.write(kept)
                value = setting.read(text)
            except (MuseumError, TypeError) as fault:
                bad[setting.key] = str(fault)
                continue
            if value != setting.default:
                self._values[setting.key] = value
        if self._format() > FORMAT:
            self._tell_later(bad)
        elif bad:
            self._tell_bad(bad)

    def _is_garbage(self) -> bool:
        """Whether there is something in the file that Qt passes over in silence."""
        if self.store.allKeys():
            return False
        try:
            lines = Path(self.store.fileName()).read_bytes().split(b"\n")
        except OSError:
            return False
        return any(line.strip() and not line.startswith((b"[", b";")) for line in lines)

    def _tell_bad(self, bad: dict[str, str]) -> None:
        """Say which settings are not what they may be, once: they go, and the file as it was is kept."""
        aside = self._keep_aside("damaged")
        first, more = next(iter(bad.values())), len(bad) - 1
        others = f", and {more} more" if more else ""
        self.note = f"settings: {first}{others}; the default is used{aside}"
        for key in bad:
            self.store.remove(key)

    def _tell_later(self, bad: dict[str, str]) -> None:
        """A later museum may know values that this one does not: they stay, and are told of once."""
        aside = self._keep_aside(f"format-{self._format()}", once=True)
        if aside:
            using = f"the default is used for {len(bad)} of them" if bad else "this one uses what it knows of them"
            self.note = f"settings: written by a later museum; {using}{aside}"

    def _format(self) -> int:
        text = str(self.store.value(FORMAT_KEY, FORMAT))
        return int(text) if text.isdecimal() and len(text) < 9 else FORMAT

    def _keep_aside(self, ending: str, *, once: bool = False) -> str:
        """Copy the file; returns words for the note, "" where there was a copy already."""
        import datetime
        import shutil

        file = Path(self.store.fileName())
        name = f"{file.name}.{ending}"
        if not once:
            name += f"-{datetime.datetime.now(tz=datetime.UTC):%Y%m%d-%H%M%S}"
        aside = file.with_name(name)
        if once and aside.exists():
            return ""
        try:
            shutil.copyfile(file, aside)
        except OSError as failure:
            return f"; it could not be kept aside: {failure.strerror}"
        return f"; the file as it was is kept as {aside.name}"

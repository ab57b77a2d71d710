"""Who else is at home: every window holds a locked file in the museum's home, and the lock goes when the process does.

The file is also where a hard crash is written, so that the next start can tell of it.
"""

import fcntl
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

FOLDER = "instances"
MOST_CRASH = 1 << 20  # bytes of a crash that are kept


@dataclass(frozen=True, slots=True)
class Crash:
    """How an instance that is gone ended.

    Attributes:
        at: When, in seconds since the epoch.
        text: What Python wrote of it.
    """

    at: float
    text: str


class Instance:
    """This window among those that share a home.

    Args:
        home: The museum's home; made if it is not there.

    Attributes:
        id: Unlike that of any other, for ever; "" where no file can be held, and then nobody is told apart.
        crash_file: Open for writing, for `faulthandler`; None where there is none.
    """

    def __init__(self, home: Path) -> None:
        self._folder = home / FOLDER
        self.id = ""
        self.crash_file: int | None = None
        with suppress(OSError):  # no file, or a file system without locks
            self._folder.mkdir(parents=True, exist_ok=True)
            while not self.id:
                self._hold(os.urandom(6).hex())

    def _hold(self, name: str) -> None:
        held = os.open(self._folder / name, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(held)
            raise
        if (self._folder / name).exists():
            self.id, self.crash_file = name, held
        else:  # somebody who came at the same time took it for the file of one that is gone
            os.close(held)

    def others(self) -> frozenset[str]:
        """Ids of the instances that live, without this one."""
        return frozenset(name for name in self._names() if name != self.id and _is_held(self._folder / name))

    def crashes(self) -> list[Crash]:
        """How those ended that are gone and have not been told of yet; each is told once."""
        found = []
        for name in self._names():
            file = self._folder / name
            if name == self.id or _is_held(file):
                continue
            with suppress(OSError):
                at, text = file.stat().st_mtime, file.read_bytes()[:MOST_CRASH].decode("utf-8", "replace")
                file.unlink()
                if text.strip():
                    found.append(Crash(at, text))
        return sorted(found, key=lambda crash: crash.at)

    def close(self) -> None:
        """Leave: what it had belongs to whoever comes next."""
        if self.crash_file is not None:
            with suppress(OSError):
                (self._folder / self.id).unlink()
            os.close(self.crash_file)
            self.crash_file = None

    def _names(self) -> list[str]:
        try:
            return sorted(entry.name for entry in os.scandir(self._folder))
        except OSError:
            return []


def _is_held(file: Path) -> bool:
    """Whether a living process holds it."""
    try:
        seen = os.open(file, os.O_RDONLY)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        fcntl.flock(seen, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(seen)
    return False

"""The museum's own log: what went wrong inside, in a file of bounded size that several processes may write at once."""

import fcntl
import logging
import os
from logging.handlers import RotatingFileHandler
from pathlib import Path

from museum.places import data_directory

LOGGER = logging.getLogger("xla-museum")
LARGEST, BACKUPS = 512 << 10, 3  # bytes of a file, and how many older ones are kept
FORM = "%(asctime)s %(levelname)s [%(process)d] %(message)s"
SHOWN = 200_000  # characters of the newest entries


def log_file(home: Path | None = None) -> Path:
    """Where it is."""
    return (home or data_directory()) / "museum.log"


class SharedRotatingFileHandler(RotatingFileHandler):
    """Rotates a file that others write as well: a lock beside it is held for each entry.

    A process that finds that another one has rotated goes on in the new file.
    """

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        super().__init__(file, maxBytes=LARGEST, backupCount=BACKUPS, encoding="utf-8", delay=True, errors="replace")
        self._lock_file = file.with_suffix(".lock")

    def emit(self, record: logging.LogRecord) -> None:
        """Write one entry; a log that cannot be written is no reason for anything else to fail."""
        try:
            held = os.open(self._lock_file, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return
        try:
            fcntl.flock(held, fcntl.LOCK_EX)
            self._follow()
            super().emit(record)
        except OSError:
            return
        finally:
            os.close(held)

    def _follow(self) -> None:
        """Let go of a file that is not the log any more."""
        if self.stream is None:
            return
        try:
            same = os.path.samestat(os.fstat(self.stream.fileno()), os.stat(self.baseFilename))  # noqa: PTH116
        except OSError:
            same = False
        if not same:
            self.stream.close()
            self.stream = None  # as the base class does; it is opened again on demand

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the base class's
        """Nothing can be said about it: the log is where it would be said."""


def open_log(home: Path | None = None) -> logging.Logger:
    """The log of a home, ready to be written."""
    for handler in list(LOGGER.handlers):
        LOGGER.removeHandler(handler)
        handler.close()
    handler = SharedRotatingFileHandler(log_file(home))
    handler.setFormatter(logging.Formatter(FORM))
    LOGGER.addHandler(handler)
    LOGGER.setLevel(logging.INFO)
    LOGGER.propagate = False
    return LOGGER


def last_entries(home: Path | None = None) -> str:
    """The newest part of the log, with the end of the file before; "" when nothing was ever logged."""
    file = log_file(home)
    parts = []
    for one in (file.with_name(f"{file.name}.1"), file):
        try:
            parts.append(one.read_text("utf-8", "replace"))
        except OSError:
            continue
    text = "".join(parts)
    return text if len(text) <= SHOWN else f"… older entries are in the file …\n{text[-SHOWN:]}"

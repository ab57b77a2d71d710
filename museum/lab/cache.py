"""JAX's persistent compilation cache, kept honest: bounded, and only with programs whose compilation said nothing.

A program that comes from the cache is not compiled again, so what its compilation printed would be missing. Entries
written by a run that printed more than its own output, or that did not end by itself, are taken out again. Where JAX
logs an error of its own at each program that it takes out of the cache, there is none.
"""

import os
import time
from pathlib import Path

from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version

from museum.places import data_directory

MOST_BYTES = 256 << 20
# These log the machine's CPU features to stderr when they load a program ("Loading XLA:CPU AOT result. Target machine
# feature +prefer-no-scatter is not supported"); 0.4.38 to 0.8.1, 0.10.2, 0.11.0 and 0.12.0.1 say nothing.
SPEAKING = SpecifierSet(">=0.8.2,<0.10.2")
SLACK = 2.0  # seconds by which a file system's clock may lag


def directory(jax: str) -> Path:
    """Where the programs of a JAX version are kept."""
    return data_directory() / "compiled" / f"jax-{jax}"


def variables(jax: str) -> dict[str, str]:
    """What turns the cache on for small programs too, when JAX is imported; nothing where it speaks."""
    if _speaks(jax):
        return {}
    return {
        "JAX_COMPILATION_CACHE_DIR": str(directory(jax)),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }


def _speaks(jax: str) -> bool:
    try:
        return SPEAKING.contains(Version(jax), prereleases=True)
    except InvalidVersion:
        return True  # nobody knows


def drop_since(jax: str, begun: float) -> int:
    """Take out what was written since `begun` (`time.time`); returns how many entries went."""
    return sum(_unlink(entry) for entry in _entries(directory(jax)) if _modified(entry) >= begun - SLACK)


def prune(most: int = MOST_BYTES) -> int:
    """Take out the oldest entries until the rest fits into `most` bytes; returns how many went.

    Slow with thousands of entries: not for the event loop's thread.
    """
    found = []
    for entry in _entries(data_directory() / "compiled"):
        try:
            facts = entry.stat()
        except OSError:
            continue  # another window took it out
        found.append((facts.st_mtime, facts.st_size, entry))
    found.sort(key=lambda item: item[0], reverse=True)
    gone = held = 0
    for _, size, entry in found:
        held += size
        if held > most:
            gone += _unlink(entry)
    return gone


def held() -> int:
    """Bytes that are kept for all versions. Slow with thousands of entries."""
    return sum(_size(entry) for entry in _entries(data_directory() / "compiled"))


def _size(entry: Path) -> int:
    try:
        return entry.stat().st_size
    except OSError:
        return 0


def _entries(folder: Path) -> list[Path]:
    return [Path(top) / name for top, _, names in os.walk(folder) for name in names]


def _modified(entry: Path) -> float:
    try:
        return entry.stat().st_mtime
    except OSError:
        return 0.0


def _unlink(entry: Path) -> int:
    try:
        entry.unlink()
    except OSError:
        return 0
    return 1


def now() -> float:
    """The clock of `drop_since`."""
    return time.time()

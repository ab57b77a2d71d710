"""What runs below a process: looked at while it changes, as processes do."""

from collections.abc import Iterator

import psutil


def alive_below(pid: int | None = None) -> Iterator[tuple[psutil.Process, list[str]]]:
    """Each living descendant with the words of its command line.

    One that ends while it is looked at is passed over, and so is one that has ended and waits to be collected.

    Args:
        pid: Whose descendants; those of the tests by default.
    """
    for process in psutil.Process(pid).children(recursive=True):
        try:
            words, status = process.cmdline(), process.status()
        except psutil.NoSuchProcess:
            continue
        if status != psutil.STATUS_ZOMBIE:
            yield process, words


def is_dead(process: psutil.Process) -> bool:
    """Whether it has ended, collected or not."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True

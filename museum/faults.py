"""A fault of the museum's own: what it was, and a report of it that may leave this machine."""

import platform
import sys
import traceback
from dataclasses import dataclass

from museum.errors import MuseumError

MOST_TRACE = 40_000  # characters; a recursion that has no end writes more


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that nobody caught.

    Attributes:
        where: "in a task", "in the thread loading", …
        summary: Class and message, in one line.
        trace: The traceback, or all that is known.
        key: The same for the same fault, however often it happens.
        is_refusal: Whether it is one of the museum's own clear lines, that came out at the wrong place.
    """

    where: str
    summary: str
    trace: str
    key: str
    is_refusal: bool = False


def fault_of(where: str, error: BaseException) -> Fault:
    """The fault that an exception is."""
    trace = "".join(traceback.format_exception(error))
    if len(trace) > MOST_TRACE:
        trace = f"{trace[: MOST_TRACE // 2]}\n… the middle is left out …\n{trace[-MOST_TRACE // 2 :]}"
    summary = "".join(traceback.format_exception_only(error)).strip().partition("\n")[0]
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    key = f"{type(error).__module__}.{type(error).__qualname__} {place}"
    return Fault(where, summary, trace, key, isinstance(error, MuseumError))


def fault_in_words(where: str, words: str) -> Fault:
    """A fault that came without an exception."""
    return Fault(where, words.strip().partition("\n")[0], words, words[:200])


def versions() -> str:
    """What the museum runs on, in one line."""
    from importlib.metadata import PackageNotFoundError, version

    parts = []
    for name, package in (("XLA Museum", "xla-museum"), ("JAX", "jax"), ("PySide6", "PySide6-Essentials")):
        try:
            parts.append(f"{name} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join([*parts, f"Python {platform.python_version()}", f"{sys.platform} {platform.machine()}"])


def report(faults: list[tuple[Fault, int]]) -> str:
    """All that is known of faults and how often each happened, without what must not leave this machine."""
    from museum.scrub import Private, scrubbed

    parts = [versions()]
    for fault, times in faults:
        often = f", {times} times" if times > 1 else ""
        parts.append(f"{fault.summary}\n{fault.where}{often}\n\n{fault.trace.rstrip()}")
    return scrubbed("\n\n".join(parts) + "\n", Private.of_this_machine())

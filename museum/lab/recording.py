"""Writes ``captures.toml``: the only hand that touches reproduced captures."""

import datetime
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from museum.exhibit import Capture, CapturesFile, Exhibit, Origin
from museum.lab.normalise import comparable

if TYPE_CHECKING:
    from museum.lab.verify import Result

FILE = "captures.toml"
_VERBATIM = ("message", "stdout", "stderr")
_CIRCUMSTANCES = ("date", "python", "platform")


def merge(old: Iterable[Capture], new: Iterable[Capture]) -> tuple[Capture, ...]:
    """The captures of an exhibit after a recording, in a fixed order.

    A new capture takes the place of the old one for the same half, JAX version and target, unless it says the
    same: then the old one stays, with its date, so that recording twice changes nothing. Reported captures stay.
    """
    kept = {_key(capture): capture for capture in old}
    for capture in new:
        before = kept.get(_key(capture))
        if before is None or not _says_the_same(before, capture):
            kept[_key(capture)] = capture
    return tuple(sorted(kept.values(), key=_order))


def _key(capture: Capture) -> tuple[str, ...]:
    return (capture.origin, capture.half, capture.jax, capture.target, capture.source)


def _order(capture: Capture) -> tuple[Any, ...]:
    from packaging.version import Version

    return (capture.origin, Version(capture.jax or "0"), capture.target, capture.half, capture.source)


def _says_the_same(one: Capture, other: Capture) -> bool:
    def essence(capture: Capture) -> dict[str, Any]:
        values = msgspec.structs.asdict(capture)
        for name in _VERBATIM:
            values[name] = comparable(values[name])
        return {name: value for name, value in values.items() if name not in _CIRCUMSTANCES}

    return essence(one) == essence(other)


def write(folder: Path, captures: tuple[Capture, ...]) -> bool:
    """Write an exhibit's captures; returns whether the file changed."""
    text = "\n".join(map(_table, captures))
    file = folder / FILE
    if file.exists() and file.read_text("utf-8") == text:
        return False
    beside = file.with_suffix(".toml.new")
    beside.write_text(text, "utf-8", newline="\n")
    beside.replace(file)
    return True


def _table(capture: Capture) -> str:
    import tomli_w

    values = msgspec.to_builtins(CapturesFile((capture,)), builtin_types=(datetime.date,))
    # In a text over several lines tomli_w turns each CR LF into LF: there it must be one line with escapes.
    over_lines = not any("\r\n" in getattr(capture, name) for name in _VERBATIM)
    return tomli_w.dumps(values, multiline_strings=over_lines)


def record(exhibit: Exhibit, results: "Iterable[Result]", root: Path) -> bool:
    """Write what the good runs of an exhibit printed into its captures; returns whether the file changed.

    Args:
        exhibit: As it was read.
        results: Of a verify; those of other exhibits are passed over.
        root: The folder that holds the wings.
    """
    from museum.lab.verify import capture_of

    today = datetime.datetime.now(tz=datetime.UTC).date()
    new = [capture_of(result, today) for result in results if result.job.exhibit.id == exhibit.id]
    return write(root / exhibit.id, merge(exhibit.captures, [capture for capture in new if capture is not None]))


def reported_only(captures: Iterable[Capture]) -> tuple[Capture, ...]:
    """The captures that others made."""
    return tuple(capture for capture in captures if capture.origin is Origin.REPORTED)

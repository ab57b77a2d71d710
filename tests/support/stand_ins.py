"""Stand-ins for views: what a controller is tested with instead of a window."""

from collections.abc import Callable
from typing import Any
from unittest.mock import create_autospec

from PySide6.QtCore import Signal


class Emitter:
    """Stands in for a signal of a view."""

    def __init__(self) -> None:
        self._slots: list[Callable[..., object]] = []

    def connect(self, slot: Callable[..., object]) -> None:
        self._slots.append(slot)

    def emit(self, *values: object) -> None:
        for slot in self._slots:
            slot(*values)


def pretended(kind: type, *inherited: str) -> Any:
    """A view of that kind that does nothing, and whose signals the test emits.

    Args:
        kind: Its class.
        inherited: Signals that its class has from Qt, by name.
    """
    view = create_autospec(kind, instance=True)
    own = [name for name, member in vars(kind).items() if isinstance(member, Signal)]
    for name in (*own, *inherited):
        setattr(view, name, Emitter())
    return view

"""What is loaded late, and will be wanted at once when somebody asks for it, is fetched while the window is quiet."""

import asyncio
import importlib
import sys
from collections.abc import Sequence

from gui.collecting import held_off

QUIET = 2.5  # seconds after the window is open, in which the first page is read and processes are made ready
BETWEEN = 0.1  # seconds between two modules, for what else waits for the interpreter's lock

# In the order in which a first opening of Diagnose and a first answer want them; never JAX.
MODULES = (
    "museum.diagnosis.record_shelf",
    "gui.widgets.diagnosis_page",
    "gui.controllers.diagnosis",
    "museum.diagnosis.records",
    "museum.diagnosis.logs",
    "museum.diagnosis.sites",
    "museum.diagnosis.diagnose",
)


async def prefetch(modules: Sequence[str] = MODULES, *, quiet: float = QUIET, between: float = BETWEEN) -> None:
    """Import what is not imported yet, one module at a time, in a thread.

    Args:
        modules: Their names.
        quiet: Seconds before the first one.
        between: Seconds before each further one.
    """
    await asyncio.sleep(quiet)
    for name in modules:
        if name not in sys.modules:
            await asyncio.to_thread(_fetch, name)
            await asyncio.sleep(between)


def _fetch(name: str) -> None:
    with held_off():  # garbage may hold widgets, which must not end on this thread
        importlib.import_module(name)

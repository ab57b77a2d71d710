"""What every test stands on: no screen, a museum home of its own, and the museum's own environment."""

import asyncio
import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before Qt is imported anywhere

from museum.lab.environments import Environment, own


@pytest.fixture(autouse=True)
def museum_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory that no other test and no visitor shares."""
    home = tmp_path / "home"
    monkeypatch.setenv("XLA_MUSEUM_HOME", str(home))
    return home


@pytest.fixture(scope="session")
def own_environment() -> Environment:
    """The Python that runs the tests, with its JAX."""
    return asyncio.run(own())


@pytest.fixture(autouse=True, scope="module")
def collected() -> Iterator[None]:
    """Collects what a module's tests left, on this thread: widgets that are collected on another one complain there."""
    yield
    if "PySide6.QtWidgets" in sys.modules:
        gc.collect()

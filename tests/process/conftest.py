"""What the tests with real processes share."""

import asyncio
import os
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import psutil
import pytest

from museum.lab.environments import Environment, EnvironmentKind


@pytest.fixture
def run_directories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the processes of a test have their directories; they can be told by it."""
    folder = tmp_path / "runs"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("OF_THIS_TEST", str(folder))
    return folder


@pytest.fixture
def stub(tmp_path: Path, own_environment: Environment) -> Environment:
    """A Python whose JAX is a few lines, and starts at once."""
    package = tmp_path / "stub" / "jax"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(
        "class Ready:\n    def block_until_ready(self): pass\n\n"
        "class numpy:\n    @staticmethod\n    def ones(number): return Ready()\n"
    )
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nPYTHONPATH="$PYTHONPATH:{package.parent}" exec {own_environment.python} "$@"\n')
    python.chmod(0o755)
    return Environment("stub", EnvironmentKind.NAMED, python, "3.12.1", "1.0", "1.0")


@pytest.fixture
def alive(run_directories: Path) -> Callable[[], list[str]]:
    """Lists the processes of the test that are alive, wherever they are now."""

    def alive() -> list[str]:
        found = []
        for process in psutil.process_iter(["cmdline", "environ", "status"]):
            ours = (process.info["environ"] or {}).get("OF_THIS_TEST") == str(run_directories)
            if ours and process.pid != os.getpid() and process.info["status"] != psutil.STATUS_ZOMBIE:
                found.append(" ".join(process.info["cmdline"] or []))
        return found

    return alive


@pytest.fixture
def play(run_directories: Path, alive: Callable[[], list[str]]) -> Callable[[Coroutine[Any, Any, Any]], Any]:
    """Plays a scenario to its end, after which no process and no directory of it may be left."""

    def play(scenario: Coroutine[Any, Any, Any]) -> Any:
        async def bounded() -> Any:
            async with asyncio.timeout(150):  # so that a fault fails instead of hanging
                return await scenario

        result = asyncio.run(bounded())
        assert alive() == []
        assert list(run_directories.iterdir()) == []
        return result

    return play

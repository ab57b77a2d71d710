"""Runs on the accelerator of this machine: what a probe finds, and one run at a time; the devices are pretended."""

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from processes import alive_below

from museum.lab import accelerators as module
from museum.lab.accelerators import Accelerator, AcceleratorTurn, accelerators, why_none
from museum.lab.environments import Environment, EnvironmentKind
from museum.lab.lab import Lab
from museum.lab.outcome import RunOutcome, RunStatus
from museum.lab.runner import Progress, RunRequest
from museum.lab.target import Target
from museum.places import data_directory

T = TypeVar("T")
LOCAL = Target.parse("local")
TWO_GPUS = """
class Device:
    platform, device_kind = "gpu", "Pretended H200"
devices = lambda: [Device(), Device()]
"""


@pytest.fixture(autouse=True)
def nothing_is_known() -> Iterator[None]:
    """Probes anew, and forgets."""
    module._found.clear()
    yield
    module._found.clear()


@pytest.fixture
def pretend(tmp_path: Path) -> Callable[[str], Environment]:
    """Makes an environment whose `jax` is the given text."""

    def make(text: str) -> Environment:
        package = tmp_path / "stub" / "jax"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(text)
        python = tmp_path / "mine" / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.write_text(f'#!/bin/sh\nPYTHONPATH="$PYTHONPATH:{package.parent}" exec {sys.executable} "$@"\n')
        python.chmod(0o755)
        return Environment("mine", EnvironmentKind.NAMED, python, "3.12.1", "1.0", "1.0")

    return make


def play(scenario: Coroutine[Any, Any, T]) -> T:
    """To its end; a fault fails instead of hanging."""
    return asyncio.run(asyncio.wait_for(scenario, 40))


def run_local(script: str, environment: Environment) -> RunOutcome:
    async def scenario() -> RunOutcome:
        lab = Lab(spares=0)
        outcome = await lab.run(RunRequest(script, environment, LOCAL))
        await lab.close()
        return outcome

    return play(scenario())


def test_without_an_accelerator_nothing_starts_and_one_line_says_so(
    own_environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")  # also on a machine that has one
    outcome = run_local("print('never')", own_environment)
    assert (outcome.status, outcome.exit_code, outcome.stdout.size) == (RunStatus.NOT_STARTED, None, 0)
    jax = own_environment.jax
    assert outcome.detail == f"no accelerator: JAX {jax} in environment own finds only CPUs on this machine"


def test_a_probe_names_what_it_finds_and_asks_once(pretend: Callable) -> None:
    environment = pretend(TWO_GPUS)
    assert asyncio.run(accelerators(environment)) == (Accelerator("gpu", "Pretended H200", 2),)
    assert str(Accelerator("gpu", "Pretended H200", 2)) == "2 Pretended H200"
    environment.python.unlink()
    assert asyncio.run(accelerators(environment)) == (Accelerator("gpu", "Pretended H200", 2),)


def test_several_kinds_are_told_apart_and_cpus_left_out(pretend: Callable) -> None:
    environment = pretend("""
from types import SimpleNamespace as D
devices = lambda: [D(platform=p, device_kind=k) for p, k in (("gpu", "A"), ("cpu", "cpu"), ("gpu", "B"), ("gpu", "A"))]
print("a banner of its own")
""")
    assert asyncio.run(accelerators(environment)) == (Accelerator("gpu", "A", 2), Accelerator("gpu", "B", 1))


@pytest.mark.parametrize(
    "text",
    [
        "raise RuntimeError('no driver')",
        "devices = lambda: []",
        "devices = lambda: 1 / 0",
        "import os; os.write(1, b'\\xff nonsense'); os._exit(0)",
        "print('[1, 2]', flush=True); import os; os._exit(0)",
        "import os; os.abort()",
        "import os; os._exit(0)",
    ],
)
def test_a_probe_that_fails_or_answers_nonsense_finds_nothing(text: str, pretend: Callable) -> None:
    environment = pretend(text)
    outcome = run_local("print('never')", environment)
    assert (outcome.status, outcome.detail) == (RunStatus.NOT_STARTED, why_none(environment))


def test_a_python_that_is_gone_finds_nothing(pretend: Callable) -> None:
    environment = pretend(TWO_GPUS)
    environment.python.unlink()
    assert run_local("print('never')", environment).status is RunStatus.NOT_STARTED


def test_a_probe_that_hangs_finds_nothing_and_is_ended(pretend: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = pretend("import os, time\nos.popen('sleep 600')\ntime.sleep(600)\n")
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    assert asyncio.run(accelerators(environment)) == ()
    assert list(alive_below()) == []


def test_a_probe_that_is_given_up_is_ended(pretend: Callable, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    environment = pretend(f"import time\nopen({str(begun)!r}, 'w').close()\ntime.sleep(600)\n")

    async def scenario() -> None:
        task = asyncio.create_task(accelerators(environment))
        await asyncio.to_thread(begun.read_text)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    play(scenario())
    assert list(alive_below()) == []


def test_a_run_starts_and_keeps_the_visitors_settings(pretend: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XLA_FLAGS", "--xla_of_the_visitor")
    outcome = run_local("import jax, os\nprint(len(jax.devices()), os.environ['XLA_FLAGS'])\n", pretend(TWO_GPUS))
    assert (outcome.status, outcome.target) == (RunStatus.OK, "local")
    assert outcome.stdout.text == "2 --xla_of_the_visitor\n"


def test_two_runs_take_turns_and_the_second_says_that_it_waits(pretend: Callable, tmp_path: Path) -> None:
    environment = pretend(TWO_GPUS)
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    script = f"import jax\nprint('on', flush=True)\nopen({str(gate)!r}).read()\n"
    stages: dict[str, list[str]] = {"first": [], "second": []}

    async def scenario() -> list[RunOutcome]:
        labs = [Lab(spares=0), Lab(spares=0)]  # as in two windows
        on, waits = asyncio.Event(), asyncio.Event()

        def follow_first(progress: Progress) -> None:
            stages["first"].append(progress.stage)
            if progress.block:
                on.set()

        def follow_second(progress: Progress) -> None:
            stages["second"].append(progress.stage)
            if progress.stage == "waiting":
                waits.set()

        first = asyncio.create_task(labs[0].run(RunRequest(script, environment, LOCAL), follow_first))
        await on.wait()
        second = asyncio.create_task(labs[1].run(RunRequest("import jax\n", environment, LOCAL), follow_second))
        await waits.wait()
        assert stages["second"] == ["waiting"]
        with gate.open("w"):  # the first one may end now
            pass
        outcomes = [await first, await second]
        for lab in labs:
            await lab.close()
        return outcomes

    outcomes = play(scenario())
    assert [outcome.status for outcome in outcomes] == [RunStatus.OK, RunStatus.OK]
    assert "waiting" not in stages["first"]
    assert stages["second"].count("waiting") == 1
    assert stages["second"][1:3] == ["starting", "ready"]


HOLDER = """
import fcntl, os, sys
lock = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
fcntl.flock(lock, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("ending", ["by itself", "killed"])
def test_the_turn_is_kept_across_processes_and_free_when_one_dies(ending: str) -> None:
    place = data_directory()
    place.mkdir(parents=True)

    async def scenario() -> list[str]:
        said: list[str] = []
        other = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", HOLDER, str(place / "accelerator.lock")),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        assert other.stdin is not None
        assert other.stdout is not None
        assert await other.stdout.readline() == b"held\n"

        def on_busy() -> None:
            said.append("busy")
            if ending == "killed":
                other.kill()
            else:
                other.stdin.close()  # type: ignore[union-attr]

        async with AcceleratorTurn().taken(on_busy):
            said.append("taken")
        await other.wait()
        async with AcceleratorTurn().taken(on_busy):
            said.append("taken again")
        return said

    assert play(scenario()) == ["busy", "taken", "taken again"]


def test_a_turn_that_was_waited_for_in_vain_is_left_to_others(tmp_path: Path) -> None:
    async def scenario() -> None:
        turn = AcceleratorTurn()
        busy = asyncio.Event()

        async def wait_in_vain() -> None:
            async with turn.taken(busy.set):
                pytest.fail("the turn was taken twice")

        async with turn.taken(lambda: None):
            task = asyncio.create_task(wait_in_vain())
            await busy.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        async with turn.taken(lambda: pytest.fail("still taken")):
            pass

    play(scenario())

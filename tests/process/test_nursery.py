"""Nurseries: one child at a time, each a run like any other, whatever it does to its nursery."""

import asyncio
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from processes import alive_below

from museum.lab.environments import Environment
from museum.lab.lab import Lab
from museum.lab.nursery import Nurseries
from museum.lab.outcome import RunOutcome, RunStatus
from museum.lab.runner import Limits, RunRequest, run
from museum.lab.spares import Spare
from museum.lab.target import Target
from museum.lab.warmth import Warmth

pytestmark = pytest.mark.usefixtures("run_directories")
CPU = Target.cpu(8)
HELLO = "import jax\nprint('hello')\n"
# Words that a script has no business with, spelt so that it is still borne by a nursery.
HIDDEN = "import jax, os\nseen = getattr(os, 'envi' + 'ron')\nsplit = getattr(os, 'fo' + 'rk')\n"


class Watched:
    """Nurseries, with what each request was given."""

    def __init__(self, nurseries: Nurseries) -> None:
        self.nurseries = nurseries
        self.given: list[Spare | None] = []

    async def take(self, environment: Environment, target: Target, warmth: Warmth) -> Spare | None:
        self.given.append(await self.nurseries.take(environment, target, warmth))
        return self.given[-1]


async def borne(*scripts: str, environment: Environment, most: int = 1, **limits: float) -> list[RunOutcome]:
    """The scripts one after the other, each from a nursery."""
    nurseries = Nurseries(most)
    watched = Watched(nurseries)
    bounds = Limits(**{"seconds": 60.0, **limits})  # type: ignore[arg-type]
    try:
        outcomes = [await run(RunRequest(script, environment, CPU, limits=bounds), None, watched) for script in scripts]
    finally:
        await nurseries.close()
    assert all(watched.given)
    return outcomes


def test_one_nursery_bears_run_after_run_and_each_finds_an_empty_place(stub: Environment, play: Callable) -> None:
    litter = "import jax, os\nos.mkdir('a'); open('a/b', 'w').close(); open('c', 'w').close()\nprint(os.getpid())\n"
    look = "import jax, os\nprint(sorted(os.listdir()), __file__ == os.path.abspath('snippet.py'), os.getpid())\n"
    first, second = play(borne(litter, look, environment=stub))
    assert first.status is second.status is RunStatus.OK
    files, same_path, pid = second.stdout.text.rsplit(" ", 2)
    assert (files, same_path) == ("['snippet.py']", "True")
    assert pid.strip() != first.stdout.text.strip()


def test_exit_codes_errors_and_limits_are_those_of_the_run(stub: Environment, play: Callable) -> None:
    left, raised, killed, slow, again = play(
        borne(
            "import jax\nraise SystemExit(3)\n",
            "import jax\nrows = 10\nraise ValueError(rows)\n",
            "import jax, os\nos.kill(os.getpid(), 9)\n",
            "import jax\nprint('on', flush=True)\nwhile True: pass\n",
            HELLO,
            environment=stub,
            seconds=3,
        )
    )
    assert (left.status, left.exit_code) == (RunStatus.FAILED, 3)
    assert raised.exception is not None
    assert (str(raised.exception), raised.exception.blamed_line) == ("ValueError: 10", 3)
    assert (killed.status, killed.exit_code) == (RunStatus.CRASHED, -9)
    assert (slow.status, slow.stdout.text) == (RunStatus.TIMED_OUT, "on\n")
    assert (again.status, again.stdout.text) == (RunStatus.OK, "hello\n")


def test_the_script_sees_its_own_variables_and_none_of_the_gates(stub: Environment, play: Callable) -> None:
    (seen,) = play(borne(HIDDEN + "print(sorted(seen))\nprint(seen['XL' + 'A_FLAGS'])\n", environment=stub))
    names, flags = seen.stdout.text.splitlines()
    assert "MUSEUM_GATE" not in names
    assert flags == "--xla_force_host_platform_device_count=8"


def test_what_a_run_leaves_behind_is_ended_before_the_next(stub: Environment, play: Callable) -> None:
    leaves = HIDDEN + "if split() == 0:\n    os.setsid()\n    while True: os.sched_yield()\nprint('left')\n"
    first, second = play(borne(leaves, HELLO, environment=stub))
    assert (first.status, first.left, first.stdout.text) == (RunStatus.OK, 1, "left\n")
    assert (second.status, second.left, second.stdout.text) == (RunStatus.OK, 0, "hello\n")


def test_a_run_that_kills_its_parents_is_ended_and_the_next_one_runs(stub: Environment, play: Callable) -> None:
    kills = HIDDEN + "os.kill(os.getppid(), 9)\nwhile True: os.sched_yield()\n"

    async def scenario() -> tuple[RunOutcome, RunOutcome]:
        lab = Lab(spares=0, nurseries=1)
        try:
            return await lab.run(RunRequest(kills, stub, CPU)), await lab.run(RunRequest(HELLO, stub, CPU))
        finally:
            await lab.close()

    killed, after = play(scenario())
    assert killed.status is RunStatus.CRASHED
    assert (after.status, after.stdout.text) == (RunStatus.OK, "hello\n")


def test_a_nursery_that_died_costs_no_run(stub: Environment, play: Callable) -> None:
    async def scenario() -> RunOutcome:
        lab = Lab(spares=0, nurseries=1)
        try:
            await lab.run(RunRequest(HELLO, stub, CPU))
            assert lab._nurseries is not None
            assert len(lab._nurseries._nurseries) == 1
            (nursery,) = [process for process, words in alive_below() if words[-1:] == ["snippet.py"]]
            nursery.kill()
            return await lab.run(RunRequest(HELLO, stub, CPU))
        finally:
            await lab.close()

    outcome = play(scenario())
    assert (outcome.status, outcome.stdout.text) == (RunStatus.OK, "hello\n")


def test_a_stopped_run_leaves_the_nursery_free(stub: Environment, play: Callable) -> None:
    async def scenario() -> RunOutcome:
        lab = Lab(spares=0, nurseries=1)
        runs = asyncio.Event()
        endless = RunRequest("import jax\nprint('on', flush=True)\nwhile True: pass\n", stub, CPU)
        task = asyncio.create_task(lab.run(endless, lambda progress: progress.block and runs.set()))
        await runs.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        try:
            return await lab.run(RunRequest(HELLO, stub, CPU))
        finally:
            await lab.close()

    assert play(scenario()).stdout.text == "hello\n"


def test_they_are_bounded_and_the_one_used_longest_ago_goes(
    stub: Environment, own_environment: Environment, play: Callable
) -> None:
    async def scenario() -> list[list[str]]:
        nurseries = Nurseries(1)
        kept = []
        for environment in (stub, own_environment, stub):
            spare = await nurseries.take(environment, CPU, Warmth.BACKEND)
            assert spare is not None
            assert await nurseries.take(environment, CPU, Warmth.JAX) is None  # at work
            await spare.process.close()
            kept.append([nursery.environment.name for nursery in nurseries._nurseries])
        await nurseries.close()
        return kept

    assert play(scenario()) == [["stub"], [own_environment.name], ["stub"]]


def test_what_must_start_plain_or_elsewhere_is_not_borne(stub: Environment, play: Callable) -> None:
    async def scenario() -> None:
        nurseries = Nurseries(1)
        assert await nurseries.take(stub, CPU, Warmth.PLAIN) is None
        assert await nurseries.take(stub, Target.parse("local"), Warmth.JAX) is None
        assert nurseries._nurseries == []

    play(scenario())


def test_random_numbers_differ_from_run_to_run(own_environment: Environment, play: Callable) -> None:
    draws = "import jax, random\nimport numpy as np\nprint(random.random(), np.random.rand())\n"
    first, second = play(borne(draws, draws, environment=own_environment))
    for one, other in zip(first.stdout.text.split(), second.stdout.text.split(), strict=True):
        assert one != other


def test_a_museum_that_is_killed_takes_nursery_and_child_along(
    stub: Environment, run_directories: Path, alive: Callable[[], list[str]]
) -> None:
    program = f"""
import asyncio, os, pathlib, tempfile
from museum.lab.environments import Environment, EnvironmentKind
from museum.lab.nursery import Nurseries
from museum.lab.target import Target
from museum.lab.warmth import Warmth

tempfile.tempdir = {str(run_directories)!r}

async def main():
    stub = Environment("stub", EnvironmentKind.NAMED, pathlib.Path({str(stub.python)!r}), "3.12.1", "1.0", "1.0")
    spare = await Nurseries(1).take(stub, Target.cpu(8), Warmth.JAX)
    await spare.process.waiting()
    print("born", flush=True)
    os.kill(os.getpid(), 9)

asyncio.run(main())
"""

    async def scenario() -> bytes:
        command = [sys.executable, "-c", program]
        child = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        assert child.stdout is not None
        said = await child.stdout.readline()
        await child.wait()
        return said

    assert asyncio.run(scenario()) == b"born\n"
    deadline = time.monotonic() + 20
    while (alive() or list(run_directories.iterdir())) and time.monotonic() < deadline:
        os.sched_yield()
    assert alive() == []
    assert list(run_directories.iterdir()) == []

"""Spare processes: how many, for whom, how they go, and that a run in one is a run like any other."""

import asyncio
import dataclasses
import os
import re
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from processes import alive_below

from museum.lab import cache, spares
from museum.lab.environments import Environment
from museum.lab.lab import Lab
from museum.lab.outcome import Output, RunOutcome, RunStatus
from museum.lab.runner import Limits, Progress, RunRequest
from museum.lab.spares import Spare, Spares
from museum.lab.target import Target
from museum.lab.warmth import Warmth, warmth_for

BACKEND, JAX, PLAIN = Warmth.BACKEND, Warmth.JAX, Warmth.PLAIN
CPU = Target.cpu(8)
# Scripts of each warmth; the variables are read without a word for them.
VARIABLES = "import jax, os\nseen = getattr(os, 'envi' + 'ron')\n"
HELLO = "import jax\nprint('hello')\n"
COLDER = "import jax\nprint('hello')  # config\n"
pytestmark = pytest.mark.usefixtures("run_directories")
COMPILES = "import jax, os\nprint(jax.jit(lambda x: x * 3 + 1)(jax.numpy.arange(4.0)))\n"


def same_directory(output: Output) -> Output:
    return Output(re.sub(rb"xla-museum-\w{8}", b"xla-museum-x", output.head))


def was_warm(outcome: RunOutcome) -> bool:
    """Whether the process stood at the gate before the run was asked for."""
    return outcome.timings["ready"] == 0.0


def request_for(script: str, environment: Environment, target: Target = CPU, **limits: float) -> RunRequest:
    bounds = Limits(**{"seconds": 60.0, **limits})  # type: ignore[arg-type]
    return RunRequest(script, environment, target, limits=bounds)


async def warm_run(request: RunRequest, **options: Any) -> RunOutcome:
    """One run in a spare that was made for it."""
    lab = Lab(spares=1, **options)
    try:
        lab.prepare(request.environment, request.target, [str(request.script)])
        await lab.settled()
        outcome = await lab.run(request)
    finally:
        await lab.close()
    assert was_warm(outcome)
    return outcome


def process_of(spare: Spare) -> psutil.Process:
    """The Python that waits at the gate."""
    below = alive_below(spare.process._keeper.pid)
    (found,) = [process for process, words in below if words[-1:] == [spares.SCRIPT]]
    return found


# -- how many, and for whom --------------------------------------------------------------------------------------------


def test_the_scripts_of_this_module_are_as_warm_as_they_should_be() -> None:
    assert [warmth_for(script, {}) for script in (VARIABLES, HELLO, COLDER, COMPILES)] == [
        BACKEND,
        BACKEND,
        JAX,
        BACKEND,
    ]


@pytest.mark.parametrize(("most", "made"), [(0, 0), (1, 1), (2, 2), (5, 2)])
def test_spares_are_bounded_in_number_and_asking_again_makes_no_more(
    most: int, made: int, stub: Environment, play: Callable
) -> None:
    async def scenario() -> None:
        pool = Spares(most)
        for _ in range(3):
            pool.prepare(stub, CPU, [BACKEND, JAX, BACKEND, PLAIN])
        await pool.settled()
        pool.prepare(stub, CPU, [BACKEND, JAX])
        await pool.settled()
        assert len(pool) == made
        await pool.close()
        assert len(pool) == 0

    play(scenario())


def test_nothing_is_made_for_what_starts_plain_or_elsewhere(stub: Environment, play: Callable) -> None:
    async def scenario() -> None:
        pool = Spares(2)
        pool.prepare(stub, CPU, [PLAIN, PLAIN])
        for target in ("local", "cpu:2x4"):
            pool.prepare(stub, Target.parse(target), [BACKEND, JAX])
        pool.prepare(dataclasses.replace(stub, jax=""), CPU, [BACKEND])
        await pool.settled()
        assert len(pool) == 0
        await pool.close()

    play(scenario())


def test_the_warmest_that_fits_is_taken_and_none_that_is_too_warm(stub: Environment, play: Callable) -> None:
    async def taken(pool: Spares, target: Target, warmth: Warmth) -> Warmth | None:
        spare = await pool.take(stub, target, warmth)
        if spare is None:
            return None
        await spare.process.close()
        return spare.fit.warmth

    async def scenario() -> None:
        pool = Spares(2)
        pool.prepare(stub, CPU, [JAX, BACKEND])
        await pool.settled()
        assert await taken(pool, CPU, PLAIN) is None
        assert await taken(pool, CPU, BACKEND) is BACKEND
        assert await taken(pool, CPU, BACKEND) is JAX
        assert await taken(pool, CPU, BACKEND) is None
        pool.prepare(stub, CPU, [BACKEND])
        await pool.settled()
        assert await taken(pool, CPU, JAX) is None
        assert await taken(pool, Target.cpu(4), BACKEND) is None
        assert await taken(pool, Target.parse("tpu-compile"), BACKEND) is None
        assert await taken(pool, CPU, BACKEND) is BACKEND
        await pool.close()

    play(scenario())


def test_one_that_is_being_made_is_waited_for(stub: Environment, play: Callable) -> None:
    async def scenario() -> None:
        pool = Spares(1)
        pool.prepare(stub, CPU, [BACKEND])
        spare = await pool.take(stub, CPU, BACKEND)
        assert spare is not None
        assert spare.process._at_gate.is_set()
        await spare.process.close()
        await pool.close()

    play(scenario())


def test_a_spare_serves_one_run(stub: Environment, play: Callable) -> None:
    async def scenario() -> list[RunOutcome]:
        lab = Lab(spares=1)
        lab.prepare(stub, CPU, [HELLO])
        await lab.settled()
        outcomes = [await lab.run(request_for(HELLO, stub)) for _ in range(2)]
        await lab.close()
        return outcomes

    outcomes = play(scenario())
    assert [outcome.stdout.text for outcome in outcomes] == ["hello\n"] * 2
    assert [was_warm(outcome) for outcome in outcomes] == [True, False]


# -- how they go -------------------------------------------------------------------------------------------------------


def test_spares_for_what_was_chosen_before_are_let_go(stub: Environment, play: Callable) -> None:
    other = dataclasses.replace(stub, name="other")

    async def scenario() -> None:
        pool = Spares(2)
        pool.prepare(stub, CPU, [BACKEND, JAX])
        await pool.settled()
        first = {spare.fit.warmth: process_of(spare) for spare in pool._spares}
        pool.prepare(stub, Target.cpu(4), [BACKEND, JAX])
        await asyncio.gather(*pool._ending)
        assert not first[BACKEND].is_running()
        assert first[JAX].is_running()  # it may still become any target
        await pool.settled()
        second = [process_of(spare) for spare in pool._spares]
        assert len(second) == 2
        pool.prepare(other, Target.cpu(4), [BACKEND, JAX])
        await asyncio.gather(*pool._ending)
        assert not any(process.is_running() for process in second)
        await pool.settled()
        assert [spare.fit.environment for spare in pool._spares] == ["other", "other"]
        pool.prepare(other, Target.cpu(4), [])
        assert len(pool) == 0
        await pool.close()

    play(scenario())


def test_one_that_is_still_being_made_for_what_was_chosen_before_goes_too(stub: Environment, play: Callable) -> None:
    async def scenario() -> None:
        pool = Spares(1)
        for devices in range(1, 6):
            pool.prepare(stub, Target.cpu(devices), [BACKEND])
            await asyncio.sleep(0)  # its making begins
        await pool.settled()
        assert [str(spare.fit.target) for spare in pool._spares] == ["cpu:5"]
        await pool.close()

    play(scenario())


def test_one_that_waits_too_long_is_let_go(stub: Environment, play: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spares, "IDLE", 0.0)

    async def scenario() -> None:
        pool = Spares(1)
        pool.prepare(stub, CPU, [BACKEND])
        await pool.settled()
        assert len(pool) == 0
        await pool.close()

    play(scenario())


def test_fewer_spares_are_kept_and_shorter_as_soon_as_that_is_wanted(stub: Environment, play: Callable) -> None:
    async def scenario() -> None:
        pool = Spares(2)
        pool.prepare(stub, CPU, [BACKEND, JAX])
        await pool.settled()
        assert len(pool) == 2
        pool.keep(1, 60.0)
        assert len(pool) == 1
        pool.keep(1, 0.0)
        await asyncio.sleep(0.01)
        assert len(pool) == 0
        pool.keep(0, 60.0)
        pool.prepare(stub, CPU, [BACKEND, JAX])
        await pool.settled()
        assert len(pool) == 0
        await pool.close()

    play(scenario())


@pytest.mark.parametrize("is_noticed", [True, False])
def test_a_spare_that_was_killed_costs_no_run(is_noticed: bool, stub: Environment, play: Callable) -> None:
    async def scenario() -> RunOutcome:
        lab = Lab(spares=1)
        lab.prepare(stub, CPU, [HELLO])
        await lab.settled()
        (spare,) = lab._spares._spares
        process_of(spare).kill()
        if is_noticed:
            await spare.process._keeper.wait()
            assert not spare.process.is_waiting
        outcome = await lab.run(request_for(HELLO, stub))
        lab.prepare(stub, CPU, [HELLO])
        await lab.settled()
        assert [one is spare for one in lab._spares._spares] == [False]
        await lab.close()
        return outcome

    outcome = play(scenario())
    assert (outcome.status, outcome.stdout.text) == (RunStatus.OK, "hello\n")


def test_none_is_made_when_memory_is_short(stub: Environment, play: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> RunOutcome:
        lab = Lab(spares=1)
        lab.prepare(stub, CPU, [HELLO])
        await lab.settled()
        assert len(lab._spares) == 0
        outcome = await lab.run(request_for(HELLO, stub))
        await lab.close()
        return outcome

    monkeypatch.setattr(spares, "LEAST_FREE", 1 << 60)
    outcome = play(scenario())
    assert (outcome.status, was_warm(outcome)) == (RunStatus.OK, False)


def test_none_is_made_when_no_process_is_to_be_had(stub: Environment, play: Callable, tmp_path: Path) -> None:
    async def scenario() -> RunOutcome:
        lab = Lab(spares=1)
        lab.prepare(dataclasses.replace(stub, python=tmp_path / "gone"), CPU, [HELLO])
        await lab.settled()
        outcome = await lab.run(request_for(HELLO, dataclasses.replace(stub, python=tmp_path / "gone")))
        await lab.close()
        return outcome

    outcome = play(scenario())
    assert outcome.status is RunStatus.NOT_STARTED
    assert outcome.detail.startswith(f"cannot run {tmp_path / 'gone'}: ")


def test_closing_while_they_are_made_leaves_nothing(stub: Environment, play: Callable) -> None:
    async def scenario() -> None:
        for steps in range(4):
            pool = Spares(2)
            pool.prepare(stub, CPU, [BACKEND, JAX])
            for _ in range(steps):
                await asyncio.sleep(0)
            await pool.close()
            assert len(pool) == 0

    play(scenario())


def test_a_museum_that_is_killed_takes_its_spares_along(
    stub: Environment, run_directories: Path, alive: Callable[[], list[str]]
) -> None:
    program = f"""
import asyncio, os, pathlib, tempfile
from museum.lab.environments import Environment, EnvironmentKind
from museum.lab.spares import Spares
from museum.lab.target import Target
from museum.lab.warmth import Warmth

tempfile.tempdir = {str(run_directories)!r}

async def main():
    pool = Spares(2)
    stub = Environment("stub", EnvironmentKind.NAMED, pathlib.Path({str(stub.python)!r}), "3.12.1", "1.0", "1.0")
    pool.prepare(stub, Target.cpu(8), [Warmth.BACKEND, Warmth.JAX])
    await pool.settled()
    print(len(pool), len(list(pathlib.Path(tempfile.tempdir).iterdir())), flush=True)
    os.kill(os.getpid(), 9)

asyncio.run(main())
"""

    async def scenario() -> tuple[bytes, int | None]:
        command = [sys.executable, "-c", program]
        child = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        assert child.stdout is not None
        said = await child.stdout.readline()
        return said, await child.wait()

    assert asyncio.run(scenario()) == (b"2 2\n", -signal.SIGKILL)
    deadline = time.monotonic() + 10
    while (alive() or list(run_directories.iterdir())) and time.monotonic() < deadline:
        os.sched_yield()
    assert alive() == []
    assert list(run_directories.iterdir()) == []


# -- a run in a spare --------------------------------------------------------------------------------------------------


def test_the_script_sees_the_variables_of_a_cold_run(
    stub: Environment, play: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = VARIABLES + "print(list(seen.items()))\nprint(os.popen('env | grep -v ^_= | sort').read())\n"

    async def scenario() -> tuple[RunOutcome, RunOutcome]:
        cold, lab = Lab(spares=0), Lab(spares=1)
        lab.prepare(stub, CPU, [script])
        await lab.settled()
        monkeypatch.setenv("SET_MEANWHILE", "yes")
        monkeypatch.delenv("SET_BEFORE")
        outcomes = await cold.run(request_for(script, stub)), await lab.run(request_for(script, stub))
        await cold.close()
        await lab.close()
        return outcomes

    monkeypatch.setenv("SET_BEFORE", "yes")
    cold, warm = play(scenario())
    assert (was_warm(cold), was_warm(warm)) == (False, True)
    cold, warm = (dataclasses.replace(one, stdout=same_directory(one.stdout)) for one in (cold, warm))
    # The order is that of a process which had one of them from the start: only the child's sorted list is compared.
    assert warm.stdout.text.splitlines()[1:] == cold.stdout.text.splitlines()[1:]
    assert "JAX_COMPILATION_CACHE_DIR" not in warm.stdout.text
    assert "XLA_MUSEUM_GATE" not in warm.stdout.text
    assert "SET_MEANWHILE" in warm.stdout.text.splitlines()[0]
    assert "SET_BEFORE" not in warm.stdout.text


def test_jax_reads_the_caches_variables_before_they_are_hidden(own_environment: Environment, play: Callable) -> None:
    script = (
        VARIABLES
        + "print(getattr(getattr(jax, 'con' + 'fig'), 'jax' + '_compilation_' + 'ca' + 'che_dir'))\nprint(*seen)\n"
    )
    outcome = play(warm_run(request_for(script, own_environment)))
    lines = outcome.stdout.text.splitlines()
    assert lines[0] == str(cache.directory(own_environment.jax))
    assert "JAX_" not in lines[1].replace("JAX_PLATFORMS", "")
    outcome = play(warm_run(request_for(script, own_environment), use_cache=False))
    assert outcome.stdout.text.splitlines()[0] == "None"


def test_one_that_only_imported_jax_becomes_any_device_count(own_environment: Environment, play: Callable) -> None:
    script = VARIABLES + "print(seen['XLA_' 'FLAGS'], jax.device_count())  # config\n"
    script = script.replace("'XLA_' 'FLAGS'", "'XLA' + '_FLAGS'")
    assert warmth_for(script, {}) is JAX

    async def scenario() -> RunOutcome:
        lab = Lab(spares=1)
        lab.prepare(own_environment, CPU, [script])
        await lab.settled()
        outcome = await lab.run(request_for(script, own_environment, Target.cpu(3)))
        await lab.close()
        return outcome

    outcome = play(scenario())
    assert was_warm(outcome)
    assert outcome.stdout.text == "--xla_force_host_platform_device_count=3 3\n"


HARM = {
    "time": ("while True: pass", {"seconds": 0.3}, RunStatus.TIMED_OUT),
    "memory": (
        "held = []\nwhile True: held.append(bytearray(1 << 20))",
        {"memory": 200 << 20},
        RunStatus.OUT_OF_MEMORY,
    ),
    "output": ("while True: print('y' * 1000)", {"output": 2 << 20}, RunStatus.TOO_MUCH_OUTPUT),
    "processes": (
        "kept = [os.popen('sleep 60') for _ in range(30)]\nkept[0].read()",
        {"processes": 20},
        RunStatus.TOO_MANY_PROCESSES,
    ),
}


@pytest.mark.parametrize("limit", HARM)
def test_limits_hold_in_a_spare(limit: str, stub: Environment, play: Callable) -> None:
    code, limits, status = HARM[limit]
    outcome = play(warm_run(request_for(f"import jax, os\nprint('before')\n{code}\n", stub, **limits)))
    assert outcome.status is status
    assert outcome.detail == request_for("", stub, **limits).limits.words(limit)
    assert outcome.stdout.text.startswith("before\n")


def test_the_time_at_the_gate_does_not_count(stub: Environment, play: Callable) -> None:
    outcome = play(warm_run(request_for("import jax, time\ntime.sleep(0.2)\nprint('done')\n", stub, seconds=20)))
    assert (outcome.status, outcome.stdout.text) == (RunStatus.OK, "done\n")
    assert outcome.timings["running"] <= outcome.timings["finished"] <= outcome.timings["ended"]


async def stopped(script: str, environment: Environment) -> None:
    """Run it in a spare and cancel at its first output."""
    lab = Lab(spares=1)
    lab.prepare(environment, CPU, [script])
    await lab.settled()
    on = asyncio.Event()

    def follow(progress: Progress) -> None:
        if progress.block:
            on.set()

    task = asyncio.create_task(lab.run(request_for(script, environment), follow))
    await on.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await lab.close()


def test_stopping_a_run_in_a_spare_leaves_nothing(stub: Environment, play: Callable) -> None:
    play(stopped("import jax, os\nos.popen('sleep 60')\nprint('on')\nwhile True: pass\n", stub))


# -- the compilation cache ---------------------------------------------------------------------------------------------


def entries() -> list[Path]:
    return cache._entries(cache.data_directory() / "compiled")


def test_a_clean_run_leaves_its_programs_and_the_next_one_takes_them(
    own_environment: Environment, play: Callable
) -> None:
    first = play(warm_run(request_for(COMPILES, own_environment)))
    left = {entry.name for entry in entries()}
    assert any(name.endswith("-cache") for name in left)
    second = play(warm_run(request_for(COMPILES, own_environment)))
    assert {entry.name for entry in entries()} == left
    assert first.stdout == second.stdout
    assert (first.stderr.text, second.stderr.text) == ("", "")


def test_a_run_without_the_cache_leaves_nothing(own_environment: Environment, play: Callable) -> None:
    play(warm_run(request_for(COMPILES, own_environment), use_cache=False))
    assert entries() == []


@pytest.mark.parametrize("ending", ["os.write(2, b'W said by a compiler')", "os.abort()", "while True: pass"])
def test_a_run_whose_compilers_spoke_or_that_was_ended_leaves_no_program(
    ending: str, own_environment: Environment, play: Callable
) -> None:
    play(warm_run(request_for(COMPILES + ending, own_environment, seconds=3)))
    assert entries() == []


def test_a_stopped_run_leaves_no_program(own_environment: Environment, play: Callable) -> None:
    play(stopped(COMPILES + "while True: pass", own_environment))
    assert entries() == []


def test_a_damaged_program_does_no_harm_and_is_gone_afterwards(own_environment: Environment, play: Callable) -> None:
    first = play(warm_run(request_for(COMPILES, own_environment)))
    for entry in entries():
        entry.write_bytes(entry.read_bytes()[:20])
        os.utime(entry, (1e9, 1e9))
    second = play(warm_run(request_for(COMPILES, own_environment)))
    assert (second.status, second.exit_code, second.stdout) == (first.status, 0, first.stdout)
    third = play(warm_run(request_for(COMPILES, own_environment)))
    assert (third.status, third.stderr.text, third.stdout) == (RunStatus.OK, "", first.stdout)

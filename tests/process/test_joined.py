"""Processes joined by `jax.distributed`: what is printed by whom, how the run ends when one of them does, and Stop."""

import asyncio
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from museum.lab import processes
from museum.lab.environments import Environment, managed
from museum.lab.lab import Lab
from museum.lab.outcome import RunOutcome, RunStatus
from museum.lab.runner import Limits, Progress, RunRequest
from museum.lab.target import Target

TARGET = Target.parse("cpu:2x4")
HEAD = """
import jax, os, sys, time
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
"""
ARRAY = """
me = jax.process_index()
mesh = Mesh(np.array(jax.devices()).reshape(2, 4), ("host", "chip"))
whole = np.arange(32.0).reshape(8, 4)
x = jax.make_array_from_callback((8, 4), NamedSharding(mesh, P("host", "chip")), lambda index: whole[index])
"""
WITH_GLOO = 'jax.config.update("jax_cpu_collectives_implementation", "gloo")\n'  # 0.4.38 reads no variable for it
JOINS_ITSELF = "jax.distributed.initialize()\n"
WAITS = "while True: time.sleep(0.05)\n"


pytestmark = pytest.mark.usefixtures("run_directories")


@pytest.fixture
def outcome_of(play: Callable) -> Callable[..., RunOutcome]:
    """Runs a script joined, after which no process and no directory of it may be left."""

    def outcome_of(code: str, environment: Environment, **limits: float) -> RunOutcome:
        return play(joined(code, environment, **limits))

    return outcome_of


async def joined(code: str, environment: Environment, **limits: float) -> RunOutcome:
    bounds = Limits(**{"seconds": 40.0, **limits})  # type: ignore[arg-type]
    lab = Lab(spares=0)
    try:
        return await lab.run(RunRequest(HEAD + textwrap.dedent(code), environment, TARGET, limits=bounds))
    finally:
        await lab.close()


def lines(outcome: RunOutcome, number: int) -> list[str]:
    """What a process printed before its library of collectives began to have its say, and its stderr."""
    label = f"[{number}] "
    said, errors = (
        [line.removeprefix(label) for line in stream.text.splitlines() if line.startswith(label)]
        for stream in (outcome.stdout, outcome.stderr)
    )
    return said[:1] + errors


SEES_ALL = """
print(jax.process_index(), jax.process_count(), jax.device_count(), jax.local_device_count())
total = jax.jit(lambda x: x.sum(), out_shardings=NamedSharding(mesh, P()))(x)
print(total, x.is_fully_addressable, end="", file=sys.stderr)
"""


def check_that_all_is_seen(outcome: RunOutcome) -> None:
    assert (outcome.status, outcome.exit_code, outcome.target) == (RunStatus.OK, 0, "cpu:2x4"), outcome.stderr.text
    assert lines(outcome, 0) == ["0 2 8 4", "496.0 False"]
    assert lines(outcome, 1) == ["1 2 8 4", "496.0 False"]
    assert all(line.startswith(("[0] ", "[1] ")) for line in outcome.stdout.text.splitlines())
    (mesh,) = [mesh for mesh in outcome.meshes if mesh.name == "mesh"]
    assert [axis[:2] for axis in mesh.axes] == [("host", 2), ("chip", 4)]
    assert len(set(mesh.device_ids)) == 8
    (array,) = [array for array in outcome.arrays if array.name == "x"]
    assert (array.shape, array.spec, len(array.shards)) == ((8, 4), (("host",), ("chip",)), 8)
    assert outcome.versions is not None
    assert outcome.versions.devices == 8
    assert outcome.left == 0


@pytest.mark.parametrize("start", ["", JOINS_ITSELF], ids=["by the lab", "by itself"])
def test_processes_see_each_others_devices_and_are_told_apart(
    start: str, own_environment: Environment, outcome_of: Callable
) -> None:
    check_that_all_is_seen(outcome_of(start + ARRAY + SEES_ALL, own_environment))


@pytest.mark.matrix
@pytest.mark.parametrize("environment", managed(), ids=lambda environment: environment.name)
@pytest.mark.parametrize("start", ["", WITH_GLOO + JOINS_ITSELF], ids=["by the lab", "by itself"])
def test_processes_see_each_others_devices_elsewhere(
    start: str, environment: Environment, outcome_of: Callable
) -> None:
    check_that_all_is_seen(outcome_of(start + ARRAY + SEES_ALL, environment))


NOT_ADDRESSABLE = "spans non-addressable (non process local) devices"


def check_the_message(outcome: RunOutcome) -> None:
    assert outcome.status is RunStatus.FAILED
    assert outcome.exit_code == 1
    assert outcome.exception is not None
    assert outcome.exception.error == "RuntimeError"
    assert NOT_ADDRESSABLE in outcome.exception.message
    assert outcome.exception.frames[0].own
    assert "failed first" in outcome.detail
    assert "[0] Traceback (most recent call last):" in outcome.stderr.text
    assert "[1] Traceback (most recent call last):" in outcome.stderr.text
    assert "x" in [array.name for array in outcome.arrays]


def test_an_array_that_lies_elsewhere_too_cannot_be_fetched(own_environment: Environment, outcome_of: Callable) -> None:
    check_the_message(outcome_of(ARRAY + "np.asarray(x)\n", own_environment))


@pytest.mark.matrix
@pytest.mark.parametrize("environment", managed(), ids=lambda environment: environment.name)
def test_an_array_that_lies_elsewhere_too_cannot_be_fetched_elsewhere(
    environment: Environment, outcome_of: Callable
) -> None:
    fetch = "print(x)\n" if environment.jax == "0.4.38" else "np.asarray(x)\n"
    check_the_message(outcome_of(ARRAY + fetch, environment))


FATES = {
    "raises": ("raise ValueError('only here')", RunStatus.FAILED, 1, "process 1 failed first"),
    "exits": ("os._exit(3)", RunStatus.FAILED, 3, "process 1 failed first: exit status 3"),
    "is killed": ("os.kill(os.getpid(), 9)", RunStatus.CRASHED, -9, "process 1 failed first: killed by SIGKILL"),
    "hangs": (WAITS, RunStatus.TIMED_OUT, -9, "process 1 failed first: more than 8 s"),
}


@pytest.mark.parametrize("fate", FATES)
def test_what_happens_to_one_process_ends_the_run(
    fate: str, own_environment: Environment, outcome_of: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "GRACE", 0.5)
    code, status, exit_code, words = FATES[fate]
    seconds = 8.0 if fate == "hangs" else 40.0
    # The other one says that it lives and then waits for ever, or is done where the first one hangs.
    other = "print('done')" if fate == "hangs" else "print('waits', flush=True)\n    " + WAITS
    script = f"me = jax.process_index()\nif me == 1:\n    print('on')\n    {code}\nelse:\n    {other}\n"
    outcome = outcome_of(script, own_environment, seconds=seconds)
    assert (outcome.status, outcome.exit_code) == (status, exit_code)
    assert outcome.detail.split(";")[0] == words
    assert lines(outcome, 1)[0] == "on"
    raised = outcome.exception
    assert (raised and str(raised)) == ("ValueError: only here" if fate == "raises" else None)
    if fate != "hangs":
        assert outcome.detail.endswith("; ended from here: process 0")


def test_a_script_that_asks_for_an_exit_code_has_it(own_environment: Environment, outcome_of: Callable) -> None:
    outcome = outcome_of("raise SystemExit(3 if jax.process_index() == 0 else 0)\n", own_environment)
    assert (outcome.status, outcome.exit_code, outcome.exception) == (RunStatus.FAILED, 3, None)
    assert outcome.detail == "process 0 failed first: exit status 3"


def test_stop_ends_all_of_them(own_environment: Environment, play: Callable) -> None:
    async def scenario() -> None:
        heard = b""
        both = asyncio.Event()

        def follow(progress: Progress) -> None:
            nonlocal heard
            heard += progress.block
            if b"[0] on" in heard and b"[1] on" in heard:
                both.set()

        lab = Lab(spares=0)
        task = asyncio.create_task(lab.run(RunRequest(HEAD + "print('on')\n" + WAITS, own_environment, TARGET), follow))
        await both.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await lab.close()

    play(scenario())


def test_no_process_to_be_had_is_said_and_leaves_none_of_the_others(
    own_environment: Environment, outcome_of: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, started = processes.start_spare, []

    async def second_fails(*words: Any) -> Any:
        if started:
            raise OSError(11, "Resource temporarily unavailable")
        started.append(await start(*words))
        return started[0]

    monkeypatch.setattr(processes, "start_spare", second_fails)
    outcome = outcome_of("", own_environment)
    assert outcome.status is RunStatus.NOT_STARTED
    assert outcome.detail == "no process is to be had: Resource temporarily unavailable"
    assert len(started) == 1


def test_flooding_output_ends_the_run(own_environment: Environment, outcome_of: Callable) -> None:
    outcome = outcome_of("while True: print('y' * 1000)\n", own_environment, output=4 << 20)
    assert outcome.status is RunStatus.TOO_MUCH_OUTPUT
    assert outcome.stdout.text.startswith("[")


def test_a_limit_that_one_process_met_is_the_reason_though_another_fails_of_its_loss(
    own_environment: Environment, outcome_of: Callable, tmp_path: Path
) -> None:
    code = f"""
    import os
    from pathlib import Path
    place = Path({str(tmp_path / "pid")!r})
    if jax.process_index() == 0:
        place.with_suffix(".new").write_text(str(os.getpid()))
        place.with_suffix(".new").rename(place)
        hoard = []
        while True:
            hoard.append(b"x" * (1 << 24))
    while not place.exists():
        os.sched_yield()
    while os.path.exists(f"/proc/{{place.read_text()}}"):
        os.sched_yield()
    os._exit(3)
    """
    outcome = outcome_of(code, own_environment, memory=1 << 30)
    assert outcome.status is RunStatus.OUT_OF_MEMORY
    assert outcome.detail.startswith("process 0 failed first: more than 0.5 GiB")

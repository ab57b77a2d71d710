"""Snippets that mean harm, or behave as if: what the outcome says, and that nothing of them stays alive."""

import asyncio
import os
import textwrap
import time
from pathlib import Path

import psutil
import pytest

from museum.lab.environments import Environment
from museum.lab.outcome import RunOutcome, RunStatus
from museum.lab.runner import Limits, Progress, RunRequest, run
from museum.lab.target import Target

MARK = f"hostile-snippet-of-{os.getpid()}"


def request_for(code: str, environment: Environment, **limits: float) -> RunRequest:
    """A request for `code`; its processes can be told by the mark in their environment."""
    bounds = Limits(**{"seconds": 20.0, **limits})  # type: ignore[arg-type]
    text = textwrap.dedent(code)
    return RunRequest(text, environment, Target.cpu(1), limits=bounds, variables={"MARK": MARK})


def alive() -> list[str]:
    """Command lines of what is left of this test's snippets, wherever it is now, and of its keepers."""
    ours = {child.pid for child in psutil.Process().children(recursive=True)}
    found = []
    for process in psutil.process_iter(["cmdline", "status", "environ"]):
        words = process.info["cmdline"] or []
        marked = any(MARK in word for word in words) or (process.info["environ"] or {}).get("MARK") == MARK
        if (marked or process.pid in ours) and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(" ".join(words))
    return found


def outcome_of(code: str, environment: Environment, **limits: float) -> RunOutcome:
    outcome = asyncio.run(run(request_for(code, environment, **limits)))
    assert alive() == []
    return outcome


def test_a_loop_is_ended_by_the_time_limit_and_keeps_what_it_printed(own_environment: Environment) -> None:
    outcome = outcome_of("print('before')\nwhile True: pass", own_environment, seconds=0.5)
    assert outcome.status is RunStatus.TIMED_OUT
    assert outcome.stdout.text == "before\n"
    assert outcome.detail == "more than 0.5 s"


def test_a_flood_keeps_head_and_tail(own_environment: Environment) -> None:
    code = """
        import sys
        line = "x" * 99 + chr(10)
        print("first")
        for _ in range(100): sys.stdout.write(line * 10_000)
        print("last")
    """
    outcome = outcome_of(code, own_environment)
    assert outcome.status is RunStatus.OK
    assert outcome.stdout.size == 100_000_000 + len("first\nlast\n")
    assert outcome.stdout.text.startswith("first\nxxx")
    assert outcome.stdout.text.endswith("xxx\nlast\n")
    assert len(outcome.stdout.head) + len(outcome.stdout.tail) < 2 << 20
    assert "bytes dropped" in outcome.stdout.text


def test_endless_output_ends_at_its_limit(own_environment: Environment) -> None:
    outcome = outcome_of("while True: print('y' * 1000)", own_environment, output=5 << 20)
    assert outcome.status is RunStatus.TOO_MUCH_OUTPUT
    assert outcome.detail == "more than 5 MiB of output"
    assert outcome.stdout.text.startswith("yyy")


def test_os_exit_is_told_by_its_code(own_environment: Environment) -> None:
    outcome = outcome_of("import os\nprint('so far')\nos._exit(7)", own_environment)
    assert (outcome.status, outcome.exit_code, outcome.stdout.text) == (RunStatus.FAILED, 7, "so far\n")
    assert outcome.exception is None


@pytest.mark.parametrize(
    "victim", ["os.killpg(0, 9)", "os.kill(0, 9)", "os.kill(os.getpid(), 9)", "os.kill(os.getppid(), 9)"]
)
def test_killing_its_group_or_parent_ends_only_the_run(own_environment: Environment, victim: str) -> None:
    outcome = outcome_of(f"import os, time\nprint('so far')\n{victim}\ntime.sleep(30)", own_environment)
    assert (outcome.status, outcome.exit_code) == (RunStatus.CRASHED, -9)
    assert outcome.detail == "killed by SIGKILL"
    assert outcome.stdout.text == "so far\n"


def test_forged_protocol_lines_on_stdout_stay_output(own_environment: Environment) -> None:
    forged = '{"kind": "exception", "class": "Forged", "message": "", "frames": []}'
    outcome = outcome_of(f"print({forged!r})", own_environment)
    assert outcome.exception is None
    assert outcome.status is RunStatus.OK
    assert outcome.stdout.text == forged + "\n"


def test_nonsense_on_every_descriptor_is_said_and_harms_nothing(own_environment: Environment) -> None:
    code = """
        import os
        for number in range(3, 64):
            try: os.write(number, b"nonsense" + bytes([10]))
            except OSError: pass
    """
    outcome = outcome_of(code, own_environment)
    assert outcome.status is RunStatus.OK
    assert "wrote to the lab's own descriptor" in outcome.detail


def test_closing_every_descriptor_costs_only_the_report(own_environment: Environment) -> None:
    outcome = outcome_of("import os\nos.closerange(3, 256)\nprint('done')", own_environment)
    assert (outcome.status, outcome.stdout.text) == (RunStatus.OK, "done\n")


def test_children_with_sessions_of_their_own_die_with_the_run(own_environment: Environment) -> None:
    code = f"""
        import subprocess, sys, time
        sleep = [sys.executable, "-c", "import time; time.sleep(60)", "{MARK}"]
        for _ in range(3): subprocess.Popen(sleep, start_new_session=True)
        print("started")
    """
    outcome = outcome_of(code, own_environment)
    assert (outcome.status, outcome.stdout.text) == (RunStatus.OK, "started\n")
    assert outcome.left == 3


def test_a_child_that_ignores_sigterm_and_holds_the_pipe_does_not_hold_the_museum(own_environment: Environment) -> None:
    code = """
        import os, signal, time
        if os.fork() == 0:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(60)
        while True: time.sleep(1)
    """
    begun = time.monotonic()
    outcome = outcome_of(code, own_environment, seconds=0.5)
    assert outcome.status is RunStatus.TIMED_OUT
    assert time.monotonic() - begun < 10


def test_memory_beyond_the_limit_ends_the_run(own_environment: Environment) -> None:
    code = "held = []\nwhile True: held.append(bytearray(1 << 20))"
    outcome = outcome_of(code, own_environment, memory=300 << 20)
    assert outcome.status is RunStatus.OUT_OF_MEMORY


def test_too_many_processes_end_the_run(own_environment: Environment) -> None:
    code = """
        import os, time
        for _ in range(60):
            if os.fork() == 0:
                time.sleep(60)
        time.sleep(60)
    """
    outcome = outcome_of(code, own_environment, processes=20)
    assert outcome.status is RunStatus.TOO_MANY_PROCESSES


def test_cancelling_leaves_nothing_behind(own_environment: Environment) -> None:
    async def scenario() -> None:
        running = asyncio.Event()

        def follow(progress: Progress) -> None:
            if progress.block:
                running.set()

        code = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('on')\nwhile True: pass"
        task = asyncio.create_task(run(request_for(code, own_environment), follow))
        await running.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(scenario())
    assert alive() == []


def test_the_museum_killed_outright_takes_its_runs_along(own_environment: Environment, tmp_path: Path) -> None:
    script = tmp_path / f"{MARK}.py"
    script.write_text("print('on')\nwhile True: pass")
    program = f"""
import asyncio, os, pathlib
from museum.lab.environments import own
from museum.lab.runner import RunRequest, run
from museum.lab.target import Target

async def main():
    def follow(progress):
        if progress.block: os.kill(os.getpid(), 9)
    await run(RunRequest(pathlib.Path({str(script)!r}), await own(), Target.cpu(1)), follow)

asyncio.run(main())
"""

    async def scenario() -> int:
        child = await asyncio.create_subprocess_exec(str(own_environment.python), "-c", program)
        return await child.wait()

    assert asyncio.run(scenario()) == -9
    deadline = time.monotonic() + 5
    while alive() and time.monotonic() < deadline:
        os.sched_yield()
    assert alive() == []


def test_a_snippet_that_changes_directory_and_removes_it_leaves_no_trace(own_environment: Environment) -> None:
    code = (
        "import os, shutil\nhere = os.getcwd()\nos.chdir('/')\nshutil.rmtree(here)\nprint(os.path.basename(here)[:11])"
    )
    outcome = outcome_of(code, own_environment)
    assert (outcome.status, outcome.stdout.text) == (RunStatus.OK, "xla-museum-\n")


def test_an_interpreter_that_is_gone_is_said(own_environment: Environment) -> None:
    import dataclasses

    gone = dataclasses.replace(own_environment, python=Path("/nowhere/python"))
    outcome = outcome_of("print()", gone)
    assert outcome.status is RunStatus.NOT_STARTED
    assert outcome.detail == "cannot run /nowhere/python: [Errno 2] No such file or directory: '/nowhere/python'"

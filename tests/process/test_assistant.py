"""Completion and help from a child that may die."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from museum.assist.assistant import Answer, Assistant
from museum.lab.environments import Environment

CODE = "import jax\njax.dev"


def test_names_and_help_come_from_the_environment(own_environment: Environment) -> None:
    async def story() -> None:
        assistant = Assistant()
        assert assistant.process_id is None  # started when it is first asked
        python = own_environment.python
        assert "device_put" in (await assistant.ask("complete", python, CODE, 2, 7)).names
        help_ = await assistant.ask("explain", python, "import jax\njax.device_put(1)", 2, 8)
        assert help_.signature.startswith("device_put(x, ")
        assert help_.words == "Transfers ``x`` to ``device``."
        assert await assistant.ask("explain", python, "x = = 1", 1, 4) == Answer()
        await assistant.close()
        assert assistant.process_id is None

    asyncio.run(story())


def test_a_child_that_died_is_started_again(own_environment: Environment) -> None:
    async def story() -> None:
        assistant = Assistant()
        python = own_environment.python
        await assistant.ask("complete", python, "impor", 1, 5)
        first = assistant.process_id
        assert first is not None
        os.kill(first, signal.SIGKILL)
        await assistant.ask("complete", python, "impor", 1, 5)  # may or may not know of the death yet
        assert "import" in (await assistant.ask("complete", python, "impor", 1, 5)).names
        assert assistant.process_id not in (None, first)
        await assistant.close()

    asyncio.run(story())


def test_of_those_that_wait_only_the_last_is_asked(own_environment: Environment) -> None:
    async def story() -> None:
        assistant = Assistant()
        python = own_environment.python
        wishes = [assistant.ask("complete", python, "impor", 1, column) for column in (1, 2, 5)]
        answers = await asyncio.gather(*wishes)
        assert "import" in answers[-1].names
        assert answers[1] is None
        await assistant.close()

    asyncio.run(story())


def test_a_cancelled_question_leaves_no_answer_for_the_next(own_environment: Environment) -> None:
    async def story() -> None:
        assistant = Assistant()
        python = own_environment.python
        await assistant.ask("complete", python, "impor", 1, 5)
        slow = asyncio.ensure_future(assistant.ask("complete", python, CODE, 2, 7))
        await asyncio.wait([slow], timeout=0)
        slow.cancel()
        await asyncio.gather(slow, return_exceptions=True)
        assert "import" in (await assistant.ask("complete", python, "impor", 1, 5)).names
        await assistant.close()

    asyncio.run(story())


def test_a_python_that_is_not_there_knows_nothing() -> None:
    async def story() -> None:
        assistant = Assistant()
        answer = await assistant.ask("complete", Path("/none/python"), "impor", 1, 5)
        assert answer.names == ()
        assert answer.fault
        await assistant.close()

    asyncio.run(story())


def test_another_environment_has_other_names(own_environment: Environment, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "old")], check=True)
    (library,) = (tmp_path / "old" / "lib").glob("python*/site-packages")
    (library / "jax.py").write_text("def device_of_old(x):\n    '''Of old.\n    Long ago.\n\n    More.'''\n")

    async def story() -> None:
        assistant = Assistant()
        old = tmp_path / "old" / "bin" / "python"
        for python, name in ((old, "device_of_old"), (own_environment.python, "device_put"), (old, "device_of_old")):
            assert name in (await assistant.ask("complete", python, CODE, 2, 7)).names
        help_ = await assistant.ask("explain", old, "import jax\njax.device_of_old", 2, 8)
        assert (help_.signature, help_.words) == ("device_of_old(x)", "Of old. Long ago.")
        await assistant.close()

    asyncio.run(story())


def test_a_child_that_hangs_is_ended(own_environment: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        assistant = Assistant()
        python = own_environment.python
        await assistant.ask("complete", python, "impor", 1, 5)
        first = assistant.process_id
        assert first is not None
        monkeypatch.setattr(assistant._child, "_longest", 0.1)
        os.kill(first, signal.SIGSTOP)
        assert (await assistant.ask("complete", python, "impor", 1, 5)).fault
        assert assistant.process_id is None
        monkeypatch.undo()
        assert "import" in (await assistant.ask("complete", python, "impor", 1, 5)).names
        await assistant.close()

    asyncio.run(story())


@pytest.mark.parametrize(
    "code",
    [
        "(" * 3_000,
        "x = " + "[" * 500 + "]" * 500 + "\nx.",
        "class A(A): a = A.a.a\nA.",
        "x" * 500_000 + ".",
        "\0\ud800é\u2028.",
        "f = lambda: f()\nf()()()().",
    ],
    ids=["brackets", "nested", "itself", "long", "no text", "calls"],
)
def test_hostile_code_breaks_nothing(own_environment: Environment, code: str) -> None:
    async def story() -> None:
        assistant = Assistant()
        python = own_environment.python
        lines = code.split("\n")
        for kind in ("complete", "explain"):
            await assistant.ask(kind, python, code, len(lines), len(lines[-1]))
        assert "import" in (await assistant.ask("complete", python, "impor", 1, 5)).names
        await assistant.close()

    asyncio.run(story())

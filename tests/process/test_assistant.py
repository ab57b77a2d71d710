"""Completion and help from a child that may die."""

import asyncio
import os
import signal
from pathlib import Path

from museum.assist.assistant import Answer, Assistant
from museum.lab.environments import Environment

CODE = "import jax\njax.dev"


def names(answer: Answer) -> list[str]:
    return [item.name for item in answer.items]


def test_names_and_help_come_from_the_environment(own_environment: Environment) -> None:
    async def story() -> None:
        assistant = Assistant()
        assert assistant.process_id is None  # started when it is first asked
        python = own_environment.python
        assert "device_put" in names(await assistant.ask("complete", python, CODE, 2, 7))
        help_ = await assistant.ask("explain", python, "import jax\njax.device_put(1)", 2, 8)
        assert help_.signature.startswith("device_put(x, ")
        assert help_.words == "Transfers ``x`` to ``device``."
        assert await assistant.ask("explain", python, "x = = 1", 1, 4) == Answer(id=3)
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
        assert "import" in names(await assistant.ask("complete", python, "impor", 1, 5))
        assert assistant.process_id not in (None, first)
        await assistant.close()

    asyncio.run(story())


def test_of_those_that_wait_only_the_last_is_asked(own_environment: Environment) -> None:
    async def story() -> None:
        assistant = Assistant()
        python = own_environment.python
        wishes = [assistant.ask("complete", python, "impor", 1, column) for column in (1, 2, 5)]
        answers = await asyncio.gather(*wishes)
        assert "import" in names(answers[-1])
        assert answers[1] == Answer()
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
        assert "import" in names(await assistant.ask("complete", python, "impor", 1, 5))
        await assistant.close()

    asyncio.run(story())


def test_a_python_that_is_not_there_knows_nothing() -> None:
    async def story() -> None:
        assistant = Assistant()
        answer = await assistant.ask("complete", Path("/none/python"), "impor", 1, 5)
        assert answer.items == ()
        assert answer.fault
        await assistant.close()

    asyncio.run(story())

"""Answers an editor's wishes for names and help, from the environment that its code would run with."""

import asyncio
from collections.abc import Callable

from gui.widgets.code_editor import CodeEditor
from gui.widgets.completion import Completion, Spot
from museum.assist.assistant import Assistant, Kind
from museum.lab.environments import Environment

PATIENCE = 2.0  # seconds; what comes later would come between the visitor and the next key
NO_ENVIRONMENT = "no environment with JAX to look into; Run > Manage environments makes one"
TOO_LATE = "to find out takes too long; try again"


class AssistController:
    """Connects editors with the assistant.

    Args:
        assistant: Knows about code.
    """

    def __init__(self, assistant: Assistant | None = None) -> None:
        self._assistant = assistant or Assistant()
        self._asking: set[asyncio.Task[None]] = set()

    def attach(self, editor: CodeEditor, environment: Callable[[], Environment | None]) -> Completion:
        """Help in an editor.

        Args:
            editor: The code.
            environment: Asked at each wish for the one to look into; None for nothing.
        """
        completion = Completion(editor)
        completion.names_wanted.connect(lambda spot: self._start("complete", editor, completion, spot, environment()))
        completion.help_wanted.connect(lambda spot: self._start("explain", editor, completion, spot, environment()))
        return completion

    async def close(self) -> None:
        """End the child and wait until nothing is alive."""
        for task in self._asking:
            task.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)
        await self._assistant.close()

    def _start(
        self, kind: Kind, editor: CodeEditor, completion: Completion, spot: Spot, environment: Environment | None
    ) -> None:
        if environment is None:
            completion.tell_nothing(NO_ENVIRONMENT)
            return
        task = asyncio.ensure_future(self._ask(kind, editor.text(), completion, spot, environment))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _ask(self, kind: Kind, code: str, completion: Completion, spot: Spot, environment: Environment) -> None:
        """Ask; the assistant may go on after the visitor's patience, so that it knows more the next time."""
        begun = asyncio.get_running_loop().time()
        answer = await self._assistant.ask(kind, environment.python, code, spot.line, spot.column)
        if answer is None:
            return
        try:
            if asyncio.get_running_loop().time() - begun > PATIENCE:
                completion.tell_nothing(TOO_LATE)
            elif kind == "complete":
                completion.show_names(answer.names, spot)
            else:
                completion.show_help(answer.signature, answer.words, spot)
        except RuntimeError:
            return  # the editor was closed meanwhile

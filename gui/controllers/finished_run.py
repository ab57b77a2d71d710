"""A run that has ended, with all that is needed to share it."""

from collections.abc import Sequence
from dataclasses import dataclass

from gui.controllers.runs import Wish
from museum.errors import MuseumError
from museum.lab.environments import Environment
from museum.lab.outcome import RunOutcome


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """What ran and what it did.

    Attributes:
        title: Of the exhibit or the snippet.
        wish: What was to run, as it ran.
        outcome: What it did.
        jax: Version of the environment.
    """

    title: str
    wish: Wish
    outcome: RunOutcome
    jax: str

    def environment(self, environments: Sequence[Environment]) -> Environment:
        """The environment that it ran on.

        Raises:
            MuseumError: It did not run, or its environment is gone.
        """
        for one in environments:
            if one.name == self.outcome.environment:
                return one
        if not self.outcome.environment:
            raise MuseumError(f"this did not run: {self.outcome.detail or self.outcome.status}")
        raise MuseumError(f"the environment {self.outcome.environment} is not there any more; run it again")

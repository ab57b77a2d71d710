"""What all commands share: exit codes, the way they are added, and how they speak."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from typing import NoReturn, Protocol

from museum.errors import MuseumError

FINE, BAD_NEWS, WRONG_USE, INTERRUPTED = 0, 1, 2, 130


class Parser(argparse.ArgumentParser):
    """A parser of command lines that never prints a page of usage for a slip."""

    def error(self, message: str) -> NoReturn:
        """One clear line."""
        raise MuseumError(f"{message}; see {self.prog} --help")


class AddCommand(Protocol):
    """Adds a command to the command line, with its ``--json``."""

    def __call__(self, name: str, does: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        """Add it."""


def add_json(kinds: Iterable[argparse.ArgumentParser]) -> None:
    """Let a command's own commands take ``--json`` too, behind their names or before."""
    for kind in kinds:
        # Without a default of its own: it would undo an `env --json list`.
        kind.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON object")


def say(text: str) -> None:
    """One line beside the answer."""
    print(f"xla-museum: {text}", file=sys.stderr, flush=True)


def print_json(value: object) -> None:
    """The answer as one object on one line."""
    print(json.dumps(value, ensure_ascii=False))

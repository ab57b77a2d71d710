"""The command line of ``xla-museum``: the window, or one of the commands in `museum.commands`.

Exit codes: 0 fine, 1 the answer is bad news, 2 wrong use. Objects printed with ``--json`` are described in the README.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from museum.commands import (
    collection,
    comparing,
    drawing,
    environments,
    explaining,
    mine,
    running,
    verifying,
)
from museum.commands.command import FINE, INTERRUPTED, WRONG_USE, Parser
from museum.errors import MuseumError

if TYPE_CHECKING:
    from museum.mesh.picture import Picture

MATTERS = (collection, running, verifying, explaining, drawing, comparing, mine, environments)


def parser() -> argparse.ArgumentParser:
    """Everything that may stand on the command line."""
    top = Parser(prog="xla-museum", description="The errors that JAX users meet where sharding meets the compiler.")
    top.add_argument("--exhibit", metavar="ID", help="open the window at this exhibit, for example xla/unknown-axis")
    top.add_argument(
        "--version",
        dest="tell_versions",
        action="store_true",
        help="print the versions of the museum and of what it runs on",
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)

    def command(name: str, does: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        one = commands.add_parser(name, help=text, description=text)
        one.set_defaults(does=does)
        one.add_argument("--json", action="store_true", help="print one JSON object")
        return one

    for matter in MATTERS:
        matter.add_commands(command)
    return top


def main(
    arguments: Sequence[str],
    open_window: Callable[[str], int],
    paint: "Callable[[Picture], bytes] | None" = None,
) -> int:
    """Run one command.

    Args:
        arguments: Without the program's name.
        open_window: Opens the window at an exhibit, or where the visitor left; called when no command is named.
        paint: Makes a PNG of a picture, which takes a library that the core does without.

    Returns:
        The exit code.
    """
    try:
        options = parser().parse_args(_with_values(arguments))
        if options.tell_versions:
            from museum.faults import versions

            print(versions())
            return FINE
        if options.command is None:
            if options.exhibit is not None:
                _check_place(options.exhibit)
            return open_window(options.exhibit or "")
        options.paint = paint
        does: Callable[[argparse.Namespace], int] = options.does
        return does(options)
    except MuseumError as error:
        print(f"xla-museum: {error}", file=sys.stderr)
        return WRONG_USE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader has seen enough
        sys.stdout = None
        return FINE


def _check_place(place: str) -> None:
    """Refuse what is nowhere, before a window opens; the collection is read only to say what is near.

    Raises:
        MuseumError: There is no such exhibit or wing.
    """
    import exhibits

    file = Path(exhibits.__file__).parent / "wings" / place / ("exhibit.toml" if "/" in place else "wing.toml")
    if place.startswith("mine/") or file.is_file():  # the visitor's own wing is not of the collection
        return
    from museum.catalog import load_catalog

    catalog = load_catalog(check=False)
    if "/" in place or any(exhibit.id.endswith(f"/{place}") for exhibit in catalog.exhibits):
        catalog.exhibit(place)
    else:
        catalog.wing(place)


def _with_values(arguments: Sequence[str]) -> list[str]:
    """Join ``--spec`` to its value: argparse takes one that begins with ``-``, an uncut dimension, for an option."""
    joined: list[str] = []
    for argument in arguments:
        if joined and joined[-1] == "--spec" and argument[:2] != "--":
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined

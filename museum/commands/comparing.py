"""``compare``: one script on several JAX versions and targets."""

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from museum.commands.command import BAD_NEWS, FINE, WRONG_USE, AddCommand, print_json, say
from museum.commands.running import check_run, target_of_header
from museum.errors import MuseumError

if TYPE_CHECKING:
    from museum.compare import Comparison
    from museum.lab.target import Target


def add_commands(command: AddCommand) -> None:
    """What may stand on the command line."""
    one = command(
        "compare", _compare, "run a script on several JAX versions and targets, and hold the answers together"
    )
    one.add_argument("file", metavar="FILE", type=Path)
    one.add_argument("--jax", metavar="V", action="append", help="JAX version; may be repeated (default: all at hand)")
    one.add_argument(
        "--target", metavar="T", action="append", help="may be repeated (default: what the script asks for, else cpu:8)"
    )
    one.add_argument("--timeout", type=float, metavar="S", help="seconds until a run is ended (default 120)")
    one.add_argument("--markdown", action="store_true", help="print Markdown, without paths and names of this machine")


def _compare(options: argparse.Namespace) -> int:
    from museum.compare_text import as_json, as_markdown, as_text
    from museum.lab.outcome import RunStatus

    if options.json and options.markdown:
        raise MuseumError("give one of --json and --markdown")
    check_run(options)
    comparison = asyncio.run(_compared(options, _targets(options)))
    if options.json:
        print_json(as_json(comparison))
    else:
        print(as_markdown(comparison) if options.markdown else as_text(comparison))
    ran = [
        cell.outcome for cell in comparison.cells if cell.outcome and cell.outcome.status is not RunStatus.NOT_STARTED
    ]
    if not ran:
        return WRONG_USE
    return BAD_NEWS if any(outcome.failed for outcome in ran) else FINE


def _targets(options: argparse.Namespace) -> "list[Target]":
    """What the command line says, else what the script's header asks for, else eight fake devices."""
    from museum.lab.target import Target

    targets = [Target.parse(text) for text in options.target or []]
    return targets or [target_of_header(options.file) or Target.cpu(8)]


async def _compared(options: argparse.Namespace, targets: "list[Target]") -> "Comparison":
    from museum.compare import KEPT, Comparison, Stage, Subject, compare, places_for
    from museum.lab.environments import discover
    from museum.lab.lab import Lab
    from museum.lab.runner import Limits

    places = places_for(await discover(), options.jax or [], targets)
    limits = Limits(kept=KEPT) if options.timeout is None else Limits(seconds=options.timeout, kept=KEPT)
    told: set[int] = set()

    def follow(table: Comparison) -> None:
        for number, cell in enumerate(table.cells):
            if cell.stage is Stage.DONE and number not in told and cell.outcome:
                told.add(number)
                say(f"{len(told)}/{len(places)}: {table.name(cell)}: {cell.words}")

    lab = Lab(spares=0)
    try:
        subject = Subject(options.file, options.file.name, limits=limits)
        return await compare(subject, places, lab, (lambda _: None) if options.json else follow)
    finally:
        await lab.close()

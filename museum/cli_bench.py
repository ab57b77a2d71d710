"""The commands of the bench: ``compare`` and ``mine``."""

import argparse
import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from museum.errors import MuseumError

if TYPE_CHECKING:
    from museum.compare import Comparison
    from museum.exhibit import Exhibit
    from museum.lab.target import Target
    from museum.mine import MyWing

FINE, BAD_NEWS, WRONG_USE = 0, 1, 2


class AddCommand(Protocol):
    """Adds a command to the command line, with its ``--json``."""

    def __call__(self, name: str, does: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        """Add it."""


def add_commands(command: AddCommand, parser_class: type[argparse.ArgumentParser]) -> None:
    """What may stand on the command line for the bench.

    Args:
        command: Adds one.
        parser_class: Of the parsers below it.
    """
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
    one = command("mine", _list, "my exhibits: list, import, export, trust, remove")
    kinds = one.add_subparsers(
        dest="mine_command", metavar="list|import|export|trust|remove", parser_class=parser_class
    )
    kinds.add_parser("list", help="what is there, and what may not run yet")
    taken = kinds.add_parser("import", help="take in exhibits of others, which do not run before you agree to them")
    taken.set_defaults(does=_import)
    taken.add_argument("path", metavar="PATH", type=Path, help="an exhibit's folder, a folder of such, or a zip")
    given = kinds.add_parser("export", help="copy an exhibit out, for others")
    given.set_defaults(does=_export)
    given.add_argument("id", metavar="ID")
    given.add_argument("path", metavar="PATH", type=Path, help="a new folder, or a zip if it ends so")
    for name, does, text in (
        ("trust", _trust, "agree to run the scripts of an exhibit of others, as they are now"),
        ("remove", _remove, "take one of my exhibits away; its files are moved aside"),
    ):
        kind = kinds.add_parser(name, help=text)
        kind.set_defaults(does=does)
        kind.add_argument("id", metavar="ID")
    for kind in kinds.choices.values():
        # Without a default of its own: it would undo a `mine --json list`.
        kind.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON object")


def _say(text: str) -> None:
    print(f"xla-museum: {text}", file=sys.stderr, flush=True)


def _print_json(value: object) -> None:
    import json

    print(json.dumps(value, ensure_ascii=False))


# -- compare -----------------------------------------------------------------------------------------------------------


def _compare(options: argparse.Namespace) -> int:
    from museum.compare_text import as_json, as_markdown, as_text
    from museum.lab.outcome import RunStatus

    if options.json and options.markdown:
        raise MuseumError("give one of --json and --markdown")
    comparison = asyncio.run(_compared(options, _targets(options)))
    if options.json:
        _print_json(as_json(comparison))
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
    from museum.lab.header import wanted_target
    from museum.lab.target import Target

    file: Path = options.file
    if not file.is_file():
        raise MuseumError(f"{file}: {'is a directory, not a script' if file.is_dir() else 'no such file'}")
    if options.timeout is not None and not options.timeout > 0:
        raise MuseumError("--timeout: seconds must be more than 0")
    targets = [Target.parse(text) for text in options.target or []]
    try:
        return targets or [wanted_target(file.read_text("utf-8", "replace")) or Target.cpu(8)]
    except MuseumError as error:
        raise MuseumError(f"{file}: {error}") from error


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
                _say(f"{len(told)}/{len(places)}: {table.name(cell)}: {cell.words}")

    lab = Lab(spares=0)
    try:
        subject = Subject(options.file, options.file.name, limits=limits)
        return await compare(subject, places, lab, (lambda _: None) if options.json else follow)
    finally:
        await lab.close()


# -- mine --------------------------------------------------------------------------------------------------------------


def _mine(*, quiet: bool = False) -> "MyWing":
    from museum.mine import load_mine

    mine = load_mine()
    for problem in () if quiet else mine.catalog.problems:
        _say(str(problem))
    return mine


def _list(options: argparse.Namespace) -> int:
    mine = _mine(quiet=options.json)
    if options.json:
        entries = [_entry(exhibit, mine) for exhibit in mine.catalog.exhibits]
        _print_json({"exhibits": entries, "problems": [str(problem) for problem in mine.catalog.problems]})
        return FINE
    for exhibit in mine.catalog.exhibits:
        notes = [f"from {mine.imported[exhibit.id] or 'others'}"] if exhibit.id in mine.imported else []
        notes += [f"not to be run: {mine.untrusted[exhibit.id]}"] if exhibit.id in mine.untrusted else []
        print("  ".join((exhibit.id, exhibit.title, *(f"({note})" for note in notes))))
    if not mine.catalog.exhibits:
        print("there are no exhibits of yours yet; keep one on the bench, or: xla-museum mine import PATH")
    return FINE


def _entry(exhibit: "Exhibit", mine: "MyWing") -> dict[str, Any]:
    from museum.showing import list_entry

    why = mine.untrusted.get(exhibit.id, "")
    return list_entry(exhibit) | {"trusted": not why, "why": why, "from": mine.imported.get(exhibit.id)}


def _import(options: argparse.Namespace) -> int:
    from museum.incoming import IncomingError
    from museum.mine import take_in

    try:
        names = take_in(options.path)
    except IncomingError as error:
        for fault in error.faults:
            _say(fault)
        return WRONG_USE
    if options.json:
        _print_json({"imported": list(names)})
    else:
        for name in names:
            print(f"{name}: read it (xla-museum show {name}), then agree to run it: xla-museum mine trust {name}")
    return FINE


def _export(options: argparse.Namespace) -> int:
    from museum.catalog import collection_root, load_catalog
    from museum.mine import give_out, is_mine, my_root

    mine = is_mine(options.id)
    catalog = _mine(quiet=True).catalog if mine else load_catalog(check=False)
    written = give_out(catalog.exhibit(options.id), my_root() if mine else collection_root(), options.path)
    if options.json:
        _print_json({"exported": options.id, "path": str(written)})
    else:
        print(written)
    return FINE


def _trust(options: argparse.Namespace) -> int:
    from museum.mine import trust

    trust(_mine(quiet=True).catalog.exhibit(options.id))
    if options.json:
        _print_json({"trusted": options.id})
    return FINE


def _remove(options: argparse.Namespace) -> int:
    from museum.mine import remove

    aside = remove(options.id)
    if options.json:
        _print_json({"removed": options.id})
    elif aside is not None:
        _say(f"{options.id}: its files are in {aside}")
    return FINE

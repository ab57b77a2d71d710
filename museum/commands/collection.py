"""``list``, ``show``, ``new``: what there is, and a new exhibit."""

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from museum.commands.command import FINE, AddCommand, print_json, say
from museum.commands.running import check_run, environment_for
from museum.errors import MuseumError

if TYPE_CHECKING:
    from museum.catalog import Catalog
    from museum.lab.outcome import RunOutcome


def add_commands(command: AddCommand) -> None:
    """What may stand on the command line."""
    one = command("list", _list, "the collection")
    one.add_argument("--wing", metavar="W", help="only this wing")
    one = command("show", _show, "one exhibit as text")
    one.add_argument("id", metavar="ID")
    one = command("new", _new, "a new exhibit from a script that fails")
    one.add_argument("id", metavar="WING/SLUG")
    one.add_argument("file", metavar="FILE", type=Path)
    one.add_argument("--target", metavar="T", help="cpu:8, cpu:2x4, local or tpu-compile (default cpu:8)")
    one.add_argument("--jax", metavar="V", help="JAX version (default: the museum's own)")
    one.add_argument("--timeout", type=float, metavar="S", help="seconds after which it counts as hanging (default 30)")
    one.add_argument("--into", metavar="DIR", type=Path, help="the folder that holds the wings (default: this museum)")


def catalog_with(ids: Sequence[str] = ()) -> "Catalog":
    """The collection, with the visitor's own wing where one of the ids is of it."""
    from museum.catalog import load_catalog
    from museum.mine import is_mine, load_mine, with_mine

    catalog = load_catalog()
    if any(map(is_mine, ids)):
        catalog = with_mine(catalog, load_mine())
    for problem in catalog.problems:
        say(str(problem))
    return catalog


def _list(options: argparse.Namespace) -> int:
    from museum.showing import list_json, list_text

    catalog = catalog_with()
    if options.json:
        print_json(list_json(catalog, options.wing or ""))
    else:
        print(list_text(catalog, options.wing or ""))
    return FINE


def _show(options: argparse.Namespace) -> int:
    from museum.showing import list_entry, show_text

    exhibit = catalog_with([options.id]).exhibit(options.id)
    if options.json:
        print_json(list_entry(exhibit))
    else:
        print(show_text(exhibit))
    return FINE


def _new(options: argparse.Namespace) -> int:
    from museum.catalog import collection_root, load_catalog
    from museum.lab.lab import Lab
    from museum.lab.runner import Limits, RunRequest
    from museum.lab.target import Target
    from museum.scaffold import scaffold

    check_run(options)
    try:
        script = options.file.read_bytes().decode()
    except UnicodeDecodeError:
        raise MuseumError(f"{options.file}: is not UTF-8; save the script as UTF-8") from None
    target = Target.parse(options.target or "cpu:8")

    async def work() -> "tuple[RunOutcome, str]":
        environment = await environment_for(options.jax, target)
        lab = Lab(spares=0)
        try:
            limits = Limits(seconds=options.timeout or 30)
            return await lab.run(RunRequest(script, environment, target, limits=limits)), environment.jax
        finally:
            await lab.close()

    outcome, jax = asyncio.run(work())
    root = options.into or collection_root()
    folder = scaffold(options.id, script, outcome, jax, root)
    left = [str(problem) for problem in load_catalog(root).problems if folder.name in problem.file.parts]
    if options.json:
        print_json({"exhibit": options.id, "folder": str(folder), "outcome": str(outcome), "left": left})
    else:
        print(f"{folder}\nit did: {outcome}\nleft to write:")
        print("\n".join(f"- {line}" for line in left))
        print(f"then: xla-museum verify {options.id} --jax {jax} --record")
    return FINE

"""``mine``: the visitor's own exhibits, and those of others."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from museum.commands.command import FINE, WRONG_USE, AddCommand, Parser, add_json, print_json, say

if TYPE_CHECKING:
    from museum.exhibit import Exhibit
    from museum.mine import MyWing


def add_commands(command: AddCommand) -> None:
    """What may stand on the command line."""
    one = command("mine", _list, "my exhibits: list, import, export, trust, remove")
    kinds = one.add_subparsers(dest="mine_command", metavar="list|import|export|trust|remove", parser_class=Parser)
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
    add_json(kinds.choices.values())


def _mine(*, quiet: bool = False) -> "MyWing":
    from museum.mine import load_mine

    mine = load_mine()
    for problem in () if quiet else mine.catalog.problems:
        say(str(problem))
    return mine


def _list(options: argparse.Namespace) -> int:
    mine = _mine(quiet=options.json)
    if options.json:
        entries = [_entry(exhibit, mine) for exhibit in mine.catalog.exhibits]
        print_json({"exhibits": entries, "problems": [str(problem) for problem in mine.catalog.problems]})
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
            say(fault)
        return WRONG_USE
    if options.json:
        print_json({"imported": list(names)})
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
        print_json({"exported": options.id, "path": str(written)})
    else:
        print(written)
    return FINE


def _trust(options: argparse.Namespace) -> int:
    from museum.mine import trust

    trust(_mine(quiet=True).catalog.exhibit(options.id))
    if options.json:
        print_json({"trusted": options.id})
    return FINE


def _remove(options: argparse.Namespace) -> int:
    from museum.mine import remove

    aside = remove(options.id)
    if options.json:
        print_json({"removed": options.id})
    elif aside is not None:
        say(f"{options.id}: its files are in {aside}")
    return FINE

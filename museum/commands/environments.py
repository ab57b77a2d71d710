"""``env``: the environments, listed, added, removed."""

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from museum.commands.command import FINE, AddCommand, Parser, add_json, print_json, say

if TYPE_CHECKING:
    from museum.lab.environments import Environment


def add_commands(command: AddCommand) -> None:
    """What may stand on the command line."""
    one = command("env", _env_list, "the environments: list, add, remove")
    kinds = one.add_subparsers(dest="env_command", metavar="list|add|remove", parser_class=Parser)
    kinds.add_parser("list", help="what is at hand")
    add = kinds.add_parser("add", help="build an environment for a JAX version")
    add.set_defaults(does=_env_add)
    add.add_argument("version", metavar="JAX_VERSION", help="or the path of a Python or venv that has JAX")
    add.add_argument("--tpu", action="store_true", help="with libtpu, Google's TPU compiler (its own licence terms)")
    gone = kinds.add_parser("remove", help="delete an environment that the museum built")
    gone.set_defaults(does=_env_remove)
    gone.add_argument("name", metavar="NAME")
    add_json(kinds.choices.values())


def _env_list(options: argparse.Namespace) -> int:
    from museum.lab.environments import discover

    environments = asyncio.run(discover())
    if options.json:
        print_json({"environments": [_environment_json(environment) for environment in environments]})
    else:
        for environment in environments:
            print(environment)
    return FINE


def _environment_json(environment: "Environment") -> dict[str, object]:
    names = ("name", "kind", "python", "python_version", "jax", "jaxlib", "libtpu")
    return {name: str(getattr(environment, name)) for name in names} | {"targets": list(environment.targets)}


def _env_add(options: argparse.Namespace) -> int:
    from museum.lab.building import add
    from museum.lab.environments import name_python

    if "/" in options.version or Path(options.version).is_dir():
        environment = asyncio.run(name_python(Path(options.version)))
    else:
        environment = asyncio.run(add(options.version, tpu=options.tpu, say=say))
    if options.json:
        print_json(_environment_json(environment))
    else:
        print(environment)
    return FINE


def _env_remove(options: argparse.Namespace) -> int:
    from museum.lab.building import remove

    remove(options.name)
    if options.json:
        print_json({"removed": options.name})
    return FINE

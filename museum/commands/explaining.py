"""``explain``: a pasted error, its place in JAX and its exhibits."""

import argparse
import asyncio

from museum.commands.command import FINE, AddCommand, print_json, say
from museum.errors import MuseumError


def add_commands(command: AddCommand) -> None:
    """What may stand on the command line."""
    one = command("explain", _explain, "name a pasted error, its place in JAX and its exhibits")
    one.add_argument(
        "file", metavar="FILE", nargs="?", default="-", help="a log or traceback (default: standard input)"
    )
    one.add_argument(
        "--jax",
        metavar="V",
        default="",
        help="the JAX version that it came from (default: what it says, or the newest)",
    )
    one.add_argument("--jsonl", metavar="FILE", help='many at once: one {"text": ...} a line, one answer a line')


def _explain(options: argparse.Namespace) -> int:
    from museum.catalog import load_catalog
    from museum.diagnosis.command import prepared, read_lines, read_text, with_versions
    from museum.diagnosis.textual import as_text

    if options.jsonl and options.file != "-":
        raise MuseumError("give either FILE or --jsonl FILE")
    catalog = load_catalog(check=False)

    async def work() -> None:
        if not options.jsonl:
            text = read_text(options.file)
            diagnosis = await prepared(catalog, options.jax, say)
            answer = diagnosis.explain(text, options.jax)
            if options.json:
                print_json(answer.as_json())
            else:
                print(as_text(answer), end="")
            return
        lines = list(read_lines(options.jsonl))
        diagnosis = await prepared(catalog, options.jax, say)
        await with_versions(diagnosis, {jax for _, jax in lines}, say)
        for text, jax in lines:
            print_json(diagnosis.explain(text, jax or options.jax).as_json())

    asyncio.run(work())
    return FINE

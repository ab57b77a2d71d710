"""``verify``: failing code and fix of exhibits, run and judged."""

import argparse
import asyncio
from collections.abc import Callable
from typing import Any

from museum.commands.collection import catalog_with
from museum.commands.command import BAD_NEWS, FINE, AddCommand, print_json, say
from museum.errors import MuseumError


def add_commands(command: AddCommand) -> None:
    """What may stand on the command line."""
    one = command("verify", _verify, "run failing and fix, and print verdicts")
    one.add_argument("ids", metavar="ID", nargs="*", help="exhibits (default: all)")
    one.add_argument(
        "--jax", metavar="V", action="append", help="JAX version; may be repeated (default: the museum's own)"
    )
    one.add_argument("--record", action="store_true", help="write what good runs printed into the exhibits' captures")
    one.add_argument("--resume", action="store_true", help="go on where an interrupted verify stopped")


def _verify(options: argparse.Namespace) -> int:
    from museum.lab.verify import Result, Verdict, counts
    from museum.mine import load_mine
    from museum.strip import matrix
    from museum.versions import check_versions

    check_versions(*options.jax or ())
    catalog = catalog_with(options.ids)
    exhibits = [catalog.exhibit(name) for name in options.ids] or list(catalog.exhibits)
    load_mine().refuse_untrusted(exhibits)
    done = 0

    def follow(result: Result, total: int) -> None:
        nonlocal done
        done += 1
        job = result.job
        if options.json:
            say(f"{done}/{total}: {job.exhibit.id} {job.half} on JAX {job.jax}: {result.judged.verdict}")
        else:
            name = f"{job.exhibit.id} {job.half}"
            detail = f"  {result.judged.detail}" if result.judged.detail else ""
            print(f"{job.jax:9} {job.target!s:12} {name:58} {result.judged.verdict}{detail}", flush=True)

    results = asyncio.run(_verified(exhibits, options, follow))
    if options.record:
        _record(results)
    if options.json:
        print_json({"results": [result.as_json() for result in results], "counts": counts(results)})
    else:
        if len({result.job.jax for result in results}) > 1:
            print(f"\n{matrix(results)}\n")
        print(", ".join(f"{number} {verdict}" for verdict, number in counts(results).items()))
    bad = catalog.problems or not all(Verdict(result.judged.verdict).good for result in results)
    return BAD_NEWS if bad else FINE


async def _verified(exhibits: list[Any], options: argparse.Namespace, follow: Callable[[Any, int], None]) -> list[Any]:
    from museum.lab.building import add, name_for
    from museum.lab.environments import discover, managed
    from museum.lab.lab import Lab
    from museum.lab.ledger import Ledger
    from museum.lab.verify import WORKERS, Result, plan, verify

    environments = await discover()
    obstacles = dict.fromkeys(options.jax or [environments[0].jax], "")
    for version in obstacles:
        if not any(environment.jax == version for environment in environments):
            say(f"no environment with JAX {version} yet; making {name_for(version, tpu=False)}")
            try:
                await add(version)
            except MuseumError as error:
                obstacles[version] = str(error)
    environments = [*environments, *(one for one in managed() if one not in environments)]
    jobs = plan(exhibits, environments, obstacles)
    ledger = Ledger()
    if options.resume:
        ledger.load()
    else:
        ledger.start_anew()
    done = {job: result for job in jobs if (result := ledger.known(job)) is not None}
    for result in done.values():
        follow(result, len(jobs))

    def note(result: Result) -> None:
        ledger.note(result)
        follow(result, len(jobs))

    lab = Lab(spares=0, nurseries=WORKERS)
    try:
        rest = [job for job in jobs if job not in done]
        done |= {one.job: one for one in await verify(rest, lab, note, against_capture=not options.record)}
    finally:
        await lab.close()
    return [done[job] for job in jobs]


def _record(results: list[Any]) -> None:
    from museum.catalog import collection_root
    from museum.lab.recording import record
    from museum.mine import is_mine, my_root

    exhibits = {result.job.exhibit.id: result.job.exhibit for result in results}
    for name, exhibit in exhibits.items():
        if record(exhibit, results, my_root() if is_mine(name) else collection_root()):
            say(f"{name}: captures written")

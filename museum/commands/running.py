"""``run``: a script in the lab."""

import argparse
import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from museum.commands.command import BAD_NEWS, FINE, WRONG_USE, AddCommand, print_json, say
from museum.errors import MuseumError

if TYPE_CHECKING:
    from museum.lab.environments import Environment
    from museum.lab.outcome import RunOutcome
    from museum.lab.target import Target


def add_commands(command: AddCommand) -> None:
    """What may stand on the command line."""
    one = command("run", _run, "run a script in the lab")
    one.add_argument("file", metavar="FILE", type=Path)
    one.add_argument("--devices", type=int, metavar="N", help="fake CPU devices (default 8)")
    one.add_argument("--processes", type=int, metavar="P", help="processes of N devices, joined by jax.distributed")
    one.add_argument("--target", metavar="T", help="cpu:8, cpu:2x4, local or tpu-compile")
    one.add_argument("--jax", metavar="V", help="JAX version (default: the museum's own)")
    one.add_argument("--timeout", type=float, metavar="S", help="seconds until the run is ended (default 120)")


def _target(options: argparse.Namespace) -> "Target":
    """What the command line says, else what the script's header asks for, else eight fake devices."""
    from museum.lab.target import Target

    chosen = None
    if (options.target, options.devices, options.processes) != (None, None, None):
        chosen = Target.parse(_target_text(options))
    wanted = target_of_header(options.file)
    if chosen and wanted and chosen != wanted:
        say(f"the script asks for {wanted}; it runs on {chosen}, as you chose")
    return chosen or wanted or Target.cpu(8)


def _target_text(options: argparse.Namespace) -> str:
    if options.target:
        if options.devices is not None or options.processes is not None:
            raise MuseumError("give either --target or --devices and --processes")
        return str(options.target)
    devices = 8 if options.devices is None else options.devices
    return f"cpu:{devices}" if options.processes is None else f"cpu:{options.processes}x{devices}"


def check_run(options: argparse.Namespace) -> None:
    """Refuse what cannot be run, before anything is started.

    Raises:
        MuseumError: No such script, no such version, no such time.
    """
    from museum.versions import check_versions

    versions = [options.jax] if isinstance(options.jax, str) else options.jax
    check_versions(*versions or ())
    if options.file.is_dir():
        raise MuseumError(f"{options.file}: is a directory, not a script")
    if not options.file.is_file():
        raise MuseumError(f"{options.file}: no such file")
    if options.timeout is not None and not options.timeout > 0:
        raise MuseumError("--timeout: seconds must be more than 0")


def target_of_header(file: Path) -> "Target | None":
    """What a script says in its header that it wants to run on.

    Raises:
        MuseumError: It says something that is no target.
    """
    from museum.lab.header import wanted_target

    try:
        return wanted_target(file.read_text("utf-8", "replace"))
    except MuseumError as error:
        raise MuseumError(f"{file}: {error}") from error


def _run(options: argparse.Namespace) -> int:
    from museum.lab.lab import Lab
    from museum.lab.outcome import RunStatus
    from museum.lab.runner import Limits, Progress, RunRequest

    check_run(options)
    target = _target(options)
    limits = Limits() if options.timeout is None else Limits(seconds=options.timeout)

    def pass_on(progress: Progress) -> None:
        if progress.block and not options.json:
            stream = sys.stdout if progress.stream == "stdout" else sys.stderr
            stream.flush()
            stream.buffer.write(progress.block)
            stream.buffer.flush()

    async def work() -> "RunOutcome":
        environment = await environment_for(options.jax, target)
        lab = Lab(spares=0)
        try:
            return await lab.run(RunRequest(options.file, environment, target, limits=limits), pass_on)
        finally:
            await lab.close()

    outcome = asyncio.run(work())
    if options.json:
        print_json(outcome.as_json())
    elif outcome.detail or outcome.status not in (RunStatus.OK, RunStatus.FAILED):
        say(f"{outcome.status}: {outcome.detail}" if outcome.detail else str(outcome.status))
    if outcome.status is RunStatus.NOT_STARTED:
        return WRONG_USE
    return BAD_NEWS if outcome.failed else FINE


async def environment_for(jax: str | None, target: "Target") -> "Environment":
    """The environment for a JAX version, or the museum's own, and a target.

    Raises:
        MuseumError: There is none with that JAX.
    """
    from museum.lab.environments import discover
    from museum.lab.verify import choose

    environments = await discover()
    wanted = jax or environments[0].jax
    found = choose(environments, wanted, target)
    if found is None:
        raise MuseumError(f"no environment with JAX {wanted} here; make one with: xla-museum env add {wanted}")
    return found

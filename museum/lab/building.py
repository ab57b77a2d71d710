"""Builds environments, and takes them away: uv where it is, else venv and pip."""

import asyncio
import json
import os
import re
import shutil
import signal
import sys
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import suppress
from pathlib import Path

from museum.errors import MuseumError
from museum.lab.environments import (
    MARKER,
    Environment,
    EnvironmentKind,
    Marker,
    forget_python,
    managed,
    managed_directory,
    named_environments,
    probe,
    pythons_of_this_machine,
)
from museum.lab.process import finish
from museum.versions import check_versions

NEWEST = "0.12.0.1"
_LONGEST_LINE = 1 << 20  # bytes of an installer's line that are kept
_MOST_LINES = 200  # of what it said last, among which its reason is looked for
# Pairs that are known to work together: the metadata of old JAX versions name libtpu builds that are gone.
LIBTPU = {
    "0.4.38": "0.0.7",
    "0.6.2": "0.0.17.1",
    "0.8.2": "0.0.32.1",
    "0.8.3": "0.0.32.1",
    "0.10.2": "0.0.42.1",
    "0.12.0.1": "0.0.50.1",
}


def name_for(jax: str, tpu: bool) -> str:
    """Name of the managed environment for a JAX version."""
    return f"jax-{jax}-tpu" if tpu else f"jax-{jax}"


def oldest_python(jax: str) -> tuple[int, int]:
    """The oldest Python that a JAX version installs on (from its own metadata, 2026-11)."""
    from packaging.version import Version

    version = Version(jax)
    for since, python in (("0.11", (3, 12)), ("0.7", (3, 11))):
        if version >= Version(since):
            return python
    return (3, 10)


async def find_python(jax: str) -> Path:
    """A Python on this machine that a JAX version supports: our own if it fits, else the newest on PATH or in pyenv.

    Raises:
        MuseumError: There is none.
    """
    oldest, newest = oldest_python(jax), (3, 13)
    if oldest <= sys.version_info[:2] <= newest:
        return Path(sys.executable)
    for minor in range(newest[1], oldest[1] - 1, -1):
        for candidate in pythons_of_this_machine(minor):
            try:
                answer = await probe("candidate", EnvironmentKind.FOUND, candidate)
            except MuseumError:
                continue  # a shim without its Python, say
            if answer.python_version.startswith(f"3.{minor}."):
                return candidate
    wanted = f"3.{oldest[1]} to 3.{newest[1]}"
    raise MuseumError(f"JAX {jax} needs Python {wanted}, and none is on PATH or in pyenv; install one and try again")


def requirements(jax: str, tpu: bool) -> list[str]:
    """What to install for a JAX version.

    Raises:
        MuseumError: `tpu` and no libtpu is known to fit.
    """
    from packaging.version import Version

    check_versions(jax)
    version = Version(jax)
    wanted = [f"jax=={jax}", f"jaxlib=={jax}"]
    wanted += ["numpy<2.3"] if version < Version("0.5") else []
    wanted += ["absl-py"] if version < Version("0.12") else []  # Pallas on GPUs imports it without asking for it
    if tpu and jax not in LIBTPU:
        raise MuseumError(f"no libtpu is known to fit JAX {jax}; known are {', '.join(LIBTPU)}")
    return wanted + ([f"libtpu=={LIBTPU[jax]}"] if tpu else [])


async def add(jax: str, *, tpu: bool = False, say: Callable[[str], None] = lambda _: None) -> Environment:
    """Build a managed environment, or return it when it exists. Nothing half-made stays behind.

    Args:
        jax: The version.
        tpu: Whether to add libtpu, for the target `tpu-compile`.
        say: Gets each line of progress.

    Raises:
        MuseumError: No fitting Python, no network, no such version, no room: in one line.
    """
    name = name_for(jax, tpu)
    for environment in managed():
        if environment.name == name:
            return environment
    wanted = requirements(jax, tpu)
    python = await find_python(jax)
    _sweep()
    final = managed_directory() / name
    making = final.with_name(f".{name}.{os.getpid()}")
    try:
        making.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(final, ignore_errors=True)
        say(f"making {name} with {python}")
        for command in _build_commands(python, making, wanted):
            await _run(command, making.parent, say)
        built = await probe(name, EnvironmentKind.MANAGED, making / "bin" / "python")
        facts = {field: getattr(built, field) for field in Marker.__struct_fields__}
        (making / MARKER).write_text(json.dumps(facts))
        making.rename(final)
    except OSError as failure:
        raise MuseumError(f"environment {name} was not made: {failure.strerror or failure}") from failure
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return next(environment for environment in managed() if environment.name == name)


def _sweep() -> None:
    """Take away what a museum that was killed while it built left half-made."""
    for place in managed_directory().glob(".jax-*.*"):
        pid = place.suffix[1:]
        if pid.isdigit() and not _is_alive(int(pid)):
            shutil.rmtree(place, ignore_errors=True)


def _is_alive(pid: int) -> bool:
    import psutil

    return bool(psutil.pid_exists(pid))


def _build_commands(python: Path, place: Path, wanted: list[str]) -> list[list[str]]:
    uv = shutil.which("uv")
    if uv:
        install = [uv, "pip", "install", "--compile-bytecode", "--python", str(place), *wanted]
        return [[uv, "venv", "--python", str(python), str(place)], install]
    return [[str(python), "-m", "venv", str(place)], [str(place / "bin" / "python"), "-m", "pip", "install", *wanted]]


_NO_NETWORK = re.compile(
    r"network was disabled|connection refused|name resolution|name or service not known|dns error|unreachable"
    r"|newconnectionerror|connecttimeout|tcp connect error|nodename nor servname",
    re.IGNORECASE,
)


async def _run(command: list[str], directory: Path, say: Callable[[str], None]) -> None:
    """Run an installer from `directory`: in the visitor's own, uv would obey the pins of a project there."""
    variables = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    variables.pop("PYTHONDONTWRITEBYTECODE", None)  # a venv without bytecode starts 2.5 times slower, for ever
    child = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env=variables,
        cwd=directory,
        start_new_session=True,
    )
    assert child.stdout is not None  # noqa: S101 - for the type checker
    said: deque[str] = deque(maxlen=_MOST_LINES)
    try:
        async for line in _lines(child.stdout):
            said.append(line)
            say(line)
        code = await child.wait()
    except BaseException:
        with suppress(ProcessLookupError):  # it may have ended by itself
            os.killpg(child.pid, signal.SIGKILL)
        await finish(_gone(child.stdout, child))  # what still writes would leave something behind the caller's back
        raise
    if code:
        raise MuseumError(f"{Path(command[0]).name} failed: {_reason(said) or f'exit status {code}'}")


async def _lines(output: asyncio.StreamReader) -> AsyncIterator[str]:
    """What an installer prints, line by line; of one without end the last `_LONGEST_LINE` bytes."""
    rest = b""
    while block := await output.read(1 << 16):
        *whole, rest = (rest + block).split(b"\n")
        for raw in whole:
            yield raw.decode("utf-8", "replace").rstrip()
        rest = rest[-_LONGEST_LINE:]
    if rest:
        yield rest.decode("utf-8", "replace").rstrip()


def _reason(lines: Iterable[str]) -> str:
    """Why an installer failed, in its own words where they tell it; "" where it said nothing."""
    said = [line.strip() for line in lines if line.strip()]
    if _NO_NETWORK.search("\n".join(said)):
        return "no package index can be reached; check the network or the proxy, and build again"
    errors = [line for line in said if line.lower().startswith("error")]
    return next(reversed(errors or said), "")


async def _gone(output: asyncio.StreamReader, child: asyncio.subprocess.Process) -> None:
    """Wait for the end of a killed installer and of its helpers, which hold its output open as long as they live."""
    with suppress(TimeoutError):
        await asyncio.wait_for(output.read(), timeout=5)
    await child.wait()


def remove(name: str) -> None:
    """Delete a managed environment, or forget one that the visitor named, which stays where it is.

    Raises:
        MuseumError: There is none of that name.
    """
    if name in [environment.name for environment in managed()]:
        shutil.rmtree(managed_directory() / name)
        return
    named = named_environments()
    if name not in named:
        names = [*(environment.name for environment in managed()), *named]
        raise MuseumError(
            f"no environment {name!r} to remove; there {'are' if names else 'is'} {', '.join(names) or 'none'}"
        )
    forget_python(named[name])

"""Pythons with a JAX in them: the museum's own, the ones it built, and how to build one."""

import asyncio
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import msgspec

from museum.errors import MuseumError
from museum.lab.process import finish
from museum.places import data_directory

NEWEST = "0.12.0.1"
PROBE = """
import importlib.metadata as m, json, sys
def version(name):
    try: return m.version(name)
    except m.PackageNotFoundError: return ""
print(json.dumps({"python_version": sys.version.split()[0], "platform": sys.platform,
                  "jax": version("jax"), "jaxlib": version("jaxlib"), "libtpu": version("libtpu")}))
"""
# Pairs that are known to work together: the metadata of old JAX versions name libtpu builds that are gone.
LIBTPU = {"0.4.38": "0.0.7", "0.6.2": "0.0.17.1", "0.8.2": "0.0.32.1", "0.10.2": "0.0.42.1", "0.12.0.1": "0.0.50.1"}
MARKER = "museum.json"


class EnvironmentKind(StrEnum):
    """Who an environment belongs to."""

    OWN = "own"
    MANAGED = "managed"
    NAMED = "named"


@dataclass(frozen=True, slots=True)
class Environment:
    """A Python with a JAX version in it.

    Attributes:
        name: Unique, as on the command line.
        kind: Who it belongs to.
        python: The interpreter.
        python_version: "3.12.1".
        jax: JAX's version, "" when it has none.
        jaxlib: jaxlib's version.
        libtpu: libtpu's version, "" when it has none.
    """

    name: str
    kind: EnvironmentKind
    python: Path
    python_version: str
    jax: str
    jaxlib: str
    libtpu: str = ""

    def __str__(self) -> str:
        tpu = f", libtpu {self.libtpu}" if self.libtpu else ""
        return f"JAX {self.jax or 'none'} on Python {self.python_version}{tpu} ({self.name})"


class _Probed(msgspec.Struct, frozen=True):
    python_version: str
    platform: str
    jax: str
    jaxlib: str
    libtpu: str


async def probe(name: str, kind: EnvironmentKind, python: Path) -> Environment:
    """Ask an interpreter what it holds, in a child that imports no JAX (about 50 ms).

    Raises:
        MuseumError: It does not run, or answers something else.
    """
    try:
        child = await asyncio.create_subprocess_exec(
            str(python), "-I", "-c", PROBE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        output, error = await asyncio.wait_for(child.communicate(), timeout=30)
        found = msgspec.json.decode(output, type=_Probed)
    except TimeoutError:
        child.kill()
        raise MuseumError(f"environment {name}: {python} gave no answer within 30 s") from None
    except OSError as failure:
        raise MuseumError(f"environment {name}: cannot run {python}: {failure.strerror}") from failure
    except msgspec.DecodeError:
        last = error.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no output"]
        raise MuseumError(f"environment {name}: {python} is no usable Python: {last[0]}") from None
    return Environment(name, kind, python, found.python_version, found.jax, found.jaxlib, found.libtpu)


def managed_directory() -> Path:
    """Where the museum keeps the environments that it built."""
    return data_directory() / "environments"


async def own() -> Environment:
    """The Python that the museum itself runs on."""
    return await probe("own", EnvironmentKind.OWN, Path(sys.executable))


async def discover() -> list[Environment]:
    """The museum's own environment first, then the managed ones by name; half-made ones are passed over."""
    return [await own(), *managed()]


def managed() -> list[Environment]:
    """The environments that the museum built and finished, from their markers."""
    found = []
    for marker in sorted(managed_directory().glob(f"[!.]*/{MARKER}")):
        try:
            facts = msgspec.json.decode(marker.read_bytes(), type=_Marker)
        except (OSError, msgspec.DecodeError):
            continue  # without a readable marker it was never finished
        python = marker.parent / "bin" / "python"
        if python.exists():
            values = (facts.python_version, facts.jax, facts.jaxlib, facts.libtpu)
            found.append(Environment(marker.parent.name, EnvironmentKind.MANAGED, python, *values))
    return found


class _Marker(msgspec.Struct, frozen=True):
    python_version: str
    jax: str
    jaxlib: str
    libtpu: str


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
    roots = [Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"]
    for minor in range(newest[1], oldest[1] - 1, -1):
        candidates = [Path(found) for found in [shutil.which(f"python3.{minor}")] if found]
        candidates += [root / "bin" / "python" for root in roots[0].glob(f"3.{minor}.*")]
        for candidate in candidates:
            try:
                answer = await probe("candidate", EnvironmentKind.NAMED, candidate)
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
    from packaging.version import InvalidVersion, Version

    try:
        version = Version(jax)
    except InvalidVersion:
        raise MuseumError(f"{jax!r} is not a JAX version; write one like {NEWEST}") from None
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
    final = managed_directory() / name
    making = final.with_name(f".{name}.{os.getpid()}")
    try:
        making.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(final, ignore_errors=True)
        say(f"making {name} with {python}")
        for command in _build_commands(python, making, wanted):
            await _run(command, making.parent, say)
        built = await probe(name, EnvironmentKind.MANAGED, making / "bin" / "python")
        facts = {field: getattr(built, field) for field in _Marker.__struct_fields__}
        (making / MARKER).write_text(json.dumps(facts))
        making.rename(final)
    except OSError as failure:
        raise MuseumError(f"environment {name} was not made: {failure.strerror or failure}") from failure
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return next(environment for environment in managed() if environment.name == name)


def _build_commands(python: Path, place: Path, wanted: list[str]) -> list[list[str]]:
    uv = shutil.which("uv")
    if uv:
        install = [uv, "pip", "install", "--compile-bytecode", "--python", str(place), *wanted]
        return [[uv, "venv", "--python", str(python), str(place)], install]
    return [[str(python), "-m", "venv", str(place)], [str(place / "bin" / "python"), "-m", "pip", "install", *wanted]]


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
    lines = []
    try:
        async for raw in child.stdout:
            lines.append(raw.decode("utf-8", "replace").rstrip())
            say(lines[-1])
        code = await child.wait()
    except BaseException:
        with suppress(ProcessLookupError):  # it may have ended by itself
            os.killpg(child.pid, signal.SIGKILL)
        await finish(_gone(child.stdout, child))  # what still writes would leave something behind the caller's back
        raise
    if code:
        reason = next((line for line in reversed(lines) if line.strip()), f"exit status {code}")
        raise MuseumError(f"{Path(command[0]).name} failed: {reason.strip()}")


async def _gone(output: asyncio.StreamReader, child: asyncio.subprocess.Process) -> None:
    """Wait for the end of a killed installer and of its helpers, which hold its output open as long as they live."""
    with suppress(TimeoutError):
        await asyncio.wait_for(output.read(), timeout=5)
    await child.wait()


def remove(name: str) -> None:
    """Delete a managed environment.

    Raises:
        MuseumError: There is none of that name.
    """
    names = [environment.name for environment in managed()]
    if name not in names:
        raise MuseumError(
            f"no managed environment {name!r}; there {'are' if names else 'is'} {', '.join(names) or 'none'}"
        )
    shutil.rmtree(managed_directory() / name)

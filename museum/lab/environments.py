"""Pythons with a JAX in them: the museum's own, those it built, those the visitor named, those found on PATH."""

import asyncio
import itertools
import json
import os
import shutil
import sys
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import msgspec

from museum.errors import MuseumError
from museum.places import data_directory

PROBE = """
import importlib.metadata as m, json, sys
def version(name):
    try: return m.version(name)
    except m.PackageNotFoundError: return ""
print(json.dumps({"python_version": sys.version.split()[0], "platform": sys.platform,
                  "jax": version("jax"), "jaxlib": version("jaxlib"), "libtpu": version("libtpu")}))
"""
MARKER = "museum.json"


class EnvironmentKind(StrEnum):
    """Who an environment belongs to."""

    OWN = "own"
    MANAGED = "managed"
    NAMED = "named"
    FOUND = "found"


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

    @property
    def targets(self) -> tuple[str, ...]:
        """Kinds of target that it offers on any machine."""
        return ("cpu", "processes", "tpu-compile") if self.libtpu else ("cpu", "processes")

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
    """All that is at hand: the museum's own first, then those it built, those the visitor named, those found.

    Half-made ones, those that do not run and those without JAX are passed over.
    """
    mine = await own()
    known = [mine, *managed()]
    named = [(name, EnvironmentKind.NAMED, python) for name, python in named_environments().items()]
    pythons = [python for minor in range(13, 9, -1) for python in pythons_of_this_machine(minor)]
    taken = {environment.name for environment in known} | {name for name, _, _ in named}
    found = [(_unlike(taken, _name_of(python)), EnvironmentKind.FOUND, python) for python in pythons]
    seen = {environment.python.resolve() for environment in known if environment.kind is not EnvironmentKind.MANAGED}
    asked = []
    for name, kind, python in [*named, *found]:
        # A venv's python is a link to the one that made it: what counts is where it stands.
        place = python.parent.resolve() / python.name if kind is EnvironmentKind.NAMED else python.resolve()
        if place not in seen:
            seen.add(place)
            asked.append(_probed(name, kind, python))
    answers = [answer for answer in await asyncio.gather(*asked) if answer is not None]
    return known + [answer for answer in answers if answer.jax and answer.python != mine.python]


async def _probed(name: str, kind: EnvironmentKind, python: Path) -> Environment | None:
    try:
        return await probe(name, kind, python)
    except MuseumError:
        return None  # a shim without its Python, a venv that is gone


def pythons_of_this_machine(minor: int) -> list[Path]:
    """Interpreters of Python 3.`minor` on PATH and in pyenv, whether or not they run."""
    on_path = [
        Path(found) for found in [shutil.which(f"python3.{minor}")] if found and "shims" not in Path(found).parts
    ]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    return on_path + sorted((root / "bin" / "python" for root in pyenv.glob(f"3.{minor}.*")), reverse=True)


def _name_of(python: Path) -> str:
    folder = python.parent.parent
    return f"pyenv-{folder.name}" if folder.parent.name == "versions" else python.name


def named_pythons() -> list[Path]:
    """The interpreters that the visitor named."""
    try:
        return [Path(text) for text in msgspec.json.decode(_named_file().read_bytes(), type=list[str])]
    except (OSError, msgspec.DecodeError):
        return []


def named_environments() -> dict[str, Path]:
    """The interpreters that the visitor named, under the name of their folder, with a number where that is taken."""
    taken = {"own", *(environment.name for environment in managed())}
    return {_unlike(taken, python.parent.parent.name or str(python)): python for python in named_pythons()}


def _unlike(taken: set[str], name: str) -> str:
    """The name, or with a number behind it one that is not taken; it is taken from now on."""
    numbered = (f"{name}-{number}" for number in itertools.count(2))
    free = name if name not in taken else next(one for one in numbered if one not in taken)
    taken.add(free)
    return free


async def name_python(place: Path) -> Environment:
    """Remember a Python, or a venv, that the visitor names.

    Raises:
        MuseumError: There is no Python there, or it has no JAX.
    """
    python = next((one for one in (place / "bin" / "python", place) if one.is_file()), None)
    if python is None:
        raise MuseumError(f"{place}: neither a Python nor a virtual environment")
    python = python.parent.resolve() / python.name
    environment = await probe(python.parent.parent.name, EnvironmentKind.NAMED, python)
    if not environment.jax:
        raise MuseumError(f"{place}: Python {environment.python_version} has no JAX in it")
    if python not in named_pythons():
        _write_named([*named_pythons(), python])
    return replace(environment, name=next(name for name, one in named_environments().items() if one == python))


def forget_python(python: Path) -> None:
    """No longer list a Python that the visitor named; the Python itself stays."""
    _write_named([one for one in named_pythons() if one != python])


def _named_file() -> Path:
    return data_directory() / "named-pythons.json"


def _write_named(pythons: list[Path]) -> None:
    file = _named_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_suffix(".new")
    beside.write_text(json.dumps([str(python) for python in pythons]))
    beside.replace(file)


def managed() -> list[Environment]:
    """The environments that the museum built and finished, from their markers."""
    found = []
    for marker in sorted(managed_directory().glob(f"[!.]*/{MARKER}")):
        try:
            facts = msgspec.json.decode(marker.read_bytes(), type=Marker)
        except (OSError, msgspec.DecodeError):
            continue  # without a readable marker it was never finished
        python = marker.parent / "bin" / "python"
        if python.exists():
            values = (facts.python_version, facts.jax, facts.jaxlib, facts.libtpu)
            found.append(Environment(marker.parent.name, EnvironmentKind.MANAGED, python, *values))
    return found


class Marker(msgspec.Struct, frozen=True):
    """What a finished managed environment holds, in its file `MARKER`."""

    python_version: str
    jax: str
    jaxlib: str
    libtpu: str

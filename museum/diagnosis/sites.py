"""Raise sites by environment: the shipped index, cached ones, and the child that makes them."""

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from museum.diagnosis.extraction.modules import digest_of, source_files
from museum.diagnosis.extraction.run import version_of
from museum.diagnosis.site_index import SiteIndex, load_index
from museum.errors import MuseumError
from museum.lab.environments import Environment
from museum.places import data_directory

SHIPPED = "sites-0.12.0.1.json.gz"
_EXTRACTOR = Path(__file__).parent / "extraction" / "__main__.py"
_LONGEST_LINE = 1 << 20


@dataclass(frozen=True, slots=True)
class Installed:
    """Where a JAX lies.

    Attributes:
        jax: Its version.
        root: The site-packages folder.
        python: A Python that can read its files: its own, by preference.
    """

    jax: str
    root: Path
    python: Path


def shipped_index() -> SiteIndex:
    """The index of the newest JAX, which the museum brings along."""
    with as_file(files("museum.diagnosis") / "data" / SHIPPED) as file:
        return load_index(file)


def installed(environment: Environment) -> Installed:
    """Where an environment's JAX lies, found without starting it.

    Raises:
        MuseumError: No JAX below it.
    """
    home = environment.python.parent.parent
    minor = ".".join(environment.python_version.split(".")[:2])
    candidates = [home / "lib" / f"python{minor}" / "site-packages", home / "lib" / f"python{minor}" / "dist-packages"]
    for root in candidates:
        if (root / "jax" / "_src").is_dir():
            return Installed(version_of(root) or environment.jax, root, environment.python)
    raise MuseumError(f"environment {environment.name}: no JAX in {candidates[0]}")


def cache_file(place: Installed) -> Path:
    """Where the index of an installed JAX is kept: by version, by its files, and by who reads them (50 ms to tell)."""
    digest = digest_of(place.root, source_files(place.root))
    return data_directory() / "sites" / f"{place.jax}-{digest}-{_reader()}.json.gz"


@cache
def _reader() -> str:
    """A short digest of the extractor: what an older one read is not what this one would."""
    folder = _EXTRACTOR.parent
    return digest_of(folder, sorted(folder.glob("*.py")))[:6]


def cached_index(place: Installed) -> SiteIndex | None:
    """The index of an installed JAX if it was made before; a damaged one is deleted and counts as not made."""
    file = cache_file(place)
    if not file.exists():
        return None
    try:
        return load_index(file)
    except MuseumError:
        with contextlib.suppress(OSError):
            file.unlink()
        return None


async def build_index(place: Installed, progress: Callable[[float], None] | None = None) -> SiteIndex:
    """Make the index of an installed JAX in a child, unless it is there; cancelling ends the child.

    Args:
        place: The JAX.
        progress: Called with the share that is done, 0 to 1.

    Raises:
        MuseumError: The child failed; says what it said.
    """
    known = await asyncio.to_thread(cached_index, place)
    if known is not None:
        return known
    file = await asyncio.to_thread(cache_file, place)
    child = await asyncio.create_subprocess_exec(
        str(place.python if place.python.exists() else sys.executable),
        "-I",
        "-S",
        str(_EXTRACTOR),
        str(place.root),
        str(file),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=_LONGEST_LINE,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
    )
    try:
        said, errors = await asyncio.gather(_follow(child, progress), _all_of(child.stderr))
        await child.wait()
    finally:
        if child.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            await child.wait()
    if child.returncode:
        reason = said or (errors.strip().splitlines() or ["no reason given"])[-1]
        raise MuseumError(f"the raise sites of JAX {place.jax} could not be read: {reason}")
    return await asyncio.to_thread(load_index, file)


async def _follow(child: asyncio.subprocess.Process, progress: Callable[[float], None] | None) -> str:
    """Pass on how far the child is; what it complains of, at the end."""
    problem = ""
    if child.stdout is None:
        return problem
    async for line in child.stdout:
        try:
            said = json.loads(line)
        except ValueError:
            continue
        problem = said.get("problem", problem)
        if progress and "share" in said:
            progress(float(said["share"]))
    return problem


async def _all_of(stream: asyncio.StreamReader | None) -> str:
    return (await stream.read()).decode("utf-8", "replace") if stream else ""

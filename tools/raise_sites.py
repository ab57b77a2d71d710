"""Make the index of raise sites that ships with the museum, from an installed JAX.

    uv run --no-sync python tools/raise_sites.py [PYTHON]

PYTHON is one that has the newest JAX; the newest among the environments at hand by default. Run it after the newest JAX
changed, and name the new file in `museum/diagnosis/sites.py`.
"""

import argparse
import asyncio
import shutil
import sys
from pathlib import Path

from packaging.version import Version

from museum.diagnosis.sites import Installed, build_index, cache_file, installed
from museum.errors import MuseumError
from museum.lab.environments import Environment, EnvironmentKind, discover, probe

DATA = Path(__file__).resolve().parents[1] / "museum" / "diagnosis" / "data"


async def _environment(python: Path | None) -> Environment:
    if python:
        return await probe(python.parent.parent.name, EnvironmentKind.NAMED, python)
    return max(await discover(), key=lambda environment: Version(environment.jax))


async def _made(python: Path | None) -> tuple[Installed, int]:
    """The JAX that was read, by its own Python, and how many sites it has."""
    place = installed(await _environment(python))
    cache_file(place).unlink(missing_ok=True)  # it may be of an older extractor
    index = await build_index(place, lambda share: print(f"\r{share:4.0%}", end="", file=sys.stderr))
    print(file=sys.stderr)
    return place, len(index.sites)


def main() -> int:
    """Read, and put the file beside the other data."""
    parser = argparse.ArgumentParser(description="Make the index of raise sites that ships with the museum.")
    parser.add_argument("python", nargs="?", type=Path, metavar="PYTHON")
    try:
        place, sites = asyncio.run(_made(parser.parse_args().python))
    except MuseumError as error:
        print(f"raise_sites: {error}", file=sys.stderr)
        return 2
    file = DATA / f"sites-{place.jax}.json.gz"
    shutil.copyfile(cache_file(place), file)
    print(f"{file}: {sites} sites, {file.stat().st_size // 1000} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What ``xla-museum explain`` does: load what it takes, read, answer."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from museum.catalog import Catalog
from museum.diagnosis.diagnose import Diagnosis
from museum.diagnosis.sites import Installed, build_index, cached_index, installed
from museum.errors import MuseumError
from museum.lab.environments import Environment, discover, managed, own
from museum.versions import check_versions

Say = Callable[[str], None]


class _Line(msgspec.Struct, frozen=True):
    text: str
    jax: str = ""


def read_text(file: str) -> str:
    """A file's text, or what comes in, for ``-`` and "".

    Raises:
        MuseumError: The file cannot be read.
    """
    if file in ("", "-"):
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    try:
        return Path(file).read_bytes().decode("utf-8", "replace")
    except OSError as failure:
        raise MuseumError(f"{file}: cannot be read: {failure.strerror or failure}") from failure


def read_lines(file: str) -> Iterator[tuple[str, str]]:
    """Text and JAX version ("" where it says none) of each line of a file of JSON objects.

    Raises:
        MuseumError: The file cannot be read, or a line is no object with a text; names the line.
    """
    for number, line in enumerate(read_text(file).splitlines(), 1):
        if not line.strip():
            continue
        try:
            said = msgspec.json.decode(line, type=_Line)
        except (msgspec.DecodeError, UnicodeEncodeError) as failure:
            raise MuseumError(f'{file}: line {number}: is no {{"text": …}}: {failure}') from failure
        yield said.text, said.jax


async def prepared(catalog: Catalog, jax: str, say: Say) -> Diagnosis:
    """A diagnosis that knows the raise sites of a JAX, if it is installed anywhere.

    Args:
        catalog: The collection.
        jax: The version asked for, "" for none in particular.
        say: Told what takes long, and what is not there.

    Raises:
        MuseumError: `jax` is no version.
    """
    if jax:
        check_versions(jax)
    diagnosis = Diagnosis(catalog)
    near = [await own(), *managed()]
    places = list(_places(near))
    for place in places:
        if place.jax in diagnosis.versions:
            diagnosis.add_source(place.jax, place.root)
    if jax and jax not in diagnosis.versions:
        found = _of(places, jax) or _of(_places(await discover()), jax)
        if found is None:
            say(f"JAX {jax} is not installed here: the nearest version's raise sites are asked instead")
        else:
            await _teach(diagnosis, found, say)
    return diagnosis


async def with_versions(diagnosis: Diagnosis, versions: set[str], say: Say) -> None:
    """Teach a diagnosis more versions, as far as they are installed."""
    for jax in sorted(versions - set(diagnosis.versions) - {""}):
        place = _of(_places([await own(), *managed()]), jax)
        if place is not None:
            await _teach(diagnosis, place, say)


async def _teach(diagnosis: Diagnosis, place: Installed, say: Say) -> None:
    if cached_index(place) is None:
        say(f"reading the raise sites of JAX {place.jax}, once, about 10 s")
    diagnosis.add(await build_index(place), place.root)


def _places(environments: list[Environment]) -> Iterator[Installed]:
    for environment in environments:
        try:
            yield installed(environment)
        except MuseumError:
            continue


def _of(places: Iterator[Installed] | list[Installed], jax: str) -> Installed | None:
    return next((place for place in places if place.jax == jax), None)

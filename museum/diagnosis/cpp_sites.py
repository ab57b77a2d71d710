"""Known places in C++ that raise: XLA, Mosaic, PJRT, the coordination service. Data, asked like any index of sites."""

import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files

import msgspec

from museum.diagnosis.site_index import RaiseSite, SiteIndex
from museum.errors import MuseumError

_HOLE = re.compile(r"\{(\w+)\}")


class KnownSite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A family of errors raised in C++.

    Attributes:
        name: What XLA calls it, or what it is about.
        where: The part, or the source file, that raises it.
        texts: Templates, holes in braces.
        code: ``E1000``, or "".
        status: The status that it comes with, or "".
        see: A page about it, or "".
    """

    name: str
    where: str
    texts: tuple[str, ...]
    code: str = ""
    status: str = ""
    see: str = ""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    site: tuple[KnownSite, ...]


@dataclass(frozen=True, slots=True)
class CppSites:
    """The known sites, and their index; a site of the index has the number of its family as its line."""

    known: tuple[KnownSite, ...]
    index: SiteIndex

    def by_code(self, code: str) -> KnownSite | None:
        """The family that XLA gives a code to."""
        return next((one for one in self.known if code and one.code == code), None)


def load_cpp_sites() -> CppSites:
    """Read the data that ships with the museum.

    Raises:
        MuseumError: The file is damaged.
    """
    try:
        text = (files("museum.diagnosis") / "data" / "cpp_sites.toml").read_text("utf-8")
        known = msgspec.convert(tomllib.loads(text), _File).site
    except (OSError, tomllib.TOMLDecodeError, msgspec.ValidationError) as failure:
        raise MuseumError(f"museum/diagnosis/data/cpp_sites.toml: {failure}") from failure
    templates: list[tuple[str, ...]] = []
    sites = []
    for number, one in enumerate(known):
        first = len(templates)
        templates += [tuple(_HOLE.split(words)) for words in one.texts]
        numbers = tuple(range(first, len(templates)))
        sites.append(RaiseSite("status", "", one.where, number, one.name, numbers))
    return CppSites(known, SiteIndex("", "", sites, templates))

"""Versions and specifiers after PEP 440, each fault in words."""

from collections.abc import Iterable
from functools import lru_cache

from museum.errors import MuseumError


def check_versions(*versions: str) -> None:
    """Refuse what is no version.

    Raises:
        MuseumError: One does not follow PEP 440.
    """
    for fault in map(fault_of_version, versions):
        if fault:
            raise MuseumError(fault)


def sort_versions(versions: Iterable[str]) -> list[str]:
    """Versions by PEP 440's order, oldest first.

    Raises:
        MuseumError: One does not follow PEP 440.
    """
    from packaging.version import Version

    kept = list(versions)
    check_versions(*kept)
    return sorted(kept, key=Version)


@lru_cache
def is_within(version: str, specifier: str) -> bool:
    """Whether a version satisfies a PEP 440 specifier; the empty one holds every version.

    Raises:
        MuseumError: Either does not follow PEP 440.
    """
    check_versions(version)
    if fault := fault_of_specifier(specifier):
        raise MuseumError(fault)
    from packaging.specifiers import SpecifierSet

    return SpecifierSet(specifier).contains(version, prereleases=True)


@lru_cache
def fault_of_version(text: str) -> str:
    """What keeps a text from being a version, or ""."""
    from packaging.version import InvalidVersion, Version

    try:
        Version(text)
    except InvalidVersion:
        return f"{text!r} is not a version such as 0.10.2"
    return ""


@lru_cache
def fault_of_specifier(text: str) -> str:
    """What keeps a text from being a specifier, or ""."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        SpecifierSet(text)
    except InvalidSpecifier:
        return f"{text!r} is not a version specifier such as >=0.5,<0.11"
    return ""

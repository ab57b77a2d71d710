"""Exhibits from others, read with suspicion: a folder or a zip becomes texts in memory, or a list of what is wrong.

Nothing is written and nothing is run here. Every bound is held while reading, whatever the file says of itself.
"""

import os
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from museum.errors import MuseumError

FILES = ("exhibit.toml", "placard.md", "failing.py", "fix.py", "captures.toml")
MOST_EXHIBITS = 50
MOST_ENTRIES = 400
LARGEST_FILE = 1 << 20
LARGEST_WHOLE = 8 << 20
LARGEST_ZIP = 4 << 20
_OF_THE_DESKTOP = {".DS_Store", "Thumbs.db", "desktop.ini", "__MACOSX"}
_MOST_FAULTS = 20


class IncomingError(MuseumError):
    """What keeps a folder or a zip from being taken in.

    Attributes:
        faults: Each of them, as one line.
    """

    def __init__(self, faults: list[str]) -> None:
        self.faults = tuple(faults)
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        super().__init__(f"{faults[0]}{more}")


@dataclass(frozen=True, slots=True)
class Incoming:
    """What was found.

    Attributes:
        name: Of the folder or zip.
        exhibits: By slug, each with its files.
    """

    name: str
    exhibits: dict[str, dict[str, bytes]]


def read_incoming(path: Path) -> Incoming:
    """Read an exhibit's folder, a folder of such folders, or a zip of either.

    Raises:
        IncomingError: Anything is wrong with it; names every fault.
        MuseumError: It is not there.
    """
    faults: list[str] = []
    files: dict[PurePosixPath, bytes] = {}
    try:
        if path.is_dir():
            found = _files_of_folder(path, faults)
        elif path.is_file():
            found = _files_of_zip(path, faults)
        else:
            raise MuseumError(
                f"{path}: {'is neither a folder nor a file' if path.exists() else 'there is no such file'}"
            )
        for place, data in found:
            if place in files:
                faults.append(f"{_shown(place)}: is in it twice")
            files[place] = data
    except OSError as failure:
        faults.append(f"{path}: cannot be read: {failure.strerror or failure}")
    exhibits = _sorted_out(path, files, faults)
    if not exhibits and not faults:
        faults.append(f"{path}: holds no exhibit; one is a folder with {', '.join(FILES)}")
    if faults:
        raise IncomingError(faults[:_MOST_FAULTS])
    return Incoming(path.name, dict(sorted(exhibits.items())))


def slug_of(name: str) -> str:
    """A name as a slug; "exhibit" where nothing of it can stand in one."""
    import unicodedata

    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall(r"[a-z0-9]+", letters))[:60].strip("-") or "exhibit"


def _sorted_out(path: Path, files: dict[PurePosixPath, bytes], faults: list[str]) -> dict[str, dict[str, bytes]]:
    """Each exhibit's files, by slug: those at the top are one exhibit, and so is each folder with an exhibit.toml.

    A single folder around it all, as zips have it, is looked through.
    """
    tops = {place.parts[0] for place in files}
    around = len(tops) == 1 and all(len(place.parts) > 2 for place in files)
    exhibits: dict[str, dict[str, bytes]] = {}
    for place, data in files.items():
        inner = PurePosixPath(*place.parts[1:]) if around else place
        if len(inner.parts) > 2 or inner.name not in FILES:
            faults.append(f"{_shown(place)}: does not belong to an exhibit, which holds {', '.join(FILES)}")
            continue
        outer = place.parts[0] if around else path.stem if path.suffix.lower() == ".zip" else path.name
        folder = inner.parts[0] if len(inner.parts) == 2 else outer
        exhibits.setdefault(slug_of(folder), {})[inner.name] = data
    if len(exhibits) > MOST_EXHIBITS:
        faults.append(f"{path}: holds {len(exhibits)} exhibits; at most {MOST_EXHIBITS} are taken at a time")
    return exhibits


class _Room:
    """How much may still be read."""

    def __init__(self, path: Path, faults: list[str]) -> None:
        self._path = path
        self._faults = faults
        self._entries = MOST_ENTRIES
        self._bytes = LARGEST_WHOLE
        self.spent = False

    def enter(self) -> bool:
        """Count an entry; False when there were too many."""
        self._entries -= 1
        if self._entries < 0 and not self.spent:
            self._faults.append(f"{self._path}: holds more than {MOST_ENTRIES} entries")
            self.spent = True
        return not self.spent

    def take(self, place: str, data: bytes) -> bool:
        """Count what was read; False when it is too much."""
        if len(data) > LARGEST_FILE:
            self._faults.append(f"{place}: is larger than {LARGEST_FILE >> 20} MiB")
            return False
        self._bytes -= len(data)
        if self._bytes < 0 and not self.spent:
            self._faults.append(f"{self._path}: holds more than {LARGEST_WHOLE >> 20} MiB")
            self.spent = True
        return not self.spent


# -- folders -----------------------------------------------------------------------------------------------------------


def _files_of_folder(root: Path, faults: list[str]) -> Iterator[tuple[PurePosixPath, bytes]]:
    room = _Room(root, faults)
    folders = [PurePosixPath()]
    while folders and not room.spent:
        folder = folders.pop()
        with os.scandir(root / folder) as entries:
            # Sorted, so that faults come in the same order everywhere; the number is bounded before.
            seen = sorted((entry for entry in entries if room.enter()), key=lambda entry: entry.name)
        for entry in seen:
            place = folder / entry.name
            if entry.name in _OF_THE_DESKTOP:
                continue
            if entry.is_symlink():
                faults.append(f"{_shown(place)}: is a link; an exhibit holds plain files")
            elif entry.is_dir(follow_symlinks=False):
                if len(place.parts) > 2:
                    faults.append(f"{_shown(place)}: is a folder too deep for an exhibit")
                else:
                    folders.append(place)
            elif entry.name not in FILES:
                faults.append(f"{_shown(place)}: does not belong to an exhibit, which holds {', '.join(FILES)}")
            elif (data := _plain_file(root / place, str(_shown(place)), faults)) is not None and room.take(
                _shown(place), data
            ):
                yield place, data


def _plain_file(path: Path, shown: str, faults: list[str]) -> bytes | None:
    """The bytes of a file that is no link, device or pipe, even if it became one just now."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as failure:
        faults.append(f"{shown}: cannot be read: {failure.strerror}")
        return None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            faults.append(f"{shown}: is no plain file")
            return None
        return file.read(LARGEST_FILE + 1)


# -- zips --------------------------------------------------------------------------------------------------------------


def _files_of_zip(path: Path, faults: list[str]) -> Iterator[tuple[PurePosixPath, bytes]]:
    if path.stat().st_size > LARGEST_ZIP:
        faults.append(f"{path}: is larger than {LARGEST_ZIP >> 20} MiB; an exhibit is a few kilobytes")
        return
    room = _Room(path, faults)
    try:
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                if not room.enter():
                    return
                place = _place_in_zip(entry, faults)
                if place is None:
                    continue
                with archive.open(entry) as file:
                    data = file.read(LARGEST_FILE + 1)  # and no more, whatever the entry says
                if room.take(_shown(place), data):
                    yield place, data
                if room.spent:
                    return
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as failure:
        faults.append(f"{path}: is no zip that can be read: {str(failure) or type(failure).__name__}")


def _place_in_zip(entry: zipfile.ZipInfo, faults: list[str]) -> PurePosixPath | None:
    """Where an entry belongs; None for what is none of ours, with a fault unless it is harmless."""
    name = entry.orig_filename
    fault = _fault_of_name(name) or _fault_of_entry(entry)
    if fault:
        faults.append(f"{_shown(name)}: {fault}")
        return None
    place = PurePosixPath(name)
    if entry.is_dir() or any(part in _OF_THE_DESKTOP for part in place.parts):
        return None
    if len(place.parts) > 3 or place.name not in FILES:
        faults.append(f"{_shown(name)}: does not belong to an exhibit, which holds {', '.join(FILES)}")
        return None
    return place


def _fault_of_name(name: str) -> str:
    if not name or not name.isprintable() or "\\" in name:
        return "has a name that is no path of a zip"
    if name.startswith("/") or re.match(r"[A-Za-z]:", name):
        return "has an absolute path"
    if any(part in ("..", ".", "") for part in name.removesuffix("/").split("/")):
        return "has a path that leads elsewhere"
    return ""


def _fault_of_entry(entry: zipfile.ZipInfo) -> str:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return "is a link; an exhibit holds plain files"
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "is no plain file"
    if entry.flag_bits & 0x1:
        return "is encrypted"
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "is compressed in a way that is not taken"
    return ""


def _shown(name: PurePosixPath | str) -> str:
    """A name as one line of print."""
    text = str(name)
    return text[:120] if text.isprintable() and text else repr(text)[:120]

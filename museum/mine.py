"""My exhibits: the visitor's own wing, in the museum's home, in the format of the collection and read by its loader.

What came from others is kept beside what was made here, and is not run before the visitor has agreed to its scripts as
they are. What nobody is known to have made here counts as come from others, so that a lost list asks again instead of
letting pass.
"""

import contextlib
import hashlib
import os
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import msgspec

from museum.catalog import Catalog, load_catalog
from museum.errors import MuseumError
from museum.exhibit import Exhibit, Half, Wing
from museum.incoming import FILES, Incoming, IncomingError, read_incoming
from museum.inert import inert, inert_line
from museum.places import data_directory

WING = "mine"
_STATE, _LOCK, _REMOVED = ".trust.json", ".lock", "removed-exhibits"
_WING_FILE = "wing.toml"
_FIXED_DATE = (2026, 1, 1, 0, 0, 0)  # of files in a zip: the same exhibit gives the same bytes


class _State(msgspec.Struct):
    """What is known of who made what.

    Attributes:
        own: Slugs that were made here.
        agreed: By slug, the digest of the scripts that the visitor agreed to.
        origin: By slug, the name of what it was taken from.
    """

    own: list[str] = []
    agreed: dict[str, str] = {}
    origin: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class MyWing:
    """The personal wing as it was read.

    Attributes:
        catalog: One wing, or none where there is no exhibit; what others made is inert in it.
        imported: Ids of what others made, with the name of what they came in.
        untrusted: Ids that are not to be run yet, with why as one clause.
    """

    catalog: Catalog
    imported: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    untrusted: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def refuse_untrusted(self, exhibits: Iterable[Exhibit]) -> None:
        """Stop before anything of others is run.

        Raises:
            MuseumError: One of them was not agreed to: says how to.
        """
        for exhibit in exhibits:
            if exhibit.id in self.untrusted:
                raise MuseumError(
                    f"{exhibit.id}: {self.untrusted[exhibit.id]}; read it, then: xla-museum mine trust {exhibit.id}"
                )


def is_mine(exhibit_id: str) -> bool:
    """Whether an id is of the personal wing."""
    return exhibit_id.partition("/")[0] == WING


def my_root() -> Path:
    """The folder that holds the personal wing, as `load_catalog` takes it. Not created here."""
    return data_directory() / "my-exhibits"


def load_mine(*, check: bool = True) -> MyWing:
    """Read the personal wing; never raises for what is in it, whose faults are the catalog's problems.

    Args:
        check: As for `load_catalog`.
    """
    root = my_root()
    if not (root / WING / _WING_FILE).is_file():
        return MyWing(Catalog(()))
    catalog = load_catalog(root, check=check)
    state = _read_state(root)
    imported, untrusted, wings = {}, {}, []
    for wing in catalog.wings:
        shown = []
        for exhibit in wing.exhibits:
            slug = exhibit.id.partition("/")[2]
            if wing.id == WING and slug in state.own:
                shown.append(exhibit)
                continue
            imported[exhibit.id] = inert_line(state.origin.get(slug, ""))
            if state.agreed.get(slug) != digest_of(exhibit.scripts):
                changed = "its scripts have changed since you agreed to them"
                untrusted[exhibit.id] = changed if slug in state.agreed else "it was made by others and never agreed to"
            shown.append(inert(exhibit))
        if shown:
            wings.append(Wing(wing.id, wing.title, wing.intro, tuple(shown)))
    return MyWing(Catalog(tuple(wings), catalog.problems), MappingProxyType(imported), MappingProxyType(untrusted))


def with_mine(catalog: Catalog, mine: MyWing) -> Catalog:
    """The collection with the personal wing at its end."""
    known = {wing.id for wing in catalog.wings}
    wings = tuple(wing for wing in mine.catalog.wings if wing.id not in known)
    return Catalog((*catalog.wings, *wings), (*catalog.problems, *mine.catalog.problems))


def digest_of(scripts: Mapping[Half, str]) -> str:
    """A short word for both scripts, as they would be run."""
    text = "\0".join(f"{half}\0{scripts.get(half, '')}" for half in Half)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def trust(exhibit: Exhibit) -> None:
    """Remember that the visitor agrees to run an exhibit's scripts as they are in this value, and no others.

    Raises:
        MuseumError: It is no exhibit of the personal wing, or that cannot be written.
    """
    slug = slug_in_wing(exhibit.id)
    with changing() as (_, state):
        state.agreed[slug] = digest_of(exhibit.scripts)


def remove(exhibit_id: str) -> Path | None:
    """Take an exhibit out of the personal wing; its files are moved aside, not erased.

    Returns:
        Where its files lie now; None where it had none of its own.

    Raises:
        MuseumError: There is none, or it cannot be moved.
    """
    slug = slug_in_wing(exhibit_id)
    with changing() as (root, state):
        folder = root / WING / slug
        if slug not in _slugs(root) and not folder.is_dir():
            raise MuseumError(f"no exhibit {exhibit_id}; `xla-museum mine list` names what there is")
        _list(root, [one for one in _slugs(root) if one != slug])
        _forget(state, slug)
        if folder.is_symlink():
            folder.unlink()
        elif folder.is_dir():
            (data_directory() / _REMOVED).mkdir(exist_ok=True)
            aside = Path(tempfile.mkdtemp(prefix=f"{slug}-", dir=data_directory() / _REMOVED))
            return folder.replace(aside / slug)
        return None


def take_in(path: Path) -> tuple[str, ...]:
    """Copy exhibits of others into the personal wing, untrusted; returns their ids.

    All of them or none; a name that is taken gets a number.

    Args:
        path: A folder or a zip, as `read_incoming` reads them.

    Raises:
        IncomingError: Anything is wrong with it; names every fault.
        MuseumError: It is not there, or cannot be written.
    """
    incoming = read_incoming(path)
    with changing() as (root, state):
        with tempfile.TemporaryDirectory(prefix=".incoming-", dir=root) as place:
            write_exhibits(Path(place), incoming)
            faults = [str(problem) for problem in load_catalog(Path(place)).problems]
            if faults:
                raise IncomingError([fault.removeprefix(f"{WING}/") for fault in faults])
            names: dict[str, str] = {}
            for slug in incoming.exhibits:
                name = _free(root, slug, names.values())
                names[slug] = name
                _disown_captures(Path(place) / WING / slug, incoming.name)
            for slug, name in names.items():
                _forget(state, name)
                state.origin[name] = incoming.name
                (Path(place) / WING / slug).replace(root / WING / name)
        _list(root, [*_slugs(root), *names.values()])
    return tuple(f"{WING}/{name}" for name in names.values())


def give_out(exhibit: Exhibit, root: Path, path: Path) -> Path:
    """Copy an exhibit's files into a new folder, or a zip where the name ends so, for others to take in.

    Args:
        exhibit: Of any collection.
        root: The folder that holds that collection's wings.
        path: Where to; a folder that is there already gets the exhibit's name in it.

    Returns:
        What was written.

    Raises:
        MuseumError: Something is there already, or it cannot be written.
    """
    slug = exhibit.id.partition("/")[2]
    source = root / exhibit.id
    try:
        files = {name: (source / name).read_bytes() for name in FILES if (source / name).is_file()}
        if path.suffix.lower() == ".zip":
            with path.open("xb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, data in files.items():
                    archive.writestr(_zipped(f"{slug}/{name}"), data)
            return path
        folder = path / slug if path.is_dir() else path
        folder.mkdir(parents=True)
        for name, data in files.items():
            (folder / name).write_bytes(data)
    except FileExistsError as failure:
        raise MuseumError(f"{failure.filename}: is there already; name another place") from failure
    except OSError as failure:
        raise MuseumError(f"{path}: cannot be written: {failure.strerror}") from failure
    return folder


def add_own(slug: str, files: Mapping[str, bytes]) -> str:
    """Put a new exhibit of the visitor's own into the wing; returns its id.

    Args:
        slug: A number is added where it is taken.
        files: By name, as `museum.incoming.FILES` has them.

    Raises:
        MuseumError: The loader does not open it: says why. Nothing is left of it.
    """
    with changing() as (root, state):
        with tempfile.TemporaryDirectory(prefix=".new-", dir=root) as place:
            write_exhibits(Path(place), Incoming(slug, {slug: dict(files)}))
            faults = [str(problem) for problem in load_catalog(Path(place)).problems]
            if faults:
                raise MuseumError(f"this does not become an exhibit: {faults[0].removeprefix(f'{WING}/')}")
            name = _free(root, slug, ())
            (Path(place) / WING / slug).replace(root / WING / name)
        _forget(state, name)
        state.own.append(name)
        _list(root, [*_slugs(root), name])
    return f"{WING}/{name}"


# -- files -------------------------------------------------------------------------------------------------------------


def slug_in_wing(exhibit_id: str) -> str:
    """The slug in an id of the personal wing.

    Raises:
        MuseumError: It is no such id.
    """
    from museum.incoming import slug_of

    wing, _, slug = exhibit_id.partition("/")
    if wing != WING or slug_of(slug) != slug:
        raise MuseumError(f"{exhibit_id} is no exhibit of yours; their ids are {WING}/slug")
    return slug


@contextlib.contextmanager
def changing() -> Iterator[tuple[Path, _State]]:
    """The wing to change, with nobody else at it; the state is written at a good end.

    Raises:
        MuseumError: It cannot be written.
    """
    import fcntl

    root = my_root()
    try:
        (root / WING).mkdir(parents=True, exist_ok=True)
        lock = os.open(root / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (root / WING / _WING_FILE).exists():
                _list(root, [])
            state = _read_state(root)
            before = msgspec.json.encode(state)
            yield root, state
            after = msgspec.json.encode(state)
            if after != before:
                _replace(root / _STATE, after)
        finally:
            os.close(lock)
    except OSError as failure:
        raise MuseumError(f"{root}: cannot be written: {failure.strerror or failure}") from failure


def _read_state(root: Path) -> _State:
    try:
        return msgspec.json.decode((root / _STATE).read_bytes(), type=_State)
    except (OSError, msgspec.DecodeError):
        return _State()  # knows of nobody: all ask again


def _forget(state: _State, slug: str) -> None:
    state.own = [one for one in state.own if one != slug]
    state.agreed.pop(slug, None)
    state.origin.pop(slug, None)


def _slugs(root: Path) -> list[str]:
    try:
        listed = tomllib.loads((root / WING / _WING_FILE).read_text("utf-8"))["exhibits"]
        return [slug for slug in listed if isinstance(slug, str)]
    except (OSError, ValueError, KeyError, TypeError):
        return sorted(path.name for path in (root / WING).iterdir() if path.is_dir() and path.name[0] not in "._")


def _list(root: Path, slugs: list[str]) -> None:
    _replace(root / WING / _WING_FILE, _wing_file(slugs))


def _wing_file(slugs: Iterable[str]) -> bytes:
    import tomli_w

    intro = "What you kept yourself, and what you took in from others: theirs does not run before you agree to it."
    table = {"title": "My exhibits", "position": 1, "intro": intro, "exhibits": list(slugs)}
    return tomli_w.dumps(table).encode()


def _replace(file: Path, data: bytes) -> None:
    beside = file.with_name(f"{file.name}.new") if file.name.startswith(".") else file.with_name(f".{file.name}.new")
    beside.write_bytes(data)
    beside.replace(file)


def write_exhibits(root: Path, incoming: Incoming) -> None:
    """A wing of its own for exhibits, so that the loader can judge them."""
    for slug, files in incoming.exhibits.items():
        (root / WING / slug).mkdir(parents=True)
        for name, data in files.items():
            (root / WING / slug / name).write_bytes(data)
    (root / WING / _WING_FILE).write_bytes(_wing_file(incoming.exhibits))


def _free(root: Path, slug: str, taken: Iterable[str]) -> str:
    names = {*taken, *_slugs(root), *(path.name for path in (root / WING).iterdir())}
    number, name = 2, slug
    while name in names:
        number, name = number + 1, f"{slug}-{number}"
    return name


def _disown_captures(folder: Path, origin: str) -> None:
    """What others recorded was not reproduced here: it is told as their report until it is verified."""
    from museum.exhibit import CapturesFile, Origin
    from museum.lab.recording import FILE, write

    if not (folder / FILE).exists():
        return
    captures = msgspec.toml.decode((folder / FILE).read_bytes(), type=CapturesFile).capture
    told = [
        msgspec.structs.replace(
            capture,
            origin=Origin.REPORTED,
            target=f"{capture.target}, as others ran it",
            source=f"recorded by others, in {origin}",
        )
        if capture.origin is Origin.REPRODUCED
        else capture
        for capture in captures
    ]
    write(folder, tuple(told))


def _zipped(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _FIXED_DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o100644 << 16
    return entry

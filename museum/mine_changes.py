"""Changes to an exhibit that the visitor made: its title, its scripts. What others made is changed by nobody here."""

import re
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from museum.catalog import load_catalog
from museum.errors import MuseumError
from museum.exhibit import Half
from museum.incoming import FILES, Incoming
from museum.mine import WING, changing, slug_in_wing, write_exhibits

_TITLE = re.compile(r"^title\s*=.*$", re.MULTILINE)


def set_title(exhibit_id: str, title: str) -> None:
    """Give an exhibit of the visitor's own another title; its id stays.

    Raises:
        MuseumError: It is not the visitor's own, or the loader would not open it so: says why.
    """
    import tomli_w

    line = tomli_w.dumps({"title": " ".join(title.split()).rstrip(" .")}).rstrip("\n")

    def change(files: dict[str, bytes]) -> None:
        text = files["exhibit.toml"].decode("utf-8")
        changed, count = _TITLE.subn(lambda _: line, text, count=1)
        if not count:
            raise MuseumError(f"{exhibit_id}/exhibit.toml: has no line with the title")
        files["exhibit.toml"] = changed.encode()

    _change(exhibit_id, change)


def set_scripts(exhibit_id: str, scripts: Mapping[Half, str]) -> None:
    """Write the visitor's text into the halves of an exhibit of their own.

    Raises:
        MuseumError: It is not the visitor's own, or the loader would not open it so: says why.
    """

    def change(files: dict[str, bytes]) -> None:
        files |= {f"{half}.py": text.encode("utf-8", "surrogatepass") for half, text in scripts.items()}

    _change(exhibit_id, change)


def _change(exhibit_id: str, change: Callable[[dict[str, bytes]], None]) -> None:
    slug = slug_in_wing(exhibit_id)
    with changing() as (root, state):
        folder = root / WING / slug
        if slug not in state.own:
            raise MuseumError(f"{exhibit_id} was made by others; keep a run of it as an exhibit of yours to change it")
        before = {name: (folder / name).read_bytes() for name in FILES if (folder / name).is_file()}
        if "exhibit.toml" not in before:
            raise MuseumError(f"{exhibit_id}: its files are not there any more")
        files = dict(before)
        change(files)
        with tempfile.TemporaryDirectory(prefix=".new-", dir=root) as place:
            write_exhibits(Path(place), Incoming(slug, {slug: files}))
            problems = load_catalog(Path(place)).problems
            if problems:
                raise MuseumError(f"this cannot be kept so: {str(problems[0]).removeprefix(f'{WING}/')}")
            for name, data in files.items():
                if before.get(name) != data:
                    (Path(place) / WING / slug / name).replace(folder / name)

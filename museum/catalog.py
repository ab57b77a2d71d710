"""The collection as one value: read from disk without running anything, faults listed, the rest open.

Everything that is wrong is found in one pass and reported as one `ContentProblem` each. An exhibit with a fault of
its own is left out; a wing is lost only when its ``wing.toml`` cannot be used.
"""

from dataclasses import dataclass
from pathlib import Path

import exhibits

from museum.catalog_reader import CatalogReader
from museum.errors import ContentProblem, MuseumError
from museum.exhibit import Exhibit, Wing


@dataclass(frozen=True, slots=True)
class Catalog:
    """The museum's wings in the order of their positions, and what is wrong with the rest.

    Attributes:
        wings: Every wing that opened, with the exhibits that opened.
        problems: One entry a fault, wing by wing.
    """

    wings: tuple[Wing, ...]
    problems: tuple[ContentProblem, ...] = ()

    @property
    def exhibits(self) -> tuple[Exhibit, ...]:
        """Every exhibit in walking order."""
        return tuple(exhibit for wing in self.wings for exhibit in wing.exhibits)

    def wing(self, wing_id: str) -> Wing:
        """The wing of that id.

        Raises:
            MuseumError: No such wing; names the nearest.
        """
        for wing in self.wings:
            if wing.id == wing_id:
                return wing
        raise self._unknown("wing", wing_id, [wing.id for wing in self.wings])

    def exhibit(self, exhibit_id: str) -> Exhibit:
        """The exhibit of that id, ``wing/slug``.

        Raises:
            MuseumError: No such exhibit; names the nearest, or what is wrong with it when it could not be opened.
        """
        for exhibit in self.exhibits:
            if exhibit.id == exhibit_id:
                return exhibit
        raise self._unknown("exhibit", exhibit_id, [exhibit.id for exhibit in self.exhibits])

    def neighbours(self, exhibit_id: str) -> tuple[Exhibit | None, Exhibit | None]:
        """The exhibits before and after one in walking order, across wings; None at either end.

        Raises:
            MuseumError: No such exhibit.
        """
        walk = self.exhibits
        place = walk.index(self.exhibit(exhibit_id))
        return (walk[place - 1] if place else None), (walk[place + 1] if place + 1 < len(walk) else None)

    def _unknown(self, what: str, wanted: str, known: list[str]) -> MuseumError:
        from difflib import get_close_matches

        for problem in self.problems:
            if problem.file.as_posix().startswith(f"{wanted}/"):
                return MuseumError(f"{what} {wanted} cannot be opened: {problem}")
        same = [name for name in known if wanted and name.partition("/")[2] == wanted]
        near = same or get_close_matches(wanted, known, n=2)
        hint = f"did you mean {' or '.join(near)}?" if near else "`xla-museum list` names what there is"
        return MuseumError(f"no {what} {wanted or repr('')}; {hint}")


def collection_root() -> Path:
    """The folder of the installed collection: one folder a wing."""
    return Path(exhibits.__file__).parent / "wings"


def load_catalog(root: Path | None = None, *, check: bool = True) -> Catalog:
    """Read the whole collection.

    Args:
        root: The folder that holds the wings; the installed collection by default.
        check: Also compile the scripts and judge versions and specifiers. Without it everything is still read,
            decoded and cross-checked, so what opens can be shown; only the lab needs more.

    Returns:
        What opened, with a problem for everything that did not.

    Raises:
        MuseumError: `root` is no folder.
    """
    root = root or collection_root()
    if not root.is_dir():
        raise MuseumError(f"there is no collection at {root}; name the folder that holds the wings")
    reader = CatalogReader(root, check=check)
    wings = reader.load_wings()
    return Catalog(wings, tuple(reader.problems))

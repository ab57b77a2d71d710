"""What the exhibits' raise sites said from JAX 0.1.75 to the newest: data, made by `tools/lineage.py`."""

from importlib.resources import files

import msgspec

from museum.diagnosis.site_index import shown
from museum.diagnosis.skeletons import HOLE
from museum.errors import MuseumError


class OldText(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"error": "class"}):
    """One text of a raise site.

    Attributes:
        exhibits: Those that are about the site; ones that the collection lacks are passed over.
        error: Key ``class``. Exception class, as the last of the versions has it.
        file: There, as ``jax/_src/…``.
        function: There, qualified.
        since: The first of the versions looked at in which it stands so.
        until: The last.
        template: Literals and holes by turns.
    """

    exhibits: tuple[str, ...]
    error: str
    file: str
    function: str
    since: str
    until: str
    template: tuple[str, ...]

    @property
    def when(self) -> str:
        """The versions in words."""
        return f"JAX {self.since}" if self.since == self.until else f"JAX {self.since} to {self.until}"

    @property
    def message(self) -> str:
        """The text as a person reads it."""
        return shown(self.template)

    @property
    def fixed(self) -> str:
        """The text with nothing said of its holes, to be compared with messages."""
        return f" {HOLE} ".join(self.template[::2])


def load_lineage() -> tuple[OldText, ...]:
    """The texts that ship with the museum.

    Raises:
        MuseumError: The file is damaged.
    """
    try:
        text = (files("museum.diagnosis") / "data" / "lineage.json").read_bytes()
        return msgspec.json.decode(text, type=tuple[OldText, ...])
    except (OSError, msgspec.DecodeError) as failure:
        raise MuseumError(f"museum/diagnosis/data/lineage.json: {failure}") from failure

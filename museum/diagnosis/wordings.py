"""What other versions and other hardware say for the errors of the collection: data, read once."""

import tomllib
from importlib.resources import files

import msgspec

from museum.errors import MuseumError


class Wording(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"error": "class"}):
    """Other words for an exhibit's error.

    Attributes:
        exhibit: Id of the exhibit; one that the collection lacks is passed over.
        when: Where it is said so: a range of versions, a kind of hardware.
        error: Key ``class``. Exception class, "" where it was only logged.
        text: The message, values as they might be printed.
    """

    exhibit: str
    when: str
    error: str
    text: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    wording: tuple[Wording, ...]


def load_wordings() -> tuple[Wording, ...]:
    """The wordings that ship with the museum.

    Raises:
        MuseumError: The file is damaged.
    """
    try:
        text = (files("museum.diagnosis") / "data" / "wordings.toml").read_text("utf-8")
        return msgspec.convert(tomllib.loads(text), _File).wording
    except (OSError, tomllib.TOMLDecodeError, msgspec.ValidationError) as failure:
        raise MuseumError(f"museum/diagnosis/data/wordings.toml: {failure}") from failure

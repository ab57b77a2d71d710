"""Texts of any length, cut to what is read of them: an error stands at the end of a log."""

import os
from dataclasses import dataclass
from pathlib import Path

from museum.errors import MuseumError

READ_AT_MOST = 1_000_000  # characters; the reading itself looks for the error in them
_BYTES_A_CHARACTER = 4  # of UTF-8, at most


@dataclass(frozen=True, slots=True)
class BoundedText:
    """The end of a text.

    Attributes:
        text: At most `READ_AT_MOST` characters.
        note: What was left out, in one line; "" where nothing was.
    """

    text: str
    note: str = ""


def bounded(text: str, name: str = "the text") -> BoundedText:
    """A text, or its end where it is longer than what is read.

    Args:
        text: All of it.
        name: What it is, for the note.
    """
    end = text[-READ_AT_MOST:].replace("\0", "\N{SYMBOL FOR NULL}")
    if len(text) <= READ_AT_MOST:
        return BoundedText(end)
    note = f"{name} is {len(text):,} characters long: the last {READ_AT_MOST:,} are read, the rest is left out"
    return BoundedText(end, note)


def read_log(file: Path) -> BoundedText:
    """The end of a file. Bytes that are no UTF-8 stay readable, in hexadecimal.

    Raises:
        MuseumError: It is no file, cannot be read, or is empty.
    """
    try:
        if not file.is_file():  # a pipe or a device would never end
            raise MuseumError(f"{file}: {'is no file' if file.exists() else 'there is no such file'}")
        with file.open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - READ_AT_MOST * _BYTES_A_CHARACTER))
            data = stream.read(READ_AT_MOST * _BYTES_A_CHARACTER)
    except OSError as failure:
        raise MuseumError(f"{file}: cannot be read: {failure.strerror or failure}") from failure
    if not data.strip():
        raise MuseumError(f"{file}: is empty")
    text = data.decode("utf-8", "backslashreplace")
    if size == len(data) and len(text) <= READ_AT_MOST:
        return bounded(text)
    note = f"{file.name} has {_readable(size)}: its last {READ_AT_MOST:,} characters are read, the rest is left out"
    return BoundedText(bounded(text[-READ_AT_MOST:]).text, note)


def _readable(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB" if size >= 1_000_000 else f"{size:,} bytes"

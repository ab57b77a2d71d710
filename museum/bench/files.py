"""Python files of the visitor: read as Python reads them, written whole or not at all."""

import hashlib
import io
import os
import re
import tempfile
import tokenize
from dataclasses import dataclass
from pathlib import Path

from museum.errors import MuseumError

MARK = "\ufeff"
NAMES = {"\n": "LF", "\r\n": "CRLF"}
# An editor of Qt's takes these for line ends, and would write them as such.
_UNSHOWABLE = re.compile("[\u2029\ufdd0\ufdd1]")
LARGEST = 1 << 20  # bytes; a script is never so large, and reading it must not hold up the window


@dataclass(frozen=True, slots=True)
class Source:
    """What a file holds.

    Attributes:
        text: With plain line ends, without a mark.
        newline: The line end that the file has.
        digest: Of its bytes.
        mark: The byte order mark that it begins with, or "".
    """

    text: str
    newline: str
    digest: str
    mark: str = ""

    @property
    def warning(self) -> str:
        """What saving changes beside what was edited, "" for nothing."""
        if digest_of(self.mark + self.text, self.newline) == self.digest:
            return ""
        return f"its lines end in several ways; saving ends all of them with {NAMES[self.newline]}"


def read_source(path: Path) -> Source:
    """Read a file of Python code.

    Raises:
        MuseumError: There is none, it cannot be read, or it is no text.
    """
    try:
        if not path.is_file():
            raise MuseumError(f"{path}: {'is no file' if path.exists() else 'there is no such file'}")
        if path.stat().st_size > LARGEST:
            raise MuseumError(f"{path}: is larger than {LARGEST >> 20} MiB; the bench takes scripts only")
        data = path.read_bytes()
    except OSError as failure:
        raise MuseumError(f"{path}: cannot be read: {failure.strerror}") from failure
    try:
        text = data.decode(_encoding(data))
    except (SyntaxError, UnicodeDecodeError, LookupError) as failure:
        raise MuseumError(f"{path}: is no text that Python reads: {failure}") from failure
    if "\0" in text:
        raise MuseumError(f"{path}: is no text: there is a NUL in it")
    newline = "\r\n" if "\r\n" in text else "\n"
    mark = MARK if data.startswith(MARK.encode()) else ""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if found := _UNSHOWABLE.search(text):
        number, code = text.count("\n", 0, found.start()) + 1, f"{ord(found[0]):04x}"
        raise MuseumError(f"{path}: line {number} holds U+{code.upper()}, which no editor keeps; write \\u{code} there")
    return Source(text, newline, digest(data), mark)


def write_source(path: Path, text: str, newline: str = "\n") -> str:
    """Write code to a file, all of it or nothing; a link stays one, and a file keeps its permissions.

    Returns:
        Digest of what was written.

    Raises:
        MuseumError: It cannot be written; what was there is still there.
    """
    try:
        data = _encoded(text, newline)
    except (SyntaxError, UnicodeEncodeError, LookupError) as failure:
        raise MuseumError(f"{path}: cannot be written as its encoding line says: {failure}") from failure
    try:
        place = path.resolve()
        mode = place.stat().st_mode & 0o7777 if place.exists() else 0o666 & ~_umask()
        descriptor, name = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(mode)
            Path(name).replace(place)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as failure:
        raise MuseumError(f"{path}: cannot be written: {failure.strerror}") from failure
    return digest(data)


def digest_at(path: Path) -> str:
    """Digest of what a file holds now; "" where it cannot be read."""
    try:
        return digest(path.read_bytes()) if path.stat().st_size <= LARGEST else "too large"
    except OSError:
        return ""


def digest_of(text: str, newline: str) -> str:
    """The digest that a text has once it is written."""
    try:
        return digest(_encoded(text, newline))
    except (SyntaxError, UnicodeError, LookupError):
        return ""


def digest(data: bytes) -> str:
    """A short word that no other contents share."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _encoded(text: str, newline: str) -> bytes:
    lines = text.replace("\n", newline)
    encoding = _encoding(lines.encode("utf-8", "surrogatepass"))
    return lines.encode("utf-8" if encoding == "utf-8-sig" else encoding)  # the mark is in the text


def _encoding(data: bytes) -> str:
    """As Python finds it: from a mark, from the encoding line, else UTF-8."""
    return tokenize.detect_encoding(io.BytesIO(data).readline)[0]


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask

"""Error records of others, in the JSON form of schema version 2: read as entries that nobody here has proven."""

from pathlib import Path

import msgspec

from museum.errors import MuseumError

SCHEMA = 2
_LARGEST = 5_000_000


class Record(msgspec.Struct, frozen=True, rename="camel"):
    """What others wrote about one error. Unproven: nothing of it was run here.

    Attributes:
        id: Theirs.
        repo: Repository that raises it.
        error_message: The template, holes in braces.
        error_class: Exception class.
        file_path: File in the repository.
        line_number: From 1.
        documentation: What it means, by their account.
        schema_version: `SCHEMA`.
        slug: A short name.
        error_code: A code, or None.
        message_pattern: A regular expression of theirs; never used to match.
        source_code: Lines of the file.
        source_code_start: Number of the first.
        github_url: Where the lines are to be read.
        trigger_scenarios: How one gets there.
        common_situations: Who meets it.
        solutions: Ways out, the first first.
        example_fix: Code before and after.
        prevention_tips: What keeps it away.
        tags: Theirs.
        analyzed_at: When it was written.
    """

    id: str
    repo: str
    error_message: str
    error_class: str
    file_path: str
    line_number: int
    documentation: str
    schema_version: int
    slug: str = ""
    error_code: str | None = None
    message_pattern: str = ""
    source_code: str = ""
    source_code_start: int = 0
    github_url: str = ""
    trigger_scenarios: str = ""
    common_situations: str = ""
    solutions: tuple[str, ...] = ()
    example_fix: str = ""
    prevention_tips: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    analyzed_at: str = ""

    @property
    def title(self) -> str:
        """The first line of the message."""
        return self.error_message.split("\n", 1)[0]

    @property
    def label(self) -> str:
        """What must stand beside it wherever it is shown."""
        return f"unproven: a record of {self.repo} made by others, nothing of it was run here"


class _Version(msgspec.Struct, frozen=True, rename="camel"):
    schema_version: int


class _Envelope(msgspec.Struct, frozen=True):
    record: msgspec.Raw


def load_records(file: Path) -> tuple[Record, ...]:
    """Read a file that holds one record, a list of them, or one a line.

    Raises:
        MuseumError: It cannot be read or is malformed; one line that names the file and the key.
    """
    return read_records(_content(file), str(file))


def load_sound_records(file: Path) -> tuple[tuple[Record, ...], tuple[str, ...]]:
    """As `load_records`, but a malformed record keeps no other one out.

    Returns:
        The records that are sound, and one line for each that is not.

    Raises:
        MuseumError: The file cannot be read, or is no JSON at all.
    """
    records: list[Record] = []
    problems: list[str] = []
    for key, raw in _filled_parts(_content(file), file.name):
        try:
            records.append(_record(raw, f"{file.name}: {key}" if key else file.name))
        except MuseumError as failure:
            problems.append(str(failure))
    return tuple(records), tuple(problems)


def _content(file: Path) -> bytes:
    try:
        if file.stat().st_size > _LARGEST:
            raise MuseumError(f"{file}: is larger than {_LARGEST // 1_000_000} MB; a record is a few kB")
        return file.read_bytes()
    except OSError as failure:
        raise MuseumError(f"{file}: cannot be read: {failure.strerror or failure}") from failure


def read_records(content: bytes, name: str) -> tuple[Record, ...]:
    """As `load_records`, of what was read already.

    Raises:
        MuseumError: Malformed; one line that names `name` and the key.
    """
    return tuple(_record(raw, f"{name}: {key}" if key else name) for key, raw in _filled_parts(content, name))


def _filled_parts(content: bytes, name: str) -> list[tuple[str, bytes]]:
    parts = _parts(content, name)
    if not parts:
        raise MuseumError(f"{name}: holds no record")
    return parts


def _parts(content: bytes, name: str) -> list[tuple[str, bytes]]:
    try:
        if content.lstrip()[:1] == b"[":
            return [
                (f"[{place}]", bytes(raw))
                for place, raw in enumerate(msgspec.json.decode(content, type=list[msgspec.Raw]))
            ]
        try:
            msgspec.json.decode(content)
        except msgspec.DecodeError:
            lines = [line for line in content.splitlines() if line.strip()]
            if len(lines) < 2 or not all(line.lstrip().startswith(b"{") for line in lines):
                raise
            return [(f"line {number}", line) for number, line in enumerate(lines, 1)]
    except (msgspec.DecodeError, UnicodeDecodeError) as failure:
        raise MuseumError(f"{name}: is no JSON: {failure}") from failure
    return [("", content)]


def _record(raw: bytes, where: str) -> Record:
    prefix = "record"
    try:
        inner = bytes(msgspec.json.decode(raw, type=_Envelope).record)
    except msgspec.DecodeError:  # the record itself, without its envelope
        inner, prefix = raw, ""
    try:
        version = msgspec.json.decode(inner, type=_Version).schema_version
        if version != SCHEMA:
            raise MuseumError(
                f"{where}: {_key(prefix, 'schemaVersion')}: is {version}; this museum reads version {SCHEMA}"
            )
        return msgspec.json.decode(inner, type=Record)
    except msgspec.ValidationError as failure:
        text, _, place = str(failure).partition(" - at `$")
        missing = text.rpartition("missing required field `")
        if missing[1]:
            key, text = missing[2].rstrip("`"), "is missing"
        else:
            key = place.rstrip("`").lstrip(".")
        raise MuseumError(f"{where}: {_key(prefix, key)}: {text[:1].lower()}{text[1:]}") from failure
    except msgspec.DecodeError as failure:
        raise MuseumError(f"{where}: is no JSON: {failure}") from failure


def _key(prefix: str, key: str) -> str:
    return ".".join(part for part in (prefix, key) if part) or "the record"

"""The index of raise sites of one JAX version: loaded from the file that the extractor wrote, ready to be asked."""

import gzip
import re
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec

from museum.diagnosis.extraction.run import FORMAT
from museum.errors import MuseumError

WORD = re.compile(r"[^\W\d]\w{2,}")
NAME_PARTS = re.compile(r"[^\W_]+")
_SENTENCES = frozenset(
    (
        *(
            "msg",
            "message",
            "messages",
            "msgs",
            "err",
            "error",
            "errors",
            "e",
            "exc",
            "exception",
            "ex",
            "reason",
            "reasons",
        ),
        *("context", "details", "detail", "explanation", "hint", "hints", "info", "extra", "suffix", "prefix", "help"),
        *(
            "note",
            "notes",
            "str",
            "join",
            "text",
            "desc",
            "description",
            "origin",
            "stack",
            "trace",
            "traceback",
            "diff",
        ),
        *("lines", "what", "why"),
    )
)
_SPACE = re.compile(r"\s+")
_BETWEEN = "\0"


@dataclass(frozen=True, slots=True)
class RaiseSite:
    """One place that raises, asserts with words or warns.

    Attributes:
        kind: ``raise``, ``assert``, ``warn`` or ``log``.
        error: Class as a traceback names it, "" where it is only known when it runs.
        file: As ``jax/_src/…``.
        line: From 1.
        function: Qualified by class and outer functions.
        templates: Numbers of what it may say.
        importers: How many of JAX's files import this one.
    """

    kind: str
    error: str
    file: str
    line: int
    function: str
    templates: tuple[int, ...]
    importers: int = 0


class _File(msgspec.Struct, frozen=True):
    format: int
    jax: str
    digest: str
    files: list[str]
    errors: list[str]
    functions: list[str]
    templates: list[tuple[str, ...]]
    importers: list[int]
    sites: list[tuple[str, int, int, int, int, tuple[int, ...]]]


def shown(template: tuple[str, ...]) -> str:
    """A template as a person reads it: holes in braces."""
    parts = [text if place % 2 == 0 else f"{{{text}}}" for place, text in enumerate(template)]
    return "".join(parts)


def squeezed(text: str) -> str:
    """Every stretch of white space as one space: pasted text was wrapped by who knows what."""
    return _SPACE.sub(" ", text)


class SiteIndex:
    """All raise sites of one JAX version.

    Attributes:
        jax: The version.
        digest: Of the files that it was made from.
        sites: Every site, by file and line.
        templates: What they say; literals and holes by turns.
        runs: The literal runs of each template, white space squeezed.
        joined: The runs as one text, so that a word is looked for once.
        fixed: How many characters the runs have.
        words: The words that a message made from them surely holds whole.
        open_holes: For each hole of each template, whether it may hold sentences.
    """

    def __init__(self, jax: str, digest: str, sites: list[RaiseSite], templates: list[tuple[str, ...]]) -> None:
        self.jax = jax
        self.digest = digest
        self.sites = sites
        self.templates = templates
        self.runs = [_stripped(tuple(map(squeezed, template[::2]))) for template in templates]
        self.joined = [_BETWEEN.join(runs) for runs in self.runs]
        self.fixed = [sum(map(len, runs)) for runs in self.runs]
        self.open_holes = [tuple(map(_is_open, template[1::2])) for template in templates]
        self.sites_of: list[list[int]] = [[] for _ in templates]
        for number, site in enumerate(sites):
            for template in site.templates:
                self.sites_of[template].append(number)
        self.words = [_words_of(runs) for runs in self.runs]
        self.frequency = Counter(word for words in self.words for word in words)
        self.keyed: dict[str, list[int]] = {}
        for number, words in enumerate(self.words):
            if words:
                rarest = min(words, key=lambda word: (self.frequency[word], -len(word)))
                self.keyed.setdefault(rarest, []).append(number)

    def place_in(self, template: int, joined: int) -> tuple[int, int]:
        """The run, and the place in it, of a place in the joined runs."""
        before = self.joined[template].count(_BETWEEN, 0, joined)
        return before, joined - self.joined[template].rfind(_BETWEEN, 0, joined) - 1

    @cached_property
    def holding(self) -> dict[str, list[int]]:
        """The templates that hold a word whole."""
        places: dict[str, list[int]] = {}
        for number, words in enumerate(self.words):
            for word in words:
                places.setdefault(word, []).append(number)
        return places

    @cached_property
    def by_file(self) -> dict[str, list[int]]:
        """The sites of a file."""
        places: dict[str, list[int]] = {}
        for number, site in enumerate(self.sites):
            places.setdefault(site.file, []).append(number)
        return places


def _stripped(runs: tuple[str, ...]) -> tuple[str, ...]:
    if len(runs) == 1:
        return (runs[0].strip(),)
    return (runs[0].lstrip(), *runs[1:-1], runs[-1].rstrip())


def _is_open(name: str) -> bool:
    """Whether a hole may well hold sentences, as its name has it."""
    return "…" in name or "\n" in name or not _SENTENCES.isdisjoint(NAME_PARTS.findall(name.lower()))


def _words_of(runs: tuple[str, ...]) -> set[str]:
    """The words that a message made from these runs surely holds whole: those that touch a hole may be longer there."""
    words: set[str] = set()
    last = len(runs) - 1
    for place, run in enumerate(runs):
        for match in WORD.finditer(run):
            if (match.start() or not place) and (match.end() < len(run) or place == last):
                words.add(match[0])
    return words


def load_index(file: Path) -> SiteIndex:
    """Read an index.

    Raises:
        MuseumError: It cannot be read, is damaged, or of another format.
    """
    try:
        content = msgspec.json.decode(gzip.decompress(file.read_bytes()), type=_File)
    except OSError as failure:
        raise MuseumError(
            f"{file}: the index of raise sites cannot be read: {failure.strerror or failure}"
        ) from failure
    except (msgspec.DecodeError, EOFError, zlib.error) as failure:
        raise MuseumError(f"{file}: the index of raise sites is damaged: {failure}") from failure
    if content.format != FORMAT:
        raise MuseumError(f"{file}: the index of raise sites has format {content.format}, not {FORMAT}")
    sites = [
        RaiseSite(
            kind,
            content.errors[error],
            content.files[where],
            line,
            content.functions[function],
            templates,
            content.importers[where],
        )
        for kind, error, where, line, function, templates in content.sites
    ]
    return SiteIndex(content.jax, content.digest, sites, content.templates)


def words_in(text: str) -> Iterable[str]:
    """The words of a text, each once, in order."""
    return dict.fromkeys(WORD.findall(text))

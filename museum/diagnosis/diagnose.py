"""The diagnosis: from pasted text to the error, the place that raised it and the exhibits that explain it."""

import re
from collections.abc import Sequence
from pathlib import Path

from packaging.version import InvalidVersion, Version

from museum.catalog import Catalog
from museum.diagnosis.answer import Answer, Layout, SiteAnswer, Value
from museum.diagnosis.cpp_sites import CppSites, KnownSite, load_cpp_sites
from museum.diagnosis.exhibit_search import ExhibitHit, ExhibitSearch
from museum.diagnosis.lineage import OldText, load_lineage
from museum.diagnosis.parts import Role, division_in, layout_in, read_parts
from museum.diagnosis.reading import Reading, read
from museum.diagnosis.site_index import SiteIndex, shown, squeezed
from museum.diagnosis.site_search import READ_AT_MOST, FrameAt, SiteHit, find_sites, settles
from museum.diagnosis.sites import shipped_index
from museum.diagnosis.source import github_url, lines_around
from museum.diagnosis.topics import Topics
from museum.diagnosis.wordings import load_wordings
from museum.versions import check_versions

_LEAST, _LEAST_OF_PART = 14.0, 9.0  # points below which a site is a guess
_SURE = 30.0  # points of a site that makes the whole message from which on no other is looked for
_CREDIBLE = 0.35  # of the best site's points that another needs
_TOPIC = 0.2
_CPP_CLASSES = ("XlaRuntimeError", "JaxRuntimeError", "MLIRError")
_WRAPPED = re.compile(r"(?:str|repr|tuple|list|sorted|keystr)\(([\w.]+)\)")
_LONGEST_NAME = 40
_CPP_LOOKS = 16
_MOST_SITES, _MOST_NEAR, _LONGEST_VALUE = 5, 3, 400


class Diagnosis:
    """Knows the collection, the raise sites of the newest JAX, and those of every JAX that it was given.

    Answers are worked out in memory: no file is read but the few source lines that are shown.
    """

    def __init__(
        self, catalog: Catalog, index: SiteIndex | None = None, lineage: Sequence[OldText] | None = None
    ) -> None:
        """Load everything (about 0.3 s); do it in a thread where that matters.

        Args:
            catalog: The collection.
            index: Raise sites for when no other version fits; by default those that ship, of the newest JAX.
            lineage: What the exhibits' raise sites said over the versions; by default what ships.
        """
        lineage = load_lineage() if lineage is None else lineage
        self._exhibits = ExhibitSearch(catalog.exhibits, load_wordings(), lineage)
        self._topics = Topics(catalog.exhibits)
        self._cpp: CppSites = load_cpp_sites()
        self._default = index or shipped_index()
        self._indexes: dict[str, SiteIndex] = {self._default.jax: self._default}
        self._roots: dict[str, Path] = {}

    @property
    def versions(self) -> tuple[str, ...]:
        """The JAX versions whose raise sites are at hand, oldest first."""
        return tuple(sorted(self._indexes, key=_version))

    def add(self, index: SiteIndex, root: Path | None = None) -> None:
        """Learn the raise sites of one more JAX, and where it is installed."""
        self._indexes[index.jax] = index
        if root is not None:
            self._roots[index.jax] = root

    def add_source(self, jax: str, root: Path) -> None:
        """Learn where a JAX is installed whose raise sites are at hand."""
        self._roots[jax] = root

    def explain(self, text: str, jax: str = "") -> Answer:
        """Everything about one paste.

        Args:
            text: Whatever was pasted.
            jax: The version that it came from; "" to go by what the text tells, or else the newest.

        Raises:
            MuseumError: `jax` is no version.
        """
        if jax:
            check_versions(jax)
        reading = read(text)
        index = self.index_for(jax or reading.jax)
        frames = [FrameAt(frame.file, frame.line, frame.function) for frame in reading.frames]
        hits = found = find_sites(index, reading.message, reading.error, frames)
        settled = bool(hits) and settles(hits[0], index, len(reading.message))
        known, known_points = self._known(reading, hits[0] if hits else None, settled=settled)
        python_points = hits[0].points if hits else 0.0
        if known and not frames and known_points >= python_points:
            hits = [hit for hit in hits if hit.alignment and hit.alignment.is_whole and hit.points > known_points / 2]
        sites = self._sites(index, hits, reading)
        exhibits = self._exhibits.find(reading, index, found)
        explained = bool(exhibits) and exhibits[0].explains
        near = () if explained else self._near(exhibits, text)
        layout = layout_in(reading.message)
        values = _values(index, hits[0] if sites and hits else None, reading.message, layout)
        return Answer(reading, tuple(exhibits) if explained else (), near, sites, known, values, layout, index.jax)

    def index_for(self, jax: str) -> SiteIndex:
        """The index of a version, or the nearest there is."""
        if not jax:
            return self._default
        if jax in self._indexes:
            return self._indexes[jax]
        wanted = _version(jax)
        return min(self._indexes.values(), key=lambda index: _distance(_version(index.jax), wanted))

    def _known(self, reading: Reading, best: SiteHit | None, *, settled: bool) -> tuple[KnownSite | None, float]:
        """The family of C++ errors, with points like those of sites; a sure site in Python leaves no need to look."""
        by_code = self._cpp.by_code(reading.code)
        if by_code:
            return by_code, 1000.0
        from_cpp = bool(reading.status or reading.logged_at) or reading.error.endswith(_CPP_CLASSES)
        from_cpp = from_cpp or (reading.is_part and not settled)
        if not from_cpp and settled:
            return None, 0.0
        if not from_cpp and best and best.points >= _SURE and best.alignment and best.alignment.is_whole:
            return None, 0.0
        found = find_sites(self._cpp.index, reading.message, limit=1, least=_LEAST, looks=_CPP_LOOKS)
        if not found or found[0].points < _LEAST:
            return None, 0.0
        if not from_cpp and not (found[0].alignment and found[0].alignment.is_whole):
            return None, 0.0
        return self._cpp.known[found[0].site.line], found[0].points

    def _near(self, hits: Sequence[ExhibitHit], text: str) -> tuple[ExhibitHit, ...]:
        near = list(hits[:_MOST_NEAR])
        held = {hit.id for hit in near}
        for exhibit, score in self._topics.find(text, _MOST_NEAR):
            if score >= _TOPIC and exhibit not in held and len(near) < _MOST_NEAR:
                reason = "no such message, but it speaks of the same things"
                near.append(ExhibitHit(exhibit, self._topics.title_of(exhibit), round(score, 3), (reason,)))
        return tuple(near)

    def _sites(self, index: SiteIndex, hits: Sequence[SiteHit], reading: Reading) -> tuple[SiteAnswer, ...]:
        least = _LEAST_OF_PART if reading.is_part else _LEAST
        credible = [hit for hit in hits if hit.by_frame in ("line", "function") or hit.points >= least]
        if credible:
            credible = [hit for hit in credible if hit.points >= _CREDIBLE * credible[0].points]
        answers = [self._site(index, hit, credible) for hit in credible[:_MOST_SITES]]
        innermost = reading.frames[0] if reading.frames else None
        if innermost and innermost.line and not any(hit.by_frame in ("line", "function") for hit in credible):
            reasons = ("the innermost frame of the traceback",)
            answers.insert(
                0, self._placed("", innermost.file, innermost.line, innermost.function, "", 0.9, reasons, index.jax)
            )
        return tuple(answers)

    def _site(self, index: SiteIndex, hit: SiteHit, hits: Sequence[SiteHit]) -> SiteAnswer:
        site = hit.site
        template = shown(index.templates[hit.template]) if hit.template >= 0 else ""
        twins = sum(1 for other in hits if hit.template >= 0 and _words(index, other) == _words(index, hit))
        score = 0.99 if hit.by_frame == "line" else round(max(0.0, min(1.0, hit.points / (hit.points + 12.0))), 3)
        reasons = _reasons(hit, twins)
        return self._placed(site.error, site.file, site.line, site.function, template, score, reasons, index.jax)

    def _placed(
        self,
        error: str,
        file: str,
        line: int,
        function: str,
        template: str,
        score: float,
        reasons: tuple[str, ...],
        jax: str,
    ) -> SiteAnswer:
        root = self._roots.get(jax)
        source = lines_around(root, file, line) if root else None
        return SiteAnswer(
            error, file, line, function, template, score, reasons, jax, github_url(jax, file, line), source
        )


def _words(index: SiteIndex, hit: SiteHit) -> tuple[str, ...]:
    return index.runs[hit.template] if hit.template >= 0 else ()


def _reasons(hit: SiteHit, twins: int) -> tuple[str, ...]:
    reasons = []
    if hit.by_frame == "line":
        reasons.append("the innermost frame of JAX in the traceback is this line")
    elif hit.by_frame == "function":
        reasons.append("the innermost frame of JAX in the traceback is in this function")
    if hit.alignment is not None:
        if hit.alignment.is_whole:
            reasons.append("it makes this very message")
        elif hit.alignment.strange:
            reasons.append("it makes part of this message; the rest was put round it elsewhere, or it is another one")
        else:
            reasons.append("it makes a message with this part in it")
    if hit.same_class:
        reasons.append("same class")
    elif hit.same_class is False:
        reasons.append("another class")
    if twins > 1:
        reasons.append(f"the same words stand in {twins} places; a traceback with JAX's own frames would tell which")
    return tuple(reasons)


def _values(index: SiteIndex, hit: SiteHit | None, message: str, layout: Layout | None) -> tuple[Value, ...]:
    """What stands in the holes of the best site's message, then what a division in it is about."""
    values: dict[str, str] = {}
    if hit is not None and hit.alignment is not None and hit.template >= 0:
        text = squeezed(message[:READ_AT_MOST]).strip()
        names = index.templates[hit.template][1::2]
        placed = {number: (start, stop) for number, start, stop in hit.alignment.spans}
        for number, name in enumerate(names):
            if number in placed and number + 1 in placed:
                stated = text[placed[number][1] : placed[number + 1][0]].strip()
                if stated and name != "…" and len(stated) <= _LONGEST_VALUE:
                    values.setdefault(_readable(name), stated)
    division = division_in(message)
    if division:
        values |= {"dimension": str(division.dimension), "size": str(division.size), "parts": str(division.parts)}
    if layout:
        mesh, spec, shape = layout
        values |= {"mesh": str(mesh), "spec": str(spec), "shape": str(shape)}
    axes = dict.fromkeys(
        message[span.start : span.stop] for span in read_parts(message).spans if span.role is Role.AXIS
    )
    if axes:
        values["axes"] = ", ".join(axes)
    return tuple(Value(name, text) for name, text in values.items())


def _readable(name: str) -> str:
    """A hole's expression as a name: what is wrapped round it left out, the last part of a long one."""
    while match := _WRAPPED.fullmatch(name):
        name = match[1]
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _version(jax: str) -> Version:
    try:
        return Version(jax)
    except InvalidVersion:
        return Version("0")


def _distance(one: Version, other: Version) -> tuple[int, ...]:
    """How far two versions are apart, the leading numbers first."""
    ours, theirs = (*one.release, 0, 0, 0, 0)[:4], (*other.release, 0, 0, 0, 0)[:4]
    return tuple(abs(mine - yours) for mine, yours in zip(ours, theirs, strict=True))

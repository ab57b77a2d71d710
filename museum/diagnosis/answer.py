"""What the museum says about a pasted error, as frozen values for window and command."""

from dataclasses import dataclass

from museum.diagnosis.cpp_sites import KnownSite
from museum.diagnosis.exhibit_search import ExhibitHit
from museum.diagnosis.reading import Reading
from museum.diagnosis.source import SourceLines
from museum.mesh.mesh import Mesh
from museum.mesh.spec import Spec

Layout = tuple[Mesh, Spec, tuple[int, ...]]
"""A mesh, a spec and an array's shape."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value that a message states, under the name that the code gives it."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class SiteAnswer:
    """A place in JAX that may have raised it.

    Attributes:
        error: Exception class, "" where it is only known when it runs.
        file: As ``jax/_src/…``.
        line: From 1; 0 where it is not known.
        function: Qualified by class and outer functions.
        template: The message with its holes in braces, "" where only a frame points here.
        score: 0 to 1.
        reasons: Why, in words.
        jax: The version whose source this is.
        url: That line on GitHub, or "".
        source: Lines round it from the installed JAX, where it is at hand.
    """

    error: str
    file: str
    line: int
    function: str
    template: str
    score: float
    reasons: tuple[str, ...]
    jax: str
    url: str = ""
    source: SourceLines | None = None

    def as_json(self) -> dict[str, object]:
        """For ``explain --json``."""
        names = ("file", "line", "function", "template", "score", "jax", "url")
        shown = {name: getattr(self, name) for name in names}
        source = {"start": self.source.start, "lines": list(self.source.lines)} if self.source else None
        return {"class": self.error, **shown, "reasons": list(self.reasons), "source": source}


@dataclass(frozen=True, slots=True)
class Answer:
    """Everything about one paste.

    Attributes:
        reading: What was pasted.
        exhibits: What explains it, the best first, near misses behind; empty is "no exhibit yet".
        near: Near misses where nothing explains it.
        sites: Places in JAX's Python that may have raised it, the best first; the same words may stand in several.
        known: The family of errors from C++ that it belongs to.
        values: What the message states, by name.
        layout: Mesh, spec and shape that the message talks about, if it states all three.
        jax: The version whose raise sites were asked.
    """

    reading: Reading
    exhibits: tuple[ExhibitHit, ...]
    near: tuple[ExhibitHit, ...]
    sites: tuple[SiteAnswer, ...]
    known: KnownSite | None
    values: tuple[Value, ...]
    layout: Layout | None
    jax: str

    @property
    def verdict(self) -> str:
        """The answer in one line."""
        if self.exhibits:
            first = self.exhibits[0]
            return f"{first.id}: {first.title}"
        if self.near:
            return "no exhibit yet; these come near"
        return "no exhibit yet" if self.sites or self.known else "no exhibit yet, and no known place that raises it"

    def as_json(self) -> dict[str, object]:
        """For ``explain --json``."""
        reading = self.reading
        return {
            "error": {
                "class": reading.error,
                "names": list(reading.names),
                "message": reading.message,
                "jax": reading.jax,
                "code": reading.code,
                "status": reading.status,
                "frame": str(reading.frames[0]) if reading.frames else "",
                "own_frame": str(reading.own) if reading.own else "",
                "values": {value.name: value.text for value in self.values},
                "layout": _layout_json(self.layout),
            },
            "verdict": self.verdict,
            "exhibits": [_hit_json(hit) for hit in self.exhibits],
            "near": [_hit_json(hit) for hit in self.near],
            "sites": [site.as_json() for site in self.sites],
            "known": _known_json(self.known),
            "jax": self.jax,
        }


def _hit_json(hit: ExhibitHit) -> dict[str, object]:
    shown = {"id": hit.id, "title": hit.title, "score": hit.score, "reasons": list(hit.reasons)}
    return {**shown, "explains": hit.explains, "jax": hit.jax}


def _known_json(known: KnownSite | None) -> dict[str, object] | None:
    if known is None:
        return None
    return {"code": known.code, "name": known.name, "status": known.status, "where": known.where, "see": known.see}


def _layout_json(layout: Layout | None) -> dict[str, object] | None:
    if layout is None:
        return None
    mesh, spec, shape = layout
    return {"mesh": str(mesh), "spec": str(spec), "shape": list(shape)}

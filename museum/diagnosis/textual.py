"""An answer as text for a terminal."""

from collections.abc import Iterator

from museum.diagnosis.answer import Answer, SiteAnswer
from museum.diagnosis.exhibit_search import ExhibitHit

_LONGEST_MESSAGE = 1_200
_MARK, _PLAIN = "→", " "


def as_text(answer: Answer) -> str:
    """Error, exhibits, values and raise site, in the order in which they help."""
    return "\n".join(_lines(answer)).rstrip() + "\n"


def _lines(answer: Answer) -> Iterator[str]:
    reading = answer.reading
    message = reading.message if len(reading.message) <= _LONGEST_MESSAGE else reading.message[:_LONGEST_MESSAGE] + " …"
    yield f"{reading.error}: {message}" if reading.error else message or "nothing to read"
    facts = [
        f"also named {', '.join(reading.names[1:])}" if len(reading.names) > 1 else "",
        f"XLA code {reading.code}" if reading.code else "",
        f"status {reading.status}" if reading.status else "",
        f"logged at {reading.logged_at}" if reading.logged_at else "",
        f"your code: {reading.own}" if reading.own else "",
        f"JAX {reading.jax}" if reading.jax else "",
    ]
    yield from (f"  {fact}" for fact in facts if fact)
    yield ""
    if answer.exhibits:
        yield "Exhibits"
        for hit in answer.exhibits:
            yield from _exhibit(hit, near=not hit.explains)
    else:
        yield "No exhibit yet." + (" These come near:" if answer.near else "")
        for hit in answer.near:
            yield from _exhibit(hit, near=True)
    if answer.values:
        yield ""
        yield "Values"
        width = min(32, max(len(value.name) for value in answer.values))
        yield from (f"  {value.name:{width}}  {value.text}" for value in answer.values)
    if answer.layout:
        mesh, spec, shape = answer.layout
        yield f"  draw it: xla-museum mesh --mesh {mesh} --shape {','.join(map(str, shape))} --spec {str(spec)!r}"
    yield ""
    yield from _raised(answer)


def _exhibit(hit: ExhibitHit, *, near: bool) -> Iterator[str]:
    yield f"  {hit.score:4.0%}  {hit.id}  {hit.title}{'  (near miss)' if near else ''}"
    yield from (f"        {reason}" for reason in hit.reasons)


def _raised(answer: Answer) -> Iterator[str]:
    if answer.known:
        known = answer.known
        label = f"{known.code} {known.name}" if known.code else known.name
        yield f"Raised in C++: {label} ({known.where})"
        if known.see:
            yield f"  {known.see}"
    if answer.sites:
        yield f"Raised in JAX {answer.jax}"
        for number, site in enumerate(answer.sites):
            yield from _site(site, whole=number == 0)
    elif not answer.known:
        yield f"No place in JAX {answer.jax} is known to say this."


def _site(site: SiteAnswer, *, whole: bool) -> Iterator[str]:
    function = f" in {site.function}" if site.function else ""
    yield f"  {site.score:4.0%}  {site.file}:{site.line}{function}"
    yield from (f"        {reason}" for reason in site.reasons)
    if not whole:
        return
    if site.url:
        yield f"        {site.url}"
    if site.source:
        for number, line in enumerate(site.source.lines, site.source.start):
            yield f"    {_MARK if number == site.line else _PLAIN} {number:5} {line}".rstrip()

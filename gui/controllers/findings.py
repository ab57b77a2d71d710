"""What the diagnosis says of a failed run, in one line."""

from typing import TYPE_CHECKING

from gui.controllers.explainer import Explainer
from gui.widgets.finding_line import Finding, failure_of
from gui.widgets.reading import Reading
from museum.errors import MuseumError

if TYPE_CHECKING:
    from museum.diagnosis.answer import Answer


async def finding_of(explainer: Explainer, reading: Reading) -> Finding | None:
    """Explain an account of a failed run; None for one that did not fail, or that cannot be explained."""
    text = failure_of(reading)
    if not text:
        return None
    from museum.diagnosis.logs import bounded

    try:
        answer = await explainer.explain(bounded(text).text, reading.jax)
    except MuseumError:
        return None  # told where it is asked for, in Diagnose
    return as_finding(answer)


def as_finding(answer: "Answer") -> Finding:
    """An answer in one line."""
    if answer.exhibits:
        best = answer.exhibits[0]
        return Finding(f"Explained by: {best.title}", best.id)
    if answer.sites:
        site = answer.sites[0]
        return Finding(f"No exhibit yet; raised at {site.file}:{site.line}")
    if answer.known:
        return Finding(f"No exhibit yet; raised in C++: {answer.known.name}")
    return Finding("No exhibit yet, and no known place in JAX that raises it")

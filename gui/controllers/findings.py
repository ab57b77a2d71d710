"""What the diagnosis says of a failed run, in one line."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from gui.controllers.explainer import Explainer
from gui.widgets.finding_line import Finding, failure_of
from gui.widgets.reading import Reading
from museum.errors import MuseumError

if TYPE_CHECKING:
    from museum.diagnosis.answer import Answer


async def findings_of(explainer: Explainer, reading: Reading) -> AsyncIterator[Finding]:
    """Explain an account of a failed run: at once, and again if the run's own JAX had to be read first.

    Nothing comes for a run that did not fail, or that cannot be explained.
    """
    text = failure_of(reading)
    if not text:
        return
    from museum.diagnosis.logs import bounded

    text = bounded(text).text
    try:
        answer = await explainer.explain(text, reading.jax)
        yield as_finding(answer, reading.jax)
        if not answer.exhibits and explainer.learn(reading.jax):
            await explainer.learned(reading.jax)
            yield as_finding(await explainer.explain(text, reading.jax), reading.jax)
    except MuseumError:
        return  # told where it is asked for, in Diagnose


def as_finding(answer: "Answer", jax: str) -> Finding:
    """An answer in one line.

    Args:
        answer: To what the run printed.
        jax: The run's version; where another one's raise sites were asked, that is said.
    """
    if answer.exhibits:
        best = answer.exhibits[0]
        return Finding(f"Explained by: {best.title}", best.id)
    if answer.sites:
        site = answer.sites[0]
        where = "" if answer.jax == jax else f" in JAX {answer.jax}"
        return Finding(f"No exhibit yet; raised at {site.file}:{site.line}{where}")
    if answer.known:
        return Finding(f"No exhibit yet; raised in C++: {answer.known.name}")
    return Finding("No exhibit yet, and no known place in JAX that raises it")

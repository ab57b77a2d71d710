"""What a run on the bench came to, as the reading that its tab shows."""

import re

from gui.controllers.accounts import facts_of, how_it_ended
from gui.widgets.reading import Reading
from museum.lab.outcome import RunOutcome, RunStatus
from museum.lab.spares import SCRIPT

MOST_NOTES = 5  # on one line
# As the module `warnings` prints it; the line of code below it is no part of it.
_WARNING = re.compile(rf"^(?:.*/)?{re.escape(SCRIPT)}:(\d+): (\w*Warning: .*)$", re.MULTILINE)


def label_of(number: int, jax: str, target: str) -> str:
    """The name of a run among those of its tab."""
    return f"run {number}: {f'JAX {jax}, ' if jax else ''}{target}"


def of_run(label: str, outcome: RunOutcome, jax: str, asks_for: str = "") -> Reading:
    """The account of a finished run.

    Args:
        label: The run's name.
        outcome: What happened.
        jax: Version of the environment.
        asks_for: What the script's header asks for, where the visitor chose otherwise.
    """
    raised = outcome.exception
    role, verdict = _verdict(outcome)
    return Reading(
        label=label,
        provenance=facts_of(outcome) + (f" · the script asks for {asks_for}" if asks_for else ""),
        jax=jax,
        error=raised.error if raised else "",
        message=raised.message if raised else "",
        verdict=verdict,
        role=role,
        stdout=outcome.stdout.text,
        stderr=outcome.stderr.text,
    )


def of_live(label: str, stage: str, out: str, err: str) -> Reading:
    """The account of a run that goes on."""
    return Reading(label, "", verdict=f"… {stage}", stdout=out, stderr=err, is_live=True)


def _verdict(outcome: RunOutcome) -> tuple[str, str]:
    if outcome.status is RunStatus.OK:
        return "good", "✓ Runs to its end"
    if ended := how_it_ended(outcome):
        return ended
    return "bad", f"✗ Raises {outcome.exception.error}" if outcome.exception else f"✗ Ends with {outcome}"


def notes_of(outcome: RunOutcome) -> dict[int, str]:
    """What messages on standard error say of the script's lines: warnings of Python and of JAX."""
    notes: dict[int, list[str]] = {}
    for found in _WARNING.finditer(outcome.stderr.text):
        said = notes.setdefault(int(found[1]), [])
        if found[2] not in said:
            said.append(found[2])
    return {line: "\n\n".join(said[:MOST_NOTES]) for line, said in notes.items()}

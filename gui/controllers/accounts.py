"""Captures and outcomes as the readings that the page shows, and as the marks of the sidebar."""

from collections.abc import Sequence

from gui.models.catalog_model import Mark
from gui.widgets.reading import Reading
from museum.exhibit import Capture, Exhibit, Half, Origin, OutcomeKind
from museum.lab.normalise import comparable, without_directories
from museum.lab.outcome import RunOutcome, RunStatus
from museum.lab.verify import Verdict, judge
from museum.promises import kind_on
from museum.showing import proven_on, provenance
from museum.strip import Place

_WORDS = {
    Verdict.REPRODUCES: ("good", "✓ Reproduces"),
    Verdict.MESSAGE_CHANGED: ("doubt", "≠ The message has changed"),
    Verdict.OTHER_ERROR: ("bad", "✗ Another error than the museum shows"),
    Verdict.DOES_NOT_FAIL: ("bad", "✗ Does not fail here"),
    Verdict.NO_FAILURE_HERE: ("good", "✓ Does not fail on this JAX, as the museum says"),
    Verdict.FIX_PASSES: ("good", "✓ The fix passes"),
    Verdict.FIX_FAILS: ("bad", "✗ The fix fails"),
    Verdict.NOT_RUNNABLE: ("doubt", "○ Not runnable here"),
}
RUNS_THROUGH = "○ Runs through on this JAX: no failure here"
_SAID_IN_VERDICT = {RunStatus.STOPPED, RunStatus.TIMED_OUT, RunStatus.NOT_STARTED}


def of_captures(exhibit: Exhibit) -> tuple[Reading, ...]:
    """The recorded accounts: of the failing half, the newest JAX first, then of the fix, the reported ones last."""
    reproduced = [capture for capture in reversed(exhibit.captures) if capture.origin is Origin.REPRODUCED]
    reported = [capture for capture in exhibit.captures if capture.origin is Origin.REPORTED]
    ordered = [capture for half in Half for capture in reproduced if capture.half is half] + reported
    return tuple(_of_capture(capture, exhibit) for capture in ordered)


def _of_capture(capture: Capture, exhibit: Exhibit) -> Reading:
    reproduced = capture.origin is Origin.REPRODUCED
    label = f"JAX {capture.jax}" if reproduced else f"reported: {capture.target}"
    if reproduced and len(exhibit.facts.targets) > 1:
        label = f"{label}, {capture.target}"
    if reproduced and capture.half is Half.FIX:
        label = f"fix on {label}"
    same = [one for one in exhibit.captures if (one.origin, one.target) == (capture.origin, capture.target)]
    if not reproduced and len(same) > 1 and capture.jax:
        label = f"reported: {capture.half} on JAX {capture.jax}"
    return Reading(
        label,
        provenance(capture),
        jax=capture.jax,
        error=capture.error,
        message=capture.message,
        stdout=capture.stdout,
        stderr=capture.stderr,
        place=Place(capture.half, capture.target, capture.jax) if reproduced else None,
        verdict=_recorded_end(exhibit, capture) if reproduced else "",
    )


def _recorded_end(exhibit: Exhibit, capture: Capture) -> str:
    """How a recorded run ended, where its error does not tell."""
    if capture.half is Half.FAILING and kind_on(exhibit.facts, capture.jax) is OutcomeKind.PASSES:
        return RUNS_THROUGH
    if capture.status == RunStatus.TIMED_OUT:
        return f"■ Did not end; stopped after {exhibit.facts.hangs_after:g} s"
    if capture.status == RunStatus.CRASHED:
        return f"✗ The process died, exit code {capture.exit_code}"
    if capture.exit_code and not capture.error:
        return f"✗ Ended with exit status {capture.exit_code}, without a Python exception"
    return ""


def first_to_show(readings: Sequence[Reading], jax: str) -> int:
    """Number of the account to begin with: the failure on this JAX version, else the newest failure there is."""
    failures = [
        number
        for number, one in enumerate(readings)
        if one.place and one.place.half is Half.FAILING and one.verdict != RUNS_THROUGH
    ]
    here = [number for number in failures if readings[number].jax == jax]
    return next(iter((*here, *failures)), 0)


def of_run(exhibit: Exhibit, half: Half, outcome: RunOutcome, jax: str, *, edited: bool, asks_for: str = "") -> Reading:
    """The account of a run in this window.

    Args:
        exhibit: Whose half ran.
        half: Which.
        outcome: What happened.
        jax: Version of the environment.
        edited: Whether the visitor changed the half.
        asks_for: What the script's header asks for, where the visitor chose otherwise.
    """
    raised = outcome.exception
    role, verdict = _verdict(exhibit, half, outcome, jax, edited=edited)
    capture = exhibit.capture_for(jax, half, outcome.target)
    recorded = None
    if raised and capture and capture.message and not _same(capture, outcome):
        recorded = f"{capture.error}: {capture.message}"
    error, message = (raised.error, raised.message) if raised else ("", "")
    if recorded is not None:
        message = without_directories(message)
    return Reading(
        label=label_of(half),
        provenance=facts_of(outcome) + (f" · the script asks for {asks_for}" if asks_for else ""),
        jax=jax,
        error=error,
        message=message,
        verdict=verdict,
        role=role,
        recorded=recorded,
        recorded_label=f"Differs by word from what was recorded on JAX {jax}, {outcome.target}:",
        stdout=outcome.stdout.text,
        stderr=outcome.stderr.text,
    )


def label_of(half: Half) -> str:
    """The name of a half's run in this window among the accounts of its exhibit."""
    return f"this run: {half}"


def _same(capture: Capture, outcome: RunOutcome) -> bool:
    raised = outcome.exception
    if raised is None:
        return False
    return (capture.error, comparable(capture.message)) == (raised.error, comparable(raised.message))


def _verdict(exhibit: Exhibit, half: Half, outcome: RunOutcome, jax: str, *, edited: bool) -> tuple[str, str]:
    judged = None if edited else judge(exhibit, half, outcome, jax)
    hung_as_it_should = judged is not None and judged.verdict is Verdict.REPRODUCES
    if not hung_as_it_should and (ended := how_it_ended(outcome)):
        return ended
    capture = exhibit.capture_for(jax, half, outcome.target)
    if judged is None:
        if not outcome.failed:
            return "good", "✓ Your version runs to its end"
        same = half is Half.FAILING and capture is not None and _same(capture, outcome)
        return "plain", "✗ Your version fails in the same way" if same else f"✗ Your version {_how(outcome)}"
    role, words = _WORDS[judged.verdict]
    if judged.verdict is Verdict.NOT_RUNNABLE:
        return role, f"○ Not meant for JAX {jax}: {judged.detail}"
    if judged.verdict is Verdict.REPRODUCES and capture:
        words += f": {'the same error' if outcome.exception else 'the same'} as recorded on JAX {jax}"
    elif judged.verdict is Verdict.REPRODUCES:
        words += f": what the museum says of JAX {jax}, not recorded yet"
    elif not judged.verdict.good and not outcome.exception:
        words += f": {judged.detail}"
    return role, words


def how_it_ended(outcome: RunOutcome) -> tuple[str, str] | None:
    """Role and words of a run that did not end by itself; None for one that did."""
    behind = f": {outcome.detail}" if outcome.detail else ""
    return {
        RunStatus.STOPPED: ("plain", f"■ Stopped{behind}"),
        RunStatus.TIMED_OUT: ("plain", f"✗ Ended by the time limit{behind}"),
        RunStatus.NOT_STARTED: ("doubt", f"○ Not runnable here{behind}"),
    }.get(outcome.status)


def _how(outcome: RunOutcome) -> str:
    return f"raises {outcome.exception.error}" if outcome.exception else f"ends with {outcome}"


def facts_of(outcome: RunOutcome) -> str:
    """How a run ended, where and how fast, in one line."""
    took = outcome.timings.get("finished", outcome.timings.get("ended", 0.0))
    devices = outcome.versions.devices if outcome.versions else 0
    parts = [
        f"exit status {outcome.exit_code}" if outcome.exit_code is not None else "",
        f"JAX {outcome.versions.jax}" if outcome.versions else "",
        outcome.target + (f" ({devices} devices seen)" if devices else ""),
        f"environment {outcome.environment}" if outcome.environment else "",
        f"{took:.2f} s" if took else "",
        f"{outcome.left} processes of it were still alive and were ended" if outcome.left else "",
        outcome.detail if outcome.status not in _SAID_IN_VERDICT else "",
    ]
    return " · ".join(filter(None, parts))


def mark_of(exhibit: Exhibit) -> Mark:
    """The sidebar's mark from what was recorded."""
    proven = proven_on(exhibit)
    if proven:
        return Mark("✓", "good", f"proven on JAX {', '.join(proven)}")
    if any(capture.origin is Origin.REPORTED for capture in exhibit.captures):
        return Mark("◦", "doubt", "reported, not reproduced")
    return Mark("·", "faint", "not proven yet")


def mark_of_verdict(verdict: Verdict, half: Half) -> Mark:
    """The sidebar's mark after a run of the unchanged exhibit."""
    role, words = _WORDS[verdict]
    return Mark(words[0], role, f"{half} half just now: {verdict}")

"""Runs both halves of exhibits on environments and says whether the museum still tells the truth."""

import asyncio
import datetime
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from museum.exhibit import Capture, Exhibit, Expectation, Half, Origin, OutcomeKind
from museum.lab.environments import Environment
from museum.lab.normalise import before_traceback, comparable, without_directories
from museum.lab.outcome import RunOutcome, RunStatus
from museum.lab.runner import Limits, Progress, RunRequest, why_not_here
from museum.lab.target import Target, TargetKind
from museum.promises import expectation_for, kind_on, why_ruled_out

WORKERS = 2  # runs at a time


class Runs(Protocol):
    """What runs a script: the lab."""

    async def run(self, request: RunRequest, on_progress: Callable[[Progress], None] | None = None) -> RunOutcome:
        """Run it to its end; cancelling ends it."""


class Verdict(StrEnum):
    """What one half of an exhibit did on one environment.

    `NO_FAILURE_HERE` is good news: the exhibit says that its failing half runs through on this version.
    """

    REPRODUCES = "reproduces"
    MESSAGE_CHANGED = "message changed"
    OTHER_ERROR = "other error"
    DOES_NOT_FAIL = "does not fail"
    NO_FAILURE_HERE = "no failure here"
    FIX_PASSES = "fix passes"
    FIX_FAILS = "fix fails"
    NOT_RUNNABLE = "not runnable here"

    @property
    def good(self) -> bool:
        """Whether the museum can stand by what it shows."""
        return self not in (
            Verdict.MESSAGE_CHANGED,
            Verdict.OTHER_ERROR,
            Verdict.DOES_NOT_FAIL,
            Verdict.FIX_FAILS,
        )

    @property
    def letter(self) -> str:
        """One character for it, as tables and the version strip show it."""
        return _LETTERS[self]


_LETTERS = {
    Verdict.REPRODUCES: "R",
    Verdict.MESSAGE_CHANGED: "C",
    Verdict.OTHER_ERROR: "E",
    Verdict.DOES_NOT_FAIL: "D",
    Verdict.NO_FAILURE_HERE: "N",
    Verdict.FIX_PASSES: "P",
    Verdict.FIX_FAILS: "F",
    Verdict.NOT_RUNNABLE: "–",  # noqa: RUF001 - a dash as wide as a letter
}


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict with its reason in words."""

    verdict: Verdict
    detail: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """One half of an exhibit on one target with one JAX version; without an environment it cannot run."""

    exhibit: Exhibit
    half: Half
    jax: str
    target: Target
    environment: Environment | None
    obstacle: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """A job done."""

    job: Job
    judged: Judged
    outcome: RunOutcome | None = None

    def as_json(self) -> dict[str, Any]:
        """The object that `verify --json` lists."""
        environment = self.job.environment
        return {
            "exhibit": self.job.exhibit.id,
            "half": str(self.job.half),
            "jax": self.job.jax,
            "environment": environment.name if environment else None,
            "target": str(self.job.target),
            "verdict": str(self.judged.verdict),
            "detail": self.judged.detail,
        }


def evidence(kind: OutcomeKind, outcome: RunOutcome) -> str | None:
    """The text that gives a failure of this kind away; None when the run did not fail in this way."""
    if kind is OutcomeKind.RAISES:
        return outcome.exception.message if outcome.exception else None
    if kind in (OutcomeKind.SILENT, OutcomeKind.PASSES):
        return outcome.stdout.text if outcome.status is RunStatus.OK else None
    if kind is OutcomeKind.WARNS:
        return outcome.stderr.text if outcome.status is RunStatus.OK else None
    if kind is OutcomeKind.ABORTS:
        ended_hard = outcome.status is RunStatus.CRASHED or (outcome.failed and outcome.exception is None)
        return outcome.stderr.text if ended_hard else None
    return outcome.stdout.text + outcome.stderr.text if outcome.status is RunStatus.TIMED_OUT else None


def judge(exhibit: Exhibit, half: Half, outcome: RunOutcome, jax: str, *, against_capture: bool = True) -> Judged:
    """The verdict on a finished run.

    Args:
        exhibit: Whose half ran.
        half: Which.
        outcome: What happened.
        jax: JAX version of the environment.
        against_capture: Whether the message must equal the recorded one, where there is one.
    """
    if outcome.status is RunStatus.NOT_STARTED:
        return Judged(Verdict.NOT_RUNNABLE, outcome.detail)
    if ruled_out := why_ruled_out(exhibit.facts, half, jax):
        return Judged(Verdict.NOT_RUNNABLE, ruled_out)
    expected = expectation_for(exhibit.facts, jax)
    if half is Half.FIX:
        return _judge_fix(expected, outcome)
    if expected is None:
        return Judged(Verdict.OTHER_ERROR, f"the exhibit says nothing about JAX {jax}; it did: {outcome}")
    kind = kind_on(exhibit.facts, jax)
    seen = evidence(kind, outcome)
    if seen is None:
        fine = outcome.status is RunStatus.OK
        return Judged(Verdict.DOES_NOT_FAIL if fine else Verdict.OTHER_ERROR, str(outcome))
    if outcome.exception and outcome.exception.error != expected.error:
        return Judged(Verdict.OTHER_ERROR, f"expected {expected.error}, got {outcome.exception}")
    if fault := _fault_of_words(kind, expected, seen):
        return fault
    if kind is OutcomeKind.PASSES:
        return Judged(Verdict.NO_FAILURE_HERE)
    recorded = exhibit.capture_for(jax, half, outcome.target)
    if against_capture and recorded and outcome.exception and comparable(recorded.message) != comparable(seen):
        return Judged(Verdict.MESSAGE_CHANGED, f"recorded: {recorded.message}; now: {without_directories(seen)}")
    return Judged(Verdict.REPRODUCES)


def _fault_of_words(kind: OutcomeKind, expected: Expectation, seen: str) -> Judged | None:
    """What is wrong with what gave the failure away; None when it says what it should."""
    missing = next((piece for piece in expected.says if piece not in seen), None)
    if missing is not None and kind in (OutcomeKind.SILENT, OutcomeKind.WARNS):
        return Judged(Verdict.DOES_NOT_FAIL, f"it does not say {missing!r}")
    if missing is not None:
        return Judged(Verdict.MESSAGE_CHANGED, f"it no longer says {missing!r}: {seen}")
    if kind is OutcomeKind.RAISES and not expected.says and seen.strip():
        return Judged(Verdict.MESSAGE_CHANGED, f"it came without a message; now: {without_directories(seen)}")
    return None


def _judge_fix(expected: Expectation | None, outcome: RunOutcome) -> Judged:
    if outcome.failed:
        return Judged(Verdict.FIX_FAILS, str(outcome))
    for piece in expected.fix_prints if expected else ():
        if piece not in outcome.stdout.text:
            return Judged(Verdict.FIX_FAILS, f"it does not print {piece!r}")
    return Judged(Verdict.FIX_PASSES)


def plan(exhibits: Iterable[Exhibit], environments: Sequence[Environment], versions: Mapping[str, str]) -> list[Job]:
    """Every half of every exhibit on every version.

    Args:
        exhibits: What to verify.
        environments: What is at hand.
        versions: JAX versions in order, each with why it cannot be had here, or "".
    """
    jobs = []
    for jax, obstacle in versions.items():
        for exhibit in exhibits:
            for text in exhibit.facts.targets:
                target = Target.parse(text)
                for half in Half:
                    environment, why = _place(exhibit, half, jax, target, environments)
                    jobs.append(Job(exhibit, half, jax, target, environment, obstacle or why))
    return jobs


def _place(
    exhibit: Exhibit, half: Half, jax: str, target: Target, environments: Sequence[Environment]
) -> tuple[Environment | None, str]:
    if ruled_out := why_ruled_out(exhibit.facts, half, jax):
        return None, ruled_out
    environment = choose(environments, jax, target)
    if environment is None:
        return None, f"no environment with JAX {jax} here; make one with: xla-museum env add {jax}"
    return environment, why_not_here(environment, target)


def choose(environments: Sequence[Environment], jax: str, target: Target) -> Environment | None:
    """The first environment with this JAX: with libtpu for `tpu-compile`, else without, as far as there is one."""
    fitting = [environment for environment in environments if environment.jax == jax]
    wants_tpu = target.kind is TargetKind.TPU_COMPILE
    return next((one for one in fitting if bool(one.libtpu) is wants_tpu), fitting[0] if fitting else None)


async def verify(
    jobs: Sequence[Job],
    lab: Runs,
    on_result: Callable[[Result], None] = lambda _: None,
    *,
    workers: int = WORKERS,
    against_capture: bool = True,
) -> list[Result]:
    """Run the jobs and judge them, `workers` at a time, TPU compilations one at a time.

    Returns:
        Results in the order of the jobs.
    """
    room = asyncio.Semaphore(workers)
    one_compiler = asyncio.Semaphore(1)  # two libtpu compilations at once are each five times slower

    async def outcome_of(job: Job, environment: Environment) -> RunOutcome:
        async with room:
            return await lab.run(_request(job, environment))

    async def do(job: Job) -> Result:
        if job.obstacle or job.environment is None:
            result = Result(job, Judged(Verdict.NOT_RUNNABLE, job.obstacle))
        else:
            async with one_compiler if job.target.kind is TargetKind.TPU_COMPILE else nullcontext():
                outcome = await outcome_of(job, job.environment)
            judged = judge(job.exhibit, job.half, outcome, job.jax, against_capture=against_capture)
            result = Result(job, judged, outcome)
        on_result(result)
        return result

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(do(job)) for job in jobs]
    return [task.result() for task in tasks]


def hangs_after(exhibit: Exhibit, half: Half, jax: str) -> float | None:
    """Seconds after which a half counts as hanging; None for one that should come to an end."""
    hangs = half is Half.FAILING and kind_on(exhibit.facts, jax) is OutcomeKind.HANGS
    return exhibit.facts.hangs_after if hangs else None


def _request(job: Job, environment: Environment) -> RunRequest:
    limits = Limits(seconds=hangs_after(job.exhibit, job.half, job.jax) or 300)
    script = job.exhibit.scripts[job.half]
    return RunRequest(script, environment, job.target, limits=limits)


def counts(results: Iterable[Result]) -> dict[str, int]:
    """How often each verdict was given, in the verdicts' order, none left out."""
    given = Counter(result.judged.verdict for result in results)
    return {str(verdict): given[verdict] for verdict in Verdict if given[verdict]}


def capture_of(result: Result, today: datetime.date) -> Capture | None:
    """What a good result leaves to the collection; None when it is not good or did not run."""
    outcome, environment = result.outcome, result.job.environment
    if outcome is None or environment is None or not result.judged.verdict.good:
        return None
    if outcome.status is RunStatus.NOT_STARTED:
        return None
    raised = outcome.exception
    return Capture(
        half=result.job.half,
        jax=environment.jax,
        target=str(result.job.target),
        origin=Origin.REPRODUCED,
        status=str(outcome.status),
        date=today,
        jaxlib=environment.jaxlib,
        libtpu=environment.libtpu,
        python=environment.python_version,
        platform=_platform(),
        exit_code=outcome.exit_code or 0,
        error=raised.error if raised else "",
        message=without_directories(raised.message) if raised else "",
        line=raised.blamed_line if raised else 0,
        stdout=without_directories(outcome.stdout.text),
        stderr=without_directories(before_traceback(outcome.stderr.text)),
    )


def _platform() -> str:
    import platform

    return f"{platform.system()} {platform.machine()}"

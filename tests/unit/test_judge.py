import asyncio
import datetime
from pathlib import Path

import pytest

from museum.exhibit import Capture, Exhibit, ExhibitFile, Expectation, Half, Origin, OutcomeKind, Placard
from museum.lab.environments import Environment, EnvironmentKind
from museum.lab.lab import Lab
from museum.lab.outcome import Output, RaisedException, RunOutcome, RunStatus
from museum.lab.target import Target
from museum.lab.verify import (
    Job,
    Judged,
    Result,
    Verdict,
    capture_of,
    choose,
    counts,
    evidence,
    judge,
    plan,
    verify,
)

JAX = "0.10.2"


def exhibit(kind: OutcomeKind, captures: tuple[Capture, ...] = (), **facts: object) -> Exhibit:
    """An exhibit that fails by saying "sizes 10 and 4", and whose fix prints "16 rows", on JAX below 0.12."""
    error = "ValueError" if kind is OutcomeKind.RAISES else ""
    expected = Expectation("<0.12", error, ("sizes", "10 and 4"), ("16 rows",))
    values = {"targets": ("cpu:8",), "jax": (JAX,), "tags": (), "expect": (expected,), **facts}
    scripts = {Half.FAILING: "print('failing')", Half.FIX: "print('fix')"}
    return Exhibit("xla/one", 1, ExhibitFile("One", kind, **values), Placard("", "", ""), scripts, captures)


def outcome(status: RunStatus, stdout: str = "", stderr: str = "", raised: str = "", code: int = 0) -> RunOutcome:
    """A finished run on cpu:8; `raised` is "Class: message"."""
    error, _, message = raised.partition(": ")
    exception = RaisedException(error, message, (), (), 3) if raised else None
    streams = {"stdout": Output(stdout.encode()), "stderr": Output(stderr.encode())}
    return RunOutcome(status, code, "own", "cpu:8", exception, **streams)


OK, FAILED, CRASHED, TIMED_OUT = RunStatus.OK, RunStatus.FAILED, RunStatus.CRASHED, RunStatus.TIMED_OUT
SAYS = "the sizes are 10 and 4"
RAISES, WARNS, SILENT, ABORTS, HANGS, PASSES = OutcomeKind

FAILING = [
    (RAISES, outcome(FAILED, raised=f"ValueError: {SAYS}"), Verdict.REPRODUCES, ""),
    (
        RAISES,
        outcome(FAILED, raised="ValueError: the sizes are 10 and 5"),
        Verdict.MESSAGE_CHANGED,
        "it no longer says '10 and 4': the sizes are 10 and 5",
    ),
    (
        RAISES,
        outcome(FAILED, raised=f"TypeError: {SAYS}"),
        Verdict.OTHER_ERROR,
        f"expected ValueError, got TypeError: {SAYS}",
    ),
    (RAISES, outcome(OK, stdout=SAYS), Verdict.DOES_NOT_FAIL, "ok"),
    (RAISES, outcome(FAILED, stderr=SAYS, code=3), Verdict.OTHER_ERROR, "exit status 3"),
    (RAISES, outcome(CRASHED, stderr=SAYS), Verdict.OTHER_ERROR, "crashed"),
    (RAISES, outcome(TIMED_OUT), Verdict.OTHER_ERROR, "timed out"),
    (WARNS, outcome(OK, stderr=SAYS), Verdict.REPRODUCES, ""),
    (WARNS, outcome(OK, stdout=SAYS), Verdict.DOES_NOT_FAIL, "it does not say 'sizes'"),
    (WARNS, outcome(OK, stderr="sizes"), Verdict.DOES_NOT_FAIL, "it does not say '10 and 4'"),
    (WARNS, outcome(FAILED, stderr=SAYS, raised="ValueError: x"), Verdict.OTHER_ERROR, "ValueError: x"),
    (SILENT, outcome(OK, stdout=SAYS), Verdict.REPRODUCES, ""),
    (SILENT, outcome(OK, stderr=SAYS), Verdict.DOES_NOT_FAIL, "it does not say 'sizes'"),
    (SILENT, outcome(FAILED, stdout=SAYS, raised="ValueError: x"), Verdict.OTHER_ERROR, "ValueError: x"),
    (ABORTS, outcome(CRASHED, stderr=SAYS, code=-6), Verdict.REPRODUCES, ""),
    (ABORTS, outcome(FAILED, stderr=SAYS, code=1), Verdict.REPRODUCES, ""),
    (
        ABORTS,
        outcome(CRASHED, stderr="sizes", code=-6),
        Verdict.MESSAGE_CHANGED,
        "it no longer says '10 and 4': sizes",
    ),
    (ABORTS, outcome(FAILED, stderr=SAYS, raised="ValueError: x"), Verdict.OTHER_ERROR, "ValueError: x"),
    (ABORTS, outcome(OK, stderr=SAYS), Verdict.DOES_NOT_FAIL, "ok"),
    (HANGS, outcome(TIMED_OUT, stdout="sizes ", stderr="10 and 4"), Verdict.REPRODUCES, ""),
    (HANGS, outcome(TIMED_OUT), Verdict.MESSAGE_CHANGED, "it no longer says 'sizes': "),
    (HANGS, outcome(OK, stdout=SAYS), Verdict.DOES_NOT_FAIL, "ok"),
    (HANGS, outcome(FAILED, raised="ValueError: x"), Verdict.OTHER_ERROR, "ValueError: x"),
    (PASSES, outcome(OK, stdout=SAYS), Verdict.NO_FAILURE_HERE, ""),
    (PASSES, outcome(OK, stdout="sizes"), Verdict.MESSAGE_CHANGED, "it no longer says '10 and 4': sizes"),
    (PASSES, outcome(FAILED, raised=f"ValueError: {SAYS}"), Verdict.OTHER_ERROR, f"ValueError: {SAYS}"),
]


@pytest.mark.parametrize(("kind", "ran", "verdict", "detail"), FAILING)
def test_a_failing_half_is_judged_by_what_gives_it_away(
    kind: OutcomeKind, ran: RunOutcome, verdict: Verdict, detail: str
) -> None:
    assert judge(exhibit(kind), Half.FAILING, ran, JAX) == Judged(verdict, detail)


@pytest.mark.parametrize(("kind", "ran", "verdict", "detail"), FAILING)
def test_the_kind_of_a_range_of_versions_goes_before_the_exhibits_own(
    kind: OutcomeKind, ran: RunOutcome, verdict: Verdict, detail: str
) -> None:
    expected = Expectation("<0.12", "ValueError" if kind is RAISES else "", ("sizes", "10 and 4"), (), kind)
    own_kind = SILENT if kind is RAISES else RAISES
    assert judge(exhibit(own_kind, expect=(expected,)), Half.FAILING, ran, JAX) == Judged(verdict, detail)


FIXES = [
    (outcome(OK, stdout="it has 16 rows\n"), Verdict.FIX_PASSES, ""),
    (outcome(OK, stdout="it has 12 rows\n"), Verdict.FIX_FAILS, "it does not print '16 rows'"),
    (outcome(OK, stderr="it has 16 rows\n"), Verdict.FIX_FAILS, "it does not print '16 rows'"),
    (outcome(FAILED, stdout="16 rows", raised="ValueError: x"), Verdict.FIX_FAILS, "ValueError: x"),
    (outcome(CRASHED, stdout="16 rows"), Verdict.FIX_FAILS, "crashed"),
    (outcome(TIMED_OUT, stdout="16 rows"), Verdict.FIX_FAILS, "timed out"),
]


@pytest.mark.parametrize("kind", OutcomeKind)
@pytest.mark.parametrize(("ran", "verdict", "detail"), FIXES)
def test_a_fix_is_judged_by_its_end_and_by_what_it_prints(
    kind: OutcomeKind, ran: RunOutcome, verdict: Verdict, detail: str
) -> None:
    assert judge(exhibit(kind), Half.FIX, ran, JAX) == Judged(verdict, detail)


def test_an_error_without_words_is_expected_to_stay_so() -> None:
    bare = exhibit(RAISES, expect=(Expectation(error="AssertionError"),))
    assert judge(bare, Half.FAILING, outcome(FAILED, raised="AssertionError: "), JAX) == Judged(Verdict.REPRODUCES)
    speaks = judge(bare, Half.FAILING, outcome(FAILED, raised="AssertionError: no axis"), JAX)
    assert speaks == Judged(Verdict.MESSAGE_CHANGED, "it came without a message; now: no axis")


@pytest.mark.parametrize("half", Half)
@pytest.mark.parametrize("kind", OutcomeKind)
def test_what_did_not_start_is_not_runnable(kind: OutcomeKind, half: Half) -> None:
    ran = RunOutcome(RunStatus.NOT_STARTED, None, "own", "cpu:8", detail="no room")
    assert judge(exhibit(kind), half, ran, JAX) == Judged(Verdict.NOT_RUNNABLE, "no room")


def test_a_version_without_a_promise_is_no_success() -> None:
    ran = outcome(FAILED, raised=f"ValueError: {SAYS}")
    judged = judge(exhibit(RAISES), Half.FAILING, ran, "0.12.0.1")
    assert judged == Judged(
        Verdict.OTHER_ERROR, f"the exhibit says nothing about JAX 0.12.0.1; it did: ValueError: {SAYS}"
    )
    assert judge(exhibit(RAISES), Half.FIX, outcome(OK), "0.12.0.1").verdict is Verdict.FIX_PASSES


def capture(message: str = SAYS, **differing: object) -> Capture:
    values = {
        "half": Half.FAILING,
        "jax": JAX,
        "target": "cpu:8",
        "origin": Origin.REPRODUCED,
        "status": "failed",
        "date": datetime.date(2026, 11, 30),
        "error": "ValueError",
        "message": message,
        **differing,
    }
    return Capture(**values)


def test_a_message_must_equal_the_recorded_one_but_for_what_cannot_be_stable() -> None:
    shown = exhibit(RAISES, (capture(f"{SAYS} (failing.py:3)"),))
    same = outcome(FAILED, raised=f"ValueError: {SAYS} (/tmp/else/failing.py:9)")
    other = outcome(FAILED, raised=f"ValueError: {SAYS}, alas")
    assert judge(shown, Half.FAILING, same, JAX) == Judged(Verdict.REPRODUCES)
    assert judge(shown, Half.FAILING, other, JAX) == Judged(
        Verdict.MESSAGE_CHANGED, f"recorded: {SAYS} (failing.py:3); now: {SAYS}, alas"
    )
    assert judge(shown, Half.FAILING, other, JAX, against_capture=False) == Judged(Verdict.REPRODUCES)


@pytest.mark.parametrize(
    "elsewhere",
    [{"jax": "0.4.38"}, {"target": "cpu:4"}, {"half": Half.FIX}, {"origin": Origin.REPORTED}],
    ids=str,
)
def test_captures_of_other_runs_do_not_count(elsewhere: dict[str, object]) -> None:
    shown = exhibit(RAISES, (capture("something else", **elsewhere),))
    ran = outcome(FAILED, raised=f"ValueError: {SAYS}")
    assert judge(shown, Half.FAILING, ran, JAX) == Judged(Verdict.REPRODUCES)


def test_only_what_the_museum_can_stand_by_is_good() -> None:
    good = {verdict for verdict in Verdict if verdict.good}
    assert good == {Verdict.REPRODUCES, Verdict.NO_FAILURE_HERE, Verdict.FIX_PASSES, Verdict.NOT_RUNNABLE}


def test_evidence_is_taken_from_the_place_of_its_kind() -> None:
    everything = {"stdout": "out", "stderr": "err", "raised": "ValueError: told"}
    seen = {kind: [evidence(kind, outcome(status, **everything)) for status in RunStatus] for kind in OutcomeKind}
    where = list(RunStatus).index
    assert set(seen[RAISES]) == {"told"}
    for kind, status, text in ((SILENT, OK, "out"), (WARNS, OK, "err"), (HANGS, TIMED_OUT, "outerr")):
        assert [place for place, found in enumerate(seen[kind]) if found is not None] == [where(status)]
        assert seen[kind][where(status)] == text
    assert [place for place, found in enumerate(seen[ABORTS]) if found is not None] == [where(CRASHED)]


def environment(name: str, jax: str = JAX, libtpu: str = "") -> Environment:
    return Environment(name, EnvironmentKind.MANAGED, Path(f"{name}/bin/python"), "3.12.1", jax, jax, libtpu)


PLAIN, WITH_TPU, OTHER = environment("plain"), environment("tpu", libtpu="0.0.1"), environment("other", "0.4.38")


@pytest.mark.parametrize(
    ("environments", "jax", "target", "chosen"),
    [
        ([WITH_TPU, PLAIN, OTHER], JAX, "cpu:8", PLAIN),
        ([PLAIN, WITH_TPU, OTHER], JAX, "tpu-compile", WITH_TPU),
        ([WITH_TPU], JAX, "cpu:8", WITH_TPU),
        ([PLAIN], JAX, "tpu-compile", PLAIN),
        ([PLAIN, environment("second")], JAX, "cpu:8", PLAIN),
        ([PLAIN, OTHER], "0.4.38", "local", OTHER),
        ([PLAIN], "0.4.38", "cpu:8", None),
        ([], JAX, "cpu:8", None),
    ],
)
def test_an_environment_is_chosen_by_version_and_libtpu(
    environments: list[Environment], jax: str, target: str, chosen: Environment | None
) -> None:
    assert choose(environments, jax, Target.parse(target)) == chosen


def test_a_plan_holds_both_halves_on_every_target_and_version_in_order() -> None:
    one = exhibit(RAISES, targets=("cpu:8", "tpu-compile"))
    jobs = plan([one], [PLAIN, WITH_TPU, OTHER], {"0.4.38": "", JAX: ""})
    assert [(job.jax, str(job.target), job.half, job.environment, bool(job.obstacle)) for job in jobs] == [
        ("0.4.38", "cpu:8", Half.FAILING, OTHER, False),
        ("0.4.38", "cpu:8", Half.FIX, OTHER, False),
        ("0.4.38", "tpu-compile", Half.FAILING, OTHER, True),
        ("0.4.38", "tpu-compile", Half.FIX, OTHER, True),
        (JAX, "cpu:8", Half.FAILING, PLAIN, False),
        (JAX, "cpu:8", Half.FIX, PLAIN, False),
        (JAX, "tpu-compile", Half.FAILING, WITH_TPU, False),
        (JAX, "tpu-compile", Half.FIX, WITH_TPU, False),
    ]
    assert jobs[2].obstacle == (
        "target tpu-compile needs libtpu, which environment other lacks; make one with: xla-museum env add 0.4.38 --tpu"
    )


def test_a_plan_says_why_something_cannot_run() -> None:
    needy = exhibit(RAISES, needs_jax=">=0.10", needs_why="older ones lack it")
    assert {job.obstacle for job in plan([needy], [OTHER], {"0.4.38": ""})} == {"needs JAX >=0.10: older ones lack it"}
    assert {job.obstacle for job in plan([needy], [OTHER], {JAX: ""})} == {
        f"no environment with JAX {JAX} here; make one with: xla-museum env add {JAX}"
    }
    assert {job.obstacle for job in plan([needy], [], {JAX: "no network"})} == {"no network"}


def test_a_version_that_the_exhibit_rules_out_is_judged_as_such_whatever_ran() -> None:
    needy = exhibit(RAISES, needs_jax=">=0.11", needs_why="it came then")
    for half, ran in ((Half.FAILING, outcome(OK)), (Half.FIX, outcome(FAILED, raised="AttributeError: no"))):
        assert judge(needy, half, ran, JAX) == Judged(Verdict.NOT_RUNNABLE, "needs JAX >=0.11: it came then")
    fix_only = exhibit(RAISES, fix_needs_jax=">=0.11", fix_needs_why="the name came then")
    failed = outcome(FAILED, raised="AttributeError: no")
    expected = Judged(Verdict.NOT_RUNNABLE, "the fix needs JAX >=0.11: the name came then")
    assert judge(fix_only, Half.FIX, failed, JAX) == expected
    assert judge(fix_only, Half.FAILING, outcome(FAILED, raised=f"ValueError: {SAYS}"), JAX).verdict.good


def test_a_fix_may_need_more_than_what_it_mends() -> None:
    needy = exhibit(RAISES, fix_needs_jax=">=0.11", fix_needs_why="the new name came then")
    failing, fix = plan([needy], [environment("one", JAX)], {JAX: ""})
    assert (failing.half, failing.obstacle) == (Half.FAILING, "")
    assert (fix.half, fix.obstacle) == (Half.FIX, "the fix needs JAX >=0.11: the new name came then")


def test_what_cannot_run_gets_its_verdict_without_a_run() -> None:
    jobs = plan([exhibit(RAISES)], [], {JAX: "no network"})
    told: list[Result] = []
    results = asyncio.run(verify(jobs, Lab(spares=0), told.append))
    assert results == told == [Result(job, Judged(Verdict.NOT_RUNNABLE, "no network")) for job in jobs]
    assert results[0].as_json() == {
        "exhibit": "xla/one",
        "half": "failing",
        "jax": JAX,
        "environment": None,
        "target": "cpu:8",
        "verdict": "not runnable here",
        "detail": "no network",
    }


def result(verdict: Verdict, ran: RunOutcome | None, half: Half = Half.FAILING) -> Result:
    return Result(Job(exhibit(RAISES), half, JAX, Target.cpu(8), PLAIN), Judged(verdict), ran)


def test_verdicts_are_counted_in_their_order_and_absent_ones_left_out() -> None:
    given = [Verdict.FIX_PASSES, Verdict.REPRODUCES, Verdict.FIX_PASSES, Verdict.OTHER_ERROR]
    counted = counts([result(verdict, None) for verdict in given])
    assert list(counted.items()) == [("reproduces", 1), ("other error", 1), ("fix passes", 2)]


TODAY = datetime.date(2026, 12, 1)


def test_a_good_run_leaves_a_capture_without_directories() -> None:
    ran = outcome(
        FAILED,
        stdout="saw /tmp/x/failing.py\n",
        stderr='a warning\nTraceback (most recent call last):\n  File "/tmp/x/failing.py"\n',
        raised="ValueError: at /tmp/x/failing.py:3",
        code=1,
    )
    left = capture_of(result(Verdict.REPRODUCES, ran), TODAY)
    assert left is not None
    assert left.platform
    assert (left.half, left.jax, left.jaxlib, left.python) == (Half.FAILING, JAX, JAX, "3.12.1")
    assert (left.target, left.origin, left.date, left.status) == ("cpu:8", Origin.REPRODUCED, TODAY, "failed")
    assert (left.exit_code, left.error, left.message, left.line) == (1, "ValueError", "at failing.py:3", 3)
    assert (left.stdout, left.stderr) == ("saw failing.py\n", "a warning\n")


def test_a_fix_leaves_what_it_printed() -> None:
    left = capture_of(result(Verdict.FIX_PASSES, outcome(OK, stdout="16 rows\n"), Half.FIX), TODAY)
    assert left is not None
    assert (left.half, left.status, left.stdout, left.error, left.message) == (Half.FIX, "ok", "16 rows\n", "", "")


@pytest.mark.parametrize("verdict", [verdict for verdict in Verdict if not verdict.good])
def test_a_bad_run_leaves_no_capture(verdict: Verdict) -> None:
    assert capture_of(result(verdict, outcome(OK)), TODAY) is None


def test_what_did_not_run_leaves_no_capture() -> None:
    assert capture_of(result(Verdict.NOT_RUNNABLE, None), TODAY) is None
    ran = RunOutcome(RunStatus.NOT_STARTED, None, "plain", "cpu:8", detail="no process is to be had")
    assert capture_of(result(Verdict.NOT_RUNNABLE, ran), TODAY) is None

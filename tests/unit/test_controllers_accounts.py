"""Captures and outcomes as readings and marks: every verdict, every way to end."""

import dataclasses
import datetime
from typing import Any

import pytest

from gui.controllers.accounts import facts_of, first_to_show, mark_of, mark_of_verdict, of_captures, of_run
from museum.exhibit import Capture, Exhibit, ExhibitFile, Expectation, Half, Origin, OutcomeKind, Placard
from museum.lab.outcome import Output, RaisedException, RunOutcome, RunStatus
from museum.lab.protocol import Versions
from museum.lab.verify import Verdict
from museum.strip import Place

DAY = datetime.date(2026, 11, 30)
MESSAGE = "10 rows do not divide by 4"


def capture(jax: str = "0.10.2", half: Half = Half.FAILING, **facts: Any) -> Capture:
    usual = {"target": "cpu:8", "origin": Origin.REPRODUCED, "status": "failed", "date": DAY}
    if half is Half.FAILING:
        usual |= {"error": "ValueError", "message": MESSAGE}
    return Capture(half, jax, **{**usual, **facts})


def exhibit(*captures: Capture, **facts: Any) -> Exhibit:
    usual = {
        "title": "One",
        "kind": OutcomeKind.RAISES,
        "targets": ("cpu:8",),
        "jax": ("0.10.2",),
        "tags": (),
        "expect": (Expectation(error="ValueError", says=("do not divide",), fix_prints=("fine",)),),
    }
    file = ExhibitFile(**{**usual, **facts})
    return Exhibit("xla/one", 1, file, Placard("", "", ""), {Half.FAILING: "x", Half.FIX: "y"}, captures)


def raised(message: str = MESSAGE, error: str = "ValueError") -> RunOutcome:
    return RunOutcome(RunStatus.FAILED, 1, "own", "cpu:8", exception=RaisedException(error, message, ()))


def passed(printed: str = "fine") -> RunOutcome:
    return RunOutcome(RunStatus.OK, 0, "own", "cpu:8", stdout=Output(printed.encode()))


def ended(status: RunStatus, code: int | None = None, detail: str = "") -> RunOutcome:
    return RunOutcome(status, code, "own", "cpu:8", detail=detail)


# Captures


def test_records_stand_newest_first_and_reports_last() -> None:
    reported = capture("", origin=Origin.REPORTED, target="TPU v5e, 8 chips", source="https://example.org/1")
    readings = of_captures(exhibit(capture("0.4.38"), reported, capture("0.12.0.1"), capture("0.10.2", Half.FIX)))
    labels = ["JAX 0.12.0.1", "JAX 0.4.38", "fix on JAX 0.10.2", "reported: TPU v5e, 8 chips"]
    assert [reading.label for reading in readings] == labels
    assert [reading.jax for reading in readings] == ["0.12.0.1", "0.4.38", "0.10.2", ""]
    assert [reading.place for reading in readings[1:]] == [
        Place(Half.FAILING, "cpu:8", "0.4.38"),
        Place(Half.FIX, "cpu:8", "0.10.2"),
        None,
    ]
    assert "reproduced 2026-11-30" in readings[0].provenance
    assert "https://example.org/1" in readings[3].provenance
    assert (readings[0].error, readings[0].message) == ("ValueError", MESSAGE)


def test_records_of_several_targets_name_theirs() -> None:
    one = exhibit(capture(), capture(target="cpu:4"), targets=("cpu:8", "cpu:4"))
    assert [reading.label for reading in of_captures(one)] == ["JAX 0.10.2, cpu:4", "JAX 0.10.2, cpu:8"]


def test_a_record_keeps_both_streams() -> None:
    (reading,) = of_captures(exhibit(capture(stdout="out", stderr="err")))
    assert (reading.stdout, reading.stderr, reading.verdict) == ("out", "err", "")


# Runs of the original


@pytest.mark.parametrize(
    ("half", "outcome", "role", "words"),
    [
        (Half.FAILING, raised(), "good", "✓ Reproduces: the same error as recorded on JAX 0.10.2"),
        (Half.FAILING, raised("11 rows do not divide by 4"), "doubt", "≠ The message has changed"),
        (Half.FAILING, raised("quite another text"), "doubt", "≠ The message has changed"),
        (Half.FAILING, raised(error="TypeError"), "bad", "✗ Another error than the museum shows"),
        (Half.FAILING, passed(), "bad", "✗ Does not fail here: ok"),
        (Half.FAILING, ended(RunStatus.FAILED, 3), "bad", "✗ Another error than the museum shows: exit status 3"),
        (
            Half.FAILING,
            ended(RunStatus.CRASHED, -11, "killed by SIGSEGV"),
            "bad",
            "✗ Another error than the museum shows: crashed: killed by SIGSEGV",
        ),
        (Half.FIX, passed(), "good", "✓ The fix passes"),
        (Half.FIX, passed("nothing of it"), "bad", "✗ The fix fails: it does not print 'fine'"),
        (Half.FIX, raised(), "bad", "✗ The fix fails"),
        (Half.FIX, ended(RunStatus.OUT_OF_MEMORY, -9, "more than 8.0 GiB"), "bad", "✗ The fix fails: out of memory"),
        (Half.FIX, ended(RunStatus.TOO_MUCH_OUTPUT, -9, "more than 1024 MiB"), "bad", "✗ The fix fails: too much out"),
        (Half.FIX, ended(RunStatus.TOO_MANY_PROCESSES, -9), "bad", "✗ The fix fails: too many processes"),
    ],
)
def test_every_verdict_has_its_words_and_its_role(half: Half, outcome: RunOutcome, role: str, words: str) -> None:
    reading = of_run(exhibit(capture()), half, outcome, "0.10.2", edited=False)
    assert reading.role == role
    assert reading.verdict.startswith(words)
    assert reading.label == f"this run: {half}"


def test_what_hangs_as_it_should_reproduces_and_another_time_out_does_not() -> None:
    hangs = exhibit(capture(status="timed out"), kind=OutcomeKind.HANGS, expect=(Expectation(),))
    late = ended(RunStatus.TIMED_OUT, detail="more than 10 s")
    reading = of_run(hangs, Half.FAILING, late, "0.10.2", edited=False)
    assert (reading.role, reading.verdict) == ("good", "✓ Reproduces: the same as recorded on JAX 0.10.2")
    for half, edited in ((Half.FAILING, True), (Half.FIX, False)):
        reading = of_run(hangs, half, late, "0.10.2", edited=edited)
        assert reading.verdict == "✗ Ended by the time limit: more than 10 s"


def test_a_silent_failure_that_was_recorded_is_said_to_be_so() -> None:
    silent = exhibit(
        capture(stdout="whole\n"),
        kind=OutcomeKind.SILENT,
        expect=(Expectation(says=("whole",), fix_prints=("cut",)),),
    )
    reading = of_run(silent, Half.FAILING, passed("whole"), "0.10.2", edited=False)
    assert reading.verdict == "✓ Reproduces: the same as recorded on JAX 0.10.2"
    reading = of_run(silent, Half.FAILING, passed("whole"), "0.4.38", edited=False)
    assert reading.verdict == "✓ Reproduces: what the museum says of JAX 0.4.38, not recorded yet"


def test_a_version_that_the_exhibit_rules_out_is_no_failure_of_the_fix() -> None:
    one = exhibit(capture(), fix_needs_jax=">=0.11", fix_needs_why="the name came then")
    reading = of_run(one, Half.FIX, raised(error="AttributeError"), "0.10.2", edited=False)
    assert reading.role == "doubt"
    assert reading.verdict == "○ Not meant for JAX 0.10.2: the fix needs JAX >=0.11: the name came then"


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"status": "timed out", "exit_code": -9}, "■ Did not end; stopped after 9 s"),
        ({"status": "crashed", "exit_code": -6}, "✗ The process died, exit code -6"),
        ({"status": "failed", "exit_code": 1}, "✗ Ended with exit status 1, without a Python exception"),
        ({"status": "failed", "exit_code": 1, "error": "E"}, ""),
        ({"status": "ok"}, ""),
    ],
)
def test_a_record_tells_how_it_ended_where_no_error_does(facts: dict[str, Any], words: str) -> None:
    told = {"error": "", "message": "", **facts}
    one = exhibit(capture(**told), kind=OutcomeKind.HANGS, hangs_after=9.0, expect=(Expectation(),))
    assert [reading.verdict for reading in of_captures(one)] == [words]


PASSES = Expectation(">=0.10", kind=OutcomeKind.PASSES)


def test_a_record_without_a_failure_says_so_and_is_not_what_one_begins_with() -> None:
    one = exhibit(
        capture("0.12.0.1", error="", message="", status="ok"),
        capture("0.6.2"),
        capture("0.4.38"),
        capture("0.4.38", Half.FIX),
        expect=(PASSES, Expectation(error="ValueError", says=("do not divide",))),
    )
    readings = of_captures(one)
    # As they are given, the last is taken for the newest.
    assert [reading.jax for reading in readings] == ["0.4.38", "0.6.2", "0.12.0.1", "0.4.38"]
    assert [bool(reading.verdict) for reading in readings] == [False, False, True, False]
    assert readings[2].verdict == "○ Runs through on this JAX: no failure here"
    assert first_to_show(readings, "0.6.2") == 1
    assert first_to_show(readings, "0.12.0.1") == 0
    assert first_to_show(readings[2:], "0.12.0.1") == 0
    assert first_to_show((), "0.12.0.1") == 0


def test_an_error_that_was_never_recorded_on_this_version_is_not_called_the_same() -> None:
    reading = of_run(exhibit(capture("0.4.38")), Half.FAILING, raised(), "0.10.2", edited=False)
    assert reading.verdict == "✓ Reproduces: what the museum says of JAX 0.10.2, not recorded yet"
    assert reading.recorded is None


@pytest.mark.parametrize("edited", [False, True])
@pytest.mark.parametrize("half", list(Half))
@pytest.mark.parametrize(
    ("outcome", "role", "words"),
    [
        (ended(RunStatus.STOPPED, None, "after 2.0 s"), "plain", "■ Stopped: after 2.0 s"),
        (ended(RunStatus.STOPPED), "plain", "■ Stopped"),
        (ended(RunStatus.TIMED_OUT, -9, "more than 120 s"), "plain", "✗ Ended by the time limit: more than 120 s"),
        (ended(RunStatus.NOT_STARTED, None, "no JAX"), "doubt", "○ Not runnable here: no JAX"),
    ],
)
def test_an_end_from_outside_is_no_verdict_on_the_code(
    outcome: RunOutcome, role: str, words: str, half: Half, edited: bool
) -> None:
    reading = of_run(exhibit(capture()), half, outcome, "0.10.2", edited=edited)
    assert (reading.role, reading.verdict) == (role, words)


# Runs of what the visitor wrote


@pytest.mark.parametrize(
    ("half", "outcome", "role", "words"),
    [
        (Half.FAILING, passed(), "good", "✓ Your version runs to its end"),
        (Half.FAILING, raised(), "plain", "✗ Your version fails in the same way"),
        (Half.FAILING, raised("13 rows"), "plain", "✗ Your version raises ValueError"),
        (Half.FIX, raised(), "plain", "✗ Your version raises ValueError"),
        (Half.FIX, ended(RunStatus.FAILED, 3), "plain", "✗ Your version ends with exit status 3"),
    ],
)
def test_the_visitors_own_code_is_not_judged_as_the_exhibit(
    half: Half, outcome: RunOutcome, role: str, words: str
) -> None:
    reading = of_run(exhibit(capture()), half, outcome, "0.10.2", edited=True)
    assert (reading.role, reading.verdict) == (role, words)


# Differences from the record


def test_a_changed_message_stands_against_the_record() -> None:
    seen = "13 rows do not divide by 4 in /tmp/of/the/visitor/failing.py"
    reading = of_run(exhibit(capture()), Half.FAILING, raised(seen), "0.10.2", edited=True)
    assert reading.recorded == f"ValueError: {MESSAGE}"
    assert reading.recorded_label == "Differs by word from what was recorded on JAX 0.10.2, cpu:8:"
    assert reading.message == "13 rows do not divide by 4 in failing.py"


def test_what_cannot_be_stable_is_no_difference() -> None:
    recorded = capture(message="at 0x7f00aa12 in failing.py:12")
    seen = raised("at 0x7fffbb00 in /tmp/elsewhere/failing.py:14")
    reading = of_run(exhibit(recorded), Half.FAILING, seen, "0.10.2", edited=True)
    assert reading.recorded is None
    assert reading.message == "at 0x7fffbb00 in /tmp/elsewhere/failing.py:14"
    assert reading.verdict == "✗ Your version fails in the same way"


@pytest.mark.parametrize(
    ("half", "outcome", "jax"),
    [
        (Half.FAILING, raised("other"), "0.4.38"),
        (Half.FAILING, dataclasses.replace(raised("other"), target="cpu:4"), "0.10.2"),
        (Half.FIX, raised("other"), "0.10.2"),
        (Half.FAILING, passed(), "0.10.2"),
    ],
    ids=["another version", "another target", "the other half", "no error"],
)
def test_only_a_record_of_the_same_kind_is_compared(half: Half, outcome: RunOutcome, jax: str) -> None:
    reading = of_run(exhibit(capture()), half, outcome, jax, edited=False)
    assert reading.recorded is None


def test_a_run_keeps_its_streams() -> None:
    outcome = dataclasses.replace(raised(), stdout=Output(b"out"), stderr=Output(b"head", 1234, b"tail"))
    reading = of_run(exhibit(), Half.FAILING, outcome, "0.10.2", edited=False)
    assert reading.stdout == "out"
    assert "1,234 bytes dropped" in reading.stderr


# Facts of a run


def test_the_facts_say_how_where_and_how_fast() -> None:
    outcome = dataclasses.replace(
        raised(),
        versions=Versions("0.10.2", "0.10.2", 8, "cpu"),
        timings={"running": 0.5, "finished": 1.25, "ended": 1.5},
        left=2,
        detail="the report broke off",
    )
    assert facts_of(outcome).split(" · ") == [
        "exit status 1",
        "JAX 0.10.2",
        "cpu:8 (8 devices seen)",
        "environment own",
        "1.25 s",
        "2 processes of it were still alive and were ended",
        "the report broke off",
    ]


def test_what_the_verdict_says_is_not_said_twice() -> None:
    assert facts_of(ended(RunStatus.STOPPED, None, "after 2.0 s")) == "cpu:8 · environment own"
    assert facts_of(RunOutcome(RunStatus.NOT_STARTED, None, "", "cpu:8", detail="no JAX")) == "cpu:8"


# Marks


def test_the_mark_of_an_exhibit_comes_from_its_records() -> None:
    proven = mark_of(exhibit(capture(), capture(half=Half.FIX)))
    assert (proven.sign, proven.role, proven.words) == ("✓", "good", "proven on JAX 0.10.2")
    reported = mark_of(exhibit(capture(origin=Origin.REPORTED)))
    assert (reported.sign, reported.role) == ("◦", "doubt")
    assert mark_of(exhibit(capture())).role == mark_of(exhibit()).role == "faint"


@pytest.mark.parametrize("verdict", list(Verdict))
def test_every_verdict_has_a_mark_that_is_told_by_more_than_its_colour(verdict: Verdict) -> None:
    mark = mark_of_verdict(verdict, Half.FIX)
    assert mark.role == ("good" if verdict in (Verdict.REPRODUCES, Verdict.FIX_PASSES) else mark.role)
    assert mark.words == f"fix half just now: {verdict}"
    assert mark.sign in "✓≠✗○"
    assert (mark.sign == "✓") == (mark.role == "good")

"""What a verify has found so far: kept as it is found, and good only for what was really run."""

import dataclasses
from pathlib import Path

import msgspec

from museum.catalog import load_catalog
from museum.exhibit import Half
from museum.lab.environments import Environment, EnvironmentKind
from museum.lab.ledger import Ledger
from museum.lab.target import Target
from museum.lab.verify import Job, Judged, Result, Verdict

EXHIBIT = load_catalog().exhibit("xla/unknown-axis")
HERE = Environment("own", EnvironmentKind.OWN, Path("python"), "3.11.7", "0.10.2", "0.10.2")
JOB = Job(EXHIBIT, Half.FAILING, "0.10.2", Target.cpu(8), HERE)
RESULT = Result(JOB, Judged(Verdict.MESSAGE_CHANGED, "it no longer says 'axis'"))


def test_a_verdict_comes_back_after_an_interruption(tmp_path: Path) -> None:
    file = tmp_path / "new" / "verified.jsonl"
    Ledger(file).note(RESULT)
    later = Ledger(file)
    assert later.known(JOB) is None
    assert later.load() == 1
    again = later.known(dataclasses.replace(JOB))
    assert again is not None
    assert (again.judged, again.outcome) == (RESULT.judged, None)


def test_a_verdict_is_good_for_nothing_else_than_what_was_run(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "verified.jsonl")
    ledger.note(RESULT)
    ledger.load()
    edited = msgspec.structs.replace(EXHIBIT, scripts={**EXHIBIT.scripts, Half.FAILING: "print()\n"})
    others = [
        dataclasses.replace(JOB, half=Half.FIX),
        dataclasses.replace(JOB, jax="0.12.0.1"),
        dataclasses.replace(JOB, target=Target.cpu(4)),
        dataclasses.replace(JOB, environment=dataclasses.replace(HERE, libtpu="0.0.7")),
        dataclasses.replace(JOB, environment=None),
        dataclasses.replace(JOB, obstacle="no network"),
        dataclasses.replace(JOB, exhibit=edited),
        dataclasses.replace(JOB, exhibit=msgspec.structs.replace(EXHIBIT, captures=())),
    ]
    assert [ledger.known(job) for job in others] == [None] * len(others)
    assert ledger.known(JOB) is not None


def test_torn_and_foreign_lines_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "verified.jsonl"
    Ledger(file).note(RESULT)
    whole = file.read_text()
    torn = whole[:40]
    file.write_text(f'[]\n"x"\n{{"key": "k", "verdict": "wonderful", "detail": ""}}\n{whole}{torn}')
    assert Ledger(file).load() == 1


def test_starting_anew_forgets(tmp_path: Path) -> None:
    file = tmp_path / "verified.jsonl"
    ledger = Ledger(file)
    ledger.note(RESULT)
    ledger.load()
    ledger.start_anew()
    assert ledger.known(JOB) is None
    assert not file.exists()
    ledger.start_anew()

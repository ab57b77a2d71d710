"""The visitor's runs: what is kept, found, pinned and let go, and that a crash costs none."""

import os
import signal
import subprocess
import sys
import zlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from museum.errors import MuseumError
from museum.history import History
from museum.lab.outcome import Output, RaisedException, RunOutcome, RunStatus
from museum.run_log import KEPT, RunLog

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def history(tmp_path: Path):
    history = History(tmp_path / "history.sqlite")
    yield history
    history.close()


@pytest.fixture
def log(history: History) -> RunLog:
    return history.runs


def outcome(raised: str = "", out: bytes = b"", **facts: object) -> RunOutcome:
    error, _, message = raised.partition(": ")
    exception = RaisedException(error, message, (), (), 1) if raised else None
    status = RunStatus.FAILED if raised else RunStatus.OK
    values = {"stdout": Output(out), "timings": {"finished": 0.5}, **facts}
    return RunOutcome(status, int(bool(raised)), "own", "cpu:8", exception, **values)  # type: ignore[arg-type]


def test_a_run_comes_back_whole(log: RunLog) -> None:
    ran = outcome("ValueError: 10 rows\nmore", b"before\n")
    wish = {"arguments": ("-v", "a b"), "variables": {"XLA_FLAGS": "--x=1"}}
    number = log.add("xla/one failing", "print('µ')\n", ran, "0.10.2", **wish, at=NOON)
    whole = log.get(number)
    assert (whole.code, whole.arguments, whole.variables) == ("print('µ')\n", ("-v", "a b"), {"XLA_FLAGS": "--x=1"})
    assert (whole.stdout, whole.stderr, whole.dropped) == ("before\n", "", 0)
    run = whole.run
    assert (run.at, run.place, run.target, run.environment, run.jax) == (
        NOON,
        "xla/one failing",
        "cpu:8",
        "own",
        "0.10.2",
    )
    assert (run.status, run.exit_code, run.seconds, run.pinned) == ("failed", 1, 0.5, False)
    assert run.words == "ValueError: 10 rows"
    assert log.find() == [run]


def test_it_survives_reopening_and_a_second_window_sees_it(tmp_path: Path) -> None:
    one, other = History(tmp_path / "h.sqlite"), History(tmp_path / "h.sqlite")
    number = one.runs.add("bench", "print(1)", outcome(), "0.10.2")
    assert [run.id for run in other.runs.find()] == [number]
    other.runs.delete([number])
    assert one.runs.find() == []
    one.close()
    other.close()


@pytest.mark.parametrize("size", [KEPT, KEPT + 1, 10 * KEPT])
def test_of_much_output_beginning_and_end_are_kept_with_what_is_missing(size: int, log: RunLog) -> None:
    text = b"head " + b"x" * (size - 10) + b" tail"
    whole = log.get(log.add("bench", "print(1)", outcome(out=text), "0.10.2"))
    assert whole.stdout.startswith("head ")
    assert whole.stdout.endswith(" tail")
    assert whole.dropped == size - KEPT if size > KEPT else whole.stdout == text.decode()
    assert len(whole.stdout) <= KEPT + 60


def test_another_outcome_of_the_same_run_takes_its_place(log: RunLog) -> None:
    other = log.add("bench", "other", outcome(), "0.10.2")
    first = log.add("bench", "print(1)", outcome(), "0.10.2")
    second = log.add("bench", "print(1)", outcome(out=b"more"), "0.10.2", instead_of=first)
    assert {run.id for run in log.find()} == {other, second}


def test_what_the_lab_dropped_counts_as_missing(log: RunLog) -> None:
    run = outcome(stdout=Output(b"a", 1000, b"b"))
    assert log.get(log.add("bench", "print(1)", run, "0.10.2")).dropped == 1000


def test_pinned_ones_come_first_then_the_newest(log: RunLog) -> None:
    numbers = [log.add(f"bench {number}", "print(1)", outcome(), "0.10.2") for number in range(4)]
    log.pin(numbers[1])
    assert [run.id for run in log.find()] == [numbers[1], numbers[3], numbers[2], numbers[0]]
    log.pin(numbers[1], on=False)
    assert [run.id for run in log.find(most=2)] == [numbers[3], numbers[2]]


def test_runs_are_found_by_words_outcome_and_version(log: RunLog) -> None:
    log.add("xla/one failing", "psum(x, 'data')", outcome("ValueError: 10% of rows_a"), "0.4.38")
    log.add("xla/one fix", "pmean(x)", outcome(), "0.10.2")
    log.add("bench", "PSUM", outcome("TypeError: no"), "0.10.2")

    def places(*words: str, **filters: object) -> list[str]:
        return [run.place for run in log.find(" ".join(words), **filters)]  # type: ignore[arg-type]

    assert places("psum") == ["bench", "xla/one failing"]
    assert places("psum", "valueerror") == ["xla/one failing"]
    assert places("10%") == ["xla/one failing"]
    assert places("rows_a") == ["xla/one failing"]
    assert places("rows-a") == places("%%") == places("!") == []
    assert places(failed=True) == ["bench", "xla/one failing"]
    assert places(failed=False) == ["xla/one fix"]
    assert places(jax="0.10.2") == ["bench", "xla/one fix"]
    assert places("xla/one", failed=True, jax="0.4.38") == ["xla/one failing"]


def test_a_deleted_run_is_told_so(log: RunLog) -> None:
    number = log.add("bench", "print(1)", outcome(), "0.10.2")
    log.delete([number, number + 1])
    with pytest.raises(MuseumError, match=f"run {number} is not in the history any more"):
        log.get(number)


def test_the_oldest_go_when_there_is_no_room_and_pinned_ones_stay(history: History) -> None:
    log = RunLog(history._base, largest=10_000)
    first = log.add("bench", "#" * 3000, outcome(), "0.10.2")
    log.pin(first)
    numbers = [log.add("bench", "#" * 3000, outcome(), "0.10.2") for _ in range(6)]
    assert [run.id for run in log.find()] == [first, numbers[5], numbers[4]]
    assert log.count() == 3
    log.clear()
    assert [run.id for run in log.find()] == [first]


def test_a_script_that_is_no_utf8_is_kept_spelt_out(log: RunLog) -> None:
    assert log.get(log.add("bench", "x = '\udcff'", outcome(), "0.10.2")).code == "x = '\\udcff'"


def test_a_history_of_the_first_museum_is_brought_up_to_date(tmp_path: Path) -> None:
    import sqlite3

    file = tmp_path / "old.sqlite"
    base = sqlite3.connect(file)
    base.execute("create table draft (place text primary key, text text not null, changed text default '') strict")
    base.execute("insert into draft (place, text) values ('a', 'kept')")
    base.execute("pragma user_version = 1")
    base.commit()
    base.close()
    history = History(file)
    history.runs.add("bench", "print(1)", outcome(), "0.10.2")
    assert (history.draft("a"), history.runs.count()) == ("kept", 1)
    history.close()


def test_a_kill_in_mid_write_leaves_whole_runs(tmp_path: Path) -> None:
    program = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_run_log import outcome
from museum.history import History
log = History(Path(sys.argv[1])).runs
while True:
    log.add("bench", "#" * 5000, outcome(out=b"x" * 5000), "0.10.2")
    print("written", flush=True)
"""
    file = tmp_path / "history.sqlite"
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(file), str(Path(__file__).parent)], stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    for _ in range(20):
        assert child.stdout.readline() == b"written\n"
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    history = History(file)
    assert history.note == ""
    runs = history.runs.find()
    assert len(runs) >= 20
    assert all(history.runs.get(run.id).stdout == "x" * 5000 for run in runs)
    history.close()


def test_a_full_disk_is_told_in_one_line_and_costs_nothing(log: RunLog) -> None:
    kept = log.add("bench", "print(1)", outcome(), "0.10.2")
    log._base.execute("pragma max_page_count = 1")
    with pytest.raises(MuseumError, match="the history cannot be used: database or disk is full"):
        log.add("bench", os.urandom(200_000).hex(), outcome(), "0.10.2")
    assert [run.id for run in log.find()] == [kept]


def test_ten_thousand_runs_are_listed_in_part(log: RunLog) -> None:
    packed = zlib.compress(b"out")
    rows = [
        (
            *((NOON + timedelta(seconds=n)).isoformat(), f"bench {n}", "code", "cpu:8", "own", "0.10.2", "[]", "{}"),
            *("ok", 0, "", "", packed, packed, 0, 0.1, 400),
        )
        for n in range(10_000)
    ]
    names = "at, place, code, target, environment, jax, arguments, variables, status, exit_code, error, message"
    statement = f"insert into run ({names}, stdout, stderr, dropped, seconds, size) values ({', '.join('?' * 17)})"
    log._base.execute("begin")
    log._base.executemany(statement, rows)
    log._base.execute("commit")
    assert log.count() == 10_000
    assert len(log.find()) == 200
    assert [run.place for run in log.find("bench 9999")] == ["bench 9999"]


def test_no_more_runs_are_kept_than_are_wanted(history: History) -> None:
    log = history.runs
    log.most = 3
    for number in range(5):
        log.add(f"run {number}", "", outcome(), "0.10.2")
    log.pin(log.find()[-1].id)
    log.add("the last", "", outcome(), "0.10.2")
    assert [run.place for run in log.find()] == ["run 2", "the last", "run 4"]


def test_many_go_at_once_where_fewer_are_wanted_from_now_on(history: History) -> None:
    log = history.runs
    numbers = [log.add(f"run {number}", "", outcome(), "0.10.2") for number in range(250)]
    for pinned in (numbers[0], numbers[40]):
        log.pin(pinned)
    log.most = 5
    log.prune()
    assert [run.id for run in log.find()] == [numbers[40], numbers[0], *numbers[:-4:-1]]
    log.largest = 0
    log.prune()
    assert {run.id for run in log.find()} == {numbers[0], numbers[40]}

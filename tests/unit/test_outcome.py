import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from museum.lab.outcome import ENDED_BY_KEEPER, Output, OutputKeeper, RaisedException, RunOutcome, RunStatus
from museum.lab.protocol import ArraySeen, Frame, MeshSeen, RaisedError, Versions


def split(data: bytes, places: list[int]) -> list[bytes]:
    """`data` cut at `places`, which may repeat and so give empty blocks."""
    cuts = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[start:stop] for start, stop in pairwise(cuts)]


def kept(blocks: list[bytes], most: int) -> tuple[OutputKeeper, Output]:
    keeper = OutputKeeper(most)
    for block in blocks:
        keeper.take(block)
    return keeper, keeper.output()


DATA = st.binary(max_size=400)
CUTS = st.lists(st.integers(0, 400), max_size=12)
ROOMS = st.integers(1, 60).map(lambda half: 2 * half)


@given(DATA, CUTS, ROOMS)
def test_size_head_and_end_do_not_depend_on_how_the_stream_was_cut(data: bytes, cuts: list[int], most: int) -> None:
    keeper, output = kept(split(data, cuts), most)
    _, whole = kept([data], most)
    assert keeper.size == output.size == whole.size == len(data)
    assert data.startswith(output.head)
    assert data.endswith(output.tail)
    assert output.head[: most // 2] == whole.head[: most // 2]
    assert (output.tail or output.head)[-(most // 2) :] == (whole.tail or whole.head)[-(most // 2) :]


@given(DATA, CUTS, ROOMS)
def test_what_is_kept_is_bounded(data: bytes, cuts: list[int], most: int) -> None:
    blocks = split(data, cuts)
    _, output = kept(blocks, most)
    assert len(output.head) + len(output.tail) <= most + max(map(len, blocks))
    if output.dropped:
        assert len(output.head) == most // 2
        assert len(output.tail) >= most // 2


@given(DATA, CUTS)
def test_below_the_bound_nothing_is_dropped(data: bytes, cuts: list[int]) -> None:
    _, output = kept(split(data, cuts), len(data) + len(data) % 2)
    assert output == Output(data)
    assert output.text == data.decode("utf-8", "replace")


def test_a_gap_is_told_in_a_line_of_its_own() -> None:
    _, output = kept([b"a" * 10, b"b" * 10, b"c" * 2000, b"d" * 10, b"e" * 10], 20)
    assert output == Output(b"a" * 10, 2020, b"e" * 10)
    assert output.text == "aaaaaaaaaa\n… 2,020 bytes dropped …\neeeeeeeeee"


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert Output(b"caf\xe9 \xc2\xb5").text == "caf� µ"


def test_nothing_is_an_empty_text() -> None:
    assert OutputKeeper().output() == Output()
    assert Output().text == ""
    assert Output().size == 0


def test_only_a_run_that_ended_well_has_not_failed() -> None:
    for status in RunStatus:
        assert RunOutcome(status, 0, "own", "cpu:8").failed is (status is not RunStatus.OK)


def test_every_reason_of_the_keeper_has_a_status_of_failure() -> None:
    assert set(ENDED_BY_KEEPER) == {"time", "stopped", "abandoned", "memory", "processes", "output"}
    assert RunStatus.OK not in ENDED_BY_KEEPER.values()


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (RunOutcome(RunStatus.OK, 0, "own", "cpu:8"), "ok"),
        (RunOutcome(RunStatus.FAILED, 7, "own", "cpu:8"), "exit status 7"),
        (RunOutcome(RunStatus.FAILED, 1, "own", "cpu:8", RaisedException("KeyError", "'x'", ())), "KeyError: 'x'"),
        (RunOutcome(RunStatus.FAILED, 1, "own", "cpu:8", RaisedException("KeyError", "", ())), "KeyError"),
        (RunOutcome(RunStatus.CRASHED, -11, "own", "cpu:8", detail="killed by SIGSEGV"), "crashed: killed by SIGSEGV"),
        (RunOutcome(RunStatus.STOPPED, -9, "own", "cpu:8"), "stopped"),
    ],
)
def test_an_outcome_is_said_in_one_line(outcome: RunOutcome, words: str) -> None:
    assert str(outcome) == words


def test_an_exception_is_taken_over_from_the_gate() -> None:
    frame = Frame("snippet.py", 3, "<module>", True)
    raised = RaisedError("ValueError", "no", (frame,), ("a note",), 3)
    assert RaisedException.of(raised) == RaisedException("ValueError", "no", (frame,), ("a note",), 3)


def test_an_outcome_as_json_is_plain_and_whole() -> None:
    outcome = RunOutcome(
        RunStatus.FAILED,
        1,
        "own",
        "cpu:8",
        RaisedException("ValueError", "no", (Frame("snippet.py", 3, "f", True),), ("a note",), 3),
        Output(b"printed\n"),
        Output(b"log\n"),
        (MeshSeen("mesh", (("data", 8, "auto"),), tuple(range(8))),),
        (ArraySeen("x", (8,), "float32", "live", (("data",),), "device", {0: ((0, 1),)}, None),),
        Versions("0.10.2", "0.10.2", 8, "cpu"),
        {"ended": 1.5},
        "told",
    )
    assert json.loads(json.dumps(outcome.as_json())) == {
        "status": "failed",
        "detail": "told",
        "exit_code": 1,
        "exception": {
            "class": "ValueError",
            "message": "no",
            "frames": [{"file": "snippet.py", "line": 3, "function": "f", "own": True}],
            "notes": ["a note"],
            "line": 3,
        },
        "stdout": "printed\n",
        "stderr": "log\n",
        "meshes": [{"name": "mesh", "axes": [["data", 8, "auto"]], "device_ids": list(range(8))}],
        "arrays": [
            {
                "name": "x",
                "shape": [8],
                "dtype": "float32",
                "state": "live",
                "spec": [["data"]],
                "memory_kind": "device",
                "shards": {"0": [[0, 1]]},
                "mesh": None,
            }
        ],
        "jax": "0.10.2",
        "environment": "own",
        "target": "cpu:8",
        "timings": {"ended": 1.5},
    }


def test_an_outcome_without_exception_or_jax_says_null() -> None:
    plain = RunOutcome(RunStatus.OK, 0, "own", "cpu:8").as_json()
    assert plain["exception"] is None
    assert plain["jax"] is None

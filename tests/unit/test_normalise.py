import pytest
from hypothesis import given
from hypothesis import strategies as st

from museum.lab.normalise import before_traceback, comparable, without_directories

SAME = {
    "a package below two environments": (
        'File "/home/ann/one/lib/python3.11/site-packages/jax/_src/pjit.py", line 12, in f',
        'File "/opt/two/lib/python3.13/site-packages/jax/_src/pjit.py", line 3456, in f',
    ),
    "a package of the distribution": (
        "/usr/lib/python3/dist-packages/numpy/core.py:12: UserWarning",
        "/venv/lib/python3.12/site-packages/numpy/core.py:99: UserWarning",
    ),
    "the standard library": (
        'File "/usr/lib/python3.11/threading.py", line 1',
        'File "/home/ann/.pyenv/versions/3.11.7/lib/python3.11/threading.py", line 2',
    ),
    "the script's own directory": ("/tmp/xla-museum-abcdefgh/failing.py:12", "/var/tmp/other_1/failing.py:3"),
    "a position with columns": ("see snippet.py:12:4 to 13:20", "see snippet.py:1:2 to 3:4"),
    "a position that ends in its own line": ("see snippet.py:12:4 to :20", "see snippet.py:9:1 to :3"),
    "a C++ source": ("external/xla/xla/service/compiler.cc:123] no", "external/xla/xla/service/compiler.cc:9] no"),
    "an address": ("<object at 0x7f3a2b1c4d5e>", "<object at 0x55d0c0ffee00>"),
    "an id": ("Tracer<id=139876543210>", "Tracer<id=1>"),
    "a process": ("pid 4711 ended, PID=4711", "pid 12 ended, PID=9"),
    "a time": ("at 2026-11-30 12:13:14.567 it", "at 2027-01-02T03:04:05 it"),
    "a log line of XLA": (
        "E1130 12:13:14.567890   4711 compiler.cc:12] no\n",
        "E0102 01:02:03.000004 4712345 compiler.cc:12] no\n",
    ),
    "a log line of a joined process": (
        "[0] E1130 12:13:14.567890   4711 compiler.cc:12] no\n",
        "[0] E0102 01:02:03.000004 4712345 compiler.cc:12] no\n",
    ),
    "lines of several processes": ("[0] a\n[1] c\n[0] b\n", "[1] c\n[0] a\n[0] b\n"),
    "a port of this machine": ("coordinator 127.0.0.1:53863", "coordinator 127.0.0.1:1234"),
    "Gloo's greeting": (
        "[0] [Gloo] Rank 0 is connected to 1 peer ranks. Expected number of connected peer ranks is : 1\n[0] step",
        "[0] step",
    ),
    "the order of a set": ("axes {'data', 'model', 'seq'} vary", "axes {'seq', 'data', 'model'} vary"),
    "white space at both ends": ("\n text \n\n", "text"),
}


@pytest.mark.parametrize("pair", SAME.values(), ids=SAME)
def test_what_cannot_be_stable_is_ignored(pair: tuple[str, str]) -> None:
    one, other = pair
    assert one != other
    assert comparable(one) == comparable(other)


DIFFERENT = {
    "the order within a process": ("[0] a\n[0] b\n[1] c", "[0] b\n[0] a\n[1] c"),
    "who said it": ("[0] a\n[1] b", "[1] a\n[0] b"),
    "lines that are no process's": ("b\na", "a\nb"),
    "an address elsewhere": ("192.0.2.10:8476", "192.0.2.10:8477"),
    "sizes": ("dimension 0 of size 10 over 4", "dimension 0 of size 10 over 8"),
    "shapes": ("shape (10, 4)", "shape (10, 5)"),
    "axis names": ("axis 'data'", "axis 'model'"),
    "device ids in a list": ("device_ids [0 1 2 3]", "device_ids [0 1 2 4]"),
    "the files at fault": ("/a/failing.py:3: no", "/a/fix.py:3: no"),
    "the packages at fault": ("/e/site-packages/jax/a.py:3: no", "/e/site-packages/numpy/a.py:3: no"),
    "short hexadecimal numbers": ("flag 0x1f", "flag 0x2f"),
    "memory": ("exceeds available HBM (31.24G)", "exceeds available HBM (31.25G)"),
    "severities": ("E1130 12:13:14.5 1 a.cc:1] x", "W1130 12:13:14.5 1 a.cc:1] x"),
    "error codes": ("RESOURCE_EXHAUSTED: E1000: no", "RESOURCE_EXHAUSTED: E1001: no"),
    "inner white space": ("a b", "a  b"),
    "paths of links": (
        "see https://openxla.org/xla/errors/error_1000",
        "see https://openxla.org/xla/errors/error_1001",
    ),
    "ratios": ("1/2 done", "1/3 done"),
    "memory kinds": ("unpinned_host", "pinned_host"),
}


@pytest.mark.parametrize("pair", DIFFERENT.values(), ids=DIFFERENT)
def test_different_messages_stay_different(pair: tuple[str, str]) -> None:
    one, other = pair
    assert comparable(one) != comparable(other)


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("/home/ann/e/lib/python3.11/site-packages/jax/_src/pjit.py:12", "jax/_src/pjit.py:12"),
        ("/usr/lib/python3.11/json/decoder.py", "json/decoder.py"),
        ('File "/tmp/xla-museum-abcdefgh/failing.py", line 3', 'File "failing.py", line 3'),
        ("(/tmp/a/snippet.py:3)", "(snippet.py:3)"),
        ("external/xla/xla/pjrt.cc:12", "external/xla/xla/pjrt.cc:12"),
        ("https://docs.jax.dev/en/latest/notebooks/page.py", "https://docs.jax.dev/en/latest/notebooks/page.py"),
        ("rows/columns and a / b", "rows/columns and a / b"),
        ("0x7f3a2b1c4d5e, line 12", "0x7f3a2b1c4d5e, line 12"),
        ("/dev/null", "/dev/null"),
    ],
)
def test_a_capture_leaves_out_directories_and_nothing_else(text: str, cut: str) -> None:
    assert without_directories(text) == cut


def test_what_is_normalised_stays_so() -> None:
    for pair in (*SAME.values(), *DIFFERENT.values()):
        for text in pair:
            assert comparable(comparable(text)) == comparable(text)
            assert without_directories(without_directories(text)) == without_directories(text)


TRACEBACK = 'Traceback (most recent call last):\n  File "snippet.py", line 1, in <module>\nValueError: no\n'


@pytest.mark.parametrize(
    ("stderr", "before"),
    [
        ("", ""),
        ("a log line\n", "a log line\n"),
        (TRACEBACK, ""),
        ("a warning\n" + TRACEBACK, "a warning\n"),
        ("a warning\n" + TRACEBACK + "\nDuring handling …\n\n" + TRACEBACK, "a warning\n"),
        ("log: Traceback (most recent call last):\n", "log: Traceback (most recent call last):\n"),
    ],
)
def test_what_stands_before_the_first_traceback_is_kept(stderr: str, before: str) -> None:
    assert before_traceback(stderr) == before


LINES = st.lists(
    st.sampled_from(
        (
            "",
            "plain",
            "/a/b/site-packages/jax/x.py:12:3 to 4:5",
            '  File "/usr/lib/python3.11/ast.py", line 3, in f',
            "I1130 12:00:00.123456   77 a.cc:5] pid=7 id=3 0xdeadbeef",
            "[1] [Gloo] Rank 1 is connected to 7 peer ranks. Expected number of connected peer ranks is : 7",
            "{'b', 'a'}",
            "[0] one",
            "localhost:1234 2026-11-30 12:00:01",
        )
    ),
    max_size=20,
)


@given(LINES)
def test_long_texts_are_changed_block_by_block_as_in_one_piece(lines: list[str]) -> None:
    text = "\n".join(lines)
    whole = comparable(text), without_directories(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("museum.lab.normalise.BLOCK", 5)
        assert (comparable(text), without_directories(text)) == whole

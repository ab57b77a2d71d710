import pytest

from museum.diagnosis.folding import fold_traceback

HEAD = "Traceback (most recent call last):"
OWN = '  File "/home/ann/train.py", line 3, in <module>\n    step(x)'
IN_JAX = '  File "/v/lib/python3.11/site-packages/jax/_src/pjit.py", line 9, in f\n    return g(x)\n           ^^^^'
IN_NUMPY = '  File "/v/lib/python3.11/site-packages/numpy/core.py", line 9, in h\n    return g(x)'
IN_PYTHON = '  File "/usr/lib/python3.11/runpy.py", line 9, in main\n    exec(code)'
FROZEN = '  File "<frozen importlib._bootstrap>", line 1027, in _find_and_load'
LAST = "ValueError: no"


def lines(*parts: str) -> str:
    return "\n".join(parts)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        (lines(HEAD, OWN, IN_JAX, LAST), lines(HEAD, OWN, "  … 1 frame of JAX …", LAST)),
        (lines(HEAD, OWN, IN_JAX, IN_JAX, LAST), lines(HEAD, OWN, "  … 2 frames of JAX …", LAST)),
        (
            lines(HEAD, OWN, IN_JAX, IN_NUMPY, IN_JAX, LAST),
            lines(HEAD, OWN, "  … 3 frames of JAX and numpy …", LAST),
        ),
        (
            lines(HEAD, IN_PYTHON, OWN, IN_JAX, OWN, LAST),
            lines(HEAD, "  … 1 frame of Python …", OWN, "  … 1 frame of JAX …", OWN, LAST),
        ),
        (lines(HEAD, OWN, FROZEN, LAST), lines(HEAD, OWN, "  … 1 frame of Python …", LAST)),
        (lines(HEAD, OWN, IN_JAX), lines(HEAD, OWN, "  … 1 frame of JAX …")),
        (lines(HEAD, OWN, LAST), lines(HEAD, OWN, LAST)),
    ],
)
def test_frames_of_libraries_become_one_line(text: str, folded: str) -> None:
    assert fold_traceback(text) == folded


def test_a_debian_package_is_a_library_too() -> None:
    text = lines('  File "/usr/lib/python3/dist-packages/scipy/linalg.py", line 9, in f', "    return g(x)")
    assert fold_traceback(text) == "  … 1 frame of scipy …"


@pytest.mark.parametrize(
    "text",
    [
        "",
        LAST,
        "a log line\n\nanother",
        lines(HEAD, OWN, LAST, "    an indented note", "  another"),
        '  File "/home/ann/site-packages.py", line 3, in <module>\n    step(x)',
        "  File \"snippet.py\", line 1\n    x = (\n        ^\nSyntaxError: '(' was never closed",
        'see File "/v/lib/python3.11/site-packages/jax/a.py", line 9, in f',
    ],
)
def test_what_is_no_frame_of_a_library_stays(text: str) -> None:
    assert fold_traceback(text) == text


def test_chained_errors_are_folded_one_by_one() -> None:
    between = "\nThe above exception was the direct cause of the following exception:\n"
    text = lines(HEAD, OWN, IN_JAX, LAST, between, HEAD, OWN, IN_NUMPY, IN_NUMPY, LAST)
    assert fold_traceback(text) == lines(
        HEAD, OWN, "  … 1 frame of JAX …", LAST, between, HEAD, OWN, "  … 2 frames of numpy …", LAST
    )


def test_every_message_and_every_frame_of_the_visitors_own_survive() -> None:
    text = lines(HEAD, IN_PYTHON, OWN, IN_JAX, OWN, IN_NUMPY, IN_JAX, LAST, "a second line", "")
    folded = fold_traceback(text)
    assert folded.count(OWN) == text.count(OWN)
    assert lines(LAST, "a second line") in folded
    assert "site-packages" not in folded

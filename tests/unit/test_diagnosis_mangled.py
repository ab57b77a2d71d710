"""Whatever happens to a traceback on its way into a paste, the answer stays the same."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mangling import MANGLERS, traceback_of

from museum.catalog import load_catalog
from museum.diagnosis.answer import Answer
from museum.diagnosis.cleaning import READ_AT_MOST, picked
from museum.diagnosis.diagnose import Diagnosis
from museum.diagnosis.examples import printed
from museum.diagnosis.reading import read

CATALOG = load_catalog(check=False)
DIAGNOSIS = Diagnosis(CATALOG)
SAID = [
    (error, message)
    for exhibit in CATALOG.exhibits
    for _, error, message in list(printed(exhibit))[:1]
    if error.endswith("Error") and 40 < len(message) < 600 and "\n\n" not in message
]
LINES = ["step 1: loss 0.3", "I1130 10:00:00.000000 17 service.cc:148] XLA service 0x1 initialized", ""]
FRAME = '  File "/v/lib/python3.12/site-packages/jax/_src/lax/lax.py", line 77, in add\n    raise error\n'
AXIS = "Resource axis: rows of P('rows',) is not found in mesh: ('data', 'model')."
LAST = traceback_of("ValueError", AXIS)


def gist(answer: Answer) -> tuple[object, ...]:
    return answer.reading.error, [hit.id for hit in answer.exhibits[:1]]


@pytest.mark.parametrize("name", [name for name in MANGLERS if name != "cut off"])
@settings(max_examples=12, deadline=None)
@given(st.sampled_from(SAID))
def test_class_and_exhibit_stay(name: str, said: tuple[str, str]) -> None:
    plain = traceback_of(*said, FRAME)
    assert gist(DIAGNOSIS.explain(MANGLERS[name](plain))) == gist(DIAGNOSIS.explain(plain))


@pytest.mark.parametrize("outer", ["Kubernetes", "torchrun", "Ray", "absl", "time stamps", "Compose"])
@pytest.mark.parametrize("inner", ["coloured", "chained", "with JAX's note", "wrapped at 80 columns", "in a group"])
def test_two_at_once(inner: str, outer: str) -> None:
    for said in SAID[::20]:
        text = traceback_of(*said)
        assert gist(DIAGNOSIS.explain(MANGLERS[outer](MANGLERS[inner](text)))) == gist(DIAGNOSIS.explain(text))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=20), st.lists(st.sampled_from(LINES[1:]), max_size=20))
def test_what_stands_around_does_not_matter(before: list[str], behind: list[str]) -> None:
    text = "\n".join((*before, LAST.rstrip("\n"), *behind))
    assert gist(DIAGNOSIS.explain(text)) == gist(DIAGNOSIS.explain(LAST))


def test_two_long_lines_of_one_length_are_two_lines() -> None:
    line = (
        "  * the carry component state[0] has type float32[] but the output has type float32[]{V:data}, so they differ;"
    )
    message = f"while_loop carry input and output must have equal types, but they differ:\n{line}\n{line}\n{line}"
    assert read(traceback_of("TypeError", message)).message == message


@pytest.mark.parametrize("where", [0, 1, 2])
def test_of_a_huge_log_the_part_with_the_error_is_read(where: int) -> None:
    log = "".join(f"step {step}: loss {1 / (step + 1):.6f}\n" for step in range(20_000))
    text = (LAST + log, log + LAST + log, log + LAST)[where]
    assert len(picked(text)) <= READ_AT_MOST + 2
    assert DIAGNOSIS.explain(text).exhibits[0].id == "xla/unknown-axis"


def test_what_is_not_huge_is_read_whole() -> None:
    assert picked(LAST) is LAST

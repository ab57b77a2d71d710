"""Errors without words: what the visitor's own line calls tells which exhibit explains them."""

import pytest

from museum.catalog import load_catalog
from museum.diagnosis.calls import is_wordless
from museum.diagnosis.diagnose import Diagnosis
from museum.diagnosis.reading import read

CATALOG = load_catalog(check=False)
DIAGNOSIS = Diagnosis(CATALOG)


def traceback(code: str, error: str) -> str:
    return f'Traceback (most recent call last):\n  File "/home/me/train.py", line 41, in step\n    {code}\n{error}\n'


@pytest.mark.parametrize(
    ("code", "error", "exhibit"),
    [
        (
            'x = lax.psum(x, "i", axis_index_groups=groups)',
            "NotImplementedError",
            "shard-map/psum-index-groups",
        ),
        ('total = jax.lax.psum(loss, "batch")', "AssertionError", "shard-map/psum-wrong-axis-name"),
        ('total = jax.lax.psum(loss, "batch")', "KeyError: 'batch'", "shard-map/psum-wrong-axis-name"),
        (
            "return jax.vmap(jax.jacrev(field))(points)",
            "TypeError: 'NoneType' object is not iterable",
            "shard-map/jacrev",
        ),
    ],
)
def test_class_and_line_lead_to_the_exhibit(code: str, error: str, exhibit: str) -> None:
    first = DIAGNOSIS.explain(traceback(code, error)).exhibits[0]
    assert first.id == exhibit
    assert first.explains
    assert "at a line of yours with" in first.reasons[0]


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("for batch in loader:", "TypeError: 'NoneType' object is not iterable"),
        ("raise NotImplementedError", "NotImplementedError"),
        ('rate = config["learning_rate"]', "KeyError: 'learning_rate'"),
        ('total = jax.lax.psum(loss, "batch")', "NotImplementedError"),
        ("assert len(batch) == 8", "AssertionError"),
    ],
)
def test_another_line_or_class_leads_to_none(code: str, error: str) -> None:
    assert DIAGNOSIS.explain(traceback(code, error)).exhibits == ()


def test_without_a_line_a_wordless_error_is_explained_by_none() -> None:
    for text in ("NotImplementedError", "AssertionError", "TypeError: 'NoneType' object is not iterable"):
        assert DIAGNOSIS.explain(text).exhibits == ()


def test_what_has_words() -> None:
    assert is_wordless("AssertionError", "")
    assert is_wordless("KeyError", "'replica'")
    assert is_wordless("TypeError", "'NoneType' object is not iterable")
    assert not is_wordless("NameError", "unbound axis name: replica")
    assert not is_wordless("TypeError", "'NoneType' object is not iterable while tracing")


PYTHON = """Traceback (most recent call last):
  File "a.py", line 3, in f
    y = jnp.dot(
        ^^^^^^^^
  File "/venv/lib/python3.12/site-packages/jax/_src/api.py", line 9, in g
    secret()
AssertionError"""
IPYTHON = """File ~/a.py:3, in f(x)
      2 x = 1
----> 3 y = jnp.dot(
      4     x, x)

AssertionError: """


@pytest.mark.parametrize("text", [PYTHON, IPYTHON], ids=["python", "ipython"])
def test_the_line_that_is_shown_of_a_frame(text: str) -> None:
    own = read(text).own
    assert own is not None
    assert "jnp.dot(" in own.code
    assert "secret" not in own.code
    assert "x = 1" not in own.code


def test_types_that_do_not_vary_are_another_error() -> None:
    said = "ValueError: unexpected JAX type (e.g. shape/dtype) for argument to vjp function: got {}, but expected {}"
    tail = " because the corresponding output of the function field had JAX type float32[3]"
    varying = said.format("float32[3]", "float32[3]{V:batch}") + tail + "{V:batch}"
    assert DIAGNOSIS.explain(varying).exhibits[0].id == "shard-map/jacrev"
    assert DIAGNOSIS.explain(said.format("float32[4]", "float32[3]") + tail).exhibits == ()


@pytest.mark.parametrize(
    "exhibit",
    [
        "explicit/vmap-of-inverse",
        "memory/debug-nans-with-donation",
        "memory/donated-then-printed",
        "sharding/incompatible-devices-submesh",
        "legacy/pmap-output-mixed-with-single-device",
    ],
)
def test_of_exhibits_with_one_message_the_one_with_the_same_values_comes_first(exhibit: str) -> None:
    capture = CATALOG.exhibit(exhibit).capture_for("0.10.2")
    assert capture is not None
    hits = DIAGNOSIS.explain(f"{capture.error}: {capture.message}").exhibits
    assert hits[0].id == exhibit
    assert hits[1].score == hits[0].score

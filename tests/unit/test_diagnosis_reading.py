"""Whatever people paste is read to the same error: plain, coloured, prefixed, wrapped, cut, interleaved."""

import html
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from museum.diagnosis.reading import Reading, read

MESSAGE = (
    "One of device_put args was given the sharding of NamedSharding(mesh=Mesh('data': 4, 'model': 2), "
    "spec=PartitionSpec('data', 'model'), memory_kind=unpinned_host), which implies that the global size of its "
    "dimension 0 should be divisible by 4, but it is equal to 10 (full shape: (10, 16))"
)
LAST = f"ValueError: {MESSAGE}"
PLAIN = f"""Traceback (most recent call last):
  File "/home/me/train.py", line 30, in main
    batch = jax.device_put(batch, sharding)
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/venv/lib/python3.12/site-packages/jax/_src/api.py", line 2171, in device_put
    return tree_unflatten(treedef, out_flat)
  File "/venv/lib/python3.12/site-packages/jax/_src/pjit.py", line 1459, in pjit_check_aval_sharding
    raise ValueError(f'One of {{what_aval}}{{name_str}} was given the sharding '
{LAST}
"""
FILTERED = f"""Traceback (most recent call last):
  File "/home/me/train.py", line 30, in main
    batch = jax.device_put(batch, sharding)
{LAST}
--------------------
For simplicity, JAX has removed its internal frames from the traceback of the following exception. \
Set JAX_TRACEBACK_FILTERING=off to include these.
"""


def squeezed(text: str) -> str:
    return " ".join(text.split())


def is_it(reading: Reading) -> bool:
    return (reading.error, squeezed(reading.message)) == ("ValueError", MESSAGE)


def test_a_traceback() -> None:
    reading = read(PLAIN)
    assert is_it(reading)
    assert [frame.file for frame in reading.frames] == ["jax/_src/pjit.py", "jax/_src/api.py"]
    assert (reading.frames[0].line, reading.frames[0].function) == (1459, "pjit_check_aval_sharding")
    assert str(reading.own) == "/home/me/train.py:30 in main"
    assert not reading.is_part


def test_with_jax_s_frames_hidden_no_frame_of_jax_is_taken_for_the_one_that_raised() -> None:
    reading = read(FILTERED)
    assert is_it(reading)
    assert reading.frames == ()
    assert str(reading.own) == "/home/me/train.py:30 in main"


def test_unfiltered_and_filtered_in_one() -> None:
    text = f"""jax._src.traceback_util.UnfilteredStackTrace: {LAST}

The stack trace below excludes JAX-internal frames.
The preceding is the original exception that occurred, unmodified.

--------------------

The above exception was the direct cause of the following exception:

{FILTERED}"""
    full = PLAIN.removesuffix(f"{LAST}\n") + text
    reading = read(full)
    assert is_it(reading)
    assert reading.frames[0].file == "jax/_src/pjit.py"
    assert str(reading.own) == "/home/me/train.py:30 in main"


def test_the_last_of_chained_errors_counts() -> None:
    other = (
        'Traceback (most recent call last):\n  File "/home/me/data.py", line 3, in load\n    d["x"]\nKeyError: \'x\'\n'
    )
    reading = read(f"{other}\nDuring handling of the above exception, another exception occurred:\n\n{PLAIN}")
    assert is_it(reading)
    assert reading.own is not None
    assert reading.own.file == "/home/me/train.py"


def test_a_group() -> None:
    inner = "\n".join(f"    | {line}" for line in PLAIN.splitlines())
    text = (
        "  + Exception Group Traceback (most recent call last):\n"
        '  |   File "/home/me/main.py", line 5, in <module>\n'
        "  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)\n"
        f"  +-+---------------- 1 ----------------\n{inner}\n    +------------------------------------\n"
    )
    reading = read(text)
    assert squeezed(reading.message) == MESSAGE


@pytest.mark.parametrize(
    "prefix",
    [
        "[rank 3] ",
        "[rank3]: ",
        "(train pid=4711, ip=10.0.0.7) ",
        "worker-0  | ",
        "2026-11-30T04:54:20.964Z stderr F ",
        "2026-11-30 04:54:20,964 ERROR ",
        "[2026-11-30 04:54:20] ",
        "[0] ",
        "1: ",
        "E   ",
        "> ",
    ],
)
def test_prefixes_of_collectors_launchers_and_pytest(prefix: str) -> None:
    reading = read("\n".join(prefix + line for line in PLAIN.splitlines()))
    assert is_it(reading)
    if prefix.strip() != "E":
        assert reading.frames[0].line == 1459


def test_ranks_by_turns() -> None:
    other = PLAIN.replace("equal to 10", "equal to 11").replace("(10, 16)", "(11, 16)")
    pairs = zip(PLAIN.splitlines(), other.splitlines(), strict=True)
    text = "\n".join(f"[rank0] {one}\n[rank1] {two}" for one, two in pairs)
    assert is_it(read(text))


def test_a_rank_that_only_logs_is_not_the_one() -> None:
    quiet = "[rank0] step 1\n[rank0] step 2\n"
    assert is_it(read(quiet + "\n".join(f"[rank1] {line}" for line in PLAIN.splitlines())))


def test_colours() -> None:
    assert is_it(read(PLAIN.replace("ValueError", "\x1b[0;31mValueError\x1b[0m").replace("File", "\x1b[1mFile\x1b[0m")))
    assert is_it(read(PLAIN.replace("ValueError", "[0;31mValueError[0m")))


def test_markup() -> None:
    text = "<pre>" + html.escape(PLAIN).replace("ValueError", '<span class="ansi-red-fg">ValueError</span>') + "</pre>"
    assert is_it(read(text))


def test_names_in_angle_brackets_are_no_markup() -> None:
    reading = read("TypeError: got <class 'str'> in <lambda> of <b>")
    assert reading.message == "got <class 'str'> in <lambda> of <b>"


def test_a_notebook_s_file() -> None:
    cell = {"output_type": "error", "traceback": PLAIN.splitlines()}
    assert is_it(read(json.dumps(cell, indent=1)))


def test_ipython() -> None:
    text = f"""---------------------------------------------------------------------------
ValueError                                Traceback (most recent call last)
Cell In[7], line 3
      1 sharding = NamedSharding(mesh, P('data', 'model'))
----> 3 batch = jax.device_put(batch, sharding)

File ~/venv/lib/python3.12/site-packages/jax/_src/pjit.py:1459, in pjit_check_aval_sharding(shardings, flat_avals)
   1457   raise ValueError(
-> 1459       f'One of')

{LAST}
"""
    reading = read(text)
    assert is_it(reading)
    assert (reading.frames[0].file, reading.frames[0].line) == ("jax/_src/pjit.py", 1459)
    assert str(reading.own) == "Cell In[7]:3"


def test_pytest() -> None:
    text = f"""    def test_put():
>       jax.device_put(x, s)

test_train.py:12:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _
E       {LAST}

/venv/lib/python3.12/site-packages/jax/_src/pjit.py:1459: ValueError
=========================== short test summary info ============================
FAILED test_train.py::test_put - ValueError
"""
    reading = read(text)
    assert is_it(reading)


@pytest.mark.parametrize("width", [72, 80, 100, 120])
def test_hard_wrapped(width: int) -> None:
    wrapped = "\n".join(
        line[start : start + width] for line in PLAIN.splitlines() for start in range(0, max(len(line), 1), width)
    )
    reading = read(wrapped)
    assert (reading.error, "".join(reading.message.split())) == ("ValueError", "".join(MESSAGE.split()))


@pytest.mark.parametrize("lines", range(1, 9))
def test_cut_at_the_top(lines: int) -> None:
    assert is_it(read("\n".join(PLAIN.splitlines()[lines:])))


def test_cut_in_the_middle_of_the_message() -> None:
    reading = read(PLAIN[: -len(MESSAGE) // 2])
    assert reading.error == "ValueError"
    assert MESSAGE.startswith(squeezed(reading.message))


def test_one_line_and_a_piece() -> None:
    assert is_it(read(LAST))
    piece = read("which implies that the global size of its dimension 0 should be divisible by 4")
    assert piece.is_part
    assert piece.message == "which implies that the global size of its dimension 0 should be divisible by 4"


def test_a_message_of_several_paragraphs_is_whole() -> None:
    said = (
        "shard_map applied to the function 'f' was given an in_specs entry which is too long\n\n"
        "in_specs[1] is P(None,)\n\nEntries must be shorter."
    )
    assert (
        read(f'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: {said}\n').message
        == said
    )


def test_an_error_that_carries_another() -> None:
    reading = read("jax._src.source_info_util.JaxStackTraceBeforeTransformation: ValueError: unbound axis name: i")
    assert (reading.error, reading.message) == ("ValueError", "unbound axis name: i")


def test_log_lines_of_xla_and_absl() -> None:
    reading = read(
        "2024-12-21 17:32:07.609345: E external/xla/xla/service/spmd/spmd_partitioner.cc:613] [spmd] Involuntary full "
        "rematerialization. The compiler was not able to go on"
    )
    assert reading.message.startswith("[spmd] Involuntary")
    assert reading.logged_at == "spmd_partitioner.cc:613"
    absl = read("I1130 05:22:00.000001 29840 a.cc:1] fine\nE1130 05:22:06.026480   32278 b.cc:652] not fine")
    assert (absl.message, absl.logged_at) == ("not fine", "b.cc:652")


def test_a_status_and_a_code() -> None:
    reading = read(
        "jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: E1000: CompileTimeHbmOom: Ran out of memory on HBM.\n"
        "See https://openxla.org/xla/errors/error_1000 for more details."
    )
    assert (reading.status, reading.code) == ("RESOURCE_EXHAUSTED", "E1000")
    assert "jaxlib.xla_extension.XlaRuntimeError" in reading.names


def test_a_warning() -> None:
    reading = read(
        "train.py:4: DeprecationWarning: jax.experimental.shard_map is deprecated in v0.8.0.\n  from jax import a"
    )
    assert reading.error == "DeprecationWarning"
    assert str(reading.own) == "train.py:4"


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("jax==0.4.38\n", "0.4.38"),
        ("jax: 0.10.2 jaxlib: 0.10.2\n", "0.10.2"),
        ("/cache/jax-0.6.2/jax/_src/a.py\n", "0.6.2"),
        ("was deprecated in JAX v0.6.0 and removed in JAX v0.7.0\n", ""),
        ("nothing\n", ""),
    ],
)
def test_the_version_where_it_is_told(text: str, version: str) -> None:
    assert read(text).jax == version


def test_mlir_locations_stay_in_the_message() -> None:
    text = 'MLIRError: Verification failed:\nerror: "/swap"(callsite("kernel")): \'vector.shape_cast\' op operand #0'
    assert "'vector.shape_cast' op operand #0" in read(text).message


@given(st.text(max_size=2000))
def test_never_raises(text: str) -> None:
    read(text)


@given(st.lists(st.sampled_from(PLAIN.splitlines() + FILTERED.splitlines() + ["", "[rank1] x", "E   y"]), max_size=30))
def test_any_order_of_lines_is_read(lines: list[str]) -> None:
    read("\n".join(lines))

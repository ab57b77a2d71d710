"""Pasted errors get their exhibits, reasons, places and values; what no exhibit explains is said so."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from museum.catalog import load_catalog
from museum.diagnosis.calls import is_wordless
from museum.diagnosis.class_names import are_related, are_same, names_of
from museum.diagnosis.diagnose import Diagnosis
from museum.diagnosis.site_index import RaiseSite, SiteIndex
from museum.diagnosis.skeletons import HOLE, relation, skeleton
from museum.diagnosis.textual import as_text
from museum.diagnosis.wordings import load_wordings
from museum.errors import MuseumError
from museum.exhibit import Half, Origin, OutcomeKind

CATALOG = load_catalog(check=False)
DIAGNOSIS = Diagnosis(CATALOG)
INDIVISIBLE = (
    "ValueError: One of device_put args was given the sharding of NamedSharding(mesh=Mesh('rows': 4, 'cols': 2), "
    "spec=PartitionSpec('rows', 'cols'), memory_kind=unpinned_host), which implies that the global size of its "
    "dimension 0 should be divisible by 4, but it is equal to 10 (full shape: (10, 16))"
)


def test_the_exhibit_the_reasons_and_the_values() -> None:
    answer = DIAGNOSIS.explain(INDIVISIBLE)
    first = answer.exhibits[0]
    assert first.id == "xla/indivisible-dimension"
    assert first.explains
    assert first.reasons[0].startswith("same class and message")
    values = {value.name: value.text for value in answer.values}
    assert (values["dimension"], values["size"], values["parts"]) == ("0", "10", "4")
    assert values["mesh"] == "rows=4,cols=2"
    assert values["axes"] == "rows, cols"
    assert answer.layout is not None
    assert answer.layout[2] == (10, 16)


def test_what_differs_is_said() -> None:
    answer = DIAGNOSIS.explain("ValueError: Resource axis: rows of P('rows',) is not found in mesh: ('data', 'model').")
    assert answer.exhibits[0].id == "xla/unknown-axis"
    assert "only" in answer.exhibits[0].reasons[0]
    assert "differ" in answer.exhibits[0].reasons[0]


@pytest.mark.parametrize("exhibit", CATALOG.exhibits, ids=lambda exhibit: exhibit.id)
def test_every_exhibit_s_own_message_leads_to_it_or_to_one_with_the_same_message(exhibit) -> None:
    for capture in exhibit.captures:
        if capture.half is not Half.FAILING or not capture.message or capture.origin is Origin.REPORTED:
            continue
        answer = DIAGNOSIS.explain(f"{capture.error}: {capture.message}")
        ids = [hit.id for hit in answer.exhibits]
        words = skeleton(capture.message)
        if len(words) < 2 or exhibit.facts.kind is OutcomeKind.SILENT or is_wordless(capture.error, capture.message):
            continue
        best = answer.exhibits[0].score if answer.exhibits else 0.0
        assert exhibit.id in ids or best > 0.97, (capture.jax, capture.message[:200])


@pytest.mark.parametrize(
    "text",
    [
        "FileNotFoundError: [Errno 2] No such file or directory: 'data.csv'",
        "ModuleNotFoundError: No module named 'torch'",
        "KeyError: 'learning_rate'",
        "ZeroDivisionError: division by zero",
        "AttributeError: 'NoneType' object has no attribute 'shape'",
        "RuntimeError: CUDA error: device-side assert triggered",
        "ValueError: could not broadcast input array from shape (3,) into shape (4,)",
        "ConnectionResetError: [Errno 104] Connection reset by peer",
        "it does not work",
        "",
    ],
)
def test_no_exhibit_is_an_honest_answer(text: str) -> None:
    answer = DIAGNOSIS.explain(text)
    assert answer.exhibits == ()
    assert answer.verdict.startswith("no exhibit yet")
    assert all(not hit.explains for hit in answer.near)


@pytest.mark.parametrize(
    ("told", "nearest"),
    [
        ("jax.experimental.shard_map is going away, what now?", "legacy/experimental-shard-map"),
        ("jax.device_put_replicated disappeared after the upgrade", "legacy/device-put-replicated"),
    ],
)
def test_what_is_told_in_other_words_has_no_exhibit_but_near_ones(told: str, nearest: str) -> None:
    answer = DIAGNOSIS.explain(told)
    assert answer.exhibits == ()
    assert answer.near[0].id == nearest


@pytest.mark.parametrize(("name", "hole"), [("data", "axis_name"), ("model", "axis_name"), ("d0", "i")])
def test_a_value_does_not_begin_within_a_word(name: str, hole: str) -> None:
    answer = DIAGNOSIS.explain(f"NameError: unbound axis name: {name}", "0.12.0.1")  # which also has "… name: d{i}"
    assert answer.values[0].name == hole
    assert name.endswith(answer.values[0].text)


@pytest.mark.parametrize(
    "under",
    [
        "Cannot lower jaxpr with verifier errors:\n\t'foo.bar' op has no baz",
        "Exception while lowering eqn:\n  a = zip b",
    ],
)
def test_a_heading_alone_explains_nothing(under: str) -> None:
    assert DIAGNOSIS.explain(f"ValueError: {under}").exhibits == ()


def test_a_site_without_an_exhibit_is_still_named() -> None:
    answer = DIAGNOSIS.explain("TypeError: index_dtype must be an integer type, but got float16")
    assert answer.sites[0].file == "jax/_src/lax/lax.py"
    assert answer.sites[0].url.startswith("https://github.com/jax-ml/jax/blob/jax-v0.12.0.1/jax/_src/lax/lax.py#L")
    assert "it makes this very message" in answer.sites[0].reasons


def test_twins_are_both_shown_and_said_to_be_twins() -> None:
    answer = DIAGNOSIS.explain("ValueError: Ellipsis can only be used at the beginning of a dimension")
    assert len({(site.file, site.line) for site in answer.sites}) >= 2
    assert answer.sites[0].score == answer.sites[1].score
    assert any("places" in reason for reason in answer.sites[0].reasons)


def test_the_version_asked_for_or_told_or_nearest() -> None:
    old = SiteIndex(
        "0.4.38",
        "",
        [RaiseSite("raise", "ValueError", "jax/_src/old.py", 5, "old", (0,))],
        [("which implies that the global size of its dimension ", "i", " should be divisible by ", "n", "")],
    )
    diagnosis = Diagnosis(CATALOG)
    diagnosis.add(old)
    assert diagnosis.versions == ("0.4.38", "0.12.0.1")
    assert diagnosis.explain(INDIVISIBLE).jax == "0.12.0.1"
    assert diagnosis.explain(INDIVISIBLE, "0.4.38").jax == "0.4.38"
    assert diagnosis.explain(INDIVISIBLE, "0.4.30").jax == "0.4.38"
    assert diagnosis.explain(f"jax==0.4.38\n\n{INDIVISIBLE}").jax == "0.4.38"
    with pytest.raises(MuseumError, match=r"'newest' is not a version such as 0\.10\.2"):
        diagnosis.explain("x", "newest")


def test_source_lines_of_an_installed_jax(tmp_path: Path) -> None:
    answer = DIAGNOSIS.explain("TypeError: index_dtype must be an integer type, but got float16")
    site = answer.sites[0]
    file = tmp_path / site.file
    file.parent.mkdir(parents=True)
    file.write_text("\n".join(f"# {number}" for number in range(1, site.line + 20)))
    diagnosis = Diagnosis(CATALOG)
    diagnosis.add_source("0.12.0.1", tmp_path)
    shown = diagnosis.explain("TypeError: index_dtype must be an integer type, but got float16").sites[0].source
    assert shown is not None
    assert shown.lines[site.line - shown.start] == f"# {site.line}"


def test_a_frame_names_the_place_where_no_message_does() -> None:
    text = (
        'Traceback (most recent call last):\n  File "/v/site-packages/jax/_src/lax/lax.py", line 77, in nowhere\n'
        "    assert a\nAssertionError\n"
    )
    site = DIAGNOSIS.explain(text).sites[0]
    assert (site.file, site.line, site.function) == ("jax/_src/lax/lax.py", 77, "nowhere")


def test_errors_from_cpp_are_named_by_code_and_by_text() -> None:
    by_code = DIAGNOSIS.explain("XlaRuntimeError: RESOURCE_EXHAUSTED: E1001: something new")
    assert by_code.known is not None
    assert by_code.known.name == "CompileTimeScopedVmemOom"
    by_text = DIAGNOSIS.explain("RESOURCE_EXHAUSTED: Out of memory while trying to allocate 4770354232 bytes.")
    assert by_text.known is not None
    assert by_text.known.where == "PJRT, BFC allocator"


def test_opposites_do_not_explain_each_other() -> None:
    vmem = (
        "XlaRuntimeError: RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space vmem. "
        "Used 59.79M of 16.00M vmem. Exceeded vmem capacity by 43.79M."
    )
    assert "memory/budget-before-running" not in [hit.id for hit in DIAGNOSIS.explain(vmem).exhibits]


def test_as_text_and_as_json() -> None:
    answer = DIAGNOSIS.explain(INDIVISIBLE)
    text = as_text(answer)
    assert "xla/indivisible-dimension" in text
    assert "xla-museum mesh --mesh rows=4,cols=2 --shape 10,16" in text
    said = answer.as_json()
    assert {"error", "exhibits", "sites", "near", "known", "verdict", "jax"} <= said.keys()
    nothing = as_text(DIAGNOSIS.explain("it does not work"))
    assert "No exhibit yet." in nothing


def test_skeletons_keep_words_and_drop_values() -> None:
    one = skeleton("add got incompatible shardings for broadcasting: ('data', None), ('model', None).")
    other = skeleton("add got incompatible shardings for broadcasting: ('x', 'y'), (None, 'z').")
    assert one == other
    assert skeleton("f32[8,4] of 12.5G at 0x7f and <class 'int'>") == (HOLE, "of", HOLE, "at", HOLE, "and", HOLE)
    assert "vma" in skeleton("'ShapedArray' object has no attribute 'vma'")


@pytest.mark.parametrize(
    ("message", "word"),
    [
        ("ids [0] and ids [0, 1]", "one of many"),
        ("ids [0, 1] and ids [1, 0]", "same in another order"),
        ("ids [0, 1] and ids [2, 3]", "apart"),
        ("ids [0, 1, 2] and ids [1, 2]", "part"),
        ("ids [0, 1] and ids [0, 1]", "same"),
        ("args[0] alone", ""),
    ],
)
def test_how_lists_of_devices_stand_to_each_other(message: str, word: str) -> None:
    assert relation(message) == word


def test_class_names_old_and_new() -> None:
    assert "jax.errors.JaxRuntimeError" in names_of("jaxlib.xla_extension.XlaRuntimeError")
    assert are_same("XlaRuntimeError", "jax.errors.JaxRuntimeError") is True
    assert are_same("", "ValueError") is None
    assert are_same("TypeError", "ValueError") is False
    assert are_related("jax._src.sharding.IndivisibleError", "ValueError")


def test_wordings_are_of_known_exhibits() -> None:
    wordings = load_wordings()
    known = {exhibit.id for exhibit in CATALOG.exhibits}
    wings = {exhibit.wing for exhibit in CATALOG.exhibits}
    assert all(one.exhibit in known for one in wordings)
    assert {one.exhibit.partition("/")[0] for one in wordings} <= wings
    assert all(one.text and one.when for one in wordings)


@pytest.mark.parametrize(
    "unit", ["a/", "a.", "a", "(", "'a ", "[1, ", "a_b.", '"a", ', "%a = ", "<class 'a", "P(", "-", "E1 "]
)
def test_floods_of_one_thing_are_read_to_the_end(unit: str) -> None:
    """A pattern that goes back and forth in them would not come to an end within the test run's patience."""
    DIAGNOSIS.explain(unit * 100_000)


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=500))
def test_never_raises(text: str) -> None:
    DIAGNOSIS.explain(text)

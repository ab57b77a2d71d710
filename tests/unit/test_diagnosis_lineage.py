"""Messages of versions that the museum never ran lead to their exhibits, by what the raise sites said then."""

import ast
from pathlib import Path

import pytest
from packaging.version import Version

from museum.catalog import load_catalog
from museum.diagnosis import lineage as lineage_module
from museum.diagnosis.diagnose import Diagnosis
from museum.diagnosis.extraction.deprecated import deprecation_messages
from museum.diagnosis.extraction.modules import Module, read_module
from museum.diagnosis.extraction.raised import Evaluator
from museum.diagnosis.extraction.scan import scan
from museum.diagnosis.lineage import OldText, load_lineage
from museum.diagnosis.lineage_search import LineageSearch
from museum.diagnosis.reading import read
from museum.diagnosis.site_index import RaiseSite, SiteIndex
from museum.diagnosis.site_search import find_sites
from museum.diagnosis.skeletons import parties
from museum.diagnosis.subjects import subjects
from museum.errors import MuseumError

CATALOG = load_catalog(check=False)
DIAGNOSIS = Diagnosis(CATALOG)
OLD = OldText(
    ("xla/unknown-axis", "mesh/not-there"),
    "ValueError",
    "jax/_src/old.py",
    "check",
    "0.3.5",
    "0.4.31",
    ("Resource axis: ", "axis", " of ", "spec", " is undefined in this world."),
)


OLD_WORDS = {
    "xla/unknown-axis": "ValueError: Resource axis: stage of PartitionSpec('stage',) is undefined.",
    "xla/indivisible-dimension": (
        "ValueError: One of pjit arguments was given the resource assignment of PartitionSpec('dp',), which implies "
        "that the size of its dimension 0 should be divisible by 8, but it is equal to 6"
    ),
    "sharding/bare-spec-without-mesh": (
        "RuntimeError: pjit requires a non-empty mesh! Are you sure that it's defined at the call site?"
    ),
    "legacy/pmap-scalar-argument": "ValueError: vmap got arg 0 of rank 0 but axis to be mapped 0",
    "legacy/pmap-more-shards-than-devices": (
        "ValueError: compiling computation that requires 8 replicas, but only 4 XLA devices are available"
    ),
    "memory/donated-then-reused": "RuntimeError: DeviceArray has been deleted.",
    "multihost/eager-on-global-array": (
        "RuntimeError: Running operations on `Array`s that are not fully addressable by this process (i.e. `Array`s "
        "with data sharded across multiple devices and processes.) is dangerous."
    ),
    "sharding/assembled-from-wrong-shards": (
        "ValueError: Expected shard shape (2, 8) doesn't match the buffer shape (4, 8) for buffer: [[0. 1.]]"
    ),
    "legacy/positional-sharding": (
        "AttributeError: jax.sharding.PositionalSharding was deprecated in JAX v0.6.0 and removed in JAX v0.7.0"
    ),
}
MISSING = {
    "legacy/positional-sharding": (
        "ImportError: cannot import name 'PositionalSharding' from 'jax.sharding' (/v/jax/sharding.py)"
    ),
    "legacy/pvary-to-pcast": "ImportError: cannot import name 'pvary' from 'jax.lax'",
    "legacy/experimental-shard-map": "ModuleNotFoundError: No module named 'jax.experimental.shard_map'",
    "legacy/device-put-replicated": "AttributeError: module 'jax' has no attribute 'device_put_replicated'",
}


@pytest.mark.parametrize(("exhibit", "text"), OLD_WORDS.items(), ids=OLD_WORDS)
def test_words_of_old_versions(exhibit: str, text: str) -> None:
    hits = DIAGNOSIS.explain(text).exhibits
    best = [hit for hit in hits if hit.id == exhibit]
    assert best, [hit.id for hit in hits]
    assert hits[0].score - best[0].score < 0.05
    assert best[0].explains


def test_the_versions_are_told() -> None:
    hit = DIAGNOSIS.explain("ValueError: Resource axis: x of P('x',) is undefined.").exhibits[0]
    assert hit.reasons[0] == "same class and message (JAX 0.3.17 to 0.4.31), only the values differ"
    by_site = DIAGNOSIS.explain("NotImplementedError: No replication rule for erf_inv").exhibits[0]
    assert by_site.reasons[0].startswith("its raise site makes")
    assert "JAX 0.4." in by_site.reasons[0]


def test_what_ships_is_of_known_exhibits_and_in_order() -> None:
    known = {exhibit.id for exhibit in CATALOG.exhibits}
    for text in load_lineage():
        assert set(text.exhibits) <= known, text
        assert Version(text.since) <= Version(text.until)
        assert len(text.template) % 2
        assert text.error
        assert text.function


def test_a_damaged_file_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "lineage.json").write_text("[{}]")
    monkeypatch.setattr(lineage_module, "files", lambda _: tmp_path)
    with pytest.raises(MuseumError, match=r"lineage\.json: .*missing required field"):
        load_lineage()


def test_a_text_in_words() -> None:
    assert OLD.when == "JAX 0.3.5 to 0.4.31"
    assert OLD.message == "Resource axis: {axis} of {spec} is undefined in this world."
    assert "axis:" in OLD.fixed
    assert "{" not in OLD.fixed


def test_whole_cut_and_foreign_messages() -> None:
    search = LineageSearch([OLD])
    nothing = SiteIndex("", "", [], [])
    whole = search.find(read("ValueError: Resource axis: a of P('a') is undefined in this world."), nothing, ())
    assert whole["xla/unknown-axis"].is_whole
    assert whole["xla/unknown-axis"].score > 0.9
    cut = search.find(read("ValueError: Resource axis: a of P('a') is undefined in th"), nothing, ())
    assert 0.5 < cut["xla/unknown-axis"].score < whole["xla/unknown-axis"].score
    assert not cut["xla/unknown-axis"].is_whole
    assert not search.find(read("ValueError: Resource temporarily unavailable"), nothing, ())


def test_where_one_version_settles_it_no_other_is_asked() -> None:
    site = RaiseSite("raise", "ValueError", "jax/_src/new.py", 1, "check", (0,))
    template = ("Resource axis: ", "a", " of ", "s", " is undefined in this world, sorry.")
    index = SiteIndex("1.0", "", [site], [template])
    reading = read("ValueError: Resource axis: a of P('a') is undefined in this world, sorry.")
    hits = find_sites(index, reading.message, reading.error)
    search = LineageSearch([OLD])
    assert search.find(reading, index, ()), "by itself it comes near"
    assert not search.find(reading, index, hits)


def test_another_continuation_is_not_the_same_message() -> None:
    template = ("Value ", "v", " was seen by devices() today")
    index = SiteIndex("", "", [RaiseSite("raise", "E", "f", 1, "g", (0,))], [template])
    hits = find_sites(index, "Value of something was seen nowhere at all")
    assert not any(hit.alignment and hit.alignment.is_whole for hit in hits)


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("cannot import name 'pvary' from 'jax.lax' (/v/jax/lax/__init__.py)", {"jax.lax.pvary"}),
        ("module 'jax.lax' has no attribute 'pvary'", {"jax.lax.pvary"}),
        ("jax.lax.pvary was deprecated in JAX v0.8.2 and removed in JAX v0.10.0", {"jax.lax.pvary"}),
        ("No module named 'jax.experimental.shard_map'", {"jax.experimental.shard_map"}),
        ("cannot import name 'shard_map' from 'jax.experimental.shard_map'", {"jax.experimental.shard_map"}),
        ("module has no attributes to speak of", set()),
        ("'NoneType' object has no attribute 'shape'", set()),
    ],
)
def test_names_that_are_missing_or_given_up(message: str, names: set[str]) -> None:
    assert subjects(message) == names


@pytest.mark.parametrize(("exhibit", "text"), MISSING.items(), ids=MISSING)
def test_a_missing_name_leads_to_the_exhibit_of_that_name(exhibit: str, text: str) -> None:
    assert DIAGNOSIS.explain(text).exhibits[0].id == exhibit


@pytest.mark.parametrize(
    "text",
    [
        "AttributeError: jax.interpreters.pxla.MeshExecutable was deprecated in JAX v0.8.2 and removed in JAX v0.11.0.",
        "ImportError: cannot import name 'maps' from 'jax.experimental'",
        "AttributeError: module 'numpy' has no attribute 'float'",
    ],
)
def test_another_missing_name_leads_to_none(text: str) -> None:
    assert DIAGNOSIS.explain(text).exhibits == ()


def test_what_does_not_fit_is_told_apart() -> None:
    one = "Got argument x of f with shape f32[8] and device ids [0] on platform CPU and "
    arguments = f"{one}argument y of f with shape f32[8] and device ids [1] on platform CPU"
    context = f"{one}jit's context mesh with device ids [0, 1] on platform CPU"
    assert parties(arguments) == {"argument"}
    assert parties(context) == {"argument", "context mesh"}
    assert not parties("an argument about a context mesh")


@pytest.mark.parametrize(
    ("name", "bound", "explained"),
    [("batch", "", True), ("batch", "'data'", True), ("batch", "'batch'", False), ("_own", "", False)],
)
def test_an_axis_that_nobody_forgot_is_explained_by_none(name: str, bound: str, explained: bool) -> None:
    text = (
        f"NameError: unbound axis name: {name}. The following axis names (e.g. defined by pmap) are available to "
        f"collective operations: [{bound}]"
    )
    assert bool(DIAGNOSIS.explain(text).exhibits) is explained


def test_tables_of_deprecated_names() -> None:
    table = b"""
from jax._src import old
_deprecations = {
    "gone": ("jax.gone was removed in JAX v0.9.0.", None),
    "going": ("jax.going is deprecated: " + "use jax.new.", old.going),
    "other": old.table,
}
"""
    speaker = b"""
def deprecation_getattr(module, deprecations):
  def getattr(name):
    if name in deprecations:
      message, fn = deprecations[name]
      if fn is None:
        raise AttributeError(message)
      warnings.warn(message, DeprecationWarning)
    raise AttributeError(f"module {module!r} has no attribute {name!r}")
"""
    modules = {
        module.name: module
        for module in (read_module("jax/__init__.py", table), read_module("jax/_src/deprecations.py", speaker))
    }
    said = (("jax.gone was removed in JAX v0.9.0.",), ("jax.going is deprecated: use jax.new.",))
    assert deprecation_messages(modules.values(), Evaluator(modules)) == said
    sites = [site for _, found in scan(modules) for site in found]
    given = [site.templates for site in sites if said[0] in site.templates]
    assert len(given) == 2, "one raises, one warns; the third has words of its own"


def test_a_module_without_a_table_says_nothing() -> None:
    module = Module("jax/x.py", "jax.x", ast.parse(""))
    assert deprecation_messages([module], Evaluator({"jax.x": module})) == ()

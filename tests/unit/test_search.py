import datetime

import pytest

from museum.catalog import Catalog
from museum.exhibit import (
    Capture,
    Exhibit,
    ExhibitFile,
    Expectation,
    Half,
    Origin,
    OutcomeKind,
    Placard,
    Wing,
)
from museum.search import Index, search


def exhibit(slug, wing="xla", **differing):
    """An exhibit with one word of its own in each field, unless the test says otherwise."""
    texts = {
        "title": "Nothing",
        "tags": (),
        "kind": OutcomeKind.RAISES,
        "error": "SomeError",
        "message": "",
        "stdout": "",
        "says": ("said",),
        "meaning": "",
        "code": "",
    } | differing
    facts = ExhibitFile(
        title=texts["title"],
        kind=texts["kind"],
        targets=("cpu:8",),
        jax=(),
        tags=texts["tags"],
        expect=(Expectation(error=texts["error"], says=texts["says"]),),
    )
    capture = Capture(
        half=Half.FAILING,
        jax="0.10.2",
        target="cpu:8",
        origin=Origin.REPRODUCED,
        status="failed",
        date=datetime.date(2026, 11, 20),
        message=texts["message"],
        stdout=texts["stdout"],
    )
    placard = Placard(texts["meaning"], "", "", "")
    scripts = {Half.FAILING: texts["code"], Half.FIX: ""}
    return Exhibit(f"{wing}/{slug}", 1, facts, placard, scripts, (capture,))


def found(exhibits, query):
    wings = dict.fromkeys(each.wing for each in exhibits)
    catalog = Catalog(
        tuple(Wing(wing, wing, "", tuple(each for each in exhibits if each.wing == wing)) for wing in wings)
    )
    return [hit.exhibit.id.partition("/")[2] for hit in search(catalog, query)]


def test_a_title_beats_tags_beats_a_message_beats_text_beats_code():
    exhibits = [
        exhibit("fifth", code="mesh = 1"),
        exhibit("fourth", meaning="A mesh."),
        exhibit("third", message="no mesh"),
        exhibit("second", tags=("mesh",)),
        exhibit("first", title="A mesh"),
        exhibit("nowhere"),
    ]

    assert found(exhibits, "mesh") == ["first", "second", "third", "fourth", "fifth"]
    assert found(exhibits, "mes") == ["first", "second", "third", "fourth", "fifth"]


def test_the_beginning_of_a_title_beats_a_whole_tag():
    assert found([exhibit("tag", tags=("shard",)), exhibit("title", title="Sharding")], "shard") == ["title", "tag"]


def test_a_whole_word_beats_its_beginning_in_one_field():
    assert found([exhibit("a", title="Sharding"), exhibit("b", title="Shard")], "shard") == ["b", "a"]


def test_every_word_must_occur_somewhere():
    exhibits = [exhibit("one", title="Rows", tags=("mesh",)), exhibit("two", title="Rows")]

    assert found(exhibits, "rows") == ["one", "two"]
    assert found(exhibits, "mesh rows") == ["one"]
    assert found(exhibits, "rows mesh torus") == []


@pytest.mark.parametrize("query", ["", "   ", " / "])
def test_no_word_gives_everything_in_walking_order(query):
    exhibits = [exhibit("b"), exhibit("a"), exhibit("c", wing="mesh")]

    assert found(exhibits, query) == ["b", "a", "c"]


def test_equals_stand_in_walking_order():
    assert found([exhibit("b", title="Rows"), exhibit("a", title="Rows")], "rows") == ["b", "a"]


@pytest.mark.parametrize(
    ("field", "text", "query"),
    [
        ("title", "Über die Zerlegung", "UBER"),
        ("title", "Uber", "über"),
        ("title", "Straße", "strasse"),
        ("error", "jax._src.sharding.IndivisibleError", "jax._src.sharding.IndivisibleError"),
        ("error", "jax._src.sharding.IndivisibleError", "indivisible"),
        ("error", "XlaRuntimeError", "runtime"),
        ("code", "jax.lax.with_sharding_constraint(x)", "sharding_constraint"),
        ("code", "jax.lax.with_sharding_constraint(x)", "with_shar"),
        ("message", "exceeds 31.24G hbm", "31.24g"),
        ("stdout", "replicas 4", "replicas"),
        ("says", ("divisible by",), "divisible"),
        ("kind", OutcomeKind.SILENT, "silent"),
    ],
)
def test_where_a_word_is_found(field, text, query):
    assert found([exhibit("other"), exhibit("this", **{field: text})], query) == ["this"]


def test_ids_and_wings_are_found():
    exhibits = [exhibit("torus-axis", wing="mesh"), exhibit("rows")]

    assert found(exhibits, "mesh/torus-axis") == ["torus-axis"]
    assert found(exhibits, "xla") == ["rows"]


def test_an_index_answers_again_and_again():
    catalog = Catalog((Wing("xla", "XLA", "", (exhibit("a", title="Rows"), exhibit("b", title="Axes"))),))
    index = Index(catalog)

    first = index.find("rows")

    assert [hit.exhibit.id for hit in first] == ["xla/a"]
    assert first[0].score > 0
    assert index.find("rows") == first
    assert len(index.find("")) == 2

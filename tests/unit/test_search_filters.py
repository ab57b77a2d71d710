"""Filters typed as words, and words typed wrong."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from museum.catalog import Catalog
from museum.exhibit import Capture, Exhibit, ExhibitFile, Expectation, Half, Origin, OutcomeKind, Placard, Wing
from museum.search import Index
from museum.search_query import Filter, Query, read_query, with_value, without_filters, without_value
from museum.typos import Dictionary, slips, slips_forgiven


def capture(half: Half, jax: str) -> Capture:
    day = datetime.date(2026, 11, 20)
    return Capture(half=half, jax=jax, target="cpu:8", origin=Origin.REPRODUCED, status="ok", date=day)


def exhibit(name: str, title: str, kind: OutcomeKind, tags: tuple[str, ...], proven: tuple[str, ...]) -> Exhibit:
    passes = Expectation("<0.5", kind=OutcomeKind.PASSES)
    facts = ExhibitFile(title, kind, ("cpu:8",), proven, tags, (passes, Expectation()), needs_jax=">=0.4.36")
    captures = tuple(capture(half, jax) for jax in proven for half in Half)
    return Exhibit(name, 1, facts, Placard("", "", ""), {Half.FAILING: "", Half.FIX: ""}, captures)


EXHIBITS = (
    exhibit("memory/donated", "A donated buffer", OutcomeKind.SILENT, ("pmap", "donation"), ("0.4.38", "0.10.2")),
    exhibit("memory/too-big", "Indivisible rows", OutcomeKind.RAISES, ("hbm",), ("0.10.2",)),
    exhibit("xla/sharding", "Sharding constraint", OutcomeKind.WARNS, ("pmap",), ("0.4.38",)),
)


@pytest.fixture(scope="module")
def index() -> Index:
    return Index(
        Catalog(tuple(Wing(w, w, "", tuple(e for e in EXHIBITS if e.wing == w)) for w in ("memory", "xla", "xray")))
    )


def found(index: Index, query: str) -> list[str]:
    return [hit.exhibit.id.partition("/")[2] for hit in index.find(query)]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("wing:memory", ["donated", "too-big"]),
        ("WING:Memory", ["donated", "too-big"]),
        ("wing:mem rows", ["too-big"]),
        ("kind:silent", ["donated"]),
        ("kind:silent,warns", ["donated", "sharding"]),
        ("-kind:silent wing:memory", ["too-big"]),
        ("-kind:silent", ["too-big", "sharding"]),
        ("tag:pmap", ["donated", "sharding"]),
        ("tag:pmap tag:donation", ["donated"]),
        ("jax:0.10", ["donated", "too-big"]),
        ("jax:0.4.38 jax:0.10.2", ["donated"]),
        ("verdict:no-failure-here", ["donated", "sharding"]),
        ("verdict:no-failure-here jax:0.10.2", []),
        ("verdict:reproduces jax:0.10.2", ["donated", "too-big"]),
        ("verdict:reproduces", ["donated", "too-big"]),
        ("-verdict:reproduces", ["sharding"]),
        ("kind:", ["donated", "too-big", "sharding"]),
        ("donated wing:", ["donated"]),
        ("kind:silent wing:memory jax:0.10.2 tag:pmap verdict:repro donat", ["donated"]),
    ],
)
def test_filters_hold_what_fits(index: Index, query: str, names: list[str]) -> None:
    answer = index.ask(query)
    assert [hit.exhibit.id.partition("/")[2] for hit in answer.hits] == names
    assert answer.notice == ""


@pytest.mark.parametrize(
    ("query", "notice"),
    [
        ("kind:silnt rows", "no kind silnt; did you mean silent?"),
        ("wing:torus", "no wing torus; there are memory, xla"),
        ("tag:zzz", "no tag zzz; there are pmap, donation, hbm"),
        ("jax:0.3", "no jax 0.3; there are 0.4.38, 0.10.2"),
        ("verdict:qq", "no verdict qq; there are reproduces, message-changed, other-error, does-not-fail, "),
    ],
)
def test_an_unknown_value_finds_nothing_and_is_told_in_one_line(index: Index, query: str, notice: str) -> None:
    answer = index.ask(query)
    assert answer.hits == ()
    assert answer.notice.startswith(notice)
    assert "\n" not in answer.notice


def test_one_known_value_beside_an_unknown_one_counts(index: Index) -> None:
    answer = index.ask("kind:silent,loud")
    assert [hit.exhibit.id for hit in answer.hits] == ["memory/donated"]
    assert answer.notice.startswith("no kind loud; ")


def test_words_with_colons_that_are_no_filters_are_words(index: Index) -> None:
    assert read_query("cpu:8 museum:xla/a kind:silent,,warns -tag:x") == Query(
        "cpu:8 museum:xla/a", (Filter("kind", ("silent", "warns")), Filter("tag", ("x",), excludes=True))
    )
    assert found(index, "kinds:silent") == []


@given(st.text())
def test_any_text_is_a_query(text: str) -> None:
    catalog = Catalog((Wing("memory", "Memory", "", EXHIBITS[:2]), Wing("xla", "XLA", "", EXHIBITS[2:])))
    answer = Index(catalog).ask(text)
    assert {hit.exhibit.id for hit in answer.hits} <= {one.id for one in EXHIBITS}


def test_what_was_run_just_now_is_found() -> None:
    index = Index(Catalog((Wing("xla", "XLA", "", EXHIBITS[2:]),)))
    assert found(index, "verdict:message-changed") == []
    index.note_verdict("xla/sharding", "0.12.0.1", "message changed")
    index.note_verdict("xla/elsewhere", "0.12.0.1", "message changed")
    assert found(index, "verdict:message-changed") == ["sharding"]


def test_what_can_be_asked_for_is_listed(index: Index) -> None:
    assert index.values("wing") == ("memory", "xla")
    assert index.values("jax") == ("0.4.38", "0.10.2")
    assert index.values("verdict")[:2] == ("reproduces", "message-changed")


# -- words typed wrong -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("shrading", ["sharding"]),  # two have changed places
        ("shardng", ["sharding"]),  # one too few
        ("sharrding", ["sharding"]),  # one too many
        ("zharding", ["sharding"]),  # the first one wrong
        ("indivizib", ["too-big"]),  # and not yet typed to its end
        ("indevisable", ["too-big"]),  # two slips in a long word
        ("constarint shrading", ["sharding"]),
        ("bufer wing:memory", ["donated"]),
        ("shxxding", ["sharding"]),  # as many as a word of eight letters may have
        ("shxxdin", []),  # one of seven may have one only
        ("rwos", ["too-big"]),
        ("rox", []),  # too short to be a slip
        ("0.10.3", []),  # numbers are no slips
    ],
)
def test_slips_are_forgiven(index: Index, query: str, names: list[str]) -> None:
    assert found(index, query) == names


def test_a_word_that_is_found_is_not_corrected(index: Index) -> None:
    assert index.ask("rows").corrections == {}
    assert index.ask("shrading rwos").corrections == {"shrading": "sharding", "rwos": "rows"}
    assert index.ask("qqqqqq").corrections == {}


def test_a_slip_in_a_title_stands_above_one_in_a_tag() -> None:
    one = exhibit("xla/tag", "Other", OutcomeKind.RAISES, ("sharding",), ())
    two = exhibit("xla/title", "Sharding", OutcomeKind.RAISES, (), ())
    assert found(Index(Catalog((Wing("xla", "XLA", "", (one, two)),))), "shrading") == ["title", "tag"]


def distance_to_beginning(typed: str, word: str) -> int:
    """The same as `slips`, worked out whole."""
    table = [[place + column for column in range(len(word) + 1)] for place in range(len(typed) + 1)]
    for place in range(1, len(typed) + 1):
        for column in range(1, len(word) + 1):
            best = min(table[place - 1][column], table[place][column - 1]) + 1
            best = min(best, table[place - 1][column - 1] + (typed[place - 1] != word[column - 1]))
            if typed[place - 2 : place] == word[column - 2 : column][::-1] and min(place, column) > 1:
                best = min(best, table[place - 2][column - 2] + 1)
            table[place][column] = best
    return min(table[-1])


WORDS = st.text(alphabet="abc", max_size=9)


@given(WORDS, WORDS, st.integers(1, 2))
def test_slips_are_counted_as_the_whole_table_counts_them(typed: str, word: str, most: int) -> None:
    assert slips(typed, word, most) == min(distance_to_beginning(typed, word), most + 1)


@given(st.lists(st.text(alphabet="abcdefgh", min_size=4, max_size=10), min_size=1, unique=True), st.data())
def test_one_wrong_letter_is_always_found(words: list[str], data: st.DataObject) -> None:
    words.sort()
    place = data.draw(st.integers(0, len(words) - 1))
    word = words[place]
    spot = data.draw(st.integers(0, len(word) - 1))
    typed = word[:spot] + "z" + word[spot + 1 :]
    assert slips_forgiven(typed) >= 1
    assert (place, 1) in Dictionary(words).near(typed)


# What the visitor made of exhibits


def test_favourites_and_recent_exhibits_are_found_by_what_they_are(index: Index) -> None:
    index.note_those("favourite", ["memory/donated", "gone/away"])
    index.note_those("recent", ["xla/sharding", "memory/donated"])
    assert found(index, "is:favourite") == ["donated"]
    assert found(index, "is:recent -is:favourite") == ["sharding"]
    assert found(index, "is:fav rows") == []
    assert index.counts("is") == {"favourite": 1, "recent": 2}
    index.note_those("favourite", [])
    assert index.ask("is:favourite").hits == ()
    assert index.ask("is:favrite").notice == "no is favrite; did you mean favourite?"


def test_each_value_tells_how_many_exhibits_it_lets_through(index: Index) -> None:
    assert index.counts("kind") == {"silent": 1, "passes": 3, "raises": 1, "warns": 1}
    assert index.counts("jax") == {"0.4.38": 2, "0.10.2": 2}
    counts = index.counts("verdict")
    assert counts["reproduces"] == 2
    assert tuple(counts) == index.values("verdict")
    for key in ("wing", "kind", "tag", "jax", "verdict", "is"):
        for value, count in index.counts(key).items():
            assert len(index.ask(f"{key}:{value}").hits) == count


# Filters written into a query and out of it


@pytest.mark.parametrize(
    ("query", "key", "value", "then"),
    [
        ("", "wing", "memory", "wing:memory"),
        ("rows", "wing", "memory", "rows wing:memory"),
        ("wing:memory rows", "wing", "xla", "wing:memory,xla rows"),
        ("Wing:memory,", "wing", "xla", "wing:memory,xla"),
        ("-wing:memory", "wing", "xla", "-wing:memory wing:xla"),
        ("wing:memory", "wing", "memory", "wing:memory"),
        ("wing:", "wing", "memory", "wing:memory"),
        ("  two   blanks ", "is", "recent", "two blanks is:recent"),
    ],
)
def test_a_value_comes_into_a_query(query: str, key: str, value: str, then: str) -> None:
    assert with_value(query, key, value) == then


@pytest.mark.parametrize(
    ("query", "value", "excludes", "then"),
    [
        ("wing:memory rows", "memory", False, "rows"),
        ("wing:memory,xla rows", "memory", False, "wing:xla rows"),
        ("Wing:Memory", "memory", False, ""),
        ("-wing:memory wing:memory", "memory", True, "wing:memory"),
        ("-wing:memory wing:memory", "memory", False, "-wing:memory"),
        ("kind:silent", "memory", False, "kind:silent"),
        ("wing:xla", "memory", False, "wing:xla"),
    ],
)
def test_a_value_goes_from_a_query(query: str, value: str, excludes: bool, then: str) -> None:
    assert without_value(query, "wing", value, excludes=excludes) == then


def test_a_query_without_its_filters_keeps_its_words() -> None:
    assert without_filters("one kind:silent two -wing:xla wing:") == "one two"


@given(st.text(alphabet="a:,- wing", max_size=30), st.sampled_from(("memory", "xla")))
def test_what_comes_into_a_query_is_there_and_goes_again(query: str, value: str) -> None:
    read = {one for filter_ in read_query(with_value(query, "wing", value)).filters for one in filter_.values}
    assert value in read
    gone = without_value(with_value(query, "wing", value), "wing", value)
    assert all(value not in one.values for one in read_query(gone).filters if one.key == "wing" and not one.excludes)
    assert read_query(gone).words == read_query(query).words

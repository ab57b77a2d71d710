"""What a search finds, and what replacing makes of it."""

import pytest

from museum.errors import MuseumError
from museum.finding import Query, replaced


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (Query("mesh"), ["mesh", "Mesh", "mesh"]),
        (Query("Mesh", case=True), ["Mesh"]),
        (Query("mesh", words=True), ["mesh", "Mesh"]),
        (Query("(,)"), ["(,)"]),
        (Query("(,)", words=True), []),
        (Query(r"^\w+", regex=True), ["mesh", "P"]),
        (Query("x*", regex=True), []),
        (Query(""), []),
    ],
)
def test_what_is_found(query: Query, found: list[str]) -> None:
    assert [match[0] for match in query.found_in("mesh Mesh\nP(,)meshes\n")] == found


def test_signs_at_the_ends_of_a_word_count_as_its_ends() -> None:
    assert [match.start() for match in Query("f(", words=True).found_in("f( ff( f(x f()")] == [0, 11]


def test_replacing_counts_and_takes_groups() -> None:
    assert replaced(Query("a"), "abAB", "xx") == ("xxbxxB", 2)
    assert replaced(Query(r"(\w)=(\w)", regex=True), "a=b", r"\2=\1") == ("b=a", 1)
    assert replaced(Query("."), "a.b", r"\1") == (r"a\1b", 1)


@pytest.mark.parametrize("bad", ["(", "[", "*", "(?P<a>", "\\"])
def test_a_bad_expression_is_told_in_one_line(bad: str) -> None:
    with pytest.raises(MuseumError, match="no regular expression: ") as fault:
        list(Query(bad, regex=True).found_in("x"))
    assert "\n" not in str(fault.value)


def test_a_bad_replacement_is_told_in_one_line() -> None:
    with pytest.raises(MuseumError, match="no replacement: invalid group reference"):
        replaced(Query("(a)", regex=True), "a", r"\2")

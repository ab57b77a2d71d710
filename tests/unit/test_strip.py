"""The version strip: what captures, runs and exclusions make of each cell, and verify's table."""

import datetime
from pathlib import Path
from typing import Any

from museum.exhibit import Capture, Exhibit, ExhibitFile, Expectation, Half, Origin, OutcomeKind, Placard
from museum.lab.environments import Environment, EnvironmentKind
from museum.lab.target import Target
from museum.lab.verify import Job, Judged, Result, Verdict
from museum.strip import Cell, Place, matrix, strip_of

FAILING, FIX = Half.FAILING, Half.FIX
OLD, MIDDLE, NEW = "0.4.38", "0.10.2", "0.12.0.1"


def capture(half: Half, jax: str, origin: Origin = Origin.REPRODUCED, target: str = "cpu:8") -> Capture:
    return Capture(half, jax, target, origin, "failed", datetime.date(2026, 11, 30))


def exhibit(*captures: Capture, name: str = "xla/one", **facts: Any) -> Exhibit:
    usual = {"targets": ("cpu:8",), "jax": (OLD, MIDDLE), "tags": (), "expect": (Expectation(error="E", says=("x",)),)}
    file = ExhibitFile("One", OutcomeKind.RAISES, **{**usual, **facts})
    return Exhibit(name, 1, file, Placard("", "", ""), {FAILING: "x", FIX: "y"}, captures)


def letters(shown: Exhibit, *at_hand: str) -> list[str]:
    strip = strip_of(shown, at_hand)
    return ["".join(strip.cells[Place(*row, jax)].letter for jax in strip.versions) for row in strip.rows]


def test_every_verdict_has_a_letter_of_its_own() -> None:
    assert len({verdict.letter for verdict in Verdict} | {"·"}) == len(Verdict) + 1


def test_columns_are_what_is_proven_recorded_or_at_hand_in_order() -> None:
    strip = strip_of(exhibit(capture(FAILING, "0.6.2")), ["0.12.0.1", "0.4.38"])
    assert strip.versions == (OLD, "0.6.2", MIDDLE, NEW)
    assert strip.rows == ((FAILING, "cpu:8"), (FIX, "cpu:8"))


def test_a_capture_proves_its_cell_alone() -> None:
    shown = exhibit(capture(FAILING, OLD), capture(FIX, MIDDLE), capture(FAILING, MIDDLE, Origin.REPORTED))
    assert letters(shown) == ["R·", "·P"]
    cell = strip_of(shown).cells[Place(FAILING, "cpu:8", OLD)]
    assert cell == Cell(Verdict.REPRODUCES, "recorded 2026-11-30")


def test_where_the_exhibit_says_that_it_passes_a_capture_shows_no_failure() -> None:
    passes = Expectation("<0.5", kind=OutcomeKind.PASSES)
    shown = exhibit(capture(FAILING, OLD), capture(FAILING, MIDDLE), expect=(passes, Expectation(error="E")))
    assert letters(shown)[0] == "NR"


def test_what_is_ruled_out_says_why_and_cannot_be_run() -> None:
    shown = exhibit(needs_jax=">=0.5", needs_why="it came then", fix_needs_jax=">=0.11", fix_needs_why="so did this")
    assert letters(shown, OLD, NEW) == ["–··", "––·"]  # noqa: RUF001
    strip = strip_of(shown, [OLD, NEW])
    assert strip.cells[Place(FAILING, "cpu:8", OLD)].why == "needs JAX >=0.5: it came then"
    assert strip.cells[Place(FIX, "cpu:8", MIDDLE)].why == "the fix needs JAX >=0.11: so did this"
    assert [place for place, cell in strip.cells.items() if cell.can_run] == [
        Place(FAILING, "cpu:8", NEW),
        Place(FIX, "cpu:8", NEW),
    ]


def test_each_target_has_its_rows() -> None:
    shown = exhibit(capture(FIX, OLD, target="cpu:4"), targets=("cpu:8", "cpu:4"))
    assert strip_of(shown).rows == ((FAILING, "cpu:8"), (FIX, "cpu:8"), (FAILING, "cpu:4"), (FIX, "cpu:4"))
    assert letters(shown) == ["··", "··", "··", "P·"]


def test_a_run_replaces_what_was_recorded_and_other_places_are_left_out() -> None:
    strip = strip_of(exhibit(capture(FAILING, OLD)), [OLD])
    place = Place(FAILING, "cpu:8", OLD)
    changed = strip.with_verdict(place, Verdict.MESSAGE_CHANGED, "just now")
    assert changed.cells[place] == Cell(Verdict.MESSAGE_CHANGED, "just now", is_new=True, can_run=True)
    assert strip.with_verdict(Place(FAILING, "cpu:2", OLD), Verdict.REPRODUCES, "") is strip


def result(shown: Exhibit, half: Half, jax: str, verdict: Verdict, target: str = "cpu:8") -> Result:
    environment = Environment("one", EnvironmentKind.MANAGED, Path("python"), "3.12.1", jax, jax, "")
    return Result(Job(shown, half, jax, Target.parse(target), environment), Judged(verdict))


def test_verifys_table_has_two_letters_for_each_version() -> None:
    one, two = exhibit(), exhibit(name="mesh/longer-name")
    results = [
        result(one, FAILING, NEW, Verdict.REPRODUCES),
        result(one, FIX, NEW, Verdict.FIX_FAILS),
        result(one, FAILING, OLD, Verdict.NO_FAILURE_HERE),
        result(one, FIX, OLD, Verdict.FIX_PASSES),
        result(two, FAILING, NEW, Verdict.OTHER_ERROR, "cpu:4"),
        result(two, FIX, NEW, Verdict.NOT_RUNNABLE),
    ]
    head, first, second, third, _, legend = matrix(results).splitlines()
    assert head.split() == [OLD, NEW]
    assert first.split() == ["xla/one", "NP", "RF"]
    assert second.split() == ["mesh/longer-name", "cpu:4", "··", "E·"]
    assert third.split() == ["mesh/longer-name", "cpu:8", "··", "·–"]  # noqa: RUF001
    assert {line.index(letters) for line, letters in ((first, "NP"), (second, "··"))} == {head.index(OLD)}
    assert all(f"{verdict.letter} {verdict}" in legend for verdict in Verdict)
    assert matrix([]).splitlines()[0] == ""

"""Every exhibit of the collection, run: the failing half fails as it says, and the fix passes."""

import asyncio
import functools

import pytest

from museum.catalog import Catalog, is_within, load_catalog
from museum.exhibit import Half
from museum.lab.environments import Environment, managed
from museum.lab.lab import Lab
from museum.lab.target import Target, TargetKind
from museum.lab.verify import Result, Verdict, plan, verify

CATALOG: Catalog = load_catalog()
GOOD = {Half.FAILING: Verdict.REPRODUCES, Half.FIX: Verdict.FIX_PASSES}


@functools.cache
def results(environment: Environment) -> dict[tuple[str, str, Half], Result]:
    """The whole collection on one environment, two scripts at a time, once in a session."""
    jobs = plan(CATALOG.exhibits, [environment], {environment.jax: ""})
    done = asyncio.run(verify(jobs, Lab(spares=0), workers=2))
    return {(result.job.exhibit.id, str(result.job.target), result.job.half): result for result in done}


HALVES = [
    (exhibit.id, target, half) for exhibit in CATALOG.exhibits for target in exhibit.facts.targets for half in Half
]


def check(environment: Environment, exhibit: str, target: str, half: Half) -> None:
    result = results(environment)[exhibit, target, half]
    facts = result.job.exhibit.facts
    expected = GOOD[half]
    detail = ""
    if not is_within(environment.jax, facts.needs_jax):
        expected, detail = Verdict.NOT_RUNNABLE, f"needs JAX {facts.needs_jax}: {facts.needs_why}"
    elif Target.parse(target).kind is TargetKind.TPU_COMPILE and not environment.libtpu:
        expected, detail = Verdict.NOT_RUNNABLE, result.judged.detail
        assert "needs libtpu" in detail
    assert (result.judged.verdict, result.judged.detail) == (expected, detail)


@pytest.mark.parametrize(("exhibit", "target", "half"), HALVES)
def test_an_exhibit_does_what_it_says(exhibit: str, target: str, half: Half, own_environment: Environment) -> None:
    check(own_environment, exhibit, target, half)


@pytest.mark.matrix
@pytest.mark.parametrize("environment", managed(), ids=lambda environment: environment.name)
@pytest.mark.parametrize(("exhibit", "target", "half"), HALVES)
def test_an_exhibit_does_what_it_says_elsewhere(
    exhibit: str, target: str, half: Half, environment: Environment
) -> None:
    check(environment, exhibit, target, half)


def test_the_whole_collection_opens() -> None:
    assert CATALOG.problems == ()
    assert CATALOG.exhibits

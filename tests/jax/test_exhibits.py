"""Exhibits, run: the failing half fails as it says, and the fix passes.

By default a fixed sample on the museum's own environment; all of them on every version at hand with ``-m matrix``.
"""

import asyncio
import functools

import pytest

from museum.catalog import Catalog, load_catalog
from museum.exhibit import Exhibit, Half, OutcomeKind
from museum.lab.environments import Environment, managed, own
from museum.lab.lab import Lab
from museum.lab.target import Target, TargetKind
from museum.lab.verify import Result, Verdict, plan, verify
from museum.versions import is_within, sort_versions

CATALOG: Catalog = load_catalog()
# One of each wing, each kind and each target, and the errors that most people meet.
SAMPLE = (
    *("xla/indivisible-dimension", "xla/more-hbm-than-the-chip", "mesh/unknown-xla-flag"),
    *("mesh/device-order-is-not-id-order", "sharding/incompatible-devices-arguments", "sharding/silent-all-gather"),
    *("explicit/add-of-different-shardings", "shard-map/out-specs-not-replicated", "shard-map/psum-twice"),
    *("memory/donation-not-usable", "pallas-tpu/block-shape-8-128", "pallas-gpu/no-device-mesh"),
    *("multihost/fetching-non-addressable", "tracing/bool-of-traced-block", "legacy/positional-sharding"),
)


def verified(exhibits: tuple[Exhibit, ...], jax: str, environments: list[Environment]) -> list[Result]:
    """Both halves of the exhibits on one version."""

    async def work() -> list[Result]:
        lab = Lab(spares=0, nurseries=2)
        try:
            return await verify(plan(exhibits, environments, {jax: ""}), lab)
        finally:
            await lab.close()

    return asyncio.run(work())


def faults(results: list[Result]) -> list[str]:
    """Bad verdicts, and what was not run without a reason that the exhibit or the machine gives."""
    found = []
    for result in results:
        job, judged = result.job, result.judged
        facts = job.exhibit.facts
        excused = (
            not is_within(job.jax, facts.needs_jax)
            or (job.half is Half.FIX and not is_within(job.jax, facts.fix_needs_jax))
            or (job.target.kind is TargetKind.TPU_COMPILE and job.environment and not job.environment.libtpu)
            or job.target.kind is TargetKind.LOCAL
        )
        if not judged.verdict.good or (judged.verdict is Verdict.NOT_RUNNABLE and not (excused and judged.detail)):
            found.append(
                f"{job.exhibit.id} {job.half} on JAX {job.jax}, {job.target}: {judged.verdict} {judged.detail}"
            )
    return found


@functools.cache
def sampled() -> list[Result]:
    """The sample on the museum's own environment, run once in a session."""
    environment = asyncio.run(own())
    return verified(tuple(map(CATALOG.exhibit, SAMPLE)), environment.jax, [environment])


@pytest.mark.parametrize("name", SAMPLE)
def test_an_exhibit_does_what_it_says(name: str) -> None:
    results = [result for result in sampled() if result.job.exhibit.id == name]
    assert len(results) == 2 * len(CATALOG.exhibit(name).facts.targets)
    assert faults(results) == []


def test_the_sample_shows_every_wing_and_every_kind_that_is_quick() -> None:
    sample = [CATALOG.exhibit(name) for name in SAMPLE]
    assert len(set(SAMPLE)) == 15
    assert {exhibit.wing for exhibit in sample} == {wing.id for wing in CATALOG.wings}
    assert {exhibit.facts.kind for exhibit in sample} == set(OutcomeKind) - {OutcomeKind.HANGS, OutcomeKind.PASSES}
    kinds = {Target.parse(target).kind for exhibit in sample for target in exhibit.facts.targets}
    assert kinds == set(TargetKind) - {TargetKind.LOCAL}


@pytest.mark.matrix
@pytest.mark.parametrize("jax", sort_versions({environment.jax for environment in managed()}))
def test_all_exhibits_do_what_they_say(jax: str) -> None:
    results = verified(CATALOG.exhibits, jax, [asyncio.run(own()), *managed()])
    assert faults(results) == []


def test_the_whole_collection_opens() -> None:
    assert CATALOG.problems == ()
    assert CATALOG.exhibits

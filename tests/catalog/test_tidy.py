"""The collection as it ships: nothing wrong with its files, and every claim in them backed by a capture."""

from itertools import chain

import pytest

from museum.catalog import expectation_for, load_catalog
from museum.exhibit import Capture, Exhibit, Half, Origin, OutcomeKind

# Ids are stable for ever: visitors link to them. Add here, never take away.
IDS = {
    "memory/memory-kind-on-an-aval",
    "mesh/torus-cannot-host-axis",
    "pallas-gpu/collective-axes-do-not-cover-mesh",
    "pallas-gpu/no-device-mesh",
    "xla/indivisible-dimension",
    "xla/more-hbm-than-the-chip",
    "xla/psum-outside-mesh",
    "xla/unknown-axis",
}
WIDEST_LINE = 72  # two scripts stand side by side


@pytest.fixture(scope="module")
def catalog():
    return load_catalog()


@pytest.fixture(scope="module")
def exhibits(catalog):
    assert catalog.exhibits
    return catalog.exhibits


def evidence(kind: OutcomeKind, capture: Capture) -> str:
    """Where a failure of this kind shows itself; `museum.lab.verify.evidence` reads the same places in a live run."""
    return {
        OutcomeKind.RAISES: capture.message,
        OutcomeKind.WARNS: capture.stderr,
        OutcomeKind.SILENT: capture.stdout,
        OutcomeKind.ABORTS: capture.stderr,
        OutcomeKind.HANGS: capture.stdout + capture.stderr,
    }[kind]


def faults_of_failure(exhibit: Exhibit, capture: Capture) -> list[str]:
    """What an exhibit's expectation misses in a capture of a failing half."""
    expected = expectation_for(exhibit.facts, capture.jax)
    if expected is None:
        return ["no expectation"]
    seen = evidence(exhibit.facts.kind, capture)
    faults = [f"does not say {piece!r}" for piece in expected.says if piece not in seen]
    if exhibit.facts.kind is OutcomeKind.RAISES and capture.error != expected.error:
        faults.append(f"class is {capture.error}, not {expected.error}")
    return faults


def faults_of_fix(exhibit: Exhibit, capture: Capture) -> list[str]:
    """What an exhibit's expectation misses in a capture of its fix."""
    expected = expectation_for(exhibit.facts, capture.jax)
    faults = [
        f"prints no {piece!r}" for piece in (expected.fix_prints if expected else ()) if piece not in capture.stdout
    ]
    if capture.exit_code or capture.error:
        faults.append(f"ended with {capture.error or capture.exit_code}")
    return faults


def reproduced(exhibit: Exhibit, half: Half) -> list[Capture]:
    return [each for each in exhibit.captures if (each.half, each.origin) == (half, Origin.REPRODUCED)]


def test_there_is_nothing_wrong_with_the_files(catalog):
    assert "\n".join(map(str, catalog.problems)) == ""


def test_no_id_is_lost(exhibits):
    assert {exhibit.id for exhibit in exhibits} >= IDS


def test_ids_and_titles_are_unique(exhibits):
    for names in ([exhibit.id for exhibit in exhibits], [exhibit.title for exhibit in exhibits]):
        assert sorted(set(names)) == sorted(names)


def test_every_exhibit_claims_a_jax_version(exhibits):
    assert [exhibit.id for exhibit in exhibits if not exhibit.facts.jax] == []


def test_both_halves_are_captured_on_every_version_claimed(exhibits):
    missing = [
        f"{exhibit.id}: {half} on JAX {jax}"
        for exhibit in exhibits
        for jax in exhibit.facts.jax
        for half in Half
        if exhibit.capture_for(jax, half) is None
    ]

    assert missing == []


def test_captures_are_what_the_exhibits_expect(exhibits):
    wrong = [
        f"{exhibit.id}: {half} on JAX {capture.jax}, {capture.target}: {fault}"
        for exhibit in exhibits
        for half, faults in ((Half.FAILING, faults_of_failure), (Half.FIX, faults_of_fix))
        for capture in reproduced(exhibit, half)
        for fault in faults(exhibit, capture)
    ]

    assert wrong == []


def test_captures_are_of_the_exhibits_own_targets(exhibits):
    foreign = [
        f"{exhibit.id}: {capture.target}"
        for exhibit in exhibits
        for capture in chain(reproduced(exhibit, Half.FAILING), reproduced(exhibit, Half.FIX))
        if capture.target not in exhibit.facts.targets
    ]

    assert foreign == []


def test_no_expectation_also_fits_another_exhibits_failure(exhibits):
    confused = [
        f"{other.id} expects what {exhibit.id} does on JAX {capture.jax}"
        for exhibit in exhibits
        for capture in reproduced(exhibit, Half.FAILING)
        for other in exhibits
        if other is not exhibit and other.facts.kind is exhibit.facts.kind and not faults_of_failure(other, capture)
    ]

    assert confused == []


def test_scripts_fit_side_by_side(exhibits):
    wide = [
        f"{exhibit.id}: {half}.py line {number} has {len(line)} columns"
        for exhibit in exhibits
        for half, text in exhibit.scripts.items()
        for number, line in enumerate(text.splitlines(), 1)
        if len(line) > WIDEST_LINE
    ]

    assert wide == []

"""The collection as it ships: nothing wrong with its files, and every claim in them backed by a capture."""

import ast
import datetime
import re
from dataclasses import dataclass
from itertools import chain, combinations
from pathlib import Path

import pytest

from museum.catalog import load_catalog
from museum.exhibit import Capture, Exhibit, Half, Origin, OutcomeKind
from museum.promises import expectation_for
from museum.versions import is_within

# Ids are stable for ever: visitors link to them. Add to the file, never take away.
IDS = set((Path(__file__).parent / "ids.txt").read_text().split())
VERSIONS = ("0.4.38", "0.6.2", "0.8.3", "0.10.2", "0.12.0.1")
WIDEST_LINE = 72  # two scripts stand side by side
LEAST_OF_KIND = {"silent": 12, "warns": 5, "aborts": 3, "hangs": 3}


@dataclass(frozen=True)
class Exempt:
    """A fault that is known and let pass for a while.

    Attributes:
        fault: The line that the stage would print.
        why: For whom it may concern.
        until: From this day on it is a fault again.
    """

    fault: str
    why: str
    until: datetime.date


EXEMPT: tuple[Exempt, ...] = ()


def without_exempt(faults: list[str]) -> list[str]:
    return [fault for fault in faults if fault not in {one.fault for one in EXEMPT}]


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
        OutcomeKind.PASSES: capture.stdout,
    }[kind]


def kind_on(exhibit: Exhibit, jax: str) -> OutcomeKind:
    """How it fails on a version."""
    expected = expectation_for(exhibit.facts, jax)
    return (expected and expected.kind) or exhibit.facts.kind


def faults_of_failure(exhibit: Exhibit, capture: Capture) -> list[str]:
    """What an exhibit's expectation misses in a capture of a failing half."""
    expected = expectation_for(exhibit.facts, capture.jax)
    if expected is None:
        return ["no expectation"]
    kind = kind_on(exhibit, capture.jax)
    seen = evidence(kind, capture)
    faults = [f"does not say {piece!r}" for piece in expected.says if piece not in seen]
    raises = kind is OutcomeKind.RAISES
    if raises and capture.error != expected.error:
        faults.append(f"class is {capture.error}, not {expected.error}")
    if raises and not expected.says and capture.message:
        faults.append(f"has a message, {capture.message!r}, and none is expected")
    if (capture.status == "ok") is not (kind in (OutcomeKind.SILENT, OutcomeKind.WARNS, OutcomeKind.PASSES)):
        faults.append(f"ended {capture.status}, which is not how it {kind}")
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


def test_every_exhibit_is_proven_or_says_who_saw_it(exhibits):
    unproven = [exhibit for exhibit in exhibits if not exhibit.facts.jax]
    assert [one.id for one in unproven if not any(each.origin is Origin.REPORTED for each in one.captures)] == []


def test_every_exhibit_is_proven_on_each_version_that_it_does_not_rule_out(exhibits):
    missing = [
        f"{exhibit.id}: JAX {jax} is neither proven nor ruled out by needs_jax"
        for exhibit in exhibits
        for jax in VERSIONS
        if exhibit.facts.jax and jax not in exhibit.facts.jax and is_within(jax, exhibit.facts.needs_jax)
    ]

    assert without_exempt(missing) == []


def test_every_kind_of_failure_is_shown(exhibits):
    number = {kind: sum(exhibit.facts.kind == kind for exhibit in exhibits) for kind in LEAST_OF_KIND}
    assert {kind: min(number[kind], least) for kind, least in LEAST_OF_KIND.items()} == LEAST_OF_KIND


def test_both_halves_are_captured_on_every_version_claimed(exhibits):
    missing = [
        f"{exhibit.id}: {half} on JAX {jax}"
        for exhibit in exhibits
        for jax in exhibit.facts.jax
        for half in Half
        if exhibit.capture_for(jax, half) is None
        if half is Half.FAILING or is_within(jax, exhibit.facts.fix_needs_jax)
    ]

    assert without_exempt(missing) == []


def test_captures_are_what_the_exhibits_expect(exhibits):
    wrong = [
        f"{exhibit.id}: {half} on JAX {capture.jax}, {capture.target}: {fault}"
        for exhibit in exhibits
        for half, faults in ((Half.FAILING, faults_of_failure), (Half.FIX, faults_of_fix))
        for capture in reproduced(exhibit, half)
        for fault in faults(exhibit, capture)
    ]

    assert without_exempt(wrong) == []


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
        if kind_on(exhibit, capture.jax) not in (OutcomeKind.PASSES, OutcomeKind.HANGS)
        for other in exhibits
        if other is not exhibit
        and kind_on(other, capture.jax) is kind_on(exhibit, capture.jax)
        and not faults_of_failure(other, capture)
    ]

    assert without_exempt(confused) == []


def test_scripts_fit_side_by_side(exhibits):
    wide = [
        f"{exhibit.id}: {half}.py line {number} has {len(line)} columns"
        for exhibit in exhibits
        for half, text in exhibit.scripts.items()
        for number, line in enumerate(text.splitlines(), 1)
        if len(line) > WIDEST_LINE
    ]

    assert wide == []


def test_every_exhibit_names_where_people_met_it_or_where_the_rule_stands(exhibits):
    assert without_exempt([exhibit.id for exhibit in exhibits if not exhibit.facts.sources]) == []


def test_links_between_placards_lead_somewhere(catalog):
    known = {exhibit.id for exhibit in catalog.exhibits} | {wing.id for wing in catalog.wings}
    texts = {wing.id: wing.intro for wing in catalog.wings}
    for exhibit in catalog.exhibits:
        placard = exhibit.placard
        texts[exhibit.id] = "\n".join(
            (placard.what_it_means, placard.when_you_meet_it, placard.ways_out, placard.see_also)
        )
    dead = [
        f"{place}: museum:{link}"
        for place, text in texts.items()
        for link in re.findall(r"museum:([\w/-]+)", text)
        if link not in known
    ]

    assert without_exempt(dead) == []


def test_a_wings_intro_leads_to_each_of_its_exhibits(catalog):
    missing = [
        f"{wing.id}: the intro does not lead to {exhibit.id}"
        for wing in catalog.wings
        for exhibit in wing.exhibits
        if f"(museum:{exhibit.id})" not in wing.intro
    ]

    assert without_exempt(missing) == []


def skeleton(script: str) -> str:
    """A script without what is only a name or a number."""
    tree = ast.parse(script)
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.setdefault(node.id, f"name{len(names)}")
        elif isinstance(node, ast.arg):
            node.arg = names.setdefault(node.arg, f"name{len(names)}")
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            node.name = names.setdefault(node.name, f"name{len(names)}")
        elif isinstance(node, ast.Constant) and not (isinstance(node.value, str) and not node.value.isidentifier()):
            node.value = type(node.value).__name__  # a number, or the name of an axis
    return ast.dump(tree)


def test_no_two_exhibits_differ_only_in_names_and_numbers(exhibits):
    shapes = {exhibit.id: skeleton(exhibit.scripts[Half.FAILING]) for exhibit in exhibits}
    assert without_exempt([f"{a} and {b}" for a, b in combinations(shapes, 2) if shapes[a] == shapes[b]]) == []


def test_nothing_is_let_pass_for_ever():
    today = datetime.datetime.now(tz=datetime.UTC).date()
    assert [one.fault for one in EXEMPT if one.until <= today or not one.why] == []

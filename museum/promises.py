"""What an exhibit promises on a JAX version, and where it says that it cannot run."""

from museum.exhibit import ExhibitFile, Expectation, Half, OutcomeKind
from museum.versions import is_within


def expectation_for(facts: ExhibitFile, jax: str) -> Expectation | None:
    """The first expectation whose specifier holds a JAX version; None where the exhibit promises nothing.

    Raises:
        MuseumError: `jax` or a specifier does not follow PEP 440.
    """
    for expectation in facts.expect:
        if is_within(jax, expectation.jax):
            return expectation
    return None


def kind_on(facts: ExhibitFile, jax: str) -> OutcomeKind:
    """How the failing half shows itself on a JAX version.

    Raises:
        MuseumError: As `expectation_for`.
    """
    expected = expectation_for(facts, jax)
    return (expected and expected.kind) or facts.kind


def why_ruled_out(facts: ExhibitFile, half: Half, jax: str) -> str:
    """Why the exhibit says that a half cannot be run on a JAX version, as one clause; "" where it says no such thing.

    Raises:
        MuseumError: As `is_within`.
    """
    if not is_within(jax, facts.needs_jax):
        return f"needs JAX {facts.needs_jax}: {facts.needs_why}"
    if half is Half.FIX and not is_within(jax, facts.fix_needs_jax):
        return f"the fix needs JAX {facts.fix_needs_jax}: {facts.fix_needs_why}"
    return ""

"""A new exhibit from a script that fails: everything that a run can tell is filled in, the rest is left empty.

What is empty is a problem of the collection, named with file and key, until somebody writes it.
"""

import re
from pathlib import Path

from museum.catalog import load_catalog
from museum.errors import MuseumError
from museum.exhibit import PLACARD_HEADINGS, Half, OutcomeKind
from museum.lab.normalise import before_traceback, without_directories
from museum.lab.outcome import RunOutcome, RunStatus

MOST_PIECES = 3
SHORTEST_PIECE = 8  # characters; less says nothing
# What differs from run to run, or from script to script: a promise is made of what stands between.
_UNSTABLE = re.compile(r"0x[0-9a-fA-F]+|\bid=\d+|[\w./-]+\.py:?\d*(?::\d+)*|\bline \d+|\d\d:\d\d:\d\d\.\d+ +\d+")


def kind_of(outcome: RunOutcome) -> OutcomeKind:
    """How a run failed, as far as it can be told from outside; one that ends well and prints fails in silence.

    Raises:
        MuseumError: It did not run at all, or it neither failed nor said anything.
    """
    if outcome.status is RunStatus.NOT_STARTED:
        raise MuseumError(f"the script cannot be run: {outcome.detail}")
    if outcome.exception is not None:
        return OutcomeKind.RAISES
    if outcome.status is RunStatus.TIMED_OUT:
        return OutcomeKind.HANGS
    if outcome.failed:
        return OutcomeKind.ABORTS
    if outcome.stderr.text.strip():
        return OutcomeKind.WARNS
    if outcome.stdout.text.strip():
        return OutcomeKind.SILENT
    raise MuseumError(
        "the script runs to its end and prints nothing; let it print the fact that gives the failure away"
    )


def telling_pieces(text: str) -> tuple[str, ...]:
    """The parts of a message's first telling line that will be the same in the next run."""
    lines = [line for line in without_directories(text).splitlines() if line.strip()]
    pieces = [piece.strip() for line in lines[:1] for piece in _UNSTABLE.split(line)]
    return tuple(piece for piece in pieces if len(piece) >= SHORTEST_PIECE)[:MOST_PIECES] or tuple(lines[:1])


def scaffold(exhibit_id: str, script: str, outcome: RunOutcome, jax: str, root: Path) -> Path:
    """Write the folder of a new exhibit and list it in its wing.

    Args:
        exhibit_id: ``wing/slug``.
        script: The text that fails.
        outcome: What its run did.
        jax: On which JAX version.
        root: The folder that holds the wings.

    Returns:
        The new folder.

    Raises:
        MuseumError: No such wing, the exhibit is there already, or the run shows no failure.
    """
    wing, _, slug = exhibit_id.partition("/")
    if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", slug):
        raise MuseumError(f"{exhibit_id}: an id is wing/slug, the slug of small letters, digits and single hyphens")
    load_catalog(root, check=False).wing(wing)  # says which wings there are
    folder = root / wing / slug
    if folder.exists():
        raise MuseumError(f"{exhibit_id} is there already: {folder}")
    facts = _facts(outcome, jax)
    wing_file = root / wing / "wing.toml"
    listed = _with_slug(wing_file.read_text("utf-8"), slug)
    if listed is None:
        raise MuseumError(f"{wing_file}: exhibits: is not a list of slugs that another could be added to")
    folder.mkdir()
    (folder / f"{Half.FAILING}.py").write_text(script, "utf-8", "surrogatepass", newline="")
    (folder / f"{Half.FIX}.py").write_text(script, "utf-8", "surrogatepass", newline="")
    (folder / "exhibit.toml").write_text(facts, "utf-8")
    (folder / "placard.md").write_text("\n\n".join(f"## {heading}" for heading in PLACARD_HEADINGS) + "\n", "utf-8")
    wing_file.write_text(listed, "utf-8")
    return folder


def _facts(outcome: RunOutcome, jax: str) -> str:
    import tomli_w

    kind = kind_of(outcome)
    expected: dict[str, object] = {}
    seen = outcome.stdout.text
    if outcome.exception is not None:
        expected["class"] = outcome.exception.error
        seen = outcome.exception.message
    elif kind in (OutcomeKind.WARNS, OutcomeKind.ABORTS):
        seen = before_traceback(outcome.stderr.text)
    expected["says"] = list(telling_pieces(seen))
    expected["fix_prints"] = []
    table = {
        "title": "",
        "kind": str(kind),
        "targets": [outcome.target],
        "jax": [jax],
        "tags": [],
        "expect": [expected],
        "sources": [],
    }
    return tomli_w.dumps(table)


def _with_slug(text: str, slug: str) -> str | None:
    """The text of a ``wing.toml`` with one more exhibit, nothing else touched."""
    found = re.search(r"^exhibits\s*=\s*\[(?P<slugs>[^\]]*)\]", text, re.MULTILINE)
    if found is None:
        return None
    slugs = found["slugs"].rstrip()
    comma = "" if not slugs.strip() or slugs.endswith(",") else ","
    gap = "\n    " if "\n" in found["slugs"] else " " if slugs.strip() else ""
    end = found["slugs"][len(found["slugs"].rstrip()) :]
    return text[: found.start("slugs")] + f'{slugs}{comma}{gap}"{slug}"{end}' + text[found.end("slugs") :]

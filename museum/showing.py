"""Exhibits, wings and the whole collection as text and as JSON, for the command line and for the window's pages."""

from collections.abc import Iterable

from museum.catalog import Catalog
from museum.exhibit import PLACARD_HEADINGS, Capture, Exhibit, Half, Origin, OutcomeKind, Wing
from museum.lab.target import Target
from museum.promises import kind_on
from museum.versions import sort_versions

_BETWEEN = " · "


def proven_on(exhibit: Exhibit) -> tuple[str, ...]:
    """JAX versions on which the museum saw the failing half fail and the fix pass, oldest first.

    A version counts when one target has a reproduced capture of both halves, and the failing one did fail: where the
    exhibit says that it runs through, nothing was proven.
    """
    return tuple(sort_versions({jax for jax, _ in _proofs(exhibit)}))


def _proofs(exhibit: Exhibit) -> set[tuple[str, str]]:
    """JAX version and target of every run that has both halves."""
    runs: dict[Half, set[tuple[str, str]]] = {half: set() for half in Half}
    for capture in exhibit.captures:
        if capture.origin is Origin.REPRODUCED and kind_on(exhibit.facts, capture.jax) is not OutcomeKind.PASSES:
            runs[capture.half].add((capture.jax, capture.target))
    return runs[Half.FAILING] & runs[Half.FIX]


def list_entry(exhibit: Exhibit) -> dict[str, object]:
    """One exhibit as `list --json` gives it; ``jax`` holds the versions proven, ``target`` the default one."""
    facts = exhibit.facts
    return {
        "id": exhibit.id,
        "wing": exhibit.wing,
        "title": exhibit.title,
        "kind": str(facts.kind),
        "target": facts.targets[0],
        "tags": list(facts.tags),
        "jax": list(proven_on(exhibit)),
    }


def list_json(catalog: Catalog, wing: str = "") -> dict[str, object]:
    """What `list --json` prints: ``{"exhibits": [...]}`` in walking order.

    Args:
        catalog: The collection.
        wing: Id of the only wing to list; "" for all.

    Raises:
        MuseumError: No such wing.
    """
    chosen = catalog.wing(wing).exhibits if wing else catalog.exhibits
    return {"exhibits": [list_entry(exhibit) for exhibit in chosen]}


def list_text(catalog: Catalog, wing: str = "") -> str:
    """What `list` prints: each wing with its summary, then its exhibits by number, id and title.

    Args:
        catalog: The collection.
        wing: Id of the only wing to list; "" for all.

    Raises:
        MuseumError: No such wing.
    """
    blocks = []
    for one in (catalog.wing(wing),) if wing else catalog.wings:
        width = max((len(exhibit.id) for exhibit in one.exhibits), default=0)
        lines = [f"{place_in_wing(exhibit, one)}  {exhibit.id:<{width}}  {exhibit.title}" for exhibit in one.exhibits]
        blocks.append("\n".join((f"{one.title} ({one.id}): {wing_summary(one)}", *(f"  {line}" for line in lines))))
    return "\n\n".join(blocks)


def place_in_wing(exhibit: Exhibit, wing: Wing) -> str:
    """The exhibit's number among its wing's, ``01/04``."""
    return f"{exhibit.number:02}/{len(wing.exhibits):02}"


def wing_summary(wing: Wing) -> str:
    """One line computed from the captures: how many exhibits, how many reproduced and where, how many only reported.

    A version on which not all the reproduced ones are proven carries its own count.
    """
    proofs = {exhibit.id: _proofs(exhibit) for exhibit in wing.exhibits}
    reproduced = [exhibit for exhibit in wing.exhibits if proofs[exhibit.id]]
    reported = [exhibit for exhibit in wing.exhibits if exhibit not in reproduced and _is_reported(exhibit)]
    parts = [f"{len(wing.exhibits)} exhibit{'' if len(wing.exhibits) == 1 else 's'}"]
    if reproduced:
        runs = {run for exhibit in reproduced for run in proofs[exhibit.id]}
        versions = []
        for version in sort_versions({jax for jax, _ in runs}):
            count = sum(version in {jax for jax, _ in proofs[exhibit.id]} for exhibit in reproduced)
            versions.append(version if count == len(reproduced) else f"{version} ({count} of {len(reproduced)})")
        targets = _targets_in_words({target for _, target in runs})
        parts.append(f"{len(reproduced)} reproduced on JAX {', '.join(versions)} with {targets}")
    if reported:
        parts.append(f"{len(reported)} reported by others")
    if unproven := len(wing.exhibits) - len(reproduced) - len(reported):
        parts.append(f"{unproven} not yet proven")
    return _BETWEEN.join(parts)


def _is_reported(exhibit: Exhibit) -> bool:
    return any(capture.origin is Origin.REPORTED for capture in exhibit.captures)


def _targets_in_words(targets: Iterable[str]) -> str:
    ordered = sorted(map(Target.parse, targets), key=lambda target: (target.kind, target.processes, target.devices))
    return " and ".join(target.words for target in ordered)


def show_text(exhibit: Exhibit) -> str:
    """What `show` prints: the facts, the placard, both scripts with their differing lines marked, the captures."""
    facts = exhibit.facts
    proven = ", ".join(proven_on(exhibit))
    lines = [
        exhibit.title,
        "=" * len(exhibit.title),
        f"id         {exhibit.id}",
        f"kind       {facts.kind}",
        f"targets    {', '.join(facts.targets)}",
        f"proven on  {f'JAX {proven}' if proven else 'no version yet'}",
        f"tags       {', '.join(facts.tags)}",
    ]
    if facts.needs_jax:
        lines.append(f"needs      JAX {facts.needs_jax} ({facts.needs_why})")
    placard = exhibit.placard
    bodies = (placard.what_it_means, placard.when_you_meet_it, placard.ways_out, placard.see_also)
    for heading, body in zip(PLACARD_HEADINGS, bodies, strict=True):
        if body:
            lines += ["", *_headed(heading), body]
    if facts.sources:
        lines += ["", *_headed("Sources"), *(f"- {source.title}: {source.url}" for source in facts.sources)]
    for half in Half:
        lines += ["", *_headed(f"{half}.py"), *_marked_lines(exhibit, half)]
    for capture in exhibit.captures:
        lines += ["", *_headed(provenance(capture)), *_captured_lines(capture)]
    return "\n".join(lines)


def provenance(capture: Capture) -> str:
    """Where a capture comes from, in one line."""
    version = f"JAX {capture.jax}" if capture.jax else "JAX version not stated"
    parts = [f"{capture.half} on {version}"]
    if capture.jaxlib and capture.jaxlib != capture.jax:
        parts.append(f"jaxlib {capture.jaxlib}")
    if capture.libtpu:
        parts.append(f"libtpu {capture.libtpu}")
    if capture.python:
        parts.append(f"Python {capture.python}")
    parts += [part for part in (capture.platform, capture.target) if part]
    parts.append(f"{capture.origin} {capture.date.isoformat()}")
    if capture.source:
        parts.append(capture.source)
    return ", ".join(parts)


def _headed(heading: str) -> tuple[str, str]:
    return heading, "-" * len(heading)


def _marked_lines(exhibit: Exhibit, half: Half) -> list[str]:
    """A script with the lines that only this half has marked ``-`` (failing) or ``+`` (fix) in the margin."""
    from difflib import SequenceMatcher

    scripts = {each: text.splitlines() for each, text in exhibit.scripts.items()}
    matcher = SequenceMatcher(None, scripts[Half.FAILING], scripts[Half.FIX], autojunk=False)
    shared: set[int] = set()
    for block in matcher.get_matching_blocks():
        start = block.a if half is Half.FAILING else block.b
        shared.update(range(start, start + block.size))
    mark = "-" if half is Half.FAILING else "+"
    return [f"{' ' if place in shared else mark} {line}".rstrip() for place, line in enumerate(scripts[half])]


def _captured_lines(capture: Capture) -> list[str]:
    status = f"{capture.status}, exit code {capture.exit_code}" if capture.origin is Origin.REPRODUCED else ""
    lines = [status] if status else []
    if capture.error:
        lines.append(f"{capture.error}: {capture.message}" if capture.message else capture.error)
    elif capture.message:
        lines.append(capture.message)
    for name, text in (("stdout", capture.stdout), ("stderr", capture.stderr)):
        if text.strip():
            lines += [f"{name}:", text.rstrip("\n")]
    return lines

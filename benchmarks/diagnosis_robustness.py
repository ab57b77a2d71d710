"""How often the diagnosis says the same of a message that was mangled, of other values, of an unseen version.

    uv run --no-sync python benchmarks/diagnosis_robustness.py [--data DIR] [--json]

The messages are the exhibits' own on all versions, and with `--data` those recorded from JAX's own tests too. "Mangled"
counts answers that name the class, raise site and exhibit that the plain traceback got. "Other values" renames axes and
arguments and multiplies sizes. "Version left out" asks for the messages of one JAX version with its captures, and with
what only that version said, taken away: does the exhibit still come first, or in the first three, of those that have
the message at all?
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from packaging.version import Version

from museum.catalog import Catalog, load_catalog
from museum.diagnosis.answer import Answer
from museum.diagnosis.diagnose import Diagnosis
from museum.diagnosis.examples import printed
from museum.diagnosis.lineage import OldText, load_lineage
from museum.exhibit import OutcomeKind

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from mangling import MANGLERS, traceback_of

Said = tuple[str, str]
_NAMES = re.compile(r"(?<=')(?:data|model|batch|rows|cols|dp|tp|fsdp|replica|x|y|images|params|kernel)(?=')")
_SIZES = re.compile(r"(?<=[\[(, ])\d{1,6}(?=[\]), ])")


def other_values(message: str) -> str:
    """The message as another program might get it: other axes, other sizes."""
    return _SIZES.sub(lambda size: str(3 * int(size[0])), _NAMES.sub(lambda name: f"my_{name[0]}", message))


def own_messages(catalog: Catalog) -> Iterator[tuple[str, str, Said]]:
    """Exhibit, version, class and message of all exhibits that raise."""
    for exhibit in catalog.exhibits:
        if exhibit.facts.kind is OutcomeKind.RAISES:
            for jax, error, message in printed(exhibit):
                if error and len(message) > 20:
                    yield exhibit.id, jax, (error, message)


def recorded(folder: Path | None) -> Iterator[Said]:
    """Every third message that JAX's own tests provoke."""
    if folder is not None:
        lines = (folder / "recorded_messages.jsonl").read_text("utf-8").splitlines()
        for one in [json.loads(line) for line in lines][::3]:
            if not one["generic"]:
                module = "" if one["module"] == "builtins" else f"{one['module']}."
                yield f"{module}{one['cls']}", one["message"]


def gist(answer: Answer) -> tuple[object, ...]:
    """What must stay."""
    sites = [(site.file, site.line) for site in answer.sites[:1]]
    return answer.reading.error, sites, [hit.id for hit in answer.exhibits[:1]]


def mangled(diagnosis: Diagnosis, texts: list[Said]) -> dict[str, float]:
    """The share of equal answers by way of mangling."""
    plain = [gist(diagnosis.explain(traceback_of(*text))) for text in texts]
    rates = {}
    for name, mangle in MANGLERS.items():
        same = [
            gist(diagnosis.explain(mangle(traceback_of(*text)))) == one for text, one in zip(texts, plain, strict=True)
        ]
        rates[name] = sum(same) / len(same)
    return rates


def found(diagnosis: Diagnosis, cases: list[tuple[str, str, Said]]) -> tuple[float, float]:
    """Shares of exhibits that come first, or as well as first, and in the first three."""
    first = three = 0
    for exhibit, _, (error, message) in cases:
        hits = diagnosis.explain(f"{error}: {message}").exhibits
        best = hits[0].score if hits else 0.0
        # Exhibits of the very same message can't be told apart: each of them is right.
        alike = [hit.id for hit in hits if round(best - hit.score, 3) <= 0.02]
        first += exhibit in alike
        three += exhibit in alike or exhibit in [hit.id for hit in hits[:3]]
    return first / len(cases), three / len(cases)


def without(catalog: Catalog, lineage: tuple[OldText, ...], jax: str) -> Diagnosis:
    """A diagnosis that never saw a version."""
    versions = {capture.jax for exhibit in catalog.exhibits for capture in exhibit.captures} - {jax, ""}
    wings = tuple(
        msgspec.structs.replace(
            wing,
            exhibits=tuple(
                msgspec.structs.replace(one, captures=tuple(kept for kept in one.captures if kept.jax != jax))
                for one in wing.exhibits
            ),
        )
        for wing in catalog.wings
    )
    kept = [text for text in lineage if not _stands(text, jax) or any(_stands(text, other) for other in versions)]
    return Diagnosis(type(catalog)(wings), lineage=kept)


def _stands(text: OldText, jax: str) -> bool:
    return Version(text.since) <= Version(jax) <= Version(text.until)


def left_out(catalog: Catalog) -> dict[str, dict[str, float]]:
    """By version, how well its messages are found without it."""
    lineage = load_lineage()
    cases = list(own_messages(catalog))
    result = {}
    for jax in sorted({jax for _, jax, _ in cases}, key=Version):
        own = [
            (exhibit, version, (said[0], other_values(said[1]))) for exhibit, version, said in cases if version == jax
        ]
        first, three = found(without(catalog, lineage, jax), own)
        result[jax] = {"asked": len(own), "first": round(first, 3), "three": round(three, 3)}
    return result


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    catalog = load_catalog(check=False)
    diagnosis = Diagnosis(catalog)
    cases = list(own_messages(catalog))
    texts = [said for _, _, said in cases][::3] + list(recorded(options.data))
    values = [(exhibit, jax, (said[0], other_values(said[1]))) for exhibit, jax, said in cases]
    figures: dict[str, Any] = {
        "mangled": {name: round(rate, 3) for name, rate in mangled(diagnosis, texts).items()},
        "other_values": dict(zip(("first", "three"), (round(one, 3) for one in found(diagnosis, values)), strict=True)),
        "version_left_out": left_out(catalog),
    }
    if options.json:
        print(json.dumps(figures))
        return 0
    print(f"the same answer, of {len(texts)} messages")
    print("\n".join(f"  {name:28} {rate:6.3f}" for name, rate in figures["mangled"].items()))
    print(f"other values, of {len(values)}: {figures['other_values']}")
    for jax, row in figures["version_left_out"].items():
        print(f"without JAX {jax:10} {row}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

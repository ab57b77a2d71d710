"""How often the diagnosis is right, and how fast it is, on messages recorded from JAX's own tests and on real reports.

    uv run --no-sync python benchmarks/diagnosis.py [--data DIR] [--misses] [--json]

Exhibits are asked for real reports, and for the recorded messages: where an exhibit is about the true raise site it
should come first, elsewhere none should. `diagnosis_robustness.py` measures mangled and unseen messages.

Raise sites are asked in the index of the JAX version that raised; versions that are not installed here are left out,
and said so. "Grouped" counts two sites with the same words as one. Times are the processor's, of the whole answer, from
text to values.
"""

import argparse
import asyncio
import json
import re
import statistics
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from museum.catalog import load_catalog
from museum.diagnosis.answer import Answer
from museum.diagnosis.command import with_versions
from museum.diagnosis.diagnose import Diagnosis
from museum.diagnosis.lineage import load_lineage
from museum.diagnosis.sites import shipped_index

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
WAYS = ("whole", "first line", "middle half", "60 characters", "with frames")


@dataclass
class Tally:
    """Right answers of one row."""

    asked: int = 0
    first: int = 0
    grouped: int = 0
    three: int = 0

    def add(self, first: bool, grouped: bool, three: bool) -> None:
        """Count one question."""
        self.asked += 1
        self.first += first
        self.grouped += grouped
        self.three += three

    def as_json(self) -> dict[str, float]:
        """Shares, rounded."""
        shares = {name: round(getattr(self, name) / self.asked, 4) for name in ("first", "grouped", "three")}
        return {"asked": self.asked, **shares}


@dataclass
class Findings:
    """All tables, the misses and the times."""

    tables: dict[str, dict[str, Tally]] = field(default_factory=dict)
    misses: list[str] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=dict)

    def tally(self, table: str, row: str) -> Tally:
        """The tally of a row, made on first use."""
        return self.tables.setdefault(table, {}).setdefault(row, Tally())


def read(file: Path) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]


def middle_half(message: str) -> str:
    """The middle half of a message's characters."""
    text = " ".join(message.split())
    return text[len(text) // 4 : len(text) - len(text) // 4]


def middle_piece(message: str) -> str:
    """Sixty characters out of the middle."""
    text = " ".join(message.split())
    start = max(0, len(text) // 2 - 30)
    return text[start : start + 60]


def pasted(record: dict[str, Any], way: str) -> str:
    """A recorded message as somebody might paste it."""
    error = record["cls"] if record["module"] == "builtins" else f"{record['module']}.{record['cls']}"
    message = record["message"]
    if way == "first line":
        return f"{error}: {message.splitlines()[0] if message else ''}"
    if way == "middle half":
        return middle_half(message)
    if way == "60 characters":
        return middle_piece(message)
    if way == "with frames":
        function = record["function"].rpartition(".")[2]
        place = f'"/venv/lib/python3.12/site-packages/{record["file"]}", line {record["line"]}, in {function}'
        inner = f"  File {place}\n    raise …\n"
        own = '  File "/home/me/train.py", line 30, in <module>\n    step(x)\n'
        return f"Traceback (most recent call last):\n{own}{inner}{error}: {message}"
    return f"{error}: {message}"


def judge_sites(diagnosis: Diagnosis, records: list[dict[str, Any]], findings: Findings) -> None:
    """Ask for the raise site of every recorded message in every way."""
    for record in records:
        wing = record["file"].removeprefix("jax/").removeprefix("_src/").partition("/")[0].removesuffix(".py")
        for way in WAYS:
            answer = timed(findings, way, diagnosis, pasted(record, way), record["jax"])
            right = [(site.file, site.line) == (record["file"], record["line"]) for site in answer.sites]
            place = right.index(True) if True in right else -1
            grouped = place == 0 or (place > 0 and words(answer, place) == words(answer, 0))
            for table, row in ((way, record["jax"]), (way, "all"), (f"{way}, by part of JAX", wing)):
                findings.tally(table, row).add(place == 0, grouped, 0 <= place < 3)
            if place != 0:
                findings.misses.append(site_miss(record, way, answer, place))


def judge_exhibits(diagnosis: Diagnosis, records: list[dict[str, Any]], findings: Findings) -> None:
    """Ask for the exhibits of every recorded message, once for each text; the true raise site says which are right."""
    about: dict[tuple[str, ...], set[str]] = {}
    for text in load_lineage():
        about.setdefault(fixed(text.template), set()).update(text.exhibits)
    for record in {(one["cls"], one["message"]): one for one in records}.values():
        index = diagnosis.index_for(record["jax"])
        sites = [index.sites[site] for site in index.by_file.get(record["file"], ())]
        templates = [template for site in sites if site.line == record["line"] for template in site.templates]
        wanted = set().union(*(about.get(fixed(index.templates[template]), set()) for template in templates))
        judge_exhibit(diagnosis, "recorded messages", pasted(record, "whole"), wanted, record["jax"], findings)


def fixed(template: tuple[str, ...]) -> tuple[str, ...]:
    """What a template has of its own."""
    return tuple(" ".join(text.split()) for text in template[::2])


def judge_exhibit(
    diagnosis: Diagnosis, kind: str, text: str, wanted: set[str], row: str, findings: Findings, label: str = ""
) -> None:
    """Ask for the exhibit of one text."""
    answer = timed(findings, kind, diagnosis, text)
    ids = [hit.id for hit in answer.exhibits]
    if wanted:
        right, three = bool(ids) and ids[0] in wanted, any(one in wanted for one in ids[:3])
        for name in ("all", row, min(wanted).partition("/")[0]):
            findings.tally(f"{kind}: the exhibit", name).add(right, right, three)
    else:
        right = not ids
        for name in ("all", row):
            findings.tally(f'{kind}: "no exhibit" where none covers it', name).add(right, right, right)
    if not right:
        near = [(hit.id, hit.score) for hit in (*answer.exhibits, *answer.near)][:3]
        told = f"wants {sorted(wanted) or 'none'}, said {near}: {text[:90]!r}"
        findings.misses.append(f"{kind}, {label or row}: {told}")


def words(answer: Answer, place: int) -> str:
    """What a site says, whatever the names of its holes are."""
    return re.sub(r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}", "{}", answer.sites[place].template)


def site_miss(record: dict[str, Any], way: str, answer: Answer, place: int) -> str:
    """One miss in a line."""
    given = f"{answer.sites[0].file}:{answer.sites[0].line}" if answer.sites else "nothing"
    where = f"place {place + 1}" if place > 0 else "not among those shown"
    what = "the same words there" if place > 0 and words(answer, place) == words(answer, 0) else where
    told = f"{record['file']}:{record['line']} ({what}), said {given}"
    return f"site, {way}, {record['jax']}: {told}: {record['message'][:90]!r}"


def judge_reports(diagnosis: Diagnosis, reports: list[dict[str, Any]], known: set[str], findings: Findings) -> None:
    """Ask for the exhibit of every real report, verbatim ones apart from descriptions."""
    for report in reports:
        kind = "reports, verbatim" if report["text"].startswith("verbatim") else "reports, described in words"
        wanted = {exhibit for exhibit in report["exhibits"] if exhibit in known}
        if report["exhibits"] and not wanted:
            continue  # the exhibit is not in the collection yet
        source = "from jax-ml/jax" if "/jax-ml/jax/" in report["url"] else "from elsewhere"
        judge_exhibit(diagnosis, kind, report["error_text"], wanted, source, findings, report["id"])


def timed(findings: Findings, kind: str, diagnosis: Diagnosis, text: str, jax: str = "") -> Answer:
    """Ask, and note how long it took."""
    start = time.process_time()
    answer = diagnosis.explain(text, jax)
    findings.seconds.setdefault(kind, []).append(time.process_time() - start)
    return answer


def tables_as_text(findings: Findings) -> Iterable[str]:
    """The tables, one after another."""
    for table, rows in findings.tables.items():
        yield f"\n{table:46} {'asked':>6} {'first':>7} {'grouped':>8} {'in three':>9}"
        for row, tally in sorted(rows.items(), key=lambda item: (item[0] != "all", -item[1].asked)):
            shares = (tally.first, tally.grouped, tally.three)
            yield f"  {row:44} {tally.asked:6} " + "".join(f"{share / tally.asked:8.3f}" for share in shares)


def main() -> int:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--misses", action="store_true", help="list the raise sites that were missed, too")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    records = [one for one in read(options.data / "recorded_messages.jsonl") if not one["generic"]]
    catalog = load_catalog(check=False)

    def loaded() -> float:
        start = time.process_time()
        shipped_index()
        return time.process_time() - start

    load = min(loaded() for _ in range(3))
    start = time.process_time()
    diagnosis = Diagnosis(catalog)
    ready = time.process_time() - start
    asyncio.run(with_versions(diagnosis, {one["jax"] for one in records}, lambda text: print(text, file=sys.stderr)))
    here = [one for one in records if one["jax"] in diagnosis.versions]
    left_out = sorted({one["jax"] for one in records} - set(diagnosis.versions))
    diagnosis.explain("ValueError: warm")
    findings = Findings()
    judge_sites(diagnosis, here, findings)
    judge_exhibits(diagnosis, here, findings)
    judge_reports(diagnosis, read(options.data / "reports.jsonl"), {one.id for one in catalog.exhibits}, findings)
    speed = {
        "index_load_ms": round(1000 * load, 1),
        "ready_ms": round(1000 * ready, 1),
        "median_ms": {kind: round(1000 * statistics.median(seconds), 2) for kind, seconds in findings.seconds.items()},
        "worst_ms": {kind: round(1000 * max(seconds), 2) for kind, seconds in findings.seconds.items()},
    }
    if options.json:
        tables = {
            table: {row: tally.as_json() for row, tally in rows.items()} for table, rows in findings.tables.items()
        }
        print(json.dumps({"tables": tables, "speed": speed, "left_out": left_out, "misses": findings.misses}))
        return 0
    print("\n".join(tables_as_text(findings)))
    print(f"\nindex loaded in {speed['index_load_ms']} ms, all ready in {speed['ready_ms']} ms; milliseconds a paste:")
    for kind, seconds in findings.seconds.items():
        print(f"  {kind:44} median {1000 * statistics.median(seconds):7.2f}   worst {1000 * max(seconds):7.2f}")
    if left_out:
        print(f"not installed here, left out: {', '.join(left_out)}")
    shown = findings.misses if options.misses else [one for one in findings.misses if not one.startswith("site")]
    print("\nmisses" if options.misses else "\nexhibits missed (--misses lists the raise sites as well)")
    print("\n".join(f"- {miss}" for miss in shown))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""One extraction from start to end: read, scan, write beside, rename."""

import contextlib
import gc
import gzip
import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from museum.diagnosis.extraction.modules import Module, digest_of, read_module, source_files
from museum.diagnosis.extraction.scan import FoundSite, scan

FORMAT = 1
FINE, FAILED = 0, 1
_READING_SHARE = 0.4  # of the time


def run(arguments: Sequence[str]) -> int:
    """Extract; the answer is the exit code, everything else is said as JSON lines on stdout."""
    if len(arguments) != 2:
        _say(problem="give the site-packages folder and the file to write")
        return FAILED
    root, out = Path(arguments[0]), Path(arguments[1])
    gc.disable()
    os.nice(5)
    files = source_files(root)
    if not files:
        _say(problem=f"no JAX in {root}")
        return FAILED
    modules = {}
    skipped = []
    for done, file in enumerate(files, 1):
        name = file.relative_to(root).as_posix()
        try:
            module = read_module(name, file.read_bytes())
        except (SyntaxError, ValueError, RecursionError):
            skipped.append(name)
            continue
        modules[module.name] = module
        if done % 16 == 0:
            _say(share=round(_READING_SHARE * done / len(files), 3))
    found: list[FoundSite] = []
    for done, sites in scan(modules):
        found += sites
        if done % 16 == 0:
            _say(share=round(_READING_SHARE + (1 - _READING_SHARE) * 0.9 * done / len(modules), 3))
    importers = importers_of(modules.values())
    write(out, as_document(found, version_of(root), digest_of(root, files), skipped, importers))
    _say(share=1.0, sites=len(found), skipped=skipped)
    return FINE


def version_of(root: Path) -> str:
    """JAX's version as its metadata says it."""
    for folder in sorted(root.glob("jax-*.dist-info")):
        return folder.name.removeprefix("jax-").removesuffix(".dist-info")
    return ""


def importers_of(modules: Iterable[Module]) -> dict[str, int]:
    """By file, how many others import it: which of two places people meet more."""
    modules = list(modules)
    files = {module.name: module.file for module in modules}
    count: Counter[str] = Counter()
    for module in modules:
        names = {name for full in module.imports.values() for name in (full, full.rpartition(".")[0])}
        count.update(files[name] for name in names if name in files)
    return dict(count)


def as_document(
    found: list[FoundSite], jax: str, digest: str, skipped: list[str], importers: dict[str, int]
) -> dict[str, object]:
    """The index as JSON: files, classes, functions and templates once each, sites as numbers into them."""
    tables: dict[str, dict[object, int]] = {"files": {}, "errors": {}, "functions": {}, "templates": {}}

    def number(table: str, value: object) -> int:
        return tables[table].setdefault(value, len(tables[table]))

    rows = [
        [
            site.kind,
            number("errors", site.error),
            number("files", site.file),
            site.line,
            number("functions", site.function),
            [number("templates", template) for template in site.templates],
        ]
        for site in sorted(found, key=lambda one: (one.file, one.line, one.error))
    ]
    return {
        "format": FORMAT,
        "jax": jax,
        "digest": digest,
        "skipped": skipped,
        **{name: list(values) for name, values in tables.items()},
        "importers": [importers.get(str(file), 0) for file in tables["files"]],
        "sites": rows,
    }


def write(out: Path, document: dict[str, object]) -> None:
    """Write beside and rename, so that a reader sees all of it or none."""
    out.parent.mkdir(parents=True, exist_ok=True)
    beside = out.with_name(f"{out.name}.{os.getpid()}.new")
    try:
        content = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
        beside.write_bytes(gzip.compress(content, 6, mtime=0))
        beside.replace(out)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()


def _say(**words: object) -> None:
    print(json.dumps(words), flush=True)  # noqa: T201 - this is the child's protocol

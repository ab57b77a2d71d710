"""What a verify has found so far, kept on disk, so that one that was interrupted can go on where it stopped."""

import hashlib
import json
from pathlib import Path

import msgspec

from museum.lab.verify import Job, Judged, Result, Verdict
from museum.places import data_directory


class Ledger:
    """Verdicts by what they depend on: both scripts' text, the expectation, environment, target.

    Args:
        file: Default: ``verified.jsonl`` among the visitor's data.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or data_directory() / "verified.jsonl"
        self._known: dict[str, Judged] = {}

    def load(self) -> int:
        """Read what an earlier verify left; a torn last line is passed over. Returns how many verdicts there are."""
        try:
            lines = self._file.read_text("utf-8").splitlines()
        except OSError:
            return 0
        for line in lines:
            try:
                entry = json.loads(line)
                self._known[entry["key"]] = Judged(Verdict(entry["verdict"]), entry["detail"])
            except (ValueError, KeyError, TypeError):
                continue
        return len(self._known)

    def start_anew(self) -> None:
        """Forget everything."""
        self._known.clear()
        self._file.unlink(missing_ok=True)

    def known(self, job: Job) -> Result | None:
        """The result of a job that was done already."""
        judged = self._known.get(_key(job))
        return None if judged is None else Result(job, judged)

    def note(self, result: Result) -> None:
        """Keep a result, at once."""
        entry = {"key": _key(result.job), "verdict": str(result.judged.verdict), "detail": result.judged.detail}
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")


def _key(job: Job) -> str:
    environment = job.environment
    told = job.exhibit.facts
    facts = msgspec.json.encode([told.expect, told.kind, told.needs_jax, told.fix_needs_jax])
    captures = msgspec.json.encode(job.exhibit.captures)
    where = [job.jax, str(job.target), job.half, job.obstacle]
    where += [str(environment.python), environment.jaxlib, environment.libtpu] if environment else []
    text = "\0".join([job.exhibit.id, job.exhibit.scripts[job.half], *where])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass") + facts + captures).hexdigest()

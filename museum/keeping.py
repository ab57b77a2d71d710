"""A run becomes an exhibit of the visitor's own, which opens at once: what is still to be written says so."""

import datetime
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from museum.errors import MuseumError
from museum.exhibit import PLACARD_HEADINGS, Exhibit, ExhibitFile, Half, OutcomeKind, Placard
from museum.incoming import FILES, slug_of
from museum.lab.environments import Environment
from museum.lab.outcome import RunOutcome
from museum.lab.recording import write
from museum.lab.target import Target
from museum.lab.verify import Job, Judged, Result, Verdict, capture_of
from museum.markdown import fenced, shortened
from museum.mine import WING, add_own
from museum.scaffold import scaffold

NOT_WRITTEN = "Not written yet."
UNKNOWN_FACT = "the right fact, once it is known"
_LONGEST_TITLE = 90


@dataclass(frozen=True, slots=True)
class Kept:
    """A run that is to become an exhibit.

    Attributes:
        code: What ran.
        outcome: What it did.
        environment: With which it ran.
        title: Default: what the run said.
        fix: The other half, where there is one.
        tags: Any words; each becomes a slug.
        slug: Default: made of the title.
    """

    code: str
    outcome: RunOutcome
    environment: Environment
    title: str = ""
    fix: str = ""
    tags: tuple[str, ...] = ()
    slug: str = ""

    @property
    def name(self) -> str:
        """The slug that it gets, as far as that one is free."""
        return slug_of(self.slug or title_of(self.outcome, self.title))


def keep(run: Kept) -> str:
    """Make an exhibit in the personal wing, with a capture of the run; returns its id.

    Raises:
        MuseumError: The run shows no failure, or cannot be told in the exhibit format: says why.
    """
    return add_own(run.name, files_of(run))


def save_folder(run: Kept, path: Path) -> Path:
    """Write the same as a folder in the exhibit format, anywhere; returns the folder.

    Args:
        run: What is to be written.
        path: A new folder; one that is there already gets a folder for the exhibit.

    Raises:
        MuseumError: As `keep`; or the folder is there already, or cannot be written.
    """
    files = files_of(run)
    folder = path / run.name if path.is_dir() else path
    try:
        folder.mkdir(parents=True)
        for name, data in files.items():
            (folder / name).write_bytes(data)
    except FileExistsError as failure:
        raise MuseumError(f"{folder}: is there already; name another place") from failure
    except OSError as failure:
        raise MuseumError(f"{folder}: cannot be written: {failure.strerror}") from failure
    return folder


def files_of(run: Kept) -> dict[str, bytes]:
    """The files of the exhibit, by name.

    Raises:
        MuseumError: As `keep`.
    """
    code, outcome, environment, fix = run.code, run.outcome, run.environment, run.fix
    title = title_of(outcome, run.title)
    slug = run.name
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        (root / WING).mkdir()
        (root / WING / "wing.toml").write_text(
            'title = "Mine"\nposition = 1\nintro = "Mine."\nexhibits = []\n', "utf-8"
        )
        folder = scaffold(f"{WING}/{slug}", code, outcome, environment.jax, root)
        table = _filled(tomllib.loads((folder / "exhibit.toml").read_text("utf-8")), title, run.tags)
        facts = _written_facts(folder, table)
        (folder / "placard.md").write_text(_placard(outcome, facts.kind), "utf-8", "backslashreplace")
        if not fix.strip() or fix == code:
            fix = _no_fix_yet(code)
        (folder / "fix.py").write_text(fix, "utf-8", "surrogatepass", newline="")
        exhibit = Exhibit(f"{WING}/{slug}", 1, facts, Placard("", "", ""), {Half.FAILING: code, Half.FIX: fix}, ())
        job = Job(exhibit, Half.FAILING, environment.jax, Target.parse(outcome.target), environment)
        today = datetime.datetime.now(tz=datetime.UTC).date()
        capture = capture_of(Result(job, Judged(Verdict.REPRODUCES), outcome), today)
        if capture is not None:
            write(folder, (capture,))
        return {name: (folder / name).read_bytes() for name in FILES if (folder / name).exists()}


def title_of(outcome: RunOutcome, title: str = "") -> str:
    """A title as the format wants it: one line, no full stop at its end; by default from what the run said."""
    said = outcome.exception.message.strip() or outcome.exception.error if outcome.exception else ""
    words = " ".join(title.split()) or " ".join(said.partition("\n")[0].split())
    words = words or next(filter(None, outcome.stdout.text.split("\n")), "").strip() or f"A run that {outcome.status}"
    if len(words) > _LONGEST_TITLE:
        words = words[:_LONGEST_TITLE].rpartition(" ")[0] or words[:_LONGEST_TITLE]
    return words.rstrip(" .") or "A run"


def _filled(table: dict[str, Any], title: str, tags: tuple[str, ...]) -> dict[str, Any]:
    table["title"] = title
    table["tags"] = list(dict.fromkeys(map(slug_of, tags)))
    expected = table["expect"][0]
    kind = OutcomeKind(table["kind"])
    if kind is OutcomeKind.SILENT:
        expected["fix_prints"] = [UNKNOWN_FACT]
    if not expected["says"] and kind in (OutcomeKind.WARNS, OutcomeKind.ABORTS):
        raise MuseumError("the process ends without a word on stderr; let the script say there what went wrong")
    return table


def _written_facts(folder: Path, table: dict[str, Any]) -> ExhibitFile:
    import tomli_w

    text = tomli_w.dumps(table)
    (folder / "exhibit.toml").write_text(text, "utf-8")
    return msgspec.toml.decode(text, type=ExhibitFile)


def _placard(outcome: RunOutcome, kind: OutcomeKind) -> str:
    said = (
        str(outcome) if outcome.exception or kind is OutcomeKind.HANGS else outcome.stderr.text or outcome.stdout.text
    )
    meaning = f"{NOT_WRITTEN} The run said:\n\n{fenced(shortened(said, 20, 2_000), 'text')}"
    bodies = (meaning, NOT_WRITTEN, f"1. {NOT_WRITTEN}", "")
    return "\n\n".join(f"## {heading}\n\n{body}" for heading, body in zip(PLACARD_HEADINGS, bodies, strict=True)) + "\n"


def _no_fix_yet(code: str) -> str:
    """What stands in the place of a fix: the script to be changed, or where it is no Python, a comment of it."""
    note = "# The fix is still to be written: change this copy until it does what you meant.\n"
    try:
        compile(code, "script", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return note + "".join(f"# {line}\n" for line in code.splitlines()) + "pass\n"
    return note + code

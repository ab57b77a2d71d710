"""What the collection is made of: wings, exhibits, expectations and captures, as frozen values.

The structs named ``*File`` are the files on disk, one to one; the loader in `museum.catalog` turns them into the
values that the rest of the museum uses.
"""

import datetime
from enum import StrEnum
from typing import Literal

import msgspec


class OutcomeKind(StrEnum):
    """How the failing half shows itself; `PASSES` is for an expectation alone: not yet, or no longer, a failure."""

    RAISES = "raises"
    WARNS = "warns"
    SILENT = "silent"
    ABORTS = "aborts"
    HANGS = "hangs"
    PASSES = "passes"


class Half(StrEnum):
    """One of an exhibit's two scripts."""

    FAILING = "failing"
    FIX = "fix"


class Origin(StrEnum):
    """Where a capture comes from: run by the museum, or seen by others, on hardware or a version that we lack."""

    REPRODUCED = "reproduced"
    REPORTED = "reported"


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A public page where people met the error, or where its rule is written down."""

    url: str
    title: str


class Expectation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"error": "class"}):
    """What the failing half must do on the JAX versions that `jax` names.

    Attributes:
        jax: A PEP 440 specifier (``>=0.5,<0.11``); empty for every version.
        error: Key ``class``. Module-qualified exception class, without ``builtins.``; only for `raises`.
        says: Pieces that must all occur in what gives the failure away: the exception's message (`raises`), stderr
            (`warns`, `aborts`, `hangs`) or stdout (`silent`, `passes`). Empty for an exception without a message.
        fix_prints: Pieces that must all occur in the fix's stdout; for `silent`, the right fact.
        kind: How it shows itself on these versions where that differs from the exhibit's own kind; ``passes`` where
            the failing half runs through, because the error came later or went away.
    """

    jax: str = ""
    error: str = ""
    says: tuple[str, ...] = ()
    fix_prints: tuple[str, ...] = ()
    kind: OutcomeKind | None = None


class LayoutFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The layout that the failing half asks for, drawn beside it before anything was run.

    Attributes:
        mesh: Axis sizes in order, ``data=4,model=2``.
        shape: Global array shape.
        spec: A partition spec, one entry a dimension: ``data,model``; ``-`` for None, ``data+model`` for a tuple.
    """

    mesh: str
    shape: tuple[int, ...]
    spec: str


class ExhibitFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``exhibit.toml``.

    Attributes:
        title: Sentence case, no full stop.
        kind: How the failing half shows itself.
        targets: Where it runs, the first one by default: ``cpu:8``, ``cpu:2x4``, ``local``, ``tpu-compile``.
        jax: Versions that it is proven on, oldest first.
        needs_jax: A PEP 440 specifier; elsewhere both halves are "not runnable here", and `needs_why` says why.
        needs_why: One clause, shown to the visitor.
        fix_needs_jax: The same for the fix alone, where it needs what older versions lack.
        fix_needs_why: One clause, shown to the visitor.
        hangs_after: Seconds without an end after which a `hangs` exhibit counts as hanging.
    """

    title: str
    kind: OutcomeKind
    targets: tuple[str, ...]
    jax: tuple[str, ...]
    tags: tuple[str, ...]
    expect: tuple[Expectation, ...]
    sources: tuple[Source, ...] = ()
    layout: LayoutFile | None = None
    needs_jax: str = ""
    needs_why: str = ""
    fix_needs_jax: str = ""
    fix_needs_why: str = ""
    hangs_after: float = 10.0


class WingFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``wing.toml``.

    Attributes:
        title: As in the sidebar.
        position: Order among the wings, from 1, unique.
        intro: Markdown, a paragraph or a few.
        exhibits: Slugs in the order a visitor walks them.
    """

    title: str
    position: int
    intro: str
    exhibits: tuple[str, ...]


class Capture(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename={"error": "class"}):
    """What one run printed, verbatim but for paths (see `museum.lab.normalise`), with its provenance.

    Attributes:
        half: Which script ran.
        jax: JAX version, "" only in a `reported` capture whose source does not say.
        target: Where it ran, or the hardware in words for a `reported` one.
        origin: By us or by others.
        status: The outcome's status word, ``failed`` and the like.
        date: Day of the run, or of the report.
        exit_code: As `subprocess` gives it, negative for a signal.
        error: Key ``class``. Exception class, module-qualified.
        message: The exception's message.
        line: Line of the script in the innermost frame of the visitor's own code, from 1; 0 when there is none.
        stdout: What the script printed.
        stderr: XLA's log lines and warnings, without the traceback.
        source: Where a `reported` capture was seen.
    """

    half: Half
    jax: str
    target: str
    origin: Origin
    status: str
    date: datetime.date
    jaxlib: str = ""
    libtpu: str = ""
    python: str = ""
    platform: str = ""
    exit_code: int = 0
    error: str = ""
    message: str = ""
    line: int = 0
    stdout: str = ""
    stderr: str = ""
    source: str = ""


class CapturesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``captures.toml``."""

    capture: tuple[Capture, ...] = ()


PLACARD_HEADINGS = ("What it means", "When you meet it", "Ways out", "See also")
PlacardHeading = Literal["What it means", "When you meet it", "Ways out", "See also"]


class Placard(msgspec.Struct, frozen=True):
    """The label beside the object: Markdown under four fixed headings, in this order.

    Attributes:
        what_it_means: What JAX was asked and why it cannot.
        when_you_meet_it: The code in which people meet it.
        ways_out: A numbered list, the safest and most useful first.
        see_also: Links; may be empty.
    """

    what_it_means: str
    when_you_meet_it: str
    ways_out: str
    see_also: str = ""


class Exhibit(msgspec.Struct, frozen=True):
    """One failure, its fix and its placard.

    Attributes:
        id: ``wing/slug``, stable for ever.
        number: Place in its wing, from 1.
        facts: ``exhibit.toml`` as read.
        scripts: The text of ``failing.py`` and ``fix.py``.
    """

    id: str
    number: int
    facts: ExhibitFile
    placard: Placard
    scripts: dict[Half, str]
    captures: tuple[Capture, ...]

    @property
    def wing(self) -> str:
        """Id of the wing that it hangs in."""
        return self.id.partition("/")[0]

    @property
    def title(self) -> str:
        """Title, in sentence case."""
        return self.facts.title

    def capture_for(self, jax: str, half: Half = Half.FAILING, target: str = "") -> Capture | None:
        """The reproduced capture of one half on a JAX version, on `target` or else the default target."""
        wanted = target or self.facts.targets[0]
        for capture in self.captures:
            if (capture.half, capture.jax, capture.target) == (half, jax, wanted):
                return capture if capture.origin is Origin.REPRODUCED else None
        return None


class Wing(msgspec.Struct, frozen=True):
    """A topic of the museum with its exhibits in walking order."""

    id: str
    title: str
    intro: str
    exhibits: tuple[Exhibit, ...]

"""A run as it is shown to others: a bug report in Markdown, and a script that says where it runs."""

import ast
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from museum.lab.environments import Environment
from museum.lab.header import LINES
from museum.lab.outcome import RunOutcome, RunStatus
from museum.lab.target import Target, TargetKind
from museum.markdown import MOST_CHARACTERS, MOST_LINES, fenced, plain, shortened, spanned, table
from museum.scrub import Private, scrubbed, scrubbed_code, scrubbed_value

LONGEST_LINE = 2_000
_HEADER = re.compile(r"#\s*museum:.*")
_ENCODING = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+")
_UNSAID = "unknown"


@dataclass(frozen=True, slots=True)
class SharedRun:
    """A run with all that others need to see it for themselves.

    Attributes:
        code: The script.
        target: As written, ``cpu:8``.
        status: How it ended, in words.
        error: Exception class; "" for none.
        message: The exception's message, or what else there is to say.
        stdout: What it printed.
        stderr: The same on the other stream, with the traceback.
        versions: Names and versions, in order.
        arguments: `sys.argv[1:]`.
        variables: The visitor's own.
        ended_in: Line of the module at which an exception came through; 0 where that is not known.
    """

    code: str
    target: str
    status: str
    error: str = ""
    message: str = ""
    stdout: str = ""
    stderr: str = ""
    versions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    arguments: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    ended_in: int = 0

    @classmethod
    def of(
        cls,
        code: str,
        outcome: RunOutcome,
        environment: Environment,
        arguments: tuple[str, ...] = (),
        variables: Mapping[str, str] = MappingProxyType({}),
    ) -> "SharedRun":
        """From a finished run."""
        raised = outcome.exception
        own = [frame for frame in raised.frames if frame.own] if raised else []
        outermost = own[0].line if own and own[0].function == "<module>" else 0
        return cls(
            code=code,
            target=outcome.target,
            status=str(outcome.status),
            error=raised.error if raised else "",
            message=raised.message if raised else outcome.detail,
            stdout=outcome.stdout.text,
            stderr=outcome.stderr.text,
            versions=_versions(outcome, environment),
            arguments=arguments,
            variables=dict(variables),
            ended_in=outermost,
        )


def _versions(outcome: RunOutcome, environment: Environment) -> dict[str, str]:
    import platform

    seen = outcome.versions
    devices = Target.parse(outcome.target).words if outcome.target else _UNSAID
    if seen and seen.devices:
        devices += f" ({seen.devices} of platform {seen.platform})"
    versions = {
        "JAX": seen.jax if seen else environment.jax,
        "jaxlib": seen.jaxlib if seen else environment.jaxlib,
        "libtpu": environment.libtpu,
        "Python": environment.python_version,
        "Platform": f"{platform.system()} {platform.release()} {platform.machine()}",
        "Devices": devices,
    }
    return {name: version for name, version in versions.items() if version}


def bug_report(run: SharedRun, private: Private | None = None) -> str:
    """A run as an issue of a tracker wants it, in Markdown, without what must not leave this machine.

    Args:
        run: What to report.
        private: What is private; default what this machine says.
    """
    private = private or Private.of_this_machine()
    code, cut = _minimal(run)
    told = scrubbed(_headline(run), private)
    parts = [f"## {plain(told)}" if told else "## A run", "### To reproduce"]
    parts.append(fenced(shortened(scrubbed_code(code, private), 400), "python"))
    if cut:
        parts.append(f"({cut} after the failing statement left out: the run does not come to them.)")
    parts += ["Run with:", fenced(scrubbed(_command(run), private), "shell"), "### What happens", _ending(run)]
    for name, text in (("Error output", run.stderr), ("Output", run.stdout)):
        if text.strip():
            parts += [f"{name}:", fenced(_told(text, private), "text")]
    if run.message.strip() and not run.stderr.strip():
        parts.append(fenced(_told(run.message, private), "text"))
    rows = [
        [name, plain(scrubbed(value, private) if name == "Platform" else value)] for name, value in run.versions.items()
    ]
    rows += [[spanned(name), spanned(scrubbed_value(name, value, private))] for name, value in _settings(run).items()]
    parts += ["### Versions", table(["", ""], rows)]
    return "\n\n".join(parts) + "\n"


def _told(text: str, private: Private) -> str:
    """Output as it may be shown, in the size of a report; no time goes into what would be left out in any case."""
    lines = [_cut_line(line) for line in shortened(text, 3 * MOST_LINES, 3 * MOST_CHARACTERS).split("\n")]
    return shortened(scrubbed("\n".join(lines), private))


def _cut_line(line: str) -> str:
    """A line that is too long for anybody, without its end and without the word that the cut went through."""
    if len(line) <= LONGEST_LINE:
        return line
    head = line[:LONGEST_LINE]
    head = head[: max(head.rfind(" "), LONGEST_LINE // 2)]
    return f"{head} … {len(line) - len(head):,} characters left out …"


def _headline(run: SharedRun) -> str:
    first = next((line for line in run.message.splitlines() if line.strip()), "")
    said = ": ".join(filter(None, (run.error, first.strip())))
    return said[:160] or ("" if run.status == RunStatus.OK else run.status)


def _ending(run: SharedRun) -> str:
    ending = {
        RunStatus.OK: "It runs to its end.",
        RunStatus.FAILED: "It ends with an exception." if run.error else "It ends with a status other than 0.",
        RunStatus.CRASHED: "The process dies.",
        RunStatus.TIMED_OUT: "It does not end.",
    }
    return next((words for status, words in ending.items() if status == run.status), f"It ends: {run.status}.")


def _settings(run: SharedRun) -> dict[str, str]:
    """The variables that were set for the run: the target's and the visitor's."""
    settings = Target.parse(run.target).environment({}, run.variables) if run.target else dict(run.variables)
    return dict(sorted(settings.items()))


def _command(run: SharedRun) -> str:
    settings = [
        f"{name}={shlex.quote(scrubbed_value(name, value, Private()))}" for name, value in _settings(run).items()
    ]
    words = [*settings, "python", "snippet.py", *map(shlex.quote, run.arguments)]
    target = Target.parse(run.target) if run.target else Target.cpu(1)
    if target.kind is not TargetKind.PROCESSES:
        return " ".join(words)
    return f"# {target.words}, joined by jax.distributed.initialize, each:\n{' '.join(words)}"


def _minimal(run: SharedRun) -> tuple[str, str]:
    """The script without the museum's header and without what was never reached, and how much that was."""
    code = "\n".join(line.rstrip() for line in _without_header(run.code).split("\n")).strip("\n") + "\n"
    if not run.ended_in or Target.parse(run.target).kind is TargetKind.PROCESSES:
        return code, ""
    try:
        statements = ast.parse(run.code).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return code, ""
    last = next((one.end_lineno for one in statements if one.lineno <= run.ended_in <= (one.end_lineno or 0)), None)
    lines = run.code.split("\n")
    if last is None or not any(line.strip() for line in lines[last:]):
        return code, ""
    left_out = sum(bool(line.strip()) for line in lines[last:])
    shorter, _ = _minimal(replace(run, code="\n".join(lines[:last]), ended_in=0))
    return shorter, f"{left_out} line{'s' if left_out > 1 else ''}"


# -- a script ----------------------------------------------------------------------------------------------------------


def as_script(
    code: str, target: Target, arguments: tuple[str, ...] = (), variables: Mapping[str, str] | None = None
) -> str:
    """The code with a header that says where it runs, as `museum.lab.header` reads it; another header goes.

    Args:
        code: The script; nothing in it changes but the comment lines at its top.
        target: Where.
        arguments: Told in a comment.
        variables: Told in a comment; secrets are not.
    """
    lines = _without_header(code).split("\n")
    at = 0
    if lines and lines[0].startswith("#!") and len(lines[0].splitlines()) == 1:
        at = 1
    if (
        len(lines) > at
        and _ENCODING.match(lines[at])
        and len(lines[at].splitlines()) == 1
        and lines[at].startswith("#")
    ):
        at += 1
    header = [f"# museum: target={target}"]
    words = [
        f"{name}={shlex.quote(scrubbed_value(name, value, Private()))}" for name, value in (variables or {}).items()
    ]
    if words or arguments:
        told = " ".join([*words, "python", "<this file>", *map(shlex.quote, arguments)])
        header.append(f"# run as: {' '.join(told.split())}")
    return "\n".join([*lines[:at], *header, *lines[at:]])


def _without_header(code: str) -> str:
    """The code without the museum's own lines among the comments at its top."""
    lines = code.split("\n")
    kept, at = [], 0
    for at, line in enumerate(lines):
        if at >= LINES or (line.strip() and not line.startswith("#")):
            break
        if not _HEADER.fullmatch(line.strip()) and not line.startswith("# run as: "):
            kept.append(line)
    else:
        return "\n".join(kept)
    return "\n".join([*kept, *lines[at:]])

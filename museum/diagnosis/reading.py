"""What people paste, as one value: the error, its frames, and what else the text gives away."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile

from museum.diagnosis.class_names import WRAPPERS, last_name, names_of
from museum.diagnosis.cleaning import cleaned, picked
from museum.diagnosis.frames import Frame, frames_in

_DOTTED = r"(?:[A-Za-z_]\w*\.|<locals>\.)*"
_ENDING = (
    r"(?:Error|Exception|Warning|Interrupt|Exit|ExceptionGroup|StackTraceBeforeTransformation|UnfilteredStackTrace)"
)
_CLASS = rf"{_DOTTED}_?[A-Z]\w*{_ENDING}|Exception|{_DOTTED}Stop\w*Iteration"
_CLASS_LINE = re.compile(rf"(?P<indent>\s{{0,12}})(?P<error>{_CLASS})(?:: ?(?P<said>.*)|(?P<bare>\s*))")
_INLINE = re.compile(rf"(?<![\w.])(?P<error>{_DOTTED}[A-Z]\w*(?:Error|Exception|Warning)): (?P<said>\S.*)")
_WARNING = re.compile(rf"(?P<file>[^\s:][^\n:]{{0,400}}):(?P<line>\d+): (?P<error>{_DOTTED}\w*Warning): (?P<said>.*)")
_PLAIN_HEAD = re.compile(r"(?:ERROR|Error|error|FATAL|Fatal|WARNING|Warning): (?=\S)")
_LOG = re.compile(
    r".{0,40}?(?<![\w/])(?P<level>[IWEF])(?:\d{4} \d\d:\d\d:\d\d\.\d+ +\d+)? ?"
    r"(?P<file>[\w./-]+\.(?:cc|h|cu|py)):(?P<line>\d+)\] ?(?P<said>.*)"
)
_STOP = re.compile(
    r"\s*(?:Traceback \(most recent|The above exception was|During handling of the above"
    r"|The stack trace below excludes|For simplicity, JAX has removed|Set JAX_TRACEBACK_FILTERING"
    r"|The preceding (?:is|stack)|Original Python traceback|This exception is reported"
    r"|-{15,}$|={15,}|_{15,}|\+-{3,}|srun: |In \[\d+\]|>>> |\$ |FAILED |\S+\.py:\d+: \w+(?:Error|Exception)$"
    r"|\*\*\* (?:Check|SIG)|Fatal Python|terminate called|\w+: IOT instruction|Aborted|.*\(core dumped\)"
    r"|\[\w+:\d+\] \*\*\*)"
)
_CODE = re.compile(r"\b(E[0-3]\d{3})(?=:| )|error_([0-3]\d{3})\b")
_STATUSES = (
    "CANCELLED|UNKNOWN|INVALID_ARGUMENT|DEADLINE_EXCEEDED|NOT_FOUND|ALREADY_EXISTS|PERMISSION_DENIED|RESOURCE_EXHAUSTED"
    "|FAILED_PRECONDITION|ABORTED|OUT_OF_RANGE|UNIMPLEMENTED|INTERNAL|UNAVAILABLE|DATA_LOSS|UNAUTHENTICATED"
)
_STATUS = re.compile(rf"\b({_STATUSES}): ?")
_OLD_STATUS = re.compile(
    r"(?:^|: )(Resource exhausted|Invalid argument|Internal|Unimplemented|Failed precondition|Not found): "
)
_VERSION = re.compile(
    r"(?<!in )(?<!since )(?<!until )\bjax(?:lib)?(?:[ _-]?version)?[\"']?"
    r"(?:==| *[:=] *| +v?| +version +|[-@]v?)[\"']?(0\.\d{1,2}(?:\.\d{1,2}){1,2})\b",
    re.IGNORECASE,
)
_NAME = re.compile("[jJ][aA][xX]")
_FILTERED = "The stack trace below excludes JAX-internal frames"
_MESSAGE_AT_MOST = 40_000


@dataclass(frozen=True, slots=True)
class Reading:
    """What a pasted text says.

    Attributes:
        error: Exception or warning class as printed, "" where there is none.
        names: All names that the class goes by, old and new.
        message: What it says, line breaks as pasted; the whole text where no error is recognised.
        frames: Frames inside JAX, the innermost first.
        own: The innermost frame of the visitor's own code.
        jax: JAX's version where the text tells, else "".
        code: XLA's error code, ``E1000``, or "".
        status: ``RESOURCE_EXHAUSTED`` and the like, or "".
        logged_at: Source file and line that a log line names, ``spmd_partitioner.cc:613``, or "".
        is_part: Whether no error was recognised, so that the message may be any piece of one.
    """

    error: str
    names: tuple[str, ...]
    message: str
    frames: tuple[Frame, ...] = ()
    own: Frame | None = None
    jax: str = ""
    code: str = ""
    status: str = ""
    logged_at: str = ""
    is_part: bool = False


def read(text: str) -> Reading:
    """Read a traceback, a log, a line, or a piece of a message. Never raises; linear in the text."""
    text = picked(text)
    lines = cleaned(text)
    frames = frames_in(lines)
    error, message, first, logged_at, warned = _find_error(lines, frames)
    error, message = _unwrapped(error, message)
    inner, own = _around(frames, lines, first)
    whole = _without_quotes(message[:_MESSAGE_AT_MOST].strip())
    version = _version_in(text)
    code = _CODE.search(whole)
    return Reading(
        error,
        names_of(error) if error else (),
        whole,
        tuple(inner),
        warned or own,
        version[1] if version else "",
        (code[1] or f"E{code[2]}") if code else "",
        _status(whole),
        logged_at,
        not error and not logged_at,
    )


def _version_in(text: str) -> re.Match[str] | None:
    """The first place that tells JAX's version; tried only where its name stands, or a megabyte would take 50 ms."""
    tried = (_VERSION.match(text, name.start()) for name in _NAME.finditer(text))
    return next(filter(None, tried), None)


_Found = tuple[str, str, int, str, Frame | None]


def _find_error(lines: Sequence[str], frames: list[tuple[int, Frame]]) -> _Found:
    """Class, message, first line, place of a log line, frame of a warning."""
    for look in (partial(_raised, has_frames=bool(frames)), _warned, _logged, _inline):
        found = look(lines)
        if found:
            return found
    return _plain(lines)


def _raised(lines: Sequence[str], *, has_frames: bool) -> _Found | None:
    candidates = [(number, match) for number, line in enumerate(lines) if (match := _CLASS_LINE.fullmatch(line))]
    candidates = [(number, match) for number, match in candidates if not _is_source(lines, number, match)]
    chosen = _chosen(lines, candidates, has_frames=has_frames)
    if chosen is None:
        return None
    number, match = chosen
    return match["error"], _said(lines, number, match["said"] or ""), number, "", None


def _warned(lines: Sequence[str]) -> _Found | None:
    for number, line in enumerate(lines):
        if match := _WARNING.fullmatch(line):
            return match["error"], match["said"], number, "", Frame(match["file"], int(match["line"]))
    return None


def _logged(lines: Sequence[str]) -> _Found | None:
    """The first log line of an error, or else the first of any level."""
    matches = [(number, match) for number, line in enumerate(lines) if (match := _LOG.fullmatch(line))]
    if not matches:
        return None
    number, match = next((one for one in matches if one[1]["level"] in "EF"), matches[0])
    place = f"{match['file'].rpartition('/')[2]}:{match['line']}"
    inline = _INLINE.match(match["said"])
    said = _said(lines, number, inline["said"] if inline else match["said"])
    return inline["error"] if inline else "", said, number, place, None


def _inline(lines: Sequence[str]) -> _Found | None:
    for number, line in enumerate(lines):
        if match := _INLINE.search(line):
            return match["error"], _said(lines, number, match["said"]), number, "", None
    return None


def _said(lines: Sequence[str], number: int, first: str) -> str:
    """A message from its first line to its last."""
    return "\n".join([first, *lines[number + 1 : _end_of(lines, number)]])


def _plain(lines: Sequence[str]) -> _Found:
    """No class anywhere: what stands behind a status, or everything but the frames."""
    for number, line in enumerate(lines):
        if match := _STATUS.search(line):
            return "", _said(lines, number, line[match.start() :]), number, "", None
    kept = [line for line in lines if not re.match(r'\s*File "|\s*[~^]+$|Traceback \(most', line)]
    text = "\n".join(kept).strip()
    return "", _PLAIN_HEAD.sub("", text, count=1) if _PLAIN_HEAD.match(text) else text, 0, "", None


def _is_source(lines: Sequence[str], number: int, match: re.Match[str]) -> bool:
    """Whether the line is code that a traceback shows, or a heading."""
    if not match["indent"]:
        return False
    before = lines[number - 1] if number else ""
    return before.lstrip().startswith("File ") or match["bare"] is not None


def _chosen(
    lines: Sequence[str],
    candidates: list[tuple[int, re.Match[str]]],
    *,
    has_frames: bool,
) -> tuple[int, re.Match[str]] | None:
    """The error that ended it: the last that closes a traceback, of chained ones the last; else the first."""
    if not candidates:
        return None
    if not has_frames:
        told = [one for one in candidates if one[1]["said"]] or candidates
        errors = [one for one in told if not one[1]["error"].endswith("Warning")]
        return (errors or told)[0]
    chosen = candidates[0]
    for number, match in candidates[1:]:
        # What belongs to the message before (a quoted error) has no frame or header in between.
        between = lines[chosen[0] + 1 : number]
        if any("File " in line or "Traceback" in line or ".py:" in line or " in <" in line for line in between) or not (
            chosen[1]["said"] or ""
        ):
            chosen = number, match
    return chosen


def _end_of(lines: Sequence[str], start: int) -> int:
    """Where a message that starts on a line ends."""
    blank = 0
    for number in range(start + 1, len(lines)):
        line = lines[number]
        if (
            _STOP.match(line)
            or (_LOG.match(line) and ".cc" in line)
            or (_CLASS_LINE.fullmatch(line) and not line[:1].isspace())
        ):
            return number
        blank = blank + 1 if not line.strip() else 0
        if blank > 3:
            return number
    return len(lines)


def _unwrapped(error: str, message: str) -> tuple[str, str]:
    """The error inside a class that only carries it."""
    while last_name(error) in WRAPPERS:
        match = _INLINE.match(message) or _CLASS_LINE.match(message)
        if match is None:
            return "", message
        error, message = match["error"], message[match.start("said") :] if match["said"] is not None else ""
    return error, message


def _around(frames: list[tuple[int, Frame]], lines: Sequence[str], first: int) -> tuple[list[Frame], Frame | None]:
    """JAX's frames, innermost first, and the visitor's own innermost, of the traceback that the error closes."""
    above = [(number, frame) for number, frame in frames if number < first]
    if not above:  # a piece, or an error without a traceback: what stands behind it
        above = frames if first == 0 else []
    start, stop = 0, first
    for number in range(min(first, len(lines)) - 1, -1, -1):
        if (
            "During handling of the above" in lines[number]
            or "The above exception was the direct cause" in lines[number]
        ):
            if any(_FILTERED in line for line in lines[max(0, number - 8) : number]):
                stop = number  # JAX shows one error twice: first with all its frames, then without its own
                continue
            start = number
            break
    stack = [frame for number, frame in reversed(above) if start <= number and (number < stop or first == 0)]
    shorter = [frame for number, frame in reversed(above) if start <= number]
    inner = list(takewhile(lambda frame: frame.in_jax, stack))
    own = next((frame for frame in (*stack, *shorter) if not frame.in_jax and not frame.in_library), None)
    return inner, own


def _without_quotes(message: str) -> str:
    """A message that someone put in quotes as a whole."""
    if len(message) > 2 and message[0] in "\"'`" and message[-1] == message[0] and message.count(message[0]) == 2:
        return message[1:-1].strip()
    return message


def _status(message: str) -> str:
    match = _STATUS.search(message)
    if match:
        return match[1]
    match = _OLD_STATUS.search(message)
    return match[1].upper().replace(" ", "_") if match else ""

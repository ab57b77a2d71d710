"""What a comparison of two runs ignores, and what a capture leaves out: the one home for both.

Only what cannot be stable goes: where files lie, line numbers, addresses, process ids, times,
the order of a set, how the lines of several processes come between each other.
"""

import re
from collections.abc import Callable

BLOCK = 8_000
"""Characters of whole lines that are changed at a time: a long text must not keep other threads from their turn."""

_PACKAGE_PATH = re.compile(r"(?:/[^\s/:'\"]+)+/(?:site|dist)-packages/")
_STANDARD_LIBRARY = re.compile(r"(?:/[^\s/:'\"]+)+/lib/python3\.\d+/")
_DIRECTORY = re.compile(r"(?<![\w./>)])(?:/[^\s/:'\"()]+)+/(?=[\w.-]+\.(?:py|cc|so|h)\b)")
_SET_OF_NAMES = re.compile(r"\{('[^'{}]*'(?:, '[^'{}]*')+)\}")  # in the order of a run's own hashes
_UNSTABLE = (
    (re.compile(r"\b0x[0-9a-fA-F]{4,}\b"), "0x…"),
    (re.compile(r"(\.(?:py|cc|so|h)):\d+(?::\d+)?(?: to (?:\d+)?:\d+)?"), r"\1:…"),
    (re.compile(r"\bline \d+"), "line …"),
    (re.compile(r"\bid=\d+"), "id=…"),
    (re.compile(r"\b(?:pid|PID)[ =:]*\d+"), "pid …"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?"), "…"),
    # absl's log prefix: severity, month and day, time, thread
    (re.compile(r"^((?:\[\d+\] )?[IWEF])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+", re.MULTILINE), r"\1…"),
    (re.compile(r"\b(127\.0\.0\.1|localhost):\d+"), r"\1:…"),
)
"""Within a line each."""
# Gloo's greeting, which several threads write into one another
_GREETING = re.compile(r"(?:\[\d+\] )?\[Gloo\] Rank \d+ is connected to \d+ peer ranks\. Expected[^:\n]*: \d+\n*")
_OF_A_MEMBER = re.compile(r"\[(\d+)\](?: |$)")


def without_directories(text: str) -> str:
    """The text with absolute paths cut to what is the same everywhere: from the package, or the file's own name."""
    return _by_lines(text, _within_lines_without_directories)


def _within_lines_without_directories(text: str) -> str:
    text = _PACKAGE_PATH.sub("", text)
    text = _STANDARD_LIBRARY.sub("", text)
    return _DIRECTORY.sub("", text)


def comparable(text: str) -> str:
    """The text as comparisons see it."""
    text = _GREETING.sub("", _by_lines(text, _within_lines_stable))
    text = _member_by_member(text)
    text = _SET_OF_NAMES.sub(lambda found: "{" + ", ".join(sorted(found[1].split(", "))) + "}", text)
    return text.strip()


def _within_lines_stable(text: str) -> str:
    text = _within_lines_without_directories(text)
    for pattern, replacement in _UNSTABLE:
        text = pattern.sub(replacement, text)
    return text


def _by_lines(text: str, change: Callable[[str], str]) -> str:
    """The text changed by something that looks at one line at a time."""
    pieces, start = [], 0
    while len(text) - start > BLOCK:
        end = text.find("\n", start + BLOCK) + 1
        if not end:
            break
        pieces.append(change(text[start:end]))
        start = end
    return "".join((*pieces, change(text[start:])))


def _member_by_member(text: str) -> str:
    """The lines of joined processes one process after the other: how they come between each other is chance."""
    lines = text.strip().split("\n")
    members = [_OF_A_MEMBER.match(line) for line in lines]
    if not all(members):
        return text
    keyed = [(int(member[1]), line.rstrip()) for member, line in zip(members, lines, strict=True) if member]
    return "\n".join(line for _, line in sorted(keyed, key=lambda pair: pair[0]) if not _OF_A_MEMBER.fullmatch(line))


def before_traceback(stderr: str) -> str:
    """What stands on stderr before the first traceback: log lines and warnings."""
    start = f"\n{stderr}".find("\nTraceback (most recent call last):\n")
    return stderr if start < 0 else stderr[:start]

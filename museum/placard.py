"""Placards: Markdown under four fixed headings, read and checked without rendering."""

import re
from pathlib import Path

from museum.errors import ContentProblem
from museum.exhibit import PLACARD_HEADINGS, Placard

_HEADING = re.compile(r"#(?: |#(?!#))\s*(.*?)[\s#]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_NUMBERED = re.compile(r"(\d+)[.)] +\S")
_MAY_BE_EMPTY = "See also"
_RANKED = "Ways out"
_LONGEST_QUOTE = 60


def parse_placard(text: str, file: Path) -> tuple[Placard | None, tuple[ContentProblem, ...]]:
    """Read a placard and find everything that is wrong with it.

    Args:
        text: The whole of ``placard.md``.
        file: Named in the problems.

    Returns:
        The placard, None when there is any problem, and one problem for each fault, with the heading as its key.
    """
    sections, faults = _split(text)
    found: dict[str, str] = {}
    furthest = -1
    for heading, body in sections:
        if heading not in PLACARD_HEADINGS:
            faults.append((heading[:_LONGEST_QUOTE], "unknown heading; a placard has " + ", ".join(PLACARD_HEADINGS)))
            continue
        if heading in found:
            faults.append((heading, "stands there twice; join the two"))
            continue
        found[heading] = body
        place = PLACARD_HEADINGS.index(heading)
        if place < furthest:
            faults.append((heading, f"out of order; it goes before {PLACARD_HEADINGS[furthest]}"))
        furthest = max(furthest, place)
        if not body and heading != _MAY_BE_EMPTY:
            faults.append((heading, "nothing is written under it"))
        elif heading == _RANKED and (fault := _fault_of_list(body)):
            faults.append((heading, fault))
    faults += [(heading, "this heading is missing") for heading in PLACARD_HEADINGS if heading not in found]
    if faults:
        return None, tuple(ContentProblem(file, key, fault) for key, fault in faults)
    return Placard(*(found[heading] for heading in PLACARD_HEADINGS)), ()


def _split(text: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Cut the text at its headings; a ``#`` line inside a code fence is code."""
    faults: list[tuple[str, str]] = []
    sections: list[tuple[str, list[str]]] = []
    fence, fence_line = "", 0
    stray = False
    for number, line in enumerate(text.splitlines(), 1):
        fence_before = fence
        fence = _fence_after(line, fence)
        if fence and not fence_before:
            fence_line = number
        heading = None if fence or fence_before else _HEADING.fullmatch(line)
        if heading:
            sections.append((heading[1], []))
        elif sections:
            sections[-1][1].append(line)
        elif line.strip() and not stray:
            stray = True
            faults.append((f"line {number}", f"text before the first heading; start with ## {PLACARD_HEADINGS[0]}"))
    if fence:
        place = sections[-1][0] if sections else ""
        faults.append((place, f"the code fence of line {fence_line} is never closed"))
    return [(heading, "\n".join(lines).strip("\n").rstrip()) for heading, lines in sections], faults


def _fence_after(line: str, fence: str) -> str:
    """The code fence that is open after a line, "" for none; only a bare run at least as long closes one."""
    match = _FENCE.match(line)
    if not match:
        return fence
    if not fence:
        return match[1]
    return "" if match[1].startswith(fence) and line.strip() == match[1] else fence


def _fault_of_list(body: str) -> str:
    """What keeps a section from being one numbered list, "" for nothing."""
    expected = 1
    block_starts = True
    fence = ""
    for line in body.splitlines():
        inside, fence = bool(fence), _fence_after(line, fence)
        if inside:
            continue
        numbered = _NUMBERED.match(line)
        if numbered:
            if int(numbered[1]) != expected:
                return f"must be a numbered list; number {numbered[1]} stands where {expected} belongs"
            expected += 1
        elif line.strip() and (expected == 1 or (block_starts and not line.startswith(" "))):
            shown = line.strip()[:_LONGEST_QUOTE]
            return f"must be a numbered list (1. 2. 3.), the safest way first; {shown!r} stands outside it"
        block_starts = not line.strip()
    return ""

"""Verbatim text in Markdown: fences and spans that nothing in the text can end."""

import re

MOST_LINES, MOST_CHARACTERS = 200, 20_000  # of one block; trackers take about 65,000 characters altogether


def fenced(text: str, language: str = "") -> str:
    """A code block whose fence is longer than any run of backticks in the text."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    end = "" if text.endswith("\n") else "\n"
    return f"{fence}{language}\n{text}{end}{fence}"


def spanned(text: str) -> str:
    """Code within a line; also within a table, where a bar would end the cell."""
    text = " ".join(text.split())
    if not text:
        return ""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    ticks = "`" * (longest + 1)
    room = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{room}{text}{room}{ticks}".replace("|", "\\|")


def plain(text: str) -> str:
    """Words of a sentence or a cell, with what Markdown or HTML would take for its own told as itself."""
    return re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", " ".join(text.split()))


def shortened(text: str, lines: int = MOST_LINES, characters: int = MOST_CHARACTERS) -> str:
    """Beginning and end of a text that is too long, with a line that says what is left out."""
    rows = text.splitlines(keepends=True)
    if len(rows) <= lines and len(text) <= characters:
        return text
    half = characters // 2
    head = "".join(rows[: lines // 2] if len(rows) > lines else rows)[:half]
    tail = "".join(rows[len(rows) - (lines - lines // 2) :] if len(rows) > lines else rows)
    tail = tail[max(len(tail) - half, 0) :]
    left_out = f"… {len(text) - len(head) - len(tail):,} characters left out …"
    return "\n".join((*([head.rstrip("\n")] if head else []), left_out, tail))


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table of cells that are Markdown already."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)

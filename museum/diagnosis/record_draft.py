"""A snippet drafted from a record of others: all that they wrote as comments, nothing of it as code."""

import unicodedata
from collections.abc import Iterator

from museum.diagnosis.records import Record

_LONGEST_TEXT, _LONGEST_LINE = 4_000, 110
_BAR = "# | "  # so that no line of theirs is a header or an encoding that anything obeys


def drafted(record: Record) -> str:
    """Code for the bench.

    Args:
        record: What they wrote; control characters are left out.
    """
    return "\n".join(_lines(record)) + "\n"


def title_of(record: Record) -> str:
    """What its tab is called."""
    return f"draft: {_plain(' '.join((record.slug or record.error_class).split()))[:40]}"


def _lines(record: Record) -> Iterator[str]:
    yield "# UNPROVEN draft of an exhibit, from a record that others made. The museum ran nothing of it."
    yield "# Write code that raises the message, run it, and keep it once it does."
    yield "#"
    parts = (
        ("Source", f"{record.repo} {record.file_path}:{record.line_number}\n{record.github_url}"),
        ("Message", f"{record.error_class}: {record.error_message}"),
        ("What they say it means", record.documentation),
        ("When, by their account", record.trigger_scenarios),
        ("Their example", record.example_fix),
        ("Their ways out", "\n".join(f"- {solution}" for solution in record.solutions)),
    )
    for heading, text in parts:
        if text.strip():
            yield f"# {heading}:"
            yield from _comment(text.strip())
            yield "#"
    yield ""
    yield "import jax"
    yield ""


def _comment(text: str) -> Iterator[str]:
    for line in text[:_LONGEST_TEXT].splitlines():
        rest = _plain(line)
        while len(rest) > _LONGEST_LINE:
            at = rest.rfind(" ", 1, _LONGEST_LINE)
            at = at if at > 0 else _LONGEST_LINE
            yield f"{_BAR}{rest[:at]}".rstrip()
            rest = rest[at:].lstrip()
        yield f"{_BAR}{rest}".rstrip()
    if len(text) > _LONGEST_TEXT:
        yield f"{_BAR}…"


def _plain(text: str) -> str:
    """Without control characters and marks that turn the direction of writing."""
    text = text.replace("\t", "    ")
    return "".join(letter for letter in text if unicodedata.category(letter) not in ("Cc", "Cf", "Zl", "Zp", "Cs"))

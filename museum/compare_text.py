"""A comparison as Markdown, as text and as JSON."""

from typing import Any

from museum.compare import LETTERS, Cell, Comparison, Difference, Part
from museum.differences import Piece
from museum.lab.verify import Verdict
from museum.markdown import fenced, plain, shortened, spanned, table
from museum.scrub import Private, scrubbed, scrubbed_code

_MOST_OUTPUT = 40  # lines of a stream in an export
_SIDES = (("[-", "-]"), ("{+", "+}"))


def as_json(comparison: Comparison) -> dict[str, Any]:
    """The object that `compare --json` prints."""
    return {
        "file": comparison.subject.title,
        "cells": [_cell_json(comparison, cell) for cell in comparison.cells],
        "answers": len(comparison.answers),
    }


def _cell_json(comparison: Comparison, cell: Cell) -> dict[str, Any]:
    environment, outcome = cell.place.environment, cell.outcome
    return {
        "name": comparison.name(cell),
        "jax": cell.place.jax,
        "target": str(cell.place.target),
        "environment": environment.name if environment else None,
        "status": cell.words if cell.judged is None else str(outcome.status) if outcome else "not started",
        "verdict": str(cell.judged.verdict) if cell.judged else None,
        "letter": cell.letter,
        "answer": cell.answer or None,
        "class": outcome.exception.error if outcome and outcome.exception else "",
        "message": cell.message,
        "stdout": outcome.stdout.text if outcome else "",
        "stderr": outcome.stderr.text if outcome else "",
        "seconds": cell.seconds,
    }


def as_text(comparison: Comparison) -> str:
    """The table for a terminal: a line for each row, then each answer with where it was given."""
    head = ["", *map(str, comparison.targets)]
    lines = [
        [name, *(_mark(row.get(target)) for target in comparison.targets)] for name, row in comparison.rows.items()
    ]
    widths = [max(len(line[column]) for line in (head, *lines)) for column in range(len(head))]
    blocks = [
        "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in (head, *lines)),
        legend(comparison),
    ]
    for number, cells in comparison.answers.items():
        names = ", ".join(map(comparison.name, cells))
        blocks.append(f"{number}  {names}:\n{_indented(shortened(_summary(cells[0]), _MOST_OUTPUT))}")
    missing = [cell for cell in comparison.cells if not cell.answer and cell.message]
    blocks += [f"{cell.letter}  {comparison.name(cell)}: {cell.message}" for cell in missing]
    return "\n\n".join(blocks)


def as_markdown(comparison: Comparison, private: Private | None = None) -> str:
    """The table for an issue or a wiki, without what must not leave this machine.

    Args:
        comparison: Finished or not.
        private: What is private; default what this machine says.
    """
    private = private or Private.of_this_machine()
    subject = comparison.subject
    rows = [
        [plain(name), *(_cell_markdown(row.get(target)) for target in comparison.targets)]
        for name, row in comparison.rows.items()
    ]
    parts = [
        f"## {plain(scrubbed(subject.title, private))}",
        table(["", *(spanned(str(target)) for target in comparison.targets)], rows),
        plain(legend(comparison)),
        fenced(shortened(scrubbed_code(subject.code, private), 400), "python"),
    ]
    first: Cell | None = None
    for number, cells in comparison.answers.items():
        names = ", ".join(plain(comparison.name(cell)) for cell in cells)
        parts += [
            f"### {number}: {names}",
            fenced(shortened(scrubbed(_summary(cells[0]), private), _MOST_OUTPUT), "text"),
        ]
        if first is not None:
            parts += _differences(comparison, first, cells[0], private)
        first = first or cells[0]
    missing = [cell for cell in comparison.cells if not cell.answer and cell.message]
    if missing:
        lines = [f"- {plain(comparison.name(cell))}: {plain(scrubbed(cell.message, private))}" for cell in missing]
        parts += ["### Not run", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def _differences(comparison: Comparison, one: Cell, other: Cell, private: Private) -> list[str]:
    parts = []
    for part in Part:
        difference = comparison.difference(one, other, part)
        # What stderr has beside the message is the traceback, which differs with every version.
        if not difference.same and not (part is Part.STDERR and other.message):
            sides = shortened(scrubbed(marked(difference), private), _MOST_OUTPUT)
            parts += [f"The {part} beside that of {plain(difference.names[0])}:", fenced(sides, "text")]
    return parts


def marked(difference: Difference) -> str:
    """Both sides, each with its name, what only it has in ``[-brackets-]`` or ``{+braces+}``."""
    return "\n".join(
        f"{name}:\n{''.join(_marked(piece, signs) for piece in pieces)}"
        for name, pieces, signs in zip(difference.names, difference.pieces, _SIDES, strict=True)
    )


def _marked(piece: Piece, signs: tuple[str, str]) -> str:
    return f"{signs[0]}{piece.text}{signs[1]}" if piece.differs and piece.text.strip() else piece.text


def legend(comparison: Comparison) -> str:
    """What the letters in this table mean, and what the numbers are."""
    letters = {cell.letter: cell.words for cell in comparison.cells}
    order = [*LETTERS.values()]
    if comparison.subject.exhibit:
        order = [*(verdict.letter for verdict in Verdict), *order]
    words = ", ".join(f"{letter} {letters[letter]}" for letter in sorted(letters, key=order.index))
    return f"{words}; cells with the same number did the same"


def _mark(cell: Cell | None) -> str:
    if cell is None:
        return ""
    number = f" {cell.answer}" if cell.answer else ""
    return f"{cell.letter}{number}{f'  {cell.seconds:.2f} s' if cell.seconds else ''}"


def _cell_markdown(cell: Cell | None) -> str:
    if cell is None:
        return ""
    seconds = f"{cell.seconds:.2f} s" if cell.seconds else ""
    head = f"**{cell.letter}**{f' {cell.answer}' if cell.answer else ''} {plain(cell.words)}"
    return ", ".join(filter(None, (head, seconds)))


def _summary(cell: Cell) -> str:
    """What a cell says: its message, else what it printed."""
    if cell.message:
        return cell.message
    said = [cell.text(part) for part in (Part.STDOUT, Part.STDERR)]
    return "\n".join(text.rstrip("\n") for text in said if text.strip()) or "(no output)"


def _indented(text: str) -> str:
    return "\n".join(f"   {line}".rstrip() for line in text.split("\n"))

"""A comparison in words, as its dialog shows it."""

import html

from gui.controllers.accounts import facts_of
from gui.widgets.answer_table import AnswerCell, AnswerRows
from gui.widgets.reading import Reading
from museum.compare import Cell, Comparison
from museum.compare_text import legend
from museum.lab.normalise import without_directories
from museum.lab.outcome import RunStatus

MOST = 600  # characters of an answer in the list of all


def rows_of(table: Comparison) -> AnswerRows:
    """The table as text, tips and roles."""
    numbers = {id(cell): number for number, cell in enumerate(table.cells)}
    rows = {
        name: [
            _cell(table, row[target], numbers[id(row[target])]) if target in row else None for target in table.targets
        ]
        for name, row in table.rows.items()
    }
    return AnswerRows(tuple(map(str, table.targets)), rows)


def _cell(table: Comparison, cell: Cell, number: int) -> AnswerCell:
    answer = f" {cell.answer}" if cell.answer else ""
    seconds = f"  {cell.seconds:.2f} s" if cell.seconds else ""
    tip = "\n".join(filter(None, (f"{table.name(cell)}: {cell.words}", _message(cell))))
    return AnswerCell(number, f"{cell.letter}{answer}  {cell.words}{seconds}", cell.role, tip)


def _first(text: str) -> str:
    """As much of a text as a list may show; cut before anything is looked for in it."""
    return without_directories(text if len(text) <= MOST else f"{text[:MOST]} …")


def _message(cell: Cell) -> str:
    """What `Cell.message` says, as far as a list shows it."""
    if cell.place.obstacle or cell.outcome is None:
        return cell.place.obstacle
    return "" if cell.outcome.status is RunStatus.OK else _first(str(cell.outcome))


def answers_html(table: Comparison) -> str:
    """Each answer under its number, with where it was given; then what could not run, and the letters' meaning."""
    parts = []
    for number, cells in table.answers.items():
        names = ", ".join(map(table.name, cells))
        parts.append(f"<p><b>{number}</b>&nbsp; {html.escape(names)}<br/>{_lines(_said(cells[0]))}</p>")
    missing = [cell for cell in table.cells if not cell.answer and _message(cell)]
    parts += [
        f"<p><b>{html.escape(cell.letter)}</b>&nbsp; {html.escape(table.name(cell))}<br/>{_lines(_message(cell))}</p>"
        for cell in missing
    ]
    if table.cells:
        parts.append(f"<p><i>{html.escape(legend(table))}</i></p>")
    return "".join(parts)


def _lines(text: str) -> str:
    return html.escape(text, quote=False).replace("\n", "<br/>")


def _said(cell: Cell) -> str:
    message = _message(cell)
    if message or cell.outcome is None:
        return message
    said = [_first(stream.text).strip("\n") for stream in (cell.outcome.stdout, cell.outcome.stderr)]
    return "\n".join(filter(None, said)) or "(no output)"


def reading_of(table: Comparison, cell: Cell) -> Reading:
    """What happened in one place, as the exhibit page shows such things."""
    name, outcome = table.name(cell), cell.outcome
    verdict = f"{cell.letter} {cell.words}"
    if cell.judged and cell.judged.detail:
        verdict += f": {cell.judged.detail}"
    role = cell.role if cell.role != "faint" else "plain"
    if outcome is None:
        obstacle = f": {cell.place.obstacle}" if cell.place.obstacle and not cell.judged else ""
        return Reading(name, name, jax=cell.place.jax, verdict=verdict + obstacle, role=role)
    raised = outcome.exception
    return Reading(
        label=name,
        provenance=f"{name} · {facts_of(outcome)}",
        jax=cell.place.jax,
        error=raised.error if raised else "",
        message=without_directories(raised.message) if raised else "",
        verdict=verdict,
        role=role,
        stdout=outcome.stdout.text,
        stderr=outcome.stderr.text,
    )

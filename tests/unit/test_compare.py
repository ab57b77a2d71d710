"""One snippet in many places, with a lab that does as it is told."""

import asyncio
import datetime
from collections.abc import Callable
from pathlib import Path

import pytest

from museum.compare import (
    Cell,
    Comparison,
    Part,
    Place,
    Stage,
    Subject,
    compare,
    essence_of,
    places_for,
    table_of,
)
from museum.compare_text import as_json, as_markdown, as_text, marked
from museum.errors import MuseumError
from museum.exhibit import Capture, Exhibit, ExhibitFile, Expectation, Half, Origin, OutcomeKind, Placard
from museum.lab.environments import Environment, EnvironmentKind
from museum.lab.outcome import Output, RaisedException, RunOutcome, RunStatus
from museum.lab.runner import Progress, RunRequest
from museum.lab.target import Target
from museum.scrub import Private

CPU, TWO, TPU = (Target.parse(text) for text in ("cpu:8", "cpu:2x4", "tpu-compile"))
ANN = Private(("/home/ann",), ("annlee",), (), ())


def environment(jax: str, libtpu: str = "", name: str = "") -> Environment:
    python = Path(f"/x/{jax}/python")
    return Environment(name or f"jax-{jax}", EnvironmentKind.MANAGED, python, "3.11.7", jax, jax, libtpu)


OLD, NEW, NEW_TPU = environment("0.4.38"), environment("0.10.2"), environment("0.10.2", "0.0.42", "jax-0.10.2-tpu")


def outcome(
    message: str = "", status: RunStatus = RunStatus.FAILED, stdout: str = "", target: str = "cpu:8"
) -> RunOutcome:
    raised = RaisedException("ValueError", message, (), (), 1) if message else None
    times = {"finished": 0.5, "ended": 0.75}
    return RunOutcome(status, 1, "own", target, raised, stdout=Output(stdout.encode()), timings=times)


class TellingLab:
    """Answers by JAX version and target, and counts how many runs there are at once."""

    def __init__(self, answers: dict[tuple[str, str], RunOutcome]) -> None:
        self.answers = answers
        self.running: list[RunRequest] = []
        self.most = self.most_compilers = 0
        self.gate: asyncio.Event | None = None
        self.two = asyncio.Event()

    async def run(self, request: RunRequest, _progress: Callable[[Progress], None] | None = None) -> RunOutcome:
        self.running.append(request)
        if len(self.running) == 2:
            self.two.set()
        self.most = max(self.most, len(self.running))
        self.most_compilers = max(self.most_compilers, sum(one.target == TPU for one in self.running))
        try:
            if self.gate:
                await self.gate.wait()
            for _ in range(3):
                await asyncio.sleep(0)
            return self.answers[request.environment.jax, str(request.target)]
        finally:
            self.running.remove(request)


ANSWERS = {
    ("0.4.38", "cpu:8"): outcome("10 rows, 4 devices at 0x7f0011"),
    ("0.10.2", "cpu:8"): outcome("12 rows, 4 devices at 0x7f0022"),
    ("0.4.38", "cpu:2x4"): outcome("10 rows, 4 devices at 0x7f0033"),
    ("0.10.2", "cpu:2x4"): outcome(status=RunStatus.OK, stdout="fine | so\n"),
}
SUBJECT = Subject("x = '/home/ann/data/set/x.npy'\n", "annlee.py")


def compared(lab: TellingLab, places: list[Place], subject: Subject = SUBJECT, **words: int) -> Comparison:
    return asyncio.run(compare(subject, places, lab, **words))


@pytest.fixture
def table() -> Comparison:
    places = places_for([OLD, NEW], [], [CPU, TWO, TPU])
    return compared(TellingLab(ANSWERS), places)


def test_every_version_and_target_has_a_cell(table: Comparison) -> None:
    assert [table.name(cell) for cell in table.cells[:4]] == [
        "JAX 0.4.38 on cpu:8",
        "JAX 0.4.38 on cpu:2x4",
        "JAX 0.4.38 on tpu-compile",
        "JAX 0.10.2 on cpu:8",
    ]
    assert [cell.letter for cell in table.cells] == ["F", "F", "–", "F", "P", "–"]  # noqa: RUF001
    assert [cell.role for cell in table.cells] == ["bad", "bad", "faint", "bad", "good", "faint"]
    assert [cell.answer for cell in table.cells] == [1, 1, 0, 2, 3, 0]
    assert (table.done, table.cells[0].seconds, table.cells[2].seconds) == (6, 0.5, 0.0)
    assert table.cells[0].message == "ValueError: 10 rows, 4 devices at 0x7f0011"
    assert "needs libtpu" in table.cells[2].message
    assert list(table.rows) == ["JAX 0.4.38", "JAX 0.10.2"]
    assert {number: len(cells) for number, cells in table.answers.items()} == {1: 2, 2: 1, 3: 1}


def test_two_cells_are_held_against_each_other_by_words(table: Comparison) -> None:
    difference = table.difference(table.cells[0], table.cells[3])
    assert difference.names == ("JAX 0.4.38 on cpu:8", "JAX 0.10.2 on cpu:8")
    assert not difference.same
    left, right = ([piece.text for piece in pieces if piece.differs] for pieces in difference.pieces)
    assert (left[0], right[0]) == ("10", "12")
    assert marked(difference).startswith("JAX 0.4.38 on cpu:8:\nValueError: [-10-] rows, 4 devices at")
    assert table.difference(table.cells[0], table.cells[1]).same
    streams = table.difference(table.cells[0], table.cells[4], Part.STDOUT)
    assert [piece.text for piece in streams.pieces[1]] == ["fine | so\n"]


def test_runs_are_bounded_and_tpu_compilations_go_one_by_one() -> None:
    environments = [environment(f"0.{minor}.0", "0.0.42") for minor in range(4, 10)]
    answers = {(one.jax, target): outcome("boom") for one in environments for target in ("cpu:8", "tpu-compile")}
    lab = TellingLab(answers)
    table = compared(lab, places_for(environments, [], [CPU, TPU]), workers=3)
    assert (lab.most, lab.most_compilers, lab.running) == (3, 1, [])
    assert table.done == 12
    assert list(table.answers) == [1]


def test_each_change_is_told_and_cancelling_stops_what_runs() -> None:
    lab = TellingLab(ANSWERS)
    seen: list[Comparison] = []

    async def scenario() -> None:
        lab.gate = asyncio.Event()
        task = asyncio.create_task(compare(SUBJECT, places_for([OLD, NEW], [], [CPU, TWO]), lab, seen.append))
        await lab.two.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(scenario())
    assert [cell.stage for cell in seen[0].cells] == [Stage.WAITING] * 4
    assert {cell.stage for cell in seen[-1].cells} == {Stage.STOPPED}
    assert seen[-1].done == 4
    assert lab.running == []
    assert as_text(seen[-1]).count("S") >= 4


def test_what_is_not_at_hand_says_what_to_do() -> None:
    places = places_for([OLD], ["0.8.3"], [CPU])
    table = compared(TellingLab({}), places)
    assert table.cells[0].message == "no environment with JAX 0.8.3 here; make one with: xla-museum env add 0.8.3"
    assert as_json(table)["cells"][0]["environment"] is None


@pytest.mark.parametrize(
    ("versions", "words"),
    [(["zero"], "'zero' is not a version"), ([f"0.{minor}" for minor in range(61)], "61 cells are more than")],
)
def test_what_cannot_be_compared_is_told(versions: list[str], words: str) -> None:
    with pytest.raises(MuseumError, match=words):
        places_for([OLD], versions, [CPU])


def test_a_version_takes_the_environment_that_the_target_needs() -> None:
    places = places_for([NEW, NEW_TPU], [], [CPU, TPU])
    assert [place.environment for place in places] == [NEW, NEW_TPU]
    assert list(table_of(SUBJECT, places).rows) == ["JAX 0.10.2"]


def test_two_environments_of_one_version_are_told_apart() -> None:
    table = table_of(SUBJECT, [Place("0.10.2", CPU, NEW), Place("0.10.2", CPU, NEW_TPU)])
    assert [table.name(cell) for cell in table.cells] == [
        "JAX 0.10.2 (jax-0.10.2) on cpu:8",
        "JAX 0.10.2 (jax-0.10.2-tpu) on cpu:8",
    ]


def test_an_exhibits_half_is_judged() -> None:
    expected = (Expectation("<0.5", kind=OutcomeKind.PASSES), Expectation(error="ValueError", says=("12 rows",)))
    facts = ExhibitFile("One", OutcomeKind.RAISES, ("cpu:8",), (), (), expected)
    capture = Capture(Half.FAILING, "0.10.2", "cpu:8", Origin.REPRODUCED, "failed", datetime.date(2026, 11, 1))
    exhibit = Exhibit("xla/one", 1, facts, Placard("", "", ""), {Half.FAILING: "x"}, (capture,))
    table = compared(TellingLab(ANSWERS), places_for([OLD, NEW], [], [CPU]), Subject("x", "xla/one", exhibit=exhibit))
    assert [(cell.letter, cell.role) for cell in table.cells] == [("E", "bad"), ("C", "doubt")]
    assert [cell["verdict"] for cell in as_json(table)["cells"]] == ["other error", "message changed"]


def test_it_is_text_and_json(table: Comparison) -> None:
    text = as_text(table)
    assert text.splitlines()[1].split() == ["JAX", "0.4.38", "F", "1", "0.50", "s", "F", "1", "0.50", "s", "–"]  # noqa: RUF001
    assert "1  JAX 0.4.38 on cpu:8, JAX 0.4.38 on cpu:2x4:\n   ValueError: 10 rows, 4 devices at 0x7f0011" in text
    assert "\n\nP ok, F failed, – not started; cells with the same number did the same\n\n" in text  # noqa: RUF001
    cells = as_json(table)["cells"]
    assert cells[0]["class"] == "ValueError"
    assert [cell["status"] for cell in cells[:3]] == ["failed", "failed", "not started"]
    assert (cells[4]["stdout"], cells[4]["answer"], cells[4]["seconds"]) == ("fine | so\n", 3, 0.5)


def test_it_is_markdown_without_what_is_private(table: Comparison) -> None:
    text = as_markdown(table, ANN)
    for line in (
        "## user.py\n",
        "|  | `cpu:8` | `cpu:2x4` | `tpu-compile` |\n| --- | --- | --- | --- |\n",
        "| JAX 0.4.38 | **F** 1 failed, 0.50 s | **F** 1 failed, 0.50 s | **–** not started |",  # noqa: RUF001
        "### 1: JAX 0.4.38 on cpu:8, JAX 0.4.38 on cpu:2x4\n",
        "The message beside that of JAX 0.4.38 on cpu:8:",
        "[-10-] rows",
        "{+12+} rows",
        "x = '.../x.npy'",
        "### Not run\n\n- JAX 0.4.38 on tpu-compile: target tpu-compile needs libtpu",
    ):
        assert line in text


def test_addresses_and_places_make_no_difference_between_answers() -> None:
    one = outcome("at /a/b/x.py:3, id=7")
    assert essence_of(one) == essence_of(outcome("at /c/x.py:9, id=8"))
    assert essence_of(one) != essence_of(outcome("at /c/y.py:9, id=8"))
    assert essence_of(outcome(status=RunStatus.NOT_STARTED)) == ""
    assert Cell(Place("0.10.2", CPU, NEW)).words == "waiting"

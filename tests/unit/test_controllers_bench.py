"""What is on the bench, what its tabs run, and what becomes of files: real drafts, a fake lab, no window."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from stand_ins import pretended

from gui.controllers.bench import STARTER, BenchController
from gui.controllers.bench_tab import AGAIN
from gui.widgets.bench_page import BenchPage
from gui.widgets.bench_view import BenchView, Inputs
from gui.widgets.run_bar import RunChoices
from museum.bench.flags import FlagChecker
from museum.history import History
from museum.lab.environments import Environment, EnvironmentKind
from museum.lab.outcome import Output, RaisedException, RunOutcome, RunStatus
from museum.lab.runner import Progress, RunRequest

OK = RunOutcome(RunStatus.OK, 0, "own", "cpu:8", stdout=Output(b"hello\n"))
RAISED = RunOutcome(RunStatus.FAILED, 1, "own", "cpu:8", RaisedException("ValueError", "no", (), blamed_line=3))


class Lab:
    """Hands out one outcome, and remembers what it was asked for."""

    def __init__(self) -> None:
        self.requests: list[RunRequest] = []
        self.outcome = OK

    async def environments(self) -> Sequence[Environment]:
        return [Environment("own", EnvironmentKind.OWN, Path("python"), "3.11", v, v) for v in ("0.12.0.1", "0.10.2")]

    async def run(self, request: RunRequest, _tell: Callable[[Progress], None]) -> RunOutcome:
        self.requests.append(request)
        return self.outcome

    def prepare(self, *_: object) -> None:
        """Nothing to have ready."""


class Checker(FlagChecker):
    """Knows one flag only."""

    async def complaints(self, environment: Environment, flags: str) -> tuple[str, ...]:
        key = (str(environment.python), environment.jaxlib, " ".join(flags.split()))
        self._answers[key] = () if flags == "--good=1" else (f"JAX {environment.jax} knows no {flags}",)
        return self._answers[key]


class Bench:
    """The controller with pretended views."""

    def __init__(self, history: History) -> None:
        self.page = pretended(BenchPage)
        self.page.make_view.side_effect = self._make_view
        self.views: dict[str, Any] = {}
        self.lab = Lab()
        self.controller = BenchController(self.page, self.lab, history, Checker())

    def _make_view(self, name: str) -> Any:
        view = self.views[name] = pretended(BenchView)
        view.bar = pretended(RunChoices)
        return view

    @property
    def view(self) -> Any:
        return self.views[self.controller.current.snippet.id]

    @property
    def titles(self) -> list[str]:
        return [snippet.title for snippet in self.controller.snippets]

    def type(self, code: str) -> None:
        self.view.text_edited.emit(code)

    @property
    def warned(self) -> list[str]:
        return list(self.view.warn.call_args.args[0])

    async def run_through(self) -> None:
        """Press Run and wait until all that comes of it has come."""
        self.view.run_requested.emit()
        tab = self.controller.current
        while (task := tab._asking or tab.runs._task) is not None:
            await asyncio.wait([task])


@pytest.fixture
def history(tmp_path: Path):
    history = History(tmp_path / "history.sqlite")
    yield history
    history.close()


def play(history: History, story: Callable[[Bench], Any]) -> None:
    """Lets a story happen on a bench of that history."""

    async def visit() -> None:
        async with asyncio.timeout(60):  # so that a fault fails instead of hanging
            bench = Bench(history)
            await bench.controller.find_environments()
            await story(bench)
            await bench.controller.close()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(visit())


def test_an_empty_bench_has_a_snippet_to_begin_with(history: History) -> None:
    async def story(bench: Bench) -> None:
        assert bench.titles == ["Snippet 1"]
        assert bench.controller.current.snippet.code == STARTER

    play(history, story)


def test_all_tabs_come_back_as_they_were_left(history: History, tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text("print(1)\n")

    async def before(bench: Bench) -> None:
        bench.type("mine\n")
        bench.controller.open_file(str(file))
        bench.type("print(2)\n")
        bench.view.inputs_edited.emit(Inputs("-n 1", "A=1"))
        bench.view.bar.target_chosen.emit("local")
        bench.view.bar.environment_chosen.emit("0.10.2")
        bench.page.chosen.emit(bench.controller.snippets[0].id)

    async def after(bench: Bench) -> None:
        assert bench.titles == ["Snippet 1", "x.py"]
        assert bench.controller.current.snippet.code == "mine\n"
        assert len(bench.views) == 1  # the other is made when it is looked at
        bench.page.chosen.emit(bench.controller.snippets[1].id)
        snippet = bench.controller.current.snippet
        assert (snippet.code, snippet.path) == ("print(2)\n", str(file))
        assert (snippet.arguments, snippet.variables, snippet.target, snippet.jax) == ("-n 1", "A=1", "local", "0.10.2")
        assert bench.controller.current.runs.jax == "0.10.2"
        assert str(bench.controller.current.runs.target) == "local"
        bench.view.show_snippet.assert_called_once_with("print(2)\n", Inputs("-n 1", "A=1"))

    play(history, before)
    play(history, after)


def test_a_run_gets_arguments_and_variables_and_is_logged(history: History) -> None:
    async def story(bench: Bench) -> None:
        bench.view.inputs_edited.emit(Inputs("-n 'a b'", "A=1"))
        bench.lab.outcome = RAISED
        await bench.run_through()
        (request,) = bench.lab.requests
        assert (request.script, request.arguments, dict(request.variables)) == (STARTER, ("-n", "a b"), {"A": "1"})
        readings, chosen = bench.view.show_readings.call_args.args
        assert [reading.label for reading in readings] == ["run 1: JAX 0.12.0.1, cpu:8"]
        assert (chosen, readings[0].verdict) == (0, "✗ Raises ValueError")
        bench.view.set_blame.assert_called_with(3, "ValueError: no")
        (logged,) = history.runs.find("")
        assert logged.place == "bench: Snippet 1"
        assert history.runs.get(logged.id).arguments == ("-n", "a b")

    play(history, story)


def test_runs_of_a_tab_can_be_compared(history: History) -> None:
    async def story(bench: Bench) -> None:
        for _ in range(8):
            await bench.run_through()
        readings, _ = bench.view.show_readings.call_args.args
        assert [reading.label[:5] for reading in readings] == ["run 8", "run 7", "run 6", "run 5", "run 4", "run 3"]

    play(history, story)


def test_an_unknown_flag_is_told_before_the_run_and_then_run_if_wanted(history: History) -> None:
    async def story(bench: Bench) -> None:
        bench.view.inputs_edited.emit(Inputs("", "XLA_FLAGS=--bad=1"))
        await bench.run_through()
        assert bench.lab.requests == []
        assert bench.warned == ["JAX 0.12.0.1 knows no --bad=1", AGAIN]
        await bench.run_through()
        assert len(bench.lab.requests) == 1
        bench.view.inputs_edited.emit(Inputs("", "XLA_FLAGS=--good=1"))
        await bench.run_through()
        assert len(bench.lab.requests) == 2
        assert bench.warned == []

    play(history, story)


def test_open_quotes_are_never_run(history: History) -> None:
    async def story(bench: Bench) -> None:
        bench.view.inputs_edited.emit(Inputs("'a", ""))
        await bench.run_through()
        await bench.run_through()
        assert bench.lab.requests == []
        assert "close the quotes" in bench.warned[0]

    play(history, story)


def test_a_header_chooses_the_target_when_it_is_opened_and_when_it_is_written(history: History) -> None:
    async def story(bench: Bench) -> None:
        bench.controller.open_text("t", "# museum: target=cpu:2x4\n")
        assert str(bench.controller.current.runs.target) == "cpu:2x4"
        bench.type("# museum: target=cpu:4\n")
        assert bench.controller.current.snippet.target == "cpu:4"
        bench.view.bar.target_chosen.emit("local")
        bench.type("# museum: target=cpu:4\nx\n")
        assert bench.controller.current.snippet.target == "local"  # the visitor's choice stands
        await bench.run_through()

    play(history, story)


def test_what_is_opened_twice_comes_to_the_front(history: History, tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text("1\n")

    async def story(bench: Bench) -> None:
        for _ in range(2):
            bench.controller.open_file(str(tmp_path / "x.py"))
            bench.controller.open_text("studio", "2\n", "cpu:4", "0.10.2")
        assert bench.titles == ["Snippet 1", "x.py", "studio"]
        assert bench.controller.current.runs.jax == "0.10.2"

    play(history, story)


def test_a_closed_tab_can_be_opened_again(history: History) -> None:
    async def story(bench: Bench) -> None:
        bench.type("mine\n")
        bench.controller.close_current()
        assert bench.controller.current.snippet.code == STARTER
        bench.controller.reopen()
        assert bench.controller.current.snippet.code == "mine\n"
        assert bench.titles == ["Snippet 2", "Snippet 1"]

    play(history, story)


def test_saving_writes_the_file_and_remembers_it(history: History, tmp_path: Path) -> None:
    async def story(bench: Bench) -> None:
        bench.type("a\n")
        bench.page.save_requested.emit()
        bench.page.ask_where_to_save.assert_called_once()
        bench.page.save_as_requested.emit(str(tmp_path / "y.py"))
        assert (tmp_path / "y.py").read_text() == "a\n"
        bench.type("b\n")
        assert bench.page.name_tab.call_args.args[1] == "y.py •"
        bench.page.save_requested.emit()
        assert (tmp_path / "y.py").read_text() == "b\n"
        assert bench.page.name_tab.call_args.args[1] == "y.py"
        bench.page.show_recent.assert_called_with((str(tmp_path / "y.py"),))

    play(history, story)


def test_a_file_changed_outside_is_asked_about_and_never_written_over(history: History, tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text("1\n")

    async def story(bench: Bench) -> None:
        bench.controller.open_file(str(file))
        bench.type("mine\n")
        file.write_text("other\n")
        bench.page.file_changed.emit(str(file))
        bench.view.ask_about_file.assert_called_with("x.py was changed by another program.", "Load x.py")
        bench.page.save_requested.emit()
        assert file.read_text() == "other\n"
        bench.view.reload_requested.emit()
        bench.view.replace_text.assert_called_with("other\n")
        assert bench.controller.current.snippet.code == "other\n"
        file.write_text("third\n")
        bench.page.file_changed.emit(str(file))
        bench.view.keep_requested.emit()
        bench.page.save_requested.emit()
        assert file.read_text() == "other\n"
        file.unlink()
        bench.page.file_changed.emit(str(file))
        assert "not on the disk" in bench.view.ask_about_file.call_args.args[0]
        bench.page.save_requested.emit()
        assert file.read_text() == "other\n"

    play(history, story)


def test_a_file_changed_while_the_museum_was_closed_is_asked_about(history: History, tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text("1\n")

    async def before(bench: Bench) -> None:
        bench.controller.open_file(str(file))

    async def after(bench: Bench) -> None:
        bench.view.ask_about_file.assert_called_with("x.py was changed by another program.", "Load x.py")

    play(history, before)
    file.write_text("2\n")
    play(history, after)


def test_what_cannot_be_opened_or_kept_is_said_in_one_line(history: History, tmp_path: Path) -> None:
    async def story(bench: Bench) -> None:
        bench.controller.open_file(str(tmp_path / "none.py"))
        assert "no such file" in bench.page.say.call_args.args[0]
        assert bench.titles == ["Snippet 1"]

    play(history, story)


def test_a_file_with_a_mark_is_not_edited_and_keeps_it(history: History, tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_bytes(b"\xef\xbb\xbfa = 1\r\n")

    async def story(bench: Bench) -> None:
        bench.controller.open_file(str(file))
        bench.view.show_place.assert_called_with(str(file))
        bench.type("b = 1\n")
        bench.controller.save()
        assert file.read_bytes() == b"\xef\xbb\xbfb = 1\r\n"
        file.write_bytes(b"a\rb\r\n")
        bench.page.file_changed.emit(str(file))
        bench.view.reload_requested.emit()
        bench.type("c\n")
        bench.controller.save()
        assert file.read_bytes() == b"c\r\n"

    play(history, story)


def test_a_file_whose_lines_end_in_several_ways_is_told_of(history: History, tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_bytes(b"a\rb\r\n")

    async def story(bench: Bench) -> None:
        bench.controller.open_file(str(file))
        bench.page.say.assert_called_with("x.py: its lines end in several ways; saving ends all of them with CRLF")

    play(history, story)


def test_a_text_whose_folder_is_gone_stays(history: History, tmp_path: Path) -> None:
    file = tmp_path / "folder" / "x.py"
    file.parent.mkdir()
    file.write_text("a = 1\n")

    async def story(bench: Bench) -> None:
        bench.controller.open_file(str(file))
        file.unlink()
        file.parent.rmdir()
        bench.page.file_changed.emit(str(file))
        bench.view.ask_about_file.assert_called_with("x.py is not on the disk any more. Saving writes it again.")
        bench.type("b = 1\n")
        bench.controller.save()
        bench.page.say.assert_called_with(f"{file}: cannot be written: No such file or directory")

    async def after(bench: Bench) -> None:
        assert bench.controller.current.snippet.code == "b = 1\n"

    play(history, story)
    play(history, after)

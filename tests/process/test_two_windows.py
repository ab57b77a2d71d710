"""Two real windows at one home: whatever is typed in either is there the next time, and neither undoes the other."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from museum.history import History

WINDOW = """
import asyncio, json, os, signal, sys
import gui.app
from PySide6.QtTest import QTest
from gui.__main__ import main
from museum.exhibit import Half
stay = gui.app.Museum.stay

async def visit(museum):
    staying = asyncio.ensure_future(stay(museum))
    page = museum.window.exhibit_page
    for line in iter(lambda: sys.stdin.readline().strip(), ""):
        answer = eval(line)
        await asyncio.sleep(0.01)
        print("answer", json.dumps(answer), flush=True)
    museum.window.close()
    await staying

gui.app.Museum.stay = visit
sys.argv = ["xla-museum", "--exhibit", "xla/indivisible-dimension"]
main()
"""
CODE = "page.halves[Half.FAILING].editor.text()"
TABS = "[[one.title, one.code] for one in museum.show_bench().snippets]"


class Window:
    """A museum in a process of its own; does what it is told, one line at a time."""

    def __init__(self) -> None:
        command = [sys.executable, "-c", WINDOW]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, text=True, **pipes)

    def do(self, line: str) -> Any:
        """What the line comes to in there."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer.startswith("answer "), answer
        return json.loads(answer.removeprefix("answer "))

    def type_code(self, text: str) -> None:
        self.do(f"QTest.keyClicks(page.halves[Half.FAILING].editor, {text!r})")

    def type_bench(self, text: str) -> None:
        self.do(f"QTest.keyClicks(museum.show_bench().current.view.editor, {text!r})")

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    def close(self) -> None:
        self.process.communicate("\n", timeout=60)
        assert self.process.returncode == 0


@pytest.fixture
def window() -> Iterator[Any]:
    """Opens windows, and leaves none."""
    opened: list[Window] = []

    @contextmanager
    def open_one() -> Iterator[Window]:
        one = Window()
        opened.append(one)
        yield one
        one.close()

    yield open_one
    for one in opened:
        if one.process.poll() is None:
            one.kill()


def test_two_windows_that_type_into_one_half_lose_nothing(window, museum_home: Path) -> None:
    with window() as one, window() as other:
        original = one.do(CODE)
        assert other.do(CODE) == original  # open as well before the first one is typed into
        one.type_code("# one ")
        assert other.do(CODE) == original
        other.type_code("# two ")
        one.type_code("again ")
        assert one.do(CODE) == f"# one again {original}"
        assert other.do(CODE) == f"# two {original}"
    with window() as later:
        assert later.do(CODE) == f"# one again {original}"  # the last that was typed
        tabs = later.do(TABS)
        assert ["xla/indivisible-dimension failing, from another window", f"# two {original}"] in tabs


def test_the_second_window_sees_what_the_first_one_wrote(window) -> None:
    with window() as one:
        one.type_code("# one ")
        with window() as other:
            assert other.do(CODE).startswith("# one ")
            other.type_code("# two ")
            assert other.do(CODE).startswith("# two # one ")
        assert one.do(CODE).startswith("# one ")


@pytest.mark.parametrize("end", ["kill", "close"])
def test_each_window_has_its_own_tabs_and_they_are_together_the_next_time(window, end: str) -> None:
    first, second = Window(), Window()
    for name, one in (("one", first), ("two", second)):
        one.type_bench(f"# {name} ")
        one.do("museum.show_bench().new()")
        one.type_bench(f"# {name} more ")
    assert [code.partition("import")[0] for _, code in first.do(TABS)] == ["# one ", "# one more "]
    assert [code.partition("import")[0] for _, code in second.do(TABS)] == ["# two ", "# two more "]
    first.type_bench("and more ")
    getattr(first, end)()
    getattr(second, end)()
    with window() as later:
        codes = {code.partition("import")[0] for _, code in later.do(TABS)}
        assert codes == {"# one ", "# one more and more ", "# two ", "# two more "}


def test_tabs_of_a_window_that_is_gone_go_to_the_first_that_asks_and_to_no_other(window) -> None:
    gone = Window()
    gone.type_bench("# gone ")
    gone.kill()
    with window() as one, window() as other:
        first = one.do(TABS)
        assert [code.partition("import")[0] for _, code in first] == ["# gone "]
        assert [code.partition("import")[0] for _, code in other.do(TABS)] == [""]
        other.type_bench("# other ")
        assert [code.partition("import")[0] for _, code in one.do(TABS)] == ["# gone "]


def test_a_bench_that_nobody_touched_leaves_no_tab_behind(window) -> None:
    with window() as one, window() as other:
        one.type_bench("# mine ")
        other.do(TABS)
    with window() as later:
        assert len(later.do(TABS)) == 1


def test_a_reset_in_one_window_leaves_the_others_text(window, museum_home: Path) -> None:
    with window() as one, window() as other:
        one.type_code("# one ")
        other.type_code("# two ")
        other.do("museum.exhibits.reset(Half.FAILING)")
        assert one.do(CODE).startswith("# one ")
    history = History(museum_home / "history.sqlite")
    draft = history.draft("xla/indivisible-dimension failing")
    history.close()
    assert draft is not None
    assert draft.startswith("# one ")

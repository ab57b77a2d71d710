"""Comparing, sharing and the personal wing in the real program."""

import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path
from typing import Any

import pytest
from visitor import visit as whole_visit

from museum.catalog import collection_root
from museum.exhibit import Half
from museum.history import History
from museum.mine import load_mine, take_in

EXHIBIT = "xla/unknown-axis"


def visit(code: str, place: str = EXHIBIT) -> Any:
    """What `answer` is once the museum was open at `place`."""
    return whole_visit(code, "--exhibit", place)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """An exhibit that others made, in a zip; running either half leaves a trace."""
    trace = f"open({str(tmp_path / 'trace')!r}, 'a').write('ran ')\n"
    path = tmp_path / "friend.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in (collection_root() / EXHIBIT).iterdir():
            if file.is_file() and file.suffix != ".pyc":
                text = file.read_text("utf-8")
                archive.writestr(f"friendly/{file.name}", trace + text if file.suffix == ".py" else text)
    return path


def test_a_half_is_compared_on_two_environments_and_nothing_stays(museum_home: Path, tmp_path: Path) -> None:
    answer = visit(f"""
        press(Qt.Key.Key_R, CTRL, SHIFT)
        shown, comparing = dialog(), museum.workshop.comparing
        shown._target.setFocus()
        QTest.keyClicks(shown._target, "cpu:2")
        QTest.keyClick(shown._target, Qt.Key.Key_Return)
        ticked = [shown._versions.ticked, shown._targets.ticked]
        QTest.mouseClick(shown._compare, Qt.MouseButton.LeftButton)
        await comparing.running
        table = shown._table
        cells = [[table.item(row, column).text().split("  ")[:2] for column in (1, 2)] for row in (0, 1)]
        shown._table.item(0, 1).setSelected(True)
        shown._table.item(1, 1).setSelected(True)
        await comparing._errands.settled()
        names = [label.text() for label, _ in shown._difference._sides]
        QTest.mouseClick(shown._copy, Qt.MouseButton.LeftButton)
        await comparing._errands.settled()
        markdown = QApplication.clipboard().text()
        shown.save_requested.emit({str(tmp_path / "table.md")!r})
        await comparing._errands.settled()
        before = below()
        shown._compare.click()
        running = comparing.running
        while not below() - before:
            await asyncio.sleep(0.02)
        begun = below() - before
        shown.close()
        await asyncio.wait([running])
        left = [process.pid for process in begun if process in below()]
        answer = [ticked, cells, names, markdown, running.cancelled(), left]
    """)
    ticked, cells, names, markdown, was_ended, left = answer
    assert ticked[0][0] == "0.0.1"
    assert len(ticked[0]) == 2
    assert sorted(ticked[1]) == ["cpu:2", "cpu:8"]
    assert all(letter.split()[0] in "RCED" for row in cells for letter, _ in row)
    assert {cell[0].split()[1] for row in cells for cell in row} <= {"1", "2"}
    assert names == [f"JAX {version} on cpu:8" for version in ticked[0]]
    assert (tmp_path / "table.md").read_text() == markdown
    assert "cells with the same number did the same" in markdown
    assert str(museum_home) not in markdown
    assert (was_ended, left) == (True, [])


REFUSED = """
    mine.take_in([{package!r}])
    await mine.settled()
    place, before = museum.navigation.place, told(page.mine_bar)
    page.halves[Half.FAILING].editor.setFocus()
    press(Qt.Key.Key_F5)
    press(Qt.Key.Key_F6)
    said = museum.window.bar._state.toolTip()
    page.version_requested.emit(__import__("museum.strip").strip.Place(Half.FAILING, "cpu:8", "0.0.1"))
    press(Qt.Key.Key_R, CTRL, SHIFT)
    page.bench_requested.emit(Half.FAILING)
    page.mine_bar.record_requested.emit()
    QTest.keyClicks(page.halves[Half.FAILING].editor, "# typed")
    await mine.settled()
    windows = [one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible()]
    cells = [cell for cell in page.readings._strip._cells.values() if cell.isEnabled() and not cell.isCheckable()]
    idle = [museum.exhibits.runs.is_running, len(windows), museum.window.shows_bench, museum.exhibits.runs._expected]
    refused = [place, before, said, idle, len(cells), page.halves[Half.FIX]._run.isEnabled()]
"""


def test_what_others_made_runs_only_once_it_is_trusted(package: Path, tmp_path: Path) -> None:
    answer = visit(
        textwrap.dedent(REFUSED).format(package=str(package))
        + textwrap.dedent("""
        page.mine_bar._trust.click()
        await mine.settled()
        press(Qt.Key.Key_F5)
        await ran()
        first = page.readings.chosen.verdict
        from museum.mine import my_root
        script = my_root() / place / "failing.py"
        script.write_text(script.read_text() + "# more\\n")
        await mine.load()
        changed = told(page.mine_bar)
        press(Qt.Key.Key_F5)
        answer = [refused, first, changed, museum.exhibits.runs.is_running]
        """)
    )
    (place, before, said, idle, cells, can_run), first, changed, runs_again = answer
    assert place == "mine/friendly"
    assert before == [
        "Made by others (from friend.zip): look at the code first. Nothing of it runs before you agree.",
        True,
    ]
    assert said == "Not run: made by others. Read its code, then trust it."
    assert idle == [False, 0, False, []]
    assert (cells, can_run) == (0, False)
    assert first.startswith("✓")
    assert (tmp_path / "trace").read_text() == "ran "
    assert "its scripts have changed since you agreed to them" in changed[0]
    assert (changed[1], runs_again) == (True, False)


def test_a_run_is_kept_changed_recorded_given_out_and_taken_away(museum_home: Path, tmp_path: Path) -> None:
    answer = visit(f"""
        press(Qt.Key.Key_B, CTRL, SHIFT)
        await asyncio.sleep(0)
        nothing = museum.window.bar._state.toolTip()
        press(Qt.Key.Key_F5)
        await ran()
        press(Qt.Key.Key_B, CTRL, SHIFT)
        await museum.workshop.sharing._errands.settled()
        dialog()._copy()
        report = QApplication.clipboard().text()
        dialog().close()
        museum.window.activateWindow()
        await turn()
        press(Qt.Key.Key_K, CTRL, SHIFT)
        await museum.workshop.sharing._errands.settled()
        keep = dialog()
        keep._title.selectAll()
        QTest.keyClicks(keep._title, "An axis of mine")
        keep._keep.click()
        await museum.workshop.sharing._errands.settled()
        await mine.settled()
        await turn()
        place = museum.navigation.place
        page.halves[Half.FIX].editor.setFocus()
        press(Qt.Key.Key_A, CTRL)
        QTest.keyClicks(page.halves[Half.FIX].editor, "print(1)")
        page.mine_bar._save.click()
        await mine.settled()
        page.mine_bar.renamed.emit("My axis.")
        await mine.settled()
        page.mine_bar._record.click()
        await mine.settled()
        words = page.mine_bar._progress.text()
        title, heading = page._title.text(), museum.model.index_of("mine").data()
        from museum.mine import give_out, load_mine, my_root
        kept = load_mine().catalog.exhibit(place)
        give_out(kept, my_root(), pathlib.Path({str(tmp_path / "out.zip")!r}))
        QTest.keyClicks(page.halves[Half.FIX].editor, "# last words ")
        page.mine_bar.remove_requested.emit()
        await mine.settled()
        answer = [nothing, report, place, words, title, heading, museum.navigation.place]
    """)
    nothing, report, place, words, title, heading, end = answer
    assert nothing == "There is no run to share yet: run it first."
    assert "### To reproduce" in report
    assert str(museum_home) not in report
    assert place == "mine/an-axis-of-mine"
    assert words.startswith("Recorded: ")
    assert "fix passes" in words
    assert (title, heading) == ("My axis", "My exhibits")
    assert zipfile.ZipFile(tmp_path / "out.zip").read("an-axis-of-mine/fix.py") == b"print(1)"
    assert end != place
    assert load_mine().catalog.exhibits == ()
    (aside,) = (museum_home / "removed-exhibits").glob("*/an-axis-of-mine")
    assert "# last words" in (aside / "fix.edited.py").read_text()
    history = History(museum_home / "history.sqlite")
    assert history.draft(f"{place} {Half.FIX}") is None
    history.close()


def test_a_broken_exhibit_of_mine_is_told_and_the_others_open(museum_home: Path) -> None:
    wing = museum_home / "my-exhibits" / "mine"
    (wing / "broken").mkdir(parents=True)
    (wing / "wing.toml").write_text('title = "My exhibits"\nposition = 1\nintro = "Mine."\nexhibits = ["broken"]\n')
    (wing / "broken" / "exhibit.toml").write_text("title = \n")
    said, problems, place = visit("""
        problems = [str(one) for one in museum.catalog.problems]
        answer = [museum.window.bar._state.toolTip(), problems, museum.navigation.place]
    """)
    assert said.startswith("One of my exhibits cannot be opened: mine/broken")
    assert any(problem.startswith("mine/broken") for problem in problems)
    assert place == EXHIBIT


def test_a_half_and_the_studios_layout_go_to_the_bench_and_run_there() -> None:
    half, studio, report, compared = visit("""
        page.bench_requested.emit(Half.FIX)
        bench = museum.show_bench()
        half = [bench.current.snippet.title, bench.current.snippet.target, bench.current.snippet.code]
        museum._show_studio()
        museum.window.studio_page.bench_requested.emit()
        tab = bench.current
        press(Qt.Key.Key_F5)
        while tab.runs.is_running:
            await asyncio.sleep(0.02)
        shown = tab.view.readings.chosen
        press(Qt.Key.Key_B, CTRL, SHIFT)
        await museum.workshop.sharing._errands.settled()
        report = dialog()._text.toPlainText()
        dialog().close()
        museum.window.activateWindow()
        await turn()
        press(Qt.Key.Key_R, CTRL, SHIFT)
        compared = dialog()._title.text()
        dialog().close()
        ran = [tab.snippet.title, tab.snippet.target, museum.window.shows_bench, shown.verdict, shown.stdout]
        answer = [half, ran, report, compared]
    """)
    assert half[:2] == ["unknown-axis fix", "cpu:8"]
    assert half[2] == (collection_root() / EXHIBIT / "fix.py").read_text()
    assert studio[:4] == ["Layout", "cpu:8", True, "✓ Runs to its end"]
    assert "x" in studio[4]
    assert "### What happens" in report
    assert compared == "Layout"


def test_the_command_opens_an_exhibit_of_mine_and_names_one_that_is_not_there(package: Path) -> None:
    (name,) = take_in(package)
    answer = visit("answer = [museum.navigation.place, told(page.mine_bar)[1]]", place=name)
    assert answer == [name, True]
    command = [sys.executable, "-m", "gui", "--exhibit", "mine/nowhere"]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (2, "")
    said = [line for line in ended.stderr.splitlines() if "plugin does not" not in line]
    assert len(said) == 1
    assert said[0].startswith("xla-museum: no exhibit mine/nowhere")

"""A tour of the whole museum by real events, to its sudden end, and what is there afterwards."""

import json
from pathlib import Path

from visitor import visit, visit_that_is_killed

FIRST = "xla/indivisible-dimension"
SECOND = "xla/unknown-axis"
TOUR = """
    window, told = museum.window, {}

    # The first page of a first visit: one key runs an exhibit.
    told["welcome"] = window.welcome_page.isVisible()
    press(Qt.Key.Key_Return)
    await turn()
    await ran()
    told["first"] = [museum.navigation.place, page.readings.chosen.verdict]

    # To another exhibit, by words.
    press(Qt.Key.Key_K, CTRL)
    QTest.keyClicks(window.focusWidget(), "unknown axis spec")
    await museum.search._building
    press(Qt.Key.Key_Return)
    await turn()
    told["found"] = museum.navigation.place

    # Edit and run.
    editor = page.halves[Half.FAILING].editor
    editor.setFocus()
    press(Qt.Key.Key_Home, CTRL)
    QTest.keyClicks(editor, "# mine")
    press(Qt.Key.Key_Return)
    press(Qt.Key.Key_F5)
    await turn()
    await ran()
    told["edited"] = [page.readings.chosen.verdict, page.readings.chosen.error]

    # On two versions.
    press(Qt.Key.Key_R, CTRL, SHIFT)
    shown = dialog()
    QTest.mouseClick(shown._compare, Qt.MouseButton.LeftButton)
    await museum.workshop.comparing.running
    table = shown._table
    told["compared"] = [table.item(row, 1).text().split()[:2] for row in range(table.rowCount())]
    shown.close()
    window.activateWindow()
    await turn()

    # As a bug report.
    press(Qt.Key.Key_B, CTRL, SHIFT)
    await museum.workshop.sharing._errands.settled()
    dialog()._copy()
    told["report"] = QApplication.clipboard().text()
    dialog().close()
    window.activateWindow()
    await turn()

    # A snippet on the bench that fails is explained without asking.
    press(Qt.Key.Key_3, CTRL)
    await turn()
    bench = museum.show_bench()
    bench.current.view.editor.setFocus()
    press(Qt.Key.Key_A, CTRL)
    QTest.keyClicks(bench.current.view.editor, SNIPPET)
    press(Qt.Key.Key_F5)
    await turn()
    while bench.current.runs.is_running:
        await asyncio.sleep(0.02)
    for _ in range(1500):
        finding = bench.current._readings[0].finding
        if finding and finding.exhibit:
            break
        await asyncio.sleep(0.02)
    told["explained"] = [bench.current.snippet.code, bench.current._readings[0].error, finding and finding.exhibit]
    print(json.dumps(told), flush=True)
    import time
    time.sleep(0.2)  # as long as a draft may take to the disk; the event loop stands still
"""
SNIPPET = (
    "import jax; mesh = jax.sharding.Mesh(jax.devices(), 'x'); "
    "jax.device_put(jax.numpy.ones(10), jax.NamedSharding(mesh, jax.P('x')))"
)


def test_a_tour_of_everything_survives_its_sudden_end(museum_home: Path) -> None:
    told = json.loads(visit_that_is_killed(f"SNIPPET = {SNIPPET!r}\n" + TOUR.replace("\n    ", "\n"))[-1])
    assert told["welcome"]
    assert told["first"] == [FIRST, told["first"][1]]
    assert told["first"][1].startswith("✓ Reproduces")
    assert told["found"] == SECOND
    assert "ValueError" in told["edited"][1]
    assert told["compared"] == [["F", "1"], ["F", "1"]]  # the same answer
    assert "# mine" in told["report"]
    assert str(museum_home) not in told["report"]
    code, error, exhibit = told["explained"]
    assert (code, exhibit) == (SNIPPET, FIRST)
    assert error

    code, tab, place, runs = visit(
        """
        museum.show_bench()
        editor = page.halves[Half.FAILING].editor
        bench = museum.show_bench().current
        runs = [one.place for one in museum.history.runs.find()]
        answer = [editor.toPlainText(), bench.snippet.code, museum.navigation.place, runs]
    """,
        "--exhibit",
        SECOND,
    )
    assert code.startswith("# mine\n")
    assert tab == SNIPPET
    assert place == SECOND
    assert runs == ["bench: Snippet 1", f"{SECOND} failing", f"{FIRST} failing"]  # each once, the last one first

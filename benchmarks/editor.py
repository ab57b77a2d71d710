"""The code editor at 2,000 lines: how long a key takes, from the event to the painted frame.

    uv run --no-sync python benchmarks/editor.py [--keys 60] [--json]

A key counts with all that follows from it in the same turn: colouring, marks, brackets, the draft on disk, and the
repaint. The bound is 8 ms at the median; the worst tells of pauses, and the processor's time of what a machine that is
busy with something else adds.
"""

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

from gui.theme import Theme
from gui.widgets.code_editor import Asked, CodeEditor
from gui.widgets.find_bar import FindBar
from museum.bench.snippet import Snippet, SnippetStore
from museum.history import History

LINES, BOUND = 2000, 8.0
BODY = (
    "def step_{n}(state, batch, *, scale=1.0):\n"
    '    """Docs of {n}."""\n'
    '    y = jnp.einsum("bi,ij->bj", batch, state["w"])\n'
    "    return (y * scale).sum()  # a comment, with (brackets)\n\n"
)
Row = dict[str, object]


def timed(what: str, keys: int, press: Callable[[], object]) -> Row:
    """Milliseconds of a key until it is painted."""
    times, busy = [], []
    for _ in range(keys):
        begun, busy_before = time.perf_counter(), time.thread_time()
        press()
        QApplication.processEvents()
        times.append((time.perf_counter() - begun) * 1000)
        busy.append((time.thread_time() - busy_before) * 1000)
    figures = {"median_ms": statistics.median(times), "least_ms": min(times), "most_ms": max(times)}
    figures["median_cpu_ms"] = statistics.median(busy)
    return {"what": what, "bound_ms": BOUND, **figures}


def caret_at(editor: CodeEditor, line: int) -> None:
    """Put the caret at the end of a line."""
    cursor = QTextCursor(editor.document().findBlockByNumber(line - 1))
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock)
    editor.setTextCursor(cursor)


def measure(keys: int) -> list[Row]:
    """All rows."""
    application = QApplication.instance() or QApplication([])
    theme = Theme(dark=False)
    theme.apply(application)
    room = QWidget()
    editor = CodeEditor(theme.editor_colours("failing"), theme.syntax_colours())
    editor.set_point_size(theme.sizes.code)
    bar = FindBar(editor)
    layout = QVBoxLayout(room)
    layout.addWidget(editor)
    layout.addWidget(bar)
    room.resize(1280, 800)
    editor.set_text("".join(BODY.format(n=n) for n in range(LINES // 5)))
    with tempfile.TemporaryDirectory() as home:
        history = History(Path(home) / "history.sqlite")
        store = SnippetStore(history)
        editor.text_edited.connect(lambda text: store.keep(Snippet(id="a", title="a", code=text)))
        settled: list[bool] = []
        editor.coloured.connect(lambda: settled.append(True))
        room.show()
        while not settled:
            application.processEvents()
        editor.setFocus()
        rows = []
        for name, line in (("top", 1), ("middle", LINES // 2), ("end", LINES)):
            caret_at(editor, line)
            rows.append(timed(f"letter at the {name}", keys, lambda: QTest.keyClick(editor, Qt.Key.Key_X)))
        caret_at(editor, LINES // 2)
        rows.append(timed("Return in the middle", keys, lambda: QTest.keyClick(editor, Qt.Key.Key_Return)))
        rows.append(timed("bracket without a partner", keys, lambda: QTest.keyClick(editor, Qt.Key.Key_ParenLeft)))
        rows.append(timed("quote that opens a string", 9, lambda: QTest.keyClick(editor, Qt.Key.Key_QuoteDbl)))
        rows.append(timed("Down", keys, lambda: QTest.keyClick(editor, Qt.Key.Key_Down)))
        editor.setPlainText(editor.toPlainText())
        bar.open(Asked.FIND)
        rows.append(
            timed("letter into the search", 6, lambda: QTest.keyClick(bar.findChildren(QLineEdit)[0], Qt.Key.Key_E))
        )
        history.close()
    room.close()
    return rows


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keys", type=int, default=60)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows = measure(arguments.keys)
    if arguments.json:
        print(json.dumps({"lines": LINES, "rows": rows}, indent=2))
        return
    for row in rows:
        print(
            f"{row['what']:30} {row['median_ms']:6.2f} ms  (least {row['least_ms']:.2f}, most {row['most_ms']:.2f}, "
            f"processor {row['median_cpu_ms']:.2f})"
        )


if __name__ == "__main__":
    main()

"""The code editor at 2,000 lines: how much of the processor's time a key takes, from the event to the painted frame.

    uv run --no-sync python benchmarks/editor.py [--keys 40] [--json]

A key is pressed in the open window, on the bench and in an exhibit's half, and counts with all that follows from it in
the same turn: colouring, marks, brackets, the draft, the repaint. What a key leaves to later turns is measured as the
longest of these. It is the event loop's thread whose time counts, so that a machine that is busy with something else
adds nothing.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterator

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from window import opened

from gui.app import Museum
from gui.widgets.code_editor import CodeEditor
from museum.exhibit import Half

LINES, KEY, PASTE = 2000, 8.0, 50.0
QUIET = 0.3  # seconds after the last key, in which later turns are watched
BODY = (
    "def step_{n}(state, batch, *, scale=1.0):\n"
    '    """Docs of {n}."""\n'
    '    y = jnp.einsum("bi,ij->bj", batch, state["w"])\n'
    "    return (y * scale).sum()  # a comment, with (brackets)\n\n"
)
PLAIN = "".join(BODY.format(n=n) for n in range(LINES // 5))
MIDDLE = PLAIN.splitlines(keepends=True)
FILES = {
    "plain": PLAIN,
    "open triple quote": '"""\n' + PLAIN.replace('"""', "'"),
    "5,000-character line": "".join((*MIDDLE[: LINES // 2], f"x = [{'1, ' * 1_666}]\n", *MIDDLE[LINES // 2 :])),
}
CONTROL = Qt.KeyboardModifier.ControlModifier
Row = dict[str, object]


class Bench:
    """The window with an editor in it, and hands."""

    def __init__(self, museum: Museum, editor: CodeEditor, where: str, keys: int) -> None:
        self.museum, self.editor, self.where, self.keys = museum, editor, where, keys
        self._is_coloured = False
        editor.coloured.connect(lambda: self._mark_coloured(True))
        editor.textChanged.connect(lambda: self._mark_coloured(False))

    def _mark_coloured(self, coloured: bool) -> None:
        self._is_coloured = coloured

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """One key."""
        QTest.keyClick(self.editor, key, modifier)

    def settle(self) -> float:
        """Let everything that was left to later turns happen; milliseconds of the longest of these turns."""
        longest, until = 0.0, time.monotonic() + QUIET
        while time.monotonic() < until or not self._is_coloured:
            begun = time.thread_time()
            QApplication.processEvents()
            longest = max(longest, time.thread_time() - begun)
            time.sleep(0.001)
        return longest * 1000

    def row(
        self, what: str, press: Callable[[], object], keys: int = 0, bound: float = KEY, *, apart: bool = False
    ) -> Row:
        """Milliseconds of a key until it is painted.

        Args:
            what: For the table.
            press: The key.
            keys: How often; as often as usual by default.
            bound: Milliseconds.
            apart: Whether what one key leaves to later turns is done before the next one.
        """
        busy = []
        for _ in range(keys or self.keys):
            if apart:
                self.settle()
            begun = time.thread_time()
            press()
            QApplication.processEvents()
            busy.append((time.thread_time() - begun) * 1000)
        figures = {"median_ms": statistics.median(busy), "most_ms": max(busy), "later_ms": self.settle()}
        return {"where": self.where, "what": what, "bound_ms": bound, **figures}

    def caret(self, line: int) -> None:
        """Put the caret at the end of a line."""
        cursor = QTextCursor(self.editor.document().findBlockByNumber(line - 1))
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock)
        self.editor.setTextCursor(cursor)
        self.settle()

    def select(self, line: int, lines: int) -> None:
        """Select whole lines."""
        cursor = QTextCursor(self.editor.document().findBlockByNumber(line - 1))
        cursor.movePosition(QTextCursor.MoveOperation.NextBlock, QTextCursor.MoveMode.KeepAnchor, lines)
        self.editor.setTextCursor(cursor)
        self.settle()

    def rows(self) -> Iterator[Row]:
        """Each kind of key."""
        yield from self.letters()
        self.caret(LINES // 2)
        yield self.row("Return", lambda: self.press(Qt.Key.Key_Return))
        yield self.row("Delete back", lambda: self.press(Qt.Key.Key_Backspace))
        yield self.row("bracket", lambda: self.press(Qt.Key.Key_ParenLeft))
        yield self.row("quote", lambda: self.press(Qt.Key.Key_QuoteDbl), 9)
        for _ in range(self.keys):  # steps to undo, each of its own
            self.press(Qt.Key.Key_X)
            self.press(Qt.Key.Key_Down)
        self.settle()
        yield self.row("undo", lambda: self.press(Qt.Key.Key_Z, CONTROL))
        yield self.row("Down", lambda: self.press(Qt.Key.Key_Down))
        self.select(300, 500)
        yield self.row("comment 500 lines", lambda: self.press(Qt.Key.Key_Slash, CONTROL), 8, apart=True)
        QGuiApplication.clipboard().setText("".join(MIDDLE[:200]))
        self.caret(LINES // 2)
        yield self.row("paste 200 lines", lambda: self.press(Qt.Key.Key_V, CONTROL), 5, PASTE, apart=True)
        yield self.row("undo a paste", lambda: self.press(Qt.Key.Key_Z, CONTROL), 5, PASTE, apart=True)

    def letters(self) -> Iterator[Row]:
        """Letters here and there."""
        for name, line in (("top", 3), ("middle", LINES // 2), ("long", LINES // 2 + 1), ("end", LINES)):
            self.caret(line)
            yield self.row(f"letter, {name}", lambda: self.press(Qt.Key.Key_X))


def measure(museum: Museum, keys: int) -> list[Row]:
    """All rows; outside of any task, so that others go on while events are handled in here."""
    while not museum.exhibits.runs.environments:
        QApplication.processEvents()
    museum.window.activateWindow()
    rows: list[Row] = []
    bench = museum.show_bench()
    for name, text in FILES.items():
        bench.open_text("", text)
        room = Bench(museum, bench.current.view.editor, f"bench, {name}", keys)
        room.settle()
        rows += room.rows()
        bench.close_current()
    bench.open_text("", PLAIN)
    room = Bench(museum, bench.current.view.editor, "bench, find", keys)
    room.press(Qt.Key.Key_F, CONTROL)
    field = next(one for one in bench.current.view.findChildren(QLineEdit) if one.accessibleName() == "Find")
    rows.append(room.row("letter into the search", lambda: QTest.keyClick(field, Qt.Key.Key_E), 6))
    museum.window.show_exhibits()
    page = museum.window.exhibit_page
    museum.exhibits.bring_back(Half.FAILING, PLAIN)
    museum.exhibits.bring_back(Half.FIX, PLAIN.replace("scale", "factor"))
    editor = page.halves[Half.FAILING].editor
    room = Bench(museum, editor, "exhibit", keys)
    editor.setFocus()
    room.settle()
    rows += room.rows()
    return rows


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keys", type=int, default=40)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows: list[Row] = []
    with opened("xla/unknown-axis") as room:

        def visit() -> None:
            try:
                rows.extend(measure(room.museum, arguments.keys))
            finally:
                room.museum.window.close()

        QTimer.singleShot(0, visit)
        room.loop.run_until_complete(room.museum.stay())
    if arguments.json:
        print(json.dumps({"lines": LINES, "rows": rows}))
        return
    for row in rows:
        bad = " <--" if row["median_ms"] > row["bound_ms"] else ""
        print(
            f"{row['where']:28} {row['what']:22} {row['median_ms']:7.2f} ms (most {row['most_ms']:.2f}; "
            f"later {row['later_ms']:.2f}){bad}"
        )


if __name__ == "__main__":
    main()

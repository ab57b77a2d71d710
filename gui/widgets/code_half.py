"""One half of an exhibit: its name, its code, and what can be done with it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.theme import Theme
from gui.widgets.code_editor import CodeEditor
from gui.widgets.find_bar import FindBar
from gui.widgets.labels import RoleLabel, button, menu_button
from gui.widgets.mark_line import MarkLine
from museum.exhibit import Half

KEYS = {Half.FAILING: "F5", Half.FIX: "F6"}


class CodeHalf(QWidget):
    """The failing code or the fix, editable.

    Args:
        half: Which one.
        theme: Colours and sizes.
        parent: The widget that it is a part of.

    Signals:
        text_edited: The visitor changed the code; carries all of it.
        run_requested: Run what stands here.
        reset_requested: Bring the original back.
        bench_requested: Put a copy of it on the bench.
        compare_requested: Run it on other versions and targets.
        zoom_requested: Larger or smaller type, by this many steps.
        caret_moved: The caret is somewhere else; the page must keep it in sight.
    """

    text_edited = Signal(str)
    run_requested = Signal()
    reset_requested = Signal()
    bench_requested = Signal()
    compare_requested = Signal()
    zoom_requested = Signal(int)
    caret_moved = Signal()

    def __init__(self, half: Half, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._half = half
        self._running = self._refused = False
        name = RoleLabel("heading", "Failing" if half is Half.FAILING else "Fix")
        name.setWordWrap(False)
        self._state = RoleLabel("faint")
        self._state.setWordWrap(False)
        words = "failing" if half is Half.FAILING else "fix"
        self._reset = button(
            "Reset", self.reset_requested.emit, role="quiet", tip="Bring the original back (can be undone)"
        )
        self._run = button(f"Run {words}", self.run_requested.emit, role="main", tip=f"Run this code ({KEYS[half]})")
        entries = {
            "Open on the bench": self.bench_requested.emit,
            "Compare on other versions…": self.compare_requested.emit,
        }
        self._use = menu_button("Use", f"Use the code of the {words} elsewhere", entries, role="quiet-menu")
        self.editor = CodeEditor(theme.editor_colours(half), theme.syntax_colours())
        self.editor.setAccessibleName(f"Code of the {words}")
        self.editor.set_fit_content(True)
        self.editor.text_edited.connect(self.text_edited)
        self.editor.cursorPositionChanged.connect(self.caret_moved)
        self.editor.zoom_requested.connect(self.zoom_requested)
        self.find_bar = FindBar(self.editor)
        top = QHBoxLayout()
        top.addWidget(name)
        top.addWidget(self._state)
        top.addStretch(1)
        top.addWidget(self._reset)
        top.addWidget(self._use)
        top.addWidget(self._run)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.sizes.space // 2)
        layout.addLayout(top)
        layout.addWidget(self.editor)
        layout.addWidget(MarkLine(self.editor))
        layout.addWidget(self.find_bar)
        layout.addStretch(1)
        self.set_theme(theme)
        self.set_edited(edited=False)

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        self.editor.set_colours(theme.editor_colours(self._half), theme.syntax_colours())
        self.editor.setFont(theme.code_font())

    def set_edited(self, *, edited: bool) -> None:
        """Say whether the code differs from the original."""
        self._state.say("edited" if edited else "")
        self._reset.setVisible(edited)

    def set_running(self, *, running: bool) -> None:
        """While something runs, nothing else is started."""
        self._running = running
        self._run.setEnabled(not (self._running or self._refused))

    def set_refused(self, *, refused: bool) -> None:
        """What the visitor did not agree to is read: neither run, nor changed, nor taken elsewhere by a button."""
        self._refused = refused
        self._use.setEnabled(not refused)
        self.editor.setReadOnly(refused)
        self.set_running(running=self._running)

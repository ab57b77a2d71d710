"""The first page of a first visit: what this is, one press to the first exhibit, and the ways on."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from gui.theme import Theme
from gui.widgets.labels import RoleLabel, button

MEASURE = 68  # in units of space

WHAT = (
    "This museum shows the errors that JAX users meet where their sharding meets the compiler.",
    (
        "Each exhibit is code that fails beside code that works, with the error word for word and what it means. "
        "Both were run, on the JAX versions named there; an error that only others have seen is marked so."
    ),
    (
        "Run either half again here, on fake devices: no accelerator is needed. Change it as you like; what you write "
        "is kept, and the original comes back when you want it."
    ),
)
WAYS = (
    ("search", "Search the exhibits", "by words, by wing, by what happens; slips are forgiven", "Ctrl+K"),
    ("show-diagnosis", "Paste an error", "which exhibit explains it, and where JAX raises it", "Ctrl+4"),
    ("show-studio", "Draw a mesh", "who holds which slice of an array, and what goes wrong", "Ctrl+2"),
    ("show-bench", "Try a snippet of your own", "on any JAX version at hand", "Ctrl+3"),
    ("first-wing", "Walk through the wings", "from the first one on", ""),
)


class WelcomePage(QScrollArea):
    """Says little, and offers the ways in.

    Args:
        theme: Colours and sizes.
        parent: The widget that it is a part of.

    Signals:
        run_requested: Open the first exhibit and run it.
        way_requested: Another way in; carries its name.
    """

    run_requested = Signal()
    way_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Welcome")
        self._run = button("Run your first exhibit", self.run_requested.emit, role="big")
        self._run.setDefault(True)
        self._about = RoleLabel("faint")
        self._environments = RoleLabel("faint")
        self._make = button("Make an environment…", lambda: self.way_requested.emit("environments"), role="main")
        self._make.hide()
        self._body = QWidget()
        body = QWidget()
        body.setObjectName("page")
        beside = QHBoxLayout(body)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.addWidget(self._body, 1)
        beside.addStretch(0)
        self._column = QVBoxLayout(self._body)
        self._column.addWidget(RoleLabel("title", "Welcome to XLA Museum"))
        self._gaps: list[QWidget] = []
        for text in WHAT:
            self._column.addWidget(RoleLabel("text", text))
        start = QHBoxLayout()
        start.addWidget(self._run)
        start.addStretch(1)
        self._add_gap()
        self._column.addLayout(start)
        self._column.addWidget(self._about)
        self._add_gap()
        self._column.addWidget(RoleLabel("heading", "Or begin elsewhere"))
        self._column.addLayout(self._ways())
        self._add_gap()
        self._column.addWidget(RoleLabel("heading", "Where code runs"))
        self._column.addWidget(self._environments)
        make = QHBoxLayout()
        make.addWidget(self._make)
        make.addStretch(1)
        self._column.addLayout(make)
        self._column.addStretch(1)
        self.setWidget(body)
        self.set_theme(theme)

    def _add_gap(self) -> None:
        gap = QWidget()
        self._gaps.append(gap)
        self._column.addWidget(gap)

    def _ways(self) -> QGridLayout:
        self._grid = grid = QGridLayout()
        for row, (name, words, aside, keys) in enumerate(WAYS):
            made = button(words, partial(self.way_requested.emit, name), role="link", tip=keys)
            told = RoleLabel("faint", f"{aside}   {keys}" if keys else aside)
            grid.addWidget(made, row, 0, Qt.AlignmentFlag.AlignLeft)
            grid.addWidget(told, row, 1)
        grid.setColumnStretch(1, 1)
        return grid

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        space = theme.sizes.space
        self._column.setContentsMargins(space * 3, space * 5, space * 3, space * 6)
        self._column.setSpacing(space)
        self._grid.setHorizontalSpacing(space * 2)
        self._grid.setVerticalSpacing(space // 2)
        self._body.setMaximumWidth(space * (MEASURE + 6))
        for gap in self._gaps:
            gap.setFixedHeight(space)

    def take_focus(self) -> None:
        """Return begins the visit."""
        self._run.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_first(self, title: str) -> None:
        """Say which exhibit comes first; "" where there is none."""
        self._run.setVisible(bool(title))
        self._about.say(f"“{title}”: it fails here, as it should." if title else "")

    def show_environments(self, found: Sequence[str] | None) -> None:
        """Say where code can run.

        Args:
            found: Each in words; None while they are looked for.
        """
        self._make.setVisible(found is not None and not found)
        self._run.setEnabled(found is None or bool(found))
        if found is None:
            self._environments.setText("Looking for Pythons with JAX on this machine …")
        elif found:
            self._environments.setText(f"Found on this machine: {'; '.join(found)}.")
        else:
            words = "There is no Python with JAX here yet. The museum can build one for itself, in a minute or two."
            self._environments.setText(words)

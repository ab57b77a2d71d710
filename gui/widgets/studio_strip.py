"""The strip below the studio's pictures: what is pointed at, what is wrong, how the mesh lies on the machine."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from gui.widgets.labels import RoleLabel, button
from gui.widgets.studio_view import StudioView

HINT = "Point at a device or a slice to see what it holds; click to keep it. Wheel or + and - zoom, drag pans."
MOST_SHAPES = 6  # of those that would work
LINES = 8.4  # in sight
TALLEST = 200  # pixels, however large the type


class StudioStrip(QScrollArea):
    """Three columns of words.

    Signals:
        order_requested: Ask JAX how it lays the mesh out.
        shape_chosen: A logical shape that the machine takes.
    """

    order_requested = Signal()
    shape_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._facts = RoleLabel("faint", HINT)
        self._facts.setAccessibleName("What is pointed at")
        self._problems = RoleLabel("bad")
        self._problems.setAccessibleName("Problems")
        self._checked = RoleLabel("faint")
        self._checked.setAccessibleName("Check with JAX")
        self._machine = RoleLabel("faint")
        self._machine.setAccessibleName("How the mesh lies on the machine")
        self._shapes = QWidget()
        self._shapes_layout = QHBoxLayout(self._shapes)
        self._shapes_layout.setContentsMargins(0, 0, 0, 0)
        self._shapes_layout.setSpacing(4)
        self._order = button(
            "Lay out as JAX does", self.order_requested.emit, tip="Ask JAX for the device order, and count the hops"
        )
        self._order.setProperty("role", "small")
        body = QWidget()
        row = QHBoxLayout(body)
        row.setContentsMargins(14, 6, 14, 6)
        row.setSpacing(18)
        machine = QVBoxLayout()
        machine.setSpacing(4)
        below = QHBoxLayout()
        below.setSpacing(4)
        below.addWidget(self._order)
        below.addStretch(1)
        machine.addLayout(below)
        for part in (self._shapes, self._machine):
            machine.addWidget(part)
        machine.addStretch(1)
        problems = QVBoxLayout()
        problems.setSpacing(4)
        problems.addWidget(self._problems)
        problems.addWidget(self._checked)
        problems.addStretch(1)
        facts = QVBoxLayout()
        facts.addWidget(self._facts)
        facts.addStretch(1)
        for column, share in ((facts, 5), (problems, 4), (machine, 6)):
            row.addLayout(column, share)
        self.setObjectName("studioStrip")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(body)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def fit_height(self) -> None:
        """A few lines high, in the font as it is now."""
        self.setFixedHeight(min(round(LINES * self._facts.fontMetrics().lineSpacing()) + 12, TALLEST))

    def say_facts(self, words: str) -> None:
        """About what is pointed at."""
        self._facts.setText(words)

    def say_check(self, words: str, role: str) -> None:
        """How the check with JAX stands."""
        self._checked.say(words, role)

    def set_busy(self, *, busy: bool) -> None:
        """While JAX is asked, nothing else is asked of it."""
        self._order.setEnabled(not busy)

    def show_view(self, view: StudioView) -> None:
        """What is wrong with a document, and how its mesh lies on the machine."""
        problems = "\n".join(f"✗ {problem}" for problem in view.problems)
        self._problems.say(problems or ("Arrays: no problems." if view.rows else ""), "bad" if problems else "faint")
        self._machine.say("\n".join(view.machine), "bad" if view.shapes else "faint")
        self._show_shapes(view.shapes)
        self._order.setVisible(view.can_order)

    def _show_shapes(self, shapes: Sequence[tuple[int, ...]]) -> None:
        while (item := self._shapes_layout.takeAt(0)) is not None:
            old = item.widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        for shape in shapes[:MOST_SHAPES]:
            text = " x ".join(map(str, shape))
            take = button(text, partial(self.shape_chosen.emit, shape), name=f"Take the shape {text}")
            take.setProperty("role", "small")
            self._shapes_layout.addWidget(take)
        self._shapes_layout.addStretch(1)
        self._shapes.setVisible(bool(shapes))

"""The panel beside the page: a mesh, one of its arrays, and in words what is pointed at."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QScrollArea, QVBoxLayout, QWidget

from gui.theme import Theme
from gui.widgets.labels import RoleLabel, button, name_choices
from gui.widgets.mesh_view import ArraySheet, Lit, MeshSheet, drawings
from museum.mesh.document import StudioDocument
from museum.mesh.layout import ShardLayout
from museum.mesh.mesh import Mesh


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing to draw.

    Attributes:
        name: In the list of subjects: a variable, or what the script asks for.
        facts: One line below the name: shape, dtype, spec, memory kind.
        drawn: A layout, or a mesh alone; None when there is nothing to draw.
        document: The same for the studio; None where it has no spec to draw by.
    """

    name: str
    facts: str
    drawn: ShardLayout | Mesh | None
    document: StudioDocument | None = None


class MeshPanel(QScrollArea):
    """Draws the subjects of an exhibit or of a run, one at a time.

    Args:
        theme: Colours and sizes.
        parent: The widget that it is a part of.

    Signals:
        studio_requested: Go on by hand from what is drawn; carries a `StudioDocument`.
    """

    studio_requested = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._subjects: Sequence[Subject] = ()
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        # Always there: pictures beside a bar are less tall, so they would fit, hide it, grow, and so on without end.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(lambda least, most: bar.setEnabled(least != most))
        self.setAccessibleName("Mesh panel")
        self._origin = RoleLabel("overline")
        self._origin.setWordWrap(True)
        self._choice = QComboBox()
        name_choices(self._choice, "Mesh or array to draw")
        self._choice.currentIndexChanged.connect(self._show_subject)
        self._choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._title = RoleLabel("heading", "Mesh")
        self._facts = RoleLabel("faint")
        self._mesh = MeshSheet(theme)
        self._array = ArraySheet(theme)
        self._caption = RoleLabel("faint")
        self._problems = RoleLabel("bad")
        self._words = RoleLabel("faint")
        self._studio = button(
            "Open in studio", self._ask_for_studio, role="quiet", tip="Go on by hand from this layout"
        )
        self._empty = RoleLabel(
            "faint", "No mesh yet. Run a half: the meshes and arrays in its variables are drawn here."
        )
        body = QWidget()
        body.setObjectName("meshPanel")
        layout = QVBoxLayout(body)
        space = theme.sizes.space
        layout.setContentsMargins(space * 2, space * 2, space * 2, space * 2)
        layout.setSpacing(space)
        above = (self._title, self._origin, self._choice, self._facts, self._empty, self._mesh)
        below = (self._array, self._caption, self._problems, self._words, self._studio)
        for part in (*above, *below):
            if part is self._array:
                layout.addSpacing(space)
            layout.addWidget(part)
        layout.addStretch(1)
        self.setWidget(body)
        for sheet in (self._mesh, self._array):
            sheet.pointed.connect(self._point_at)
        self.set_theme(theme)
        self.show_subjects((), "")

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        self._theme = theme
        self.setMinimumWidth(theme.sizes.space * 19)
        for sheet in (self._mesh, self._array):
            sheet.theme = theme
            sheet.updateGeometry()
            sheet.update()

    def show_subjects(self, subjects: Sequence[Subject], origin: str, chosen: int = 0) -> None:
        """Offer these to be drawn.

        Args:
            subjects: May be empty.
            origin: Where they come from: what the script asks for, or a run.
            chosen: Number of the one to draw first.
        """
        self._subjects = subjects
        self._origin.say(origin)
        self._choice.blockSignals(True)
        self._choice.clear()
        self._choice.addItems([subject.name for subject in subjects])
        self._choice.setCurrentIndex(chosen if subjects else -1)
        self._choice.blockSignals(False)
        self._choice.setVisible(len(subjects) > 1)
        self._empty.setVisible(not subjects)
        self._show_subject()

    def _ask_for_studio(self) -> None:
        subject = self._subject()
        if subject is not None and subject.document is not None:
            self.studio_requested.emit(subject.document)

    def _subject(self) -> Subject | None:
        number = self._choice.currentIndex()
        return self._subjects[number] if 0 <= number < len(self._subjects) else None

    def _show_subject(self) -> None:
        subject = self._subject()
        drawn = subject.drawn if subject else None
        mesh, array = drawings(drawn)
        self._title.say(f"Mesh {mesh_of(drawn)}" if drawn else "Mesh")
        self._facts.say(subject.facts if subject else "")
        self._studio.setVisible(subject is not None and subject.document is not None)
        self._mesh.set_drawing(mesh)
        self._array.set_drawing(array)
        self._caption.say(array.caption if array else "")
        problems = drawn.problems if isinstance(drawn, ShardLayout) else ()
        self._problems.say("\n".join(f"✗ {problem.text}" for problem in problems))
        self._point_at(Lit())

    def _point_at(self, lit: Lit) -> None:
        self._mesh.set_lit(lit)
        subject = self._subject()
        drawn = subject.drawn if subject else None
        if drawn is None:
            self._words.say("")
            return
        if lit.chosen is None:
            self._array.set_lit(lit)
            self._words.say("Point at a device or a shard to see what it holds.")
            return
        self._array.set_lit(lit)
        self._words.say(words_about(drawn, lit))


def mesh_of(drawn: ShardLayout | Mesh) -> str:
    """The mesh's axes, ``data=4 model=2``."""
    mesh = drawn if isinstance(drawn, Mesh) else drawn.mesh
    return " ".join(f"{axis.name}={axis.size}" for axis in mesh.axes)


def words_about(drawn: ShardLayout | Mesh, lit: Lit) -> str:
    """What is known of a device, in a few lines: place in the mesh, what it holds, who holds the same."""
    mesh = drawn if isinstance(drawn, Mesh) else drawn.mesh
    if lit.chosen is None:
        return ""
    place = ", ".join(
        f"{axis.name}={index}" for axis, index in zip(mesh.axes, mesh.coordinates(lit.chosen), strict=True)
    )
    lines = [f"device {lit.chosen} at {place}"] if place else [f"device {lit.chosen}"]
    if isinstance(drawn, ShardLayout) and lit.chosen in drawn.slices:
        held = ", ".join(f"{start}:{stop}" for start, stop in drawn.slices[lit.chosen])
        lines.append(f"holds [{held}]" if held else "holds the scalar")
        same = [device for device, slices in drawn.slices.items() if slices == drawn.slices[lit.chosen]]
        others = [str(device) for device in same if device != lit.chosen]
        if others:
            lines.append(f"the same as device{'s' if len(others) > 1 else ''} {', '.join(others)}")
    return "\n".join(lines)

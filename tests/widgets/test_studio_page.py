"""The studio as a visitor has it: the real page with its controller, by mouse and by keys."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFileDialog,
    QFrame,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QTableWidget,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gui.controllers.studio import FIRST, StudioController
from gui.theme import Theme
from gui.widgets.dimension_board import AxisChip
from gui.widgets.mesh_view import Lit
from gui.widgets.studio_page import StudioPage
from gui.widgets.studio_strip import HINT
from gui.widgets.studio_view import Exported
from museum.mesh.document import StudioArray, StudioDocument
from museum.mesh.presets import document_for
from museum.mesh.spec import Spec

# WORKAROUND: PySide6 6.12 calls the one constructor that 6.11 has deprecated.
pytestmark = pytest.mark.filterwarnings("ignore:Function. 'Q(DragEnter|DragMove|Drop)Event:DeprecationWarning")


class Studio:
    def __init__(self, page: StudioPage, controller: StudioController, qtbot: QtBot) -> None:
        self.page, self.controller, self.qtbot = page, controller, qtbot

    @property
    def document(self) -> StudioDocument:
        return self.controller.document

    @property
    def spec(self) -> str:
        return str(self.document.arrays[0].spec)

    def named(self, name: str, kind: type = QWidget):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # what an edit replaced is gone
        (found,) = [part for part in self.page.findChildren(kind) if part.accessibleName() == name]
        return found

    def field(self, name: str) -> QLineEdit:
        return self.named(name, QLineEdit)

    def press(self, name: str) -> None:
        self.qtbot.mouseClick(self.named(name, QAbstractButton), Qt.MouseButton.LeftButton)

    def type_into(self, name: str, text: str) -> QLineEdit:
        field = self.field(name)
        field.setFocus()
        field.selectAll()
        self.qtbot.keyClicks(field, text)
        return field

    def chips(self, dimension: int | None) -> list[AxisChip]:
        QApplication.processEvents()
        return [one for one in self.page.findChildren(AxisChip) if one.dimension == dimension and one.isVisible()]

    def row(self, name: str) -> QFrame:
        (row,) = [one for one in self.page.findChildren(QFrame) if one.accessibleName() == name and one.isVisible()]
        return row

    def drop(self, chip: AxisChip, row: QFrame) -> bool:
        """What a drag does, without a mouse that would hold up the test."""
        left, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        data = chip.mime()
        enter = QDragEnterEvent(QPoint(5, 5), Qt.DropAction.MoveAction, data, left, keys)
        enter.ignore()  # as it is until someone accepts it
        QApplication.sendEvent(row, enter)
        if enter.isAccepted():
            QApplication.sendEvent(row, QDropEvent(QPointF(5, 5), Qt.DropAction.MoveAction, data, left, keys))
        return enter.isAccepted()

    def said(self) -> str:
        return "\n".join(label.text() for label in self.page.findChildren(QLabel) if label.isVisible())


@pytest.fixture
def studio(qtbot: QtBot, theme: Theme, tmp_path: Path):
    page = StudioPage(theme)
    qtbot.addWidget(page)
    page.resize(1280, 700)
    controller = StudioController(page, None, tmp_path)
    with qtbot.waitExposed(page):
        page.show()
    yield Studio(page, controller, qtbot)
    asyncio.run(controller.close())


def menu_of(button: QAbstractButton) -> QMenu:
    menu = button.menu()
    menu.aboutToShow.emit()
    return menu


def choose(button: QAbstractButton, text: str) -> None:
    (action,) = [action for action in menu_of(button).actions() if action.text() == text]
    action.trigger()


def test_mesh_shape_and_spec_are_typed_in_jax_syntax_and_the_picture_follows_each_letter(studio):
    studio.type_into("Mesh", "data=2,model=4")
    assert studio.document.mesh.command == "data=2,model=4"
    studio.type_into("Shape of the array", "(8, 32)")
    studio.type_into("Spec of the array", "P(None, ('model', 'data'))")
    assert studio.document.arrays[0].shape == (8, 32)
    assert studio.spec == "P(None, ('model', 'data'))"
    assert studio.page.array_canvas.at(studio.page.array_canvas.content().center()).devices


def test_a_field_says_what_holds_once_it_is_left_and_is_marked_while_it_is_wrong(studio):
    field = studio.type_into("Spec of the array", "P('data'")
    assert field.property("bad")
    assert "cannot be read" in studio.said()
    assert field.text() == "P('data'"  # the visitor's letters stay while they type
    studio.field("Mesh").setFocus()
    assert field.text() == "P('data', 'model')"
    assert not field.property("bad")


def test_the_command_form_becomes_the_jax_form(studio):
    field = studio.type_into("Spec of the array", "model+data,-")
    studio.field("Mesh").setFocus()
    assert field.text() == "P(('model', 'data'), None)"


def test_undo_and_redo_by_keys_work_in_a_field_and_on_the_picture(studio):
    field = studio.type_into("Mesh", "data=8")
    studio.qtbot.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (studio.document, field.text()) == (FIRST, "data=4,model=2")
    canvas = studio.page.mesh_canvas
    canvas.setFocus()
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    studio.qtbot.keyClick(canvas, Qt.Key.Key_Z, both)
    assert studio.document.mesh.command == "data=8"


def test_pointing_at_the_mesh_lights_the_slice_and_its_copies_and_says_who_they_are(studio):
    studio.type_into("Spec of the array", "P('data')")
    studio.page.mesh_canvas.pointed.emit(Lit(frozenset([5]), 5))
    assert studio.page.mesh_canvas.lit == Lit(frozenset([4, 5]), 5)
    assert studio.page.array_canvas.lit == Lit(frozenset([4, 5]), 5)
    for words in ("device 5 at data=2, model=1, host 0", "the same as device 4", "psum over data: 1, 3, 5, 7"):
        assert words in studio.said()


def test_pointing_at_the_array_lights_its_devices(studio):
    studio.type_into("Spec of the array", "P('data')")
    canvas = studio.page.array_canvas
    studio.qtbot.mouseMove(canvas, QPointF(canvas.content().center().x(), canvas.content().top() + 8).toPoint())
    assert studio.page.mesh_canvas.lit == Lit(frozenset([0, 1]), 0)
    canvas.leaveEvent(None)
    assert studio.page.mesh_canvas.lit == Lit()
    assert HINT in studio.said()


def test_a_click_keeps_what_is_pointed_at_until_esc(studio):
    canvas = studio.page.mesh_canvas
    canvas.setFocus()
    canvas.chosen.emit(Lit(frozenset([3]), 3))
    canvas.leaveEvent(None)
    assert "device 3 at" in studio.said()
    studio.type_into("Mesh", "data=8")
    assert "device 3 at data=3" in studio.said()
    studio.type_into("Mesh", "data=2")
    assert HINT in studio.said()


def test_an_axis_dropped_on_a_dimension_shards_it(studio):
    studio.type_into("Spec of the array", "P(None, 'model')")
    (data,) = [chip for chip in studio.chips(None) if chip.axis == "data"]
    assert studio.drop(data, studio.row("Dimension 0 of x"))
    assert studio.spec == "P('data', 'model')"


def test_an_axis_dragged_to_another_dimension_goes_there_in_one_step(studio):
    (data,) = studio.chips(0)
    assert studio.drop(data, studio.row("Dimension 1 of x"))
    assert studio.spec == "P(None, ('model', 'data'))"
    studio.controller.undo()
    assert studio.spec == "P('data', 'model')"


def test_an_axis_dragged_off_replicates_wherever_it_is_let_go(studio):
    (data,) = studio.chips(0)
    assert studio.drop(data, studio.row("Axes to drag onto a dimension"))
    assert studio.spec == "P(None, 'model')"
    (model,) = studio.chips(1)
    model.dragged_off.emit()
    assert studio.spec == "P(None, None)"


def test_what_is_no_axis_cannot_be_dropped_and_one_in_use_says_why(studio):
    (ready,) = [chip for chip in studio.chips(None) if chip.axis == "data"]
    assert not studio.drop(ready, studio.row("Axes to drag onto a dimension"))
    assert studio.drop(ready, studio.row("Dimension 1 of x"))
    assert studio.spec == "P('data', 'model')"
    assert "take it off there first" in studio.said()


def test_keys_and_buttons_shard_and_replicate_as_a_drag_does(studio):
    (data,) = studio.chips(0)
    data.setFocus()
    studio.qtbot.keyClick(data, Qt.Key.Key_Space)
    assert studio.spec == "P(None, 'model')"
    assert studio.named("Shard dimension 0", QToolButton).hasFocus()  # the keyboard stays in its row
    choose(studio.named("Shard dimension 1", QToolButton), "data=4")
    assert studio.spec == "P(None, ('model', 'data'))"


def test_a_chip_that_is_pulled_far_enough_is_dragged_and_let_go_outside_is_off(studio, monkeypatch):
    carried = []
    monkeypatch.setattr(AxisChip, "drag", lambda chip: carried.append((chip.axis, chip.dimension)))
    (data,) = studio.chips(0)
    studio.qtbot.mousePress(data, Qt.MouseButton.LeftButton, pos=QPoint(4, 4))
    studio.qtbot.mouseMove(data, QPoint(6, 5))
    assert carried == []
    from PySide6.QtGui import QMouseEvent

    left = Qt.MouseButton.LeftButton
    place, none = QPointF(60, 40), Qt.KeyboardModifier.NoModifier
    far = QMouseEvent(QMouseEvent.Type.MouseMove, place, data.mapToGlobal(place), left, left, none)
    QApplication.sendEvent(data, far)
    assert carried == [("data", 0)]
    studio.qtbot.mouseRelease(data, Qt.MouseButton.LeftButton, pos=QPoint(300, 300))
    assert studio.spec == "P('data', 'model')"  # a press that became a drag is no press


def test_axes_are_added_moved_split_merged_and_removed_by_buttons(studio):
    studio.press("Add an axis")
    assert studio.document.mesh.command == "data=4,model=2,seq=2"
    studio.press("Move the axis up")
    assert studio.document.mesh.command == "data=4,seq=2,model=2"
    studio.press("Remove the axis")
    studio.page.axes.choose("data")
    choose(studio.named("Split the axis", QPushButton), "4 = 2 x 2")
    assert studio.document.mesh.command == "data=2,data_2=2,model=2"
    assert studio.spec == "P(('data', 'data_2'), 'model')"
    studio.press("Merge the axis with the next")
    assert studio.document.mesh.command == "data=4,model=2"


def test_axes_are_edited_by_keys_in_the_table(studio):
    table = studio.named("Mesh axes", QTableWidget)
    table.setFocus()
    table.setCurrentCell(1, 0)
    studio.qtbot.keyClick(table, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert studio.document.mesh.command == "model=2,data=4"
    assert table.currentRow() == 0  # the axis is still the current one
    table.item(0, 0).setText("tensor")
    table.item(1, 1).setText("8")
    assert studio.document.mesh.command == "tensor=2,data=8"
    assert studio.spec == "P('data', 'tensor')"
    studio.qtbot.keyClick(table, Qt.Key.Key_Delete)
    assert studio.document.mesh.command == "data=8"
    studio.qtbot.keyClick(table, Qt.Key.Key_Insert)
    assert studio.document.mesh.command == "data=8,model=2"


def test_a_cell_that_is_refused_says_so_and_shows_what_holds(studio):
    table = studio.named("Mesh axes", QTableWidget)
    for row, column, text, words in (
        (0, 0, "model", "the mesh has an axis 'model' already"),
        (0, 1, "0", "an axis has at least 1 device"),
        (0, 1, "many", "is no size"),
    ):
        before = table.item(row, column).text()
        table.item(row, column).setText(text)
        assert words in studio.said()
        assert table.item(row, column).text() == before


def test_type_and_place_of_an_axis_are_chosen_from_lists(studio):
    for name, text in (("Type of axis data", "Explicit"), ("Where axis data is drawn", "columns →")):
        box = studio.named(name, QComboBox)
        box.setCurrentText(text)
        box.activated.emit(box.currentIndex())
    assert studio.document.mesh.command == "data=4:explicit,model=2"
    assert studio.document.arrangement.columns == ("data",)


def test_arrays_are_added_edited_in_their_table_and_removed(studio):
    table = studio.named("Arrays", QTableWidget)
    studio.press("Add an array")
    for column, text in enumerate(("embed", "(64, 32)", "bf16", "P('data')")):
        table.item(1, column).setText(text)
    assert studio.document.array("embed") == StudioArray("embed", (64, 32), "bfloat16", Spec.parse("data"))
    assert table.item(1, 4).text() == "1 KiB"
    table.item(1, 2).setText("float3")
    assert "is no dtype" in studio.said()
    assert table.item(1, 2).text() == "bfloat16"
    table.setCurrentCell(0, 0)
    assert studio.field("Shape of the array").text() == "16, 16"
    table.setCurrentCell(1, 0)
    studio.press("Remove the array")
    assert studio.document == FIRST


def test_what_does_not_fit_into_memory_is_told(studio):
    array = StudioArray("x", (65536, 65536), "float32", Spec())
    studio.controller.open_document(StudioDocument.of("data=4", [array], "v5e:2x2"))
    label = studio.named("Memory of all arrays", QLabel)
    assert label.property("role") == "bad"
    assert "16 GiB on each device" in label.text()
    assert "too much" in label.text()


def test_presets_and_machines_are_chosen_from_lists(studio):
    machines, presets = (
        studio.named("Machine", QComboBox),
        studio.named("Preset: a way to spread a transformer", QComboBox),
    )
    machines.setCurrentText("v5e:4x4")
    machines.textActivated.emit("v5e:4x4")
    presets.setCurrentIndex(presets.findData("2d"))
    presets.activated.emit(presets.currentIndex())
    assert studio.document == document_for("2d", 16, "v5e:4x4")
    assert "on the 4x4" in studio.said() or "v5e:4x4" in studio.said()


def test_shapes_that_work_are_buttons_where_the_machine_refuses(studio):
    array = StudioArray("x", (64, 64), "float32", Spec.parse("data,model"))
    studio.controller.open_document(StudioDocument.of("data=8,model=8", [array], "v5p:4x4x4"))
    assert "refuses (8, 8)" in studio.said()
    studio.press("Take the shape 16 x 4")
    assert studio.document.mesh.command == "data=16,model=4"
    assert studio.named("Lay out as JAX does", QPushButton).isVisible()


def test_a_wide_mesh_stands_above_its_array(studio):
    pictures = studio.page.mesh_canvas
    assert pictures.mapTo(studio.page, QPoint()).y() == studio.page.array_canvas.mapTo(studio.page, QPoint()).y()
    studio.type_into("Mesh", "a=2,b=16")
    QApplication.processEvents()
    assert pictures.mapTo(studio.page, QPoint()).y() < studio.page.array_canvas.mapTo(studio.page, QPoint()).y()


def test_a_png_is_twice_as_large_and_is_what_is_on_the_clipboard(studio, tmp_path):
    studio.page.export_requested.emit(Exported.PNG, str(tmp_path / "x.png"))
    image = QImage(str(tmp_path / "x.png"))
    from museum.mesh.picture import Shown, compose

    wanted = compose([Shown(studio.document.layout("x"), "x", "float32")])
    assert (image.width(), image.height()) == (round(2 * wanted.width), round(2 * wanted.height))
    colours = {image.pixelColor(x, y).name() for x in range(0, image.width(), 4) for y in range(0, image.height(), 4)}
    assert len(colours) > 8
    choose(studio.named("Copy the layout", QPushButton), "Copy as image")
    assert QGuiApplication.clipboard().image().size() == image.size()
    choose(studio.named("Copy the layout", QPushButton), "Copy as code")
    assert "jax.make_mesh" in QGuiApplication.clipboard().text()


def test_where_to_write_is_asked_without_holding_up_the_window(studio, tmp_path):
    asked = []
    studio.page.export_requested.connect(lambda what, path: asked.append((what, path)))
    choose(studio.named("Export the layout", QPushButton), "Save as JSON…")
    (chooser,) = studio.page.findChildren(QFileDialog)
    assert chooser.defaultSuffix() == "json"
    chooser.fileSelected.emit(str(tmp_path / "a.json"))
    assert asked == [(Exported.JSON, str(tmp_path / "a.json"))]
    assert (tmp_path / "a.json").exists()
    chooser.close()


def test_layouts_are_saved_and_opened_by_name(studio):
    studio.qtbot.keyClick(studio.type_into("Name of the layout", "mine"), Qt.Key.Key_Return)
    assert "Saved as mine." in studio.said()
    choose(studio.named("Open a layout", QPushButton), "New layout")
    studio.type_into("Mesh", "data=2")
    studio.qtbot.keyClick(studio.type_into("Name of the layout", "mine"), Qt.Key.Key_Return)
    assert "take another name" in studio.said()
    (over,) = [one for one in studio.page.findChildren(QPushButton) if one.text() == "Save over it"]
    studio.qtbot.mouseClick(over, Qt.MouseButton.LeftButton)
    assert not over.isVisible()
    choose(studio.named("Open a layout", QPushButton), "New layout")
    choose(studio.named("Open a layout", QPushButton), "mine")
    assert studio.document.mesh.command == "data=2"


def test_while_jax_is_asked_one_can_stop_it(studio):
    stopped = []
    studio.page.stop_requested.connect(lambda: stopped.append(True))
    assert not studio.named("Stop", QPushButton).isVisible()
    studio.page.set_busy("JAX runs the layout …")
    assert not studio.named("Check with JAX", QPushButton).isEnabled()
    studio.press("Stop")
    assert stopped == [True]
    studio.page.set_busy("")
    assert studio.named("Check with JAX", QPushButton).isEnabled()


def test_everything_that_can_be_used_has_a_name_and_takes_the_keyboard(studio):
    studio.controller.open_document(document_for("2d", 64, "v5p:4x4x4"))
    kinds = (QAbstractButton, QComboBox, QLineEdit, QTableWidget)
    for kind in kinds:
        for part in studio.page.findChildren(kind):
            if not part.isVisible() or isinstance(part.parent(), QTableWidget):
                continue
            assert part.accessibleName() or part.parent().accessibleName(), part
            assert part.focusPolicy() & Qt.FocusPolicy.TabFocus, part


def test_without_arrays_it_says_what_to_do_and_nothing_breaks(studio):
    studio.press("Remove the array")
    assert "No array: add one" in studio.said()
    assert not studio.field("Spec of the array").isEnabled()
    studio.page.grab()
    studio.press("Add an array")
    assert studio.document.arrays[0].name == "x"


def test_another_look_and_larger_type_reach_every_part(studio, dark):
    studio.page.set_theme(dark)
    assert studio.page.mesh_canvas.theme is dark
    image = studio.page.mesh_canvas.grab().toImage()
    assert image.pixelColor(image.width() - 4, 6).name() == dark.colours.paper
    assert "Check with JAX" in [one.text() for one in studio.page.findChildren(QPushButton)]


def test_sixty_four_devices_are_legible_at_1280_by_800(studio):
    studio.page.resize(1280, 800)
    studio.type_into("Mesh", "data=8,model=8")
    QApplication.processEvents()
    canvas = studio.page.mesh_canvas
    labels = canvas._drawing.labels_at(canvas.scale, canvas.pen.size)
    assert labels.ids
    assert labels.ticks == {"data", "model"}


def test_what_a_check_found_is_marked_on_the_array_that_it_is_about(studio):
    page = studio.page
    page.show_check("✗ x: device 3 …", "bad", {"x": frozenset([3]), "y": frozenset([5])})
    assert (page.mesh_canvas.marked, page.array_canvas.marked) == (frozenset([3]), frozenset([3]))
    studio.press("Add an array")
    assert page.mesh_canvas.marked == frozenset()  # another document: what was found counts no more

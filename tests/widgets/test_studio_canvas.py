"""The two pictures: zoom and pan, what is pointed at, what is painted, and that labels never touch."""

import itertools
from collections import Counter

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.array_canvas import ArrayCanvas
from gui.widgets.canvas import Canvas
from gui.widgets.mesh_canvas import LARGEST_ZOOMED, MeshCanvas
from gui.widgets.mesh_view import Lit
from museum.mesh.array_drawing import draw_array
from museum.mesh.document import StudioArray, StudioDocument
from museum.mesh.layout import ShardLayout, resolve
from museum.mesh.mesh import Mesh
from museum.mesh.mesh_drawing import draw_mesh
from museum.mesh.spec import Spec
from museum.mesh.svg import LIGHT


def layout(mesh: str = "data=4,model=2", shape=(16, 16), spec="data,model", devices=None) -> ShardLayout:
    return resolve(Mesh.parse(mesh), Spec.parse(spec), shape, devices)


@pytest.fixture
def mesh(qtbot: QtBot, theme: Theme) -> MeshCanvas:
    return shown(qtbot, MeshCanvas(theme))


@pytest.fixture
def array(qtbot: QtBot, theme: Theme) -> ArrayCanvas:
    return shown(qtbot, ArrayCanvas(theme))


def shown(qtbot: QtBot, canvas):
    qtbot.addWidget(canvas)
    canvas.resize(420, 430)
    with qtbot.waitExposed(canvas):
        canvas.show()
    return canvas


def picture(canvas: Canvas) -> QImage:
    return canvas.grab().toImage()


def count(image: QImage, colour: str) -> int:
    wanted = QColor(colour).rgb()
    return sum(image.pixel(x, y) == wanted for x in range(image.width()) for y in range(image.height()))


def place_of(canvas: Canvas, device: int) -> QPoint:
    """The middle of what is drawn of a device, found as the mouse would."""
    places = [
        QPoint(x, y)
        for y in range(0, canvas.height(), 5)
        for x in range(0, canvas.width(), 5)
        if device in canvas.at(QPointF(x, y)).devices
    ]
    assert places
    return places[len(places) // 2]


class Said:
    """What a canvas writes, with the room that each line takes."""

    def __init__(self, canvas: Canvas, monkeypatch: pytest.MonkeyPatch) -> None:
        self.rooms: list[tuple[QRectF, str]] = []
        size = canvas.pen.size
        kind = type(canvas.pen)

        def say(pen, painter, left, middle, text):
            room = QRectF(left, middle - size.line / 2, len(text) * size.character, size.line)
            room = painter.combinedTransform().mapRect(room)
            self.rooms.append((room.intersected(canvas.area()) if painter.hasClipping() else room, text))

        def say_centred(pen, painter, centre, lines):
            top = centre.y() - len(lines) * size.line / 2
            for number, line in enumerate(lines):
                say(pen, painter, centre.x() - len(line) * size.character / 2, top + (number + 0.5) * size.line, line)

        monkeypatch.setattr(kind, "say", say)
        monkeypatch.setattr(kind, "say_centred", say_centred)
        canvas.renew()
        canvas.grab()

    @property
    def texts(self) -> list[str]:
        return [text for _, text in self.rooms]


def wheel(canvas: Canvas, place: QPoint, steps: int, keys=Qt.KeyboardModifier.NoModifier) -> None:
    event = QWheelEvent(
        QPointF(place), QPointF(canvas.mapToGlobal(place)), QPoint(), QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton, keys, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(canvas, event)


def test_every_device_is_found_where_it_is_drawn(mesh):
    drawing = draw_mesh(layout())
    mesh.set_drawing(drawing)
    image = picture(mesh)
    for cell in drawing.cells:
        place = place_of(mesh, cell.device_id)
        assert mesh.at(QPointF(place)) == Lit(frozenset([cell.device_id]), cell.device_id)
        around = Counter(
            image.pixelColor(place.x() + x, place.y() + y).name() for x in range(-25, 25, 3) for y in range(-25, 25, 3)
        )
        assert around[LIGHT.fill(cell.shade)] > 100


def test_every_slice_is_found_with_all_its_devices(array):
    array.set_drawing(draw_array(layout(spec="data")))
    assert array.at(QPointF(place_of(array, 5))) == Lit(frozenset([4, 5]), 4)


def test_the_wheel_zooms_about_the_pointer(mesh):
    mesh.set_drawing(draw_mesh(layout("data=16,model=16", (16, 16))))
    place = place_of(mesh, 37)
    wheel(mesh, place, 6)
    assert mesh.zoom == pytest.approx(1.25**6)
    assert mesh.at(QPointF(place)).chosen == 37


def test_zoom_stops_where_all_is_in_sight_and_where_a_device_is_large(mesh):
    mesh.set_drawing(draw_mesh(layout("data=16,model=16", (16, 16))))
    wheel(mesh, QPoint(200, 200), 60)
    assert mesh.scale == pytest.approx(LARGEST_ZOOMED)
    wheel(mesh, QPoint(200, 200), -90)
    assert mesh.zoom == 1.0
    assert mesh.area().contains(mesh.content())


def test_a_drag_pans_and_chooses_nothing_and_the_picture_stays_within_reach(mesh, qtbot):
    mesh.set_drawing(draw_mesh(layout("data=16,model=16", (16, 16))))
    chosen = []
    mesh.chosen.connect(chosen.append)
    mesh.zoom_by(6)
    before = mesh.content().topLeft()
    qtbot.mousePress(mesh, Qt.MouseButton.LeftButton, pos=QPoint(200, 200))
    for step in range(1, 6):
        drag(mesh, QPoint(200 - 10 * step, 200 - 4 * step))
    qtbot.mouseRelease(mesh, Qt.MouseButton.LeftButton, pos=QPoint(150, 180))
    assert mesh.content().topLeft() - before == QPointF(-50, -20)
    assert chosen == []
    mesh.pan_by(1e6, 1e6)
    assert mesh.content().topLeft() == mesh.area().topLeft()
    mesh.pan_by(-1e6, -1e6)
    assert mesh.content().right() == pytest.approx(mesh.area().right())


def drag(canvas: Canvas, place: QPoint) -> None:
    from PySide6.QtGui import QMouseEvent

    kind = QMouseEvent.Type.MouseMove
    left = Qt.MouseButton.LeftButton
    event = QMouseEvent(kind, QPointF(place), QPointF(canvas.mapToGlobal(place)), left, left, Qt.KeyboardModifier(0))
    QApplication.sendEvent(canvas, event)


def test_keys_zoom_pan_and_walk(mesh, qtbot):
    mesh.set_drawing(draw_mesh(layout("data=16,model=16", (16, 16))))
    pointed = []
    mesh.pointed.connect(pointed.append)
    mesh.pointed.connect(mesh.set_lit)
    for _ in range(8):
        qtbot.keyClick(mesh, Qt.Key.Key_Plus)
    assert mesh.zoom == pytest.approx(1.25**8)
    place = mesh.content().x()
    qtbot.keyClick(mesh, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert mesh.content().x() == pytest.approx(place - 60)
    for _ in range(3):
        qtbot.keyClick(mesh, Qt.Key.Key_Right)
    assert [lit.chosen for lit in pointed] == [0, 1, 2]
    (rect, _), *_ = mesh.lit_places()
    assert mesh.area().adjusted(-1, -1, 1, 1).contains(rect)  # it went where the walk goes
    qtbot.keyClick(mesh, Qt.Key.Key_Left)
    assert pointed[-1].chosen == 1
    qtbot.keyClick(mesh, Qt.Key.Key_0)
    assert mesh.zoom == 1.0


def test_a_click_chooses_and_esc_lets_go(mesh, qtbot):
    mesh.set_drawing(draw_mesh(layout()))
    chosen = []
    mesh.chosen.connect(chosen.append)
    mesh.chosen.connect(mesh.set_lit)
    qtbot.mouseClick(mesh, Qt.MouseButton.LeftButton, pos=place_of(mesh, 3))
    qtbot.keyClick(mesh, Qt.Key.Key_Escape)
    assert [lit.chosen for lit in chosen] == [3, None]


def test_what_is_lit_is_outlined_and_only_then(mesh):
    mesh.set_drawing(draw_mesh(layout()))
    ink = mesh.theme.colours.ink
    before = count(picture(mesh), ink)
    mesh.set_lit(Lit(frozenset([5]), 5))
    assert count(picture(mesh), ink) > before + 300
    mesh.set_lit(Lit())
    assert count(picture(mesh), ink) == before


def test_copies_are_hatched(mesh):
    mesh.set_drawing(draw_mesh(layout(spec="data")))
    image = picture(mesh)
    plain, copy = place_of(mesh, 0), place_of(mesh, 1)

    def colours(place: QPoint) -> set[str]:
        # The corner of the tile, where no label is.
        return {image.pixelColor(place.x() + x, place.y() + y).name() for x in range(-32, -8) for y in range(-32, -24)}

    assert len(colours(plain)) == 1
    assert len(colours(copy)) > 1


def test_zoom_and_place_stay_over_an_edit_that_keeps_the_size(mesh):
    mesh.set_drawing(draw_mesh(layout("data=16,model=16", (16, 16))))
    mesh.zoom_by(5)
    mesh.set_drawing(draw_mesh(layout("data=16,model=16", (16, 16), "model")))
    assert mesh.zoom == pytest.approx(5)
    mesh.set_drawing(draw_mesh(layout("data=16,model=8", (16, 16))))
    assert mesh.zoom == 1.0


@pytest.mark.parametrize("factor", [1, 2, 5, 9, 20, 60])
@pytest.mark.parametrize(
    ("axes", "shape", "spec"),
    [
        ("data=4,model=2", (10, 16), "data,model"),
        ("a=16,b=16", (64, 64), "a,b"),
        ("a=4,b=4,c=4", (8, 8, 64), "a,b,c"),
        ("a=16,b=16,c=16", (64, 64, 64, 64), "a,b,c"),
        ("a=2,b=2,c=2,d=2", (4, 4, 4, 4), "a,b,c,d"),
    ],
)
def test_no_words_touch_at_any_zoom(mesh, array, monkeypatch, axes, shape, spec, factor):
    found = layout(axes, shape, spec)
    for canvas, drawing in ((mesh, draw_mesh(found)), (array, draw_array(found))):
        canvas.set_drawing(drawing)
        canvas.zoom_by(factor, QPointF(canvas.area().center()))
        with monkeypatch.context() as patch:
            rooms = Said(canvas, patch).rooms
        seen = [(room.adjusted(0.5, 0.5, -0.5, -0.5), text) for room, text in rooms if not room.isEmpty()]
        seen.sort(key=lambda one: one[0].top())
        for number, (room, text) in enumerate(seen):
            for other, words in seen[number + 1 :]:
                if other.top() >= room.bottom():
                    break
                assert not room.intersects(other), (text, words)


def test_labels_give_way_to_a_summary_and_zoom_brings_them_back(mesh, monkeypatch):
    drawing = draw_mesh(layout("a=16,b=16,c=16", (64, 64, 64, 64), "a,b,c"))
    mesh.set_drawing(drawing)
    with monkeypatch.context() as patch:
        texts = Said(mesh, patch).texts
    assert "4,096 devices" in " ".join(texts)
    assert "0:4" not in texts
    mesh.set_lit(Lit(frozenset([0]), 0))
    ((first, _),) = mesh.lit_places()
    mesh.zoom_by(1e6, first.center())
    with monkeypatch.context() as patch:
        texts = Said(mesh, patch).texts
    assert {"0", "0:4"} <= set(texts)
    assert "4,096 devices" not in " ".join(texts)


def test_sixty_four_devices_all_carry_their_ids(mesh, monkeypatch):
    mesh.set_drawing(draw_mesh(layout("data=8,model=8", (64, 64))))
    with monkeypatch.context() as patch:
        texts = Said(mesh, patch).texts
    assert {str(number) for number in range(64)} <= set(texts)


def test_what_has_no_home_says_so_in_its_place(array, monkeypatch):
    array.set_drawing(draw_array(layout(shape=(10, 16))))
    with monkeypatch.context() as patch:
        said = Said(array, patch)
    (room,) = [room for room, text in said.rooms if text == "rows 8, 9: no home"]
    content = array.content()
    assert room.top() > content.top() + 0.8 * content.height() - 1
    assert "✗ dim 0 (10) / data=4 ↓" in said.texts


def test_an_axis_that_is_not_there_and_devices_that_are_lacking_are_in_the_picture(mesh, monkeypatch):
    mesh.set_drawing(draw_mesh(layout(spec="data,tensor", devices=4)))
    with monkeypatch.context() as patch:
        said = Said(mesh, patch)
    assert "✗ tensor: not in the mesh, wanted by dimension 1" in said.texts
    assert "✗ the mesh data=4,model=2 needs 8 devices" in " ".join(said.texts)
    image, bad = picture(mesh), QColor(LIGHT.bad).name()
    lacking, there = place_of(mesh, 7), place_of(mesh, 0)

    def reds(place: QPoint) -> int:
        points = [(place.x() + x, place.y() + y) for x in range(-39, 39) for y in range(-39, 39)]
        return sum(image.pixelColor(x, y).name() == bad for x, y in points)

    assert reds(lacking) > reds(there) + 50


def test_slices_thinner_than_a_pixel_are_not_painted_over_each_other(array, monkeypatch):
    array.resize(420, 160)
    array.set_drawing(draw_array(layout("a=16,b=16,c=16", (64, 64, 64, 64), "a,b,c")))
    with monkeypatch.context() as patch:
        assert "too fine to tell apart: zoom in" in Said(array, patch).texts
    array.zoom_by(100)
    with monkeypatch.context() as patch:
        assert "too fine to tell apart: zoom in" not in Said(array, patch).texts


@pytest.mark.parametrize(("shape", "words"), [((), "a scalar"), ((0, 4), "shape (0, 4) has no elements")])
def test_arrays_without_a_picture_have_words(array, monkeypatch, shape, words):
    array.set_drawing(draw_array(layout(shape=shape, spec="")))
    with monkeypatch.context() as patch:
        assert words in Said(array, patch).texts


def hosted(mesh: str, machine: str) -> ShardLayout:
    document = StudioDocument.of(mesh, [StudioArray("w", (64, 64), "float32", Spec.parse("data"))], machine)
    return document.layout("w")


def test_frames_around_hosts_leave_the_devices_to_be_seen(mesh):
    mesh.set_drawing(draw_mesh(hosted("data=2,model=8", "h100:16")))
    image = picture(mesh)
    for device in range(16):
        place = place_of(mesh, device)
        colours = Counter(
            image.pixelColor(place.x() + x, place.y() + y).name() for x in range(-12, 12) for y in range(-12, 12)
        )
        assert colours[LIGHT.fill(mesh._drawing.cells[device].shade)] > 100
    rect = mesh._rect(0, 0, 8.7, 1)
    below = [image.pixelColor(rect.center().x() + x, rect.bottom() + y) for x in range(-40, 40) for y in (1, 2, 3)]
    assert sum(colour.lightness() < 120 for colour in below) >= 80


@pytest.mark.parametrize(
    ("factor", "texts"), [(1, {"0 h0", "8 h1"}), (2, {"host 0"}), (0, set())], ids=["far", "near", "crowded"]
)
def test_hosts_are_named_where_there_is_room(mesh, monkeypatch, factor, texts):
    layout = hosted("data=2,model=8", "h100:16") if factor else hosted("data=64,model=8", "h100:512")
    mesh.set_drawing(draw_mesh(layout))
    mesh.zoom_by(factor or 1, mesh.content().topLeft())
    with monkeypatch.context() as patch:
        said = Said(mesh, patch).texts
    assert texts <= set(said)
    assert factor or "on 64 hosts" in " ".join(said)


@pytest.mark.parametrize("factor", [1, 1.5, 2, 4, 9])
def test_names_of_hosts_touch_nothing_at_any_zoom(mesh, monkeypatch, factor):
    mesh.set_drawing(draw_mesh(hosted("data=8,model=8", "v5e:8x8")))
    mesh.zoom_by(factor)
    with monkeypatch.context() as patch:
        rooms = Said(mesh, patch).rooms
    seen = [(room.adjusted(0.5, 0.5, -0.5, -0.5), text) for room, text in rooms if not room.isEmpty()]
    for (one, text), (other, words) in itertools.combinations(seen, 2):
        assert not one.intersects(other), (text, words)


def test_what_jax_says_otherwise_is_marked_in_both_pictures(mesh, array):
    found = layout()
    for canvas, drawing in ((mesh, draw_mesh(found)), (array, draw_array(found))):
        canvas.set_drawing(drawing)
        before = count(picture(canvas), canvas.theme.colours.bad)
        canvas.set_marked(frozenset([3]))
        assert count(picture(canvas), canvas.theme.colours.bad) > before + 200
        (rect,) = canvas.marked_places()
        assert canvas.at(rect.center()).chosen == 3
        canvas.set_marked(frozenset())
        assert count(picture(canvas), canvas.theme.colours.bad) == before


def test_blocks_keep_their_headings_in_sight(mesh, monkeypatch):
    mesh.set_drawing(draw_mesh(layout("a=16,b=16,c=16", (64, 64, 64, 64), "a,b,c")))
    with monkeypatch.context() as patch:
        assert {f"a={number}" for number in range(16)} <= set(Said(mesh, patch).texts)


def test_nothing_to_draw_is_drawn_as_nothing(mesh, array, qtbot):
    for canvas in (mesh, array):
        canvas.set_drawing(None)
        assert canvas.at(QPointF(100, 100)) == Lit()
        qtbot.keyClick(canvas, Qt.Key.Key_Right)
        wheel(canvas, QPoint(100, 100), 3)
        assert count(picture(canvas), canvas.theme.colours.paper) > 0.95 * canvas.width() * canvas.height()


def test_the_dark_look_uses_its_own_colours(qtbot, dark):
    canvas = shown(qtbot, MeshCanvas(dark))
    canvas.set_drawing(draw_mesh(layout()))
    assert count(picture(canvas), dark.colours.paper) > 10_000
    assert count(picture(canvas), LIGHT.paper) == 0

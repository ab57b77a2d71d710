"""Mesh and array as pictures: pointing with mouse and keys, words, and what is painted."""

from collections import Counter

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QWidget
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.mesh_panel import MeshPanel, Subject, mesh_of, words_about
from gui.widgets.mesh_view import ArraySheet, Lit, MeshSheet, drawings
from museum.mesh.layout import ShardLayout, resolve
from museum.mesh.mesh import Mesh
from museum.mesh.spec import Spec

MESH = Mesh.parse("data=4,model=2")


def layout(shape: tuple[int, ...] = (16, 16), spec: str = "data", mesh: Mesh = MESH) -> ShardLayout:
    return resolve(mesh, Spec.parse(spec), shape)


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme) -> MeshPanel:
    panel = MeshPanel(theme)
    qtbot.addWidget(panel)
    panel.resize(300, 700)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


def sheets(panel: MeshPanel) -> tuple[MeshSheet, ArraySheet]:
    return panel.findChild(MeshSheet), panel.findChild(ArraySheet)


def show(panel: MeshPanel, drawn: ShardLayout | Mesh | None) -> tuple[MeshSheet, ArraySheet]:
    panel.show_subjects([Subject("x", "facts of x", drawn)], "Seen in a run")
    QApplication.processEvents()
    return sheets(panel)


def said(panel: MeshPanel) -> str:
    return "\n".join(label.text() for label in panel.findChildren(QLabel) if label.isVisible())


def place_of(sheet: MeshSheet | ArraySheet, device: int) -> QPoint:
    """The middle of what is drawn of a device, found as the mouse would."""
    places = [
        QPoint(x, y)
        for y in range(3, sheet.height(), 7)
        for x in range(3, sheet.width(), 7)
        if device in sheet.at(QPointF(x, y)).devices
    ]
    assert places
    return places[len(places) // 2]


def colours(widget: QWidget, rect: QRect | None = None) -> Counter[str]:
    """How many pixels have each colour."""
    image = widget.grab(rect or widget.rect()).toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = Counter(memoryview(image.constBits()).cast("I").tolist())
    return Counter({QColor.fromRgb(pixel & 0xFFFFFF).name(): times for pixel, times in pixels.items()})


# What is said and shown


def test_without_a_subject_it_says_how_to_get_one(panel: MeshPanel) -> None:
    assert said(panel) == "Mesh\nNo mesh yet. Run a half: the meshes and arrays in its variables are drawn here."
    assert not any(sheet.isVisible() for sheet in sheets(panel))


def test_a_layout_is_drawn_with_its_facts(panel: MeshPanel) -> None:
    mesh, array = show(panel, layout())
    assert mesh.isVisible()
    assert array.isVisible()
    for words in ("Mesh data=4 model=2", "Seen in a run", "facts of x", "dimension 0 (16) downwards"):
        assert words in said(panel)
    assert "✗" not in said(panel)


def test_a_bare_mesh_has_no_array(panel: MeshPanel) -> None:
    mesh, array = show(panel, MESH)
    assert mesh.isVisible()
    assert not array.isVisible()
    assert "downwards" not in said(panel)


def test_a_subject_that_cannot_be_drawn_is_named(panel: MeshPanel) -> None:
    mesh, array = show(panel, None)
    assert not mesh.isVisible()
    assert not array.isVisible()
    assert "facts of x" in said(panel)


def test_problems_are_said_below_the_picture(panel: MeshPanel) -> None:
    show(panel, layout((10, 16), "data,rows"))
    assert "✗ dimension 0 of size 10 is not divisible by 4 (data=4): remainder 2" in said(panel)
    assert "✗ the mesh has no axis 'rows'" in said(panel)


def test_subjects_are_chosen_by_name(panel: MeshPanel, qtbot: QtBot) -> None:
    choice = panel.findChild(QComboBox)
    panel.show_subjects([Subject("x", "first", layout()), Subject("y", "second", MESH)], "here", chosen=1)
    assert choice.isVisible()
    assert "second" in said(panel)
    qtbot.keyClick(choice, Qt.Key.Key_Up)
    assert "first" in said(panel)
    panel.show_subjects([Subject("z", "third", MESH)], "here")
    assert not choice.isVisible()
    assert "third" in said(panel)
    panel.show_subjects((), "")
    assert "No mesh yet" in said(panel)
    assert "third" not in said(panel)


# Pointing


def test_a_device_under_the_mouse_lights_up_in_both_pictures(panel: MeshPanel, qtbot: QtBot) -> None:
    mesh, array = show(panel, layout())
    qtbot.mouseMove(mesh, place_of(mesh, 5))
    assert mesh.lit == array.lit == Lit(frozenset([5]), 5)
    assert "device 5 at data=2, model=1" in said(panel)
    assert "holds [8:12, 0:16]" in said(panel)
    assert "the same as device 4" in said(panel)


def test_a_shard_under_the_mouse_lights_up_every_device_that_holds_it(panel: MeshPanel, qtbot: QtBot) -> None:
    mesh, array = show(panel, layout())
    qtbot.mouseMove(array, place_of(array, 6))
    assert mesh.lit == array.lit == Lit(frozenset([6, 7]), 6)
    assert "device 6 at data=3, model=0" in said(panel)


def test_what_is_lit_is_framed_in_ink_in_both_pictures(panel: MeshPanel, theme: Theme, qtbot: QtBot) -> None:
    mesh, array = show(panel, layout())
    before = [colours(sheet)[theme.colours.ink] for sheet in (mesh, array)]
    qtbot.mouseMove(mesh, place_of(mesh, 5))
    assert all(colours(sheet)[theme.colours.ink] > was for sheet, was in zip((mesh, array), before, strict=True))


def test_leaving_puts_the_light_out(panel: MeshPanel, qtbot: QtBot) -> None:
    mesh, array = show(panel, layout())
    qtbot.mouseMove(mesh, place_of(mesh, 5))
    QApplication.sendEvent(mesh, QEvent(QEvent.Type.Leave))
    assert mesh.lit == array.lit == Lit()
    assert "Point at a device or a shard" in said(panel)


def test_another_subject_puts_the_light_out(panel: MeshPanel, qtbot: QtBot) -> None:
    mesh, array = show(panel, layout())
    qtbot.mouseMove(mesh, place_of(mesh, 7))
    show(panel, Mesh.parse("x=2"))
    assert mesh.lit == array.lit == Lit()


def test_arrow_keys_walk_the_devices_and_go_round(panel: MeshPanel, qtbot: QtBot) -> None:
    mesh, array = show(panel, layout())
    walked = []
    keys = (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Up)
    for key in keys:
        qtbot.keyClick(mesh, key)
        walked.append(mesh.lit.chosen)
    assert walked == [0, 1, 0, 7, 6]
    assert array.lit == mesh.lit
    assert "device 6 at data=3, model=0" in said(panel)


def test_arrow_keys_walk_the_shards(panel: MeshPanel, qtbot: QtBot) -> None:
    mesh, array = show(panel, layout((16, 16), "data,model"))
    walked = []
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down):
        qtbot.keyClick(array, key)
        walked.append(array.lit.chosen)
    assert walked == [7, 0, 1, 2]
    assert mesh.lit.devices == {2}


def test_a_letter_is_left_to_the_window(panel: MeshPanel, qtbot: QtBot) -> None:
    mesh, _ = show(panel, layout())
    qtbot.keyClick(mesh, Qt.Key.Key_A)
    assert mesh.lit == Lit()


def test_a_mesh_alone_says_only_where_a_device_is(panel: MeshPanel, qtbot: QtBot) -> None:
    mesh, _ = show(panel, Mesh(MESH.axes, (7, 6, 5, 4, 3, 2, 1, 0)))
    qtbot.mouseMove(mesh, place_of(mesh, 7))
    assert "device 7 at data=0, model=0" in said(panel)
    assert "holds" not in said(panel)


def test_pictures_can_be_reached_by_tab_and_show_it(panel: MeshPanel, theme: Theme, qtbot: QtBot) -> None:
    for sheet in show(panel, layout()):
        assert sheet.accessibleName() in ("Mesh", "Array")
        assert sheet.focusPolicy() & Qt.FocusPolicy.TabFocus
        plain = sheet.grab().toImage()
        sheet.setFocus(Qt.FocusReason.TabFocusReason)
        assert sheet.hasFocus()
        assert sheet.grab().toImage() != plain


# What is painted


def test_rows_without_a_home_are_hatched_at_their_place(panel: MeshPanel, theme: Theme) -> None:
    _, array = show(panel, layout((10, 16), "data,model"))
    bad, width, height = theme.colours.bad, array.width(), array.height()
    housed = QRect(0, 0, width, round(0.75 * height))
    assert colours(array)[bad] > 0
    assert colours(array, housed)[bad] == 0
    assert array.at(QPointF(width / 2, 0.95 * height)) == Lit()
    _, whole = show(panel, layout((12, 16), "data,model"))
    assert colours(whole)[bad] == 0


def test_fewer_rows_than_parts_leave_all_of_it_without_a_home(panel: MeshPanel, theme: Theme, qtbot: QtBot) -> None:
    mesh, array = show(panel, layout((3, 16), "data"))
    assert array.steps() == []
    qtbot.keyClick(array, Qt.Key.Key_Right)
    assert colours(array)[theme.colours.bad] > 0
    qtbot.mouseMove(mesh, place_of(mesh, 2))
    assert "device 2 at data=1, model=0" in said(panel)


@pytest.mark.parametrize(
    ("shape", "spec"),
    [((), ""), ((16,), "data"), ((4, 8, 16), "data,model"), ((2, 4, 8, 16), "-,data,-,model"), ((0, 4), "data")],
    ids=["rank 0", "rank 1", "rank 3", "rank 4", "no elements"],
)
def test_every_rank_is_drawn_whole(panel: MeshPanel, shape: tuple[int, ...], spec: str) -> None:
    mesh, array = show(panel, layout(shape, spec))
    found = {
        device
        for x in range(0, array.width(), 3)
        for y in range(0, array.height(), 3)
        for device in array.at(QPointF(x, y)).devices
    }
    assert found == (set() if 0 in shape else set(range(8)))
    assert array.height() > 10
    assert array.geometry().bottom() <= panel.widget().height()
    assert mesh.geometry().bottom() <= array.geometry().top()


def test_a_scalar_is_held_by_all(panel: MeshPanel, qtbot: QtBot) -> None:
    _, array = show(panel, layout((), ""))
    qtbot.keyClick(array, Qt.Key.Key_Right)
    assert array.lit.devices == set(range(8))
    assert "holds the scalar" in said(panel)
    assert "the same as devices 1, 2, 3" in said(panel)


@pytest.mark.parametrize("axes", ["x=512", "x=512,y=1", "x=16,y=32", "x=8,y=8,z=8"])
def test_five_hundred_devices_fit_the_width_and_can_all_be_pointed_at(panel: MeshPanel, axes: str) -> None:
    mesh, _ = show(panel, layout((512, 512), "x", Mesh.parse(axes)))
    assert mesh.width() <= panel.viewport().width()
    assert mesh.height() >= mesh.sizeHint().height() - 1
    for step in (mesh.steps()[0], mesh.steps()[511]):
        cell = next(cell for cell in mesh._drawing.cells if cell.device_id == step.chosen)
        assert mesh.at(mesh._rect(cell, *mesh._scale(mesh.width())).center()) == step
    assert not mesh.grab().isNull()


def test_the_height_follows_the_width(panel: MeshPanel, qtbot: QtBot) -> None:
    mesh, _ = show(panel, layout((512, 512), "x", Mesh.parse("x=16,y=16")))
    narrow = mesh.height()
    panel.resize(600, 700)
    qtbot.waitUntil(lambda: mesh.height() > 1.3 * narrow)


def test_the_pictures_keep_their_width_whether_there_is_something_to_scroll_or_not(panel: MeshPanel) -> None:
    mesh, _ = show(panel, layout())
    seen = set()
    for height in range(300, 800, 10):
        panel.resize(300, height)
        for lit in (Lit(frozenset([0]), 0), Lit()):
            panel._point_at(lit)
            QApplication.processEvents()
            seen.add((panel.verticalScrollBar().isEnabled(), mesh.width()))
    assert {enabled for enabled, _ in seen} == {True, False}
    assert len({width for _, width in seen}) == 1


def test_copies_are_told_from_first_holders_by_a_hatch(panel: MeshPanel) -> None:
    mesh, _ = show(panel, layout((16, 16), "data"))

    def share_of_fill(device: int) -> float:
        cell = next(cell for cell in mesh._drawing.cells if cell.device_id == device)
        rect = mesh._rect(cell, *mesh._scale(mesh.width())).toRect().adjusted(3, 3, -3, -3)
        ((_, most),) = colours(mesh, rect).most_common(1)
        return most / (rect.width() * rect.height())

    assert share_of_fill(1) < 0.95 * share_of_fill(0)
    assert share_of_fill(0) == pytest.approx(share_of_fill(2), abs=0.03)


def test_another_theme_changes_both_pictures(panel: MeshPanel, dark: Theme) -> None:
    mesh, array = show(panel, layout())
    heights = mesh.sizeHint().height()
    panel.set_theme(dark)
    assert colours(array)[dark.shard_colour(0).name()] > 0
    assert colours(mesh)[dark.shard_colour(0).name()] > 0
    assert mesh.sizeHint().height() > heights


def test_nothing_is_painted_without_a_drawing(qtbot: QtBot, theme: Theme) -> None:
    for kind in (MeshSheet, ArraySheet):
        sheet = kind(theme)
        qtbot.addWidget(sheet)
        assert sheet.sizeHint().height() == 0
        assert (sheet.at(QPointF(1, 1)), sheet.steps()) == (Lit(), [])
        sheet.grab()


def test_words_of_a_mesh() -> None:
    assert mesh_of(layout()) == mesh_of(MESH) == "data=4 model=2"
    assert words_about(MESH, Lit()) == ""
    one = Mesh((), (17,))
    assert words_about(resolve(one, Spec.parse(""), (4,)), Lit(frozenset([17]), 17)) == "device 17\nholds [0:4]"
    assert drawings(None) == (None, None)

"""The list of wings and exhibits, and the model below it."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.models.catalog_model import ASIDE_ROLE, ID_ROLE, MARK_ROLE, CatalogModel, Mark
from gui.theme import Theme
from gui.widgets.sidebar import Sidebar
from museum.catalog import Catalog
from museum.exhibit import Exhibit

GOOD, FAINT = Mark("✓", "good", "proven on JAX 0.10.2"), Mark("·", "faint", "not proven yet")


@pytest.fixture
def model(catalog: Catalog) -> CatalogModel:
    return CatalogModel(catalog, {"xla/one": GOOD, "xla/two": FAINT})


@pytest.fixture
def sidebar(qtbot: QtBot, theme: Theme, model: CatalogModel) -> Sidebar:
    sidebar = Sidebar(theme)
    qtbot.addWidget(sidebar)
    sidebar.resize(220, 400)
    sidebar.set_catalog_model(model)
    with qtbot.waitExposed(sidebar):
        sidebar.show()
    sidebar.setFocus()
    return sidebar


@pytest.fixture
def chosen(sidebar: Sidebar) -> list[str]:
    chosen: list[str] = []
    sidebar.chosen.connect(chosen.append)
    return chosen


def rows(model: QAbstractItemModel, role: int = Qt.ItemDataRole.DisplayRole, parent: QModelIndex | None = None) -> list:
    """The data of all rows, those of children indented by a list."""
    found: list = []
    for row in range(model.rowCount(parent or QModelIndex())):
        index = model.index(row, 0, parent or QModelIndex())
        found.append(index.data(role))
        if model.rowCount(index):
            found.append(rows(model, role, index))
    return found


# The model


def test_the_model_keeps_the_rules_of_qt_whatever_happens_to_it(model: CatalogModel, catalog: Catalog) -> None:
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    model.set_mark("xla/two", GOOD)
    model.show_found(catalog.exhibits[1:])
    model.set_mark("xla/two", FAINT)
    model.set_mark("xla/one", FAINT)  # not among the found
    model.show_found([])
    model.show_found(None)
    assert tester.model() is model


def test_wings_stand_at_the_top_with_their_exhibits_below(model: CatalogModel) -> None:
    assert rows(model, ID_ROLE) == ["xla", ["xla/one", "xla/two"], "mesh", ["mesh/torus"]]
    assert rows(model)[0] == "XLA"


def test_a_wing_counts_what_is_proven_of_it(model: CatalogModel) -> None:
    assert rows(model, ASIDE_ROLE) == ["1/2", ["", ""], "0/1", [""]]
    model.set_mark("xla/two", GOOD)
    assert rows(model, ASIDE_ROLE)[0] == "2/2"


def test_a_new_mark_repaints_the_exhibit_and_its_wings_count(model: CatalogModel, qtbot: QtBot) -> None:
    changed: list[str] = []
    model.dataChanged.connect(lambda first, _last: changed.append(first.data(ID_ROLE)))
    model.set_mark("xla/two", GOOD)
    assert sorted(changed) == ["xla", "xla/two"]
    assert model.index_of("xla/two").data(MARK_ROLE) is GOOD


def test_what_is_found_stands_flat_in_its_order_with_its_wing(model: CatalogModel, catalog: Catalog) -> None:
    model.show_found([catalog.exhibits[2], catalog.exhibits[0]])
    assert rows(model, ID_ROLE) == ["mesh/torus", "xla/one"]
    assert rows(model, ASIDE_ROLE) == ["mesh", "xla"]
    assert not model.index_of("xla/two").isValid()
    assert not model.index_of("xla").isValid()
    assert model.index_of("xla/one").row() == 1
    model.show_found(None)
    assert model.index_of("xla/two").parent().data(ID_ROLE) == "xla"


@pytest.mark.parametrize("name", ["", "xla/three", "nowhere"])
def test_what_is_not_there_has_no_place(model: CatalogModel, name: str) -> None:
    assert not model.index_of(name).isValid()


def test_marks_and_counts_are_said_in_words_too(model: CatalogModel) -> None:
    said = rows(model, Qt.ItemDataRole.AccessibleTextRole)
    assert said[0] == "XLA: 1/2 proven"
    assert said[1][0] == "A dimension that the mesh axis does not divide (proven on JAX 0.10.2)"
    assert said[3] == ["A torus"]
    assert rows(model, Qt.ItemDataRole.ToolTipRole) == said


# The view


def test_every_wing_is_open_also_after_a_search(sidebar: Sidebar, model: CatalogModel, catalog: Catalog) -> None:
    assert sidebar.visualRect(model.index_of("mesh/torus")).isValid()
    model.show_found(catalog.exhibits[:1])
    model.show_found(None)
    assert all(sidebar.isExpanded(model.index_of(wing)) for wing in ("xla", "mesh"))


def test_a_click_chooses(sidebar: Sidebar, model: CatalogModel, chosen: list[str], qtbot: QtBot) -> None:
    for name in ("mesh/torus", "xla"):
        place = sidebar.visualRect(model.index_of(name)).center()
        qtbot.mouseClick(sidebar.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen == ["mesh/torus", "xla"]


def test_the_keyboard_walks_through_wings_and_exhibits(sidebar: Sidebar, chosen: list[str], qtbot: QtBot) -> None:
    sidebar.select("xla")
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_End, Qt.Key.Key_Home):
        qtbot.keyClick(sidebar, key)
    assert chosen == ["xla/one", "xla/two", "mesh", "xla/two", "mesh/torus", "xla"]


def test_typing_jumps_to_a_title(sidebar: Sidebar, chosen: list[str], qtbot: QtBot) -> None:
    sidebar.select("xla")
    qtbot.keyClicks(sidebar, "a t")
    assert chosen[-1] == "mesh/torus"


def test_being_told_where_the_visitor_is_chooses_nothing(
    sidebar: Sidebar, model: CatalogModel, chosen: list[str], catalog: Catalog
) -> None:
    sidebar.select("xla/two")
    assert sidebar.currentIndex().data(ID_ROLE) == "xla/two"
    sidebar.select("nowhere")
    assert not sidebar.currentIndex().isValid()
    model.show_found(catalog.exhibits[:1])
    sidebar.select("xla/two")
    model.show_found(None)
    sidebar.select("xla/two")
    assert sidebar.currentIndex().data(ID_ROLE) == "xla/two"
    assert chosen == []


def test_what_is_selected_is_in_sight(sidebar: Sidebar, model: CatalogModel) -> None:
    sidebar.resize(200, 60)
    sidebar.select("mesh/torus")
    assert sidebar.viewport().rect().contains(sidebar.visualRect(model.index_of("mesh/torus")).center())


def test_a_long_title_takes_a_second_line_where_the_list_is_narrow(sidebar: Sidebar, model: CatalogModel) -> None:
    short, long = (sidebar.visualRect(model.index_of(name)).height() for name in ("mesh/torus", "xla/one"))
    assert long > short
    sidebar.resize(700, 400)
    sidebar.doItemsLayout()
    assert sidebar.visualRect(model.index_of("xla/one")).height() == short


def test_a_word_that_is_wider_than_the_list_is_broken_and_not_cut(
    sidebar: Sidebar, model: CatalogModel, make_exhibit: Callable[..., Exhibit]
) -> None:
    sidebar.setMinimumWidth(0)
    sidebar.resize(140, 400)
    model.show_found([make_exhibit(title="Short"), make_exhibit("xla/two", 2, title="PositionalShardingOfEverything,")])
    sidebar.doItemsLayout()
    short, long = (sidebar.visualRect(model.index_of(name)).height() for name in ("xla/one", "xla/two"))
    assert long > short


def pixels(sidebar: Sidebar, name: str) -> set[str]:
    """The colours in a row, as drawn."""
    rect = sidebar.visualRect(sidebar.model().index_of(name))
    image = sidebar.viewport().grab(rect).toImage().convertToFormat(QImage.Format.Format_RGB32)
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_the_selected_row_is_told_by_its_edge(sidebar: Sidebar, theme: Theme) -> None:
    sidebar.select("xla/two")
    assert {theme.colours.accent, theme.colours.accent_wash} <= pixels(sidebar, "xla/two")
    assert theme.colours.accent not in pixels(sidebar, "xla/one")


def test_another_theme_reaches_the_rows(sidebar: Sidebar, dark: Theme) -> None:
    sidebar.select("xla/two")
    height = sidebar.visualRect(sidebar.model().index_of("xla/two")).height()
    sidebar.set_theme(dark)
    assert dark.colours.accent in pixels(sidebar, "xla/two")
    assert sidebar.visualRect(sidebar.model().index_of("xla/two")).height() > height


# Favourites


def test_favourites_stand_above_the_wings_under_a_heading_that_is_no_place(
    sidebar: Sidebar, model: CatalogModel, catalog: Catalog, chosen: list[str], qtbot: QtBot
) -> None:
    model.set_favourites((catalog.exhibits[2],))
    assert rows(model, ID_ROLE)[:2] == ["favourites", ["mesh/torus"]]
    assert rows(model)[0] == "Favourites"
    assert not model.index(0, 0).flags() & Qt.ItemFlag.ItemIsSelectable
    qtbot.mouseClick(sidebar.viewport(), Qt.MouseButton.LeftButton, pos=sidebar.visualRect(model.index(0, 0)).center())
    assert chosen == []
    model.set_favourites(())
    assert rows(model, ID_ROLE)[0] == "xla"


def test_the_model_with_favourites_keeps_the_rules_of_qt(model: CatalogModel, catalog: Catalog) -> None:
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    model.set_favourites(catalog.exhibits[:2])
    model.set_mark("xla/two", GOOD)
    model.show_found(catalog.exhibits[:1])
    model.set_favourites(())
    model.show_found(None)
    assert tester.model() is model


def test_the_keyboard_walks_through_favourites_without_leaving_them(
    sidebar: Sidebar, model: CatalogModel, catalog: Catalog, chosen: list[str], qtbot: QtBot
) -> None:
    model.set_favourites((catalog.exhibits[2], catalog.exhibits[0]))
    sidebar.chosen.connect(sidebar.select)  # as the navigation does
    sidebar.setCurrentIndex(model.index(0, 0, model.index(0, 0)))
    for _ in range(2):
        qtbot.keyClick(sidebar, Qt.Key.Key_Down)
    assert chosen == ["mesh/torus", "xla/one", "xla"]
    assert sidebar.currentIndex().data(ID_ROLE) == "xla"


def test_a_favourite_and_its_place_in_the_wing_have_the_same_mark(model: CatalogModel, catalog: Catalog) -> None:
    model.set_favourites(catalog.exhibits[1:2])
    changed: list[tuple[str, int]] = []
    model.dataChanged.connect(lambda first, _last: changed.append((first.data(ID_ROLE), first.row())))
    model.set_mark("xla/two", GOOD)
    assert [name for name, _ in changed].count("xla/two") == 2
    assert model.index(0, 0, model.index(0, 0)).data(MARK_ROLE) is GOOD


def test_where_the_visitor_is_stays_marked_when_a_favourite_comes(
    sidebar: Sidebar, model: CatalogModel, catalog: Catalog, chosen: list[str]
) -> None:
    sidebar.select("xla/two")
    model.set_favourites(catalog.exhibits[1:2])
    assert sidebar.currentIndex().data(ID_ROLE) == "xla/two"
    assert all(sidebar.isExpanded(model.index_of(wing)) for wing in ("xla", "mesh"))
    assert chosen == []


# What a search found


def test_of_many_hits_the_first_are_listed_and_the_others_come_when_they_are_wanted(
    sidebar: Sidebar, model: CatalogModel, make_exhibit: Callable[..., Exhibit]
) -> None:
    many = [make_exhibit(f"xla/number-{number}", number) for number in range(200)]
    sidebar.set_searching(searching=True)
    model.show_found(many)
    sidebar.doItemsLayout()
    assert model.rowCount() < 100
    bar = sidebar.verticalScrollBar()
    while model.canFetchMore(QModelIndex()):
        before = model.rowCount()
        bar.setValue(bar.maximum())
        sidebar.doItemsLayout()
        assert model.rowCount() > before
    assert rows(model, ID_ROLE) == [exhibit.id for exhibit in many]


def test_a_list_that_is_higher_than_the_first_hits_takes_as_many_as_it_has_room_for(
    sidebar: Sidebar, model: CatalogModel, make_exhibit: Callable[..., Exhibit], qtbot: QtBot
) -> None:
    sidebar.resize(600, 3000)
    sidebar.set_searching(searching=True)
    model.show_found([make_exhibit(f"xla/number-{number}", number) for number in range(300)])
    bar = sidebar.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    assert model.rowCount() < 300


def test_a_hit_far_down_is_listed_when_the_visitor_is_led_there(
    model: CatalogModel, make_exhibit: Callable[..., Exhibit]
) -> None:
    model.show_found([make_exhibit(f"xla/number-{number}", number) for number in range(200)])
    assert not model.index_of("xla/number-150").isValid()
    model.fetch_to("xla/number-150")
    assert model.index_of("xla/number-150").row() == 150
    model.fetch_to("nowhere")
    assert model.rowCount() < 200


def test_while_one_types_the_best_hits_are_in_sight_and_the_place_is_marked(
    sidebar: Sidebar, model: CatalogModel, make_exhibit: Callable[..., Exhibit], chosen: list[str]
) -> None:
    hits = [make_exhibit(f"xla/number-{number}", number) for number in range(20)]
    sidebar.select("xla/number-19")
    sidebar.set_searching(searching=True)
    model.show_found(hits)
    QApplication.processEvents()
    assert sidebar.currentIndex().data(ID_ROLE) == "xla/number-19"
    assert sidebar.verticalScrollBar().value() == 0
    assert chosen == []
    sidebar.set_searching(searching=False)
    model.show_found(None)
    sidebar.select("mesh/torus")
    sidebar.set_searching(searching=True)
    model.show_found(hits)
    assert not sidebar.currentIndex().isValid()


def test_two_keys_lead_out_of_what_was_found(
    sidebar: Sidebar, model: CatalogModel, catalog: Catalog, qtbot: QtBot
) -> None:
    left: list[str] = []
    sidebar.search_ended.connect(lambda: left.append("ended"))
    sidebar.left_up.connect(lambda: left.append("up"))
    sidebar.set_searching(searching=True)
    model.show_found(catalog.exhibits)
    sidebar.select(catalog.exhibits[1].id)
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Escape):
        qtbot.keyClick(sidebar, key)
    assert left == ["up", "ended"]
    sidebar.set_searching(searching=False)
    qtbot.keyClick(sidebar, Qt.Key.Key_Escape)
    assert left == ["up", "ended"]

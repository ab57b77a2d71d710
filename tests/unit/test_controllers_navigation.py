"""Which page is on show, and what links, keys and the search box lead to."""

import pytest
from stand_ins import pretended

from gui.controllers.navigation import NavigationController
from gui.models.catalog_model import CatalogModel
from gui.widgets.run_bar import RunBar
from gui.widgets.sidebar import Sidebar
from museum.catalog import Catalog
from museum.errors import MuseumError
from museum.exhibit import Exhibit, ExhibitFile, Half, OutcomeKind, Placard, Wing


def exhibit(name: str, number: int, title: str) -> Exhibit:
    facts = ExhibitFile(title, OutcomeKind.RAISES, ("cpu:8",), ("0.10.2",), (), ())
    scripts = {Half.FAILING: "raise ValueError\n", Half.FIX: "pass\n"}
    return Exhibit(name, number, facts, Placard("It means.", "Often.", "1. Wait."), scripts, ())


MESH = Wing("mesh", "Meshes", "Of meshes.", (exhibit("mesh/torus", 1, "A torus that cannot host the axis"),))
XLA = Wing(
    "xla", "XLA", "Of XLA.", (exhibit("xla/one", 1, "An indivisible dimension"), exhibit("xla/two", 2, "Unknown axis"))
)
CATALOG = Catalog((XLA, MESH))


class Visit:
    """The controller between pretended views, and what it opened."""

    def __init__(self) -> None:
        self.sidebar, self.bar, self.model = pretended(Sidebar), pretended(RunBar), CatalogModel(CATALOG, {})
        self.opened: list[str] = []
        self.outside: list[str] = []
        self.navigation = NavigationController(
            CATALOG,
            self.sidebar,
            self.model,
            self.bar,
            lambda exhibit: self.opened.append(exhibit.id),
            lambda wing: self.opened.append(wing.id),
            self.outside.append,
        )

    @property
    def selected(self) -> str:
        return self.sidebar.select.call_args.args[0]

    @property
    def listed(self) -> list[str]:
        """Titles at the top level of the sidebar."""
        return [self.model.index(row, 0).data() for row in range(self.model.rowCount())]


@pytest.fixture
def visit() -> Visit:
    return Visit()


def test_going_to_an_exhibit_opens_and_selects_it(visit: Visit) -> None:
    assert visit.navigation.place == ""
    visit.navigation.go("xla/two")
    assert (visit.opened, visit.selected, visit.navigation.place) == (["xla/two"], "xla/two", "xla/two")


def test_going_to_a_wing_opens_its_page(visit: Visit) -> None:
    visit.navigation.go("mesh")
    assert (visit.opened, visit.selected, visit.navigation.place) == (["mesh"], "mesh", "mesh")


def test_going_where_the_visitor_is_opens_nothing(visit: Visit) -> None:
    visit.navigation.go("xla/one")
    visit.navigation.go("xla/one")
    assert visit.opened == ["xla/one"]
    visit.navigation.back()
    assert visit.opened == ["xla/one"]


@pytest.mark.parametrize("name", ["xla/three", "nowhere", "", "/", "xla/"])
def test_an_unknown_place_is_said_and_leaves_the_visitor_where_they_are(visit: Visit, name: str) -> None:
    visit.navigation.go("xla/one")
    with pytest.raises(MuseumError, match=r"no (exhibit|wing)"):
        visit.navigation.go(name)
    assert visit.navigation.place == visit.selected == "xla/one"
    visit.navigation.back()
    assert visit.opened == ["xla/one"]


def test_the_sidebar_leads_to_what_is_chosen_there(visit: Visit) -> None:
    visit.sidebar.chosen.emit("xla/two")
    visit.sidebar.chosen.emit("mesh")
    assert visit.opened == ["xla/two", "mesh"]


def test_back_and_forward_walk_the_trail(visit: Visit) -> None:
    for place in ("xla", "xla/one", "mesh/torus"):
        visit.navigation.go(place)
    visit.opened.clear()
    for walk in (visit.navigation.back, visit.navigation.back, visit.navigation.back, visit.navigation.forward):
        walk()
    assert visit.opened == ["xla/one", "xla", "xla/one"]
    assert visit.selected == visit.navigation.place == "xla/one"


def test_another_way_from_the_middle_of_the_trail_forgets_what_lay_ahead(visit: Visit) -> None:
    for place in ("xla", "xla/one", "xla/two"):
        visit.navigation.go(place)
    visit.navigation.back()
    visit.navigation.go("mesh")
    visit.opened.clear()
    visit.navigation.forward()
    assert visit.opened == []
    visit.navigation.back()
    assert visit.opened == ["xla/one"]


def test_back_and_forward_at_the_start_lead_nowhere(visit: Visit) -> None:
    visit.navigation.back()
    visit.navigation.forward()
    assert visit.opened == []


def test_neighbours_follow_the_walk_across_wings_and_end_at_its_ends(visit: Visit) -> None:
    visit.navigation.go("xla/one")
    visit.opened.clear()
    for step in (1, 1, 1, -1, -1, -1):
        visit.navigation.neighbour(step)
    assert visit.opened == ["xla/two", "mesh/torus", "xla/two", "xla/one"]


def test_a_wing_has_no_neighbours(visit: Visit) -> None:
    visit.navigation.go("xla")
    visit.navigation.neighbour(1)
    assert visit.opened == ["xla"]


def test_a_link_of_the_museum_leads_inside(visit: Visit) -> None:
    visit.navigation.follow("museum:mesh/torus")
    visit.navigation.follow("museum:xla")
    assert visit.opened == ["mesh/torus", "xla"]
    assert visit.outside == []


def test_a_link_to_the_web_is_opened_outside(visit: Visit) -> None:
    visit.navigation.follow("https://docs.jax.dev/en/latest/")
    assert visit.outside == ["https://docs.jax.dev/en/latest/"]
    assert visit.opened == []


@pytest.mark.parametrize("address", ["museum:xla/three", "museum:nowhere", "museum:xla/"])
def test_a_link_to_a_place_that_is_not_there_says_so(visit: Visit, address: str) -> None:
    visit.navigation.follow(address)
    assert "no " in visit.bar.say.call_args.args[0]
    assert (visit.opened, visit.outside) == ([], [])


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "mailto:a@b.c",
        "#ways-out",
        "xla/one",
        "",
        "x:",
    ],
)
def test_any_other_link_is_inert(visit: Visit, address: str) -> None:
    visit.navigation.follow(address)
    assert (visit.opened, visit.outside) == ([], [])
    visit.bar.say.assert_not_called()


def test_typing_lists_what_is_found_and_emptying_brings_all_back(visit: Visit) -> None:
    visit.navigation.go("xla/two")
    visit.bar.query_edited.emit("indivis")
    assert visit.listed == ["An indivisible dimension"]
    assert visit.sidebar.set_empty.call_args.kwargs == {"nothing_found": False}
    assert visit.selected == "xla/two"
    visit.bar.query_edited.emit("")
    assert visit.listed == ["XLA", "Meshes"]
    assert visit.opened == ["xla/two"]


def test_blanks_are_no_search(visit: Visit) -> None:
    visit.bar.query_edited.emit("   ")
    assert visit.listed == ["XLA", "Meshes"]
    assert visit.sidebar.set_empty.call_args.kwargs == {"nothing_found": False}


def test_nothing_found_is_said_until_the_search_changes(visit: Visit) -> None:
    visit.bar.query_edited.emit("quaternion")
    assert visit.listed == []
    assert visit.sidebar.set_empty.call_args.kwargs == {"nothing_found": True}
    visit.bar.query_edited.emit("axis")
    assert visit.sidebar.set_empty.call_args.kwargs == {"nothing_found": False}


def test_enter_goes_to_the_best_hit(visit: Visit) -> None:
    visit.bar.query_edited.emit("torus")
    visit.bar.query_entered.emit()
    assert visit.opened == ["mesh/torus"]
    visit.sidebar.setFocus.assert_not_called()


def test_down_goes_to_the_best_hit_and_into_the_list(visit: Visit) -> None:
    visit.bar.query_edited.emit("torus")
    visit.bar.query_left_down.emit()
    assert visit.opened == ["mesh/torus"]
    visit.sidebar.setFocus.assert_called_once_with()


@pytest.mark.parametrize("query", ["", "quaternion"])
def test_enter_without_a_hit_leads_nowhere(visit: Visit, query: str) -> None:
    visit.bar.query_edited.emit(query)
    visit.bar.query_entered.emit()
    visit.bar.query_left_down.emit()
    assert visit.opened == []


def test_enter_after_the_search_was_emptied_leads_nowhere(visit: Visit) -> None:
    visit.bar.query_edited.emit("torus")
    visit.bar.query_edited.emit("")
    visit.bar.query_entered.emit()
    assert visit.opened == []

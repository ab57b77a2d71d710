"""Which page is on show, and what links, keys and the way back lead to."""

import pytest
from stand_ins import pretended

from gui.controllers.navigation import WELCOME, NavigationController
from gui.widgets.sidebar import Sidebar
from museum.catalog import Catalog, load_catalog
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


class Visit:
    """The controller between pretended views, and what it opened."""

    def __init__(self) -> None:
        self.sidebar = pretended(Sidebar)
        self.catalog = Catalog((XLA, MESH))
        self.opened: list[str] = []
        self.outside: list[str] = []
        self.said: list[str] = []
        self.pages: list[int] = []
        self.view: object = None  # how the page is looked at
        self.looked: list[object] = []
        self.navigation = NavigationController(
            self.catalog,
            self.sidebar,
            lambda exhibit: self.opened.append(exhibit.id),
            lambda wing: self.opened.append(wing.id),
            self.outside.append,
            self.said.append,
            show_page=self.show_page,
            open_welcome=lambda: self.opened.append("the welcome"),
            look=lambda: self.view,
            look_again=self.looked.append,
        )

    def show_page(self, page: int) -> None:
        """As the window: it tells of pages that come to the front, whoever brought them there."""
        self.pages.append(page)
        self.navigation.note_page(page)

    @property
    def selected(self) -> str:
        return self.sidebar.select.call_args.args[0]


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
    (said,) = visit.said
    assert said.startswith("Dead link: no ")
    assert "\n" not in said
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
    assert visit.said == []


# The way back


def test_back_gives_a_place_the_view_that_the_visitor_left(visit: Visit) -> None:
    visit.navigation.go("xla/one")
    visit.view = "half way down"
    visit.navigation.go("xla/two")
    visit.view = "at the top"
    visit.navigation.back()
    assert visit.looked == ["half way down"]
    visit.view = "lower"
    visit.navigation.forward()
    assert visit.looked == ["half way down", "at the top"]
    visit.navigation.back()
    assert visit.looked[-1] == "lower"


def test_back_leads_from_another_page_to_the_place_behind_it(visit: Visit) -> None:
    visit.navigation.go("xla/one")
    visit.view = "half way down"
    visit.navigation.note_page(2)
    visit.opened.clear()
    visit.navigation.back()
    assert visit.pages[-1] == 0
    assert visit.opened == []  # it is open already
    assert visit.looked == ["half way down"]
    visit.navigation.forward()
    assert visit.pages[-1] == 2


def test_a_way_across_pages_is_walked_back_step_by_step(visit: Visit) -> None:
    visit.navigation.go("xla/one")
    visit.navigation.note_page(1)
    visit.navigation.go("mesh/torus")  # by the palette, say
    assert visit.pages[-1] == 0
    visit.navigation.note_page(2)
    visit.opened.clear()
    visit.pages.clear()
    for _ in range(4):
        visit.navigation.back()
    assert visit.pages == [0, 1, 0]
    assert visit.opened == ["xla/one"]
    assert visit.navigation.place == "xla/one"


def test_going_from_another_page_to_the_place_behind_it_is_a_step(visit: Visit) -> None:
    visit.navigation.go("xla/one")
    visit.navigation.note_page(1)
    visit.opened.clear()
    visit.navigation.go("xla/one")
    assert (visit.opened, visit.pages[-1]) == ([], 0)
    visit.navigation.back()
    assert visit.pages[-1] == 1


def test_the_same_page_again_is_no_step(visit: Visit) -> None:
    visit.navigation.go("xla/one")
    visit.navigation.note_page(0)
    visit.navigation.note_page(1)
    visit.navigation.note_page(1)
    visit.navigation.back()
    visit.navigation.back()
    assert visit.opened == ["xla/one"]


def test_back_to_a_place_that_is_gone_says_so_and_stays(visit: Visit) -> None:
    for place in ("xla/one", "mesh/torus", "xla/two"):
        visit.navigation.go(place)
    object.__setattr__(visit.catalog, "wings", (XLA,))
    visit.navigation.back()
    assert visit.said[0].startswith("no exhibit mesh/torus")
    assert visit.navigation.place == "xla/two"
    visit.navigation.back()
    assert visit.navigation.place == "xla/one"
    visit.navigation.forward()
    assert visit.navigation.place == "xla/two"


def test_the_welcome_is_a_place_that_one_comes_back_to(visit: Visit) -> None:
    visit.navigation.go(WELCOME)
    visit.navigation.go("xla/one")
    visit.navigation.back()
    assert visit.opened == ["the welcome", "xla/one", "the welcome"]
    assert visit.navigation.place == WELCOME
    assert WELCOME not in {wing.id for wing in load_catalog(check=False).wings}

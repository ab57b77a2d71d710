"""The collection grows and shrinks under the visitor: they stay where they are, as far as that is still there."""

import pytest
from stand_ins import pretended

from gui.controllers.navigation import NavigationController
from gui.models.catalog_model import ASIDE_ROLE, MARK_ROLE, CatalogModel, Mark
from gui.widgets.sidebar import Sidebar
from museum.catalog import Catalog
from museum.exhibit import Exhibit, ExhibitFile, Half, OutcomeKind, Placard, Wing

GOOD = Mark("✓", "good", "proven")


def exhibit(name: str) -> Exhibit:
    facts = ExhibitFile(name, OutcomeKind.RAISES, ("cpu:8",), ("0.10.2",), (), ())
    return Exhibit(name, 1, facts, Placard("", "", ""), dict.fromkeys(Half, "pass\n"), ())


XLA = Wing("xla", "XLA", "", (exhibit("xla/one"), exhibit("xla/two")))
MINE = Wing("mine", "My exhibits", "", (exhibit("mine/a"), exhibit("mine/b")))
LESS = Wing("mine", "My exhibits", "", (exhibit("mine/b"),))


class Visit:
    def __init__(self) -> None:
        self.sidebar = pretended(Sidebar)
        self.model = CatalogModel(Catalog((XLA,)), {"xla/one": GOOD, "xla/two": GOOD})
        self.opened: list[str] = []
        self.navigation = NavigationController(
            Catalog((XLA,)),
            self.sidebar,
            lambda one: self.opened.append(one.id),
            lambda wing: self.opened.append(wing.id),
            lambda _: None,
        )

    def change(self, *wings: Wing) -> None:
        self.opened.clear()
        catalog = Catalog(wings)
        self.model.set_catalog(catalog, {one.id: GOOD for one in catalog.exhibits if one.wing == "mine"})
        self.navigation.set_catalog(catalog)


@pytest.fixture
def visit() -> Visit:
    return Visit()


def test_a_wing_comes_and_goes_at_the_end(visit: Visit) -> None:
    visit.navigation.go("xla/two")
    visit.change(XLA, MINE)
    assert visit.opened == []
    assert visit.sidebar.select.call_args.args == ("xla/two",)
    assert visit.model.index_of("mine").data(ASIDE_ROLE) == "2/2"
    assert visit.model.index_of("xla/one").data(MARK_ROLE) == GOOD
    visit.navigation.go("mine/a")
    visit.change(XLA)
    assert visit.opened == ["xla"]
    assert not visit.model.index_of("mine").isValid()


def test_who_is_at_what_went_away_comes_to_its_wing(visit: Visit) -> None:
    visit.change(XLA, MINE)
    visit.navigation.go("mine/a")
    visit.change(XLA, LESS)
    assert (visit.opened, visit.navigation.place) == (["mine"], "mine")


def test_who_came_from_the_wing_is_shown_it_anew(visit: Visit) -> None:
    visit.change(XLA, MINE)
    visit.navigation.go("mine")
    visit.navigation.go("mine/a")
    visit.change(XLA, LESS)
    assert (visit.opened, visit.navigation.place) == (["mine"], "mine")


def test_the_trail_leads_only_to_what_is_there(visit: Visit) -> None:
    visit.change(XLA, MINE)
    for name in ("xla/one", "mine/a", "xla/two"):
        visit.navigation.go(name)
    visit.change(XLA, LESS)
    visit.navigation.back()
    assert visit.navigation.place == "xla/one"
    visit.navigation.forward()
    assert visit.navigation.place == "xla/two"


def test_neighbours_know_the_new_ones(visit: Visit) -> None:
    visit.change(XLA, MINE)
    visit.navigation.go("xla/two")
    visit.navigation.neighbour(1)
    assert visit.navigation.place == "mine/a"

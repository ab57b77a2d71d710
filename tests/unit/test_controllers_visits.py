"""What the window shows of favourites and recent exhibits."""

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from stand_ins import pretended

from gui.controllers import visits
from gui.controllers.visits import VisitsController
from gui.main_window import MainWindow
from gui.models.catalog_model import CatalogModel
from gui.widgets.exhibit_page import ExhibitPage
from museum.catalog import Catalog
from museum.exhibit import Exhibit, ExhibitFile, Half, OutcomeKind, Placard, Wing
from museum.history import History


def exhibit(name: str) -> Exhibit:
    facts = ExhibitFile(f"Title of {name}", OutcomeKind.RAISES, ("cpu:8",), (), (), ())
    return Exhibit(name, 1, facts, Placard("", "", ""), {Half.FAILING: "", Half.FIX: ""}, ())


CATALOG = Catalog((Wing("xla", "XLA", "", tuple(exhibit(f"xla/{name}") for name in "abc")),))


class Ways:
    """The controller between pretended views, on a real history."""

    def __init__(self, history: History) -> None:
        self.window, self.page, self.model = pretended(MainWindow), pretended(ExhibitPage), CatalogModel(CATALOG, {})
        self.noted: dict[str, tuple[str, ...]] = {}
        self.said: list[str] = []
        self.controller = VisitsController(
            CATALOG, history.visits, self.window, self.page, self.model, self.noted.__setitem__, self.said.append
        )

    @property
    def star(self) -> bool:
        on = self.page.set_favourite.call_args.kwargs["on"]
        assert self.window.set_switch.call_args.kwargs == {"on": on}
        return on

    @property
    def section(self) -> list[str]:
        """Titles in the favourites' section; nothing where there is none."""
        top = self.model.index(0, 0)
        if top.data() != "Favourites":
            return []
        return [self.model.index(row, 0, top).data() for row in range(self.model.rowCount(top))]


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    history = History(tmp_path / "history.sqlite")
    yield history
    history.close()


@pytest.fixture
def ways(history: History, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ways]:
    monkeypatch.setattr(visits, "STAY", 0.0)
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    ways = Ways(history)
    yield ways
    ways.controller.close()
    asyncio.set_event_loop(None)
    loop.close()


def wait() -> None:
    """As long as it takes to count as a visit."""
    asyncio.get_event_loop().run_until_complete(asyncio.sleep(0.01))


def test_the_star_makes_a_favourite_and_takes_it_back(ways: Ways, history: History) -> None:
    ways.controller.opened("xla/b")
    assert not ways.star
    ways.page.favourite_switched.emit(True)
    assert ways.star
    assert ways.section == ["Title of xla/b"]
    assert ways.noted["favourite"] == ("xla/b",)
    assert history.visits.favourites() == ("xla/b",)
    ways.controller.toggle()
    assert not ways.star
    assert ways.section == []
    assert history.visits.favourites() == ()


def test_each_exhibit_has_its_own_star_and_a_wing_has_none(ways: Ways) -> None:
    ways.controller.opened("xla/a")
    ways.controller.toggle()
    ways.controller.opened("xla/b")
    assert not ways.star
    ways.controller.opened("xla/a")
    assert ways.star
    ways.controller.opened("")
    assert not ways.star
    ways.controller.toggle()
    assert ways.said == ["Open an exhibit first; then it can be a favourite."]
    assert not ways.star


def test_who_stays_was_there_and_who_leafs_through_was_not(ways: Ways, history: History) -> None:
    for name in ("xla/a", "xla/b", "xla/c"):
        ways.controller.opened(name)
    wait()
    assert history.visits.recent() == ("xla/c",)
    ways.controller.opened("xla/a")
    wait()
    assert [one.id for one in ways.controller.recent] == ["xla/a", "xla/c"]
    assert ways.window.set_recent.call_args.args[0] == [("xla/a", "Title of xla/a"), ("xla/c", "Title of xla/c")]
    assert ways.noted["recent"] == ("xla/a", "xla/c")
    ways.controller.opened("xla/b")
    ways.controller.close()
    wait()
    assert history.visits.recent() == ("xla/a", "xla/c")


def test_what_another_window_changed_is_shown_when_the_visitor_comes_back(ways: Ways, history: History) -> None:
    ways.controller.opened("xla/a")
    other = History(history.file)
    other.visits.set_favourite("xla/a", on=True)
    other.visits.note("xla/b")
    other.close()
    assert not ways.star
    ways.controller.refresh()
    assert ways.star
    assert ways.section == ["Title of xla/a"]
    assert [one.id for one in ways.controller.recent] == ["xla/b"]


def test_what_is_not_in_the_collection_is_kept_and_not_shown(ways: Ways, history: History) -> None:
    history.visits.set_favourite("mine/own", on=True)
    history.visits.note("mine/own")
    ways.controller.refresh()
    assert ways.section == []
    assert ways.controller.recent == ()
    ways.controller.take_catalog(Catalog((*CATALOG.wings, Wing("mine", "Mine", "", (exhibit("mine/own"),)))))
    assert ways.section == ["Title of mine/own"]
    assert [one.id for one in ways.controller.recent] == ["mine/own"]


def test_a_favourite_that_cannot_be_kept_is_said_and_shown_as_it_is(ways: Ways, history: History) -> None:
    ways.controller.opened("xla/a")
    base, history.visits._base = history.visits._base, sqlite3.connect(":memory:")
    ways.controller.toggle()
    assert not ways.star
    assert all(said.startswith("favourites and recent exhibits cannot be kept: ") for said in ways.said)
    assert ways.said
    history.visits._base.close()
    history.visits._base = base

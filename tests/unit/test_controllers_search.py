"""What the list shows while the visitor searches, and what filters by hand write into the search box."""

import asyncio
import gc
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from stand_ins import pretended

from gui.controllers import search as search_module
from gui.controllers.search import SearchController
from gui.models.catalog_model import CatalogModel
from gui.widgets.finder import Chip, Finder, Found
from gui.widgets.run_bar import RunBar
from gui.widgets.sidebar import Sidebar
from museum.catalog import Catalog
from museum.exhibit import Exhibit, ExhibitFile, Half, OutcomeKind, Placard, Wing
from museum.search import Index


def exhibit(name: str, title: str, kind: OutcomeKind = OutcomeKind.RAISES) -> Exhibit:
    facts = ExhibitFile(title, kind, ("cpu:8",), ("0.10.2",), (f"tag-{len(title)}",), ())
    scripts = {Half.FAILING: "raise ValueError\n", Half.FIX: "pass\n"}
    return Exhibit(name, 1, facts, Placard("It means.", "Often.", "1. Wait."), scripts, ())


MESH = Wing("mesh", "Meshes", "Of meshes.", (exhibit("mesh/torus", "A torus that cannot host the axis"),))
XLA = Wing(
    "xla",
    "XLA",
    "Of XLA.",
    (exhibit("xla/one", "An indivisible dimension"), exhibit("xla/two", "Unknown axis", OutcomeKind.SILENT)),
)
CATALOG = Catalog((XLA, MESH))


class Search:
    """The controller between pretended views."""

    def __init__(self) -> None:
        self.sidebar, self.bar, self.finder = pretended(Sidebar), pretended(RunBar), pretended(Finder)
        self.model = CatalogModel(CATALOG, {})
        self.gone: list[str] = []
        self.controller = SearchController(
            CATALOG,
            self.bar,
            self.finder,
            self.sidebar,
            self.model,
            self.gone.append,
            lambda: self.gone[-1] if self.gone else "",
        )

    async def ready(self) -> None:
        self.controller.prepare()
        await self.controller.close()

    def type(self, query: str) -> None:
        self.bar.query_edited.emit(query)

    @property
    def written(self) -> str:
        """What the controller wrote into the box."""
        return self.bar.set_query.call_args.args[0]

    @property
    def found(self) -> Found:
        return self.finder.show_found.call_args.args[0]

    @property
    def chosen(self) -> dict[str, frozenset[str]]:
        """What the popup has on."""
        return self.finder.offer.call_args.args[1]

    @property
    def listed(self) -> list[str]:
        """Titles at the top level of the list."""
        return [self.model.index(row, 0).data() for row in range(self.model.rowCount())]


Story = Callable[[Search], Coroutine[Any, Any, None]]


def play(story: Story) -> Search:
    """A story told to a search whose index is there."""

    async def tell() -> Search:
        search = Search()
        await search.ready()
        await story(search)
        return search

    return asyncio.run(tell())


def after(*queries: str) -> Search:
    async def story(search: Search) -> None:
        for query in queries:
            search.type(query)

    return play(story)


def test_before_anything_is_typed_it_says_how_many_there_are() -> None:
    search = Search()
    assert search.found == Found("3 exhibits")
    assert search.listed == ["XLA", "Meshes"]


def test_what_is_typed_before_the_index_is_there_is_answered_when_it_is() -> None:
    async def tell() -> Search:
        search = Search()
        search.type("indivis")
        assert search.found.count == "reading the exhibits …"
        assert search.listed == ["XLA", "Meshes"]
        search.finder.offer.assert_not_called()
        await search.controller.close()
        return search

    search = asyncio.run(tell())
    assert search.listed == ["An indivisible dimension"]
    assert search.found.count == "1 found"


def test_the_index_is_made_in_a_thread_and_garbage_is_left_alone_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[bool, bool]] = []

    def make(catalog: Catalog) -> Index:
        made.append((threading.current_thread() is threading.main_thread(), gc.isenabled()))
        return Index(catalog)

    monkeypatch.setattr(search_module, "Index", make)
    after("axis")
    assert made == [(False, False)]
    assert gc.isenabled()


def test_a_collection_that_comes_while_another_is_read_is_the_one_that_is_searched() -> None:
    async def tell() -> Search:
        search = Search()
        search.controller.prepare()
        mine = Wing("mine", "Mine", "", (exhibit("mine/one", "A quaternion"),))
        search.controller.take_catalog(Catalog((mine,)))
        await search.controller.close()
        search.type("quaternion")
        return search

    assert asyncio.run(tell()).listed == ["A quaternion"]


def test_return_before_the_index_is_there_leads_to_the_best_hit_when_it_is() -> None:
    async def tell(*then: str) -> Search:
        search = Search()
        search.type("torus")
        search.bar.query_entered.emit()
        for query in then:
            search.type(query)
        await search.controller.close()
        return search

    assert asyncio.run(tell()).gone == ["mesh/torus"]
    assert asyncio.run(tell("axis")).gone == []  # the visitor went on typing


def test_typing_lists_what_is_found_and_emptying_brings_all_back() -> None:
    search = after("indivis")
    assert search.listed == ["An indivisible dimension"]
    assert search.found == Found("1 found")
    assert search.sidebar.set_searching.call_args.kwargs == {"searching": True}
    search.type("  ")
    assert search.listed == ["XLA", "Meshes"]
    assert search.found == Found("3 exhibits")
    assert search.sidebar.set_searching.call_args.kwargs == {"searching": False}
    assert search.gone == []


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("quaternion", "No exhibit has all of these words. Try fewer"),
        ("quaternion kind:silent", "No exhibit has all of these words and fits the filters."),
        ("kind:silent wing:mesh", "No exhibit fits all of these filters. Drop one"),
        ("wing:memori", "No exhibit has such a value."),
        ("is:favourite", "You have no favourites yet. Ctrl+D"),
    ],
)
def test_when_nothing_is_found_it_says_what_to_do(query: str, words: str) -> None:
    search = after(query)
    assert search.listed == []
    assert search.found.count == "none found"
    assert search.found.empty.startswith(words)
    search.type("axis")
    assert search.found.empty == ""


def test_an_unknown_value_and_a_mistyped_word_are_told() -> None:
    assert after("wing:mehs").found.notes == ("No wing mehs; did you mean mesh?",)
    search = after("indivisibel dimnesion")
    assert search.listed == ["An indivisible dimension"]
    assert search.found.notes == (
        "Showing results for indivisible and dimension; nothing has indivisibel or dimnesion.",
    )


def test_conditions_are_shown_as_they_were_typed_and_can_be_removed() -> None:
    search = after("axis kind:silent,raises -wing:mesh")
    wanted = (Chip("kind", "silent"), Chip("kind", "raises"), Chip("wing", "mesh", excludes=True))
    assert search.found.chips == wanted
    assert [chip.words for chip in wanted] == ["kind silent", "kind raises", "not wing mesh"]
    search.finder.chip_removed.emit(wanted[0])
    assert search.written == "axis kind:raises -wing:mesh"
    search.finder.chip_removed.emit(wanted[2])
    assert search.written == "axis kind:raises"
    search.finder.filters_cleared.emit()
    assert search.written == "axis"
    search.finder.cleared.emit()
    assert search.written == ""
    assert search.listed == ["XLA", "Meshes"]


def test_filters_by_hand_are_written_into_the_query_and_read_from_it() -> None:
    search = after("axis")
    search.finder.filter_switched.emit("kind", "silent", True)
    assert search.written == "axis kind:silent"
    assert search.listed == ["Unknown axis"]
    assert search.chosen == {"kind": {"silent"}}
    search.finder.filter_switched.emit("kind", "raises", True)
    assert search.written == "axis kind:silent,raises"
    search.finder.filter_switched.emit("kind", "silent", False)
    assert search.written == "axis kind:raises"
    search.type("kind:sil -wing:mesh")  # the beginning of a value stands for it
    assert search.chosen == {"kind": {"silent"}}
    search.finder.filter_switched.emit("kind", "silent", False)
    assert search.written == "-wing:mesh"


def test_what_can_be_filtered_is_offered_with_its_counts_and_completed() -> None:
    search = after("")
    facets = {facet.key: facet for facet in search.finder.offer.call_args.args[0]}
    assert facets["wing"].values == (("xla", 2), ("mesh", 1))
    assert facets["kind"].values == (("raises", 2), ("silent", 1))
    assert facets["is"].values == (("favourite", 0), ("recent", 0))
    assert facets["tag"].note == ""
    values = search.bar.offer_values.call_args.args[0]
    assert values["wing"] == ("xla", "mesh")
    assert "reproduces" in values["verdict"]


def test_what_happened_just_now_is_found_also_when_it_came_before_the_index() -> None:
    async def story(search: Search) -> None:
        search.controller.note_verdict("xla/one", "0.10.2", "does not fail")
        search.type("verdict:does-not-fail")

    assert play(story).listed == ["An indivisible dimension"]

    async def tell() -> Search:
        search = Search()
        search.controller.note_verdict("xla/one", "0.10.2", "does not fail")
        search.controller.note_those("favourite", ["mesh/torus"])
        search.type("verdict:does-not-fail")
        await search.controller.close()
        return search

    early = asyncio.run(tell())
    assert early.listed == ["An indivisible dimension"]


def test_a_search_for_favourites_follows_them_and_another_stays_as_it_is() -> None:
    async def story(search: Search) -> None:
        search.type("is:favourite")
        search.controller.note_those("favourite", ["mesh/torus"])
        assert search.listed == ["A torus that cannot host the axis"]
        search.controller.note_those("favourite", [])
        assert search.listed == []
        search.type("axis")
        calls = search.finder.show_found.call_count
        search.controller.note_those("recent", ["mesh/torus"])
        assert search.finder.show_found.call_count == calls

    play(story)


def test_another_collection_is_searched_once_its_index_is_there() -> None:
    async def story(search: Search) -> None:
        search.type("quaternion")
        mine = Wing("mine", "Mine", "", (exhibit("mine/one", "A quaternion"),))
        search.controller.take_catalog(Catalog((XLA, MESH, mine)))
        await search.controller.close()
        assert search.listed == ["A quaternion"]
        search.type("")
        assert search.found.count == "4 exhibits"

    play(story)


def test_enter_walks_from_the_best_hit_to_the_next_and_around() -> None:
    async def story(search: Search) -> None:
        search.gone.append("xla/two")
        search.type("axis")
        hits = [found.id for found in search.controller._found]
        assert sorted(hits) == ["mesh/torus", "xla/two"]
        for _ in range(3):
            search.bar.query_entered.emit()
        assert search.gone == ["xla/two", hits[0], hits[1], hits[0]]
        search.type("axi")
        search.bar.query_entered.emit()
        assert search.gone[-1] == hits[0]

    play(story)


def test_enter_leads_to_hits_that_the_list_has_not_come_to_yet() -> None:
    many = Wing("many", "Many", "", tuple(exhibit(f"many/{number}", f"Quaternion {number}") for number in range(80)))

    async def story(search: Search) -> None:
        search.controller.take_catalog(Catalog((many,)))
        await search.controller.close()
        search.type("quaternion")
        assert len(search.listed) < 60
        for _ in range(70):
            search.bar.query_entered.emit()
        assert search.model.index_of(search.gone[-1]).isValid()

    play(story)


def test_down_goes_to_the_best_hit_and_into_the_list() -> None:
    search = after("torus")
    search.bar.query_left_down.emit()
    assert search.gone == ["mesh/torus"]
    search.sidebar.setFocus.assert_called_once_with()


@pytest.mark.parametrize("queries", [("",), ("quaternion",), ("torus", "")])
def test_enter_without_a_hit_leads_nowhere(queries: tuple[str, ...]) -> None:
    search = after(*queries)
    search.bar.query_entered.emit()
    search.bar.query_left_down.emit()
    assert search.gone == []


def test_the_list_leads_back_to_the_box_and_out_of_the_search() -> None:
    search = after("torus")
    search.sidebar.left_up.emit()
    search.bar.take_focus.assert_called_once_with()
    search.sidebar.search_ended.emit()
    assert search.written == ""
    assert search.listed == ["XLA", "Meshes"]

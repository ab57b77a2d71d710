"""Decides what the list shows while the visitor searches: words, filters by hand or typed, what there is to say."""

import asyncio
from collections.abc import Callable, Iterable, Mapping

from gui.collecting import held_off
from gui.models.catalog_model import CatalogModel
from gui.widgets.filter_panel import Facet
from gui.widgets.finder import Chip, Finder, Found
from gui.widgets.run_bar import RunBar
from gui.widgets.sidebar import Sidebar
from museum.catalog import Catalog
from museum.exhibit import Exhibit
from museum.search import Answer, Index
from museum.search_query import KEYS, Query, meant, read_query, with_value, without_filters, without_value

TITLES = {
    "is": "Yours",
    "wing": "Wing",
    "kind": "Kind",
    "jax": "JAX version",
    "verdict": "Verdict of either half",
    "tag": "Tag",
}
MOST_TAGS = 18  # offered by hand; the others are typed


class SearchController:
    """Connects the search box, the filters and the list with the index.

    The text in the box is the one truth: filters by hand write into it and are read from it. The index is made in a
    thread; a search that comes before is answered when it is there.

    Args:
        catalog: The collection.
        bar: Holds the search box.
        finder: The head of the list.
        sidebar: The list.
        model: Its model.
        go: Goes to an exhibit.
        place: Where the visitor is.
    """

    def __init__(
        self,
        catalog: Catalog,
        bar: RunBar,
        finder: Finder,
        sidebar: Sidebar,
        model: CatalogModel,
        go: Callable[[str], None],
        place: Callable[[], str],
    ) -> None:
        self._catalog, self._bar, self._finder, self._sidebar, self._model = catalog, bar, finder, sidebar, model
        self._go, self._place = go, place
        self._index: Index | None = None
        self._building: asyncio.Task[None] | None = None
        self._those: dict[str, tuple[str, ...]] = {}
        self._verdicts: list[tuple[str, str, str]] = []
        self._query = ""
        self._found: list[Exhibit] = []
        self._step = -1  # which hit Return led to
        self._hurry = False  # Return was pressed before there was an index
        bar.query_edited.connect(self.ask)
        bar.query_entered.connect(self._on_bar_query_entered)
        bar.query_left_down.connect(self._on_bar_query_left_down)
        sidebar.search_ended.connect(lambda: self.write(""))
        sidebar.left_up.connect(bar.take_focus)
        finder.cleared.connect(lambda: self.write(""))
        finder.filters_cleared.connect(lambda: self.write(without_filters(self._query)))
        finder.filter_switched.connect(self._on_finder_filter_switched)
        finder.chip_removed.connect(self._on_finder_chip_removed)
        finder.show_found(Found(_exhibits(len(catalog.exhibits))))

    # The index

    def prepare(self) -> None:
        """Make the index now, before the first key; does nothing the second time."""
        if self._building is None:
            self._building = asyncio.ensure_future(self._build())

    def take_catalog(self, catalog: Catalog) -> None:
        """Search another collection from now on; until its index is there the old one answers."""
        self._catalog = catalog
        if self._building is None or self._building.done():  # else it begins anew by itself
            self._building = asyncio.ensure_future(self._build())

    async def close(self) -> None:
        """Wait until nothing of it is alive."""
        if self._building is not None:
            await asyncio.gather(self._building, return_exceptions=True)

    async def _build(self) -> None:
        catalog: Catalog | None = None
        while catalog is not self._catalog:
            catalog = self._catalog
            index = await _index_of(catalog)
        self._index = index
        for noted in self._verdicts:
            index.note_verdict(*noted)
        for value, ids in self._those.items():
            index.note_those(value, ids)
        self._bar.offer_values({key: index.values(key) for key in KEYS})
        hurry = self._hurry
        self.ask(self._query)
        if hurry:
            self._on_bar_query_entered()

    def note_verdict(self, exhibit_id: str, jax: str, verdict: str) -> None:
        """Let ``verdict:`` find what an exhibit did just now."""
        self._verdicts.append((exhibit_id, jax, verdict))
        if self._index is not None:
            self._index.note_verdict(exhibit_id, jax, verdict)

    def note_those(self, value: str, exhibit_ids: Iterable[str]) -> None:
        """Let ``is:`` find these; a search for them follows."""
        self._those[value] = tuple(exhibit_ids)
        if self._index is not None:
            self._index.note_those(value, self._those[value])
            if any(one.key == "is" for one in read_query(self._query).filters):
                self.ask(self._query)

    # The query

    def write(self, query: str) -> None:
        """Put another query into the box, and ask it."""
        self._bar.set_query(query)
        self.ask(query)

    def ask(self, query: str) -> None:
        """Show what a query finds; an empty one shows everything again."""
        self._query, self._step, self._hurry = query, -1, False
        is_search = bool(query.strip())
        if self._index is None:
            self.prepare()
            if is_search:
                self._finder.show_found(Found("reading the exhibits …"))
            return
        read = read_query(query)
        if is_search:
            answer = self._index.ask(query)
            self._found = [hit.exhibit for hit in answer.hits]
            self._finder.show_found(self._in_words(answer, read))
        else:
            self._found = []
            self._finder.show_found(Found(_exhibits(len(self._catalog.exhibits))))
        self._finder.offer(self._facets(self._index), self._chosen(self._index, read))
        self._sidebar.set_searching(searching=is_search)
        self._model.show_found(self._found if is_search else None)

    def _in_words(self, answer: Answer, read: Query) -> Found:
        notes = [answer.notice[:1].upper() + answer.notice[1:]] if answer.notice else []
        if answer.corrections:
            typed, taken = zip(*answer.corrections.items(), strict=True)
            notes.append(f"Showing results for {' and '.join(taken)}; nothing has {' or '.join(typed)}.")
        chips = tuple(Chip(one.key, value, one.excludes) for one in read.filters for value in one.values)
        count = f"{len(answer.hits)} found" if answer.hits else "none found"
        return Found(count, chips, tuple(notes), "" if answer.hits else self._what_to_do(read, answer.notice))

    def _what_to_do(self, read: Query, notice: str) -> str:
        if notice:
            return "No exhibit has such a value. Correct it or drop it."
        wanted = {value for one in read.filters if one.key == "is" and not one.excludes for value in one.values}
        if not read.words and wanted == {"favourite"} and not self._those.get("favourite"):
            return "You have no favourites yet. Ctrl+D, or the star beside a title, makes an exhibit one."
        if not read.words:
            return "No exhibit fits all of these filters. Drop one of them."
        if read.filters:
            return "No exhibit has all of these words and fits the filters. Try fewer words, or drop a filter."
        return "No exhibit has all of these words. Try fewer of them: an axis, a function, an error class."

    def _facets(self, index: Index) -> tuple[Facet, ...]:
        made = []
        for key, title in TITLES.items():
            counts = [(value, count) for value, count in index.counts(key).items() if count or key == "is"]
            note = ""
            if key == "tag":
                rest = len(counts) - MOST_TAGS
                counts = sorted(counts, key=lambda pair: -pair[1])[:MOST_TAGS]
                note = f"and {rest} more: type tag: and a few letters into the search box" if rest > 0 else ""
            made.append(Facet(key, title, tuple(counts), note))
        return tuple(made)

    def _chosen(self, index: Index, read: Query) -> Mapping[str, frozenset[str]]:
        chosen: dict[str, frozenset[str]] = {}
        for one in read.filters:
            if not one.excludes:
                values = frozenset[str]().union(*(_meant(index, one.key, typed) for typed in one.values))
                chosen[one.key] = chosen.get(one.key, frozenset()) | values
        return chosen

    # By hand

    def _on_finder_filter_switched(self, key: str, value: str, on: bool) -> None:
        if on:
            self.write(with_value(self._query, key, value))
            return
        query = self._query
        for one in read_query(query).filters:
            for typed in one.values:
                if one.key == key and not one.excludes and self._index and value in _meant(self._index, key, typed):
                    query = without_value(query, key, typed)
        self.write(query)

    def _on_finder_chip_removed(self, chip: Chip) -> None:
        self.write(without_value(self._query, chip.key, chip.value, excludes=chip.excludes))

    def _on_bar_query_entered(self) -> None:
        """To the best hit; again, to the next one."""
        self._hurry = self._index is None
        if not self._found:
            return
        ids = [exhibit.id for exhibit in self._found]
        if self._step >= 0:
            here = ids.index(self._place()) if self._place() in ids else self._step
            self._step = (here + 1) % len(ids)
        else:
            self._step = 0
        self._model.fetch_to(ids[self._step])
        self._go(ids[self._step])

    def _on_bar_query_left_down(self) -> None:
        self._sidebar.setFocus()
        if self._found:
            self._go(self._found[0].id)


async def _index_of(catalog: Catalog) -> Index:
    """Made in a thread, without collecting garbage meanwhile: widgets in it may not die there."""
    with held_off():
        return await asyncio.to_thread(Index, catalog)


def _exhibits(count: int) -> str:
    return "1 exhibit" if count == 1 else f"{count} exhibits"


def _meant(index: Index, key: str, typed: str) -> frozenset[str]:
    return meant(key, typed, index.values(key))[0]

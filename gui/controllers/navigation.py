"""Decides which page is on show: sidebar, search, links, back and forward."""

from collections.abc import Callable

from gui.models.catalog_model import CatalogModel
from gui.widgets.run_bar import RunBar
from gui.widgets.sidebar import Sidebar
from museum.catalog import Catalog
from museum.errors import MuseumError
from museum.exhibit import Exhibit, Wing
from museum.search import Index

LINK = "museum:"


class NavigationController:
    """Connects whatever names a place with the page that shows it.

    Args:
        catalog: The collection.
        sidebar: The list.
        model: Its model.
        bar: Holds the search box.
        open_exhibit: Shows an exhibit.
        open_wing: Shows a wing.
        open_outside: Opens an address of the web.
    """

    def __init__(
        self,
        catalog: Catalog,
        sidebar: Sidebar,
        model: CatalogModel,
        bar: RunBar,
        open_exhibit: Callable[[Exhibit], None],
        open_wing: Callable[[Wing], None],
        open_outside: Callable[[str], None],
    ) -> None:
        self._catalog, self._sidebar, self._model, self._bar = catalog, sidebar, model, bar
        self._open_exhibit, self._open_wing, self._open_outside = open_exhibit, open_wing, open_outside
        self._index: Index | None = None
        self._found: list[Exhibit] = []
        self._query = ""
        self._trail: list[str] = []
        self._step = -1
        sidebar.chosen.connect(self.go)
        bar.query_edited.connect(self._on_bar_query_edited)
        bar.query_entered.connect(self._on_bar_query_entered)
        bar.query_left_down.connect(self._on_bar_query_left_down)

    @property
    def place(self) -> str:
        """Id of the exhibit or wing on show; "" at the start."""
        return self._trail[self._step] if self._trail else ""

    def set_catalog(self, catalog: Catalog) -> None:
        """Another collection, which the sidebar's model shows already; the visitor stays where they are.

        Where that is not there any more, they come to its wing, or else to the first one.
        """
        self._catalog, self._index = catalog, None
        known = {exhibit.id for exhibit in catalog.exhibits} | {wing.id for wing in catalog.wings}
        place = self.place
        walked = [name for name in self._trail[: self._step + 1] if name in known]
        ahead = [name for name in self._trail[self._step + 1 :] if name in known]
        self._trail, self._step = [*walked, *ahead], len(walked) - 1
        if self._query.strip():
            self._on_bar_query_edited(self._query)
        if not place or place in known:
            self._sidebar.select(place)
            return
        wing = place.partition("/")[0]
        instead = wing if wing in known else next((wing.id for wing in catalog.wings), "")
        if instead and instead == self.place:
            self._show(instead)
        elif instead:
            self.go(instead)

    def go(self, name: str) -> None:
        """Go to a wing or an exhibit; unknown ids leave the visitor where they are.

        Raises:
            MuseumError: There is no such place.
        """
        if name == self.place:
            return
        self._show(name)
        self._trail = [*self._trail[: self._step + 1], name]
        self._step = len(self._trail) - 1

    def show_again(self) -> None:
        """Show the place anew: what is there has changed."""
        if self.place:
            self._show(self.place)

    def follow(self, address: str) -> None:
        """Follow a link of a placard."""
        if address.startswith(LINK):
            try:
                self.go(address.removeprefix(LINK))
            except MuseumError as error:
                self._bar.say(str(error))
        elif address.startswith("https://"):
            self._open_outside(address)

    def back(self) -> None:
        """To where the visitor was before."""
        self._walk(-1)

    def forward(self) -> None:
        """Undo `back`."""
        self._walk(1)

    def neighbour(self, step: int) -> None:
        """To the next exhibit (1) or the one before (-1) in walking order."""
        exhibits = [exhibit.id for exhibit in self._catalog.exhibits]
        if self.place in exhibits:
            place = exhibits.index(self.place) + step
            if 0 <= place < len(exhibits):
                self.go(exhibits[place])

    def _walk(self, step: int) -> None:
        if 0 <= self._step + step < len(self._trail):
            self._step += step
            self._show(self._trail[self._step])

    def _show(self, name: str) -> None:
        if "/" in name:
            self._open_exhibit(self._catalog.exhibit(name))
        else:
            self._open_wing(self._catalog.wing(name))
        self._sidebar.select(name)

    def _on_bar_query_edited(self, query: str) -> None:
        self._query = query
        if not query.strip():
            self._found = []
            self._model.show_found(None)
        else:
            if self._index is None:
                self._index = Index(self._catalog)
            self._found = [hit.exhibit for hit in self._index.find(query)]
            self._model.show_found(self._found)
        self._sidebar.set_empty(nothing_found=bool(query.strip()) and not self._found)
        self._sidebar.select(self.place)

    def _on_bar_query_entered(self) -> None:
        if self._found:
            self.go(self._found[0].id)

    def _on_bar_query_left_down(self) -> None:
        self._sidebar.setFocus()
        if self._found:
            self.go(self._found[0].id)

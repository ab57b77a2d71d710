"""Decides which page is on show: sidebar, links, neighbours, back and forward."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from gui.widgets.sidebar import Sidebar
from museum.catalog import Catalog
from museum.errors import MuseumError
from museum.exhibit import Exhibit, Wing

LINK = "museum:"
WELCOME = "welcome"  # the place of the first-run page, beside the ids of wings and exhibits
EXHIBITS = 0  # number of the page on which places are


@dataclass(frozen=True, slots=True)
class Stop:
    """One step of the visitor's way.

    Attributes:
        place: Id of the exhibit or wing that was open; "" at the start.
        page: Number of the page in front: the exhibits, or one of the others.
        view: How the place was looked at when the visitor left it; None where they have not left it yet.
    """

    place: str = ""
    page: int = EXHIBITS
    view: object = None


class NavigationController:
    """Connects whatever names a place with the page that shows it, and remembers the way.

    Args:
        catalog: The collection.
        sidebar: The list.
        open_exhibit: Shows an exhibit.
        open_wing: Shows a wing.
        open_outside: Opens an address of the web.
        say: Tells the visitor in one line what cannot be followed.
        show_page: Brings a page to the front.
        open_welcome: Shows the first-run page.
        look: Tells how the open place is looked at (where it is scrolled to, which half the caret is in).
        look_again: Gives such a view back to the place just opened.
    """

    def __init__(
        self,
        catalog: Catalog,
        sidebar: Sidebar,
        open_exhibit: Callable[[Exhibit], None],
        open_wing: Callable[[Wing], None],
        open_outside: Callable[[str], None],
        say: Callable[[str], object] = lambda _: None,
        *,
        show_page: Callable[[int], object] = lambda _: None,
        open_welcome: Callable[[], object] = lambda: None,
        look: Callable[[], object] = lambda: None,
        look_again: Callable[[object], object] = lambda _: None,
    ) -> None:
        self._catalog, self._sidebar, self._say = catalog, sidebar, say
        self._open_exhibit, self._open_wing, self._open_outside = open_exhibit, open_wing, open_outside
        self._show_page, self._open_welcome = show_page, open_welcome
        self._look, self._look_again = look, look_again
        self._trail: list[Stop] = []
        self._step = -1
        sidebar.chosen.connect(self.go)

    @property
    def place(self) -> str:
        """Id of the exhibit or wing that is open; "" at the start."""
        return self._here.place

    @property
    def _here(self) -> Stop:
        return self._trail[self._step] if self._trail else Stop()

    def set_catalog(self, catalog: Catalog) -> None:
        """Another collection, which the sidebar's model shows already; the visitor stays where they are.

        Where that is not there any more, they come to its wing, or else to the first one.
        """
        self._catalog = catalog
        known = {exhibit.id for exhibit in catalog.exhibits} | {wing.id for wing in catalog.wings} | {WELCOME, ""}
        place = self.place
        walked = [stop for stop in self._trail[: self._step + 1] if stop.place in known]
        ahead = [stop for stop in self._trail[self._step + 1 :] if stop.place in known]
        self._trail, self._step = [*walked, *ahead], len(walked) - 1
        if place in known:
            self._sidebar.select(place)
            return
        wing = place.partition("/")[0]
        instead = wing if wing in known else next((wing.id for wing in catalog.wings), "")
        if instead and instead == self.place:
            self._open(instead)
        elif instead:
            self.go(instead)

    def go(self, name: str) -> None:
        """Go to a wing or an exhibit; unknown ids leave the visitor where they are.

        Raises:
            MuseumError: There is no such place.
        """
        if name == self.place and self._here.page == EXHIBITS:
            return
        view = self._look() if self.place else None
        if name != self.place:
            self._open(name)
        self._leave(view)
        self._go_on(Stop(name))  # before the page: it then comes to the front as no step of its own
        self._show_page(EXHIBITS)

    def note_page(self, page: int) -> None:
        """The visitor brought a page to the front, by its tab or its key."""
        if page != self._here.page:
            self._leave(self._look())
            self._go_on(Stop(self.place, page))

    def show_again(self) -> None:
        """Show the place anew: what is there has changed."""
        if self.place:
            self._open(self.place)

    def follow(self, address: str) -> None:
        """Follow a link of a placard."""
        if address.startswith(LINK):
            try:
                self.go(address.removeprefix(LINK))
            except MuseumError as error:
                self._say(f"Dead link: {error}")
        elif address.startswith("https://"):
            self._open_outside(address)

    def back(self) -> None:
        """To where the visitor was before, as they left it."""
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
        if not 0 <= self._step + step < len(self._trail):
            return
        before = self.place
        self._leave(self._look())
        self._step += step
        here = self._here
        try:
            if here.place != before:
                self._open(here.place)
        except MuseumError as error:  # it went away meanwhile
            self._say(str(error))
            del self._trail[self._step]
            self._step -= step > 0
            return
        self._show_page(here.page)
        if here.place and here.page == EXHIBITS:
            self._look_again(here.view)

    def _open(self, name: str) -> None:
        if name == WELCOME:
            self._open_welcome()
        elif "/" in name:
            self._open_exhibit(self._catalog.exhibit(name))
        else:
            self._open_wing(self._catalog.wing(name))
        self._sidebar.select(name)

    def _leave(self, view: object) -> None:
        """Remember how the visitor leaves the place where they are; another page does not change how it looks."""
        if self._trail and self._here.page == EXHIBITS:
            self._trail[self._step] = replace(self._here, view=view)

    def _go_on(self, stop: Stop) -> None:
        self._trail = [*self._trail[: self._step + 1], stop]
        self._step = len(self._trail) - 1

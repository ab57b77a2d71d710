"""Decides what the window shows of the visitor's favourites and of where they were last."""

import asyncio
from collections.abc import Callable, Sequence

from gui.main_window import MainWindow
from gui.models.catalog_model import CatalogModel
from gui.widgets.exhibit_page import ExhibitPage
from museum.catalog import Catalog
from museum.errors import MuseumError
from museum.exhibit import Exhibit
from museum.visits import Visits

STAY = 0.8  # seconds at an exhibit that count as a visit: who leafs through the museum passes by
SWITCH = "favourite"


class VisitsController:
    """Connects the star, the list and the menus with what is kept of the visitor's ways.

    Args:
        catalog: The collection.
        visits: What is kept.
        window: Holds the menus.
        page: Holds the star.
        model: Shows the favourites above the wings.
        note_those: Tells the search which exhibits are a favourite or recent.
        say: Tells the visitor in one line what could not be kept.
    """

    def __init__(
        self,
        catalog: Catalog,
        visits: Visits,
        window: MainWindow,
        page: ExhibitPage,
        model: CatalogModel,
        note_those: Callable[[str, Sequence[str]], object],
        say: Callable[[str], object] = lambda _: None,
    ) -> None:
        self._visits, self._window, self._page, self._model = visits, window, page, model
        self._note_those, self._say = note_those, say
        self._exhibits = {exhibit.id: exhibit for exhibit in catalog.exhibits}
        self._favourites: tuple[str, ...] = ()
        self._recent: tuple[str, ...] = ()
        self._here = ""
        self._staying: asyncio.TimerHandle | None = None
        page.favourite_switched.connect(self.switch)
        self.refresh()

    @property
    def recent(self) -> tuple[Exhibit, ...]:
        """The exhibits visited last, the latest first; those that are not in the collection any more are left out."""
        return self._known(self._recent)

    def take_catalog(self, catalog: Catalog) -> None:
        """Know another collection from now on."""
        self._exhibits = {exhibit.id: exhibit for exhibit in catalog.exhibits}
        self._show_favourites()
        self._show_recent()

    def refresh(self) -> None:
        """Read again what is kept: another window may have changed it."""
        try:
            favourites, recent = self._visits.favourites(), self._visits.recent()
        except MuseumError as failure:
            self._say(str(failure))
            return
        if favourites != self._favourites:
            self._favourites = favourites
            self._show_favourites()
        if recent != self._recent:
            self._recent = recent
            self._show_recent()

    def opened(self, exhibit: str) -> None:
        """The visitor came to an exhibit; "" for a page without one. It counts once they stay."""
        self._settle()
        self._here = exhibit
        self._show_star()
        if exhibit:
            self._staying = asyncio.get_event_loop().call_later(STAY, self._note, exhibit)

    def toggle(self) -> None:
        """Make the open exhibit a favourite, or no longer."""
        self.switch(on=self._here not in self._favourites)

    def switch(self, on: bool) -> None:
        """Make the open exhibit a favourite, or no longer."""
        if self._here:
            try:
                self._visits.set_favourite(self._here, on=on)
            except MuseumError as failure:
                self._say(str(failure))
            self.refresh()
        else:
            self._say("Open an exhibit first; then it can be a favourite.")
        self._show_star()

    def close(self) -> None:
        """A visit that has just begun ends as none."""
        self._settle()

    def _settle(self) -> None:
        if self._staying is not None:
            self._staying.cancel()
            self._staying = None

    def _note(self, exhibit: str) -> None:
        try:
            self._visits.note(exhibit)
        except MuseumError as failure:
            self._say(str(failure))
        self.refresh()

    def _known(self, ids: Sequence[str]) -> tuple[Exhibit, ...]:
        return tuple(self._exhibits[one] for one in ids if one in self._exhibits)

    def _show_favourites(self) -> None:
        self._model.set_favourites(self._known(self._favourites))
        self._note_those("favourite", self._favourites)
        self._show_star()

    def _show_recent(self) -> None:
        self._window.set_recent([(exhibit.id, exhibit.title) for exhibit in self.recent])
        self._note_those("recent", self._recent)

    def _show_star(self) -> None:
        on = bool(self._here) and self._here in self._favourites
        self._page.set_favourite(on=on)
        self._window.set_switch(SWITCH, on=on)

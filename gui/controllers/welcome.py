"""Decides what a first visit begins with."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QSettings

from gui.widgets.welcome_page import WelcomePage
from museum.catalog import Catalog
from museum.errors import MuseumError
from museum.exhibit import Exhibit
from museum.lab.environments import Environment

FIRST = "xla/indivisible-dimension"  # raises on eight fake CPU devices, in any JAX


class WelcomeController:
    """Connects the first page with what it offers.

    Args:
        catalog: The collection.
        make_page: Gives the page, which is made when it is first asked for.
        go: Goes to an exhibit or a wing.
        run: Runs the failing half of the open exhibit.
        ways: What the page's other ways lead to, by name.
    """

    def __init__(
        self,
        catalog: Catalog,
        make_page: Callable[[], WelcomePage],
        go: Callable[[str], object],
        run: Callable[[], object],
        ways: Mapping[str, Callable[[], object]],
    ) -> None:
        self._catalog, self._make_page, self._go, self._run, self._ways = catalog, make_page, go, run, ways
        self._page: WelcomePage | None = None
        self._environments: Sequence[Environment] | None = None

    def open(self) -> None:
        """Fill the page; whoever calls brings it to the front."""
        if self._page is None:
            self._page = page = self._make_page()
            page.run_requested.connect(self._on_page_run_requested)
            page.way_requested.connect(self._on_page_way_requested)
            first = self._first()
            page.show_first(first.title if first else "")
        self._show_environments()
        self._page.take_focus()

    def take_environments(self, environments: Sequence[Environment]) -> None:
        """Say what is at hand."""
        self._environments = environments
        self._show_environments()

    def _first(self) -> Exhibit | None:
        try:
            return self._catalog.exhibit(FIRST)
        except MuseumError:
            return next(iter(self._catalog.exhibits), None)

    def _show_environments(self) -> None:
        if self._page is not None:
            known = self._environments
            with_jax = None if known is None else [one for one in known if one.jax]
            self._page.show_environments(None if with_jax is None else list(map(str, with_jax)))

    def _on_page_run_requested(self) -> None:
        first = self._first()
        if first is not None:
            self._go(first.id)
            self._run()

    def _on_page_way_requested(self, name: str) -> None:
        if name == "first-wing":
            self._go(self._catalog.wings[0].id)
        else:
            self._ways[name]()


def is_first_visit(home: Path, settings: QSettings) -> bool:
    """Whether nobody was here before: no drafts or runs, no settings."""
    return not (home / "history.sqlite").exists() and not settings.allKeys()

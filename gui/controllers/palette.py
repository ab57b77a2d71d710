"""Decides what the palette offers: every entry of the menus, exhibits and wings, the latest first."""

from collections.abc import Callable, Sequence

from PySide6.QtGui import QAction, QKeySequence

from gui.main_window import MainWindow
from gui.theme import Theme
from gui.widgets.palette import Entry, Palette
from museum.catalog import Catalog
from museum.exhibit import Exhibit

MOST_DONE = 6  # actions done last that stand in front


class PaletteController:
    """Connects the palette with the menus and the collection.

    Args:
        window: Its menus are what can be done.
        catalog: The collection.
        recent: The exhibits visited last, the latest first.
        go: Goes to an exhibit or a wing.
        theme: The look of the moment.
    """

    def __init__(
        self,
        window: MainWindow,
        catalog: Catalog,
        recent: Callable[[], Sequence[Exhibit]],
        go: Callable[[str], object],
        theme: Callable[[], Theme],
    ) -> None:
        self._window, self._catalog, self._recent, self._go, self._theme = window, catalog, recent, go, theme
        self._actions: dict[str, QAction] = {}
        self._done: list[str] = []  # keys of what was done from here, the latest first

    def take_catalog(self, catalog: Catalog) -> None:
        """Offer another collection from now on."""
        self._catalog = catalog

    def open(self) -> None:
        """Show it."""
        palette = Palette(self.entries(), self._theme(), self._window)
        palette.chosen.connect(self._on_palette_chosen)
        palette.open()

    def entries(self) -> list[Entry]:
        """All there is to do on the page in front, what was done or visited last before the rest."""
        offered = [(menu, one) for menu, one in self._window.menu_entries() if one.isEnabled()]
        self._actions = {_words(f"{menu}: {one.text()}"): one for menu, one in offered}
        done = [name for name in self._done if name in self._actions]
        actions = [_entry(name, self._actions[name]) for name in [*done, *self._actions]]
        exhibits = [Entry(one.id, one.title, one.id) for one in [*self._recent(), *self._catalog.exhibits]]
        wings = [Entry(wing.id, wing.title, "wing") for wing in self._catalog.wings]
        recent = exhibits[: len(self._recent())]
        every = {entry.key: entry for entry in [*recent, *actions, *wings, *exhibits]}
        return list(every.values())

    def _on_palette_chosen(self, key: str) -> None:
        action = self._actions.get(key)
        if action is None:
            self._go(key)
            return
        self._done = [key, *(name for name in self._done if name != key)][:MOST_DONE]
        action.trigger()


def _words(text: str) -> str:
    return text.replace("&", "")


def _entry(name: str, action: QAction) -> Entry:
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    state = ("on" if action.isChecked() else "off") if action.isCheckable() and not action.actionGroup() else ""
    return Entry(name, _words(action.text()), "  ".join(filter(None, (state, keys))))

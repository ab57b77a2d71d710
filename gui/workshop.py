"""The part of the composition root that compares, shares and keeps; the first window does not wait for it."""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from gui.actions import DIAGNOSIS
from gui.controllers.accounts import mark_of
from gui.controllers.bench_tab import BenchTab
from gui.controllers.code_in_front import CodeInFront
from gui.controllers.comparing import PARTS, ComparingController
from gui.controllers.my_exhibits import MyExhibitsController
from gui.controllers.recording import Recorder
from gui.controllers.sharing import SharingController
from gui.widgets.compare_dialog import CompareDialog
from gui.widgets.desk import Desk
from gui.widgets.file_drop import FileDrop
from museum.errors import MuseumError
from museum.exhibit import Half
from museum.mine import WING, MyWing, with_mine

if TYPE_CHECKING:
    from gui.app import Museum


class Workshop:
    """Builds and wires these; nothing of it is needed before the window is open.

    Args:
        museum: The whole, whose parts it stands beside.
        wanted: A place of the personal wing to go to once that is read; "" for none.
    """

    def __init__(self, museum: "Museum", wanted: str = "") -> None:
        self._museum, self._wanted = museum, wanted
        self._collection = museum.catalog
        window, exhibits = museum.window, museum.exhibits
        page = window.exhibit_page
        self.desk = Desk(window, lambda: museum.appearance.theme, self.say)
        self.code = CodeInFront(exhibits, self._tab, lambda: window.shows_exhibit, lambda: page.focused_half)
        recorder = Recorder(museum.lab, lambda: exhibits.runs.environments)
        self.my_exhibits = MyExhibitsController(
            page.mine_bar,
            exhibits,
            recorder,
            museum.history,
            self.desk,
            self._take,
            self.go,
            window.tell,
            _show_folder,
        )
        page.bench_requested.connect(self.open_on_bench)
        page.compare_requested.connect(self.compare)
        page.text_edited.connect(lambda _half, _text: self.my_exhibits.show())
        page.reset_requested.connect(lambda _half: self.my_exhibits.show())
        FileDrop(window.sidebar.viewport()).dropped.connect(self.my_exhibits.take_in)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._on_application_state_changed)
        self.my_exhibits.show()

    @cached_property
    def comparing(self) -> ComparingController:
        """Compares the code in front."""
        return ComparingController(self._make_compare_dialog, self._museum.lab, self.desk.copy)

    @cached_property
    def sharing(self) -> SharingController:
        """Shares the run in front."""
        return SharingController(self.desk, self.code.shared, self._open_kept)

    @property
    def actions(self) -> dict[str, Callable[[], object]]:
        """What the menus call, by name."""
        return {
            "compare": self.compare,
            "copy-report": self.sharing.copy_report,
            "save-script": self.sharing.save_script,
            "keep": self.sharing.keep,
            "save-folder": self.sharing.save_folder,
            "export": self.my_exhibits.export,
            "import-zip": self.import_zip,
            "import-folder": self.import_folder,
        }

    def _tab(self) -> BenchTab | None:
        return self._museum.show_bench().current if self._museum.window.shows_bench else None

    def say(self, text: str) -> None:
        """One line on the page in front."""
        window = self._museum.window
        if window.shows_bench:
            window.bench_page.say(text)
        elif window.shows_studio:
            window.studio_page.say(text)
        elif window.front == DIAGNOSIS:
            window.diagnosis_page.say(text)
        else:
            window.bar.say(text)

    def compare(self, half: Half | None = None) -> None:
        """Compare the code in front on other versions and targets."""
        try:
            self.comparing.open(self.code.compared(half))
        except MuseumError as error:
            self.say(str(error))

    def _make_compare_dialog(self) -> CompareDialog:
        dialog = CompareDialog(self._museum.appearance.theme, PARTS, self._museum.window)
        dialog.open()
        return dialog

    def open_on_bench(self, half: Half) -> None:
        """Put a copy of a half on the bench, where it is the visitor's own."""
        exhibits = self._museum.exhibits
        exhibit = exhibits.exhibit
        if exhibit is None:
            return
        if why := exhibits.why_not(exhibit):
            self.say(why)
            return
        title = f"{exhibit.id.partition('/')[2]} {half}"
        runs = exhibits.runs
        self._museum.show_bench().open_text(title, exhibits.texts[half], str(runs.target), runs.jax)

    def import_zip(self) -> None:
        """Take in exhibits of others from a zip."""
        self.desk.ask_for_zip(lambda path: self.my_exhibits.take_in([path]))

    def import_folder(self) -> None:
        """Take in exhibits of others from a folder."""
        self.desk.ask_for_folder("Import exhibits from a folder", lambda path: self.my_exhibits.take_in([path]))

    # -- the personal wing ---------------------------------------------------------------------------------------------

    def _take(self, mine: MyWing) -> None:
        """Show the collection with the personal wing as it is now; the visitor stays where they are."""
        museum = self._museum
        museum.catalog = catalog = with_mine(self._collection, mine)
        marks = {exhibit.id: mark_of(exhibit) for exhibit in mine.catalog.exhibits}
        museum.model.set_catalog(catalog, marks | self.my_exhibits.marks())
        museum.exhibits.set_catalog(catalog)
        museum.navigation.set_catalog(catalog)
        for part in (museum.search, museum.visits, museum.palette):
            part.take_catalog(catalog)
        shown = museum.exhibits.exhibit
        for exhibit in mine.catalog.exhibits:
            if shown is not None and shown.id == exhibit.id:
                museum.exhibits.refresh(exhibit)
        wanted, self._wanted = self._wanted, ""
        if wanted and museum.navigation.place == museum.first_place:
            self.go(wanted)
        elif museum.navigation.place == WING:
            museum.navigation.show_again()

    def go(self, name: str) -> None:
        """Go to an exhibit, and say so where that cannot be."""
        try:
            self._museum.navigation.go(name)
        except MuseumError as error:
            self.say(str(error))

    def _open_kept(self, name: str) -> None:
        self.my_exhibits.load().add_done_callback(lambda _task: self.go(name))

    def _on_application_state_changed(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive:
            self.my_exhibits.load()  # the visitor may come back from an editor that changed its files

    async def close(self) -> None:
        """End everything and wait until nothing of it is alive."""
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.disconnect(self._on_application_state_changed)
        await self.my_exhibits.close()
        for name in ("comparing", "sharing"):
            if name in self.__dict__:
                await getattr(self, name).close()


def _show_folder(folder: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

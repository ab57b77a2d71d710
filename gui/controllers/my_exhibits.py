"""The personal wing in the window: read beside the loop, agreed to, changed, given out and taken in."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from gui.controllers.errands import Errands
from gui.controllers.exhibits import ExhibitController
from gui.controllers.recording import Recorder
from gui.models.catalog_model import Mark
from gui.widgets.mine_bar import MineBar, MineView
from museum.catalog import Catalog, collection_root
from museum.errors import MuseumError
from museum.exhibit import Exhibit, Half
from museum.history import History
from museum.incoming import IncomingError
from museum.mine import MyWing, give_out, is_mine, load_mine, my_root, remove, take_in, trust
from museum.mine_changes import set_scripts, set_title

UNTRUSTED = Mark("!", "doubt", "made by others; it does not run before you agree")


class Desk(Protocol):
    """The windows in which the visitor chooses."""

    def ask_where_to_export(self, suggested: str, chosen: Callable[[str], object]) -> None:
        """Ask for a zip that is not there yet."""

    def say(self, text: str) -> None:
        """One line on the page in front."""


class MyExhibitsController:
    """Connects the personal wing on disk with the bar above an exhibit.

    Args:
        bar: The view.
        exhibits: Shows the open exhibit, and asks here whether it may be run.
        recorder: Runs and records.
        history: Holds drafts of exhibits that go away.
        desk: Asks and tells.
        take: Shows the wing as it was read.
        go: Goes to an exhibit.
        tell: Says several lines in a dialog: title and text.
        show_folder: Shows a folder to the visitor.
    """

    def __init__(
        self,
        bar: MineBar,
        exhibits: ExhibitController,
        recorder: Recorder,
        history: History,
        desk: Desk,
        take: Callable[[MyWing], object],
        go: Callable[[str], object],
        tell: Callable[[str, str], object],
        show_folder: Callable[[Path], object],
    ) -> None:
        self._bar, self._exhibits, self._recorder, self._history, self._desk = bar, exhibits, recorder, history, desk
        self._take, self._go, self._tell, self._show_folder = take, go, tell, show_folder
        self._mine = MyWing(Catalog(()))
        self._shown = ""
        self._errands = Errands(self._say)
        exhibits.why_not = self.why_not
        bar.trust_requested.connect(lambda: self._errands.start(self._trust))
        bar.save_requested.connect(lambda: self._errands.start(self._save))
        bar.record_requested.connect(lambda: self._errands.start(self._record))
        bar.stop_requested.connect(recorder.stop)
        bar.files_requested.connect(self._on_bar_files_requested)
        bar.renamed.connect(lambda title: self._errands.start(lambda: self._rename(title)))
        bar.export_requested.connect(self.export)
        bar.remove_requested.connect(lambda: self._errands.start(self._remove))

    @property
    def mine(self) -> MyWing:
        """The wing as it was read last."""
        return self._mine

    def marks(self) -> dict[str, Mark]:
        """The sidebar's marks of what must not be run yet."""
        return dict.fromkeys(self._mine.untrusted, UNTRUSTED)

    def why_not(self, exhibit: Exhibit) -> str:
        """Why an exhibit must not be run, as one line; "" where it may."""
        if not is_mine(exhibit.id):
            return ""
        if exhibit.id in self._mine.untrusted:
            return "Not run: made by others. Read its code, then trust it."
        if all(exhibit.id != known.id for known in self._mine.catalog.exhibits):
            return "Not run: it is not among your exhibits any more."
        return ""

    # -- reading -------------------------------------------------------------------------------------------------------

    def load(self) -> "asyncio.Task[None]":
        """Read the wing anew, beside the loop; nothing happens where it is as it was."""
        return self._errands.start(self._load)

    async def _load(self) -> None:
        try:
            mine = await asyncio.to_thread(load_mine)
        except OSError as error:
            self._say(f"My exhibits cannot be read: {error.strerror or error}")
            return
        if mine == self._mine:
            return
        known, self._mine = set(self._mine.catalog.problems), mine
        self._take(mine)
        self.show()
        new = [problem for problem in mine.catalog.problems if problem not in known]
        if new:
            more = f" (and {len(new) - 1} more: Help, Problems)" if len(new) > 1 else ""
            self._say(f"One of my exhibits cannot be opened: {new[0]}{more}")

    def show(self) -> None:
        """Say how it stands with the exhibit that is open."""
        exhibit = self._exhibits.exhibit
        name = exhibit.id if exhibit else ""
        if name != self._shown:
            self._shown = name
            self._recorder.stop()
            self._bar.show_progress("")
        self._bar.show_view(self._view_of(exhibit) if exhibit and is_mine(exhibit.id) else None)

    def _view_of(self, exhibit: Exhibit) -> MineView:
        trusted = not self.why_not(exhibit)
        edited = bool(self._exhibits.edited)
        if exhibit.id not in self._mine.imported:
            return MineView(exhibit.title, "One of your own exhibits.", True, trusted, edited)
        origin = self._mine.imported[exhibit.id]
        source = f"Made by others{f' (from {origin})' if origin else ''}"
        why = self._mine.untrusted.get(exhibit.id, "")
        changed = "; its scripts have changed since you agreed to them" if "changed" in why else ""
        words = f"{source}{changed}: look at the code first. Nothing of it runs before you agree."
        return MineView(exhibit.title, f"{source}; you agreed to its scripts." if trusted else words, False, trusted)

    # -- what the visitor does with the open one -----------------------------------------------------------------------

    def _open_one(self) -> Exhibit:
        exhibit = self._exhibits.exhibit
        if exhibit is None or not is_mine(exhibit.id):
            raise MuseumError("open one of your exhibits first")
        return exhibit

    async def _trust(self) -> None:
        """Agree to the scripts on show, and to no others that may be on the disk by now."""
        await asyncio.to_thread(trust, self._open_one())
        await self._load()

    async def _save(self) -> None:
        exhibit, texts = self._open_one(), self._exhibits.texts
        await asyncio.to_thread(set_scripts, exhibit.id, texts)
        for half in Half:
            self._history.drop_draft(f"{exhibit.id} {half}")
        await self._load()
        self._bar.show_progress("Saved. What was recorded of the earlier code stays until you record again.", "good")

    async def _record(self) -> None:
        exhibit = self._open_one()
        if why := self.why_not(exhibit):
            raise MuseumError(why)
        if self._exhibits.edited:
            raise MuseumError("save or reset your edits first: what is recorded is the exhibit as it is on the disk")

        def follow(text: str, role: str, running: bool) -> None:
            if self._shown == exhibit.id:
                self._bar.show_progress(text, role, running=running)

        if await self._recorder.record(exhibit, my_root(), follow):
            await self._load()

    def _on_bar_files_requested(self) -> None:
        exhibit = self._exhibits.exhibit
        if exhibit is not None:
            self._show_folder(my_root() / exhibit.id)

    async def _rename(self, title: str) -> None:
        await asyncio.to_thread(set_title, self._open_one().id, title)
        await self._load()

    def export(self) -> None:
        """Write the open exhibit, of any wing, to a zip."""
        exhibit = self._exhibits.exhibit
        if exhibit is None:
            self._desk.say("Open an exhibit first; then it can be exported.")
            return
        root = my_root() if is_mine(exhibit.id) else collection_root()

        async def write(path: str) -> None:
            written = await asyncio.to_thread(give_out, exhibit, root, Path(path))
            self._desk.say(f"Exported as {written}.")

        name = f"{exhibit.id.partition('/')[2]}.zip"
        self._desk.ask_where_to_export(name, lambda path: self._errands.start(lambda: write(path)))

    async def _remove(self) -> None:
        exhibit = self._open_one()
        places = {half: f"{exhibit.id} {half}" for half in Half}
        drafts = {half: text for half, place in places.items() if (text := self._history.draft(place)) is not None}
        aside = await asyncio.to_thread(_remove, exhibit.id, drafts)
        for place in places.values():
            self._history.drop_draft(place)
        await self._load()
        self._desk.say(f"Removed; its files are in {aside}." if aside else "Removed.")

    # -- taking in -----------------------------------------------------------------------------------------------------

    def take_in(self, paths: Sequence[str]) -> None:
        """Take in exhibits of others, untrusted; what is wrong with any is told, and nothing of it is run."""
        self._errands.start(lambda: self._take_in([Path(path) for path in paths]))

    async def _take_in(self, paths: Sequence[Path]) -> None:
        taken: list[str] = []
        faults: list[str] = []
        for path in paths:
            try:
                taken += await asyncio.to_thread(take_in, path)
            except IncomingError as error:
                faults += [f"{path.name}: {fault}" if len(paths) > 1 else fault for fault in error.faults]
            except MuseumError as error:
                faults.append(str(error))
        await self._load()
        if taken:
            self._go(taken[0])
        if faults:
            one = "Nothing was taken in." if not taken else f"{len(taken)} taken in, the rest was not."
            self._tell("Import exhibits", "\n".join((one, "", *faults)))

    def _say(self, text: str) -> None:
        if self._shown:
            self._bar.show_progress(text, "bad")
        if not self._shown or not is_mine(self._shown):
            self._desk.say(text)

    async def settled(self) -> None:
        """Wait until what was begun is done."""
        await self._errands.settled()

    async def close(self) -> None:
        """End everything and wait until nothing of it is alive."""
        self._recorder.stop()
        await self._errands.settled()


def _remove(name: str, drafts: dict[Half, str]) -> Path | None:
    """Take it away, and lay the visitor's edits beside its files."""
    aside = remove(name)
    for half, text in drafts.items():
        if aside is not None:
            (aside / f"{half}.edited.py").write_text(text, "utf-8", "surrogatepass", newline="")
    return aside

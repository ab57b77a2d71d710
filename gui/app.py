"""The composition root: builds everything and wires it. Nothing else makes objects for others."""

import asyncio
import gc
import importlib
import shlex
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QFontDatabase
from PySide6.QtWidgets import QApplication

from gui.actions import OF_THE_WORKSHOP
from gui.controllers import welcome
from gui.controllers.accounts import mark_of
from gui.controllers.assist import AssistController
from gui.controllers.bench import BenchController
from gui.controllers.environments import EnvironmentsController
from gui.controllers.exhibits import ExhibitController, short_facts
from gui.controllers.explainer import Explainer
from gui.controllers.faults import FaultController
from gui.controllers.finding import FindController
from gui.controllers.findings import findings_of
from gui.controllers.navigation import WELCOME, NavigationController
from gui.controllers.own_log import LogController, words_of
from gui.controllers.palette import PaletteController
from gui.controllers.run_history import RunHistoryController
from gui.controllers.runs import RunController
from gui.controllers.search import SearchController
from gui.controllers.settings import LabSettings, SettingsController
from gui.controllers.studio import StudioController
from gui.controllers.visits import SWITCH, VisitsController
from gui.controllers.welcome import WelcomeController
from gui.front import Front
from gui.models.catalog_model import CatalogModel
from gui.prefetch import prefetch
from gui.widgets.environments_dialog import EnvironmentsDialog
from gui.widgets.fault_dialog import FaultDialog
from gui.widgets.finding_line import failure_of
from gui.widgets.history_dialog import HistoryDialog
from gui.widgets.reading import Reading
from gui.widgets.settings_dialog import SettingsDialog
from gui.widgets.text_dialog import TextDialog
from museum.catalog import Catalog
from museum.errors import MuseumError
from museum.exhibit import Exhibit, Half, Wing
from museum.lab.building import LIBTPU
from museum.lab.lab import Lab
from museum.lab.target import Target
from museum.mesh.document import StudioDocument
from museum.run_log import WholeRun
from museum.settings import USE_CACHE, WHITESPACE
from museum.showing import proven_on, wing_summary
from museum.threaded_history import ThreadedHistory

if TYPE_CHECKING:
    from gui.controllers.diagnosis import DiagnosisController
    from gui.workshop import Workshop

BENCH = "bench: "  # before a snippet's title, in the history of runs
LAST_PLACE = "window/place"
SWITCHES = (WHITESPACE.key, USE_CACHE.key)
KNOWN_VERSIONS = tuple(LIBTPU)


class Museum:
    """The whole program: one window with its controllers.

    Args:
        application: The Qt application.
        catalog: The collection.
        lab: Runs snippets.
        home: Where settings and history live.
        place: Exhibit or wing to open at; "" for where the visitor left.
        front: What is on the screen already; made here if it is not.
    """

    def __init__(
        self,
        application: QApplication,
        catalog: Catalog,
        lab: Lab,
        home: Path,
        place: str = "",
        front: Front | None = None,
    ) -> None:
        self.catalog = catalog
        self.lab = self._lab = lab
        self._home, self._loop = home, asyncio.get_event_loop()
        self._studio_controller: StudioController | None = None
        self._bench_controller: BenchController | None = None
        self._is_guest = front is not None  # whoever made the front closes it
        self._diagnosis_controller: DiagnosisController | None = None
        self.explainer = Explainer(catalog)
        front = front or Front(application, home)
        is_first_visit = welcome.is_first_visit(home, front.settings)
        self.settings, self.appearance, self.window = front.settings, front.appearance, front.window
        self.kept = front.kept
        window = self.window
        self.instance = front.instance
        windows = (self.instance.id, self.instance.others)
        self.history = ThreadedHistory(home / "history.sqlite", *windows, tell=self._tell_from_thread)
        self.model = CatalogModel(catalog, {exhibit.id: mark_of(exhibit) for exhibit in catalog.exhibits}, window)
        window.sidebar.set_catalog_model(self.model)
        self.lab_settings = LabSettings(self.kept, lab, self.history)
        make_runs = partial(RunController, window.bar, lab, limits=self.lab_settings.limits)
        views = (window.exhibit_page, window.mesh_panel, self.model)
        self.search = SearchController(
            catalog, window.bar, window.finder, window.sidebar, self.model, self._go, lambda: self.navigation.place
        )
        self.exhibits = ExhibitController(
            catalog, *views, self.history, make_runs, window.bar.say, self.search.note_verdict
        )
        self.visits = VisitsController(
            catalog,
            self.history.visits,
            window,
            window.exhibit_page,
            self.model,
            self.search.note_those,
            window.bar.say,
        )
        self.assist, self.finder = AssistController(), FindController()
        for half in window.exhibit_page.halves.values():
            self.assist.attach(half.editor, lambda: self.exhibits.runs.environment)
            self.finder.attach(half.find_bar)
        self.environments = EnvironmentsController(
            self._make_environments_dialog, lab.environments, self._find_environments
        )
        self.settings_dialog = SettingsController(
            self._make_settings_dialog, self.kept, self.environments.open, self._find_environments
        )
        self.run_history = RunHistoryController(self._make_history_dialog, self.history.runs, self._reopen_run)
        self.navigation = NavigationController(
            catalog,
            window.sidebar,
            self._open_exhibit,
            self._open_wing,
            _open_outside,
            window.bar.say,
            show_page=window.show_page,
            open_welcome=self._open_welcome,
            look=window.look,
            look_again=window.look_again,
        )
        self.palette = PaletteController(
            window, catalog, lambda: self.visits.recent, self._go, lambda: self.appearance.theme
        )
        window.page_shown.connect(self.navigation.note_page)
        window.place_requested.connect(self._go)
        window.activated.connect(self.visits.refresh)
        window.switch_requested.connect(self._on_window_switch_requested)
        self._follow_switches()
        self.kept.changed.connect(lambda key: self._follow_switches() if key in SWITCHES else None)
        window.action_requested.connect(self._on_window_action_requested)
        window.closing.connect(self._on_window_closing)
        window.exhibit_page.zoom_requested.connect(self.appearance.zoom)
        window.mesh_panel.studio_requested.connect(self._open_in_studio)
        window.bar.error_given.connect(lambda text: self.show_diagnosis().explain(text))
        window.exhibit_page.readings.explain_requested.connect(self._explain_reading)
        for page in (window.exhibit_page, window.wing_page):
            page.link_activated.connect(self.navigation.follow)
        for note in filter(None, (self.history.note, self.kept.note)):
            window.notices.say(note)
        if catalog.problems:
            words = f"{len(catalog.problems)} parts of the collection cannot be opened; the rest is here."
            window.notices.say(words, "Show", self._tell_problems)
        faults = front.faults
        self._faults = FaultController(self._make_fault_dialog, window.close, window.notices.say)
        faults.happened.connect(self._faults.take)
        faults.interrupted.connect(window.close)
        self.own_log = LogController(self._make_text_dialog, home)
        self._closed = self._loop.create_future()
        window.settle_panes(self.settings)
        self._actions = self._make_actions()
        ways = {
            name: self._actions[name]
            for name in ("search", "show-diagnosis", "show-studio", "show-bench", "environments")
        }
        self.welcome = WelcomeController(
            catalog, lambda: window.welcome_page, self._go, lambda: self._run(Half.FAILING), ways
        )
        self._wanted = place or str(self.settings.value(LAST_PLACE, ""))
        self._open_first(place or (WELCOME if is_first_visit else ""))
        self.first_place = self.navigation.place

    def _make_actions(self) -> dict[str, Callable[[], object]]:
        navigation, exhibits, look = self.navigation, self.exhibits, self.appearance
        return {
            "search": self._search,
            "palette": self.palette.open,
            "filter": self._filter,
            "show-exhibits": self.window.show_exhibits,
            "show-studio": self._show_studio,
            "show-bench": self.show_bench,
            "show-diagnosis": self.show_diagnosis,
            "open-log": lambda: self.show_diagnosis().ask_for_log(),
            "import-records": lambda: self.show_diagnosis().ask_for_records(),
            "bench-new": lambda: self.show_bench().new(),
            "bench-open": lambda: self.show_bench().ask_for_file(),
            "bench-save": self._save,
            "bench-save-as": lambda: self.show_bench().ask_where_to_save(),
            "bench-close": lambda: self.show_bench().close_current(),
            "bench-reopen": lambda: self.show_bench().reopen(),
            "next": lambda: navigation.neighbour(1),
            "previous": lambda: navigation.neighbour(-1),
            "back": navigation.back,
            "forward": navigation.forward,
            "quit": self.window.close,
            "run-failing": lambda: self._run(Half.FAILING),
            "run-fix": lambda: self._run(Half.FIX),
            "stop": self._stop,
            "reset-failing": lambda: exhibits.reset(Half.FAILING),
            "reset-fix": lambda: exhibits.reset(Half.FIX),
            "settings": self.settings_dialog.open,
            **{name: partial(self._ask_workshop, name) for name in OF_THE_WORKSHOP},
            "environments": self.environments.open,
            "history": self.run_history.open,
            "larger": lambda: look.zoom(1),
            "smaller": lambda: look.zoom(-1),
            "usual": lambda: look.zoom(0),
            "code-font": self._choose_code_font,
            "reset-panes": self.window.reset_panes,
            "welcome": lambda: self._go(WELCOME),
            "problems": self._tell_problems,
            "log": self.own_log.open,
            "about": self._tell_about,
        }

    def _go(self, name: str) -> None:
        """To an exhibit or a wing that somebody names who cannot know whether it is still there."""
        try:
            self.navigation.go(name)
        except MuseumError as error:
            self.window.bar.say(str(error))

    def _filter(self) -> None:
        self.window.show_exhibits()
        self.window.finder.open_filters()

    def _search(self) -> None:
        self.window.show_exhibits()
        self.window.focus_search()

    def _show_studio(self) -> None:
        self._studio()
        self.window.show_studio()

    def _studio(self) -> StudioController:
        """The studio, made when it is first asked for."""
        if self._studio_controller is None:
            self._studio_controller = StudioController(
                self.window.studio_page,
                self._lab,
                self._home,
                open_on_bench=lambda *snippet: self.show_bench().open_text(*snippet),
            )
            # What is there by now stays: no collection walks through it in the middle of an edit, where drawings of
            # thousands of devices come and go.
            gc.freeze()
        return self._studio_controller

    def show_bench(self) -> BenchController:
        """Bring the bench to the front; it is made when it is first asked for."""
        if self._bench_controller is None:
            self._bench_controller = BenchController(
                self.window.bench_page,
                self._lab,
                self.history,
                assist=self.assist,
                finder=self.finder,
                limits=self.lab_settings.limits,
                target=self.lab_settings.target,
                find=partial(findings_of, self.explainer),
            )
            self.window.bench_page.zoom_requested.connect(self.appearance.zoom)
            self.window.bench_page.explain_requested.connect(self._explain_reading)
            self.window.bench_page.exhibit_requested.connect(self._go)
            self.window.bench_page.set_whitespace(shown=self.kept.value(WHITESPACE))
            if self.exhibits.runs.environments:
                self._bench_controller.take_environments(self.exhibits.runs.environments)
        self.window.show_bench()
        return self._bench_controller

    def show_diagnosis(self) -> "DiagnosisController":
        """Bring the pasted error to the front; its page is made when it is first asked for."""
        if self._diagnosis_controller is None:
            from gui.controllers.diagnosis import DiagnosisController, Ways

            ways = Ways(
                self._go,
                self._open_in_studio,
                lambda title, code: self.show_bench().open_text(title, code),
                _open_outside,
            )
            self._diagnosis_controller = DiagnosisController(
                self.window.diagnosis_page, self.explainer, self.catalog, self.history, self._home, ways
            )
        self.window.show_diagnosis()
        return self._diagnosis_controller

    def _explain_reading(self, reading: Reading) -> None:
        self.show_diagnosis().explain(failure_of(reading), reading.jax)

    @cached_property
    def workshop(self) -> "Workshop":
        """What compares, shares and keeps, made when it is first asked for, or once the window is open."""
        from gui.workshop import Workshop
        from museum.mine import WING

        return Workshop(self, self._wanted if self._wanted.partition("/")[0] == WING else "")

    def _ask_workshop(self, name: str) -> None:
        self.workshop.actions[name]()

    async def _open_workshop(self) -> None:
        await asyncio.to_thread(importlib.import_module, "gui.workshop")
        await self.workshop.my_exhibits.load()

    def _run(self, half: Half) -> None:
        if self.window.shows_bench:
            self.show_bench().run()
        elif self.window.shows_exhibit:  # elsewhere nobody sees what would run
            self.exhibits.run(half)

    def _stop(self) -> None:
        if self.window.shows_bench:
            self.show_bench().stop()
        else:
            self.exhibits.runs.stop()

    def _save(self) -> None:
        """Ctrl+S is one key of the window: it saves what is in front."""
        if self.window.shows_studio:
            self.window.studio_page.ask_to_save()
        else:
            self.show_bench().save()

    def _open_in_studio(self, document: StudioDocument) -> None:
        self._studio().open_document(document)
        self.window.show_studio()

    async def _find_environments(self) -> None:
        await self.exhibits.runs.find_environments()
        self.welcome.take_environments(self.exhibits.runs.environments)
        self.exhibits.show_versions()
        if self._studio_controller is not None:
            await self._studio_controller.find_environments()
        if self._bench_controller is not None:
            self._bench_controller.take_environments(self.exhibits.runs.environments)
        self.explainer.take_environments(self.exhibits.runs.environments)
        if self._diagnosis_controller is not None:
            self._diagnosis_controller.take_environments()

    def _make_environments_dialog(self) -> EnvironmentsDialog:
        dialog = EnvironmentsDialog(self.appearance.theme, KNOWN_VERSIONS, self.window)
        dialog.open()
        return dialog

    def _make_settings_dialog(self) -> SettingsDialog:
        families = QFontDatabase.families()
        fixed = [family for family in families if QFontDatabase.isFixedPitch(family)]
        dialog = SettingsDialog(self.appearance.theme, (families, fixed), self.window)
        dialog.open()
        return dialog

    def _make_fault_dialog(self) -> FaultDialog:
        dialog = FaultDialog(self.appearance.theme, QApplication.activeModalWidget() or self.window)
        dialog.open()
        return dialog

    def _make_text_dialog(self, title: str) -> TextDialog:
        dialog = TextDialog(self.appearance.theme, title, self.window)
        dialog.open()
        return dialog

    async def _tell_crashes(self) -> None:
        """Say so when the museum ended badly the last time."""
        crashes = await asyncio.to_thread(self.instance.crashes)
        if crashes:
            self.window.notices.say(words_of(crashes), "Show", lambda: self.own_log.show_crashes(crashes))

    def _make_history_dialog(self) -> HistoryDialog:
        dialog = HistoryDialog(self.appearance.theme, self.window)
        dialog.open()
        return dialog

    def _reopen_run(self, whole: WholeRun) -> None:
        """Bring a run's code back to its exhibit, or to the bench.

        Raises:
            MuseumError: The exhibit is not there any more.
        """
        if whole.run.place.startswith(BENCH):
            arguments = shlex.join(whole.arguments)
            variables = "\n".join(f"{name}={value}" for name, value in whole.variables.items())
            title = whole.run.place.removeprefix(BENCH)
            self.show_bench().open_text(title, whole.code, whole.run.target, whole.run.jax, arguments, variables)
            return
        place, _, half = whole.run.place.rpartition(" ")
        if half not in set(Half):
            raise MuseumError(f"{whole.run.place} cannot be opened here")
        self.navigation.go(place)
        self.exhibits.bring_back(Half(half), whole.code)
        self.exhibits.runs.set_jax(whole.run.jax)
        self.exhibits.runs.set_target(Target.parse(whole.run.target))

    def _open_first(self, place: str) -> None:
        wings = [wing.id for wing in self.catalog.wings]
        for candidate in (place, str(self.settings.value(LAST_PLACE, "")), *wings[:1]):
            if candidate:
                try:
                    self.navigation.go(candidate)
                except MuseumError:
                    continue  # an exhibit that was renamed or does not open any more
                return

    def _open_exhibit(self, exhibit: Exhibit) -> None:
        self.exhibits.open(exhibit)
        self.visits.opened(exhibit.id)
        self._show_mine()
        self.window.show_exhibit_page()

    def _open_welcome(self) -> None:
        self.exhibits.leave()
        self.visits.opened("")
        self.window.show_welcome_page()
        self.welcome.open()

    def _open_wing(self, wing: Wing) -> None:
        self.exhibits.leave()
        self.visits.opened("")
        self._show_mine()
        asides = [short_facts(exhibit) for exhibit in wing.exhibits]
        self.window.wing_page.show_wing(wing, wing_summary(wing), asides)
        self.window.show_wing_page()

    def _show_mine(self) -> None:
        if "workshop" in self.__dict__:
            self.workshop.my_exhibits.show()

    def _on_window_action_requested(self, name: str) -> None:
        self._actions[name]()

    def _on_window_switch_requested(self, name: str, on: bool) -> None:
        if name == SWITCH:
            self.visits.switch(on)
            return
        self.kept.choose(WHITESPACE if name == "whitespace" else USE_CACHE, on)

    def _follow_switches(self) -> None:
        """Tick what the settings say, and let the editors show it."""
        shown = self.kept.value(WHITESPACE)
        self.window.set_switch("whitespace", on=shown)
        self.window.set_switch("cache", on=self.kept.value(USE_CACHE))
        for half in self.window.exhibit_page.halves.values():
            half.editor.set_whitespace(shown=shown)
        if self._bench_controller is not None:
            self.window.bench_page.set_whitespace(shown=shown)

    def _choose_code_font(self) -> None:
        from PySide6.QtWidgets import QFontDialog

        dialog = QFontDialog(self.appearance.theme.code_font(), self.window)
        dialog.setOption(QFontDialog.FontDialogOption.MonospacedFonts)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fontSelected.connect(lambda font: self.appearance.set_code_family(font.family()))
        dialog.open()

    def _on_window_closing(self) -> None:
        self.window.remember(self.settings)
        here = self.navigation.place
        self.settings.setValue(LAST_PLACE, "" if here == WELCOME else here)
        self.settings.sync()
        if not self._closed.done():
            self._closed.set_result(None)

    def _tell_from_thread(self, text: str) -> None:
        self._loop.call_soon_threadsafe(self.window.bar.say, text)

    def _tell_problems(self) -> None:
        problems = self.catalog.problems
        self.window.tell("Problems of the collection", "\n".join(map(str, problems)) or "None: everything opens.")

    def _tell_about(self) -> None:
        from importlib.metadata import version

        from museum.mine import is_mine

        exhibits = [exhibit for exhibit in self.catalog.exhibits if not is_mine(exhibit.id)]
        proven = sum(bool(proven_on(exhibit)) for exhibit in exhibits)
        rest = len(exhibits) - proven
        words = f"{proven} exhibits proven by running them" + (f", {rest} reported by others" if rest else "")
        text = f"XLA Museum {version('xla-museum')}\n\n{words}.\nApache-2.0"
        self.window.tell("About XLA Museum", text)

    async def stay(self) -> None:
        """Show the window, look for environments, and wait until it is closed and nothing of it is alive."""
        self.window.show()
        self.search.prepare()
        looking = asyncio.gather(self._find_environments(), self._tell_crashes())
        opening = asyncio.ensure_future(self._open_workshop())
        fetching = asyncio.ensure_future(prefetch())
        try:
            await self._closed
        finally:
            for task in (looking, fetching):
                task.cancel()
            await asyncio.gather(opening, fetching, return_exceptions=True)
            await self.workshop.close()
            await self.exhibits.close()
            await self.environments.close()
            await self.settings_dialog.close()
            await self.lab_settings.close()
            if self._studio_controller is not None:
                await self._studio_controller.close()
            if self._bench_controller is not None:
                await self._bench_controller.close()
            if self._diagnosis_controller is not None:
                await self._diagnosis_controller.close()
            await self.explainer.close()
            await self.assist.close()
            await self.own_log.close()
            await self.search.close()
            self.visits.close()
            await self.finder.close()
            await self._lab.close()
            await asyncio.gather(looking, return_exceptions=True)
            self.history.close()
            if not self._is_guest:
                self.instance.close()


def _open_outside(address: str) -> None:
    QDesktopServices.openUrl(QUrl(address))

"""Decides which snippets are on the bench, and what becomes of their files."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from gui.controllers.assist import AssistController
from gui.controllers.bench_tab import BenchTab, Find
from gui.controllers.finding import FindController
from gui.controllers.runs import Lab
from gui.widgets.bench_page import BenchPage
from museum.bench.files import digest_at, digest_of, read_source, write_source
from museum.bench.flags import FlagChecker
from museum.bench.snippet import STARTER, Shelf, Snippet, SnippetStore, new_id, title_of, untitled, with_recent
from museum.errors import MuseumError
from museum.history import History
from museum.lab.environments import Environment
from museum.lab.header import wanted_target
from museum.lab.runner import Limits
from museum.settings import TARGET

EDITED = " •"


class BenchController:
    """Connects the bench with its drafts, its files and the lab.

    Every change is on disk before the next key, so that nothing is lost whatever dies.

    Args:
        page: The view.
        lab: Runs things.
        history: Keeps drafts and runs.
        checker: Knows which flags are refused.
        assist: Helps in the editors; None for no help.
        limits: Tells what a run may use.
        target: Tells where a snippet runs that does not ask for a target.
        find: Explains a failed run in a line; None for nothing.
        finder: Answers the find bars; None for nobody.
    """

    def __init__(
        self,
        page: BenchPage,
        lab: Lab,
        history: History,
        checker: FlagChecker | None = None,
        assist: AssistController | None = None,
        limits: Callable[[], Limits] = Limits,
        target: Callable[[], str] = lambda: TARGET.default,
        find: Find | None = None,
        finder: FindController | None = None,
    ) -> None:
        self._limits, self._target = limits, target
        self._assist, self._find, self._finder = assist, find, finder
        self._page, self._lab, self._history = page, lab, history
        self._checker = checker or FlagChecker()
        self._store = SnippetStore(history)
        self._environments: Sequence[Environment] | None = None
        self._tabs: dict[str, BenchTab] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._shelf, self._snippets = self._store.load()
        for name in self._shelf.order:
            self._add_tab(self._snippets[name])
        page.show_recent(self._shelf.recent)
        page.new_requested.connect(self.new)
        page.open_requested.connect(self.open_file)
        page.save_requested.connect(self.save)
        page.place_requested.connect(self.ask_where_to_save)
        page.save_as_requested.connect(self.save_as)
        page.chosen.connect(self.choose)
        page.close_requested.connect(self.close_tab)
        page.reopen_requested.connect(self.reopen)
        page.moved.connect(self._on_page_moved)
        page.file_changed.connect(self._on_page_file_changed)
        if self._shelf.order:
            self.choose(self._shelf.current)
        else:
            self.new()

    @property
    def current(self) -> BenchTab:
        """The tab in front."""
        return self._tabs[self._shelf.current]

    @property
    def snippets(self) -> tuple[Snippet, ...]:
        """What is in the tabs, from the left."""
        return tuple(self._snippets[name] for name in self._shelf.order)

    async def find_environments(self) -> None:
        """Ask what is at hand, and offer it in each tab."""
        self.take_environments(await self._lab.environments())

    def take_environments(self, environments: Sequence[Environment]) -> None:
        """Offer these in each tab."""
        self._environments = environments
        for tab in self._tabs.values():
            tab.take_environments(self._environments)

    # Tabs

    def new(self) -> None:
        """Another snippet, with a line to begin with."""
        self._open(Snippet(id=new_id(), title=self._free_title(), code=STARTER, target=self._target()))

    def open_text(
        self, title: str, code: str, target: str = "", jax: str = "", arguments: str = "", variables: str = ""
    ) -> None:
        """Open code that lies in no file; where it is in a tab already, that one comes to the front.

        Args:
            title: For the tab; "" for one of the museum's.
            code: All of it.
            target: Where to run it; "" for what its header asks for.
            jax: Version to run it with; "" for the first at hand.
            arguments: As in a shell.
            variables: Lines of NAME=VALUE.
        """
        same = (code, arguments, variables, target, jax)
        for snippet in self.snippets:
            target_of, jax_of = snippet.target if target else "", snippet.jax if jax else ""
            if same == (snippet.code, snippet.arguments, snippet.variables, target_of, jax_of):
                self.choose(snippet.id)
                return
        snippet = Snippet(
            id=new_id(),
            title=title or self._free_title(),
            code=code,
            target=target or self._target_of(code),
            jax=jax,
            arguments=arguments,
            variables=variables,
        )
        self._open(snippet)

    def choose(self, name: str) -> None:
        """Bring a snippet to the front."""
        if name not in self._shelf.order:
            return
        if name not in self._tabs:
            self._tabs[name] = self._make_tab(self._snippets[name])
            self._look_at_file(self._snippets[name])
        self._page.show_tab(name)
        self._keep_shelf(current=name)
        snippet = self._snippets[name]
        self._tell_place(snippet, edited=self._is_edited(snippet))

    def close_tab(self, name: str) -> None:
        """Close a snippet; what runs there is ended, and it can be opened again as it was."""
        order = self._shelf.order
        number = order.index(name)
        left = tuple(other for other in order if other != name)
        tab = self._tabs.pop(name, None)
        if tab is not None:
            task = asyncio.ensure_future(tab.close())
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)
        self._page.remove_tab(name)
        current = self._shelf.current if self._shelf.current != name else ""
        self._keep_shelf(order=left, closed=(*self._shelf.closed, name), current=current)
        self._page.watch(snippet.path for snippet in self.snippets if snippet.path)
        if not left:
            self.new()
        elif not current:
            self.choose(left[min(number, len(left) - 1)])

    def close_current(self) -> None:
        """Close the one in front."""
        self.close_tab(self._shelf.current)

    def reopen(self) -> None:
        """Bring back the snippet that was closed last."""
        if self._shelf.closed:
            name = self._shelf.closed[-1]
            self._keep_shelf(closed=self._shelf.closed[:-1])
            self._open(self._snippets[name])

    def run(self) -> None:
        """Run the snippet in front."""
        self.current.run()

    def stop(self) -> None:
        """End the run of the snippet in front."""
        self.current.stop()

    async def close(self) -> None:
        """End all runs and wait until nothing of them is alive."""
        await asyncio.gather(*(tab.close() for tab in self._tabs.values()), *self._ending)

    def _free_title(self) -> str:
        return untitled([snippet.title for snippet in self._snippets.values()])

    def _open(self, snippet: Snippet) -> None:
        """A tab for it, at the right end and in front."""
        self._keep(snippet)
        self._add_tab(snippet)
        self._keep_shelf(order=(*self._shelf.order, snippet.id), current=snippet.id)
        self._page.watch(one.path for one in self.snippets if one.path)
        self.choose(snippet.id)

    def _add_tab(self, snippet: Snippet) -> None:
        self._page.add_tab(snippet.id, snippet.title + EDITED * self._is_edited(snippet), snippet.path)

    def _make_tab(self, snippet: Snippet) -> BenchTab:
        view = self._page.make_view(snippet.id)
        view.reload_requested.connect(lambda: self._load_again(snippet.id))
        view.keep_requested.connect(lambda: self._keep_mine(snippet.id))
        log, say = self._history.runs, self._page.say
        how = (self._limits, self._find)
        tab = BenchTab(snippet, view, self._lab, self._checker, log, self._on_tab_changed, say, *how)
        if self._environments is not None:
            tab.take_environments(self._environments)
        if self._assist is not None:
            self._assist.attach(view.editor, lambda: tab.runs.environment)
        if self._finder is not None:
            self._finder.attach(view.find_bar)
        return tab

    def _on_page_moved(self, order: list[str]) -> None:
        self._keep_shelf(order=tuple(order))

    # What is kept

    def _on_tab_changed(self, snippet: Snippet) -> None:
        self._keep(snippet)
        edited = self._is_edited(snippet)
        self._page.name_tab(snippet.id, snippet.title + EDITED * edited, snippet.path)
        self._tell_place(snippet, edited=edited)

    def _keep(self, snippet: Snippet) -> None:
        self._snippets[snippet.id] = snippet
        self._try(lambda: self._store.keep(snippet))

    def _keep_shelf(self, **values: object) -> None:
        self._shelf = msgspec.structs.replace(self._shelf, **values)
        self._try(self._write_shelf)

    def _write_shelf(self) -> None:
        self._shelf = self._store.keep_shelf(self._shelf)

    def _try(self, work: Callable[[], object]) -> bool:
        """Do something that may not work; what stands in its way is told in one line."""
        try:
            work()
        except MuseumError as failure:
            self._page.say(str(failure))
            return False
        return True

    # Files

    def open_file(self, path: str) -> None:
        """Open a file; one that is in a tab comes to the front."""
        place = str(Path(path).expanduser().absolute())
        for snippet in self.snippets:
            if snippet.path == place:
                self.choose(snippet.id)
                return
        self._try(lambda: self._open_file(place))

    def _open_file(self, place: str) -> None:
        source = read_source(Path(place))
        snippet = Snippet(
            id=new_id(),
            title=title_of(place),
            code=source.text,
            path=place,
            saved=source.digest,
            newline=source.newline,
            mark=source.mark,
            target=self._target_of(source.text),
        )
        self._page.say(f"{snippet.title}: {source.warning}" if source.warning else "")
        self._open(snippet)
        self._remember_recent(place)

    def ask_for_file(self) -> None:
        """Let the visitor choose files to open."""
        self._page.ask_for_file()

    def ask_where_to_save(self) -> None:
        """Let the visitor choose the file of the snippet in front."""
        snippet = self.current.snippet
        name = f"{snippet.title.lower().replace(' ', '_').removesuffix('.py')}.py"
        self._page.ask_where_to_save(snippet.path or str(Path.home() / name))

    def save(self) -> None:
        """Write the snippet in front to its file; one that another program changed is asked about first."""
        snippet = self.current.snippet
        if not snippet.path:
            self.ask_where_to_save()
        elif digest_at(Path(snippet.path)) not in ("", snippet.saved):
            self._look_at_file(snippet)
        else:
            self.save_as(snippet.path)

    def save_as(self, path: str) -> None:
        """Write the snippet in front to a file, which is its own from now on."""
        self._try(lambda: self._write(self.current, str(Path(path).expanduser().absolute())))

    def _write(self, tab: BenchTab, place: str) -> None:
        digest = write_source(Path(place), tab.snippet.content, tab.snippet.newline)
        tab.change(path=place, title=title_of(place), saved=digest)
        tab.view.ask_about_file("")
        self._page.say("")
        self._page.watch(snippet.path for snippet in self.snippets if snippet.path)
        self._remember_recent(place)

    def _remember_recent(self, place: str) -> None:
        shelf: Shelf = with_recent(self._shelf, place)
        self._keep_shelf(recent=shelf.recent)
        self._page.show_recent(shelf.recent)

    def _on_page_file_changed(self, path: str) -> None:
        for snippet in self.snippets:
            if snippet.path == path and snippet.id in self._tabs:
                self._look_at_file(snippet)

    def _look_at_file(self, snippet: Snippet) -> None:
        """Ask what is to become of a snippet whose file is not as it was left."""
        if not snippet.path:
            return
        tab, now, name = self._tabs[snippet.id], digest_at(Path(snippet.path)), title_of(snippet.path)
        if now == snippet.saved:
            tab.view.ask_about_file("")
        elif not now:
            tab.view.ask_about_file(f"{name} is not on the disk any more. Saving writes it again.")
        elif now == digest_of(snippet.content, snippet.newline):
            tab.change(saved=now)
            tab.view.ask_about_file("")
        else:
            tab.view.ask_about_file(f"{name} was changed by another program.", f"Load {name}")

    def _load_again(self, name: str) -> None:
        tab = self._tabs[name]
        self._try(lambda: self._load(tab))

    @staticmethod
    def _load(tab: BenchTab) -> None:
        source = read_source(Path(tab.snippet.path))
        tab.replace_text(source.text)
        tab.change(saved=source.digest, newline=source.newline, mark=source.mark)
        tab.view.ask_about_file("")

    def _keep_mine(self, name: str) -> None:
        tab = self._tabs[name]
        tab.change(saved=digest_at(Path(tab.snippet.path)))
        tab.view.ask_about_file("")

    @staticmethod
    def _is_edited(snippet: Snippet) -> bool:
        return bool(snippet.path) and digest_of(snippet.content, snippet.newline) != snippet.saved

    def _tell_place(self, snippet: Snippet, *, edited: bool) -> None:
        if snippet.id in self._tabs:
            words = f"{snippet.path}{', not saved' if edited else ''}"
            self._tabs[snippet.id].view.show_place(words or "in no file yet; kept here as you type")

    def _target_of(self, code: str) -> str:
        """What the header asks for, else the usual."""
        try:
            wanted = wanted_target(code)
        except MuseumError:
            return self._target()  # said when it runs
        return self._target() if wanted is None else str(wanted)

"""The code that the visitor has in front of them, on an exhibit's page or on the bench, to be compared or shared."""

from collections.abc import Callable

from gui.controllers.bench_tab import BenchTab
from gui.controllers.comparing import Compared
from gui.controllers.exhibits import ExhibitController
from gui.controllers.sharing import InFront
from museum.bench.variables import read_arguments, read_variables
from museum.compare import KEPT, Subject
from museum.errors import MuseumError
from museum.exhibit import Exhibit, Half, OutcomeKind
from museum.lab.runner import Limits

NOTHING = "There is no code in front: open an exhibit or a snippet first."


class CodeInFront:
    """Asks the controllers of the pages.

    Args:
        exhibits: Of the exhibit page.
        tab: Gives the bench's tab where the bench is in front; None elsewhere.
        shows_exhibit: Whether an exhibit is in front.
        half: Gives the half that has the focus; None where none has.
    """

    def __init__(
        self,
        exhibits: ExhibitController,
        tab: Callable[[], BenchTab | None],
        shows_exhibit: Callable[[], bool],
        half: Callable[[], Half | None],
    ) -> None:
        self._exhibits, self._tab, self._shows_exhibit, self._half = exhibits, tab, shows_exhibit, half

    def shared(self) -> InFront:
        """What could be shared.

        Raises:
            MuseumError: There is nothing, or it was made by others and not agreed to.
        """
        tab = self._tab()
        if tab is not None:
            snippet, runs = tab.snippet, tab.runs
            arguments, variables = _inputs(tab)
            return InFront(
                snippet.title,
                snippet.code,
                runs.target,
                arguments,
                variables,
                tab.finished,
                environments=runs.environments,
            )
        exhibit = self._exhibit()
        run, texts, runs = self._exhibits.finished, self._exhibits.texts, self._exhibits.runs
        half = self._half() or (run.wish.half if run else Half.FAILING)
        fix = texts[Half.FIX] if run and run.wish.half is Half.FAILING else ""
        return InFront(exhibit.title, texts[half], runs.target, run=run, fix=fix, environments=runs.environments)

    def compared(self, half: Half | None = None) -> Compared:
        """What could be compared, beginning with a half of an exhibit.

        Raises:
            MuseumError: As `shared`.
        """
        tab = self._tab()
        if tab is not None:
            arguments, variables = _inputs(tab)
            subject = Subject(tab.snippet.code, tab.snippet.title, arguments, variables)
            return Compared(tab.snippet.title, {"": subject}, "", tab.runs.target, (), tab.runs.environments)
        exhibit = self._exhibit()
        runs = self._exhibits.runs
        subjects = {str(one): self._subject(exhibit, one) for one in Half}
        chosen = half or self._half() or Half.FAILING
        return Compared(exhibit.title, subjects, chosen, runs.target, exhibit.facts.targets, runs.environments)

    def _exhibit(self) -> Exhibit:
        exhibit = self._exhibits.exhibit
        if exhibit is None or not self._shows_exhibit():
            raise MuseumError(NOTHING)
        if why := self._exhibits.why_not(exhibit):
            raise MuseumError(why)
        return exhibit

    def _subject(self, exhibit: Exhibit, half: Half) -> Subject:
        edited = half in self._exhibits.edited
        title = f"{exhibit.title} ({half}{', edited' if edited else ''})"
        kinds = {exhibit.facts.kind, *(one.kind for one in exhibit.facts.expect)}
        hangs = half is Half.FAILING and not edited and OutcomeKind.HANGS in kinds
        limits = Limits(seconds=exhibit.facts.hangs_after, kept=KEPT) if hangs else Limits(kept=KEPT)
        code = self._exhibits.texts[half]
        return Subject(code, title, limits=limits, exhibit=None if edited else exhibit, half=half)


def _inputs(tab: BenchTab) -> tuple[tuple[str, ...], dict[str, str]]:
    arguments, fault = read_arguments(tab.snippet.arguments)
    if fault:
        raise MuseumError(fault)
    return tuple(arguments), read_variables(tab.snippet.variables).values

"""What a first visit begins with."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from stand_ins import pretended

from gui.controllers.welcome import FIRST, WelcomeController, is_first_visit
from gui.widgets.welcome_page import WAYS, WelcomePage
from museum.catalog import Catalog, load_catalog
from museum.exhibit import OutcomeKind
from museum.history import History
from museum.lab.environments import Environment, EnvironmentKind

CATALOG = load_catalog(check=False)


class Visit:
    """The controller with a pretended page, and what was done."""

    def __init__(self, catalog: Catalog = CATALOG) -> None:
        self.page = pretended(WelcomePage)
        self.made = 0
        self.done: list[str] = []
        ways = {name: lambda name=name: self.done.append(name) for name, *_ in (*WAYS, ("environments",))}
        self.controller = WelcomeController(
            catalog, self.make_page, self.done.append, lambda: self.done.append("run"), ways
        )

    def make_page(self) -> WelcomePage:
        self.made += 1
        return self.page


def environment(jax: str) -> Environment:
    return Environment("own", EnvironmentKind.OWN, Path("python"), "3.11.7", jax, jax)


def test_the_first_exhibit_runs_on_fake_cpus_and_raises() -> None:
    first = CATALOG.exhibit(FIRST)
    assert first.facts.kind is OutcomeKind.RAISES
    assert first.facts.targets[0].startswith("cpu:")


def test_one_press_opens_the_first_exhibit_and_runs_it() -> None:
    visit = Visit()
    visit.controller.open()
    assert visit.page.show_first.call_args.args == (CATALOG.exhibit(FIRST).title,)
    visit.page.take_focus.assert_called_once_with()
    visit.page.run_requested.emit()
    assert visit.done == [FIRST, "run"]


def test_the_ways_on_lead_where_they_say() -> None:
    visit = Visit()
    visit.controller.open()
    for name in ("search", "show-studio", "show-bench", "environments", "first-wing"):
        visit.page.way_requested.emit(name)
    assert visit.done == ["search", "show-studio", "show-bench", "environments", CATALOG.wings[0].id]


def test_the_page_is_made_when_it_is_wanted_and_once() -> None:
    visit = Visit()
    visit.controller.take_environments([environment("0.10.2")])
    assert visit.made == 0
    visit.controller.open()
    visit.controller.open()
    assert visit.made == 1
    assert visit.page.show_environments.call_args.args == (["JAX 0.10.2 on Python 3.11.7 (own)"],)


def test_it_tells_between_looking_finding_none_and_finding_some() -> None:
    visit = Visit()
    visit.controller.open()
    assert visit.page.show_environments.call_args.args == (None,)
    visit.controller.take_environments([environment("")])
    assert visit.page.show_environments.call_args.args == ([],)
    visit.controller.take_environments([environment(""), environment("0.6.2")])
    assert visit.page.show_environments.call_args.args == (["JAX 0.6.2 on Python 3.11.7 (own)"],)


def test_a_museum_without_that_exhibit_begins_with_another_or_with_none() -> None:
    visit = Visit(Catalog(CATALOG.wings[1:]))
    visit.controller.open()
    visit.page.run_requested.emit()
    assert visit.done == [CATALOG.wings[1].exhibits[0].id, "run"]
    empty = Visit(Catalog(()))
    empty.controller.open()
    assert empty.page.show_first.call_args.args == ("",)
    empty.page.run_requested.emit()
    assert empty.done == []


@pytest.mark.parametrize("left", ["nothing", "history", "settings"])
def test_a_visit_is_the_first_when_nothing_was_left_by_another(tmp_path: Path, left: str) -> None:
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    if left == "history":
        History(tmp_path / "history.sqlite").close()
    if left == "settings":
        settings.setValue("look/scale", 1.0)
    assert is_first_visit(tmp_path, settings) is (left == "nothing")

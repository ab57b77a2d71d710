"""Finding one's way in the whole window: search, filters, favourites, palette, links, back; and the first visit."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from hands import Hands, OwnLab
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gui.app import Museum
from gui.controllers import visits
from gui.controllers.navigation import WELCOME
from gui.loop import QEventLoop
from gui.models.roles import ID_ROLE
from gui.widgets.palette import Palette
from gui.widgets.star_button import StarButton
from museum.catalog import Catalog
from museum.exhibit import Half
from museum.history import History
from museum.lab.environments import Environment

pytestmark = pytest.mark.qt_log_ignore("does not support")
EXHIBIT = "xla/indivisible-dimension"
OTHER = "xla/unknown-axis"


class Visit(Hands):
    """An open museum whose search is ready."""

    async def begun(self) -> None:
        await super().begun()
        await self.museum.search.close()
        QApplication.processEvents()

    @property
    def place(self) -> str:
        return self.museum.navigation.place

    @property
    def listed(self) -> list[str]:
        """Ids at the top level of the list."""
        model = self.museum.model
        return [model.index(row, 0).data(ID_ROLE) for row in range(model.rowCount())]

    def search(self, query: str) -> None:
        self.ctrl(Qt.Key.Key_K)
        QTest.keyClicks(self.window.bar.search, query)


Story = Callable[[Visit], Coroutine[Any, Any, None]]
Play = Callable[..., None]


@pytest.fixture
def play(
    loop: QEventLoop, qapp: QApplication, catalog: Catalog, museum_home: Path, own_environment: Environment
) -> Play:
    """Opens the museum at a place, lets a story happen in it, and closes it."""

    def play(story: Story, place: str = EXHIBIT, *, with_jax: bool = True) -> None:
        async def visit() -> None:
            lab = OwnLab(own_environment, spares=0) if with_jax else OwnLab(spares=0)
            visit = Visit(Museum(qapp, catalog, lab, museum_home, place))
            try:
                async with asyncio.timeout(60):
                    await visit.begun()
                    await story(visit)
            finally:
                await visit.leave()
                visit.window.deleteLater()

        loop.run_until_complete(visit())

    return play


def silent(catalog: Catalog) -> set[str]:
    """Exhibits that fail in silence on some version."""
    return {
        one.id
        for one in catalog.exhibits
        if "silent" in (one.facts.kind, *(expectation.kind for expectation in one.facts.expect))
    }


# Search


def test_words_and_filters_lead_to_an_exhibit_and_esc_brings_all_back(play: Play, catalog: Catalog) -> None:
    async def story(visit: Visit) -> None:
        visit.search("kind:silent shrading")
        assert visit.listed
        assert set(visit.listed) <= silent(catalog)
        assert "Showing results for sharding; nothing has shrading." in visit.said(visit.window.finder)
        hits = visit.listed
        for hit in hits[:2]:
            visit.press(Qt.Key.Key_Return)
            assert visit.place == hit
        visit.press(Qt.Key.Key_Down)
        assert visit.window.focusWidget() is visit.window.sidebar
        assert visit.place == hits[0]
        visit.press(Qt.Key.Key_Down)
        assert visit.place == hits[1]
        visit.press(Qt.Key.Key_Up)
        visit.press(Qt.Key.Key_Up)
        assert visit.window.focusWidget() is visit.window.bar.search
        visit.press(Qt.Key.Key_Escape)
        assert visit.window.bar.search.text() == ""
        assert visit.listed == [wing.id for wing in catalog.wings]
        assert visit.place == hits[0]
        assert visit.window.sidebar.currentIndex().data(ID_ROLE) == hits[0]

    play(story)


def test_filters_by_hand_stand_in_the_search_box(play: Play, catalog: Catalog) -> None:
    async def story(visit: Visit) -> None:
        visit.press(Qt.Key.Key_F, modifiers=Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        panel = visit.window.finder._panel
        assert panel is not None
        panel._values["wing", "memory"].click()
        panel._values["kind", "silent"].click()
        assert visit.window.bar.search.text() == "wing:memory kind:silent"
        wanted = {name for name in silent(catalog) if name.startswith("memory/")}
        assert set(visit.listed) == wanted
        panel.close()
        first = visit.window.finder._chips[0]
        assert first.accessibleName() == "Remove the filter wing memory"
        first.click()
        assert visit.window.bar.search.text() == "kind:silent"
        assert f"{len(silent(catalog))} found" in visit.said(visit.window.finder)

    play(story)


def test_what_was_run_just_now_is_found_by_its_verdict(play: Play) -> None:
    async def story(visit: Visit) -> None:
        visit.search("verdict:does-not-fail")
        assert visit.listed == []
        assert "No exhibit fits all of these filters." in visit.said(visit.window.finder)
        visit.press(Qt.Key.Key_Escape)
        visit.museum.search.note_verdict(EXHIBIT, "0.0", "does not fail")  # the lab makes no such run on demand
        visit.press(Qt.Key.Key_F5)
        run = visit.museum.exhibits.runs._task
        assert run is not None
        await asyncio.wait([run])
        visit.search("verdict:does-not-fail")
        assert visit.listed == [EXHIBIT]

    play(story)


# Favourites and recent exhibits


def test_ctrl_d_makes_a_favourite_that_is_there_the_next_time(play: Play) -> None:
    async def first(visit: Visit) -> None:
        star = visit.window.exhibit_page.findChild(StarButton)
        visit.ctrl(Qt.Key.Key_D)
        assert star.isChecked()
        assert visit.listed[0] == "favourites"
        visit.museum.navigation.go(OTHER)
        assert not star.isChecked()
        star.click()
        visit.search("is:favourite")
        assert set(visit.listed) == {EXHIBIT, OTHER}

    async def second(visit: Visit) -> None:
        model = visit.museum.model
        top = model.index(0, 0)
        assert [model.index(row, 0, top).data(ID_ROLE) for row in range(model.rowCount(top))] == [EXHIBIT, OTHER]
        assert visit.window.exhibit_page.findChild(StarButton).isChecked()
        visit.ctrl(Qt.Key.Key_D)
        assert [model.index(row, 0, top).data(ID_ROLE) for row in range(model.rowCount(top))] == [OTHER]

    play(first)
    play(second)


def test_a_favourite_of_another_window_is_there_when_the_visitor_comes_back(play: Play, museum_home: Path) -> None:
    async def story(visit: Visit) -> None:
        other = History(museum_home / "history.sqlite")
        other.visits.set_favourite(OTHER, on=True)
        other.close()
        assert visit.listed[0] != "favourites"
        visit.window.activated.emit()
        assert visit.listed[0] == "favourites"

    play(story)


def test_where_the_visitor_was_stands_in_the_menu_and_first_in_the_palette(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visits, "STAY", 0.0)

    async def story(visit: Visit) -> None:
        for place in (OTHER, "mesh", "memory"):
            await asyncio.sleep(0.05)
            visit.museum.navigation.go(place)
        await asyncio.sleep(0.05)
        entries = visit.museum.palette.entries()
        assert [entry.key for entry in entries[:2]] == [OTHER, EXHIBIT]
        recent = visit.window._recent.actions()
        assert [action.text() for action in recent] == [entry.text for entry in entries[:2]]
        visit.search("is:recent")
        assert set(visit.listed) == {OTHER, EXHIBIT}
        visit.ctrl(Qt.Key.Key_2)
        recent[1].trigger()
        assert visit.place == EXHIBIT
        assert visit.window._tabs.currentIndex() == 0

    play(story)


# The palette


def test_every_entry_of_the_menus_is_in_the_palette_and_does_the_same(play: Play) -> None:
    async def story(visit: Visit) -> None:
        offered = {entry.key: entry for entry in visit.museum.palette.entries()}
        entries = visit.window.menu_entries()
        assert len(entries) > 30
        for menu, action in entries:
            key = f"{menu}: {action.text()}".replace("&", "")
            assert (key in offered) == action.isEnabled(), key
            if not action.isEnabled():
                continue
            assert action.shortcut().toString() in offered[key].aside
            assert visit.museum.palette._actions[key] is action
        assert len({f"{menu}: {action.text()}" for menu, action in entries}) == len(entries)
        for one in (*visit.museum.catalog.wings, *visit.museum.catalog.exhibits):
            assert one.id in offered

    play(story)


def test_the_palette_switches_and_puts_what_was_done_last_first(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visits, "STAY", 600.0)  # no exhibit is recent

    async def story(visit: Visit) -> None:
        def choose(typed: str) -> Palette:
            visit.press(Qt.Key.Key_P, modifiers=Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
            palette = visit.window.findChild(Palette)
            QTest.keyClicks(palette._field, typed)
            QTest.keyClick(palette._field, Qt.Key.Key_Return)
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            return palette

        choose("whitespcae")
        assert visit.window._switches["whitespace"].isChecked()
        assert visit.museum.palette.entries()[0].text == "Show whitespace"
        assert visit.museum.palette.entries()[0].aside == "on"
        choose("unknown-axis")
        assert visit.place == OTHER

    play(story)


# Links, back and forward


def test_back_leads_through_pages_and_places_as_they_were_left(play: Play) -> None:
    async def story(visit: Visit) -> None:
        page, bar = visit.window.exhibit_page, visit.window.exhibit_page.verticalScrollBar()
        await asyncio.sleep(0.1)
        editor = page.halves[Half.FIX].editor
        editor.setFocus()
        visit.press(Qt.Key.Key_Right)
        bar.setValue(250)
        page.link_activated.emit(f"museum:{OTHER}")
        assert (visit.place, bar.value()) == (OTHER, 0)
        visit.ctrl(Qt.Key.Key_2)
        visit.ctrl(Qt.Key.Key_3)
        assert visit.window._tabs.currentIndex() == 2
        visit.press(Qt.Key.Key_Left, modifiers=Qt.KeyboardModifier.AltModifier)
        assert visit.window._tabs.currentIndex() == 1
        visit.press(Qt.Key.Key_Left, modifiers=Qt.KeyboardModifier.AltModifier)
        assert (visit.window._tabs.currentIndex(), visit.place) == (0, OTHER)
        visit.press(Qt.Key.Key_Left, modifiers=Qt.KeyboardModifier.AltModifier)
        assert visit.place == EXHIBIT
        await asyncio.sleep(0.1)
        assert bar.value() == 250
        assert visit.window.focusWidget() is editor
        assert editor.textCursor().position() == 1
        for _ in range(3):
            visit.press(Qt.Key.Key_Right, modifiers=Qt.KeyboardModifier.AltModifier)
        assert visit.window._tabs.currentIndex() == 2

    play(story)


def test_a_dead_link_is_told_in_one_line_and_leads_nowhere(play: Play) -> None:
    async def story(visit: Visit) -> None:
        visit.window.exhibit_page.link_activated.emit("museum:xla/unknown-axes")
        assert visit.place == EXHIBIT
        words = "Dead link: no exhibit xla/unknown-axes; did you mean xla/unknown-axis?"
        assert visit.window.bar._state.toolTip() == words

    play(story)


# The first visit


def test_a_first_visit_begins_with_the_welcome_and_one_press_runs_an_exhibit(play: Play) -> None:
    async def first(visit: Visit) -> None:
        await asyncio.sleep(0)
        assert visit.place == WELCOME
        page = visit.window.welcome_page
        assert page.isVisible()
        assert not visit.window.mesh_panel.isVisible()
        visit.press(Qt.Key.Key_Return)
        run = visit.museum.exhibits.runs._task
        assert run is not None
        await asyncio.wait([run])
        assert visit.place == EXHIBIT
        chosen = visit.window.exhibit_page.readings.chosen
        assert chosen is not None
        assert chosen.verdict.startswith("✓ Reproduces")
        visit.press(Qt.Key.Key_Left, modifiers=Qt.KeyboardModifier.AltModifier)
        assert page.isVisible()

    async def second(visit: Visit) -> None:
        assert visit.place == visit.museum.catalog.wings[0].id  # left from the welcome: nowhere in particular
        visit.museum.window.action_requested.emit("welcome")
        assert visit.window.welcome_page.isVisible()

    play(first, place="")
    play(second, place="")


def test_a_first_visit_without_jax_says_how_to_come_by_it(play: Play) -> None:
    async def story(visit: Visit) -> None:
        await asyncio.sleep(0)
        await visit.museum._find_environments()
        assert "There is no Python with JAX here yet." in visit.said(visit.window.welcome_page)

    play(story, place="", with_jax=False)


def test_a_first_visit_to_an_exhibit_shows_that_exhibit(play: Play) -> None:
    async def story(visit: Visit) -> None:
        assert visit.place == EXHIBIT
        assert "welcome_page" not in vars(visit.window)  # not even made

    play(story)

"""Expressions looked for in a child: those that take for ever are given up, and nothing waits for them."""

import asyncio

import pytest
from stand_ins import pretended

from gui.controllers.finding import FindController
from gui.widgets.find_bar import FindBar
from museum import finding
from museum.finding import TOO_LONG, Finder, Found, Query, Wish

FOR_EVER = Wish(Query("(a+)+$", regex=True), "a" * 60 + "b")
SIMPLE = Wish(Query("a+", regex=True), "🦀aa a")


def test_an_expression_that_takes_for_ever_is_given_up_and_the_next_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "LONGEST", 0.5)

    async def story() -> None:
        finder = Finder()
        assert finder.process_id is None
        assert await finder.fulfil(FOR_EVER) == Found(fault=TOO_LONG)
        assert finder.process_id is None
        monkeypatch.setattr(finding, "LONGEST", 30.0)
        patient = Finder()
        assert (await patient.fulfil(SIMPLE)).places == ((1, 3), (4, 5))
        replacing = Wish(Query("(a)", regex=True), "ba", r"<\1>")
        assert await patient.fulfil(replacing) == Found(text="b<a>", count=1)
        broken = Wish(Query("(", regex=True), "a")
        assert (await patient.fulfil(broken)).fault.startswith("no regular expression")
        await patient.close()
        assert patient.process_id is None

    asyncio.run(story())


def test_a_new_wish_ends_the_search_for_the_one_before() -> None:
    async def story() -> None:
        finder, bar = Finder(), pretended(FindBar)
        controller = FindController(finder)
        controller.attach(bar)
        bar.wanted.emit(FOR_EVER)
        await asyncio.sleep(0)
        bar.wanted.emit(SIMPLE)
        await asyncio.wait(set(controller._tasks))
        (answered,) = bar.answer.call_args_list
        assert answered.args[0] is SIMPLE
        assert answered.args[1].places == ((1, 3), (4, 5))
        await controller.close()
        assert finder.process_id is None

    asyncio.run(story())

"""Short texts are compared at once, long ones later, and only the last ones."""

import asyncio

import pytest

from gui.controllers import half_differences
from gui.controllers.half_differences import SHORT, HalfDifferences

LONG = "x = 1\n" * SHORT


def test_short_texts_are_compared_at_once() -> None:
    shown: list[tuple[frozenset[int], frozenset[int]]] = []
    HalfDifferences(lambda *found: shown.append(found)).compare("a\nb", "a\nc")
    assert shown == [({2}, {2})]


def test_of_long_texts_only_the_last_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(half_differences, "SETTLE", 0.0)

    async def story() -> list[tuple[frozenset[int], frozenset[int]]]:
        found = asyncio.get_running_loop().create_future()
        shown: list[tuple[frozenset[int], frozenset[int]]] = []

        def show(*lines: frozenset[int]) -> None:
            shown.append(lines)
            found.set_result(None)

        halves = HalfDifferences(show)
        halves.compare(LONG, f"first\n{LONG}")
        halves.compare(LONG, f"{LONG}last")
        assert shown == []  # not in the key that asks
        await found
        halves.compare(LONG, f"left\n{LONG}")
        halves.cancel()
        await asyncio.sleep(0)
        return shown

    assert asyncio.run(story()) == [({SHORT + 1}, {SHORT + 1})]

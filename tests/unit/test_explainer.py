"""The window's one diagnosis: loaded once, asked one text at a time, taught more versions in the background."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from gui.controllers import explainer as module
from gui.controllers.explainer import Explainer, Learning
from gui.controllers.findings import findings_of
from gui.widgets.finding_line import Finding
from gui.widgets.reading import Reading
from museum.catalog import Catalog
from museum.diagnosis.diagnose import Diagnosis
from museum.diagnosis.site_index import RaiseSite, SiteIndex
from museum.diagnosis.sites import Installed
from museum.errors import MuseumError
from museum.lab.environments import Environment, EnvironmentKind

CATALOG = Catalog(())
MESSAGE = "the dimension {size} does not fit in this wonderful mesh"


def index(jax: str, line: int) -> SiteIndex:
    template = tuple(MESSAGE.replace("}", "{").split("{"))
    return SiteIndex(jax, "", [RaiseSite("raise", "ValueError", "jax/_src/a.py", line, "f", (0,))], [template])


def environment(jax: str) -> Environment:
    return Environment(jax, EnvironmentKind.MANAGED, Path("/nowhere/bin/python"), "3.12.1", jax, jax)


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Versions that were built, with a build that takes no time."""
    versions: list[str] = []

    async def build(place: Installed, progress: Callable[[float], None]) -> SiteIndex:
        versions.append(place.jax)
        progress(0.5)
        await asyncio.sleep(0)
        progress(1.0)
        return index(place.jax, 7)

    monkeypatch.setattr(module, "_load", lambda catalog: Diagnosis(catalog, index("0.12.0.1", 3)))
    monkeypatch.setattr("museum.diagnosis.sites.build_index", build)
    monkeypatch.setattr(
        "museum.diagnosis.sites.installed", lambda one: Installed(one.jax, Path("/nowhere"), one.python)
    )
    return versions


def play(story: Callable[[Explainer, list[Learning]], Coroutine[Any, Any, None]]) -> None:
    async def whole() -> None:
        explainer = Explainer(CATALOG)
        heard: list[Learning] = []
        explainer.on_learning = heard.append
        try:
            await story(explainer, heard)
        finally:
            await explainer.close()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(whole())


PASTE = "ValueError: the dimension 12 does not fit in this wonderful mesh"


def test_it_is_loaded_once(built: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[Catalog] = []
    load = module._load
    monkeypatch.setattr(module, "_load", lambda catalog: loaded.append(catalog) or load(catalog))

    async def story(explainer: Explainer, _heard: list[Learning]) -> None:
        assert not explainer.is_loaded
        answers = await asyncio.gather(explainer.explain(PASTE), explainer.explain(PASTE))
        assert [answer.sites[0].line for answer in answers] == [3, 3]
        assert explainer.is_loaded
        assert loaded == [CATALOG]

    play(story)


def test_a_version_at_hand_is_learned_when_it_is_wanted(built: list[str]) -> None:
    async def story(explainer: Explainer, heard: list[Learning]) -> None:
        explainer.take_environments([environment("0.10.2"), environment("0.12.0.1")])
        assert explainer.versions == ("0.10.2", "0.12.0.1")
        assert (await explainer.explain(PASTE, "0.10.2")).jax == "0.12.0.1"  # the nearest, meanwhile
        assert explainer.learn("0.10.2")
        assert explainer.learn("0.10.2")  # still at it, and not twice
        await explainer.learned("0.10.2")
        assert built == ["0.10.2"]
        assert heard == [Learning("0.10.2", share) for share in (0.0, 0.5, 0.99, 1.0)]
        answer = await explainer.explain(PASTE, "0.10.2")
        assert (answer.jax, answer.sites[0].line) == ("0.10.2", 7)
        assert not explainer.learn("0.10.2")

    play(story)


@pytest.mark.parametrize("jax", ["", "0.9.0", "0.12.0.1"])
def test_what_is_not_at_hand_or_known_already_is_not_learned(built: list[str], jax: str) -> None:
    async def story(explainer: Explainer, _heard: list[Learning]) -> None:
        explainer.take_environments([environment("0.10.2"), environment("0.12.0.1")])
        await explainer.explain(PASTE)
        assert not explainer.learn(jax)
        assert built == []

    play(story)


def test_a_build_that_fails_is_told_and_not_tried_again(built: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    async def build(place: Installed, _progress: object) -> SiteIndex:
        raise MuseumError(f"the raise sites of JAX {place.jax} could not be read: no space")

    monkeypatch.setattr("museum.diagnosis.sites.build_index", build)

    async def story(explainer: Explainer, heard: list[Learning]) -> None:
        explainer.take_environments([environment("0.10.2")])
        explainer.learn("0.10.2")
        await explainer.learned("0.10.2")
        assert (
            heard[-1].fault == explainer.fault("0.10.2") == "the raise sites of JAX 0.10.2 could not be read: no space"
        )
        assert not explainer.learn("0.10.2")
        explainer.take_environments([environment("0.10.2")])  # it may lie elsewhere now
        assert explainer.learn("0.10.2")

    play(story)


def test_closing_ends_what_is_being_read(built: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[bool] = []
    started = asyncio.Event()

    async def build(_place: Installed, _progress: object) -> SiteIndex:
        started.set()
        try:
            await asyncio.sleep(3600)
        finally:
            ended.append(True)
        raise AssertionError

    monkeypatch.setattr("museum.diagnosis.sites.build_index", build)

    async def story(explainer: Explainer, heard: list[Learning]) -> None:
        explainer.take_environments([environment("0.10.2")])
        explainer.learn("0.10.2")
        await started.wait()

    play(story)
    assert ended == [True]


def findings(reading: Reading, *at_hand: str) -> list[Finding]:
    found: list[Finding] = []

    async def story(explainer: Explainer, _heard: list[Learning]) -> None:
        explainer.take_environments([environment(jax) for jax in at_hand])
        found.extend([finding async for finding in findings_of(explainer, reading)])

    play(story)
    return found


def failed(jax: str = "0.12.0.1", message: str = PASTE.partition(": ")[2]) -> Reading:
    return Reading("run 1", "", jax=jax, error="ValueError", message=message, role="bad")


def test_a_finding_names_the_place(built: list[str]) -> None:
    assert findings(failed()) == [Finding("No exhibit yet; raised at jax/_src/a.py:3")]


def test_a_finding_is_said_again_once_the_run_s_own_jax_is_read(built: list[str]) -> None:
    assert findings(failed("0.10.2"), "0.10.2") == [
        Finding("No exhibit yet; raised at jax/_src/a.py:3 in JAX 0.12.0.1"),
        Finding("No exhibit yet; raised at jax/_src/a.py:7"),
    ]


def test_what_nothing_is_known_of(built: list[str]) -> None:
    assert findings(failed(message="quite another thing")) == [
        Finding("No exhibit yet, and no known place in JAX that raises it")
    ]


def test_a_run_that_did_not_fail_is_not_asked_about(built: list[str]) -> None:
    assert findings(Reading("run 1", "", stdout=PASTE, role="good")) == []

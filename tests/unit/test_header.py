"""The comment in which a script says what it wants."""

import pytest

from museum.errors import MuseumError
from museum.lab.header import LINES, asked_otherwise, wanted_target
from museum.lab.target import Target


@pytest.mark.parametrize(
    ("script", "target"),
    [
        ("# museum: target=cpu:4\nimport jax\n", "cpu:4"),
        ("#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n\n# museum: target=cpu:2x4\n", "cpu:2x4"),
        ("#museum:target=tpu-compile", "tpu-compile"),
        ("#  museum:   target=local  \n", "local"),
    ],
)
def test_a_header_at_the_top_is_read(script: str, target: str) -> None:
    assert wanted_target(script) == Target.parse(target)


@pytest.mark.parametrize(
    "script",
    [
        "",
        "import jax\n# museum: target=cpu:4\n",
        "# a museum: target=cpu:4 within words\n",
        "#\n" * LINES + "# museum: target=cpu:4\n",
        "# museum:\n",
    ],
    ids=["empty", "below code", "within words", "too far down", "asks for nothing"],
)
def test_anything_else_asks_for_nothing(script: str) -> None:
    assert wanted_target(script) is None


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("# museum: devices=4", "line 1: 'devices=4' is nothing that a museum header knows; write target=cpu:8"),
        ("\n# museum: cpu:4", "line 2: 'cpu:4' is nothing that a museum header knows; write target=cpu:8"),
        ("# museum: target=cpu:0", "line 1: target cpu:0: the device count must be 1 to 512"),
    ],
)
def test_a_header_that_cannot_be_read_is_told_with_its_line(script: str, line: str) -> None:
    with pytest.raises(MuseumError) as caught:
        wanted_target(script)
    assert str(caught.value) == line


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("import jax\n", ""),
        ("# museum: target=cpu:8\n", ""),
        ("# museum: target=cpu:4\n", "cpu:4"),
        ("# museum: target=nowhere\n", "nowhere"),
    ],
)
def test_what_is_asked_for_is_told_where_the_run_went_elsewhere(script: str, words: str) -> None:
    said = asked_otherwise(script, "cpu:8")
    assert words in said
    assert bool(said) is bool(words)

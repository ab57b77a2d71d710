"""Flags are judged by the XLA that would get them."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from museum.bench.flags import FlagChecker
from museum.lab.environments import Environment


@pytest.fixture(scope="module")
def checker() -> FlagChecker:
    return FlagChecker()


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ("--xla_dump_too=/x", "knows no --xla_dump_too=/x: the run would end at once; did you mean --xla_dump_to?"),
        ("--xla_dump_to", "it wants a value"),
        ("--xla_gpu_autotune_level=a", "cannot read 'a' as a value of --xla_gpu_autotune_level"),
    ],
)
def test_what_xla_refuses_is_told(checker: FlagChecker, own_environment: Environment, flags: str, words: str) -> None:
    assert checker.known(own_environment, flags) is None
    (line,) = asyncio.run(checker.complaints(own_environment, flags))
    assert words in line
    assert line.startswith(f"XLA of JAX {own_environment.jax} ")
    assert checker.known(own_environment, f" {flags} ") == (line,)


def test_what_xla_takes_is_not(checker: FlagChecker, own_environment: Environment, tmp_path: Path) -> None:
    assert asyncio.run(checker.complaints(own_environment, f"--xla_dump_to={tmp_path / 'dump'}")) == ()
    assert not (tmp_path / "dump").exists()
    assert asyncio.run(checker.complaints(own_environment, " ")) == ()


def test_a_python_that_does_not_run_complains_of_nothing(checker: FlagChecker, own_environment: Environment) -> None:
    broken = replace(own_environment, python=Path("/none"))
    assert asyncio.run(checker.complaints(broken, "--xla_x=1")) == ()
    assert checker.known(broken, "--xla_x=1") is None

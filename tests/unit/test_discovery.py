"""Which Pythons are at hand, under which names, and those that the visitor names; they are a few lines of shell."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from museum import cli
from museum.errors import MuseumError
from museum.lab import environments
from museum.lab.building import remove
from museum.lab.environments import (
    MARKER,
    Environment,
    EnvironmentKind,
    discover,
    forget_python,
    managed_directory,
    name_python,
    named_pythons,
)

PROBED = {"python_version": "3.12.1", "platform": "linux", "jax": "0.6.2", "jaxlib": "0.6.2", "libtpu": ""}


def fake_python(file: Path, **facts: str) -> Path:
    """An interpreter that answers every question with these facts."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\necho '{json.dumps(PROBED | facts)}'\n")
    file.chmod(0o755)
    return file


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with nothing on PATH and in pyenv but what the test puts there."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'tools'}:/usr/bin:/bin")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    real = environments.shutil.which
    monkeypatch.setattr(environments.shutil, "which", lambda name: real(name, path=str(tmp_path / "tools")))
    return tmp_path


def others() -> list[Environment]:
    """All but our own."""
    first, *found = asyncio.run(discover())
    assert (first.name, first.kind, first.python) == ("own", EnvironmentKind.OWN, Path(sys.executable))
    return found


def env(*words: str) -> int:
    """The command's exit code."""
    return cli.main(["env", *words], lambda _exhibit: pytest.fail("a window"))


def built(name: str) -> Path:
    python = fake_python(managed_directory() / name / "bin" / "python")
    facts = {"python_version": "3.12.1", "jax": "0.6.2", "jaxlib": "0.6.2", "libtpu": ""}
    (python.parent.parent / MARKER).write_text(json.dumps(facts))
    return python


def test_pythons_on_path_and_in_pyenv_are_found(machine: Path) -> None:
    on_path = fake_python(machine / "tools" / "python3.12", jax="0.10.2", libtpu="0.0.42.1")
    in_pyenv = fake_python(machine / "pyenv/versions/3.11.7/bin/python", python_version="3.11.7")
    first, second = others()
    assert first == Environment("python3.12", EnvironmentKind.FOUND, on_path, "3.12.1", "0.10.2", "0.6.2", "0.0.42.1")
    assert second == Environment("pyenv-3.11.7", EnvironmentKind.FOUND, in_pyenv, "3.11.7", "0.6.2", "0.6.2")


def test_what_has_no_jax_or_does_not_run_or_is_a_shim_is_passed_over(machine: Path) -> None:
    fake_python(machine / "tools" / "python3.13", jax="")
    (machine / "tools" / "python3.12").write_text("#!/bin/sh\nexit 127\n")
    (machine / "tools" / "python3.12").chmod(0o755)
    shims = machine / "pyenv" / "shims"
    fake_python(shims / "python3.11")
    (machine / "tools" / "python3.11").symlink_to(shims / "python3.11")
    (machine / "pyenv/versions/3.10.1/bin").mkdir(parents=True)
    found = [one.name for one in others()]
    assert "python3.13" not in found
    assert "python3.12" not in found
    assert "pyenv-3.10.1" not in found


def test_one_python_by_two_ways_is_listed_once(machine: Path) -> None:
    real = fake_python(machine / "pyenv/versions/3.12.1/bin/python")
    (machine / "tools").mkdir()
    (machine / "tools" / "python3.12").symlink_to(real)
    assert [one.name for one in others()] == ["python3.12"]


def test_a_named_venv_is_listed_by_its_folder_and_forgotten_again(machine: Path) -> None:
    python = fake_python(machine / "mine" / "bin" / "python")
    named = asyncio.run(name_python(machine / "mine"))
    assert named == Environment("mine", EnvironmentKind.NAMED, python, "3.12.1", "0.6.2", "0.6.2")
    assert others() == [named]
    asyncio.run(name_python(python))  # the same by another way
    assert (others(), named_pythons()) == ([named], [python])
    forget_python(python)
    assert (others(), named_pythons()) == ([], [])
    assert python.exists()


def test_two_venvs_made_by_one_python_are_two(machine: Path) -> None:
    base = fake_python(machine / "base" / "bin" / "python")
    for name in ("one", "two"):
        (machine / name / "bin").mkdir(parents=True)
        (machine / name / "bin" / "python").symlink_to(base)
        asyncio.run(name_python(machine / name))
    assert [one.name for one in others()] == ["one", "two"]


def test_names_are_unique_and_say_the_same_everywhere(machine: Path) -> None:
    built("jax-0.6.2")
    for project in ("a", "b", "c"):
        fake_python(machine / project / ".venv" / "bin" / "python")
    for folder in (machine / "jax-0.6.2", machine / "own", machine / "python3.12"):
        fake_python(folder / "bin" / "python")
    places = ["a/.venv", "b/.venv", "c/.venv", "jax-0.6.2", "own", "python3.12"]
    names = [".venv", ".venv-2", ".venv-3", "jax-0.6.2-2", "own-2", "python3.12"]
    assert [asyncio.run(name_python(machine / place)).name for place in places] == names
    fake_python(machine / "tools" / "python3.12")
    assert [one.name for one in others()] == ["jax-0.6.2", *names, "python3.12-2"]
    remove(".venv-2")
    assert named_pythons()[:2] == [machine / place / "bin" / "python" for place in ("a/.venv", "c/.venv")]
    remove("jax-0.6.2-2")
    assert (managed_directory() / "jax-0.6.2").is_dir()
    assert (machine / "b/.venv/bin/python").exists()
    assert (machine / "jax-0.6.2/bin/python").exists()


def test_what_cannot_be_named_is_told_why_and_not_remembered(machine: Path) -> None:
    fake_python(machine / "bare" / "bin" / "python", jax="")
    faults = {}
    for name in ("nothing", "bare"):
        with pytest.raises(MuseumError) as caught:
            asyncio.run(name_python(machine / name))
        faults[name] = str(caught.value)
    assert faults["nothing"] == f"{machine / 'nothing'}: neither a Python nor a virtual environment"
    assert faults["bare"] == f"{machine / 'bare'}: Python 3.12.1 has no JAX in it"
    assert named_pythons() == []


@pytest.mark.parametrize("text", ["", "{}", "[1]", '["cut short'])
def test_a_damaged_list_of_names_is_an_empty_one(text: str, machine: Path) -> None:
    file = environments._named_file()
    file.parent.mkdir(parents=True)
    file.write_text(text)
    assert named_pythons() == []
    fake_python(machine / "mine" / "bin" / "python")
    asyncio.run(name_python(machine / "mine"))
    assert [one.name for one in others()] == ["mine"]


def test_a_named_venv_that_is_gone_is_passed_over_until_it_is_back(machine: Path) -> None:
    python = fake_python(machine / "mine" / "bin" / "python")
    asyncio.run(name_python(machine / "mine"))
    python.rename(python.with_name("away"))
    assert others() == []
    python.with_name("away").rename(python)
    assert [one.name for one in others()] == ["mine"]


def test_the_command_adds_and_removes_a_venv_by_its_path(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fake_python(machine / "mine" / "bin" / "python")
    assert env("add", str(machine / "mine"), "--json") == 0
    assert json.loads(capsys.readouterr().out)["name"] == "mine"
    assert [one.name for one in others()] == ["mine"]
    assert env("remove", "mine") == 0
    assert others() == []
    assert (machine / "mine" / "bin" / "python").exists()
    assert env("remove", "mine") == 2
    assert "no environment 'mine' to remove" in capsys.readouterr().err

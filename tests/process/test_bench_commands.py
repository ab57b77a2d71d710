"""`compare` and `mine` as real commands, in a process of their own."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

FINE, BAD_NEWS, WRONG_USE = 0, 1, 2
EXHIBIT = "xla/unknown-axis"


class Command:
    """Runs ``xla-museum`` with words and returns what came of it."""

    def __init__(self, home: Path) -> None:
        self._variables = {**os.environ, "XLA_MUSEUM_HOME": str(home)}

    def __call__(self, *words: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "gui", *words]
        return subprocess.run(command, env=self._variables, capture_output=True, text=True, check=False)

    def json(self, *words: str, code: int = FINE) -> Any:
        answer = self(*words, "--json")
        assert (answer.returncode, answer.stderr) == (code, "")
        assert answer.stdout.count("\n") == 1
        return json.loads(answer.stdout)

    def refusal(self, *words: str) -> str:
        answer = self(*words)
        assert (answer.returncode, answer.stdout) == (WRONG_USE, "")
        return answer.stderr.removeprefix("xla-museum: ").rstrip("\n")


@pytest.fixture
def command(museum_home: Path) -> Command:
    return Command(museum_home)


@pytest.fixture
def script(tmp_path: Path) -> str:
    file = tmp_path / "devices.py"
    file.write_text("# museum: target=cpu:2\nimport jax\nprint(jax.device_count())\nassert jax.device_count() == 2\n")
    return str(file)


def test_compare_fills_a_table(command: Command, script: str) -> None:
    answer = command.json("compare", script, "--target", "cpu:2", "--target", "cpu:4", code=BAD_NEWS)
    own = [cell for cell in answer["cells"] if cell["environment"] == "own"]
    assert [(cell["target"], cell["status"], cell["letter"], cell["stdout"]) for cell in own] == [
        ("cpu:2", "ok", "P", "2\n"),
        ("cpu:4", "failed", "F", "4\n"),
    ]
    assert answer["answers"] >= 2
    assert own[1]["class"] == "AssertionError"


def test_compare_takes_the_scripts_own_target_and_prints_text_or_markdown(command: Command, script: str) -> None:
    version = command.json("env", "list")["environments"][0]["jax"]
    text = command("compare", script, "--jax", version)
    assert text.returncode == FINE
    assert text.stdout.splitlines()[0].split() == ["cpu:2"]
    assert "own" not in text.stdout
    assert text.stderr == f"xla-museum: 1/1: JAX {version} on cpu:2: ok\n"
    markdown = command("compare", script, "--jax", version, "--markdown")
    assert markdown.stdout.startswith("## devices.py\n\n|  | `cpu:2` |\n")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("nowhere.py",), "nowhere.py: no such file"),
        (("SCRIPT", "--target", "cpu:0"), "target cpu:0: the device count must be 1 to 512"),
        (("SCRIPT", "--jax", "new"), "'new' is not a version such as 0.10.2"),
        (("SCRIPT", "--timeout", "0"), "--timeout: seconds must be more than 0"),
        (("SCRIPT", "--markdown", "--json"), "give one of --json and --markdown"),
    ],
)
def test_what_cannot_be_compared_is_told(command: Command, script: str, words: tuple[str, ...], line: str) -> None:
    assert command.refusal("compare", *(script if word == "SCRIPT" else word for word in words)) == line


def test_a_version_that_is_not_here_is_a_cell_that_says_so(command: Command, script: str) -> None:
    answer = command.json("compare", script, "--jax", "0.1.0", code=WRONG_USE)
    assert answer["cells"][0]["message"].startswith("no environment with JAX 0.1.0 here; make one with")


def test_what_others_made_comes_in_is_agreed_to_and_verified(command: Command, tmp_path: Path) -> None:
    assert command.json("mine", "list") == {"exhibits": [], "problems": []}
    path = str(tmp_path / "unknown.zip")
    assert command.json("mine", "export", EXHIBIT, path) == {"exported": EXHIBIT, "path": path}
    assert command.json("mine", "import", path) == {"imported": ["mine/unknown-axis"]}
    entry = command.json("mine", "list")["exhibits"][0]
    assert (entry["id"], entry["trusted"], entry["from"]) == ("mine/unknown-axis", False, "unknown.zip")
    assert "never agreed to; read it, then: xla-museum mine trust" in command.refusal("verify", "mine/unknown-axis")
    assert command("show", "mine/unknown-axis").returncode == FINE
    assert command.json("mine", "trust", "mine/unknown-axis") == {"trusted": "mine/unknown-axis"}
    assert command("verify", "mine/unknown-axis", "--record").returncode == FINE
    assert command.json("mine", "list")["exhibits"][0]["jax"] != []
    assert command.json("mine", "remove", "mine/unknown-axis") == {"removed": "mine/unknown-axis"}
    assert command("mine").stdout.startswith("there are no exhibits of yours yet")


def test_a_zip_that_leads_elsewhere_is_refused_with_every_fault(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "odd.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("odd/../../evil.py", "x")
        archive.writestr("odd/run.sh", "x")
    lines = command.refusal("mine", "import", str(path)).splitlines()
    assert len(lines) == 2
    assert lines[0] == "odd/../../evil.py: has a path that leads elsewhere"
    assert command.json("mine", "list")["exhibits"] == []


@pytest.mark.parametrize(
    ("words", "piece"),
    [
        (("remove", "xla/unknown-axis"), "is no exhibit of yours"),
        (("remove", "mine/nothing"), "no exhibit mine/nothing"),
        (("trust", "mine/nothing"), "no exhibit mine/nothing"),
        (("import", "nowhere.zip"), "nowhere.zip: there is no such file"),
        (("export", "mine/nothing", "x"), "no exhibit mine/nothing"),
    ],
)
def test_what_is_not_there_is_told_in_one_line(command: Command, words: tuple[str, ...], piece: str) -> None:
    line = command.refusal("mine", *words)
    assert piece in line
    assert "\n" not in line

"""``xla-museum explain``: the real command on files, standard input and many at once."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FINE, WRONG_USE = 0, 2
TEXT = "ValueError: Number of devices 1 must equal the product of mesh_shape (1, 8)"


def explain(*words: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    command = (sys.executable, "-m", "gui", "explain", *words)
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)


def answer_of(*words: str, stdin: str = "") -> Any:
    answer = explain(*words, "--json", stdin=stdin)
    assert (answer.returncode, answer.stderr) == (FINE, "")
    return json.loads(answer.stdout)


def is_right(said: Any) -> bool:
    exhibit, site = said["exhibits"][0], said["sites"][0]
    keys = {"class", "file", "line", "function", "template", "score"}
    return (
        exhibit["id"] == "mesh/device-count-differs"
        and keys <= site.keys()
        and site["file"] == "jax/_src/mesh_utils.py"
    )


def test_a_file_or_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "log.txt"
    file.write_text(f"2026-11-30 04:54:20,964 INFO start\n{TEXT}\n")
    assert is_right(answer_of(str(file)))
    assert is_right(answer_of(stdin=TEXT))
    assert is_right(answer_of("-", stdin=TEXT))


def test_as_text() -> None:
    answer = explain(stdin=TEXT)
    assert answer.returncode == FINE
    assert "mesh/device-count-differs" in answer.stdout
    assert "https://github.com/jax-ml/jax/blob/jax-v" in answer.stdout
    assert "No exhibit yet." in explain(stdin="ZeroDivisionError: division by zero").stdout


def test_many_at_once(tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    file.write_text(json.dumps({"text": TEXT}) + "\n\n" + json.dumps({"text": "what?", "id": 3}) + "\n")
    answer = explain("--jsonl", str(file))
    assert answer.returncode == FINE
    first, second = map(json.loads, answer.stdout.splitlines())
    assert is_right(first)
    assert second["exhibits"] == []


def test_a_version_that_is_not_installed_is_said_so() -> None:
    answer = explain("--jax", "0.1.77", stdin=TEXT)
    assert answer.returncode == FINE
    assert "JAX 0.1.77 is not installed here" in answer.stderr


@pytest.mark.parametrize(
    ("words", "stdin", "line"),
    [
        (("none.txt",), "", "none.txt: cannot be read: No such file or directory"),
        (("--jax", "newest"), TEXT, "'newest' is not a version such as 0.10.2"),
        (("a.txt", "--jsonl", "b.jsonl"), "", "give either FILE or --jsonl FILE"),
        (("--jsonl", "-"), "[]", '-: line 1: is no {"text": …}'),
        (("--jsonl", "-"), '{"text": "a"}\n{"tex": "b"}', "-: line 2"),
    ],
)
def test_wrong_use_is_one_clear_line(words: tuple[str, ...], stdin: str, line: str) -> None:
    answer = explain(*words, stdin=stdin)
    assert (answer.returncode, answer.stdout) == (WRONG_USE, "")
    assert answer.stderr.count("\n") == 1
    assert line in answer.stderr

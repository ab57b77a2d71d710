"""The real command, in a process of its own, on a machine without a screen."""

import importlib.metadata
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from museum.lab.environments import Environment

FINE, BAD_NEWS, WRONG_USE, INTERRUPTED = 0, 1, 2, 130
COMMAND = (sys.executable, "-m", "gui")
EXHIBIT = "xla/unknown-axis"


def variables(home: Path) -> dict[str, str]:
    """A visitor's shell without a screen, whose data lie in `home`."""
    screen = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    mine = {name: value for name, value in os.environ.items() if name not in screen}
    return {**mine, "XLA_MUSEUM_HOME": str(home)}


class Command:
    """Runs ``xla-museum`` with words and returns what came of it."""

    def __init__(self, home: Path) -> None:
        self._variables = variables(home)

    def __call__(self, *words: str) -> "subprocess.CompletedProcess[str]":
        answer = self.bytes(*words)
        texts = (answer.stdout.decode(), answer.stderr.decode())
        return subprocess.CompletedProcess(words, answer.returncode, *texts)

    def bytes(self, *words: str) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [*COMMAND, *words], env=self._variables, capture_output=True, stdin=subprocess.DEVNULL, check=False
        )

    def json(self, *words: str, code: int = FINE) -> Any:
        """The one object that a command prints on one line of stdout, with nothing on stderr."""
        answer = self(*words, "--json")
        assert (answer.returncode, answer.stderr) == (code, "")
        assert answer.stdout.count("\n") == 1
        return json.loads(answer.stdout)


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> Command:
    return Command(tmp_path_factory.mktemp("home"))


def script(folder: Path, text: str) -> str:
    file = folder / "script.py"
    file.write_text(text)
    return str(file)


# -- list and show -----------------------------------------------------------------------------------------------------


def test_list_prints_every_exhibit_as_json(command: Command) -> None:
    entries = command.json("list")["exhibits"]
    entry = next(entry for entry in entries if entry["id"] == EXHIBIT)
    assert set(entry) >= {"id", "wing", "title", "kind", "target", "tags", "jax"}
    assert (entry["wing"], entry["kind"], entry["target"]) == ("xla", "raises", "cpu:8")
    assert all(isinstance(version, str) for version in entry["jax"])
    assert len({entry["id"] for entry in entries}) == len(entries)


def test_list_can_be_held_to_a_wing(command: Command) -> None:
    everything = command.json("list")["exhibits"]
    wing = command.json("list", "--wing", "xla")["exhibits"]
    assert wing == [entry for entry in everything if entry["wing"] == "xla"]
    text = command("list", "--wing", "xla")
    assert text.returncode == FINE
    assert [entry["id"] for entry in wing] == [line.split()[1] for line in text.stdout.splitlines()[1:]]


def test_list_as_text_names_every_exhibit(command: Command) -> None:
    answer = command("list")
    assert (answer.returncode, answer.stderr) == (FINE, "")
    for entry in command.json("list")["exhibits"]:
        assert f"{entry['id']} " in answer.stdout
        assert entry["title"] in answer.stdout


def test_show_prints_an_exhibit(command: Command) -> None:
    answer = command("show", EXHIBIT)
    entry = command.json("show", EXHIBIT)
    assert (answer.returncode, answer.stderr) == (FINE, "")
    assert answer.stdout.startswith(entry["title"] + "\n")
    for heading in ("What it means", "Ways out", "failing.py", "fix.py"):
        assert f"\n{heading}\n---" in answer.stdout
    assert entry in command.json("list")["exhibits"]


def test_a_reader_that_has_seen_enough_is_no_fault(command: Command, tmp_path: Path) -> None:
    # Its end of the pipe is closed before anything is printed.
    reading, writing = os.pipe()
    os.close(reading)
    answer = subprocess.run(
        [*COMMAND, "show", EXHIBIT], env=variables(tmp_path), stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert (answer.returncode, answer.stderr) == (FINE, b"")


# -- run ---------------------------------------------------------------------------------------------------------------


def test_run_passes_both_streams_through_byte_for_byte(command: Command, tmp_path: Path) -> None:
    code = """
import sys
for number in range(3000): sys.stdout.buffer.write(bytes(range(256)))
sys.stdout.buffer.flush()
sys.stderr.buffer.write(b"caf\\xe9 \\xc2\\xb5\\r\\n no end")
"""
    answer = command.bytes("run", script(tmp_path, code))
    assert answer.returncode == FINE
    assert answer.stdout == bytes(range(256)) * 3000
    assert answer.stderr == b"caf\xe9 \xc2\xb5\r\n no end"


def test_run_of_a_failing_script_is_bad_news_with_pythons_own_words(command: Command, tmp_path: Path) -> None:
    file = script(tmp_path, "print('so far')\nraise ValueError('no')\n")
    plain = subprocess.run([sys.executable, file], capture_output=True, text=True, check=False)
    answer = command("run", file)
    assert (answer.returncode, answer.stdout, answer.stderr) == (BAD_NEWS, plain.stdout, plain.stderr)


RUN_KEYS = {"status", "exit_code", "exception", "stdout", "stderr", "meshes", "arrays", "environment", "target"}


def test_run_as_json_tells_meshes_arrays_and_exception(command: Command, tmp_path: Path) -> None:
    code = """
import jax, jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((4,), ("data",))
x = jax.device_put(jnp.zeros((8, 2)), NamedSharding(mesh, P("data")))
print("µ")
raise KeyError("told")
"""
    told = command.json("run", script(tmp_path, code), "--devices", "4", code=BAD_NEWS)
    assert set(told) >= RUN_KEYS | {"timings"}
    assert (told["status"], told["exit_code"], told["stdout"]) == ("failed", 1, "µ\n")
    assert (told["environment"], told["target"]) == ("own", "cpu:4")
    assert set(told["exception"]) >= {"class", "message", "frames"}
    assert (told["exception"]["class"], told["exception"]["message"]) == ("KeyError", "'told'")
    (mesh,) = told["meshes"]
    assert set(mesh) >= {"name", "axes", "device_ids"}
    assert (mesh["name"], mesh["device_ids"]) == ("mesh", [0, 1, 2, 3])
    assert [axis[:2] for axis in mesh["axes"]] == [["data", 4]]
    (array,) = told["arrays"]
    assert set(array) >= {"name", "shape", "dtype", "spec", "memory_kind", "shards"}
    assert array["spec"][0] == ["data"]
    assert array["shards"] == {str(number): [[2 * number, 2 * number + 2], [0, 2]] for number in range(4)}
    assert all(isinstance(seconds, float) for seconds in told["timings"].values())


def test_run_as_json_of_a_good_script_has_no_exception(command: Command, tmp_path: Path) -> None:
    told = command.json("run", script(tmp_path, "print('fine')\n"))
    assert (told["status"], told["exit_code"], told["exception"], told["stdout"]) == ("ok", 0, None, "fine\n")
    assert (told["target"], told["meshes"], told["arrays"]) == ("cpu:8", [], [])


@pytest.mark.parametrize("words", [["--devices", "3"], ["--target", "cpu:3"]], ids=str)
def test_run_gives_the_script_its_devices(words: list[str], command: Command, tmp_path: Path) -> None:
    answer = command("run", script(tmp_path, "import os\nprint(os.environ['XLA_FLAGS'])\n"), *words)
    assert (answer.returncode, answer.stdout) == (FINE, "--xla_force_host_platform_device_count=3\n")


def test_run_is_ended_by_its_time_limit_with_one_line(command: Command, tmp_path: Path) -> None:
    file = script(tmp_path, "print('so far')\nwhile True: pass\n")
    answer = command("run", file, "--timeout", "0.5")
    assert (answer.returncode, answer.stdout) == (BAD_NEWS, "so far\n")
    assert answer.stderr == "xla-museum: timed out: more than 0.5 s\n"
    told = command.json("run", file, "--timeout", "0.5", code=BAD_NEWS)
    assert (told["status"], told["detail"], told["exit_code"]) == ("timed out", "more than 0.5 s", -9)


def test_run_of_a_script_that_is_killed_says_by_what(command: Command, tmp_path: Path) -> None:
    answer = command("run", script(tmp_path, "import os\nos.abort()\n"))
    assert (answer.returncode, answer.stderr) == (BAD_NEWS, "xla-museum: crashed: killed by SIGABRT\n")


def descendants_of(process: psutil.Process) -> set[int]:
    return {child.pid for child in process.children(recursive=True)}


@pytest.fixture
def interruptible() -> Iterator[None]:
    """SIGINT as at a terminal: children of a test run in the background of a shell would ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_ends_the_run_and_leaves_no_process(interruptible: None, tmp_path: Path) -> None:
    code = """
import os, subprocess, sys
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(99)"], start_new_session=True)
print("on", flush=True)
while True: pass
"""
    words = [*COMMAND, "run", script(tmp_path, code)]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, env=variables(tmp_path), stdout=pipe, stderr=pipe, start_new_session=True) as museum:
        assert museum.stdout is not None
        assert museum.stdout.readline() == b"on\n"
        below = descendants_of(psutil.Process(museum.pid))
        museum.send_signal(signal.SIGINT)
        _, stderr = museum.communicate()
    assert (museum.returncode, stderr) == (INTERRUPTED, b"")
    assert len(below) >= 3  # the keeper, its guard, the script and what that started
    assert [pid for pid in below if psutil.pid_exists(pid)] == []


# -- verify ------------------------------------------------------------------------------------------------------------


def test_verify_prints_a_verdict_for_each_half(command: Command, own_environment: Environment) -> None:
    answer = command("verify", EXHIBIT, "--json")
    assert answer.returncode == FINE
    told = json.loads(answer.stdout)
    assert [
        set(result) >= {"exhibit", "half", "jax", "environment", "target", "verdict", "detail"}
        for result in told["results"]
    ]
    assert [(result["half"], result["verdict"]) for result in told["results"]] == [
        ("failing", "reproduces"),
        ("fix", "fix passes"),
    ]
    assert told["counts"] == {"reproduces": 1, "fix passes": 1}
    assert {result["environment"] for result in told["results"]} == {"own"}
    assert {result["jax"] for result in told["results"]} == {own_environment.jax}
    # Progress, so that a long verification can be followed while stdout stays one object.
    assert len(answer.stderr.splitlines()) == 2
    assert all(line.startswith("xla-museum: ") for line in answer.stderr.splitlines())


def test_verify_as_text_says_the_same(command: Command, own_environment: Environment) -> None:
    answer = command("verify", EXHIBIT)
    assert (answer.returncode, answer.stderr) == (FINE, "")
    *lines, last = answer.stdout.splitlines()
    assert last == "1 reproduces, 1 fix passes"
    assert sorted(line.split() for line in lines) == [
        [own_environment.jax, "cpu:8", EXHIBIT, "failing", "reproduces"],
        [own_environment.jax, "cpu:8", EXHIBIT, "fix", "fix", "passes"],
    ]


# -- env ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [["env"], ["env", "list"]], ids=str)
def test_env_lists_what_is_at_hand(words: list[str], command: Command, own_environment: Environment) -> None:
    assert command.json(*words) == {
        "environments": [
            {
                "name": "own",
                "kind": "own",
                "python": sys.executable,
                "python_version": own_environment.python_version,
                "jax": own_environment.jax,
                "jaxlib": own_environment.jaxlib,
                "libtpu": own_environment.libtpu,
                "targets": ["cpu", "processes"],
            }
        ]
    }
    answer = command(*words)
    assert (answer.returncode, answer.stdout, answer.stderr) == (FINE, f"{own_environment}\n", "")


def test_env_takes_json_before_its_own_command_as_well(command: Command) -> None:
    answer = command("env", "--json", "list")
    assert json.loads(answer.stdout) == command.json("env", "list")


@pytest.fixture
def finished(tmp_path: Path) -> Command:
    """A home with one managed environment in it."""
    python = tmp_path / "environments" / "jax-0.4.38" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("")
    facts = {"python_version": "3.12.1", "jax": "0.4.38", "jaxlib": "0.4.38", "libtpu": ""}
    (python.parent.parent / "museum.json").write_text(json.dumps(facts))
    return Command(tmp_path)


def test_env_removes_what_the_museum_built(finished: Command) -> None:
    assert [one["name"] for one in finished.json("env", "list")["environments"]] == ["own", "jax-0.4.38"]
    assert finished.json("env", "remove", "jax-0.4.38") == {"removed": "jax-0.4.38"}
    assert [one["name"] for one in finished.json("env", "list")["environments"]] == ["own"]


def test_env_add_of_what_is_there_changes_nothing(finished: Command) -> None:
    told = finished.json("env", "add", "0.4.38")
    assert (told["name"], told["kind"], told["jax"]) == ("jax-0.4.38", "managed", "0.4.38")


# -- wrong use ---------------------------------------------------------------------------------------------------------

SCRIPT, FOLDER, MISSING = "{script}", "{folder}", "{folder}/missing.py"
CHOICES = "(choose from …)"  # Python versions differ in their quotes
WRONG = [
    (["bogus"], f"argument COMMAND: invalid choice: 'bogus' {CHOICES}; see xla-museum --help"),
    (["--bogus"], "unrecognized arguments: --bogus; see xla-museum --help"),
    (["list", "--bogus"], "unrecognized arguments: --bogus; see xla-museum --help"),
    (["list", "extra"], "unrecognized arguments: extra; see xla-museum --help"),
    (["list", "--wing", "nowhere"], "no wing nowhere; `xla-museum list` names what there is"),
    (["show"], "the following arguments are required: ID; see xla-museum show --help"),
    (["show", "xla/unknown-axes"], "no exhibit xla/unknown-axes; did you mean xla/unknown-axis?"),
    (["show", ""], "no exhibit ''; `xla-museum list` names what there is"),
    (["run"], "the following arguments are required: FILE; see xla-museum run --help"),
    (["run", MISSING], f"{MISSING}: no such file"),
    (["run", FOLDER], f"{FOLDER}: is a directory, not a script"),
    (["run", SCRIPT, "--devices", "0"], "target cpu:0: the device count must be 1 to 512"),
    (["run", SCRIPT, "--devices", "513"], "target cpu:513: the device count must be 1 to 512"),
    (["run", SCRIPT, "--devices", "-1"], "target cpu:-1: the device count must be 1 to 512"),
    (["run", SCRIPT, "--devices", "abc"], "argument --devices: invalid int value: 'abc'; see xla-museum run --help"),
    (["run", SCRIPT, "--devices"], "argument --devices: expected one argument; see xla-museum run --help"),
    (["run", SCRIPT, "--processes", "1"], "target cpu:1x8: the process count must be 2 to 16"),
    (["run", SCRIPT, "--processes", "0"], "target cpu:0x8: the process count must be 2 to 16"),
    (
        ["run", SCRIPT, "--processes", "-2"],
        "'cpu:-2x8' is not a target; write cpu:8, cpu:2x4 (2 processes of 4), local or tpu-compile",
    ),
    (
        ["run", SCRIPT, "--target", "gpu"],
        "'gpu' is not a target; write cpu:8, cpu:2x4 (2 processes of 4), local or tpu-compile",
    ),
    (
        ["run", SCRIPT, "--target", "cpu:8", "--devices", "4"],
        "give either --target or --devices and --processes",
    ),
    (
        ["run", SCRIPT, "--target", "cpu:8", "--devices", "0"],
        "give either --target or --devices and --processes",
    ),
    (
        ["run", SCRIPT, "--target", "cpu:8", "--processes", "2"],
        "give either --target or --devices and --processes",
    ),
    (["run", SCRIPT, "--timeout", "0"], "--timeout: seconds must be more than 0"),
    (["run", SCRIPT, "--timeout", "nan"], "--timeout: seconds must be more than 0"),
    (
        ["run", SCRIPT, "--timeout", "soon"],
        "argument --timeout: invalid float value: 'soon'; see xla-museum run --help",
    ),
    (["run", SCRIPT, "--bogus"], "unrecognized arguments: --bogus; see xla-museum --help"),
    (
        ["run", SCRIPT, "--jax", "9.9"],
        "no environment with JAX 9.9 here; make one with: xla-museum env add 9.9",
    ),
    (["run", SCRIPT, "--jax", "newest"], "'newest' is not a version such as 0.10.2"),
    (["verify", "xla/nothing"], "no exhibit xla/nothing; `xla-museum list` names what there is"),
    (["verify", EXHIBIT, "xla/psum"], "no exhibit xla/psum; `xla-museum list` names what there is"),
    (["verify", EXHIBIT, "--jax", "newest"], "'newest' is not a version such as 0.10.2"),
    (
        ["env", "bogus"],
        f"argument list|add|remove: invalid choice: 'bogus' {CHOICES}; see xla-museum env --help",
    ),
    (["env", "add"], "the following arguments are required: JAX_VERSION; see xla-museum env add --help"),
    (["env", "add", "newest"], "'newest' is not a version such as 0.10.2"),
    (
        ["env", "add", "0.7.0", "--tpu"],
        "no libtpu is known to fit JAX 0.7.0; known are 0.4.38, 0.6.2, 0.8.2, 0.8.3, 0.10.2, 0.12.0.1",
    ),
    (["env", "remove", "own"], "no environment 'own' to remove; there is none"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scripts")
    script(folder, "print('never run')\n")
    return folder


@pytest.mark.parametrize(("words", "line"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_wrong_use_is_told_in_exactly_one_line(words: list[str], line: str, command: Command, folder: Path) -> None:
    names = {"script": folder / "script.py", "folder": folder}
    answer = command(*(word.format_map(names) for word in words))
    assert re.sub(r"\(choose from [^)]*\)", CHOICES, answer.stderr) == f"xla-museum: {line.format_map(names)}\n"
    assert (answer.returncode, answer.stdout) == (WRONG_USE, "")


@pytest.mark.parametrize("words", [[], ["--exhibit", EXHIBIT]], ids=str)
def test_the_window_without_a_screen_is_told_in_one_line(words: list[str], command: Command) -> None:
    answer = command(*words)
    assert (answer.returncode, answer.stdout) == (WRONG_USE, "")
    assert answer.stderr == (
        "xla-museum: no screen: neither DISPLAY nor WAYLAND_DISPLAY is set (commands such as `list` need none)\n"
    )


@pytest.mark.parametrize("words", [[], ["list"], ["show"], ["run"], ["verify"], ["env"], ["env", "add"]], ids=str)
def test_every_command_explains_itself(words: list[str], command: Command) -> None:
    answer = command(*words, "--help")
    assert (answer.returncode, answer.stderr) == (FINE, "")
    assert answer.stdout.startswith(f"usage: {' '.join(['xla-museum', *words])} ")


def test_the_versions_are_told(command):
    answer = command("--version")
    assert (answer.returncode, answer.stderr) == (FINE, "")
    assert answer.stdout.startswith("XLA Museum ")
    assert f", JAX {importlib.metadata.version('jax')}, " in answer.stdout

import asyncio
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from museum.errors import MuseumError
from museum.lab import building, environments
from museum.lab.building import LIBTPU, add, find_python, name_for, oldest_python, remove, requirements
from museum.lab.environments import (
    MARKER,
    Environment,
    EnvironmentKind,
    discover,
    managed,
    managed_directory,
    probe,
)

NAMED = EnvironmentKind.NAMED
# A uv that makes a place with a Python in it, the one that runs the tests, and then does what the test says.
UV = f"""#!/bin/sh
set -e
case "$1" in
venv)
    for place; do :; done
    mkdir -p "$place/bin"
    printf '#!/bin/sh\\nexec {sys.executable} "$@"\\n' > "$place/bin/python"
    chmod +x "$place/bin/python"
    ;;
pip)
    place="$5"
"""


def script(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)
    return file


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on PATH that holds what the test puts there; no pyenv."""
    folder = tmp_path / "tools"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    return folder


@pytest.fixture
def fake_uv(tools: Path) -> Callable[[str], None]:
    """Puts a `uv` on PATH whose install step is the given shell text."""

    def put(install: str) -> None:
        script(tools / "uv", f"{UV}{install}\n    ;;\nesac\n")

    return put


def left_behind() -> list[str]:
    folder = managed_directory()
    return sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []


def finished(name: str, **facts: str) -> Path:
    """A managed environment as `add` leaves it, without a real Python in it."""
    place = managed_directory() / name
    script(place / "bin" / "python", "#!/bin/sh\n")
    values = {"python_version": "3.12.1", "jax": "0.10.2", "jaxlib": "0.10.1", "libtpu": "", **facts}
    (place / MARKER).write_text(json.dumps(values))
    return place


# -- what belongs to a version -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("jax", "wanted"),
    [
        ("0.4.38", ["jax==0.4.38", "jaxlib==0.4.38", "numpy<2.3", "absl-py"]),
        ("0.6.2", ["jax==0.6.2", "jaxlib==0.6.2", "absl-py"]),
        ("0.10.2", ["jax==0.10.2", "jaxlib==0.10.2", "absl-py"]),
        ("0.12.0.1", ["jax==0.12.0.1", "jaxlib==0.12.0.1"]),
    ],
)
def test_a_version_is_installed_with_what_it_forgets_to_ask_for(jax: str, wanted: list[str]) -> None:
    assert requirements(jax, tpu=False) == wanted
    assert requirements(jax, tpu=True) == [*wanted, f"libtpu=={LIBTPU[jax]}"]


def test_a_version_without_a_known_libtpu_is_told_which_ones_have_one() -> None:
    with pytest.raises(MuseumError) as caught:
        requirements("0.7.0", tpu=True)
    known = "0.4.38, 0.6.2, 0.8.2, 0.8.3, 0.10.2, 0.12.0.1"
    assert str(caught.value) == f"no libtpu is known to fit JAX 0.7.0; known are {known}"


@pytest.mark.parametrize("text", ["", "newest", "0.4.x", "../0.4.38", "0.4.38/..", "jax"])
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(MuseumError) as caught:
        requirements(text, tpu=False)
    assert str(caught.value) == f"{text!r} is not a version such as 0.10.2"


def test_an_environment_is_named_after_what_it_holds() -> None:
    assert name_for("0.4.38", tpu=False) == "jax-0.4.38"
    assert name_for("0.12.0.1", tpu=True) == "jax-0.12.0.1-tpu"


def test_an_environment_says_what_it_is() -> None:
    one = Environment("mine", NAMED, Path("python"), "3.12.1", "0.10.2", "0.10.2", "0.0.42.1")
    assert str(one) == "JAX 0.10.2 on Python 3.12.1, libtpu 0.0.42.1 (mine)"
    assert str(Environment("bare", NAMED, Path("python"), "3.12.1", "", "")) == "JAX none on Python 3.12.1 (bare)"


# -- looking -----------------------------------------------------------------------------------------------------------


def test_our_own_python_is_found_first_with_its_jax() -> None:
    finished("jax-0.4.38", jax="0.4.38")
    finished("jax-0.10.2-tpu", libtpu="0.0.42.1")
    first, *others = asyncio.run(discover())
    assert (first.name, first.kind, first.python) == ("own", EnvironmentKind.OWN, Path(sys.executable))
    assert first.python_version == sys.version.split()[0]
    assert first.jax
    assert first.jaxlib
    assert [other.name for other in others] == ["jax-0.10.2-tpu", "jax-0.4.38"]


def test_a_finished_environment_is_read_from_its_marker() -> None:
    place = finished("jax-0.10.2-tpu", libtpu="0.0.42.1")
    python = place / "bin" / "python"
    assert managed() == [
        Environment("jax-0.10.2-tpu", EnvironmentKind.MANAGED, python, "3.12.1", "0.10.2", "0.10.1", "0.0.42.1")
    ]


def test_half_made_environments_are_not_listed() -> None:
    (finished("without-marker") / MARKER).unlink()
    (finished("without-python") / "bin" / "python").unlink()
    (finished("cut-short") / MARKER).write_text('{"python_version": "3.12')
    (finished("empty") / MARKER).write_text("")
    (finished("incomplete") / MARKER).write_text('{"jax": "0.10.2"}')
    finished(".jax-0.10.2.4711")
    (managed_directory() / "a-file").write_text("")
    assert managed() == []


def test_a_machine_without_managed_environments_has_none() -> None:
    assert managed() == []


PROBED = {"python_version": "3.12.1", "platform": "linux", "jax": "0.6.2", "jaxlib": "0.6.2", "libtpu": ""}


def fake_python(file: Path, **facts: str) -> Path:
    return script(file, f"#!/bin/sh\necho '{json.dumps(PROBED | facts)}'\n")


def test_an_interpreter_is_asked_what_it_holds(tmp_path: Path) -> None:
    python = fake_python(tmp_path / "python")
    assert asyncio.run(probe("mine", NAMED, python)) == Environment("mine", NAMED, python, "3.12.1", "0.6.2", "0.6.2")


@pytest.mark.parametrize(
    ("text", "last_words"),
    [
        ("#!/bin/sh\necho one >&2\necho 'pyenv: no such version' >&2\nexit 127\n", "pyenv: no such version"),
        ("#!/bin/sh\necho '{}'\n", "no output"),
        ("#!/bin/sh\n", "no output"),
        ("#!/bin/sh\necho Python 2 >&2\necho hello\n", "Python 2"),
    ],
)
def test_what_is_no_python_is_told_by_its_last_words(text: str, last_words: str, tmp_path: Path) -> None:
    python = script(tmp_path / "python", text)
    with pytest.raises(MuseumError) as caught:
        asyncio.run(probe("mine", NAMED, python))
    assert str(caught.value) == f"environment mine: {python} is no usable Python: {last_words}"


def test_what_cannot_be_run_is_told_why(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("")
    for python, reason in ((tmp_path / "gone", "No such file or directory"), (plain, "Permission denied")):
        with pytest.raises(MuseumError) as caught:
            asyncio.run(probe("mine", NAMED, python))
        assert str(caught.value) == f"environment mine: cannot run {python}: {reason}"


# -- choosing a Python -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("jax", "oldest"),
    [
        ("0.4.38", (3, 10)),
        ("0.6.2", (3, 10)),
        ("0.7.0", (3, 11)),
        ("0.10.2", (3, 11)),
        ("0.11.0", (3, 12)),
        ("0.12.0.1", (3, 12)),
    ],
)
def test_a_version_has_an_oldest_python(jax: str, oldest: tuple[int, int]) -> None:
    assert oldest_python(jax) == oldest


@pytest.fixture
def too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own Python is one that newer versions do not install on."""
    monkeypatch.setattr(building, "sys", SimpleNamespace(version_info=(3, 10, 4), executable="ours"))


def test_our_own_python_is_taken_when_it_fits(too_old: None, tools: Path) -> None:
    fake_python(tools / "python3.13", python_version="3.13.0")
    assert asyncio.run(find_python("0.6.2")) == Path("ours")


def test_the_newest_python_on_path_or_in_pyenv_is_taken_and_empty_shims_passed_over(
    too_old: None, tools: Path, tmp_path: Path
) -> None:
    script(tools / "python3.13", "#!/bin/sh\nexit 127\n")
    fake_python(tools / "python3.12", python_version="3.12.1")
    assert asyncio.run(find_python("0.12.0.1")) == tools / "python3.12"
    in_pyenv = fake_python(tmp_path / "pyenv/versions/3.13.0/bin/python", python_version="3.13.0")
    assert asyncio.run(find_python("0.12.0.1")) == in_pyenv


def test_a_machine_without_a_fitting_python_is_told_in_one_line(
    too_old: None, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tools))
    fake_python(tools / "python3.11", python_version="3.11.7")
    fake_python(tools / "python3.13", python_version="3.9.1")
    with pytest.raises(MuseumError) as caught:
        asyncio.run(add("0.12.0.1"))
    assert str(caught.value) == (
        "JAX 0.12.0.1 needs Python 3.12 to 3.13, and none is on PATH or in pyenv; install one and try again"
    )
    assert left_behind() == []


# -- building ----------------------------------------------------------------------------------------------------------


def version_here() -> str:
    """A JAX version that the Python running the tests can install."""
    return asyncio.run(environments.own()).jax


def test_an_environment_is_built_listed_and_removed(fake_uv: Callable[[str], None]) -> None:
    fake_uv('    echo "got $*"')
    jax = version_here()
    said: list[str] = []
    built = asyncio.run(add(jax, say=said.append))
    assert (built.name, built.kind, built.jax) == (f"jax-{jax}", EnvironmentKind.MANAGED, jax)
    assert built.python == managed_directory() / f"jax-{jax}" / "bin" / "python"
    assert managed() == [built]
    assert said[0].startswith(f"making jax-{jax} with ")
    assert said[-1].startswith("got pip install --compile-bytecode --python ")
    assert said[-1].endswith(" ".join(requirements(jax, tpu=False)))
    assert left_behind() == [f"jax-{jax}"]
    remove(built.name)
    assert (managed(), left_behind()) == ([], [])


def test_an_environment_that_exists_is_not_built_again(fake_uv: Callable[[str], None]) -> None:
    fake_uv("    exit 1")
    finished("jax-0.4.38", jax="0.4.38")
    assert asyncio.run(add("0.4.38")) == managed()[0]


def test_a_half_made_environment_of_that_name_is_replaced(fake_uv: Callable[[str], None]) -> None:
    fake_uv("    :")
    jax = version_here()
    half = managed_directory() / f"jax-{jax}"
    half.mkdir(parents=True)
    (half / "rubbish").write_text("")
    built = asyncio.run(add(jax))
    assert managed() == [built]
    assert not (half / "rubbish").exists()


def test_a_failing_install_says_its_last_line_and_leaves_nothing(fake_uv: Callable[[str], None]) -> None:
    fake_uv('    mkdir "$place/lib"; echo resolving; echo "error: no network" >&2; echo; exit 3')
    said: list[str] = []
    with pytest.raises(MuseumError, match=r"^uv failed: error: no network$"):
        asyncio.run(add(version_here(), say=said.append))
    assert said[-3:] == ["resolving", "error: no network", ""]
    assert (managed(), left_behind()) == ([], [])


def test_a_line_longer_than_any_buffer_ends_no_install(fake_uv: Callable[[str], None]) -> None:
    fake_uv("    head -c 3000000 /dev/zero | tr '\\0' x; echo; echo; echo 'error: no room' >&2; exit 3")
    said: list[str] = []
    with pytest.raises(MuseumError, match=r"^uv failed: error: no room$"):
        asyncio.run(add(version_here(), say=said.append))
    assert "error: no room" in said


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (
            "error: Request failed after 3 retries\\ncause: tcp connect error\\ncause: Connection refused",
            "no package index can be reached; check the network or the proxy, and build again",
        ),
        (
            "ERROR: Could not find a version: [Errno -3] Temporary failure in name resolution",
            "no package index can be reached; check the network or the proxy, and build again",
        ),
        ("error: No solution found\\nhint: try another", "error: No solution found"),
        ("ERROR: first\\nERROR: No matching distribution for jax==9\\n", "ERROR: No matching distribution for jax==9"),
    ],
)
def test_the_reason_of_a_failing_install_is_the_one_that_helps(
    fake_uv: Callable[[str], None], words: str, reason: str
) -> None:
    fake_uv(f"    printf '{words}' >&2; exit 2")
    with pytest.raises(MuseumError) as caught:
        asyncio.run(add(version_here()))
    assert str(caught.value) == f"uv failed: {reason}"


def test_a_silent_failure_is_told_by_its_exit_status(fake_uv: Callable[[str], None]) -> None:
    fake_uv("    exit 3")
    with pytest.raises(MuseumError, match=r"^uv failed: exit status 3$"):
        asyncio.run(add(version_here()))
    assert left_behind() == []


def test_a_python_that_does_not_work_in_the_end_leaves_nothing(fake_uv: Callable[[str], None]) -> None:
    fake_uv("""    printf '#!/bin/sh\\necho broken >&2\\nexit 1\\n' > "$place/bin/python" """)
    with pytest.raises(MuseumError, match=r" is no usable Python: broken$"):
        asyncio.run(add(version_here()))
    assert left_behind() == []


def test_a_full_or_forbidden_disk_is_told_in_one_line(fake_uv: Callable[[str], None], museum_home: Path) -> None:
    fake_uv("    :")
    museum_home.write_text("a file where a folder should be")
    jax = version_here()
    with pytest.raises(MuseumError) as caught:
        asyncio.run(add(jax))
    assert str(caught.value) == f"environment jax-{jax} was not made: Not a directory"


def test_a_cancelled_install_is_ended_and_leaves_nothing(fake_uv: Callable[[str], None]) -> None:
    # It writes on and on, and so does a child of it: whoever cleans up before both are gone leaves something.
    fake_uv("""
        writes() { n=0; while :; do n=$((n + 1)); mkdir -p "$place/$1/$n" 2>/dev/null || :; done; }
        writes one & echo "writing $$ $!"; writes two""")
    jax = version_here()

    async def scenario() -> list[int]:
        writing: asyncio.Future[list[int]] = asyncio.get_running_loop().create_future()

        def hear(line: str) -> None:
            if line.startswith("writing "):
                writing.set_result([int(word) for word in line.split()[1:]])

        task = asyncio.create_task(add(jax, say=hear))
        pids = await writing
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not psutil.pid_exists(pids[0])  # at once, not some time later
        return pids

    pids = asyncio.run(scenario())
    psutil.wait_procs([psutil.Process(pid) for pid in pids if psutil.pid_exists(pid)], timeout=10)
    assert not any(psutil.pid_exists(pid) for pid in pids)
    assert (managed(), left_behind()) == ([], [])


def test_a_wrong_version_or_missing_libtpu_builds_nothing(fake_uv: Callable[[str], None]) -> None:
    fake_uv("    :")
    for jax, tpu in (("zzz", False), ("0.7.0", True)):
        with pytest.raises(MuseumError):
            asyncio.run(add(jax, tpu=tpu))
    assert left_behind() == []


def test_without_uv_it_is_venv_and_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    place = Path("place")
    assert building._build_commands(Path("python"), place, ["jax==0.10.2"]) == [
        ["python", "-m", "venv", "place"],
        ["place/bin/python", "-m", "pip", "install", "jax==0.10.2"],
    ]


def test_an_installer_knows_nothing_of_the_visitors_project(
    fake_uv: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_uv('    echo "in $PWD, $VIRTUAL_ENV$PYTHONPATH$PYTHONDONTWRITEBYTECODE, done"')
    for name in ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"):
        monkeypatch.setenv(name, "told")
    said: list[str] = []
    asyncio.run(add(version_here(), say=said.append))
    assert said[-1] == f"in {os.path.realpath(managed_directory())}, , done"


# -- removing ----------------------------------------------------------------------------------------------------------


def test_only_an_environment_that_the_museum_built_can_be_removed() -> None:
    with pytest.raises(MuseumError) as caught:
        remove("own")
    assert str(caught.value) == "no environment 'own' to remove; there is none"
    finished("jax-0.4.38")
    finished("jax-0.6.2")
    for name in ("own", "..", "", "jax-0.4.38/..", "jax-0.4.38/"):
        with pytest.raises(MuseumError) as caught:
            remove(name)
        assert str(caught.value) == f"no environment {name!r} to remove; there are jax-0.4.38, jax-0.6.2"
    remove("jax-0.4.38")
    assert left_behind() == ["jax-0.6.2"]

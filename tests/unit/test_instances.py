"""Windows that share a home: who lives, who is gone, and how those ended."""

import signal
import subprocess
import sys
from pathlib import Path

from museum.instances import FOLDER, Instance

LIVES = """
import faulthandler, os, sys, time
from pathlib import Path
from museum.instances import Instance
instance = Instance(Path(sys.argv[1]))
faulthandler.enable(instance.crash_file)
print(instance.id, flush=True)
sys.stdin.readline()
os.kill(os.getpid(), int(sys.argv[2]))
"""


def started(home: Path, ends_by: signal.Signals) -> "tuple[subprocess.Popen[str], str]":
    command = [sys.executable, "-c", LIVES, str(home), str(int(ends_by))]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


def test_others_are_those_that_live(tmp_path: Path) -> None:
    mine = Instance(tmp_path)
    process, name = started(tmp_path, signal.SIGKILL)
    assert mine.others() == {name}
    process.communicate("\n")
    assert process.returncode == -signal.SIGKILL
    assert mine.others() == frozenset()
    mine.close()


def test_a_hard_crash_is_told_once_and_a_kill_is_none(tmp_path: Path) -> None:
    for ends_by in (signal.SIGSEGV, signal.SIGKILL):
        process, _ = started(tmp_path, ends_by)
        process.communicate("\n")
    mine = Instance(tmp_path)
    (crash,) = mine.crashes()
    assert crash.text.startswith("Fatal Python error: Segmentation fault")
    assert "line 9 in <module>" in crash.text
    assert mine.crashes() == []
    assert [entry.name for entry in (tmp_path / FOLDER).iterdir()] == [mine.id]
    mine.close()


def test_who_leaves_leaves_nothing(tmp_path: Path) -> None:
    mine = Instance(tmp_path)
    assert mine.id
    mine.close()
    mine.close()
    assert list((tmp_path / FOLDER).iterdir()) == []


def test_two_in_one_process_are_two(tmp_path: Path) -> None:
    one, other = Instance(tmp_path), Instance(tmp_path)
    assert (one.others(), other.others()) == ({other.id}, {one.id})
    other.close()
    assert one.others() == frozenset()
    one.close()


def test_a_home_that_cannot_be_made_tells_nobody_apart(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    nowhere = Instance(tmp_path / "file")
    assert (nowhere.id, nowhere.others(), nowhere.crashes()) == ("", frozenset(), [])
    nowhere.close()

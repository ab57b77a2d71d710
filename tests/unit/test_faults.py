"""Faults of the museum's own: told apart, put into words, and without what must not leave this machine."""

import os
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication

from gui.faults import Faults
from museum.errors import MuseumError
from museum.faults import MOST_TRACE, Fault, fault_in_words, fault_of, report
from museum.log import LOGGER, last_entries


def caught(error: Exception) -> Fault:
    try:
        raise error  # noqa: TRY301
    except Exception as raised:  # noqa: BLE001 - it is what is tested
        return fault_of("in a task", raised)


def test_the_same_fault_has_the_same_key_whatever_its_message() -> None:
    assert caught(ValueError("a")).key == caught(ValueError("b")).key
    assert caught(ValueError("a")).key != caught(KeyError("a")).key


def test_a_clear_line_of_the_museum_is_known() -> None:
    assert caught(MuseumError("no exhibit x")).is_refusal
    assert not caught(ValueError("x")).is_refusal


def test_a_recursion_without_end_is_cut() -> None:
    fault = caught(ValueError("x\n" * MOST_TRACE))
    assert len(fault.trace) < MOST_TRACE + 100
    assert "… the middle is left out …" in fault.trace


def test_a_report_tells_versions_and_times_and_nothing_private(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.setenv("SOME_TOKEN", "abc123secret")
    trace = 'File "/home/somebody/code/x.py", line 3\nKeyError: abc123secret\n'
    text = report([(Fault("in a task", "KeyError: 'x'", trace, "k"), 3), (fault_in_words("in Qt", "two\nlines"), 1)])
    assert text.startswith("XLA Museum ")
    assert f"Python {'.'.join(map(str, os.sys.version_info[:2]))}" in text
    assert "KeyError: 'x'\nin a task, 3 times\n" in text
    assert "\ntwo\nin Qt\n\ntwo\nlines\n" in text
    assert "somebody" not in text
    assert "abc123secret" not in text
    assert "x.py" in text


def test_a_fault_of_a_thread_is_heard_on_the_windows_thread(qapp: object, tmp_path: Path) -> None:
    faults = Faults(tmp_path)
    heard: list[tuple[str, bool]] = []
    faults.happened.connect(lambda fault: heard.append((fault.summary, threading.current_thread() is here)))
    here = threading.current_thread()
    thread = threading.Thread(target=lambda: faults.take("in a thread", ValueError("x")))
    thread.start()
    thread.join()
    assert heard == []
    faults.take("in the window", ValueError("y"))
    assert heard == []  # not in the middle of what failed
    for _ in range(2):
        QCoreApplication.processEvents()
    assert sorted(heard) == [("ValueError: x", True), ("ValueError: y", True)]
    assert "ValueError: y" in last_entries(tmp_path)
    for handler in list(LOGGER.handlers):
        LOGGER.removeHandler(handler)
        handler.close()

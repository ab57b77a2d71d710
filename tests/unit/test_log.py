"""The museum's log: several processes write and rotate it at once, and no entry is lost on the way."""

import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from museum import log
from museum.log import LOGGER, last_entries, log_file, open_log

WRITER = """
import sys
from pathlib import Path
from museum import log
log.LARGEST = 20_000
log.BACKUPS = 50
logger = log.open_log(Path(sys.argv[1]))
for number in range(400):
    logger.error("%s %d %s", sys.argv[2], number, "x" * 60)
"""


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    for handler in list(LOGGER.handlers):
        LOGGER.removeHandler(handler)
        handler.close()


def test_two_processes_that_rotate_lose_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    writers = [subprocess.Popen([*command, name]) for name in ("one", "two")]
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0]
    files = list(tmp_path.glob("museum.log*"))
    lines = [line for file in files for line in file.read_text().splitlines()]
    assert len(lines) == 800
    assert {line.split("] ")[1].rsplit(" ", 1)[0] for line in lines} == {
        f"{name} {number}" for name in ("one", "two") for number in range(400)
    }
    assert len(files) > 3
    assert max(file.stat().st_size for file in files) < 21_000


def test_it_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "LARGEST", 1000)
    logger = open_log(tmp_path)
    for number in range(200):
        logger.error("entry %d", number)
    files = sorted(file.name for file in tmp_path.glob("museum.log*"))
    assert files == ["museum.log", "museum.log.1", "museum.log.2", "museum.log.3"]
    assert "entry 199" in last_entries(tmp_path)


def test_the_newest_entries_are_read_and_no_more_than_can_be_shown(tmp_path: Path) -> None:
    assert last_entries(tmp_path) == ""
    log_file(tmp_path).write_text("new\n" + "y" * log.SHOWN)
    (tmp_path / "museum.log.1").write_text("old\n")
    text = last_entries(tmp_path)
    assert text.startswith("… older entries are in the file …\n")
    assert len(text) < log.SHOWN + 50


def test_a_log_that_cannot_be_written_breaks_nothing(tmp_path: Path) -> None:
    logger = open_log(tmp_path)
    log_file(tmp_path).mkdir()
    logger.error("lost")
    log_file(tmp_path).rmdir()
    logger.error("found")
    assert "found" in last_entries(tmp_path)
    assert logger.level == logging.INFO

"""Settings as such: what their texts mean, and that their defaults are those of the code they steer."""

import pytest

from museum.errors import MuseumError
from museum.lab import cache, spares
from museum.lab.runner import Limits
from museum.run_log import LARGEST, MOST
from museum.settings import (
    CACHE,
    CODE_FAMILY,
    HISTORY_RUNS,
    HISTORY_SIZE,
    IDLE,
    MEMORY,
    MOTION,
    OUTPUT,
    PROCESSES,
    SCALE,
    SECONDS,
    SETTINGS,
    SPARES,
    TARGET,
    USE_CACHE,
)


def test_every_default_can_be_written_and_read() -> None:
    for setting in SETTINGS:
        assert setting.read(setting.write(setting.default)) == setting.default  # type: ignore[arg-type]


def test_no_two_have_a_key_in_common() -> None:
    keys = [setting.key for setting in SETTINGS]
    assert len(set(keys)) == len(keys)


def test_defaults_are_those_of_what_they_steer() -> None:
    limits = Limits()
    assert (SECONDS.default, MEMORY.default << 30) == (limits.seconds, limits.memory)
    assert (OUTPUT.default << 20, PROCESSES.default) == (limits.output, limits.processes)
    assert (CACHE.default << 20, IDLE.default * 60) == (cache.MOST_BYTES, spares.IDLE)
    assert (HISTORY_RUNS.default, HISTORY_SIZE.default << 20) == (MOST, LARGEST)
    assert spares.Spares()._most == SPARES.default


@pytest.mark.parametrize(
    ("setting", "text", "value"),
    [
        (SECONDS, " 1,200 ", 1200),
        (TARGET, "cpu:2X4".lower(), "cpu:2x4"),
        (CODE_FAMILY, "  DejaVu Sans Mono ", "DejaVu Sans Mono"),
        (SCALE, "1.3", 1.25),
        (USE_CACHE, "false", False),
    ],
)
def test_texts_are_read_as_people_write_them(setting, text, value) -> None:
    assert setting.read(text) == value


@pytest.mark.parametrize(
    ("setting", "text", "line"),
    [
        (SECONDS, "0", "Time: 1 to 86,400 s, not '0'"),
        (SECONDS, "86401", "Time: 1 to 86,400 s, not '86401'"),
        (SECONDS, "soon", "Time: a whole number, 1 to 86,400 s, not 'soon'"),
        (SECONDS, "-5", "Time: a whole number, 1 to 86,400 s, not '-5'"),
        (SECONDS, "٣", "Time: a whole number, 1 to 86,400 s, not '٣'"),
        (SECONDS, "9" * 5000, f"Time: a whole number, 1 to 86,400 s, not '{'9' * 40}…'"),
        (PROCESSES, "3", "Processes: 4 to 4,096, not '3'"),
        (MOTION, "fast", "Motion: system, reduced or full, not 'fast'"),
        (SCALE, "nan", "Text size: 0.8 to 2.0, not 'nan'"),
        (USE_CACHE, "yes", "Use the compilation cache: true or false, not 'yes'"),
        (CODE_FAMILY, "a\nb", "Font of code: one line of at most 200 characters, not 'a\\nb'"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(setting, text, line) -> None:
    with pytest.raises(MuseumError) as refusal:
        setting.read(text)
    assert str(refusal.value) == line


def test_a_target_that_there_is_not_is_refused_by_who_knows_targets() -> None:
    with pytest.raises(MuseumError, match=r"^Default target: .*gpu"):
        TARGET.read("gpu")

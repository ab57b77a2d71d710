"""The compilation cache's folder: what is taken out, and when; the files here are not programs."""

import os
from pathlib import Path

import pytest

from museum.lab import cache


def entry(jax: str, name: str, size: int = 10, at: float = 1000.0) -> Path:
    file = cache.directory(jax) / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"x" * size)
    os.utime(file, (at, at))
    return file


def test_each_jax_has_a_folder_in_the_visitors_data(museum_home: Path) -> None:
    assert cache.directory("0.10.2") == museum_home / "compiled" / "jax-0.10.2"
    assert cache.directory("0.4.38") != cache.directory("0.10.2")


def test_the_variables_turn_it_on_for_small_programs_too() -> None:
    assert cache.variables("0.10.2") == {
        "JAX_COMPILATION_CACHE_DIR": str(cache.directory("0.10.2")),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }


@pytest.mark.parametrize("jax", ["0.8.2", "0.8.3", "0.9.0", "0.9.2", "0.10.0", "0.10.1", "0.8.3.dev7", "somewhen"])
def test_there_is_none_where_jax_speaks_of_each_program_that_it_loads(jax: str) -> None:
    assert cache.variables(jax) == {}


@pytest.mark.parametrize("jax", ["0.4.38", "0.8.1", "0.10.2", "0.12.0.1"])
def test_there_is_one_where_it_is_silent(jax: str) -> None:
    assert cache.variables(jax)["JAX_COMPILATION_CACHE_DIR"].endswith(f"jax-{jax}")


def test_what_was_written_since_is_taken_out_and_nothing_else() -> None:
    old, new = entry("0.10.2", "old", at=1000.0), entry("0.10.2", "new", at=2000.0)
    deep, other = entry("0.10.2", "deep/new", at=2001.0), entry("0.4.38", "new", at=2000.0)
    assert cache.drop_since("0.10.2", 2000.0) == 2
    assert [file.exists() for file in (old, new, deep, other)] == [True, False, False, True]


def test_a_clock_that_lags_a_little_hides_nothing() -> None:
    lagging, older = entry("0.10.2", "lagging", at=1998.5), entry("0.10.2", "older", at=1997.0)
    assert cache.drop_since("0.10.2", 2000.0) == 1
    assert (lagging.exists(), older.exists()) == (False, True)


def test_where_nothing_is_nothing_goes() -> None:
    assert (cache.drop_since("0.10.2", 0.0), cache.prune()) == (0, 0)


@pytest.mark.parametrize(("most", "gone"), [(1000, 0), (40, 0), (39, 1), (25, 2), (10, 3), (9, 4), (0, 4)])
def test_the_oldest_go_until_the_rest_fits(most: int, gone: int) -> None:
    files = [entry("0.10.2" if place % 2 else "0.4.38", f"file-{place}", at=1000.0 + place) for place in range(4)]
    assert cache.prune(most) == gone
    assert [file.exists() for file in files] == [False] * gone + [True] * (4 - gone)
    assert sum(file.stat().st_size for file in files if file.exists()) <= most


def test_a_new_one_that_is_too_large_alone_goes_and_takes_the_older_ones_along() -> None:
    old, new = entry("0.10.2", "old", size=1, at=1000.0), entry("0.10.2", "new", size=50, at=2000.0)
    assert cache.prune(20) == 2
    assert not old.exists()
    assert not new.exists()


def test_one_that_somebody_else_took_out_meanwhile_is_no_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    there = entry("0.10.2", "there", at=2000.0)
    gone = there.with_name("gone")
    monkeypatch.setattr(cache, "_entries", lambda _folder: [gone, there])
    assert cache.prune(0) == 1
    assert cache.drop_since("0.10.2", 0.0) == 0


def test_one_that_cannot_be_taken_out_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    entry("0.10.2", "there")
    monkeypatch.setattr(Path, "unlink", lambda _self: (_ for _ in ()).throw(PermissionError()))
    assert cache.prune(0) == 0


def test_what_is_held_is_counted_over_all_versions() -> None:
    assert cache.held() == 0
    entry("0.10.2", "one", size=10)
    entry("0.4.38", "deep/two", size=5)
    assert cache.held() == 15
    assert cache.prune(0) == 2
    assert cache.held() == 0

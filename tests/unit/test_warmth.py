"""How warm a script may start, by what stands in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from museum.catalog import load_catalog
from museum.lab import warmth
from museum.lab.warmth import Warmth, warmth_for

BACKEND, JAX, PLAIN = Warmth.BACKEND, Warmth.JAX, Warmth.PLAIN


@pytest.mark.parametrize(
    "script",
    [
        "import jax",
        "import jax.numpy as jnp\nprint(jnp.ones(3))",
        "from jax import numpy as jnp",
        "if True:\n    import jax\nexit(3)",
        "import sys\nimport jax\nprint(sys.version)\nsys.exit(3)",
        "import jax\nfrom jax.experimental import pallas as pl\nfrom jax.experimental.shard_map import shard_map",
        "import jax\nimport jax.experimental.shard_map",
        "import jax, os, time, asyncio, functools\nprint(os.path.join('a', 'b'), time.time())",
        "import jax\nprint('a website, a resourceful forest and designs')",
    ],
)
def test_an_ordinary_script_starts_with_everything_ready(script: str) -> None:
    assert warmth_for(script, {}) is BACKEND


@pytest.mark.parametrize("script", ["", "print('jax')", "import jaxlib", "import jaxtyping", "# import jax"])
def test_a_script_that_imports_no_jax_starts_plain(script: str) -> None:
    assert warmth_for(script, {}) is PLAIN


@pytest.mark.parametrize(
    "line",
    [
        *("os.environ['A'] = 'b'", "os.getenv('A')", "os.putenv('A', 'b')", "x = 'JAX_PLATFORMS'", "f('XLA_FLAGS')"),
        *("TF_CPP_MIN_LOG_LEVEL = 0", "f('LIBTPU_INIT_ARGS')", "f('TPU_NAME')", "ABSL_FLAGS = 1"),
        *("import logging", "from absl import flags", "import warnings", "importlib.reload(jax)", "__import__('a')"),
        *("import site", "import sitecustomize", "sys.modules", "sys.argv.append(1)", "from sys import modules"),
        *("gc.collect()", "import tracemalloc", "import faulthandler", "import resource", "import threading"),
        *("import multiprocessing", "import concurrent.futures", "os.fork()", "os.forkpty()", "import subprocess"),
        *("ProcessPoolExecutor()", "import signal", "import ctypes", "import psutil", "open('/proc/self/maps')"),
        *("import inspect", "import atexit", "time.perf_counter()", "time.monotonic()", "time.process_time()"),
        *("jax.distributed.initialize()", "from jax import distributed"),
    ],
)
def test_what_is_read_at_the_start_or_looks_at_it_starts_plain(line: str) -> None:
    assert warmth_for(f"import jax\n{line}\n", {}) is PLAIN
    assert warmth_for(f"{line}\nimport jax\n", {}) is PLAIN


@pytest.mark.parametrize(
    "line",
    [
        *("jax.config.update('a', 1)", "from jax import config", "f('jax_enable_x64')", "jax.live_arrays()"),
        *("jax.monitoring.record_event('a')", "jax.profiler.trace('a')", "with jax.checking_leaks(): pass"),
        *("jax.clear_caches()", "f.clear_cache()", "f._cache_size()", "import jax._src.core", "import jax.extend"),
        *(
            "jax.lib.xla_bridge",
            "jax.default_backend()",
            "import jaxlib",
            "test_util.count_jit_compilation_cache_miss()",
        ),
        *("with jax.log_compiles(): pass", "with jax.debug_nans(): pass", "with jax.enable_x64(): pass"),
        *("with jax.default_device(d): pass", "with jax.transfer_guard('log'): pass", "topologies.get_topology_desc()"),
        *("jax.jit(f).lower(x)", "lowered.compile()", "c.as_text()", "c.as_hlo_text()", "l.compiler_ir()", "HLO = 1"),
        *("c.cost_analysis()", "c.memory_analysis()", "c.runtime_executable()", "serialize(c)", "dump(c)"),
        *("jax.jit(f, compiler_options={})", "with jax.explain_cache_misses(): pass", "with jax.debug_infs(): pass"),
        *("jax.experimental.shard_map.shard_map(f)", "f = jax . experimental", "dir(jax)", "vars(jax)", "help(jax)"),
        "jax.__dict__",
    ],
)
def test_what_a_backend_or_a_cached_program_would_change_starts_without_one(line: str) -> None:
    assert warmth_for(f"import jax\n{line}\n", {}) is JAX


def test_variables_of_the_visitor_are_read_at_the_start() -> None:
    assert warmth_for("import jax", {"ANY": "thing"}) is PLAIN


def test_the_colder_of_two_reasons_counts() -> None:
    assert warmth_for("import jax, os\njax.config.update('a', 1)\nos.environ['A'] = 'b'", {}) is PLAIN


def test_warmths_are_in_order() -> None:
    assert PLAIN < JAX < BACKEND


def test_most_exhibits_start_warm() -> None:
    scripts = [
        script for wing in load_catalog().wings for exhibit in wing.exhibits for script in exhibit.scripts.values()
    ]
    found = [warmth_for(script, {}) for script in scripts]
    assert found.count(PLAIN) < len(found) / 4
    assert found.count(BACKEND) > len(found) / 4


@given(
    st.lists(
        st.sampled_from(["\n", " ", "import jax\n", "sys.", "version", "exit", "fork", "a", "experimental", "hLo"])
    )
)
def test_the_texts_looked_for_first_hide_no_pattern(words: list[str]) -> None:
    script = "".join(words)
    for patterns in (warmth._WANTS_PLAIN, warmth._WANTS_NO_BACKEND):
        assert patterns.are_in(script) == any(pattern.search(script) for _, pattern in patterns._patterns)


def test_every_pattern_has_the_text_that_it_is_looked_for_by() -> None:
    texts = [text for patterns in (warmth._WANTS_PLAIN, warmth._WANTS_NO_BACKEND) for text, _ in patterns._patterns]
    assert texts.count("") == 1  # capitals or not
    assert {"sys.", "from sys", "/proc/", ".lower(", "jax._src", "experimental"} < set(texts)


def test_a_script_too_long_to_read_starts_plain() -> None:
    script = "import jax\n" + "x = 1\n" * 50_000
    assert warmth_for(script[: 1 << 18], {}) is BACKEND
    assert warmth_for(script, {}) is PLAIN

"""How warm a script may start, read off its own text, so that no result depends on the warmth.

A spare process has done ahead of time what nearly every script does first. Where a script could tell the difference
it gets a colder one, down to plain Python by the same path. The lists err on the cold side: a false alarm costs half a
second, a missed one a wrong result.
"""

import re
from collections.abc import Mapping
from enum import IntEnum


class Warmth(IntEnum):
    """What a process has done before the gate opens."""

    PLAIN = 0
    """Nothing but CPython's own start."""
    JAX = 1
    """JAX is imported; no backend exists, so that the device count is still free."""
    BACKEND = 2
    """The CPU backend is up with its devices, one tiny program has run, and the compilation cache is on."""


class _Words:
    """Patterns, each behind a text that it cannot do without: to look for that first is ten times as fast.

    Args:
        patterns: The text that one begins with, up to the first sign of a regular expression, is taken for it, unless
            another one is given with it.
    """

    _BEGINNING = re.compile(r"(?:\\b)*((?:[\w /]|\\[.(])*)")

    def __init__(self, *patterns: str | tuple[str, str]) -> None:
        pairs = (one if isinstance(one, tuple) else (self._text_of(one), one) for one in patterns)
        self._patterns = [(text, re.compile(pattern)) for text, pattern in pairs]

    @classmethod
    def _text_of(cls, pattern: str) -> str:
        found = cls._BEGINNING.match(pattern)
        return found[1].replace("\\", "") if found else ""

    def are_in(self, script: str) -> bool:
        """Whether one of them is there."""
        return any(text in script and pattern.search(script) for text, pattern in self._patterns)


_LONGEST = 1 << 18  # characters; to read a longer script takes longer than a frame
_IMPORTS_JAX = re.compile(r"^[^\S\n]*(?:import|from)\s+jax\b", re.MULTILINE)
# Read when Python or JAX starts, or a look at what has started.
_WANTS_PLAIN = _Words(
    *(r"environ", r"putenv", r"getenv", r"\bJAX_", r"\bXLA_", r"\bTF_CPP", r"\bABSL", r"\bLIBTPU", r"\bTPU_"),
    *(r"\blogging\b", r"\babsl\b", r"\bwarnings\b", r"importlib", r"__import__", r"\bsite\b", r"sitecustomize"),
    *(r"\bsys\.(?!exit\b|version)", r"\bfrom sys\b", r"\bgc\b", r"tracemalloc", r"faulthandler", r"\bresource\b"),
    *(r"threading", r"multiprocessing", r"concurrent", r"\bfork", r"ProcessPool", r"subprocess"),
    *(r"\bsignal\b", r"\bctypes\b", r"\bpsutil\b", r"/proc/", r"\binspect\b", r"\batexit\b"),
    *(r"perf_counter", r"process_time", r"monotonic", r"\bdistributed\b"),
)
# What a backend that is up, a program that ran, or a program that comes from the cache would change.
_WANTS_NO_BACKEND = _Words(
    *(r"jax_", r"\bconfig\b", r"live_arrays", r"monitoring", r"profiler", r"checking_leaks", r"\bclear_", r"cache"),
    *(r"xla_bridge", r"backend", r"jax\._src", r"jaxlib", r"jax\.extend", r"count_", r"log_compiles", r"debug_nans"),
    *(r"debug_infs", r"enable_x64", r"default_device", r"transfer_guard", r"explain_", r"topologies"),
    *(r"as_text", r"[hH][lL][oO]", r"compiler_ir", r"serialize", r"executable", r"cost_analysis", r"memory_analysis"),
    *(r"\bdump", r"compiler_options", r"\.lower\(", r"\.compile\("),
    # A first program makes JAX 0.10.2 and older import modules of their own that a script would have to import.
    ("experimental", r"(?m:^(?![^\S\n]*(?:from|import)\s).*\bexperimental\b)"),
    *(r"\bdir\(", r"\bvars\(", r"__dict__", r"\bhelp\("),
)


def warmth_for(script: str, variables: Mapping[str, str]) -> Warmth:
    """The warmest start that this script cannot tell from a cold one.

    Args:
        script: Its text.
        variables: The visitor's own variables for the run; they may be read when Python or JAX starts.
    """
    if variables or len(script) > _LONGEST or not _IMPORTS_JAX.search(script) or _WANTS_PLAIN.are_in(script):
        return Warmth.PLAIN
    return Warmth.JAX if _WANTS_NO_BACKEND.are_in(script) else Warmth.BACKEND

"""Which flags an environment's XLA would refuse, asked of it in a child before a run: a wrong one ends the process.

A flag's name and value are judged by XLA itself, in the time that a CPU client takes to start (a third of a second).
The list that it prints for ``--help`` is cut off in newer versions and serves nobody.
"""

import asyncio
import difflib
import os
import re
from pathlib import Path

from museum.lab.environments import Environment
from museum.lab.target import Target

LONGEST = 30.0  # seconds
TRY = """
import resource
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
try:
    from jaxlib import xla_client
    xla_client.make_cpu_client()
except (ImportError, AttributeError):
    import jax
    jax.devices()
"""
# Names lie in jaxlib's largest library as they are written, each between two zero bytes.
NAMES = r"""
import importlib.util, mmap, pathlib, re
root = pathlib.Path(importlib.util.find_spec("jaxlib").origin).parent
library = max(root.rglob("*.so"), key=lambda file: file.stat().st_size)
with library.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as bytes:
    print("\n".join({found.decode() for found in re.findall(rb"\0(xla_[a-z0-9_]{3,90})(?=\0)", bytes)}))
"""
_UNKNOWN = re.compile(r"Unknown flags? in XLA_FLAGS: (.*)")
_VALUE = re.compile(r"Couldn't interpret value (.*?) for flag (\w+)")
_FILE = re.compile(r'Could not open file "(.*?)" to read flags')


class FlagChecker:
    """Asks environments about flags, and remembers what they said."""

    def __init__(self) -> None:
        self._answers: dict[tuple[str, str, str], tuple[str, ...]] = {}
        self._names: dict[str, tuple[str, ...]] = {}

    def known(self, environment: Environment, flags: str) -> tuple[str, ...] | None:
        """What was said already; None where it was not asked."""
        return self._answers.get(_key(environment, flags))

    async def complaints(self, environment: Environment, flags: str) -> tuple[str, ...]:
        """What XLA of an environment would refuse, one line each; nothing where it cannot be asked.

        Args:
            environment: With its jaxlib.
            flags: The visitor's XLA_FLAGS.
        """
        if not flags.strip():
            return ()
        key = _key(environment, flags)
        if key not in self._answers:
            said = await _ask(environment.python, TRY, flags)
            if said is None:
                return ()
            self._answers[key] = tuple(await self._lines(environment, said))
        return self._answers[key]

    async def _lines(self, environment: Environment, said: str) -> list[str]:
        of, end = f"XLA of JAX {environment.jax}", "the run would end at once"
        lines = []
        if found := _FILE.search(said):
            lines.append(f"{of} would read flags from the file {found[1]}, which it cannot open: {end}")
        lines += [f"{of} cannot read {found[1]!r} as a value of --{found[2]}: {end}" for found in _VALUE.finditer(said)]
        unknown = [word for found in _UNKNOWN.finditer(said) for word in found[1].split()]
        names = await self._known_names(environment) if unknown else ()
        for word in unknown:
            name = word.lstrip("-").partition("=")[0]
            near = difflib.get_close_matches(name, names, 1, 0.85)
            hint = f"did you mean --{near[0]}?" if near else ""
            if name in names:
                hint = "it wants a value, --name=value" if "=" not in word else "it knows it as another option"
            lines.append(f"{of} knows no {word}: {end}{f'; {hint}' if hint else ''}")
        return lines

    async def _known_names(self, environment: Environment) -> tuple[str, ...]:
        key = str(environment.python)
        if key not in self._names:
            self._names[key] = tuple((await _ask(environment.python, NAMES, "", errors=False) or "").split())
        return self._names[key]


def _key(environment: Environment, flags: str) -> tuple[str, str, str]:
    return str(environment.python), environment.jaxlib, " ".join(flags.split())


async def _ask(python: Path, code: str, flags: str, *, errors: bool = True) -> str | None:
    """What a child prints, on standard error or on the other stream; None where it cannot be started or hangs."""
    variables = Target.cpu(1).environment(os.environ, {"XLA_FLAGS": flags} if flags else {})
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    try:
        child = await asyncio.create_subprocess_exec(
            str(python),
            "-I",
            "-c",
            code,
            stdin=nothing,
            stdout=nothing if errors else pipe,
            stderr=pipe if errors else nothing,
            env=variables,
            cwd="/",
        )
    except OSError:
        return None
    try:
        output, error = await asyncio.wait_for(child.communicate(), LONGEST)
    except BaseException as failure:
        child.kill()
        await child.wait()
        if isinstance(failure, TimeoutError):
            return None
        raise
    return ((error if errors else output) or b"").decode("utf-8", "replace")

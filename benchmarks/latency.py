"""How fast a run is: from the request to the last byte of output, warm against cold, in one run of this script.

    uv run --no-sync python benchmarks/latency.py [--rounds 9] [--json] [--table]

Cold is `python snippet.py` with the same variables. Warm is a run of the lab with a spare at the gate; "again" is the
same script once more, with the compilation cache. ipykernel is a restart of a running kernel and the run of one cell. All kinds
take turns in every round, so that a noisy machine disturbs all alike; medians are compared. Between two runs the
benchmark waits until the next spare stands at the gate, as it does while a visitor reads.
"""

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from museum.catalog import load_catalog
from museum.exhibit import Half
from museum.lab.environments import own
from museum.lab.lab import Lab
from museum.lab.runner import Progress, RunRequest
from museum.lab.target import Target

EXHIBIT = "xla/indivisible-dimension"
COMPILING = '''
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("data", "model"))


def total(losses):
    return jax.lax.psum(losses.sum() * SCALE, "data")


print(shard_map(total, mesh=mesh, in_specs=P("data"), out_specs=P())(jnp.arange(8.0)))
'''
TARGET = Target.parse("cpu:8")


def fresh(script: str) -> str:
    """The same script with a number of its own, so that no cache has seen its programs."""
    return re.sub("SCALE", f"{random.random():.12f}", script)


async def cold(script: str) -> float:
    """Seconds of a plain `python snippet.py` to its last byte."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "snippet.py").write_text(script)
        variables = TARGET.environment(os.environ)
        begun = time.monotonic()
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "snippet.py"),
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert child.stdout is not None
        last = begun
        while await child.stdout.read(65536):
            last = time.monotonic()
        await child.wait()
        return last - begun


class Warm:
    """Runs of the lab."""

    def __init__(self, lab: Lab, environment: object) -> None:
        self.lab, self.environment = lab, environment

    async def run(self, script: str) -> float:
        """Seconds from the request to the last byte."""
        await self.lab.prepare(self.environment, TARGET, script)
        await self.lab.settled()
        last = 0.0

        def hear(progress: Progress) -> None:
            nonlocal last
            if progress.block:
                last = time.monotonic()

        begun = time.monotonic()
        await self.lab.run(RunRequest(script, self.environment, TARGET), hear)
        return last - begun


class Kernel:
    """A Jupyter kernel that is restarted for each run."""

    def __init__(self) -> None:
        from jupyter_client.manager import KernelManager

        self.manager = KernelManager(kernel_name="python3")
        self.manager.start_kernel(env=TARGET.environment(os.environ))
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)

    def run(self, script: str) -> float:
        """Seconds from the request of a restart to the last output of the cell."""
        begun = time.monotonic()
        self.manager.restart_kernel(now=True)
        self.client.wait_for_ready(timeout=60)
        last = begun

        def hear(message: dict[str, object]) -> None:
            nonlocal last
            if message["msg_type"] in ("stream", "error", "execute_result"):  # type: ignore[index]
                last = time.monotonic()

        self.client.execute_interactive(script, output_hook=hear, timeout=120)
        return last - begun

    def close(self) -> None:
        """End the kernel."""
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


async def measure(rounds: int) -> dict[str, list[float]]:
    """Seconds of each kind in each round."""
    exhibit = load_catalog().exhibit(EXHIBIT)
    failing = exhibit.scripts[Half.FAILING]
    environment = await own()
    lab = Lab()
    warm = Warm(lab, environment)
    kernel = await asyncio.to_thread(Kernel)
    times: dict[str, list[float]] = {}

    async def take(name: str, work: Callable[[], Awaitable[float]]) -> None:
        times.setdefault(name, []).append(await work())

    try:
        for number in range(rounds + 1):
            if number == 1:
                times.clear()  # the first round fills the file cache
            once, fix = fresh(failing), fresh(COMPILING)
            await take("failing cold", lambda once=once: cold(once))
            await take("failing warm", lambda once=once: warm.run(once))
            await take("failing again", lambda once=once: warm.run(once))
            await take("failing ipykernel", lambda once=once: asyncio.to_thread(kernel.run, once))
            await take("fix cold", lambda fix=fix: cold(fix))
            await take("fix warm", lambda fix=fix: warm.run(fix))
            await take("fix again", lambda fix=fix: warm.run(fix))
            await take("fix ipykernel", lambda fix=fix: asyncio.to_thread(kernel.run, fix))
    finally:
        kernel.close()
        await lab.close()
    return times


def ratios(times: dict[str, list[float]]) -> dict[str, float]:
    """The six figures, from medians."""
    middle = {name: statistics.median(values) for name, values in times.items()}
    return {
        "failing_over_cold": round(middle["failing warm"] / middle["failing cold"], 3),
        "fix_over_cold": round(middle["fix warm"] / middle["fix cold"], 3),
        "failing_again_over_cold": round(middle["failing again"] / middle["failing cold"], 3),
        "fix_again_over_cold": round(middle["fix again"] / middle["fix cold"], 3),
        "failing_over_ipykernel": round(middle["failing warm"] / middle["failing ipykernel"], 3),
        "fix_over_ipykernel": round(middle["fix warm"] / middle["fix ipykernel"], 3),
    }


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", action="store_true", help="only the six ratios, as one object")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ["XLA_MUSEUM_HOME"] = home
        times = asyncio.run(measure(options.rounds))
    if options.json:
        print(json.dumps(ratios(times)))
        return
    for name, values in times.items():
        print(f"{name:18} {statistics.median(values) * 1000:6.0f} ms")
    for name, ratio in ratios(times).items():
        print(f"{name:26} {ratio:.3f}")


if __name__ == "__main__":
    main()

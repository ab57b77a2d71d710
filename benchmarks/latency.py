"""How fast a run is: from the request to the last byte of output, warm against cold, in one run of this script.

    uv run --no-sync python benchmarks/latency.py [--rounds 9] [--json] [--table]

Cold is `python snippet.py` with the same variables. Warm is a run of the lab with a spare at the gate; "again" is the
same script once more, with the compilation cache. ipykernel is a restart of a running kernel and the run of one cell.
All kinds take turns in every round, so that a noisy machine disturbs all alike; medians are compared. Between two runs
the benchmark waits until the next spare stands at the gate, as it does while a visitor reads.
"""

import argparse
import asyncio
import json
import os
import shutil
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
from museum.places import data_directory

FAILING = "xla/indivisible-dimension"
FIX = "xla/psum-outside-mesh"  # its fix compiles a shard_map
TARGET = Target.parse("cpu:8")


def forget_programs() -> None:
    """Empty the compilation cache, so that the next run is a first one."""
    shutil.rmtree(data_directory() / "compiled", ignore_errors=True)


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
        self.lab.prepare(self.environment, TARGET, [script])
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

        self.manager = KernelManager(kernel_name="python3", transport="ipc")
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
    catalog = load_catalog()
    scripts = {
        "failing": catalog.exhibit(FAILING).scripts[Half.FAILING],
        "fix": catalog.exhibit(FIX).scripts[Half.FIX],
    }
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
            for name, script in scripts.items():
                await take(f"{name} cold", lambda script=script: cold(script))
                forget_programs()
                await take(f"{name} warm", lambda script=script: warm.run(script))
                await take(f"{name} again", lambda script=script: warm.run(script))
                await take(f"{name} ipykernel", lambda script=script: asyncio.to_thread(kernel.run, script))
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

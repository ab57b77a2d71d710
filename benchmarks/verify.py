"""Verify of the collection on the museum's own environment against its scripts run one by one with plain Python.

uv run --no-sync python benchmarks/verify.py [--rounds 1] [--json]
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from museum.catalog import load_catalog
from museum.lab.environments import own
from museum.lab.lab import Lab
from museum.lab.target import TargetKind
from museum.lab.verify import Job, plan, verify


def one_by_one(jobs: Sequence[Job]) -> float:
    """Seconds of `python snippet.py` for each job in turn."""
    begun = time.monotonic()
    for job in jobs:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "snippet.py").write_text(job.exhibit.scripts[job.half])
            variables = job.target.environment(os.environ)
            command = [sys.executable, "snippet.py"]
            subprocess.run(command, cwd=folder, env=variables, capture_output=True, check=False)
    return time.monotonic() - begun


async def verified(jobs: Sequence[Job]) -> float:
    """Seconds of a verify of the same jobs."""
    begun = time.monotonic()
    lab = Lab(spares=0, nurseries=2)
    results = await verify(jobs, lab, workers=2)
    await lab.close()
    assert all(result.judged.verdict.good and result.outcome for result in results)
    return time.monotonic() - begun


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ["XLA_MUSEUM_HOME"] = home
        environment = asyncio.run(own())
        jobs = plan(load_catalog().exhibits, [environment], {environment.jax: ""})
        # Plain Python can neither join processes nor end what hangs.
        jobs = [job for job in jobs if not job.obstacle and job.target.kind is TargetKind.CPU]
        plain, ours = [], []
        for _ in range(options.rounds):
            plain.append(one_by_one(jobs))
            ours.append(asyncio.run(verified(jobs)))
    times = statistics.median(plain), statistics.median(ours)
    result = {"scripts": len(jobs), "one_by_one_s": round(times[0], 2), "verify_s": round(times[1], 2)}
    result["times_faster"] = round(times[0] / times[1], 2)
    print(json.dumps(result) if options.json else result)


if __name__ == "__main__":
    main()

"""Compares the museum's TPU topologies with libtpu's own, without a TPU.

    uv run --no-sync python tools/libtpu_topologies.py [NAME ...]

Runs itself in each environment of the museum's that has libtpu (``xla-museum env add 0.12.0.1 --tpu``) and prints what
differs. `describe` is what the child prints and what a test compares.
"""

import asyncio
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Row = list[Any]
"""One device: id, host, [x, y, z], core, slice."""


def ours(name: str) -> dict[str, Any]:
    """A topology of the museum's as the child describes libtpu's."""
    from museum.mesh.topologies import Topology

    topology = Topology.parse(name)
    devices = [
        [device.id, device.host, list(device.coordinates), device.core, device.slice] for device in topology.devices
    ]
    return {"kind": topology.chip.kind, "num_cores": topology.chip.num_cores, "devices": devices}


def ask(python: Path, names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """What libtpu says in that environment, by name; ``{"error": ...}`` for what it refuses."""
    from museum.lab.target import Target
    from museum.mesh.topologies import Topology

    asked = {}
    for name in names:
        topology = Topology.parse(name)
        sizes = "x".join(map(str, topology.grid[: topology.chip.rank]))
        options = dict(topology.chip.libtpu) | ({"num_slices": topology.slices} if topology.slices > 1 else {})
        asked[name] = {"topology_name": f"{topology.chip.name.removesuffix(' megacore')}:{sizes}", **options}
    done = subprocess.run(
        [str(python), str(Path(__file__))],
        input=json.dumps(asked),
        env=Target.parse("tpu-compile").environment(os.environ),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    answers: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return answers


def describe(options: dict[str, Any]) -> dict[str, Any]:
    """The child's part: one topology as libtpu has it."""
    topologies = importlib.import_module("jax.experimental.topologies")
    try:
        devices = topologies.get_topology_desc(platform="tpu", **options).devices
    except Exception as error:  # noqa: BLE001 - whatever libtpu says is the answer
        return {"error": str(error)}
    rows = [
        [device.id, device.process_index, list(device.coords), device.core_on_chip, getattr(device, "slice_index", 0)]
        for device in devices
    ]
    return {"kind": devices[0].device_kind, "num_cores": devices[0].num_cores, "devices": rows}


def main() -> int:
    """Compare by hand."""
    if not sys.stdin.isatty() and len(sys.argv) == 1 and (text := sys.stdin.read()):
        json.dump({name: describe(options) for name, options in json.loads(text).items()}, sys.stdout)
        return 0
    from museum.lab.environments import discover
    from museum.mesh.topologies import COMMON, Platform, Topology

    names = sys.argv[1:] or [name for name in COMMON if Topology.parse(name).chip.platform is Platform.TPU]
    environments = [environment for environment in asyncio.run(discover()) if environment.libtpu]
    wrong = 0
    for environment in environments:
        for name, theirs in ask(environment.python, names).items():
            verdict = theirs.get("error") or ("the same" if theirs == ours(name) else "DIFFERENT")
            wrong += verdict == "DIFFERENT"
            print(f"{environment.name:18} {name:22} {len(theirs.get('devices', ())):6}  {verdict}")
    if not environments:
        print("no environment with libtpu; make one with: xla-museum env add 0.12.0.1 --tpu")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())

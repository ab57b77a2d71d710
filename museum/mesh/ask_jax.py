"""Asks JAX in what order it lays devices out. A child: standard library and JAX, run by path in any environment.

Reads one JSON object on stdin: ``machines`` (by name ``kind``, ``platform``, ``num_cores`` and ``devices``, each
``[id, host, [x, y, z], core, slice]``; ``slices`` their number) and ``questions`` (each ``machine``, ``shape``,
``split``, ``contiguous``, ``across``). Answers with one on stdout: ``jax`` and ``answers``, each with ``device_ids`` in
mesh order, or with ``error`` (a class) and ``message``. The devices are stand-ins with the attributes that JAX looks
at, so that no libtpu and no hardware is needed.
"""

import importlib
import json
import sys
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Device:
    """What `mesh_utils` looks at; hashable and ordered by nothing, as JAX's own."""

    id: int
    process_index: int
    coords: tuple[int, ...]
    core_on_chip: int
    device_kind: str
    platform: str
    num_cores: int
    client: object = None


@dataclass(frozen=True)
class SliceDevice(Device):
    """One of a machine of several slices."""

    slice_index: int = 0


def stand_ins(machine: dict[str, Any]) -> list[Device]:
    """The devices of one machine."""
    several = machine["slices"] > 1
    devices: list[Device] = []
    for number, host, place, core, part in machine["devices"]:
        values = (number, host, tuple(place), core, machine["kind"], machine["platform"], machine["num_cores"])
        devices.append(SliceDevice(*values, slice_index=part) if several else Device(*values))
    return devices


def answer(mesh_utils: Any, question: dict[str, Any], devices: list[Device]) -> dict[str, Any]:  # noqa: ANN401 - JAX's module
    """What JAX makes of one question."""
    shape, across = tuple(question["shape"]), tuple(question["across"])
    try:
        if across:
            options = {"allow_split_physical_axes": question["split"]}
            mesh = mesh_utils.create_hybrid_device_mesh(shape, across, devices, **options)
        else:
            options = {
                "allow_split_physical_axes": question["split"],
                "contiguous_submeshes": question["contiguous"],
            }
            mesh = mesh_utils.create_device_mesh(shape, devices, **options)
    except Exception as error:  # noqa: BLE001 - whatever JAX raises is the answer
        return {"error": type(error).__name__, "message": str(error)[:2000]}
    return {"device_ids": [device.id for device in mesh.flat], "shape": list(mesh.shape)}


def main() -> None:
    """Standard input to standard output."""
    asked = json.load(sys.stdin)
    mesh_utils = importlib.import_module("jax.experimental.mesh_utils")
    machines = {name: stand_ins(machine) for name, machine in asked["machines"].items()}
    answers = [answer(mesh_utils, question, machines[question["machine"]]) for question in asked["questions"]]
    json.dump({"jax": importlib.import_module("jax").__version__, "answers": answers}, sys.stdout)


if __name__ == "__main__":
    main()

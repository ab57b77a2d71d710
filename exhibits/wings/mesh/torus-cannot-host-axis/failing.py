import os
from dataclasses import dataclass

from jax.experimental import mesh_utils, topologies
from jax.sharding import Mesh


@dataclass(frozen=True)
class Chip:  # stands in for a TPU chip where there is none
    id: int
    coords: tuple
    device_kind: str = "TPU v5"
    platform: str = "tpu"
    core_on_chip: int = 0
    num_cores: int = 1
    process_index: int = 0
    slice_index: int = 0
    client: None = None


if "TPU_ACCELERATOR_TYPE" in os.environ:
    chips = topologies.get_topology_desc(
        platform="tpu", topology_name="v5p:4x4x4"
    ).devices
else:
    chips = [
        Chip(i, (i % 4, i // 4 % 4, i // 16)) for i in range(64)
    ]

devices = mesh_utils.create_device_mesh((8, 8), chips)
mesh = Mesh(devices, ("data", "model"))
print("mesh", mesh.devices.shape)

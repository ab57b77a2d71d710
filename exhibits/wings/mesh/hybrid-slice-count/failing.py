from dataclasses import dataclass

from jax.experimental import mesh_utils
from jax.sharding import Mesh


@dataclass(frozen=True)
class Chip:  # stands in for a TPU chip
    id: int
    coords: tuple
    slice_index: int
    process_index: int
    device_kind: str = "TPU v5 lite"
    platform: str = "tpu"
    core_on_chip: int = 0
    num_cores: int = 1
    client: None = None


# two slices of 4x4 chips, a host to each 4 chips
chips = [
    Chip(i, (i % 4, i // 4 % 4, 0), i // 16, i // 4)
    for i in range(32)
]

hosts = len({chip.process_index for chip in chips})
devices = mesh_utils.create_hybrid_device_mesh(
    mesh_shape=(1, 4), dcn_mesh_shape=(hosts, 1), devices=chips
)
mesh = Mesh(devices, ("data", "model"))
print("mesh", dict(mesh.shape))

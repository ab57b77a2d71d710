from dataclasses import dataclass

from jax.experimental import mesh_utils
from jax.sharding import Mesh


@dataclass(frozen=True)
class Chip:  # stands in for a TPU chip
    id: int
    coords: tuple
    process_index: int
    device_kind: str = "TPU v5"
    platform: str = "tpu"
    core_on_chip: int = 0
    num_cores: int = 1
    slice_index: int = 0
    client: None = None


# 4x4x4 chips, a host to each 2x2x1 of them
places = [(i % 4, i // 4 % 4, i // 16) for i in range(64)]
chips = [
    Chip(i, (x, y, z), x // 2 + y // 2 * 2 + z * 4)
    for i, (x, y, z) in enumerate(places)
]

devices = mesh_utils.create_device_mesh(
    (4, 16), chips, contiguous_submeshes=True
)
mesh = Mesh(devices, ("data", "model"))
print("mesh", mesh.devices.shape)

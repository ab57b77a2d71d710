import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))
sharding = NamedSharding(mesh, P("data"))


def read_rows(start):
    return np.arange(start, start + 2, dtype=np.float32)


shards = tuple(
    jax.device_put(read_rows(2 * place), device)
    for place, device in enumerate(mesh.devices)
)
rows = jax.make_array_from_single_device_arrays(
    (16,), sharding, list(shards)
)
print("rows", rows)

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))
sharding = NamedSharding(mesh, P("data"))

batch = np.arange(32.0, dtype=np.float32).reshape(8, 4)
parts = np.split(batch, mesh.shape["data"])
shards = [
    jax.device_put(part, device)
    for part, device in zip(parts, mesh.devices[:, 0])
]

global_batch = jax.make_array_from_single_device_arrays(
    batch.shape, sharding, shards
)
for shard in global_batch.addressable_shards:
    print(shard.device.id, "holds rows", shard.data[:, 0])

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))
sharding = NamedSharding(mesh, P("data"))

batch = np.arange(64, dtype=np.float32).reshape(16, 4)
blocks = batch.reshape(mesh.size, -1, 4)  # as pmap wants it

shards = [
    jax.device_put(block, device)
    for block, device in zip(np.split(blocks, 8), mesh.devices)
]
global_batch = jax.make_array_from_single_device_arrays(
    batch.shape, sharding, shards
)
for shard in global_batch.addressable_shards:
    print(shard.device.id, "holds rows", shard.data[:, 0])

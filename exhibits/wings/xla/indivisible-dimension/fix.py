import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))
batch_sharding = NamedSharding(mesh, P("data", "model"))

last_batch = jnp.ones((10, 16))
missing = -len(last_batch) % mesh.shape["data"]
padded = jnp.pad(last_batch, ((0, missing), (0, 0)))

batch = jax.device_put(padded, batch_sharding)
shard_shape = batch.sharding.shard_shape(batch.shape)
print("batch", batch.shape, "shard", shard_shape)

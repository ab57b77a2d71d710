import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))

kernel_sharding = NamedSharding(mesh, P("data", "model"))
kernel = jax.device_put(jnp.ones((1024, 512)), kernel_sharding)
shard = kernel_sharding.shard_shape(kernel.shape)
print("mesh", dict(mesh.shape), "kernel shard", shard)

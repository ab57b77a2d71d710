import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))
by_both = NamedSharding(mesh, P("data", "model"))


@jax.jit
def init_moments(params):
    return jax.tree.map(jnp.zeros_like, params)


params = {"kernel": jax.device_put(jnp.ones((64, 32)), by_both)}
moments = init_moments(params)

for name, tree in ("params", params), ("moments", moments):
    kernel = tree["kernel"]
    shard_shape = kernel.sharding.shard_shape(kernel.shape)
    print(name, shard_shape, "on", len(kernel.devices()))

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))


@jax.jit
def embed(tokens, table):
    hidden = table[tokens]
    return jax.lax.with_sharding_constraint(hidden, P("data"))


with jax.set_mesh(mesh):
    hidden = embed(jnp.arange(32) % 10, jnp.ones((10, 16)))

print("hidden", hidden.sharding.shard_shape(hidden.shape))

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)
jax.set_mesh(Mesh(devices, ("data", "model")))


@jax.jit
def encode(tokens, table):
    hidden = table[tokens]
    return jax.lax.with_sharding_constraint(hidden, P("data"))


hidden = encode(jnp.arange(32) % 10, jnp.ones((10, 16)))


@partial(jax.pmap, axis_name="device")
def count_tokens(mask):
    return jax.lax.psum(mask.sum(), "device")


count = count_tokens(jnp.ones((8, 4)))
print("hidden", hidden.shape, "tokens", count[0])

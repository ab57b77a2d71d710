from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

grid = np.array(jax.devices()).reshape(4, 2)
train_mesh = Mesh(grid, ("data", "model"))
serve_mesh = Mesh(grid.T, ("model", "replica"))
serving = NamedSharding(serve_mesh, P(None, "model"))

kernel = jnp.ones((8, 16))
kernel = jax.device_put(
    kernel, NamedSharding(train_mesh, P("data", "model"))
)


@partial(jax.jit, out_shardings=serving)
def export(kernel):
    return kernel.astype(jnp.bfloat16)


served = export(kernel)
print("served", served.addressable_shards[0].data.shape)

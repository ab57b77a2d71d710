import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))
rows = NamedSharding(mesh, P("model", None))
columns = NamedSharding(mesh, P(None, "model"))
by_batch = NamedSharding(mesh, P("data"))


def forward(kernel, batch):
    return batch @ kernel


forward = jax.jit(forward, in_shardings=(columns, by_batch))

kernel = jax.device_put(jnp.ones((16, 32)), rows)
hidden = forward(kernel, jnp.ones((8, 16)))
print("hidden", hidden.sharding.shard_shape(hidden.shape))

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))


@jax.jit
def mlp(params, x):
    hidden = jax.nn.relu(x @ params)
    return jax.lax.with_sharding_constraint(
        hidden, P("data", "model")
    )


params = jnp.ones((16, 32))
x = jnp.ones((8, 16))
with mesh:
    hidden = mlp(params, x)
shard_shape = hidden.sharding.shard_shape(hidden.shape)
print("hidden", hidden.shape, "shard", shard_shape)

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))
hidden_sharding = NamedSharding(mesh, P("data", "model"))


@jax.jit
def forward(kernel, batch):
    hidden = batch @ kernel
    return jax.lax.with_sharding_constraint(
        hidden, hidden_sharding
    )


hidden = forward(jnp.ones((8, 16)), jnp.ones((10, 8)))
shard_shape = hidden.sharding.shard_shape(hidden.shape)
print("hidden", hidden.shape, "shard", shard_shape)

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))
hidden_sharding = NamedSharding(mesh, P("data", "model"))


def forward(tokens):  # one example: sequence, features
    hidden = jnp.tanh(tokens)
    return jax.lax.with_sharding_constraint(
        hidden, hidden_sharding
    )


forward_batch = jax.jit(
    jax.vmap(forward, spmd_axis_name="data")
)
hidden = forward_batch(jnp.ones((8, 16, 32)))
print("shard", hidden.sharding.shard_shape(hidden.shape))

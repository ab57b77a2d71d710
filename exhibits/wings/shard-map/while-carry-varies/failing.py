import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))


def fit(inputs, targets):
    def descend(state):
        weight, _ = state
        error = weight * inputs - targets
        grad = jnp.mean(error * inputs)
        return weight - 0.02 * grad, grad

    def unfinished(state):
        return jnp.abs(state[1]) > 1e-3

    start = jnp.array(0.0), jnp.array(jnp.inf)
    return jax.lax.while_loop(unfinished, descend, start)[0]


inputs = jnp.arange(1.0, 9.0)
targets = 3 * inputs
weight = shard_map(
    fit, mesh=mesh, in_specs=P("data"), out_specs=P()
)(inputs, targets)
print("weight", weight)

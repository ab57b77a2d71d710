import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))


def loss(weight, inputs, targets):
    return jnp.mean((weight * inputs - targets) ** 2)


def gradient(weight, inputs, targets):
    def mean_loss(weight):
        return jax.lax.pmean(loss(weight, inputs, targets), "data")

    return jax.grad(mean_loss)(weight)


weight = jnp.array(1.0)
inputs = jnp.arange(16.0)
targets = 3 * inputs
grad = shard_map(
    gradient,
    mesh=mesh,
    in_specs=(P(), P("data"), P("data")),
    out_specs=P(),
)(weight, inputs, targets)
expected = jax.grad(loss)(weight, inputs, targets)
print("sharded", grad, "on one device", expected)

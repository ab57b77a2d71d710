import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("model",))


def update(weights, grads):
    if jnp.isfinite(grads).all():
        return weights - 0.1 * grads
    return weights


weights = jnp.ones(16)
grads = jnp.ones(16).at[3].set(jnp.inf)
weights = shard_map(
    update,
    mesh=mesh,
    in_specs=(P("model"), P("model")),
    out_specs=P("model"),
)(weights, grads)
print("weights", weights)

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))
rows = NamedSharding(mesh, P("data"))
weights = jax.device_put(jnp.ones((64, 32)), rows)
losses = jax.device_put(jnp.ones(16), rows)


def regularised(losses, weights):
    print("weights in the body:", weights.shape)
    penalty = 0.01 * jnp.sum(weights**2)
    return jax.lax.psum(jnp.sum(losses) + penalty, "data")


loss = shard_map(
    regularised,
    mesh=mesh,
    in_specs=(P("data"), P("data")),
    out_specs=P(),
)(losses, weights)
expected = jnp.sum(losses) + 0.01 * jnp.sum(weights**2)
print("sharded", loss, "on one device", expected)

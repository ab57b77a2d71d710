import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))


def velocity(position):
    x, y = position
    return jnp.stack([jnp.sin(y), x * y])


def flow_gradient(positions):
    return jax.vmap(jax.jacrev(velocity))(positions)


flow_gradient = shard_map(
    flow_gradient, mesh=mesh, in_specs=P("data"), out_specs=P("data")
)
positions = jnp.arange(32.0).reshape(16, 2)
print("gradient at the second point", flow_gradient(positions)[1])

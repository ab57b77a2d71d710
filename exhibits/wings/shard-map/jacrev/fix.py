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
    def along(dimension):
        step = jnp.zeros_like(positions).at[:, dimension].set(1.0)
        return jax.jvp(jax.vmap(velocity), (positions,), (step,))[1]

    return jnp.stack([along(0), along(1)], axis=-1)


flow_gradient = shard_map(
    flow_gradient, mesh=mesh, in_specs=P("data"), out_specs=P("data")
)
positions = jnp.arange(32.0).reshape(16, 2)
print("gradient at the second point", flow_gradient(positions)[1])

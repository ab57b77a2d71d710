import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))


def my_gradient_part(weights, batch):
    grads = (batch @ weights) @ batch
    return jax.lax.psum_scatter(grads, "data", tiled=True)


weights = jnp.ones(12)
batch = jnp.ones((32, 12))
grads = shard_map(
    my_gradient_part,
    mesh=mesh,
    in_specs=(P(), P("data")),
    out_specs=P("data"),
)(weights, batch)
print("gradients", grads)

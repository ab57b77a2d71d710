import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))


def norms(layers):
    squares = jnp.sum(layers**2, axis=1)
    return jnp.sqrt(jax.lax.psum(squares, "data"))


norms = shard_map(
    norms, mesh=mesh, in_specs=P(None, "data"), out_specs=P()
)
layers = jnp.ones((3, 16))
print("norms", norms(layers))

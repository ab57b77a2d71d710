import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))


def norm(weights):
    return jnp.sqrt(jax.lax.psum(jnp.sum(weights**2), "data"))


norm = shard_map(norm, mesh=mesh, in_specs=P("data"), out_specs=P())
layers = jnp.ones((3, 16))
print("norms", jax.vmap(norm)(layers))

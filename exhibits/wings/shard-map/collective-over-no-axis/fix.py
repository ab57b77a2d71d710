import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()[:1]), ("expert",))
axes = mesh.axis_names


def exchange(tokens):
    return jax.lax.all_to_all(
        tokens, axes, split_axis=0, concat_axis=0, tiled=True
    )


exchange = shard_map(
    exchange, mesh=mesh, in_specs=P(axes), out_specs=P(axes)
)
print("tokens", exchange(jnp.ones((16, 4))).shape)

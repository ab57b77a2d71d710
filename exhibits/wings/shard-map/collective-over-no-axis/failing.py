import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()[:1]), ("expert",))
axes = tuple(a for a in mesh.axis_names if mesh.shape[a] > 1)


def exchange(tokens):
    return jax.lax.all_to_all(
        tokens, axes, split_axis=0, concat_axis=0, tiled=True
    )


if axes:
    exchange = shard_map(
        exchange, mesh=mesh, in_specs=P(axes), out_specs=P(axes)
    )
print("tokens", exchange(jnp.ones((16, 4))).shape)

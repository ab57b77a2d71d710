import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))
by_sequence = P(("data", "model"), None)
by_heads = P(None, ("data", "model"))


def to_heads(tokens):
    return jax.lax.all_to_all(
        tokens, ("data", "model"), 1, 0, tiled=True
    )


to_heads = shard_map(
    to_heads, mesh=mesh, in_specs=by_sequence, out_specs=by_heads
)
tokens = jnp.arange(8)[:, None] + 10 * jnp.arange(8)
print("row 1", to_heads(tokens)[1], "was", tokens[1])

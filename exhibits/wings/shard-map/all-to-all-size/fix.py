import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

devices = np.array(jax.devices()).reshape(2, 4)
mesh = Mesh(devices, ("data", "seq"))


def sequence_to_heads(query):
    return jax.lax.all_to_all(
        query, "seq", split_axis=2, concat_axis=1, tiled=True
    )


query = jnp.ones((2, 64, 12, 32))  # batch, seq, heads, features
query = shard_map(
    sequence_to_heads,
    mesh=mesh,
    in_specs=P("data", "seq"),
    out_specs=P("data", None, "seq"),
)(query)
print("shard", query.addressable_shards[0].data.shape)

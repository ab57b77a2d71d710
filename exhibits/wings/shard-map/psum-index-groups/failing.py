import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))
hosts = [[0, 1, 2, 3], [4, 5, 6, 7]]


def batch_norm(batch):
    mean = batch.mean()
    mean = jax.lax.pmean(mean, "data", axis_index_groups=hosts)
    return batch - mean


batch_norm = shard_map(
    batch_norm, mesh=mesh, in_specs=P("data"), out_specs=P("data")
)
normed = batch_norm(jnp.arange(16.0))
print("first host", normed[:8], "second host", normed[8:])

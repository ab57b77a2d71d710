import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

hosts = [[0, 1, 2, 3], [4, 5, 6, 7]]
devices = np.array(jax.devices())[np.array(hosts)]
mesh = Mesh(devices, ("host", "data"))


def batch_norm(batch):
    mean = batch.mean()
    mean = jax.lax.pmean(mean, "data")
    return batch - mean


rows = P(("host", "data"))
batch_norm = shard_map(
    batch_norm, mesh=mesh, in_specs=rows, out_specs=rows
)
normed = batch_norm(jnp.arange(16.0))
print("first host", normed[:8], "second host", normed[8:])

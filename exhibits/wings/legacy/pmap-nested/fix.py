import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

grads = jnp.arange(2 * 4 * 16.0).reshape(2, 4, 16)


def mean_over_replicas(grads):
    return jax.lax.pmean(grads, ("replica", "chip"))


devices = np.array(jax.devices()).reshape(2, 4)
mesh = Mesh(devices, ("replica", "chip"))
spec = P("replica", "chip")
per_replica = jax.jit(
    shard_map(
        mean_over_replicas, mesh=mesh, in_specs=spec, out_specs=spec
    )
)

mean = per_replica(grads)
print("mean", mean.shape, mean[0, 0, 0])

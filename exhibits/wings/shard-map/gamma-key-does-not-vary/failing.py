import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))


def sample_rates(key, alpha):
    return jax.random.gamma(key, alpha)


key = jax.random.key(0)
alpha = jnp.full(16, 2.0)
rates = shard_map(
    sample_rates,
    mesh=mesh,
    in_specs=(P(), P("data")),
    out_specs=P("data"),
)(key, alpha)
print("different rates", len(np.unique(rates)), "of", rates.size)

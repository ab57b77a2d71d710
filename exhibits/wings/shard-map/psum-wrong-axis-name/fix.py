import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))


def loss_sum(params, batch):
    errors = (batch @ params) ** 2
    return jax.lax.psum(errors.sum(), "data")


loss_sum = shard_map(
    loss_sum,
    mesh=mesh,
    in_specs=(P(), P("data")),
    out_specs=P(),
)
params = jnp.ones(4)
batch = jnp.arange(64.0).reshape(16, 4) / 64

print("loss", loss_sum(params, batch) / len(batch))

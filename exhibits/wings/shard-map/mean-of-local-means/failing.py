import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))


def mean_loss(losses, mask):
    local = jnp.sum(losses * mask) / jnp.sum(mask)
    return jax.lax.pmean(local, "data")


losses = jnp.arange(64.0).reshape(8, 8)
lengths = jnp.arange(1, 9)[:, None]
mask = (jnp.arange(8) < lengths).astype(jnp.float32)

loss = shard_map(
    mean_loss, mesh=mesh, in_specs=P("data"), out_specs=P()
)(losses, mask)
expected = jnp.sum(losses * mask) / jnp.sum(mask)
print("sharded", loss, "on one device", expected)

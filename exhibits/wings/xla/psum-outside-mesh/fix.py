import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

losses = jnp.arange(8.0)
mesh = Mesh(np.array(jax.devices()), ("data",))


def total_loss(losses):
    return jax.lax.psum(losses.sum(), axis_name="data")


total_loss = shard_map(
    total_loss, mesh=mesh, in_specs=P("data"), out_specs=P()
)
print("total loss", total_loss(losses))

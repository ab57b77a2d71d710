import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))


def loss_per_device(predictions, targets):
    return jnp.mean((predictions - targets) ** 2)


loss_per_device = shard_map(
    loss_per_device, mesh=mesh, in_specs=P("data"), out_specs=P("data")
)
predictions = jnp.arange(16.0)
targets = jnp.zeros(16)

print("losses", loss_per_device(predictions, targets))

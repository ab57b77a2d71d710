import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))


def loss_fn(params, inputs, targets):
    predictions = inputs @ params
    local_loss = jnp.mean((predictions - targets) ** 2)
    return jax.lax.pmean(local_loss, "data")


loss_fn = shard_map(
    loss_fn,
    mesh=mesh,
    in_specs=(P(), P("data"), P("data")),
    out_specs=P(),
)
params = jnp.ones((4,))
inputs = jnp.arange(64.0).reshape(16, 4) / 64
targets = jnp.zeros(16)

loss = loss_fn(params, inputs, targets)
whole_batch = jnp.mean((inputs @ params - targets) ** 2)
print("loss", loss, "of the whole batch", whole_batch)

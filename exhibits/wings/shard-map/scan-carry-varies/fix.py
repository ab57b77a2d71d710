import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

try:
    from jax.lax import pcast
except ImportError:  # JAX 0.6

    def pcast(x, axis_name, to):
        return jax.lax.pvary(x, axis_name)


mesh = Mesh(np.array(jax.devices()), ("data",))


def mean_loss(params, microbatches):
    def add_loss(total, batch):
        loss = jnp.mean((batch @ params) ** 2)
        return total + loss, None

    zero = pcast(0.0, "data", to="varying")
    total, _ = jax.lax.scan(add_loss, zero, microbatches)
    return jax.lax.pmean(total, "data") / len(microbatches)


mean_loss = shard_map(
    mean_loss,
    mesh=mesh,
    in_specs=(P(), P(None, "data")),
    out_specs=P(),
)
params = jnp.ones(4)
microbatches = jnp.arange(128.0).reshape(2, 16, 4) / 128

loss = mean_loss(params, microbatches)
whole_batch = jnp.mean((microbatches @ params) ** 2)
print("loss", loss, "of the whole batch", whole_batch)

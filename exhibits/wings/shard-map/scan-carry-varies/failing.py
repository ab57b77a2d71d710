import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))


def mean_loss(params, microbatches):
    def add_loss(total, batch):
        loss = jnp.mean((batch @ params) ** 2)
        return total + loss, None

    total, _ = jax.lax.scan(add_loss, 0.0, microbatches)
    return jax.lax.pmean(total, "data") / len(microbatches)


mean_loss = shard_map(
    mean_loss,
    mesh=mesh,
    in_specs=(P(), P(None, "data")),
    out_specs=P(),
)
params = jnp.ones(4)
microbatches = jnp.arange(128.0).reshape(2, 16, 4) / 128

print("loss", mean_loss(params, microbatches))

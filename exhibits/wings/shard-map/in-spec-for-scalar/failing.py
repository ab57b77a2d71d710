import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))


def sgd_step(params, local_grads, lr):
    grads = jax.lax.pmean(local_grads.mean(axis=0), "data")
    return params - lr * grads


sgd_step = shard_map(
    sgd_step,
    mesh=mesh,
    in_specs=(P(None), P("data"), P(None)),
    out_specs=P(None),
)
params = jnp.ones(4)
local_grads = jnp.ones((16, 4))
lr = jnp.array(0.5)

print("params", sgd_step(params, local_grads, lr))

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))


def eval_step(params, tokens, mask):
    logits = params[tokens]
    loss = jnp.sum(jnp.where(mask, logits, 0.0))
    return jax.lax.psum(loss, "data")


eval_step = shard_map(
    eval_step, mesh=mesh, in_specs=(P(), P("data")), out_specs=P()
)
params = jnp.arange(100.0)
tokens = jnp.arange(32).reshape(16, 2)
mask = tokens < 10

print("loss", eval_step(params, tokens, mask))

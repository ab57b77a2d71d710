import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))
by_head = P(None, None, ("data", "model"))


def attention(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k)
    weights = jax.nn.softmax(scores)
    return jnp.einsum("bhqk,bkhd->bqhd", weights, v)


attention = shard_map(
    attention,
    mesh=mesh,
    in_specs=(by_head,) * 3,
    out_specs=by_head,
)
prompt = jnp.ones((1, 16, 8, 4))  # batch, length, heads, width

context = attention(prompt, prompt, prompt)
shard_shape = context.sharding.shard_shape(context.shape)
print("context", context.shape, "shard", shard_shape)

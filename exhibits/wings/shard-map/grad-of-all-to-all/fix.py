import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("expert",))


def dispatch(tokens):
    received = jax.lax.all_to_all(
        tokens, "expert", split_axis=0, concat_axis=0
    )
    return jnp.swapaxes(received, 0, 1)


dispatch = shard_map(
    dispatch,
    mesh=mesh,
    in_specs=P(None, "expert"),
    out_specs=P(None, None, "expert"),
)
tokens = jnp.ones((8, 32, 16))  # experts, capacity, features
loss, grad = jax.value_and_grad(
    lambda tokens: jnp.mean(dispatch(tokens) ** 2)
)(tokens)
print("tokens", tokens.shape, "gradient", grad.shape)

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))


def next_token(logits, temperature):
    scaled = logits / temperature
    return jnp.argmax(scaled, axis=-1), jax.nn.softmax(scaled)


next_token = shard_map(
    next_token,
    mesh=mesh,
    in_specs=(P("data"), P()),
    out_specs=P("data"),
)
logits = jnp.arange(64.0).reshape(16, 4)

tokens, probabilities = next_token(logits, temperature=0.5)
print("tokens", tokens.shape, "probabilities", probabilities.shape)

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

try:
    from jax import reshard
except ImportError:  # JAX 0.6
    from jax.experimental.shard import reshard

explicit = (AxisType.Explicit, AxisType.Explicit)
mesh = jax.make_mesh(
    (4, 2), ("data", "model"), axis_types=explicit
)
jax.sharding.set_mesh(mesh)

last_tokens = jax.device_put(jnp.arange(8), P("data"))
next_tokens = jax.device_put(jnp.arange(8) + 100, P("data"))
finished = jnp.arange(8) < 3


@jax.jit
def advance(finished, last_tokens, next_tokens):
    finished = reshard(finished, P("data"))
    return jnp.where(finished, last_tokens, next_tokens)


tokens = advance(finished, last_tokens, next_tokens)
print("tokens", jax.typeof(tokens), tokens)

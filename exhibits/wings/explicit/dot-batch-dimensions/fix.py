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

queries = jnp.ones((8, 4, 6, 16))
queries = jax.device_put(queries, P("data", "model"))
keys = jax.device_put(jnp.ones((8, 4, 6, 16)), P("data"))


@jax.jit
def attention_scores(queries, keys):
    keys = reshard(keys, P("data", "model"))
    return jnp.einsum("bhqd,bhkd->bhqk", queries, keys)


scores = attention_scores(queries, keys)
print("scores", jax.typeof(scores))

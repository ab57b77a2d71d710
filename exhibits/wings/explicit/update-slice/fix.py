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

cache_spec = P("data", None, "model")
cache = jax.device_put(jnp.zeros((4, 32, 8)), cache_spec)
keys = jax.device_put(jnp.ones((4, 1, 8)), P("data"))


@jax.jit
def append(cache, keys, position):
    keys = reshard(keys, cache_spec)
    start = (0, position, 0)
    return jax.lax.dynamic_update_slice(cache, keys, start)


cache = append(cache, keys, 5)
print("cache", jax.typeof(cache), "sum", float(cache.sum()))

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

explicit = (AxisType.Explicit, AxisType.Explicit)
mesh = jax.make_mesh(
    (4, 2), ("data", "model"), axis_types=explicit
)
jax.sharding.set_mesh(mesh)

keys = jax.device_put(
    jnp.ones((8, 4, 6, 16)), P("data", "model")
)


@jax.jit
def repeat_kv_heads(keys):
    return jnp.repeat(keys, 2, axis=1)


keys = repeat_kv_heads(keys)
print("keys", jax.typeof(keys))

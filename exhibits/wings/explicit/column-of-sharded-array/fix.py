import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

try:
    from jax.sharding import auto_axes
except ImportError:  # JAX 0.6
    from jax.experimental.shard import auto_axes

explicit = (AxisType.Explicit, AxisType.Explicit)
mesh = jax.make_mesh(
    (4, 2), ("data", "seq"), axis_types=explicit
)
jax.sharding.set_mesh(mesh)

hidden = jax.device_put(jnp.ones((8, 16, 4)), P("data", "seq"))


@jax.jit
def last_token(hidden):
    return hidden[:, -1]


last_token = auto_axes(last_token, out_sharding=P("data"))
last = last_token(hidden)
print("last", jax.typeof(last))

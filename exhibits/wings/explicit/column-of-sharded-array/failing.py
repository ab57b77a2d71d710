import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

explicit = (AxisType.Explicit, AxisType.Explicit)
mesh = jax.make_mesh(
    (4, 2), ("data", "seq"), axis_types=explicit
)
jax.sharding.set_mesh(mesh)

hidden = jax.device_put(jnp.ones((8, 16, 4)), P("data", "seq"))


@jax.jit
def last_token(hidden):
    return hidden[:, -1]


last = last_token(hidden)
print("last", jax.typeof(last))

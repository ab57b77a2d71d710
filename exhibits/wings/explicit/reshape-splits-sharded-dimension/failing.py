import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

explicit = (AxisType.Explicit, AxisType.Explicit)
mesh = jax.make_mesh(
    (4, 2), ("data", "model"), axis_types=explicit
)
jax.sharding.set_mesh(mesh)

queries = jax.device_put(jnp.ones((8, 12)), P("data", "model"))


@jax.jit
def split_heads(queries):
    return jnp.reshape(queries, (8, 3, 4))


heads = split_heads(queries)
print("heads", jax.typeof(heads))

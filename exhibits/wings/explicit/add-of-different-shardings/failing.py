import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

explicit = (AxisType.Explicit, AxisType.Explicit)
mesh = jax.make_mesh(
    (4, 2), ("data", "model"), axis_types=explicit
)
jax.sharding.set_mesh(mesh)

hidden = jax.device_put(jnp.ones((8, 16)), P("data", "model"))
bias = jax.device_put(jnp.zeros(16), P("data"))


@jax.jit
def add_bias(hidden, bias):
    return hidden + bias


hidden = add_bias(hidden, bias)
print("hidden", jax.typeof(hidden))

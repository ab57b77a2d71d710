import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

explicit = (AxisType.Explicit, AxisType.Explicit)
mesh = jax.make_mesh(
    (4, 2), ("data", "model"), axis_types=explicit
)
jax.sharding.set_mesh(mesh)

hidden = jax.device_put(jnp.ones((8, 16)), P("data", None))
kernel = jax.device_put(jnp.ones((16, 4)), P(None, "model"))


def project(hidden):
    return hidden @ kernel


project = jax.shard_map(
    project, in_specs=P("data", None), out_specs=P("data", "model")
)
out = project(hidden)
print("out", jax.typeof(out))

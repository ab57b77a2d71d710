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

hidden = jax.device_put(jnp.ones((8, 16)), P("data", None))


def row_norms(hidden):
    squares = jnp.sum(hidden**2, axis=1)
    return jnp.sqrt(jax.lax.psum(squares, "model"))


row_norms = jax.shard_map(
    row_norms, in_specs=P("data", "model"), out_specs=P("data")
)
norms = row_norms(reshard(hidden, P("data", "model")))
print("norms", jax.typeof(norms), norms)

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

try:
    from jax import reshard, set_mesh
except ImportError:  # JAX 0.6
    from jax.experimental.shard import reshard
    from jax.sharding import use_mesh as set_mesh

mesh = jax.make_mesh(
    (8,), ("data",), axis_types=(AxisType.Explicit,)
)

with set_mesh(mesh):

    @jax.jit
    def loss(params, batch):
        batch = reshard(batch, P("data", None))
        return jnp.mean((batch @ params) ** 2, axis=1)


batch = jnp.ones((16, 4))
losses = loss(jnp.ones((4, 2)), batch)
print("losses", jax.typeof(losses))

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

prompts = jax.device_put(jnp.ones((8, 6, 16)), P("data"))
prefix = jnp.zeros((8, 2, 16))


@jax.jit
def with_prefix(prefix, prompts):
    prefix = reshard(prefix, jax.typeof(prompts).sharding)
    return jnp.concatenate([prefix, prompts], axis=1)


inputs = with_prefix(prefix, prompts)
print("inputs", jax.typeof(inputs))

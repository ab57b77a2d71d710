import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))


def frozen(grads):
    return jnp.zeros(grads.shape)


def clipped(grads):
    return jnp.clip(grads, -1.0, 1.0)


def schedule(grads, step):
    return jax.lax.cond(step < 100, frozen, clipped, grads)


schedule = shard_map(
    schedule,
    mesh=mesh,
    in_specs=(P("data"), P()),
    out_specs=P("data"),
)
grads = jnp.linspace(-2.0, 2.0, 16)

print("grads", schedule(grads, jnp.array(250))[:2])

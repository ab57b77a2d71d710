import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

try:
    from jax.lax import pcast
except ImportError:  # JAX 0.6

    def pcast(x, axis_name, to):
        return jax.lax.pvary(x, axis_name)


mesh = Mesh(np.array(jax.devices()), ("data",))


def frozen(grads):
    zeros = jnp.zeros(grads.shape)
    return pcast(zeros, "data", to="varying")


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

early = schedule(grads, jnp.array(50))
late = schedule(grads, jnp.array(250))
print("frozen", early[0], "clipped", late[0], late.shape)

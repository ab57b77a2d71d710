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


def simulate(state):
    def step(state, _):
        result = jax.ShapeDtypeStruct(state.shape, state.dtype)
        state = jax.pure_callback(physics, result, state)
        return pcast(state, "data", to="varying"), None

    return jax.lax.scan(step, state, length=10)[0]


def physics(state):
    return np.asarray(state) * np.float32(0.5)


simulate = shard_map(
    simulate, mesh=mesh, in_specs=P("data"), out_specs=P("data")
)
state = jnp.arange(16.0) * 1024

print("state", simulate(state)[:4])

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))


def report(sharding):
    print("replicated:", sharding.is_fully_replicated)


def gelu(activations):
    jax.debug.inspect_array_sharding(activations, callback=report)
    return jax.nn.gelu(activations)


sharded_gelu = shard_map(
    gelu,
    mesh=mesh,
    in_specs=P("data", "model"),
    out_specs=P("data", "model"),
)
result = jax.jit(sharded_gelu)(jnp.ones((8, 16)))

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


sharded_gelu = shard_map(
    jax.nn.gelu,
    mesh=mesh,
    in_specs=P("data", "model"),
    out_specs=P("data", "model"),
)


@jax.jit
def layer(activations):
    result = sharded_gelu(activations)
    jax.debug.inspect_array_sharding(result, callback=report)
    return result


result = layer(jnp.ones((8, 16)))

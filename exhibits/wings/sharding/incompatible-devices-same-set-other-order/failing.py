import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))
restore_mesh = Mesh(devices.T, ("model", "data"))
spec = P("data", "model")

kernel = jnp.ones((8, 16))
kernel = jax.device_put(kernel, NamedSharding(mesh, spec))
momentum = jnp.ones((8, 16))
momentum = jax.device_put(
    momentum, NamedSharding(restore_mesh, spec)
)


@jax.jit
def apply_momentum(kernel, momentum):
    return kernel - 0.1 * momentum


kernel = apply_momentum(kernel, momentum)
print("kernel shard", kernel.addressable_shards[0].data.shape)

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))
on_device = NamedSharding(mesh, P("data"))
on_host = on_device.with_memory_kind("pinned_host")


@jax.jit
def momentum_step(momentum, grads):
    return 0.9 * momentum + grads


momentum = jax.device_put(jnp.zeros((8, 16)), on_host)
grads = jax.device_put(jnp.ones((8, 16)), on_device)

momentum = momentum_step(momentum, grads)
print("momentum is in", momentum.sharding.memory_kind)

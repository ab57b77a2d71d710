import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)
explicit = (AxisType.Explicit, AxisType.Explicit)
mesh = Mesh(devices, ("data", "model"), axis_types=explicit)


@jax.jit
def offload(momentum):
    on_device = jax.typeof(momentum).sharding
    on_host = on_device.update(memory_kind="pinned_host")
    return jax.sharding.reshard(momentum, on_host)


momentum = jax.device_put(
    jnp.zeros((8, 16)), NamedSharding(mesh, P("data", "model"))
)
momentum = offload(momentum)
print(momentum.sharding.spec, momentum.sharding.memory_kind)

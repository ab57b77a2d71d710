import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import topologies
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

v6e = topologies.get_topology_desc(
    platform="tpu", topology_name="v6e:2x2"
)
mesh = Mesh(np.array(v6e.devices), ("data",))
on_device = NamedSharding(mesh, P("data"))
on_host = NamedSharding(mesh, P("data"), memory_kind="pinned_host")


def momentum_step(momentum, grads):
    return 0.9 * momentum + grads


array = jax.ShapeDtypeStruct((8, 1024), jnp.float32)
step = jax.jit(momentum_step, in_shardings=(on_host, on_device))
compiled = step.lower(array, array).compile()
print("momentum in", compiled.output_shardings.memory_kind)

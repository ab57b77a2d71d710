import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import topologies
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

v2_8 = topologies.get_topology_desc(
    platform="tpu", topology_name="v2:2x2"
)
mesh = Mesh(np.array(v2_8.devices), ("data",))
layout = NamedSharding(mesh, P())

LAYERS, WIDTH = 22, 7168  # 1.1 billion parameters


def adam_step(params, mean, square, grads):
    mean = 0.9 * mean + 0.1 * grads
    square = 0.99 * square + 0.01 * grads**2
    params = params - 0.001 * mean / (jnp.sqrt(square) + 1e-8)
    return params, mean, square


array = jax.ShapeDtypeStruct(
    (LAYERS, WIDTH, WIDTH), jnp.float32, sharding=layout
)
step = jax.jit(adam_step, donate_argnums=(0, 1, 2))
compiled = step.lower(array, array, array, array).compile()
needed = compiled.memory_analysis().argument_size_in_bytes
print(f"params, moments, grads {needed / 2**30:.2f}G a device")

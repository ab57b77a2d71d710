import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices()).reshape(2, 2)
mesh = Mesh(devices, ("data", "model"))

me = jax.process_index()
local_grads = np.full((4, 8), 1.0 + 9 * me, np.float32)
grads = jax.make_array_from_process_local_data(
    NamedSharding(mesh, P("data", "model")), local_grads
)
average = jax.jit(lambda g: jnp.mean(g))
clip = jax.jit(lambda g: g / jnp.linalg.norm(g))

too_big = bool(jnp.max(grads) > 5.0)
print(f"process {me}: clip {too_big}", flush=True)
if too_big:
    grads = clip(grads)
mean = average(grads).addressable_data(0)
print(f"process {me}: mean {mean:.4f}", flush=True)

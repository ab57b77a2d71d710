import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))
on_host = NamedSharding(mesh, P(), memory_kind="pinned_host")
on_device = on_host.with_memory_kind("device")

embeddings = jnp.arange(24.0).reshape(8, 3)
embeddings = jax.device_put(embeddings, on_host)

token = 5
vector = jax.device_put(embeddings, on_device)[token]
print("vector", vector, "in", vector.sharding.memory_kind)

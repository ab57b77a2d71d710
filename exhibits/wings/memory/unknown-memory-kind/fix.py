import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))

memories = jax.devices()[0].addressable_memories()
kinds = sorted(memory.kind for memory in memories)
host = "pinned_host" if "pinned_host" in kinds else "unpinned_host"

on_host = NamedSharding(mesh, P("data"), memory_kind=host)
momentum = jax.device_put(jnp.zeros((8, 16)), on_host)
print("memories", kinds)
print("momentum is in", momentum.sharding.memory_kind)

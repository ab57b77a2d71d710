import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))

on_host = NamedSharding(mesh, P("data"), memory_kind="host")
momentum = jax.device_put(jnp.zeros((8, 16)), on_host)
print("momentum is in", momentum.sharding.memory_kind)

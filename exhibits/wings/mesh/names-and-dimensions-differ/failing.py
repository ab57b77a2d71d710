import jax
import jax.numpy as jnp
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(jax.devices(), ("data", "model"))

kernel_sharding = NamedSharding(mesh, P("data", "model"))
kernel = jax.device_put(jnp.ones((1024, 512)), kernel_sharding)
print("mesh", dict(mesh.shape))

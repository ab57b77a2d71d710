import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))
batch_sharding = NamedSharding(mesh, P("data", "model"))

last_batch = jnp.ones((10, 16))

batch = jax.device_put(last_batch, batch_sharding)
print(batch.shape, batch.sharding.spec)

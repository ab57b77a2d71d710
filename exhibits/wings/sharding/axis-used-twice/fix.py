import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))

experts = jnp.ones((4, 16, 32))  # expert, embed, mlp
spec = P("data", None, "model")

experts = jax.device_put(experts, NamedSharding(mesh, spec))
print("shard", experts.sharding.shard_shape(experts.shape))

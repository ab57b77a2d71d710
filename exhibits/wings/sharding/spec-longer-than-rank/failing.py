import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))

params = {
    "kernel": jnp.ones((8, 16)),
    "bias": jnp.zeros((16,)),
}
params_sharding = NamedSharding(mesh, P("data", "model"))

params = jax.device_put(params, params_sharding)
for name, param in params.items():
    print(name, param.sharding.shard_shape(param.shape))

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))

batch = jax.device_put(
    jnp.ones((16, 32)), NamedSharding(mesh, P("data"))
)
params = jax.device_put(
    jnp.ones((32, 4)), NamedSharding(mesh, P())
)
print("batch shard", batch.addressable_shards[0].data.shape)
print("params shard", params.addressable_shards[0].data.shape)

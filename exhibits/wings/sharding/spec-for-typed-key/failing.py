import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))
key_sharding = NamedSharding(mesh, P("data", None))

keys = jax.random.split(jax.random.key(0), 8)

keys = jax.device_put(keys, key_sharding)
shard_shape = keys.sharding.shard_shape(keys.shape)
print("keys", keys.shape, "shard", shard_shape)

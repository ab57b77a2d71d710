import os

os.environ["XLA_FLAGS"] = (
    "--xla_force_host_platform_device_count=8"
)
import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

chain_keys = jax.random.split(jax.random.PRNGKey(0), 8)

mesh = Mesh(np.array(jax.devices()), ("chain",))
keys = jax.device_put(chain_keys, NamedSharding(mesh, P("chain")))

shards = [shard.data.shape for shard in keys.addressable_shards]
print("devices", jax.device_count(), "shards", shards)

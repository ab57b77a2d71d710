import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))
by_columns = NamedSharding(mesh, P(None, "model"))


def init_kernel(key):
    return jax.random.normal(
        key, (16, 64), out_sharding=by_columns
    )


kernel = init_kernel(jax.random.key(0))
shard = kernel.addressable_shards[0].data.shape
print("kernel", kernel.shape, "shard", shard)

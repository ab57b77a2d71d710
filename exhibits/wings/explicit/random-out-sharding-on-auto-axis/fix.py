from functools import partial

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))
by_columns = NamedSharding(mesh, P(None, "model"))


@partial(jax.jit, out_shardings=by_columns)
def init_kernel(key):
    return jax.random.normal(key, (16, 64))


kernel = init_kernel(jax.random.key(0))
shard = kernel.addressable_shards[0].data.shape
print("kernel", kernel.shape, "shard", shard)

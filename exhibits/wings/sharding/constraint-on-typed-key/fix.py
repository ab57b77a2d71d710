import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))
by_rows = NamedSharding(mesh, P("data"))


def keep(key):
    return jax.random.bernoulli(key, 0.9, (4,))


@jax.jit
def dropout_mask(key):
    keys = jax.random.split(key, 16)
    mask = jax.vmap(keep)(keys)
    return jax.lax.with_sharding_constraint(mask, by_rows)


mask = dropout_mask(jax.random.key(0))
shard = mask.addressable_shards[0].data.shape
print("mask", mask.shape, "shard", shard)

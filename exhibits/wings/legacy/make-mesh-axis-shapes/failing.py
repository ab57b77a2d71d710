import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P

mesh = jax.make_mesh(
    axis_shapes=(4, 2), axis_names=("data", "model")
)
batch_sharding = NamedSharding(mesh, P("data", "model"))
batch = jax.device_put(jnp.ones((16, 8)), batch_sharding)
shard = batch_sharding.shard_shape(batch.shape)
print("mesh", dict(mesh.shape), "shard", shard)

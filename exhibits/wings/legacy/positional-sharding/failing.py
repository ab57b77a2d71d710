import jax
import jax.numpy as jnp

sharding = jax.sharding.PositionalSharding(jax.devices())

batch = jax.device_put(
    jnp.ones((16, 32)), sharding.reshape(8, 1)
)
params = jax.device_put(jnp.ones((32, 4)), sharding.replicate())
print("batch shard", batch.addressable_shards[0].data.shape)
print("params shard", params.addressable_shards[0].data.shape)

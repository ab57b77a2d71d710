import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))
by_row = NamedSharding(mesh, P("data"))
accumulation_steps = 8


@jax.jit
def accumulate(kernel, batch):
    micro = batch.reshape(accumulation_steps, -1, 16)

    def step(total, rows):
        loss = jnp.mean((rows @ kernel) ** 2, axis=-1)
        return total + loss.sum(), loss

    return jax.lax.scan(step, 0.0, micro)


batch = jax.device_put(jnp.ones((64, 16)), by_row)
total, losses = accumulate(jnp.ones((16, 4)), batch)
shard_shape = losses.sharding.shard_shape(losses.shape)
print("losses", losses.shape, "per device", shard_shape)

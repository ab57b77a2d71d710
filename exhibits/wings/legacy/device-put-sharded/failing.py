import jax
import jax.numpy as jnp
import numpy as np

rows = np.arange(8 * 4 * 16.0, dtype=np.float32)
batch = rows.reshape(8, 4, 16)  # devices, rows, features

batch = jax.device_put_sharded(list(batch), jax.devices())


@jax.pmap
def mean_feature(rows):
    return jnp.mean(rows)


print("batch", batch.shape, "means", mean_feature(batch)[:2])

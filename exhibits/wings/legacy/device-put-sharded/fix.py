import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

rows = np.arange(8 * 4 * 16.0, dtype=np.float32)
batch = rows.reshape(8, 4, 16)  # devices, rows, features

mesh = Mesh(np.array(jax.devices()), ("data",))
batch = jax.device_put(batch, NamedSharding(mesh, P("data")))


@jax.pmap
def mean_feature(rows):
    return jnp.mean(rows)


print("batch", batch.shape, "means", mean_feature(batch)[:2])

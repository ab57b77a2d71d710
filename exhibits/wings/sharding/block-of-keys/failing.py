import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))


def add_noise(key, images):
    noise = jax.random.normal(key, images.shape)
    return images + 0.1 * noise


add_noise = shard_map(
    add_noise,
    mesh=mesh,
    in_specs=P("data"),
    out_specs=P("data"),
)

keys = jax.random.split(jax.random.key(0), 8)
images = jnp.zeros((16, 4))
noisy = add_noise(keys, images)
rows = np.unique(noisy, axis=0)
print("distinct rows", len(rows))

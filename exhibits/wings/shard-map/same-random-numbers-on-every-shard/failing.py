import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))


def dropout(key, activations):
    keep = jax.random.bernoulli(key, 0.5, activations.shape)
    return jnp.where(keep, activations / 0.5, 0.0)


key = jax.random.key(0)
activations = jnp.ones((8, 64))
dropped = shard_map(
    dropout,
    mesh=mesh,
    in_specs=(P(), P("data")),
    out_specs=P("data"),
)(key, activations)
masks = np.unique(np.asarray(dropped), axis=0)
print("different masks", len(masks), "of", len(dropped))

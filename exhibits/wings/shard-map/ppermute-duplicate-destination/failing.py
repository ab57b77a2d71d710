import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("stage",))
n_stages = mesh.shape["stage"]
to_next = [(i, min(i + 1, n_stages - 1)) for i in range(n_stages)]


def hand_over(activations):
    return jax.lax.ppermute(activations, "stage", perm=to_next)


activations = jnp.arange(1.0, 9.0)
received = shard_map(
    hand_over,
    mesh=mesh,
    in_specs=P("stage"),
    out_specs=P("stage"),
)(activations)
print("received", received)

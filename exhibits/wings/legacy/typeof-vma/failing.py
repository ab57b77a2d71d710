import jax
import jax.numpy as jnp
import numpy as np
from jax import shard_map
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))


def varying_axes(x):
    return set(jax.typeof(x).vma)


def scale(grads, norm):
    print("grads", varying_axes(grads), "norm", varying_axes(norm))
    return grads / norm


scale = shard_map(
    scale, mesh=mesh, in_specs=(P("data"), P()), out_specs=P("data")
)
print("scaled", scale(jnp.ones(32), jnp.float32(2.0))[:2])

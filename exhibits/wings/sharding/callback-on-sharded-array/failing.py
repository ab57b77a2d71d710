import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))
shapes = []


def sort_on_host(scores):
    shapes.append(scores.shape)
    return np.sort(scores, axis=-1)


@jax.jit
def rank(scores):
    result = jax.ShapeDtypeStruct(scores.shape, scores.dtype)
    return jax.pure_callback(sort_on_host, result, scores)


scores = -jnp.arange(64.0).reshape(32, 2)
scores = jax.device_put(scores, NamedSharding(mesh, P("data")))
ranked = rank(scores)
jax.block_until_ready(ranked)
print("host calls", len(shapes), "with", set(shapes))
moved = jnp.sum(ranked != scores)
print("scores that changed place:", moved)

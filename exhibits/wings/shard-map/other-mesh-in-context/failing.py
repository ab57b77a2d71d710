import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import set_mesh
except ImportError:  # JAX 0.6
    from jax.sharding import use_mesh as set_mesh

devices = np.array(jax.devices())
train_mesh = Mesh(devices, ("data",))
eval_mesh = Mesh(devices.reshape(4, 2), ("batch", "beam"))


def score(tokens):
    return jax.lax.psum(tokens.sum(), ("batch", "beam"))


score = jax.shard_map(
    score,
    mesh=eval_mesh,
    in_specs=P("batch", "beam"),
    out_specs=P(),
)
tokens = jnp.arange(32).reshape(8, 4)

with set_mesh(train_mesh):
    print("score", score(tokens))

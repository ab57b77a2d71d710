import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))
by_row = NamedSharding(mesh, P("data"))


def embed(tokens):
    return jnp.tanh(tokens)


embed = jax.jit(
    embed, device=jax.devices()[0], out_shardings=by_row
)

hidden = embed(jnp.ones((16, 4)))
print("shard", hidden.sharding.shard_shape(hidden.shape))

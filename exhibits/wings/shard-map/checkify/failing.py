import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import checkify
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))


def embed(table, tokens):
    return table[tokens]


embed = shard_map(
    embed,
    mesh=mesh,
    in_specs=(P(), P("data")),
    out_specs=P("data"),
)
table = jnp.ones((10, 4))
tokens = jnp.arange(16) % 10
checked = checkify.checkify(embed, errors=checkify.index_checks)
error, rows = checked(table, tokens.at[13].set(50))
print("error", error.get())

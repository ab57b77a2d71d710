import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))
by_row = NamedSharding(mesh, P("data"))


def mlp(params, x):
    return jax.nn.relu(x @ params)


@jax.jit
def forward(params, x):
    hidden = shard_map(
        mlp,
        mesh=mesh,
        in_specs=(P(), P("data")),
        out_specs=P("data"),
    )(params, x)
    return jax.lax.with_sharding_constraint(hidden, by_row)


params = jnp.ones((4, 8))
x = jnp.ones((16, 4))
hidden = forward(params, x)
shard_shape = hidden.sharding.shard_shape(hidden.shape)
print("hidden", hidden.shape, "shard", shard_shape)

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map

    by_hand = {"axis_names": {"data"}}
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

    by_hand = {"auto": frozenset({"model"}), "check_rep": False}

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))
set_mesh = getattr(jax, "set_mesh", lambda mesh: mesh)


def mlp(params, x):
    hidden = jax.nn.relu(x @ params)
    spec = P("data", "model")
    return jax.lax.with_sharding_constraint(hidden, spec)


@jax.jit
def forward(params, x):
    return shard_map(
        mlp,
        mesh=mesh,
        in_specs=(P(), P("data")),
        out_specs=P("data"),
        **by_hand,
    )(params, x)


params = jnp.ones((4, 16))
x = jnp.ones((8, 4))
with set_mesh(mesh):
    hidden = forward(params, x)
shard_shape = hidden.sharding.shard_shape(hidden.shape)
print("hidden", hidden.shape, "shard", shard_shape)

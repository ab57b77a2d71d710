import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import checkify
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map

    by_hand = {"axis_names": {"model"}}
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

    by_hand = {"auto": frozenset({"data"}), "check_rep": False}

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))


def activate(hidden):
    return jnp.log(hidden)


activate = shard_map(
    activate,
    mesh=mesh,
    in_specs=P("model"),
    out_specs=P("model"),
    **by_hand,
)


def layer(hidden):
    positive = jnp.all(hidden > 0)
    out = activate(hidden)
    checkify.check(positive, "log of a number that is not > 0")
    return out


checked_layer = jax.jit(checkify.checkify(layer))
error, out = checked_layer(jnp.arange(8.0))
print("error:", error.get())

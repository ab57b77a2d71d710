import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))


def project(x, kernel):
    return jax.lax.psum(x @ kernel, "model")


x = jnp.ones((8, 16))
kernel = jnp.ones((16, 4))
logits = shard_map(
    project,
    mesh=mesh,
    in_specs=(P("data", "model"), P("model")),
    out_specs=P("data"),
)(x, kernel)
expected = x @ kernel
print("logit", logits[0, 0], "on one device", expected[0, 0])

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))


@jax.jit
def forward(activations):
    return jax.lax.with_sharding_constraint(
        activations * 2.0,
        NamedSharding(mesh, P("data")),
    )


out = forward(jnp.ones((8, 16)))
print("shard", out.sharding.shard_shape(out.shape))
